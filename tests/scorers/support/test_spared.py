"""What a claim does without and a rule has come before it, and what a rule bounds for one time, size or number."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

RULES = (
    "We may close a pitch after giving two warnings. The warden may refuse a booking and must explain why. "
    "Complain to the warden first; only then can you contact the ombudsman. Own tents can be put up without a "
    "permit. Marquees are put up after a permit was issued. Barbecues must not be lit between 10 pm and 8 am. "
    "Each pitch may have one car at a time. Delivery to the pitch costs 5 euros and is free for orders of 40 "
    "euros or more."
)
WRONG = [
    "We may close a pitch without giving any warning first.",
    "The warden may refuse a booking without giving a reason.",
    "You can go straight to the ombudsman without complaining to the warden first.",
    "Marquees are put up without a permit.", "Barbecues may be lit at any time, including late at night.",
    "There is no limit on how many cars can be on a pitch at once.",
    "Delivery to the pitch is free, no matter how small the order.",
]  # fmt: skip
RIGHT = [
    "A pitch may be closed after two warnings.", "If a booking is refused, the warden has to tell you the reason.",
    "Own tents can be put up without a permit.", "You can't light a barbecue at midnight.",
    "Delivery to the pitch is free for an order of 40 euros.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_what_a_rule_asks_for_first_or_bounds_is_not_done_without(claim: str) -> None:
    assert label_of(RULES, "What are the rules?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_what_a_rule_has_so_is_none(claim: str) -> None:
    assert label_of(RULES, "What are the rules?", claim) != "contradicted"
