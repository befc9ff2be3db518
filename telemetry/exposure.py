"""What `/metrics` exposes per slice: only some metrics, since each one adds a handful of series per slice.

Every metric has its distribution, mean and missing values over all traffic. The metrics that matter per slice also have
the sum and the count behind their mean for each slice.
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
"""Metrics exposed per slice by default: one or two of each family that needs no gold."""
ALL: Literal["all"] = "all"
TRAFFIC = ("answer_duration", "answer_tokens")
"""Distributions over all answers, scored or not, that belong to no metric."""

Chosen = Literal["all"] | Collection[str]


@dataclass(frozen=True, slots=True)
class Exposure:
    """Metrics whose mean (``means``) and whose histogram (``buckets``) is exposed per slice.

    Metrics that gates judge always have their mean per slice.

    >>> exposure = Exposure(("composite",), judged=("latency",))
    >>> exposure.mean("composite"), exposure.mean("latency"), exposure.mean("recall"), exposure.distribution("latency")
    (True, True, False, False)
    """

    means: Chosen = BY_SLICE
    buckets: Chosen = ()
    judged: Collection[str] = ()

    @classmethod
    def of(cls, gates: Iterable[Gate], means: Chosen = BY_SLICE, buckets: Chosen = ()) -> Exposure:
        """Return the chosen metrics, and those that ``gates`` judge."""
        return cls(means, buckets, frozenset(metric for gate in gates for metric in gate.metrics))

    def mean(self, metric: str) -> bool:
        """Return whether the mean of a metric is exposed per slice: it is chosen, or gates judge it."""
        return self.means == ALL or metric in self.means or metric in self.judged

    def distribution(self, name: str) -> bool:
        """Return whether the distribution of a metric, or one of `TRAFFIC`, is exposed per slice."""
        return self.buckets == ALL or name in self.buckets
