"""What a panel promises whoever reads its evaluation: the order of the configuration, and scores read in time."""

from __future__ import annotations

from datetime import UTC, datetime
from graphlib import CycleError
from typing import ClassVar, Literal

import pytest

from adapters.schema import Answer, Usage
from collector.pipeline.score_task import evaluate
from scorers import default_panel
from scorers.base import (
    EVIDENCE_MISSING,
    RESTS_ON_EVIDENCE,
    Absent,
    Env,
    Evaluation,
    Measured,
    Metric,
    Score,
    Scorer,
    Unscored,
    missing_input,
)
from scorers.efficiency.usage import AnswerTokens, Latency
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

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002
        if not env.scored:
            return missing_input("nothing was scored")
        name = min(env.scored, key=lambda name: env.scored[name].value)
        return Measured(env.scored[name].value, label=name)


class Inverse(Scorer):
    """One minus the worst."""

    metric: ClassVar[Metric] = metric("inverse")
    reads: ClassVar[frozenset[str]] = frozenset({"worst"})
    type: Literal["inverse"] = "inverse"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002
        return Measured(1 - env.scored["worst"].value, label=",".join(env.scored))


class Circular(Inverse):
    """Reads what reads it."""

    metric: ClassVar[Metric] = metric("worst")
    reads: ClassVar[frozenset[str]] = frozenset({"inverse"})


def test_a_scorer_reads_what_was_scored_wherever_it_stands_and_the_order_stays() -> None:
    evaluation = run_panel([Inverse(), Worst(), AnswerTokens(), Latency()], ANSWER, ENV)
    assert [score.metric for score in evaluation.scores] == ["inverse", "worst", "tokens", "latency"]
    inverse, worst, *_ = evaluation.scores
    assert (worst.value, worst.label) == (0.5, "tokens")
    assert (inverse.value, inverse.label) == (0.5, "worst")


def test_a_metric_without_a_value_is_not_there_to_be_read() -> None:
    nothing = run_panel([Worst(), AnswerTokens(), Latency()], Answer(id="a"), ENV)
    assert [absent.metric for absent in nothing.unscored] == ["worst", "tokens", "latency"]
    assert nothing.unscored[0].detail == "nothing was scored"


def test_scorers_that_read_each_other_are_refused() -> None:
    with pytest.raises(CycleError):
        run_panel([Inverse(), Circular()], ANSWER, ENV)


def test_the_pipeline_hands_scores_on_too_and_times_every_scorer() -> None:
    scored = evaluate(ANSWER, (Inverse(), Worst(), AnswerTokens(), Latency()), ENV, 5.0)
    evaluation = Evaluation.model_validate_json(scored.evaluation)
    assert [score.metric for score in evaluation.scores] == ["inverse", "worst", "tokens", "latency"]
    assert evaluation.scores[0].value == 0.5
    assert {name for name, _ in scored.seconds} == {"inverse", "worst", "tokens", "latency"}


class Beyond(Scorer):
    """Needs a question, and gives a value that its metric does not have."""

    metric: ClassVar[Metric] = metric("beyond")
    needs: ClassVar[frozenset[str]] = frozenset({"question", "passages"})
    type: Literal["beyond"] = "beyond"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002
        return Measured(1.5)


def test_a_scorer_is_not_asked_about_an_answer_without_what_it_needs() -> None:
    assert Beyond().score(ANSWER, ENV) == Unscored(metric="beyond", reason="missing_input", detail="passages")


def test_a_score_bears_the_name_of_its_metric_and_all_that_was_measured() -> None:
    (worst,) = (score for score in run_panel([Worst(), Latency()], ANSWER, ENV).scores if score.metric == "worst")
    assert worst == Score(metric="worst", value=1.0, label="latency")


def test_a_value_outside_the_bounds_of_its_metric_is_a_bug_and_no_score() -> None:
    answer = ANSWER.model_copy(update={"question": "Is it?", "passages": ()})
    with pytest.raises(ValueError, match=r"1\.5 is outside 0\.0 to 1\.0"):
        Beyond().score(answer, ENV)
    scored = Evaluation.model_validate_json(evaluate(answer, (Beyond(),), ENV, 5.0).evaluation)
    assert [(absent.metric, absent.reason) for absent in scored.unscored] == [("beyond", "error")]


def test_what_rests_on_evidence_has_no_value_where_the_trace_does_not_say_what_was_found() -> None:
    answer = Answer(
        id="a",
        question="How long are refunds?",
        answer="Refunds take 14 days. Write to jo.smith@example.test.",
        passages=(),
        flags=frozenset({"evidence_missing"}),
    )
    evaluation = run_panel(default_panel(), answer, ENV)
    families = {each.metric.name: each.metric.family for each in default_panel()}
    scored = {score.metric for score in evaluation.scores}
    assert not {name for name in scored if families[name] in RESTS_ON_EVIDENCE}
    assert "protected_data_control" in scored
    why = {each.metric: each.detail for each in evaluation.unscored}
    assert why["faithfulness"] == why["composite"] == EVIDENCE_MISSING
