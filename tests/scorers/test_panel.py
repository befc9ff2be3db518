"""What a panel promises whoever reads its evaluation: the order of the configuration, and scores read in time."""

from __future__ import annotations

from datetime import UTC, datetime
from graphlib import CycleError
from typing import ClassVar, Literal

import pytest

from adapters.schema import Answer, Usage
from collector.pipeline.score_task import evaluate
from scorers.base import Env, Evaluation, Metric, Score, Scorer, Unscored
from scorers.efficiency.usage import Latency, Tokens
from scorers.panel import run_panel

ENV = Env(now=datetime(2026, 5, 4, tzinfo=UTC))
ANSWER = Answer(id="a", usage=Usage(total_tokens=8000, latency_ms=1000))


def metric(name: str) -> Metric:
    return Metric(
        name=name,
        family="diagnosis",
        unit="ratio",
        better="higher",
        help="1 all, 0 none.",
        formula="f",
        source="s",
        cost="scores",
        limits="l",
    )


class Worst(Scorer):
    """The least of what it reads."""

    metric: ClassVar[Metric] = metric("worst")
    reads: ClassVar[frozenset[str]] = frozenset({"tokens", "latency", "cost"})
    type: Literal["worst"] = "worst"

    def score(self, answer: Answer, env: Env) -> Score | Unscored:  # noqa: ARG002
        if not env.scored:
            return Unscored(metric="worst", reason="missing_input", detail="nothing was scored")
        name = min(env.scored, key=lambda name: env.scored[name].value)
        return Score(metric="worst", value=env.scored[name].value, label=name)


class Inverse(Scorer):
    """One minus the worst."""

    metric: ClassVar[Metric] = metric("inverse")
    reads: ClassVar[frozenset[str]] = frozenset({"worst"})
    type: Literal["inverse"] = "inverse"

    def score(self, answer: Answer, env: Env) -> Score | Unscored:  # noqa: ARG002
        return Score(metric="inverse", value=1 - env.scored["worst"].value, label=",".join(env.scored))


class Circular(Inverse):
    """Reads what reads it."""

    metric: ClassVar[Metric] = metric("worst")
    reads: ClassVar[frozenset[str]] = frozenset({"inverse"})


def test_a_scorer_reads_what_was_scored_wherever_it_stands_and_the_order_stays() -> None:
    evaluation = run_panel([Inverse(), Worst(), Tokens(), Latency()], ANSWER, ENV)
    assert [score.metric for score in evaluation.scores] == ["inverse", "worst", "tokens", "latency"]
    inverse, worst, *_ = evaluation.scores
    assert (worst.value, worst.label) == (0.5, "tokens")
    assert (inverse.value, inverse.label) == (0.5, "worst")


def test_a_metric_without_a_value_is_not_there_to_be_read() -> None:
    nothing = run_panel([Worst(), Tokens(), Latency()], Answer(id="a"), ENV)
    assert [absent.metric for absent in nothing.unscored] == ["worst", "tokens", "latency"]
    assert nothing.unscored[0].detail == "nothing was scored"


def test_scorers_that_read_each_other_are_refused() -> None:
    with pytest.raises(CycleError):
        run_panel([Inverse(), Circular()], ANSWER, ENV)


def test_the_pipeline_hands_scores_on_too_and_times_every_scorer() -> None:
    scored = evaluate(ANSWER, (Inverse(), Worst(), Tokens(), Latency()), ENV, 5.0)
    evaluation = Evaluation.model_validate_json(scored.evaluation)
    assert [score.metric for score in evaluation.scores] == ["inverse", "worst", "tokens", "latency"]
    assert evaluation.scores[0].value == 0.5
    assert {name for name, _ in scored.seconds} == {"inverse", "worst", "tokens", "latency"}
