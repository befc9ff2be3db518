"""What the other slices say of a slice with little past of its own: an upper bound of its mean.

A new slice has no past, and one with three answers a day has hardly any. But slices of one gate are alike: their means
are drawn from one law, of which the slices with a past show mean ``m`` and variance ``t2``. With the Beta law of these
two as prior, a slice with ``n`` answers of its own, of which a part ``y`` failed, has a mean with the
law

    Beta(c m + n y,  c (1 - m) + n (1 - y)),        c = m (1 - m) / t2 - 1,                                          (1)

and what is bet against is its 99 % quantile (empirical Bayes for rates: B. Efron and C. Morris, "Data analysis using
Stein's estimator and its generalizations", JASA 70, 1975). Losses that vary less than failures of the same mean count
as so many more answers.

Statement: *as long as a slice is one of its kind*, its mean drawn from the Beta law of the others, that quantile is
below its mean in 1 % of slices, so that of slices without a past no more than these can break the bound of
`gates.evidence.detector`. Proof: with the law known, (1) is the law of the mean given what was seen. ``m`` and ``t2``
are estimated, the latter on the safe side; what their error adds is not bounded. Of another law with the same two, a
slice without answers has its mean above the quantile, ``z`` deviations from ``m``, with a probability of at most ``1 /
(1 + z**2)`` (F. Cantelli, 1928): with the ``z`` of about 2.5 of the example below, 14 %. A slice that has been bad from
its first answer on is none of its kind, and evidence against it grows from that answer on.

``t2`` is estimated from ``K`` slices with means ``m_k`` and errors ``v_k`` by the method of R. DerSimonian and N. Laird
("Meta-analysis in clinical trials", Controlled Clinical Trials 7, 1986), from

    Q = sum_k w_k (m_k - mean)**2,    w_k = 1 / v_k,    E[Q] = K - 1 + t2 (sum w - sum w**2 / sum w).

Few slices tell little of how slices differ, so ``Q`` is taken as large as it may be: divided by the lower 5 % quantile
of chi-square over its mean ``K - 1``. Fewer than `LEAST_SIBLINGS` say nothing.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from gates.evidence import beta
from gates.evidence.arrays import Floats
from gates.evidence.reference import ALPHA

LEAST_SIBLINGS = 5
"""Slices that are needed to say how slices differ."""
LEAST_MEAN = 1e-4
"""Where nothing ever failed, one failure in ten thousand is what might have."""
QUANTILE = NormalDist().inv_cdf(0.05)


class SliceSiblings(NamedTuple):
    """What slices have in common: the mean of their means, and how many answers knowing that is worth."""

    mean: float
    size: float

    def upper_bound(self, n: float = 0.0, loss: float = 0.0, alpha: float = ALPHA) -> float:
        """Return what the mean of a slice exceeds with probability ``alpha``, of whose ``n`` answers ``loss`` failed.

        >>> alike = SliceSiblings(0.02, 2000.0)
        >>> round(alike.upper_bound(), 4), round(alike.upper_bound(100.0, 30.0), 4)
        (0.028, 0.0431)
        """
        return float(self.upper_bounds(np.array([n]), np.array([loss]), alpha)[0])

    def upper_bounds(self, n: Floats, loss: Floats, alpha: float = ALPHA) -> Floats:
        """Return the `upper_bound` of many slices.

        >>> SliceSiblings(0.02, 2000.0).upper_bounds(np.array([0.0, 100.0]), np.array([0.0, 30.0])).round(4).tolist()
        [0.028, 0.0431]
        """
        failed = self.mean * self.size + loss
        return beta.quantiles(1.0 - alpha, failed, np.maximum(self.size + n - failed, 1e-9))


def siblings(means: Floats, errors: Floats) -> SliceSiblings | None:
    """Return what slices with these means, each with its squared error, have in common; nothing if they are too few.

    >>> siblings(np.array([0.02, 0.03]), np.full(2, 1e-5)) is None
    True
    >>> alike = siblings(np.array([0.018, 0.02, 0.022, 0.019, 0.021, 0.02]), np.full(6, 1e-5))
    >>> round(alike.mean, 3), bool(alike.size > 1000)
    (0.02, True)
    >>> siblings(np.array([0.01, 0.3, 0.02, 0.2, 0.1, 0.05]), np.full(6, 1e-5)).size < 10
    True
    """
    many = len(means)
    if many < LEAST_SIBLINGS:
        return None
    # Sums do not depend on the order in which slices were met.
    order = np.lexsort((errors, means))
    m, v = means[order], errors[order]
    w = 1.0 / v
    center = float((w * m).sum() / w.sum())
    freedom = many - 1.0
    few = 2.0 / (9.0 * freedom)
    # Wilson and Hilferty's quantile of chi-square, over its mean.
    least = max(1.0 - few + QUANTILE * math.sqrt(few), 0.1) ** 3
    excess = float((w * (m - center) ** 2).sum()) / least - freedom
    between = max(0.0, excess / float(w.sum() - (w * w).sum() / w.sum()))
    # Each slice counts, so much the more as slices differ.
    w = 1.0 / (v + between)
    center = min(max(float((w * m).sum() / w.sum()), LEAST_MEAN), 1.0 - LEAST_MEAN)
    spread = between + float(1.0 / w.sum())
    return SliceSiblings(center, max(center * (1.0 - center) / spread - 1.0, 1.0))
