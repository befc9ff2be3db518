"""What `/metrics` exposes: the metrics in use, for a bounded number of slices, since every series costs its reader.

A metric that is exposed has its distribution over all traffic, and for each slice the sum and the count behind its mean
and its missing values. What is not exposed is scored and stored all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from gates.base.gate import Gate

IN_USE = (
    "composite",
    "claim_support",
    "citation_precision",
    "stale_source_use",
    "conflict_handling",
    "protected_data_control",
    "refusal",
    "latency",
)
"""Metrics that the boards are about without being told: one or two of each family that needs no gold."""
ALL: Literal["all"] = "all"
TRAFFIC = ("answer_duration", "answer_tokens")
"""Distributions over all answers, scored or not, that belong to no metric."""
SLICES = 500
"""Slices with series of their own, by default."""

Chosen = Literal["all"] | Collection[str]
OptionalPart = Literal["sources", "write_back", "notify", "listings", "canaries"]
"""A part of the agent that need not be configured, and has no series then."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """The ``metrics`` that are exposed, those whose distribution is per slice, and how many ``slices`` at most.

    Metrics that gates judge are always exposed.

    >>> exposure = Exposure(("composite",), judged=("latency",))
    >>> exposure.metric("composite"), exposure.metric("latency"), exposure.metric("recall")
    (True, True, False)
    >>> exposure.distribution("latency")
    False
    """

    metrics: Chosen = ALL
    distributions: Chosen = ()
    slices: int = SLICES
    judged: Collection[str] = ()

    @classmethod
    def of(
        cls, gates: Iterable[Gate], metrics: Chosen = IN_USE, distributions: Chosen = (), slices: int = SLICES
    ) -> Exposure:
        """Return the chosen metrics, and those that ``gates`` judge."""
        return cls(metrics, distributions, slices, frozenset(metric for gate in gates for metric in gate.metrics))

    def metric(self, name: str) -> bool:
        """Return whether a metric is exposed: it is chosen, its distribution is, or gates judge it."""
        return self.metrics == ALL or name in self.metrics or name in self.judged or self.distribution(name)

    def distribution(self, name: str) -> bool:
        """Return whether the distribution of a metric, or one of `TRAFFIC`, is exposed per slice."""
        return self.distributions == ALL or name in self.distributions
