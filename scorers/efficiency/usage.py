"""Efficiency: time, tokens and money of an answer against what its workflow can afford."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer, Usage
from scorers.base import Absent, Env, Measured, Metric, Scorer, missing_input

Objective = Annotated[float, Field(gt=0, allow_inf_nan=False)]

Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


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
        languages="any",
        unit="ratio",
        better="higher",
        help="Latency objective divided by the answer's duration: 1 within it, 0.5 at twice the objective, near 0 far "
        "beyond.",
        formula="min(1, objective / duration)",
        source="PROBE A.6 (clipped_inverse_cost_latency); 4.3 (workflow's service-level objective).",
        cost="fields",
        limits="As reported by the source; set the objective for your workflow, the default fits none in particular.",
    )
    type: Literal["latency"] = "latency"
    # PROBE's configurations had medians from 1.9 to 7.8 seconds (4.3).
    objective_seconds: Objective = Field(default=5.0, description="Acceptable duration of an answer, in seconds.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the clipped inverse of the answer's duration, or ``missing_input``."""
        seconds = _seconds(answer)
        if seconds is None:
            return missing_input("usage.latency_ms")
        return Measured(
            value=clipped_inverse(seconds, self.objective_seconds),
            explanation=f"{seconds:.3g} s, objective {self.objective_seconds:g} s",
        )


class FirstToken(Scorer):
    """How well the time to the first token meets the objective: 1 it does, 0.5 it took twice as long.

    What a reader waits for where answers are streamed. Only as reported: where nothing is streamed there is none.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Usage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> FirstToken(objective_seconds=0.5).score(Answer(id="a", usage=Usage(first_token_ms=2000)), env).value
    0.25
    """

    metric: ClassVar[Metric] = Metric(
        name="first_token",
        family="efficiency",
        languages="any",
        unit="ratio",
        better="higher",
        help="Objective divided by the time to first token: 1 within it, 0.5 at twice the objective, near 0 far "
        "beyond.",
        formula="min(1, objective / time to first token)",
        source="PROBE A.6 (clipped_inverse_cost_latency); 4.3 (workflow's service-level objective).",
        cost="fields",
        limits="Available only where the source reports it, that is, for streamed answers; set the objective for your "
        "workflow.",
    )
    type: Literal["first_token"] = "first_token"
    # Nielsen 1993, Usability Engineering, 5.5: up to one second a user's flow of thought stays uninterrupted.
    objective_seconds: Objective = Field(default=1.0, description="Acceptable time to the first token, in seconds.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the clipped inverse of the wait, or ``missing_input``."""
        if answer.usage.first_token_ms is None:
            return missing_input("usage.first_token_ms")
        seconds = answer.usage.first_token_ms / 1000
        return Measured(
            value=clipped_inverse(seconds, self.objective_seconds),
            explanation=f"{seconds:.3g} s, objective {self.objective_seconds:g} s",
        )


class AnswerTokens(Scorer):
    """How well the tokens of all model calls meet the objective: 1 they do, 0.5 at twice as many.

    The total as reported, else prompt plus completion if both are. Raw counts are exposed as a histogram of their own.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Usage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> usage = Usage(prompt_tokens=3900, completion_tokens=100)
    >>> AnswerTokens(objective=1000).score(Answer(id="a", usage=usage), env).value
    0.25
    """

    metric: ClassVar[Metric] = Metric(
        name="tokens",
        family="efficiency",
        languages="any",
        unit="ratio",
        better="higher",
        help="Token objective divided by an answer's tokens: 1 within it, 0.5 at twice the objective, near 0 far "
        "beyond.",
        formula="min(1, objective / tokens)",
        source="PROBE 3.3 (efficiency: token count) and A.6 (clipped_inverse_cost_latency).",
        cost="fields",
        limits="Tokens of different tokenizers are different amounts of text; set the objective for your workflow.",
    )
    type: Literal["tokens"] = "tokens"
    # Our choice: room for about ten passages of 200 words, a prompt and an answer.
    objective: Objective = Field(
        default=4000.0, description="Acceptable number of tokens per answer, over all model calls."
    )

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the clipped inverse of the token count, or ``missing_input``."""
        usage = answer.usage
        count = usage.total_tokens
        if count is None and usage.prompt_tokens is not None and usage.completion_tokens is not None:
            count = usage.prompt_tokens + usage.completion_tokens
        if count is None:
            return missing_input("usage.total_tokens")
        return Measured(
            value=clipped_inverse(count, self.objective), explanation=f"{count} tokens, objective {self.objective:g}"
        )


class AnswerCost(Scorer):
    """How well the cost of an answer meets the objective: 1 it does, 0.5 at twice as much.

    The cost as reported by the source, else tokens at the prices that are set here; no price is guessed. With only one
    of the two prices, or without the tokens of each kind, there is no cost to tell.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Usage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> AnswerCost(objective_usd=0.01).score(Answer(id="a", usage=Usage(cost_usd=0.02)), env).value
    0.5
    >>> priced = AnswerCost(objective_usd=0.01, prompt_usd_per_million=2, completion_usd_per_million=8)
    >>> priced.score(Answer(id="a", usage=Usage(prompt_tokens=8000, completion_tokens=3000)), env).value
    0.25
    """

    metric: ClassVar[Metric] = Metric(
        name="cost",
        family="efficiency",
        languages="any",
        unit="ratio",
        better="higher",
        help="Cost objective divided by an answer's cost: 1 within it, 0.5 at twice the objective, near 0 far beyond.",
        formula="min(1, objective / cost)",
        source="PROBE A.6 (clipped_inverse_cost_latency) and 3.3 (efficiency: cost).",
        cost="fields",
        limits="Available only where the source reports a cost or prices are configured; no price list is built in, "
        "so none goes out of date.",
    )
    type: Literal["cost"] = "cost"
    # Our choice, a cent: what is affordable is the workflow's to say.
    objective_usd: Objective = Field(default=0.01, description="Acceptable cost of one answer, in US dollars.")
    prompt_usd_per_million: Price | None = Field(
        default=None,
        description="Price of a million prompt tokens in US dollars, used where the source reports no cost.",
    )
    completion_usd_per_million: Price | None = Field(
        default=None,
        description="Price of a million completion tokens in US dollars, used where the source reports no cost.",
    )

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the clipped inverse of the cost, or ``missing_input``."""
        cost = self._cost(answer.usage)
        if cost is None:
            return missing_input("usage.cost_usd, or prices")
        return Measured(
            value=clipped_inverse(cost, self.objective_usd),
            explanation=f"{cost:.3g} USD, objective {self.objective_usd:g} USD",
        )

    def _cost(self, usage: Usage) -> float | None:
        if usage.cost_usd is not None:
            return usage.cost_usd
        prompt, completion = self.prompt_usd_per_million, self.completion_usd_per_million
        if prompt is None or completion is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return (usage.prompt_tokens * prompt + usage.completion_tokens * completion) / 1e6


def _seconds(answer: Answer) -> float | None:
    if answer.usage.latency_ms is not None:
        return answer.usage.latency_ms / 1000
    if answer.started_at is None or answer.ended_at is None or answer.ended_at < answer.started_at:
        return None
    return (answer.ended_at - answer.started_at) / timedelta(seconds=1)
