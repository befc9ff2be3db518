"""Source conflict: one figure for the passages of an answer, and the two that disagree."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Gold, GoldPassage, Passage
from scorers.base import Env, Score, Unscored
from scorers.conflict.source_conflict import SourceConflict

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
QUESTION = "What is the notice period?"
THIRTY, SIXTY = "The notice period is 30 days.", "The notice period is 60 days."
OTHER = "Parking is free for employees."


def judge(*texts: str | None, question: str | None = QUESTION, gold: Gold | None = None) -> Score | Unscored:
    passages = tuple(Passage(id=f"p{number}", text=text) for number, text in enumerate(texts))
    return SourceConflict().score(Answer(id="a", question=question, passages=passages, gold=gold), ENV)


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def test_the_two_passages_that_disagree_are_shown_with_their_values() -> None:
    result = judge(OTHER, THIRTY, SIXTY)
    assert isinstance(result, Score)
    assert (result.label, result.basis) == ("conflict", "passages")
    assert [evidence.passage_id for evidence in result.evidence] == ["p1", "p2"]
    assert "'30 days'" in result.evidence[0].detail
    assert "'60 days'" in result.evidence[1].detail


def test_passages_in_agreement_are_no_conflict_and_show_nothing() -> None:
    result = judge(THIRTY, "You have a notice period of thirty... that is, 30 days.", OTHER)
    assert isinstance(result, Score)
    assert (result.label, result.evidence) == ("no_conflict", ())


def test_the_order_of_passages_does_not_matter() -> None:
    assert value(judge(THIRTY, OTHER, SIXTY)) == pytest.approx(value(judge(OTHER, SIXTY, THIRTY)), abs=1e-9)


def test_the_same_text_retrieved_twice_is_one_passage() -> None:
    result = judge(THIRTY, THIRTY)
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("not_applicable", "fewer than two passages")


def test_withheld_texts_are_missing_input() -> None:
    result = judge(THIRTY, None)
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "text of the passages")


def test_without_a_question_nothing_can_be_said() -> None:
    for question, reason in ((None, "missing_input"), ("  ", "not_applicable")):
        result = judge(THIRTY, SIXTY, question=question)
        assert isinstance(result, Unscored)
        assert result.reason == reason


def test_labels_of_a_person_come_before_the_model() -> None:
    gold = Gold(passages=(GoldPassage(id="p0", label="sufficient"), GoldPassage(id="p1", label="conflicting")))
    result = judge(THIRTY, OTHER, gold=gold)
    assert isinstance(result, Score)
    assert (result.value, result.basis, result.evidence[0].passage_id) == (1.0, "gold", "p1")
    clean = Gold(passages=(GoldPassage(id="p0", label="sufficient"),))
    assert value(judge(THIRTY, SIXTY, gold=clean)) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "9" * 200_000,
        "1,2.3," * 50_000,
        "May " * 60_000,
        "of de la " * 30_000,
        "A. " * 80_000,
        "$" * 200_000,
        "3 million billion " * 20_000,
        "not " * 60_000,
        "\u0663\u0664 \u0661\u0669\u0669\u0669 \u6f22\u5b57 \U0001f600 \u202e\x00" * 9_000,
        "2024-99-99 31 Feb 2023 9999-12-31 " * 5_000,
    ],
)
def test_hostile_texts_are_compared_like_any_other(text: str) -> None:
    for question in (text, "When was it?", "How many?", "Is it?", "Who?", "Where?", "What?"):
        result = judge(text, text[1:], "The limit is 180 EUR since May 2024.", question=question)
        assert isinstance(result, Unscored) or 0 <= result.value <= 1
