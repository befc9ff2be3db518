"""A change of the mean as a whole, and figures of its parts in the metric's own units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gates.attribution.report import Figures
from gates.attribution.sample import Sample
from gates.evidence import contrast
from gates.evidence.contrast import Contrast, Mean
from gates.inputs.observations import Bools, Integers

LEAST_SHARE = 0.25
"""A part of the change below this is not said to carry it."""

Worse = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class View:
    """Answers before and ``after``, in ``strata``: what changed in all, within strata, and by their mix."""

    sample: Sample
    after: Bools
    strata: Integers
    worse: Worse
    total: Contrast
    within: Contrast
    mix: Contrast

    @classmethod
    def of(cls, sample: Sample, after: Bools, strata: Integers, *, worse: Worse, alpha: float) -> View:
        """Return the view; all six ends of its three changes miss together with a probability of at most ``alpha``."""
        weight, before = sample.weight, sample.weight * ~after
        kept = contrast.matched(weight, strata, after, ~after)
        plain = (weight * after, before, 1.0)
        total, within = contrast.contrasts(sample.loss, sample.unit, [plain, kept], alpha / 6)
        # How well each stratum did before; that of a stratum that is new is not known, and its answers are left out.
        size = int(strata.max()) + 1
        there, losses = (np.bincount(strata, weights=each, minlength=size) for each in (before, before * sample.loss))
        level = np.clip(losses / np.maximum(there, 1e-300), 0.0, 1.0)[strata]
        (mix,) = contrast.contrasts(level, sample.unit, [(kept[0], before, kept[2])], alpha / 6)
        return cls(sample=sample, after=after, strata=strata, worse=worse, total=total, within=within, mix=mix)

    def part(self, some: Bools, *, among: Bools | bool = True, before: bool = False) -> float:
        """Return the share of traffic after, or before, that these answers have ``among`` others; 0 without any."""
        weight = self.sample.weight * ((~self.after if before else self.after) & among)
        whole = float(weight.sum())
        return float((weight * some).sum()) / whole if whole > 0.0 else 0.0

    def share(self, change: float) -> float:
        """Return how much of the whole change a change of the mean is; 0 where the whole got no worse."""
        return change / self.total.change if self.total.change > 0.0 else 0.0

    def figures(self, found: Contrast, share: float | None = None) -> Figures:
        """Return a change in the metric's own units."""
        sign = 1.0 if self.worse == "higher" else -1.0
        low, high = sorted((sign * found.lower, sign * found.upper))
        return Figures(
            n_before=found.before.n,
            n_after=found.after.n,
            before=self._own(found.before),
            after=self._own(found.after),
            change=rounded(sign * found.change),
            lower=rounded(low),
            upper=rounded(high),
            share=None if share is None else rounded(share),
        )

    def _own(self, found: Mean) -> float:
        return rounded(found.mean if self.worse == "higher" else 1.0 - found.mean)


def rounded(value: float) -> float:
    """Return a figure as it is told: to six places, and never minus nothing.

    >>> rounded(0.12345678), rounded(-1e-9)
    (0.123457, 0.0)
    """
    return round(float(value), 6) + 0.0
