"""Claims that repeat a sentence of their context word for word."""

from __future__ import annotations

import pytest

from adapters.caching import forget, text_caches
from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge

RULE = "Parcels may be returned within 14 days of delivery if the seal is unbroken."
OTHERWISE = "Parcels may be returned within 30 days of delivery, whatever the state of the seal."


def _labels(answer: str, *passages: str, question: str | None = None) -> list[str]:
    given = tuple(Passage(id=f"p-{at}", text=text) for at, text in enumerate(passages))
    found = judge(Answer(id="a", question=question, answer=answer, passages=given), Memory())
    assert isinstance(found, Judgement)
    return [found.verdicts[index].label for index in found.claims]


@pytest.mark.parametrize("claim", [RULE, OTHERWISE, RULE.lower(), RULE.rstrip(".") + "!"])
@pytest.mark.parametrize("passages", [(RULE, OTHERWISE), (OTHERWISE, RULE)])
def test_what_a_passage_says_word_for_word_is_supported_whatever_another_one_says(
    claim: str, passages: tuple[str, ...]
) -> None:
    assert _labels(claim, *passages) == ["supported"]


@pytest.mark.parametrize(
    "sentence",
    [
        "A deposit of 10 percent is due when a machine is rented, however long.",
        "You may repay the whole loan early but not a part of it.",
        "The contract ends after one year unless it is renewed three months before.",
        "Anyone between 18 and 65 may donate; first-time donors must be under 60.",
    ],
)
def test_nothing_contradicts_itself(sentence: str) -> None:
    assert _labels(sentence, f"Please note the following. {sentence} Ask the desk for help.") == ["supported"]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Parcels may not be returned within 14 days of delivery if the seal is unbroken.", RULE),
        ("Parcels may be returned within 40 days of delivery if the seal is unbroken.", RULE),
        ("Glass bottles and open fires are allowed.", "Prohibited:\n- Glass bottles and open fires\n- Loud music\n"),
    ],
)
def test_a_changed_sentence_and_an_item_of_a_list_are_no_repetition(claim: str, passage: str) -> None:
    assert _labels(claim, passage) == ["contradicted"]


def test_a_repeated_sentence_does_not_answer_for_a_wrong_one_beside_it() -> None:
    assert _labels(f"{RULE} Parcels may be returned within 40 days of delivery.", RULE) == ["supported", "contradicted"]


def test_a_sentence_that_answers_repeat_is_compared_with_itself_once_whatever_they_were_asked() -> None:
    forget()
    for question in (None, "May I return it after 10 days?", "Can I send back a parcel within 20 days of delivery?"):
        assert _labels(RULE, RULE, OTHERWISE, question=question) == ["supported"]
    kept = [inputs for cache in text_caches() for inputs, _ in cache.entries()]
    assert [inputs for inputs in kept if inputs[:2] == (RULE, RULE)] == [(RULE, RULE, None, "en")]
