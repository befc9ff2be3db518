"""Which answers are scored: a recorded probability, and a decision every replica and every replay repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import blake2b
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from gates.units.duration import Duration

LEAST = 0.01
Probability = Annotated[float, Field(ge=LEAST, le=1)]
"""At least .01: below, one answer would weigh more than a hundred others and no bound would hold."""


class SamplingRule(BaseModel):
    """A probability for the answers of some slices."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    when: Mapping[str, str] = Field(min_length=1, description="Slice dimensions and the values they must have.")
    probability: Probability = Field(description="Inclusion probability of these answers, from 0.01 to 1.")


class BoostOptions(BaseModel):
    """How much more is scored after a change, of the answers that it touches."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    probability: Probability = Field(default=1.0, description="Inclusion probability of answers that a change touches.")
    duration: Duration = Field(
        default=timedelta(hours=1), description="How long the boost lasts, from the record of a change on."
    )
    lookback: Duration = Field(
        default=timedelta(hours=1),
        description="How far back answers are also scored after a change, to show the state before it.",
    )
    max_per_minute: int = Field(
        default=60,
        ge=0,
        le=100_000,
        description="Most answers scored per minute beyond the sample; 0 turns the boost off.",
    )


class Sampling(BaseModel):
    """The sampling policy: the first rule that matches decides, otherwise the general probability."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    probability: Probability = Field(default=1.0, description="Inclusion probability where no rule matches.")
    rules: Sequence[SamplingRule] = Field(default=(), description="Exceptions; the first match wins.")
    boost: BoostOptions = Field(default=BoostOptions(), description="Extra scoring after a change.")

    def probability_of(self, slice_: Mapping[str, str]) -> float:
        """Return the inclusion probability of an answer in ``slice_``.

        >>> policy = Sampling(probability=0.1, rules=[{"when": {"domain": "travel"}, "probability": 1}])
        >>> policy.probability_of({"domain": "travel"}), policy.probability_of({"domain": "leave"})
        (1.0, 0.1)
        """
        for rule in self.rules:
            if all(slice_.get(dimension) == value for dimension, value in rule.when.items()):
                return rule.probability
        return self.probability


def drawn(answer_id: str, probability: float) -> bool:
    """Return whether an answer is in the sample, by a hash of its id that is uniform on [0, 1).

    >>> drawn("any", 1.0)
    True
    """
    digest = blake2b(answer_id.encode(), digest_size=8, person=b"sampling").digest()
    return int.from_bytes(digest, "big") / 2**64 < probability
