"""What an e-detector would have found by now: the smallest mean that answers there were would have shown.

A detector that says nothing says more the more answers it has seen. Let ``n`` independent losses in [0, 1] with mean
``m > q`` and variance ``s2`` come since a moment at which its evidence was at least 0, the start weight of the first
of them being ``w``. The detector of `gates.evidence.detector` alarms where ``mean_j M_j >= A``, so it has alarmed where
for one of its ``J`` bets

    sum log(1 + lam_j (y - q)) >= B = log(J A / w).                                                                 (1)

What is found here is the least ``m`` for which (1) has a probability of at least 1 - `MISSED`. Two lower bounds on the
left side are used, and the smaller ``m`` of both is returned.

1. ``log(1 + lam (y - q))`` is concave in ``y``, so the left side is at least its chord ``S a + (n - S) b`` with the sum
   of losses ``S``, ``a = log(1 + lam (1 - q))`` and ``b = log(1 - lam q)``. So (1) holds where ``S >= k = (B - n b) /
   (a - b)``, and by Hoeffding's inequality (`gates.evidence.intervals`) ``S < k`` has a probability of at most
   ``exp(-n kl(k / n, m))``. Nothing else is assumed of the losses.
2. ``log(1 + lam x) >= lam x - psi x**2`` with ``psi = (-log(1 - lam q) - lam q) / q**2`` for ``x = y - q >= -q``
   (X. Fan, I. Grama and Q. Liu, EJP 20, 2015, lemma 4.1). With ``D = m - q`` the sums of ``x`` and ``x**2`` are ``n D``
   and ``n (s2 + D**2)`` in expectation; by Bernstein's inequality each is on the wrong side of that by more than
   ``sqrt(2 n v L) + L / 3``, with ``L = log(2 / MISSED)`` and ``v`` of ``s2`` and of ``s2 + D**2``, with a probability
   of at most ``MISSED / 2``. Where all losses seen were 0 or 1, ``s2`` is ``m (1 - m)``, which no others exceed;
   else answers are assumed to vary as much as in the reference, or less.

Premises, in words: the mean was ``m`` over all these answers, and they are independent. Answers that fail together are
therefore counted as what they are worth (`gates.evidence.reference.effective_n`). All that raises evidence beside this
only finds more: what was there before, start weight of later answers, changes, and other slices.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence import detector, intervals
from gates.evidence.arrays import Bools, Floats
from gates.evidence.intervals import WeightedTotals

MISSED = 0.05
"""The probability that a mean which would have been found is not."""
DISTANCES = np.geomspace(0.02, 1.0, 40)
"""Means tried by the second bound, in parts of the way from the level to 1."""


def smallest_found(
    q0: Floats, variance: Floats, graded: Bools, n: Floats, threshold: ArrayLike, weight: float
) -> Floats:
    """Return the least mean, above each level ``q0`` in (0, 1), that ``n`` answers would have shown; 1 if none.

    ``variance`` is that of a loss in the reference, ``graded`` says where losses other than 0 and 1 were seen;
    ``threshold`` is what alarms, ``weight`` the start weight of a tick.

    >>> level, n = np.array([0.03, 0.03, 0.03]), np.array([10.0, 1000.0, 10000.0])
    >>> smallest_found(level, level * (1 - level), n < 0, n, 200.0, 1 / 2016).round(3).tolist()
    [1.0, 0.085, 0.045]
    >>> score, some = np.array([0.11]), np.array([1000.0])
    >>> smallest_found(score, np.array([0.0144]), some > 0, some, 200.0, 1 / 2016).round(3).tolist()
    [0.159]
    """
    level, spread, count = (np.asarray(each, np.float64)[:, None] for each in (q0, variance, n))
    bets = detector.bets(np.asarray(q0, np.float64), variance)
    needed = np.log(len(detector.SHIFTS) * np.asarray(threshold, np.float64) / weight)
    needed = np.broadcast_to(needed, np.shape(q0))[:, None]
    best = np.minimum(_by_chord(level, count, bets, needed), _by_variance(level, spread, graded, count, bets, needed))
    return np.asarray(np.maximum(best, q0))


def _by_chord(level: Floats, n: Floats, bets: Floats, needed: Floats) -> Floats:
    up, down = np.log1p(bets * (1.0 - level)), np.log1p(-bets * level)
    share = (needed - n * down) / ((up - down) * np.maximum(n, 1.0))
    count = np.broadcast_to(n, share.shape)
    sure = np.clip(share, 0.0, 1.0).ravel()
    totals = WeightedTotals(count.ravel(), count.ravel(), count.ravel() * sure, np.ones(sure.size))
    upper = intervals.upper_bounds(totals, MISSED)
    return np.asarray(np.where((share >= 1.0) | (count < 1.0), 1.0, upper.reshape(share.shape)).min(axis=1))


def _by_variance(level: Floats, reference: Floats, graded: Bools, n: Floats, bets: Floats, needed: Floats) -> Floats:
    way = DISTANCES * (1.0 - level)
    mean = level + way
    variance = np.where(graded[:, None], reference, mean * (1.0 - mean))
    chance = math.log(2.0 / MISSED)
    square = variance + way**2
    rise = n * way - np.sqrt(2.0 * n * variance * chance) - chance / 3.0
    squares = n * square + np.sqrt(2.0 * n * square * chance) + chance / 3.0
    cost = (-np.log1p(-bets * level) - bets * level) / level**2
    grown = bets[:, :, None] * rise[:, None, :] - cost[:, :, None] * squares[:, None, :]
    found: Bools = np.logical_or.reduce(grown >= needed[:, :, None], axis=1)
    first = np.argmax(found, axis=1)
    return np.where(found.any(axis=1), level[:, 0] + way[np.arange(len(way)), first], 1.0)
