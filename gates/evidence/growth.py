"""About how many more answers evidence takes: each bet grows by a rate of its own, and their mean is what counts.

A bet ``lam`` on a gain of mean ``d`` and variance ``s2`` multiplies evidence by ``1 + lam g``, whose logarithm is, in
the mean and to second order around ``d``, ``log(1 + lam d) - lam**2 s2 / (2 (1 + lam d)**2)``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence.arrays import Floats

NEVER = 10**12
"""Returned where evidence does not grow, or takes longer than that."""


def rates(bets: Floats, mean: ArrayLike, variance: ArrayLike) -> Floats:
    """Return by how much the logarithm of evidence grows with an answer, for each bet on gains like these.

    >>> rates(np.array([0.2, 0.4]), 0.1, 1e-6).round(4).tolist()
    [0.0198, 0.0392]
    """
    grown = 1.0 + bets * np.asarray(mean, np.float64)
    return np.asarray(np.log(grown) - bets**2 * np.asarray(variance, np.float64) / (2.0 * grown**2))


def answers_until(evidence: Floats, growth: Floats, threshold: float) -> int:
    """Return after how many more answers the mean of the evidence of all bets is about ``threshold``.

    `NEVER` where it does not get there; 0 where it is there.

    >>> answers_until(np.ones(2), np.array([0.02, 0.04]), 20.0), answers_until(np.ones(2), np.array([-0.1, 0.0]), 20.0)
    (89, 1000000000000)
    """
    with np.errstate(divide="ignore"):
        begun = np.log(evidence)

    def enough(n: int) -> bool:
        return bool(np.logaddexp.reduce(begun + n * growth) >= np.log(threshold * len(evidence)))

    if enough(0) or not enough(NEVER):
        return 0 if enough(0) else NEVER
    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
