"""The e-detector: evidence, readable at any time, that a mean has risen above a level it should keep.

For losses ``y`` of at least 0 and a level ``q0``, with ``J`` bets ``lam_j`` of at most ``1 / q0``,

    M_j <- (M_j + dW) * (1 + lam_j * (y - q0)),        alarm when mean_j M_j >= A, then every M_j <- 0,

where ``dW`` is start weight: a steady rate, so that evidence may begin at any moment, and a lump where a change is
known to have happened. This is the mixture Shiryaev-Roberts e-detector of Shin, Ramdas and Rinaldo, "E-detectors: a
nonparametric framework for sequential change detection" (2023, arXiv 2203.03532, definition 2.2 and section 4), with
the bets of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (JRSS-B 86, 2024, section
4). For losses of 0 or 1 the factor is the likelihood ratio of a Bernoulli variable with mean ``q0 + lam q0 (1 - q0)``.

How many false alarms there are
-------------------------------
Let ``W(t)`` be all start weight given until ``t`` and ``N(t)`` the alarms so far. While ``E[y_t | past] <= q0`` the
factor is not negative and its conditional mean is at most 1, so a step raises ``mean_j M_j`` in conditional mean by at
most ``dW``; an alarm raises ``N`` by 1 and lowers ``mean_j M_j`` from at least ``A`` to 0. Hence
``S = mean_j M_j + A N - W`` is a supermartingale that starts at 0, and because ``M`` is not negative

    E[N(t)] <= E[W(t)] / A                                                                                          (1)

at every stopping time: for any traffic, any sample size, any distribution, and with ``q0`` chosen anew at every step
from the past. With weight 1 a week, ``K`` detectors and ``A = K / F``, at most ``F`` false alarms a week are expected
over all of them, and ``F w`` more for a lump ``w`` given to each, whatever the detectors have to do with each other.
The reset is part of the proof: counting upward crossings without it gives two to three times as many.

Premise, in words: as long as no answer is expected to be worse than its level, whatever came before it. So every hour's
mean must stay within its level, not only that of the day, and answers that fail together must be known to
(`gates.evidence.clusters`). The bound is worth what ``q0`` is: `gates.evidence.reference` sets it by an upper
confidence bound, which misses in one slice of a hundred.

Where the number ``K`` of slices changes, so does ``A``, and the same proof, with ``A`` as it was at each alarm, gives
``E[sum of K at the alarms] <= F E[sum over slices of the weeks they are watched]``: alarms counted with the number of
slices watched then. While ``K`` stays as it is, that is (1).

Weights: a gain is ``v (y - q0)`` with ``v`` the weight over the heaviest seen in two days. The first answer that is
heavier than those is its own heaviest, so it weighs less than it should, once.

What the bets are
-----------------
``lam = D / (s2 + D**2)`` is the bet that grows fastest, to second order, where the mean is ``q0 + D`` and the variance
``s2`` (the maximum over ``lam`` of ``lam D - lam**2 (s2 + D**2) / 2``). ``D`` runs over `SHIFTS` times ``q0``, so that
small and large shifts are met alike; `SAFETY` keeps a factor from reaching 0 at a loss of 0.

Beyond ``D = s`` that bet falls again: of scores that vary less than failures do, a large fall would be bet on no more
than a small one, though a loss of 0 can take no more than ``lam q0``. So the largest shift is bet on with what is bet
on it of failures, ``D / (q0 (1 - q0) + D**2)``, as many times as these vary more, ``q0 (1 - q0) / s2``. Of Beta scores
that go from a mean loss of .1 to .2 (``s2 = .015``), evidence then grows by .30 an answer instead of .24.

A past in which little went wrong varies little, and says nothing of how much answers vary once they go wrong: bets
sized by it alone are so large that each good answer takes most of the evidence back. What a level allows is told by the
level: no loss in [0, 1] with mean ``q0`` varies by more than ``q0 (1 - q0)``, which losses of 0 and 1 reach. So ``s2``
is that where all losses seen were 0 or 1, or all alike; elsewhere the largest shift is bet on with it where every bet
would be larger. Some bet is then small enough: ``log(1 + lam (y - q0))`` is concave in ``y``, hence with ``mu = E y``

    E log(1 + lam (y - q0)) >= mu log(1 + lam (1 - q0)) + (1 - mu) log(1 - lam q0),                                 (2)

answers that fail wholly are the hardest to see at a given mean. Of losses of 0 and 1 the smallest bet is at most the
best one against ``1.2 q0``, so that evidence grows in expectation at every mean from there on; of any others it does
from ``2.25 q0`` on. (Where ``q0`` is above a half, these are ``q0 + 0.2 (1 - q0)`` and half-way from ``q0`` to 1.) The
bound (1) holds for any ``s2``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence.arrays import Floats

SHIFTS = (0.2, 0.4, 0.8, 1.6, 3.2)
"""Shifts that are bet on, in parts of ``q0`` (of ``1 - q0``, where that is smaller)."""

SAFETY = 0.75
"""The largest bet, in parts of ``1 / q0``: no factor falls below a quarter."""

CAP = 1e250
"""Evidence beyond this is not told apart; a cap only lowers it, so the bound holds."""


def bets(
    q0: ArrayLike,
    variance: ArrayLike,
    *,
    level: ArrayLike | None = None,
    scale: ArrayLike = 1.0,
    most: ArrayLike | None = None,
) -> Floats:
    """Return the bets on a mean above ``q0``, one row for each ``q0``, one column a shift.

    ``variance`` is that of what is bet on, ``most`` the largest that ``q0`` allows: ``q0 (1 - q0)`` if not given.
    ``scale`` is the mean weight where gains are weighted, ``w (y - q0)`` with ``w`` in (0, 1]; both variances are then
    those of the weighted gain. Where the next loss is bet against a higher ``level`` than ``q0``, its variance is taken
    to be higher in proportion.

    >>> bets(0.02, 0.0196).round(2).tolist()
    [0.2, 0.41, 0.81, 1.55, 2.7]
    >>> bets(0.02, 1e-4).round(2).tolist()
    [34.48, 37.5, 37.5, 28.47, 2.7]
    >>> bets(0.1, 0.015).round(2).tolist()
    [1.3, 2.41, 3.74, 3.94, 7.5]
    """
    base = np.asarray(q0, dtype=np.float64)[..., None]
    against = base if level is None else np.asarray(level, dtype=np.float64)[..., None]
    expected = (
        np.minimum(base, np.maximum(1.0 - base, 0.0))
        * np.asarray(SHIFTS)
        * np.asarray(scale, dtype=np.float64)[..., None]
    )
    allowed = base * (1.0 - base) if most is None else np.asarray(most, dtype=np.float64)[..., None]
    spread, limit = np.maximum(np.asarray(variance, dtype=np.float64)[..., None], 1e-300), SAFETY / against
    sized, whole = (
        np.minimum(expected / np.maximum(each * (against / base) + expected**2, 1e-300), limit)
        for each in (spread, allowed)
    )
    largest = whole[..., -1:]
    proportional = np.minimum(largest * allowed / spread, limit)
    sized[..., -1:] = np.maximum(sized[..., -1:], proportional)
    sized[..., -1:] = np.where(sized.min(axis=-1, keepdims=True) > largest, largest, sized[..., -1:])
    return np.asarray(sized)


def advance(evidence: Floats, weight: ArrayLike, factor: Floats) -> Floats:
    """Return the evidence after start weight was added and a factor seen, capped; rows are detectors.

    >>> advance(np.array([0.0, 1.0]), 0.5, np.array([2.0, 0.5])).tolist()
    [1.0, 0.75]
    """
    started = evidence + np.asarray(weight, dtype=np.float64)[..., None]
    with np.errstate(over="ignore"):
        return np.minimum(started * np.minimum(factor, CAP), CAP)


def level(evidence: Floats) -> Floats:
    """Return what is held against the threshold: the mean over the bets."""
    return np.asarray(evidence.mean(axis=-1), dtype=np.float64)
