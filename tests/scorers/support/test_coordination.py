"""A sentence that says several things of its subject: each value belongs to its own verb."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

CONTRACT = (
    "The contract runs for 24 months and is extended by 12 months unless it is terminated three months before it ends."
)
PARCELS = "Parcels are sorted within 5 hours and are delivered within 36 hours."


@pytest.mark.parametrize(
    ("source", "claim", "right"),
    [
        (CONTRACT, "The contract runs for 24 months.", True),
        (CONTRACT, "The contract runs for 12 months.", False),
        (CONTRACT, "If it isn't terminated, it is extended by 24 months.", False),
        (CONTRACT, "It has to be terminated three months before the end.", True),
        (CONTRACT, "It has to be terminated one month before the end.", False),
        (PARCELS, "Parcels are delivered within 36 hours.", True),
        (PARCELS, "Parcels are delivered within 5 hours.", False),
    ],
)
def test_a_value_belongs_to_its_own_verb(source: str, claim: str, *, right: bool) -> None:
    assert (label_of(source, None, claim) == "supported") == right
