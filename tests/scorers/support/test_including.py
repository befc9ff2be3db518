"""Cases that a claim includes in what it says of all: judged by what the rules say of the case alone."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

RULES = (
    "Fires are not allowed on the meadow or in the woods. Fires are allowed on the beach. Cycling is permitted on "
    "paths. Cycling is forbidden on the bridge. We pay the entrance fee for pupils. Teachers pay the entrance fee "
    "themselves. Music is banned in the rose garden. Ball games are prohibited near the pond. Guests pay the "
    "postage of lost items themselves, unless the item was stolen."
)
WRONG = [
    "Fires are prohibited everywhere, including on the beach.",
    "Cycling is permitted everywhere, including on the bridge.",
    "We pay the entrance fee for everyone, including teachers.",
    "Music may be played anywhere, even in the rose garden.",
    "We pay the postage of lost items.",
]  # fmt: skip
RIGHT = [
    "Fires are allowed on the beach, even in summer.",
    "Cycling is permitted on paths, including the path by the lake.",
    "We pay the entrance fee for pupils.", "Ball games are prohibited near the pond, even on Sundays.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_what_rules_say_otherwise_of_a_case_is_found(claim: str) -> None:
    assert label_of(RULES, "What are the rules?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_a_case_that_goes_with_the_rules_is_none(claim: str) -> None:
    assert label_of(RULES, "What are the rules?", claim) != "contradicted"
