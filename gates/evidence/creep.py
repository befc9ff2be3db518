"""Creep: evidence, readable at any time, that a mean has slowly risen above what a first reference showed.

A detector against the upper bound of a reference (`gates.evidence.detector`) looks away from what lies below that
bound, and what begins below it and rises by a point a month stays there for weeks. So the slow detector bets against
the *mean* of the reference itself, and pays for not knowing it exactly. For losses ``y`` in [0, 1] with weights ``v``
in (0, 1], the mean ``m`` of the reference, which never changes, and a small bet ``lam`` (`bets`),

    L = prod (1 + lam v (y - m)),     a = sqrt(u) sum lam v,     evidence = start weight * L * discount(a),

where ``u`` is the squared error of ``m`` (`error`), and ``a`` says how far the bets rest on it. Evidence is gathered in
cohorts: every half week one begins, with the start weight of that half week, and one that is eight weeks old ends. The
sum over cohorts is held against a threshold. So what began at any time within eight weeks is seen over all of its
answers, and how much is remembered does not grow.

What is proved
--------------
Let ``p = m + e`` be the mean that the reference would have had with answers without end. While no later answer is
expected to be worse than ``p``, ``1 + lam v (y - m)`` has conditional mean at most ``1 + lam v e <= exp(lam v e)``, so
given the reference

    L exp(-e sum lam v) = L exp(-z a),     z = e / sqrt(u),                                                         (1)

is a supermartingale. And of a reference whose error is normal with variance ``u``, ``exp(b z - b**2 / 2)`` has mean 1
for every ``b``, and so has its mean ``H(z)`` over ``b`` spread evenly over `RELIANCE`. Hence ``L exp(-z a) H(z)`` is a
supermartingale that begins with mean 1, whatever ``p`` is, and

    discount(a) = inf_z H(z) exp(-z a)     makes     L discount(a) <= L exp(-z a) H(z).                              (2)

With start weight of 1 a week the sum over cohorts has at most the mean of all weight given, and as in
`gates.evidence.detector` an alarm, which freezes at least ``A`` of it, is counted: ``E[false alarms] <= weeks / A``.
Evidence may be read at any time, and the bound counts the luck of the reference in: it is the expectation over what
references turn out to be. Where ``a`` lies in `RELIANCE` the discount is ``exp(-a**2 / 2)`` but for a factor of at most
two, which is what the best test of two samples pays as well; outside it falls steeply, because so little, or so much,
was heard that the reference says nothing of it.

Where bets are made on several references (strata, or the slices of all traffic), ``a**2`` is the sum of theirs and
``z`` that of their errors as the bets weigh them.

How often it really alarms
--------------------------
(2) pays for the worst error that the reference may have, at every ``a``, and evidence beyond ``A`` is beyond it by days
of answers. So slices that stay as they are alarm far more rarely than proved: 40,000 simulated ones, over eight weeks,
eight to ten times (300 and 600 answers a day, thresholds of 20 to 2,000; `tests/gates/test_creep.py` counts).
Where profiles err as well they may alarm more often: 2 of 200 slices that swing by day and week did in sixteen weeks.
Where thresholds are calibrated (`gates.evidence.calibration`) they are therefore `CALIBRATED` times lower. Premise: as
long as means stay where they were, for the eight weeks that evidence remembers.

Premises of the proof, in words: the mean of the reference is off by a normal error of which ``u`` is the variance
(hundreds of answers or more, clusters counted as `gates.evidence.reference` counts them); over several references,
their shares of the traffic stay about what they are; and as long as nothing is wrong, each answer is expected to be no
worse than the reference's answers were at its hour of the week. A slow rise is not told from a small step.

What is seen
------------
A bet ``lam = D / (s2 + D**2)`` gains from a mean above ``m + D / 2``. ``D`` is what is tolerated where no week is known
(`gates.evidence.reference.tolerance`: half a hundredth of failures, or a quarter of their rate; a hundredth of scores),
or `DEVIATIONS` of the error of ``m`` where that is more: less than that a reference cannot tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence.arrays import Floats
from gates.evidence.detector import SAFETY

COHORTS = 16
"""How many cohorts are remembered."""
COHORTS_A_WEEK = 2

DEVIATIONS = 3.25
"""The smallest rise that is bet on, in standard errors of the reference."""

RELIANCE = (1.0, 3.5)
"""Where evidence lies that decides: a rise of two to four standard errors of the difference needs it."""

CALIBRATED = 4.0
"""How many times more rarely than proved slow detectors alarm where nothing is wrong, on the safe side of what is
counted."""

LARGEST_ERROR = 6.0
"""An error of the reference's mean beyond so many deviations, one in a thousand million, is not reckoned with."""


def _discounts() -> tuple[Floats, Floats]:
    """Return knots of ``a`` and logarithms of the discount there, by (2)."""
    knots = np.linspace(0.0, 6.0, 121)
    low, high = RELIANCE
    b = low + (high - low) * (np.arange(200) + 0.5) / 200.0
    z = np.linspace(-LARGEST_ERROR, LARGEST_ERROR, 2_401)
    exponent = b[:, None] * z - b[:, None] ** 2 / 2.0
    most = exponent.max(axis=0)
    spread = most + np.log(np.exp(exponent - most).mean(axis=0))
    return knots, np.array([(spread - z * a).min() for a in knots])


KNOTS, LOGARITHMS = _discounts()


def discount(reliance: Floats) -> Floats:
    """Return what is left of evidence whose bets rest so much on the mean of the reference; 0 beyond the last knot.

    The logarithm is concave, so between knots it lies above the line that is taken.

    >>> discount(np.array([0.0, 2.0, 3.0, 9.0])).round(3).tolist()
    [0.0, 0.102, 0.005, 0.0]
    """
    found = np.exp(np.interp(reliance, KNOTS, LOGARITHMS))
    return np.where((reliance >= KNOTS[1]) & (reliance <= KNOTS[-1]), found, 0.0)


def rise(error: ArrayLike, tolerated: ArrayLike) -> Floats:
    """Return ``D``, the rise that is bet on, by the squared error of the reference's mean.

    >>> rise(np.array([2.3e-6, 1e-5]), 0.005).round(4).tolist()
    [0.005, 0.0103]
    """
    return np.maximum(DEVIATIONS * np.sqrt(error), tolerated)


def bets(level: Floats, shift: Floats, variance: Floats, *, scale: ArrayLike = 1.0) -> Floats:
    """Return the bet on each loss against its level, whose mean may have risen by ``shift``.

    ``variance`` is that of the weighted loss, ``scale`` the mean weight.

    >>> bets(np.array([0.02]), np.array([0.005]), np.array([0.0196])).round(3).tolist()
    [0.255]
    """
    expected = shift * np.asarray(scale, dtype=np.float64)
    return np.asarray(
        np.minimum(expected / np.maximum(variance + expected**2, 1e-300), SAFETY / np.maximum(level, 1e-300))
    )
