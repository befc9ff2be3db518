"""Correlations with their uncertainty, by Fisher's z.

Source: R. A. Fisher, "On the probable error of a coefficient of correlation" (Metron 1, 1921).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import special

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


def _error(n: int) -> float:
    if n < LEAST_PAIRS:
        raise ValueError(f"Fisher's z needs {LEAST_PAIRS} pairs, got {n}")
    return 1.0 / math.sqrt(n - 3)


def _constant(values: Floats) -> bool:
    return bool(np.ptp(values) <= 1e-12 * max(1.0, float(np.abs(values).max())))
