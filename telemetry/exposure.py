"""What `/metrics` holds for each slice: a few metrics, since every one more is a handful of series a slice.

Of every metric the distribution, the mean and what is missing are exposed over all traffic. For each slice the sum and
the count that its mean is made of come beside, of the metrics that matter there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from gates.base.gate import Gate

BY_SLICE = (
    "composite",
    "claim_support",
    "citation_precision",
    "stale_source_use",
    "conflict_handling",
    "protected_data_control",
    "refusal",
    "latency",
)
"""What is exposed for each slice unless other metrics are chosen: one or two of each family that needs no gold."""
ALL: Literal["all"] = "all"
TRAFFIC = ("answer_duration", "answer_tokens")
"""Distributions over all answers, scored or not, that are not of a metric."""

Chosen = Literal["all"] | Collection[str]


@dataclass(frozen=True, slots=True)
class Exposure:
    """The names of the metrics with their mean for each slice (``means``), and of those with their ``buckets``.

    What gates judge has its mean for each slice always.

    >>> exposure = Exposure(("composite",), judged=("latency",))
    >>> exposure.mean("composite"), exposure.mean("latency"), exposure.mean("recall"), exposure.distribution("latency")
    (True, True, False, False)
    """

    means: Chosen = BY_SLICE
    buckets: Chosen = ()
    judged: Collection[str] = ()

    @classmethod
    def of(cls, gates: Iterable[Gate], means: Chosen = BY_SLICE, buckets: Chosen = ()) -> Exposure:
        """Return what was chosen, with what ``gates`` judge."""
        return cls(means, buckets, frozenset(metric for gate in gates for metric in gate.metrics))

    def mean(self, metric: str) -> bool:
        """Return whether the mean of a metric is exposed for each slice: it was chosen, or gates judge it."""
        return self.means == ALL or metric in self.means or metric in self.judged

    def distribution(self, name: str) -> bool:
        """Return whether the distribution of a metric, or one of `TRAFFIC`, is exposed for each slice."""
        return self.buckets == ALL or name in self.buckets
