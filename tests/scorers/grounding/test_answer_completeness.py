"""Answer completeness: what was needed is told, with support."""

from __future__ import annotations

from datetime import UTC, datetime

from adapters.schema import Answer, Gold, Passage
from scorers.base import Env, Score, Unscored
from scorers.grounding.answer_completeness import AnswerCompleteness

ENV = Env(now=datetime(2026, 5, 4, tzinfo=UTC))
CONTEXT = (
    Passage(id="1", text="Deploys during the freeze need approval by the incident commander."),
    Passage(id="2", text="A rollback plan must be linked before the rollout of a deploy starts."),
)
POINTS = Gold(required_points=("approval by the incident commander", "a linked rollback plan"))
BOTH = "Deploys during the freeze need approval by the incident commander. A rollback plan must be linked before."


def result(
    text: str, *, gold: Gold | None = None, question: str = "May I deploy during the freeze?"
) -> Score | Unscored:
    answer = Answer(id="a", question=question, answer=text, passages=CONTEXT, gold=gold)
    return AnswerCompleteness().score(answer, ENV)


def value(text: str, *, gold: Gold | None = None) -> float:
    found = result(text, gold=gold)
    assert isinstance(found, Score), found
    return found.value


def test_each_required_point_counts() -> None:
    assert value(BOTH, gold=POINTS) > 0.9
    half = result(BOTH.split(". ", maxsplit=1)[0] + ".", gold=POINTS)
    assert isinstance(half, Score)
    assert half.basis == "gold"
    assert 0.4 < half.value < 0.7
    assert "a linked rollback plan" in half.evidence[0].detail


def test_a_point_that_the_context_does_not_support_is_not_told() -> None:
    invented = Gold(required_points=("a fee of 300 EUR for the late window",))
    assert value("There is a fee of 300 EUR for the late window.", gold=invented) < 0.3


def test_an_empty_answer_tells_nothing() -> None:
    assert value(" ", gold=POINTS) == 0
    assert value("") == 0


def test_giving_up_is_incomplete_only_where_the_context_holds_the_answer() -> None:
    gives_up = "I don't know: the documents do not mention it."
    assert value(gives_up) == 0
    other = result(gives_up, question="Who won the chess tournament in Lisbon?")
    assert isinstance(other, Unscored)
    assert other.reason == "not_applicable"


def test_without_question_and_points_nothing_is_known_to_be_needed() -> None:
    found = AnswerCompleteness().score(Answer(id="a", answer=BOTH, passages=CONTEXT), ENV)
    assert isinstance(found, Unscored)
    assert (found.reason, found.detail) == ("missing_input", "question or gold.required_points")
