"""The composite of many answers at once, by any weights and caps, and the probability that each is unsafe.

By the same weights it is that of `scorers.composite.Composite`, to rounding: tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from evaluation.fitting.rows import EXCEPTION_CAP
from evaluation.fitting.table import FAMILIES, LabelledTable
from gates.evidence.arrays import Bools, Floats
from scorers.composite.composite import OF_SOURCES, SUPPORTED
from scorers.composite.profile import MEMBERS, Caps, FamilyWeights, Override

CAPS = (*Caps.model_fields, EXCEPTION_CAP)
NEAR = 1e-6
"""Probabilities are kept this far from 0 and 1 where their logit is taken."""


@dataclass(frozen=True)
class CompositeParts:
    """What composites of a table are made of: the mean of each family, and which caps apply.

    ``metrics`` are weights of single metrics within their family, where not 1; ``without`` names caps that are lifted.
    Where not ``ranked``, caps are those of an evaluator that knows of no authority.
    """

    table: LabelledTable
    metrics: Mapping[str, float] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    ranked: bool = True

    @cached_property
    def means(self) -> tuple[Floats, Bools]:
        """The mean of each family, one column each, and where it has one."""
        sums, weights = np.zeros((2, len(self.table), len(FAMILIES)))
        for number, family in enumerate(FAMILIES):
            for name in MEMBERS[family]:
                weight = self._weight(name)
                sums[:, number] += weight * self.table.column(name).values
                weights[:, number] += weight
        present = weights > 0.0
        return np.divide(sums, weights, out=np.zeros_like(sums), where=present), present

    @cached_property
    def applying(self) -> Bools:
        """Which caps apply, one column each, in the order of `CAPS`."""
        capped = [self.table.capped(name, ranked=self.ranked) & (name not in self.without) for name in CAPS]
        return np.stack(capped, axis=1)

    def composites(self, weights: FamilyWeights, override: Override, caps: Caps) -> Floats:
        """Return the composite of each answer, from 0 to 100."""
        return np.asarray(np.clip(np.minimum(self._raw(weights, override), self._lowest(caps)), 0.0, 100.0))

    def lost(self, weights: FamilyWeights, override: Override, caps: Caps) -> Mapping[str, Floats]:
        """Return the points that each metric, and each cap beyond the metrics, takes from each answer.

        They sum to what the composite is below 100. Of several caps the lowest takes them.
        """
        shares, total = self._shares(weights, override)
        taken: dict[str, Floats] = {}
        for number, family in enumerate(FAMILIES):
            weighed = {name: self._weight(name) for name in MEMBERS[family]}
            whole = sum(weighed.values(), np.zeros(len(self.table))) * total
            for name, weight in weighed.items():
                short = 100.0 * shares[:, number] * weight * (1.0 - self.table.column(name).values)
                taken[name] = np.divide(short, whole, out=np.zeros_like(short), where=whole > 0.0)
        below = np.maximum(self._raw(weights, override) - self._lowest(caps), 0.0)
        lowest = self._points(caps).argmin(axis=1)
        return taken | {f"{name} cap": np.where(lowest == place, below, 0.0) for place, name in enumerate(CAPS)}

    def _weight(self, name: str) -> Floats:
        counts = self.table.column(name).present & self.table.counted(name)
        if name in OF_SOURCES:
            support = self.table.column("claim_support")
            counts = counts & ~(support.present & (support.values < SUPPORTED))
        return np.asarray(self.metrics.get(name, 1.0) * counts, np.float64)

    def _shares(self, weights: FamilyWeights, override: Override) -> tuple[Floats, Floats]:
        """Return how much each family weighs, one column each, and what that sums to, 1 for nothing."""
        plain = np.array([weights.shares()[family] for family in FAMILIES])
        regulated = np.array([override.over(weights)[family] for family in FAMILIES])
        shares = np.where(self.table.regulated[:, None], regulated, plain) * self.means[1]
        total = shares.sum(axis=1)
        return shares, np.where(total > 0.0, total, 1.0)

    def _raw(self, weights: FamilyWeights, override: Override) -> Floats:
        shares, total = self._shares(weights, override)
        return np.asarray(100.0 * (shares * self.means[0]).sum(axis=1) / total)

    def _points(self, caps: Caps) -> Floats:
        points = np.array([getattr(caps, _field(name)) for name in CAPS], np.float64)
        return np.asarray(np.where(self.applying, points, 100.0), np.float64)

    def _lowest(self, caps: Caps) -> Floats:
        return np.asarray(self._points(caps).min(axis=1))


def unsafe_probabilities(table: LabelledTable, without: frozenset[str] = frozenset()) -> Floats:
    """Return the probability that each answer has an unsafe failure, not counting kinds of failure in ``without``."""
    none = np.ones(len(table))
    for name in table.failure_names:
        if name not in without:
            none *= 1.0 - table.failure(name)
    return np.clip(1.0 - none, 0.0, 1.0)


def logit(probabilities: Floats) -> Floats:
    """Return log-odds, finite for all probabilities."""
    kept = np.clip(probabilities, NEAR, 1.0 - NEAR)
    return np.asarray(np.log(kept / (1.0 - kept)))


def _field(name: str) -> str:
    return "source_conflict" if name == EXCEPTION_CAP else name
