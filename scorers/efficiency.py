"""Efficiency: latency and tokens of an answer against what its workflow can afford."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer
from scorers.base import Env, Metric, Score, Scorer, Unscored

Objective = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def clipped_inverse(value: float, objective: float) -> float:
    """Return ``min(1, objective / value)``: 1 up to the objective, half at twice the objective.

    >>> clipped_inverse(2.0, 5.0), clipped_inverse(10.0, 5.0), clipped_inverse(0.0, 5.0)
    (1.0, 0.5, 1.0)
    """
    return 1.0 if value <= objective else objective / value


class Latency(Scorer):
    """How well the answer's duration meets the objective: 1 it does, 0.5 it took twice as long.

    The duration is the reported latency, else from start to end of the request. The raw duration is exposed as a
    histogram of its own; this value is for the composite, where latency must be comparable between workflows.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Usage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> Latency(objective_seconds=2).score(Answer(id="a", usage=Usage(latency_ms=4000)), env).value
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="latency",
        family="efficiency",
        unit="ratio",
        better="higher",
        help="Latency objective over the answer's duration, at most 1: 1 within it, 0.5 at twice, near 0 far over.",
        formula="min(1, objective / duration)",
        source="PROBE A.6 (clipped_inverse_cost_latency); 4.3 (workflow's service-level objective).",
    )
    type: Literal["latency"] = "latency"
    # PROBE's configurations had medians from 1.9 to 7.8 seconds (4.3).
    objective_seconds: Objective = Field(default=5.0, description="The duration, in seconds, that is good enough.")

    def score(self, answer: Answer, env: Env) -> Score | Unscored:  # noqa: ARG002 - the contract's signature
        """Return the clipped inverse of the answer's duration, or ``missing_input``."""
        seconds = _seconds(answer)
        if seconds is None:
            return Unscored(metric=self.metric.name, reason="missing_input", detail="usage.latency_ms")
        return Score(
            metric=self.metric.name,
            value=clipped_inverse(seconds, self.objective_seconds),
            explanation=f"{seconds:.3g} s against {self.objective_seconds:g} s",
        )


class Tokens(Scorer):
    """How well the tokens of all model calls meet the objective: 1 they do, 0.5 at twice as many.

    The total as reported, else prompt plus completion if both are. Raw counts are exposed as a histogram of their own.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Usage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> Tokens(objective=1000).score(Answer(id="a", usage=Usage(prompt_tokens=3900, completion_tokens=100)), env).value
    0.25
    """

    metric: ClassVar[Metric] = Metric(
        name="tokens",
        family="efficiency",
        unit="ratio",
        better="higher",
        help="Token objective over the tokens of an answer, at most 1: 1 within it, 0.5 at twice, near 0 far over.",
        formula="min(1, objective / tokens)",
        source="PROBE 3.3 (efficiency: token count) and A.6 (clipped_inverse_cost_latency).",
    )
    type: Literal["tokens"] = "tokens"
    # Our choice: room for about ten passages of 200 words, a prompt and an answer.
    objective: Objective = Field(default=4000.0, description="Tokens of all model calls together that are affordable.")

    def score(self, answer: Answer, env: Env) -> Score | Unscored:  # noqa: ARG002 - the contract's signature
        """Return the clipped inverse of the token count, or ``missing_input``."""
        usage = answer.usage
        count = usage.total_tokens
        if count is None and usage.prompt_tokens is not None and usage.completion_tokens is not None:
            count = usage.prompt_tokens + usage.completion_tokens
        if count is None:
            return Unscored(metric=self.metric.name, reason="missing_input", detail="usage.total_tokens")
        return Score(
            metric=self.metric.name,
            value=clipped_inverse(count, self.objective),
            explanation=f"{count} tokens against {self.objective:g}",
        )


def _seconds(answer: Answer) -> float | None:
    if answer.usage.latency_ms is not None:
        return answer.usage.latency_ms / 1000
    if answer.started_at is None or answer.ended_at is None or answer.ended_at < answer.started_at:
        return None
    return (answer.ended_at - answer.started_at) / timedelta(seconds=1)
