"""Latency and tokens against what a workflow can afford."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from adapters.schema import Answer, Usage
from scorers.base import Env, Score, Unscored
from scorers.efficiency import Latency, Tokens

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
    result = Tokens().score(Answer(id="a", usage=usage), ENV)
    assert isinstance(result, Score)
    assert result.value == expected


def test_half_of_the_token_count_is_no_count() -> None:
    result = Tokens().score(Answer(id="a", usage=Usage(prompt_tokens=10)), ENV)
    assert isinstance(result, Unscored)
    assert result.reason == "missing_input"


@pytest.mark.parametrize("objective", [0, -1, float("inf"), float("nan")])
def test_an_objective_that_nothing_can_meet_or_miss_is_refused(objective: float) -> None:
    with pytest.raises(ValidationError):
        Tokens(objective=objective)
    with pytest.raises(ValidationError):
        Latency(objective_seconds=objective)
