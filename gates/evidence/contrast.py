"""How far two means lie apart, of answers that are weighted to one mix, with bounds that hold at each look.

Let ``S`` be some answers and ``R`` others they are compared with, and let both fall into strata. With ``p_S`` and
``p_R`` the shares of the strata, each answer of ``R`` in stratum ``s`` is weighted by ``p_S(s) / p_R(s)``: then the
difference of the means is

    sum over s of p_S(s) (mean_S(s) - mean_R(s)),

the change inside strata, to which a change of the mix adds nothing (direct standardization; E. M. Kitagawa,
"Components of a difference between two rates", JASA 50, 1955). Strata without answers on both sides are left out.

Bounds on either mean are betting confidence sequences (`gates.evidence.betting`), which take bounded values, any
weights and any time of looking. Given the strata, losses in ``R`` need not have one mean: a fixed bet ``lam`` on
``v_i (y_i - m)`` with ``sum v_i (mean_i - m) = 0`` has, for independent losses, a wealth of expectation

    prod (1 + lam v_i (mean_i - m)) <= exp(lam sum v_i (mean_i - m)) = 1,

so the bounds of these answers cover the weighted mean, at whatever one number of them. Answers of one cluster make one
bet, on their weighted mean.

Over all looks together the bounds hold where both sides have one mean each: as long as quality on either side stays as
it is, and the mix with it. Where strata differ and their mix moves while answers come, the mean that is covered moves
too, and what is proved is each look by itself. Premises of either: clusters fail independently of each other, and
nobody chose by the outcome which answers are on which side.

The bounds on the difference are those of both means taken together: against a pair of candidates ``(m_S, m_R)`` the
product of both wealths is wealth again, as answers of both sides are independent. Each is taken as ``exp(-FLOOR)`` at
least, which costs a factor of ``c = 1 + exp(-FLOOR)`` each: so the pairs against which the product stays below ``c**2 /
alpha`` miss the true one with a probability of at most ``alpha``. The least difference among them is, over all ways to
divide the logarithm of that into ``a + b``, the one between the bound of ``m_S`` at ``a`` and that of ``m_R`` at ``b``;
`STEPS` divisions are tried, each rounded so that the bound is never too narrow. It is narrower than the difference of
two bounds at ``alpha / 2``: by a fifth where both samples are of one size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gates.evidence import betting
from gates.evidence.arrays import Bools, Floats, Integers

STEPS = 12
"""Parts in which evidence is divided between both means; more would narrow bounds by some percent."""
FLOOR = 2.0
"""Logarithm of wealth below which evidence for one mean does not make up for what there is against the other."""


class Mean(NamedTuple):
    """A weighted mean over ``n`` answers."""

    n: int
    mean: float


class Contrast(NamedTuple):
    """Some answers beside those they are compared with: how much higher their mean is at least and at most.

    ``compared`` is the share of them that could be: whose stratum has answers on both sides.
    """

    before: Mean
    after: Mean
    lower: float
    upper: float
    compared: float = 1.0

    @property
    def change(self) -> float:
        """How much higher the mean is after."""
        return self.after.mean - self.before.mean


def sums(losses: Floats, units: Integers, weight: Floats) -> tuple[float, ...]:
    """Return what `gates.evidence.betting.Sums` holds of the mean under a weight; 0 leaves an answer out.

    >>> sums(np.array([0.0, 1.0, 1.0]), np.array([0, 0, 1]), np.ones(3))[:3]
    (2.0, 1.5, 1.0)
    """
    total = np.bincount(units, weights=weight)
    there = total > 0.0
    if not there.any():
        return (0.0,) * 6
    mean = np.bincount(units, weights=weight * losses)[there] / total[there]
    v = total[there] / total.max()
    v2 = v * v
    found = (v, v * mean, v2, v2 * mean, v2 * mean * mean)
    return (float(v.size), *(float(each.sum()) for each in found))


def matched(weight: Floats, strata: Integers, some: Bools, reference: Bools) -> tuple[Floats, Floats, float]:
    """Return weights of ``some`` answers and of their ``reference``, with the mix of the former, and what is compared.

    ``weight`` is one over the inclusion probability.

    >>> of = np.array([True, True, True, False, False])
    >>> after, before, compared = matched(np.ones(5), np.array([0, 0, 1, 0, 1]), of, ~of)
    >>> after.tolist(), before.tolist(), compared
    ([1.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0, 1.0], 1.0)
    """
    mine, theirs = weight * some, weight * reference
    wanted = np.bincount(strata, weights=mine)
    there = np.bincount(strata, weights=theirs, minlength=wanted.size)
    both = (wanted > 0.0) & (there > 0.0)
    ratio = np.where(both, wanted / np.where(both, there, 1.0), 0.0)
    kept = mine * both[strata]
    total = float(mine.sum())
    return kept, theirs * ratio[strata], float(kept.sum()) / total if total > 0.0 else 0.0


def contrasts(
    losses: Floats, units: Integers, pairs: Iterable[tuple[Floats, Floats, float]], alpha: float
) -> list[Contrast]:
    """Return what pairs of weights as of `matched` come to; each of both ends misses with at most ``alpha``.

    ``units`` number clusters from 0.

    >>> losses, of = np.array([0.0, 1.0] * 400), np.arange(800) >= 400
    >>> found = contrasts(losses, np.arange(800), [(1.0 * of, 1.0 * ~of, 1.0)], 0.05)[0]
    >>> found.after, found.change, round(found.lower, 2), round(found.upper, 2)
    (Mean(n=400, mean=0.5), 0.0, -0.15, 0.15)
    """
    rows: list[tuple[float, ...]] = []
    counts: list[int] = []
    compared: list[float] = []
    for after, before, share in pairs:
        rows += [sums(losses, units, weight) for weight in (after, before)]
        counts += [int(np.count_nonzero(weight)) for weight in (after, before)]
        compared.append(share)
    if not rows:
        return []
    found = betting.Sums(*np.array(rows, dtype=np.float64).T)
    low, high = _ends(found, alpha)
    means = np.clip(found.vy / np.maximum(found.v, 1e-300), 0.0, 1.0).tolist()
    # What one side gets of the evidence grows as the other's falls; within a step each is taken at its wider end.
    lower = (low[1:, ::2] - high[::-1, 1::2][:-1]).min(axis=0)
    upper = (high[1:, ::2] - low[::-1, 1::2][:-1]).max(axis=0)
    return [
        Contrast(
            before=Mean(counts[2 * place + 1], means[2 * place + 1]),
            after=Mean(counts[2 * place], means[2 * place]),
            lower=float(lower[place]),
            upper=float(upper[place]),
            compared=share,
        )
        for place, share in enumerate(compared)
    ]


def _ends(found: betting.Sums, alpha: float) -> tuple[Floats, Floats]:
    """Return the bounds of every mean, where evidence is divided, from none for it to all: a row each."""
    whole = math.log(1.0 / alpha) + 2.0 * math.log1p(math.exp(-FLOOR))
    return betting.ends(found, np.linspace(-FLOOR, whole + FLOOR, STEPS + 1).tolist())
