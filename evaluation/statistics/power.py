"""The smallest difference that a comparison could have seen.

The statistic of a t-test with a true mean of ``shift`` standard errors is ``(z + shift) / s``, with ``z`` standard
normal and ``s`` the estimated over the true deviation, whose square times its degrees of freedom is chi-square. So it
exceeds ``c`` with the probability ``E[Phi(shift - c s)]``: an integral over ``s`` that has a value everywhere, while
series of the noncentral t distribution fail far from its middle.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from scipy import optimize, special, stats

from evaluation.statistics.significance import MeanError
from gates.evidence.arrays import Floats

POWER = 0.8
NODES = 600
"""Of the integral: its error is below 1e-10 where there are five groups and more."""
LEAST_DEGREES = 4
"""Of fewer than five groups nobody knows how groups vary well enough to say what would be seen."""
LEFT_OUT = 1e-16
"""Chance of an ``s`` beyond what is integrated over, on either side."""


def detectable_difference(
    error: MeanError, *, alpha: float, power: float = POWER, most: float = math.inf
) -> float | None:
    """Return the true mean difference that a two-sided paired t-test finds, with its sign, with probability ``power``.

    The standard error is that of the pairs at hand. A comparison that finds nothing has excluded, as far as one can
    say, differences larger than this, and no smaller ones.

    ``None`` where nothing can be said of it: with fewer than five groups, where all groups differ by the same and so
    show no spread, and where it is larger than ``most``, how far two values can lie apart.

    >>> round(detectable_difference(MeanError(0.02, 199), alpha=0.05), 4)
    0.0563
    >>> detectable_difference(MeanError(0.5, 9), alpha=0.05, most=1.0) is None
    True
    """
    if error.degrees < LEAST_DEGREES or not error.standard_error:
        return None
    critical = float(stats.t.isf(alpha / 2.0, error.degrees))
    deviation, chance = _deviations(error.degrees)

    def missing(shift: float) -> float:
        return float(chance @ special.ndtr(shift - critical * deviation)) - power

    upper = float(special.ndtri(power)) + critical * float(deviation[-1]) + 10.0
    found = float(optimize.brentq(missing, 0.0, upper, xtol=1e-13, rtol=1e-13)) * error.standard_error
    return found if found <= most else None


@cache
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes, weights


def _deviations(degrees: int) -> tuple[Floats, Floats]:
    """Return estimated deviations in parts of the true one, in their order, and the probability of each."""
    nodes, weights = _legendre()
    low, high = np.sqrt(stats.chi2.ppf(LEFT_OUT, degrees)), np.sqrt(stats.chi2.isf(LEFT_OUT, degrees))
    chi = (high + low + (high - low) * nodes) / 2.0
    chance = weights * stats.chi.pdf(chi, degrees)
    return chi / np.sqrt(degrees), chance / chance.sum()
