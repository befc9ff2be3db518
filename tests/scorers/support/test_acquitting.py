"""What a statement seems to say against a claim and does not: it speaks of another case, tells an end, or advises."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import judgement

RIGHT = {
    "the case is told beside it": (
        "Domestic orders are kept for 9 days. International ones are kept for 16 days and then sent back.",
        "How long are international orders kept?",
        "An international order is kept for 16 days.",
    ),
    "the thing is named before a pronoun": (
        "Ponies stay in the paddock for 3 hours. For goats it is 5 hours.",
        "How long may a goat stay in the paddock?",
        "A goat stays in the paddock for 5 hours.",
    ),
    "an end told as a beginning": (
        "The upper gate closes at 21:00. The lower gate closes at 23:30.",
        "When does the lower gate close?",
        "The lower gate is open until 23:30.",
    ),
    "advice is no duty": (
        "A helmet is mandatory on the ice. A mouth guard is recommended for training.",
        "Do I have to wear a mouth guard for training?",
        "No, it's only a recommendation.",
    ),
}
WRONG = {
    "the value of the other case": (
        "Domestic orders are kept for 9 days. International ones are kept for 16 days and then sent back.",
        "How long are domestic orders kept?",
        "A domestic order is kept for 16 days.",
    ),
    "another end": (
        "The upper gate closes at 21:00. The lower gate closes at 23:30.",
        "When does the upper gate close?",
        "The upper gate is open until 22:00.",
    ),
    "a duty told as advice": (
        "A helmet is mandatory on the ice. A mouth guard is recommended for training.",
        "Do I have to wear a helmet on the ice?",
        "No, a helmet is optional on the ice.",
    ),
}


def label(case: tuple[str, str, str]) -> str:
    """Return the label of an answer."""
    passage, question, answer = case
    passages = (Passage(id="p", text=passage),)
    return judgement(Answer(id="a", question=question, answer=answer, passages=passages), Memory()).label


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_said_of_another_case_is_not_held_against_a_claim(case: str) -> None:
    assert label(RIGHT[case]) == "supported"


@pytest.mark.parametrize("case", WRONG)
def test_the_value_of_another_case_is_held_against_a_claim(case: str) -> None:
    assert label(WRONG[case]) != "supported"
