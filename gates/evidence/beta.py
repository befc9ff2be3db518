"""The beta distribution: its distribution function and quantiles, which exact bounds on a rate are made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from gates.evidence.arrays import Floats

TINY = 1e-300
"""Stands for 0 in a denominator of the continued fraction (modified Lentz algorithm)."""
PRECISION = 1e-14
TERMS = 20_000
"""Terms of the continued fraction; it needs about the square root of the larger parameter."""
CURVED = 0.5
"""The largest correction for curvature that is trusted; beyond it the step is Newton's."""
STEPS = 100
"""Steps of the root search, each at least a halving once Halley's step leaves the bracket."""
FEW = 80
"""So many quantiles take as long one by one as together."""


def cdf(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function ``I_x(a, b)``, the chance that a Beta(a, b) is at most ``x``.

    Source: DLMF 8.17.22, the continued fraction, and 8.17.4 for the side on which it converges fast.

    >>> round(cdf(0.5, 2, 2), 12), cdf(0.0, 2, 3), cdf(1.0, 2, 3)
    (0.5, 0.0, 1.0)
    """
    if not (a > 0.0 and b > 0.0):
        raise ValueError(f"parameters of a beta distribution must be positive, not {a} and {b}")
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - cdf(1.0 - x, b, a)
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - _log_beta(a, b)) / a
    return min(1.0, front * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 / _nonzero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / _nonzero(1.0 + even * d)
        c = _nonzero(1.0 + even / c)
        value *= c * d
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1.0 / _nonzero(1.0 + odd * d)
        c = _nonzero(1.0 + odd / c)
        value *= c * d
        if abs(c * d - 1.0) < PRECISION:
            break
    return value


def _nonzero(value: float) -> float:
    return value if value > TINY or value < -TINY else TINY


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def quantile(p: float, a: float, b: float) -> float:
    """Return ``x`` with ``I_x(a, b) = p``, by Halley's steps inside a bracket.

    Source of the first value: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.5.22.

    >>> round(quantile(0.5, 2, 2), 9), round(quantile(0.95, 1, 30), 6)
    (0.5, 0.095034)
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"a quantile is asked for with a probability in (0, 1), not {p}")
    low, high, x = 0.0, 1.0, _near(p, a, b)
    for _ in range(STEPS):
        error = cdf(x, a, b) - p
        low, high = (x, high) if error < 0.0 else (low, x)
        density = math.exp((a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x) - _log_beta(a, b))
        step = error / density if density > TINY else math.inf
        if abs(step) <= PRECISION * x:
            return x
        bend = step * ((a - 1.0) / x - (b - 1.0) / (1.0 - x)) / 2.0
        following = x - (step / (1.0 - bend) if abs(bend) < CURVED else step)
        if not low < following < high:
            following = (low + high) / 2.0
        if following in (low, high):
            return following
        x = following
    return x


def _near(p: float, a: float, b: float) -> float:
    mean = a / (a + b)
    if a < 1.0 or b < 1.0:
        return mean
    y = NormalDist().inv_cdf(1.0 - p)
    r, s, t = (y * y - 3.0) / 6.0, 1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0)
    h = 2.0 / (s + t)
    w = y * math.sqrt(max(h + r, 0.0)) / h - (t - s) * (r + 5.0 / 6.0 - 2.0 / (3.0 * h))
    x = a / (a + b * math.exp(max(-300.0, min(300.0, 2.0 * w))))
    return x if 0.0 < x < 1.0 else mean


def quantiles(p: float, a: Floats, b: Floats) -> Floats:
    """Return the quantiles of many beta distributions at one probability, each to the bit what `quantile` returns.

    >>> quantiles(0.95, np.array([1.0, 2.0]), np.array([30.0, 30.0])).round(6).tolist()
    [0.095034, 0.14409]
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"a quantile is asked for with a probability in (0, 1), not {p}")
    if len(a) < FEW:
        return np.array([quantile(p, *shape) for shape in zip(a.tolist(), b.tolist(), strict=True)], np.float64)
    if not ((a > 0.0) & (b > 0.0)).all():
        raise ValueError("parameters of beta distributions must be positive")
    low, high = np.zeros(len(a)), np.ones(len(a))
    x = np.array([_near(p, *shape) for shape in zip(a.tolist(), b.tolist(), strict=True)])
    whole = _each(math.lgamma, a) + _each(math.lgamma, b) - _each(math.lgamma, a + b)
    found, rows = x.copy(), np.arange(len(a))
    for _ in range(STEPS):
        error = _cdfs(x, a, b, whole) - p
        low, high = np.where(error < 0.0, x, low), np.where(error < 0.0, high, x)
        density = _products(x, a - 1.0, b - 1.0, whole)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(density > TINY, error / np.maximum(density, TINY), np.inf)
            bend = step * ((a - 1.0) / x - (b - 1.0) / (1.0 - x)) / 2.0
            following = x - np.where(np.abs(bend) < CURVED, step / (1.0 - bend), step)
        following = np.where((low < following) & (following < high), following, (low + high) / 2.0)
        near = np.abs(step) <= PRECISION * x
        found[rows] = np.where(near, x, following)
        going = ~(near | (following == low) | (following == high))
        if not going.any():
            break
        x, rows = following[going], rows[going]
        a, b, low, high, whole = (each[going] for each in (a, b, low, high, whole))
    return found


def _cdfs(x: Floats, a: Floats, b: Floats, whole: Floats) -> Floats:
    """Return what `cdf` does, inside of (0, 1); ``whole`` are the logarithms of the beta functions."""
    other = x > (a + 1.0) / (a + b + 2.0)
    x, a, b = np.where(other, 1.0 - x, x), np.where(other, b, a), np.where(other, a, b)
    part = np.minimum(1.0, _products(x, a, b, whole) / a * _fractions(x, a, b))
    return np.where(other, 1.0 - part, part)


def _fractions(x: Floats, a: Floats, b: Floats) -> Floats:
    c, d = np.ones(len(x)), 1.0 / _nonzeros(1.0 - (a + b) * x / (a + 1.0))
    value, rows = d, np.arange(len(x))
    found = value.copy()
    for m in range(1, TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / _nonzeros(1.0 + even * d)
        c = _nonzeros(1.0 + even / c)
        value = value * (c * d)
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1.0 / _nonzeros(1.0 + odd * d)
        c = _nonzeros(1.0 + odd / c)
        value = value * (c * d)
        going = np.abs(c * d - 1.0) >= PRECISION
        if going.all():
            continue
        found[rows] = value
        rows = rows[going]
        if not rows.size:
            return found
        x, a, b, c, d, value = (each[going] for each in (x, a, b, c, d, value))
    found[rows] = value
    return found


def _nonzeros(value: Floats) -> Floats:
    return np.where((value > TINY) | (value < -TINY), value, TINY)


def _products(x: Floats, a: Floats, b: Floats, whole: Floats) -> Floats:
    """Return ``x**a (1 - x)**b`` over beta functions with these logarithms."""
    return _each(math.exp, a * _each(math.log, x) + b * _each(math.log1p, -x) - whole)


def _each(function: Callable[[float], float], values: Floats) -> Floats:
    """Return a function of each value: those of numpy may differ from it in the last bit."""
    return np.array(list(map(function, values.tolist())), np.float64)
