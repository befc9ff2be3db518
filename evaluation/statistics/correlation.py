"""Correlations with their uncertainty, by Fisher's z.

Source: R. A. Fisher, "On the probable error of a coefficient of correlation" (Metron 1, 1921).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import special, stats

from evaluation.statistics.bootstrap import ConfidenceInterval
from gates.evidence.arrays import Floats

LEAST_PAIRS = 4
"""The variance of z is 1 / (n - 3)."""


class Correlation(NamedTuple):
    """Pearson's correlation of ``n`` pairs, with its interval."""

    r: float
    n: int
    interval: ConfidenceInterval


def correlation(left: Floats, right: Floats, *, level: float = 0.95) -> Correlation | None:
    """Return the correlation of paired values; ``None`` for fewer than four pairs, or where one side does not vary.

    >>> correlation(np.arange(9.0), np.arange(9.0) ** 2).r.__round__(3)
    0.962
    """
    if len(left) < LEAST_PAIRS or _constant(left) or _constant(right):
        return None
    r = float(np.clip(np.corrcoef(left, right)[0, 1], -1.0, 1.0))
    return Correlation(r, len(left), fisher_interval(r, len(left), level=level))


def rank_correlation(left: Floats, right: Floats, *, level: float = 0.95) -> Correlation | None:
    """Return Spearman's rank correlation of paired values; ``None`` where `correlation` has none.

    The interval is by Fisher's z with the variance for ranks, (1 + r^2 / 2) / (n - 3). Source: D. G. Bonett and T. A.
    Wright, "Sample size requirements for estimating Pearson, Kendall and Spearman correlations" (Psychometrika 65,
    2000).

    >>> found = rank_correlation(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([1.0, 3.0, 2.0, 5.0, 4.0]))
    >>> round(found.r, 3), [round(end, 3) for end in found.interval]
    (0.8, [-0.457, 0.991])
    """
    found = correlation(stats.rankdata(left), stats.rankdata(right), level=level) if len(left) else None
    if found is None or abs(found.r) >= 1.0:
        return found
    half = float(special.ndtri((1.0 + level) / 2.0)) * _error(found.n) * math.sqrt(1.0 + found.r**2 / 2.0)
    z = math.atanh(found.r)
    return found._replace(interval=ConfidenceInterval(math.tanh(z - half), math.tanh(z + half)))


def fisher_interval(r: float, n: int, *, level: float = 0.95) -> ConfidenceInterval:
    """Return the interval of a correlation of ``n`` pairs. Raises `ValueError` for fewer than four.

    >>> [round(end, 3) for end in fisher_interval(0.5, 103)]
    [0.339, 0.632]
    """
    half = float(special.ndtri((1.0 + level) / 2.0)) * _error(n)
    if abs(r) >= 1.0:
        return ConfidenceInterval(r, r)
    return ConfidenceInterval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))


def correlations_differ(first: float, n_first: int, second: float, n_second: int) -> float:
    """Return the p-value of two correlations within (-1, 1), of independent samples, being equal.

    Raises `ValueError` for fewer than four pairs, or a correlation of 1 or -1, whose z is not finite.

    >>> round(correlations_differ(0.5, 103, 0.3, 103), 4)
    0.09
    """
    if max(abs(first), abs(second)) >= 1.0:
        raise ValueError(f"Fisher's z needs correlations within -1 and 1, got {first:g} and {second:g}")
    error = math.hypot(_error(n_first), _error(n_second))
    return float(2.0 * special.ndtr(-abs(math.atanh(first) - math.atanh(second)) / error))


def dependent_correlations_differ(first: float, second: float, between: float, n: int) -> float:
    """Return the p-value of two correlations with the same third variable, in the same ``n`` cases, being equal.

    ``between`` is the correlation of the two variables that are correlated with the third. Raises `ValueError` as
    `correlations_differ` does.

    Source: X.-L. Meng, R. Rosenthal and D. B. Rubin, "Comparing correlated correlation coefficients" (Psychological
    Bulletin 111, 1992), eq. 1 to 3: Fisher's z of both, with the variance that their dependence leaves.

    >>> round(dependent_correlations_differ(0.63, -0.03, -0.19, 15), 3)
    0.093
    """
    if max(abs(first), abs(second)) >= 1.0:
        raise ValueError(f"Fisher's z needs correlations within -1 and 1, got {first:g} and {second:g}")
    mean = (first**2 + second**2) / 2.0
    if between >= 1.0:
        return 1.0
    f = min(1.0, (1.0 - between) / (2.0 * (1.0 - mean)))
    h = (1.0 - f * mean) / (1.0 - mean)
    error = math.sqrt(2.0 * (1.0 - between) * h) * _error(n)
    return float(2.0 * special.ndtr(-abs(math.atanh(first) - math.atanh(second)) / error))


def _error(n: int) -> float:
    if n < LEAST_PAIRS:
        raise ValueError(f"Fisher's z needs {LEAST_PAIRS} pairs, got {n}")
    return 1.0 / math.sqrt(n - 3)


def _constant(values: Floats) -> bool:
    return bool(np.ptp(values) <= 1e-12 * max(1.0, float(np.abs(values).max())))
