"""Time, tokens and money against what a workflow can afford."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from adapters.schema import Answer, Usage
from scorers.base import Env, Score, Unscored
from scorers.efficiency.usage import AnswerCost, AnswerTokens, FirstToken, Latency

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ENV = Env(now=NOW)


@pytest.mark.parametrize(("milliseconds", "expected"), [(0, 1), (4999, 1), (5000, 1), (10_000, 0.5), (50_000, 0.1)])
def test_latency_is_one_up_to_the_objective_and_its_inverse_past_it(milliseconds: float, expected: float) -> None:
    result = Latency().score(Answer(id="a", usage=Usage(latency_ms=milliseconds)), ENV)
    assert isinstance(result, Score)
    assert result.value == pytest.approx(expected)


def test_latency_falls_back_on_the_span_of_the_request() -> None:
    result = Latency(objective_seconds=2).score(
        Answer(id="a", started_at=NOW, ended_at=NOW + timedelta(seconds=8)), ENV
    )
    assert isinstance(result, Score)
    assert result.value == 0.25


def test_a_request_that_ends_before_it_starts_has_no_latency() -> None:
    result = Latency().score(Answer(id="a", started_at=NOW, ended_at=NOW - timedelta(seconds=1)), ENV)
    assert isinstance(result, Unscored)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(total_tokens=4000), 1),
        (Usage(total_tokens=8000, prompt_tokens=1), 0.5),
        (Usage(prompt_tokens=7000, completion_tokens=1000), 0.5),
        (Usage(total_tokens=0), 1),
    ],
)
def test_tokens_are_the_total_or_the_sum_of_both_parts(usage: Usage, expected: float) -> None:
    result = AnswerTokens().score(Answer(id="a", usage=usage), ENV)
    assert isinstance(result, Score)
    assert result.value == expected


def test_half_of_the_token_count_is_no_count() -> None:
    result = AnswerTokens().score(Answer(id="a", usage=Usage(prompt_tokens=10)), ENV)
    assert isinstance(result, Unscored)
    assert result.reason == "missing_input"


@pytest.mark.parametrize("objective", [0, -1, float("inf"), float("nan")])
def test_an_objective_that_nothing_can_meet_or_miss_is_refused(objective: float) -> None:
    with pytest.raises(ValidationError):
        AnswerTokens(objective=objective)
    for kind, name in (
        (Latency, "objective_seconds"),
        (FirstToken, "objective_seconds"),
        (AnswerCost, "objective_usd"),
    ):
        with pytest.raises(ValidationError):
            kind(**{name: objective})


def test_the_wait_for_the_first_token_is_held_against_its_own_objective() -> None:
    answer = Answer(id="a", usage=Usage(first_token_ms=3000, latency_ms=60_000))
    assert [FirstToken(objective_seconds=seconds).score(answer, ENV).value for seconds in (1.5, 3, 9)] == [0.5, 1, 1]  # type: ignore[union-attr]
    result = FirstToken().score(Answer(id="a", usage=Usage(latency_ms=60_000)), ENV)
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "usage.first_token_ms")


def test_a_reported_cost_comes_before_tokens_at_set_prices() -> None:
    priced = AnswerCost(objective_usd=0.01, prompt_usd_per_million=1, completion_usd_per_million=3)
    for usage, expected in (
        (Usage(cost_usd=0.04, prompt_tokens=1, completion_tokens=1), 0.25),
        (Usage(prompt_tokens=10_000, completion_tokens=10_000), 0.25),
        (Usage(prompt_tokens=1_000, completion_tokens=0), 1),
        (Usage(cost_usd=0), 1),
    ):
        result = priced.score(Answer(id="a", usage=usage), ENV)
        assert isinstance(result, Score)
        assert result.value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("prices", "usage"),
    [
        ({}, Usage(prompt_tokens=10, completion_tokens=10)),
        ({"prompt_usd_per_million": 1}, Usage(prompt_tokens=10, completion_tokens=10)),
        ({"prompt_usd_per_million": 1, "completion_usd_per_million": 1}, Usage(total_tokens=20)),
        ({"prompt_usd_per_million": 1, "completion_usd_per_million": 1}, Usage(prompt_tokens=20)),
    ],
)
def test_no_price_and_no_count_is_guessed(prices: dict[str, float], usage: Usage) -> None:
    result = AnswerCost(**prices).score(Answer(id="a", usage=usage), ENV)
    assert isinstance(result, Unscored)
    assert result.reason == "missing_input"


def test_a_price_below_nothing_is_refused() -> None:
    with pytest.raises(ValidationError):
        AnswerCost(prompt_usd_per_million=-1)
