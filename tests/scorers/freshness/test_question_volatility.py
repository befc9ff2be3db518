"""Question volatility: which questions have an answer that changes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer
from scorers.base import Env, Score, Unscored
from scorers.freshness.question_volatility import QuestionVolatility

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))


def judge(question: str) -> Score:
    result = QuestionVolatility().score(Answer(id="a", question=question), ENV)
    assert isinstance(result, Score)
    return result


@pytest.mark.parametrize(
    "question",
    [
        "Who is the current mayor of Lyon?",
        "Who won the last world cup?",
        "How much does a litre of milk cost now?",
        "what is the latest version of the browser",
        "who holds the record for most goals in the league",
    ],
)
def test_the_answer_to_a_question_of_today_changes(question: str) -> None:
    assert judge(question).label == "changes"


@pytest.mark.parametrize(
    "question",
    ["Who wrote the opera?", "When was the tower built?", "Who won the cup in 1998?", "What does photosynthesis mean?"],
)
def test_the_answer_to_a_question_of_then_stays(question: str) -> None:
    assert judge(question).label == "stays"


def test_a_year_in_the_question_settles_it() -> None:
    assert judge("Who won the championship in 2004?").value < judge("Who won the championship?").value


def test_an_empty_question_is_left_out() -> None:
    result = QuestionVolatility().score(Answer(id="a", question=" "), ENV)
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"
