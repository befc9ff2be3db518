"""Confidence bounds on the mean of values in [0, 1], from a sample drawn with known probabilities.

The bound is Hoeffding's first inequality in its relative-entropy form: of ``n`` independent variables in [0, 1] with
mean ``mu``, the sample mean reaches ``p > mu`` with probability at most ``exp(-n kl(p, mu))``. It holds for every ``n``
and every distribution on [0, 1], so also where failures are rare and a normal approximation covers far too seldom.

Source: W. Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58 (1963), Theorem 1,
inequality (2.1).

Unequal inclusion probabilities
-------------------------------
An answer of value ``y`` was drawn with the known probability ``pi``; its weight is ``w = 1 / pi``. Let ``pi_min`` be
the least probability in force and ``v = pi_min / pi``, in (0, 1]. Over all traffic, drawn or not,

    E[drawn * v * (y - mu)] = E[pi * (pi_min / pi) * (y - mu)] = pi_min * E[y - mu] = 0,

whatever ``pi`` depends on, so among drawn answers ``u = mu + v * (y - mu) = (1 - v) * mu + v * y`` has mean ``mu``, and
it lies in [0, 1]. Hoeffding's inequality applies to ``u`` as it stands. Its sample mean needs no single answer, only
sums:

    mean(u) = (1 - r) * mu + r * m,   m = sum(w * y) / sum(w),   r = mean(v) = sum(w) / (n * max(w)),

so every ``mu`` above ``m`` with ``n * kl((1 - r) * mu + r * m, mu) >= ln(1 / alpha)`` is rejected, and wrongly so with
probability at most ``alpha``. No approximation is involved. With equal probabilities ``r = 1`` and the bound is the
plain one; otherwise the sample is worth about ``n * r**2`` answers of equal weight, which is never more than Kish's
``sum(w)**2 / sum(w**2)``, the usual approximation, whose coverage nothing guarantees.

Two conditions stay with the caller: answers are independent, and the heaviest weight counted is that of the least
probability in force (a stratum nobody has drawn from cannot be seen in the sample).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.halving import halved

ITERATIONS = 40
"""Halvings of the bracket, which ends narrower than 1e-12; its outer end is returned."""
LEAST = 1e-300
"""In place of 0 in a logarithm."""


class WeightedTotals(NamedTuple):
    """Of the answers of many samples: number, sums of weight and of weighted value, and the largest weight.

    A weight is one over an inclusion probability, so at least 1.
    """

    n: Floats
    weight: Floats
    weighted: Floats
    heaviest: Floats

    @classmethod
    def of(cls, columns: Floats) -> WeightedTotals:
        """Return what an array holds whose last axis is these columns."""
        return cls(*columns.transpose(-1, *range(columns.ndim - 1)))

    def add(self, sample: Integers, weight: Floats, value: Floats) -> None:
        """Add answers to the columns, in place; ``sample`` says which sample each belongs to."""
        many = len(self.n)
        self.n[:] += np.bincount(sample, minlength=many)
        self.weight[:] += np.bincount(sample, weights=weight, minlength=many)
        self.weighted[:] += np.bincount(sample, weights=weight * value, minlength=many)
        np.maximum.at(self.heaviest, sample, weight)

    def effective_n(self, sample: int) -> float:
        """Return how many answers of equal weight a sample is worth."""
        n = int(self.n[sample])
        return effective_n(n, float(self.weight[sample]), max(float(self.heaviest[sample]), 1.0)) if n else 0.0


def kl(p: float, q: float) -> float:
    """Return the relative entropy of a Bernoulli(p) to a Bernoulli(q), in nats, for ``p`` and ``q`` in [0, 1].

    Never negative, 0 where they are equal, ``math.inf`` where ``p`` gives weight to what ``q`` excludes.

    >>> round(kl(0.5, 0.25), 6), kl(0.3, 0.3), kl(0.1, 0.0)
    (0.143841, 0.0, inf)
    """
    return max(0.0, _term(p, q) + _term(1.0 - p, 1.0 - q))


def _term(a: float, b: float) -> float:
    if a <= 0.0:
        return 0.0
    return math.inf if b <= 0.0 else a * math.log(a / b)


def balance(n: int, total_weight: float, heaviest: float) -> float:
    """Return mean weight over heaviest weight, in (0, 1]: 1 when all ``n`` answers weigh the same.

    >>> balance(4, 40.0, 10.0), balance(2, 11.0, 10.0)
    (1.0, 0.55)
    """
    return min(1.0, total_weight / (n * heaviest))


def effective_n(n: int, total_weight: float, heaviest: float) -> float:
    """Return how many answers of equal weight the sample is worth to `upper_bound`.

    >>> effective_n(4, 40.0, 10.0), round(effective_n(2, 11.0, 10.0), 3)
    (4.0, 0.605)
    """
    return n * balance(n, total_weight, heaviest) ** 2


def upper_bound(mean: float, n: int, alpha: float, *, ratio: float = 1.0) -> float:
    """Return what the true mean exceeds with probability at most ``alpha``.

    ``mean`` is the weighted mean of ``n`` drawn values in [0, 1], ``ratio`` the `balance` of their weights. The bound
    lies in [``mean``, 1]. Without any value it is 1: nothing is known. Raises `ValueError` outside these ranges.

    Thirty answers without a failure bound the rate of failure just below a tenth:

    >>> round(upper_bound(0.0, 30, 0.05), 4)
    0.095
    >>> round(upper_bound(0.1, 100, 0.05), 3), upper_bound(0.5, 0, 0.05)
    (0.189, 1.0)
    """
    if not (0.0 <= mean <= 1.0 and n >= 0 and 0.0 < alpha < 1.0 and 0.0 < ratio <= 1.0):
        raise ValueError(f"out of range: mean={mean}, n={n}, alpha={alpha}, ratio={ratio}")
    if n == 0:
        return 1.0
    needed = math.log(1.0 / alpha) / n
    # kl is jointly convex and 0 where candidate and mean meet, so it only rises as the candidate leaves the mean.
    inside, outside = mean, 1.0
    for _ in range(ITERATIONS):
        candidate = (inside + outside) / 2.0
        if kl((1.0 - ratio) * candidate + ratio * mean, candidate) < needed:
            inside = candidate
        else:
            outside = candidate
    return outside


def bounds(totals: WeightedTotals, alpha: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return the weighted means of many samples, and their lower and upper bounds, as the scalar functions do.

    ``alpha`` is one for all samples, or each sample's own. A sample without values is between 0 and 1.

    >>> [each.round(4).tolist() for each in bounds(WeightedTotals.of(np.array([[30.0, 30.0, 0.0, 1.0]])), 0.05)]
    [[0.0], [0.0], [0.095]]
    """
    mean, ratio, needed = _known(totals, alpha)
    # A lower bound is the upper bound of what is missing to 1; both are found in one go.
    upper, missing = _outer(np.stack((mean, 1.0 - mean)), ratio, needed)
    some = totals.n > 0
    return mean, np.where(some, np.minimum(mean, 1.0 - missing), 0.0), np.where(some, upper, 1.0)


