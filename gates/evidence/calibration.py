"""How often an e-detector really alarms where nothing is wrong, worked out from a slice's own past.

The bound of `gates.evidence.detector` holds for every law of losses and for a mean as high as the level. A slice whose
past is known has one law, and its mean lies below the level, by the width of the bound on its reference. What it does
with a threshold ``A`` can then be worked out, and the threshold be lowered until the slice alarms as often as is
accepted: to the ``A`` at which the calibrated rate is what the proved one was before. Both rates are told: the proved
one, ``1 / A`` a week, and the calibrated one, ``r / A``, with

    r = mean_j  nu_j  (1 + a_j) (k_j / A)**a_j / Gamma(1 + a_j)                                                     (1)

1. Evidence ``M_j`` of one bet, with start weight ``w`` an answer, drift ``-d`` of the mean below the level and variance
   ``s2``, is a diffusion ``dM = w dt - lam d M dt + lam s M dB``. The mean time ``f`` until it reaches ``A`` solves
   ``(w - lam d M) f' + lam**2 s2 M**2 f'' / 2 = 1`` and comes to ``(A / w) (A / k)**a Gamma(1 + a) / (1 + a)`` for
   ``A`` far above ``k = 2 w / (lam**2 s2)``, with ``a = 2 d / (lam s2)``. At ``d = 0`` this is the bound itself, ``A /
   w``: so much does a mean below its level give.
2. Losses are no diffusion. ``a`` is taken from the losses themselves: it solves ``E (1 + lam (y - q0))**(1 + a) = 1``,
   the exponent with which evidence has a tail (H. Kesten, "Random difference equations and renewal theory for products
   of random matrices", Acta Mathematica 131, 1973).
3. Evidence that reaches ``A`` is beyond it by a jump. An alarm takes all of it, so there are fewer by ``nu_j = E
   exp(-overshoot)``. Evidence is read where a tick ends, after all of its ``n`` answers: with steps of the logarithm of
   deviation ``x = lam s sqrt(n)``, ``nu`` is (2) below. Where ticks have few answers it jumps by those: where it falls
   in small steps and rises by ``u``, ``nu = (1 - exp(-u)) / u`` (D. Siegmund, "Sequential analysis", 1985, section
   8.4). Where both are beyond, evidence is further beyond than by either, so the smaller is taken.

       nu(x) = (2 / x) (Phi(x / 2) - 1 / 2) / ((x / 2) Phi(x / 2) + phi(x / 2))                                     (2)

   (D. Siegmund and B. Yakir, "The Statistics of Gene Mapping", 2007).
4. The mean over bets is reached about where one of them would have reached it alone: under the law that is tilted for
   that bet the others are behind. At ``d = 0`` this is exact up to the overshoot, by the likelihood ratio identity.

The losses of a past are taken as the two values, 0 and a higher one, that have their mean and variance, which is what
failures are. Of all laws with these in [0, 1], none has a smaller ``a`` below 1, because the third derivative of
``x**(1 + a)`` is negative there (S. Karlin and W. Studden, "Tchebycheff systems", 1966, chapter 3).

What the reference leaves open is averaged over: with an error ``e`` of the mean, each part of ``r`` is the mean of the
smaller of 1 and ``exp(-b d)``, over ``d`` normal with deviation ``e``. A profile (`gates.evidence.profile`) is off by
hours besides: an error of the daily swing evens out while evidence grows, one of the weekly swing does not, and so the
part `LASTING` of its squared error is added to that of the mean. ``r`` of losses of 0 and 1, which are the two values,
is taken `HELD_BACK` times as high.

Premises: as long as slices go on as their pasts went, in how much traffic they have as well, and answers beyond their
cluster do not fail together. That is more than the proof needs, and steps 1, 3 and 4 are approximations; so both rates
are shown, and only the other one is proved. Counted over slices with four weeks of a past and a swing of day and week,
1 to 20 answers a tick, the rate is .3 to .8 of what is accepted (`tests/gates/evidence/test_calibration.py` counts
without a swing, `benchmarks/seasons.py` whole gates).

What guards it: no threshold is lowered by more than `LEAST_RATIO`, and a slice whose evidence would have been an alarm
in its own past, once that knew the week, keeps the proved one (`gates.monitoring.levels.alarm_thresholds`).
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence import detector
from gates.evidence.arrays import Floats

STEPS = 40
"""Halvings of the interval in which an exponent lies."""
LARGEST_EXPONENT = 1.0
"""Beyond it the two values are no longer the worst case, and thresholds would be lower than is of use."""
LEAST_RATIO = 0.2
"""No threshold is lowered by more than this, so that at most five times what is accepted is what remains proved."""
HELD_BACK = 1.5
"""By how much the rate of losses of 0 and 1 is taken higher than worked out; of others the two values are the worst
case, which is on the safe side already."""
LASTING = 0.5
"""The part of the squared error of a profile that lasts as long as evidence takes to grow."""
ROUNDS = 5
"""How often a rate is worked out anew at the threshold that came of it; each time brings it nearer by half or more."""

_normal = np.frompyfunc(NormalDist().cdf, 1, 1)
_gamma = np.frompyfunc(math.gamma, 1, 1)


def ratio(
    q0: Floats,
    mean: Floats,
    variance: Floats,
    error: Floats,
    answers: Floats,
    threshold: float,
    ticks: float,
    *,
    graded: ArrayLike = False,
) -> Floats:
    """Return what part of its threshold each of many slices needs for the accepted rate of false alarms: at most 1.

    It is by what the calibrated rate is below the proved one, at that part of the ``threshold``, which is what an alarm
    takes if nothing but the proof is known. ``mean``, ``variance`` and the standard ``error`` of the mean are those of
    a slice's past, ``answers`` those in a week of so many ``ticks``; ``graded`` says whether losses were other than 0
    and 1.

    >>> past = [np.array([each]) for each in (0.0216, 0.02, 0.0196, 0.0007, 10_000.0)]
    >>> known = np.array([0.02])
    >>> ratio(*past, 200.0, 2016.0).round(2).tolist(), ratio(*past[:3], known, past[4], 200.0, 2016.0).round(2).tolist()
    ([0.27], [0.62])
    """
    spread = np.maximum(variance, 1e-9)
    high = np.minimum((spread + mean**2) / np.maximum(mean, 1e-9), 1.0)
    share = mean / np.maximum(high, 1e-9)
    bets = detector.bets(q0, spread)
    room = np.maximum(q0 - mean, 0.0)[:, None]
    up, down = 1.0 + bets * (high - q0)[:, None], 1.0 - bets * q0[:, None]
    exponent = _exponents(up, down, share[:, None])
    start = 2.0 / (np.maximum(answers, 1.0)[:, None] * bets**2 * spread[:, None])
    slope = np.where(room > 0.0, exponent / np.maximum(room, 1e-12), 0.0)
    deviation = np.maximum(error, 1e-12)[:, None]
    z = room / deviation
    shape = (1.0 + exponent) / np.asarray(_gamma(1.0 + exponent), dtype=np.float64)
    jump = np.log(np.maximum(up, 1.0 + 1e-9))
    steps = bets * np.sqrt(spread * answers / ticks)[:, None]
    over = np.minimum(-np.expm1(-jump) / jump, _beyond(steps))
    held_back = np.where(graded, 1.0, HELD_BACK)
    found = np.ones(len(q0))
    for _ in range(ROUNDS):
        # Of evidence that begins with more than it takes nothing is known.
        far = slope * np.log(np.maximum(threshold * found[:, None] / start, 1.0))
        with np.errstate(over="ignore"):
            lower = np.exp(np.minimum(-far * room + (far * deviation) ** 2 / 2.0, 700.0))
        averaged = _cdf(-z) + np.minimum(lower * _cdf(z - far * deviation), 1.0)
        rarer = (np.minimum(averaged * np.minimum(shape, 1.2), 1.0) * over).mean(axis=-1) * held_back
        found = np.clip(rarer, LEAST_RATIO, 1.0)
    return np.asarray(found)


def _beyond(steps: Floats) -> Floats:
    """Return ``nu`` of evidence whose logarithm moves by steps of these deviations."""
    x = np.maximum(steps, 1e-6)
    half = _cdf(x / 2.0)
    density = np.exp(-(x**2) / 8.0) / math.sqrt(2.0 * math.pi)
    return np.asarray(2.0 / x * (half - 0.5) / (x / 2.0 * half + density))


def _cdf(z: Floats) -> Floats:
    return np.asarray(_normal(z), dtype=np.float64)


def _exponents(up: Floats, down: Floats, share: Floats) -> Floats:
    """Return ``a`` in ``share up**(1 + a) + (1 - share) down**(1 + a) = 1``, 0 where the mean is at the level."""
    low, high = np.zeros(up.shape), np.full(up.shape, LARGEST_EXPONENT)
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        below = share * up ** (1.0 + middle) + (1.0 - share) * down ** (1.0 + middle) < 1.0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return low
