"""The beta distribution: its distribution function and quantiles, which exact bounds on a rate are made of."""

from __future__ import annotations

import math

TINY = 1e-300
"""Stands for 0 in a denominator of the continued fraction (modified Lentz algorithm)."""
PRECISION = 1e-14
TERMS = 20_000
"""Terms of the continued fraction; it needs about the square root of the larger parameter."""
STEPS = 100
"""Steps of the root search, each at least a halving once Newton's step leaves the bracket."""


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
    value, c, d = 1.0, 1.0, 0.0
    for term in range(TERMS):
        m, odd = divmod(term, 2)
        if term == 0:
            step = 1.0
        elif odd:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 + step * d
        d = 1.0 / (d if abs(d) > TINY else TINY)
        c = 1.0 + step / c
        c = c if abs(c) > TINY else TINY
        value *= c * d
        if abs(c * d - 1.0) < PRECISION:
            break
    return value - 1.0


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def quantile(p: float, a: float, b: float) -> float:
    """Return ``x`` with ``I_x(a, b) = p``, by Newton's steps inside a bracket.

    >>> round(quantile(0.5, 2, 2), 9), round(quantile(0.95, 1, 30), 6)
    (0.5, 0.095034)
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"a quantile is asked for with a probability in (0, 1), not {p}")
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(STEPS):
        error = cdf(x, a, b) - p
        low, high = (x, high) if error < 0.0 else (low, x)
        density = math.exp((a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x) - _log_beta(a, b))
        following = x - error / density if density > TINY else math.nan
        if not low < following < high:
            following = (low + high) / 2.0
        if following in (low, high) or abs(following - x) <= PRECISION * x:
            return following
        x = following
    return x
