"""A change of the mean as a whole, and figures of its parts in the metric's own units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gates.attribution.report import Figures
from gates.attribution.sample import Sample
from gates.evidence.arrays import Bools, Integers
from gates.evidence.contrast import Contrast, Mean, contrasts, matched

LEAST_SHARE = 0.25
"""A part of the change below this does not explain it."""

Worse = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Effects:
    """Answers before and ``after``: how the mean changed in total, within ``strata``, and by their mix."""

    sample: Sample
    after: Bools
    strata: Integers
    worse: Worse
    total: Contrast
    within: Contrast
    mix: Contrast

    @classmethod
    def of(cls, sample: Sample, after: Bools, strata: Integers, *, worse: Worse, alpha: float) -> Effects:
        """Compare both sides; all six bounds miss together with a probability of at most ``alpha``."""
        weight, before = sample.weight, sample.weight * ~after
        within_strata = matched(weight, strata, after, ~after)
        plain = (weight * after, before, 1.0)
        total, within = contrasts(sample.loss, sample.unit, [plain, within_strata], alpha / 6)
        # How well each stratum did before; that of a stratum that is new is not known, and its answers are left out.
        size = int(strata.max()) + 1
        there, losses = (np.bincount(strata, weights=each, minlength=size) for each in (before, before * sample.loss))
        level = np.clip(losses / np.maximum(there, 1e-300), 0.0, 1.0)[strata]
        (mix,) = contrasts(level, sample.unit, [(within_strata[0], before, within_strata[2])], alpha / 6)
        return cls(sample=sample, after=after, strata=strata, worse=worse, total=total, within=within, mix=mix)

    def traffic_share(self, some: Bools, *, among: Bools | bool = True, before: bool = False) -> float:
        """Return the share of traffic after, or before, that these answers have ``among`` others; 0 without any."""
        weight = self.sample.weight * ((~self.after if before else self.after) & among)
        whole = float(weight.sum())
        return float((weight * some).sum()) / whole if whole > 0.0 else 0.0

    def share(self, change: float) -> float:
        """Return how much of the whole change a change of the mean is; 0 where the whole got no worse."""
        return change / self.total.change if self.total.change > 0.0 else 0.0

    def figures(self, contrast: Contrast, share: float | None = None) -> Figures:
        """Return a change in the metric's own units."""
        sign = 1.0 if self.worse == "higher" else -1.0
        low, high = sorted((sign * contrast.lower, sign * contrast.upper))
        return Figures(
            n_before=contrast.before.n,
            n_after=contrast.after.n,
            before=self._own(contrast.before),
            after=self._own(contrast.after),
            change=rounded(sign * contrast.change),
            lower=rounded(low),
            upper=rounded(high),
            share=None if share is None else rounded(share),
        )

    def _own(self, loss: Mean) -> float:
        return rounded(loss.mean if self.worse == "higher" else 1.0 - loss.mean)


def rounded(value: float) -> float:
    """Return a figure as it is reported: to six places, and never minus nothing.

    >>> rounded(0.12345678), rounded(-1e-9)
    (0.123457, 0.0)
    """
    return round(float(value), 6) + 0.0