def upper_bounds(totals: WeightedTotals, alpha: ArrayLike) -> Floats:
    """Return the upper bounds alone.

    >>> upper_bounds(WeightedTotals.of(np.array([[30.0, 30.0, 0.0, 1.0], [0.0] * 4])), 0.05).round(4).tolist()
    [0.095, 1.0]
    """
    return np.where(totals.n > 0, _outer(*_known(totals, alpha)), 1.0)


def _known(totals: WeightedTotals, alpha: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return the mean, the `balance` of weights and the divergence needed of each sample."""
    n, weight, weighted, heaviest = totals
    some = np.maximum(n, 1.0)
    mean = np.clip(weighted / np.maximum(weight, LEAST), 0.0, 1.0)
    ratio = np.clip(weight / (some * np.maximum(heaviest, 1.0)), 1e-9, 1.0)
    return mean, ratio, np.log(1.0 / np.asarray(alpha, np.float64)) / some


def _outer(mean: Floats, ratio: Floats, needed: Floats) -> Floats:
    own, other = ratio * mean, 1.0 - ratio

    def refuses(candidate: Floats) -> Bools:
        p = other * candidate + own
        q = 1.0 - p
        # Nothing times a logarithm is nothing, as long as that is finite.
        apart = p * np.log(np.maximum(p, LEAST) / candidate)
        apart += q * np.log(np.maximum(q, LEAST) / np.maximum(1.0 - candidate, LEAST))
        return np.asarray(apart >= needed)

    return halved(mean, np.ones_like(mean), refuses, ITERATIONS)[1]
