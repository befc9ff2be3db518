"""Values by tiers: what a case of a claim, or of its question, gets, and what only another one gets."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import judgement

PARCELS = (
    "| Weight of crate | Toll |\n|---|---|\n| up to 3 kg | 4 EUR |\n| over 3 kg to 8 kg | 7 EUR |\n"
    "| over 8 kg | 12 EUR |\n"
)
DELIVERY = (
    "Delivery is free for orders of 80 EUR or more. Orders between 30 EUR and 79.99 EUR cost 3.50 EUR; for orders below"
    " 30 EUR the fee is 6.20 EUR."
)
GROUPS = "Groups of 12 or more get a discount of 10 %. Groups of 30 or more get 20 %."


@pytest.mark.parametrize(
    ("passage", "question", "answer", "expected"),
    [
        (PARCELS, "What is the toll?", "A crate of 5 kg costs 7 EUR.", "supported"),
        (PARCELS, "What is the toll?", "A crate of 5 kg costs 4 EUR.", "contradicted"),
        (PARCELS, "My crate weighs 10 kg. What is the toll?", "You pay 12 EUR.", "supported"),
        (PARCELS, "My crate weighs 10 kg. What is the toll?", "You pay 7 EUR.", "contradicted"),
        (DELIVERY, "What does delivery cost?", "For a 50-euro order you pay 6.20 EUR for delivery.", "contradicted"),
        (GROUPS, "Is there a discount?", "With fourteen people you get 20 % off.", "contradicted"),
        (GROUPS, "Is there a discount?", "With fourteen people you get a discount of 10 %.", "supported"),
    ],
)
def test_a_case_gets_the_value_of_its_own_tier(passage: str, question: str, answer: str, expected: str) -> None:
    given = Answer(id="a", question=question, answer=answer, passages=(Passage(id="p", text=passage),))
    assert judgement(given, Memory()).label == expected
