"""What a stretch of traffic known to be good says: an upper bound of the mean, a variance, how alike clusters are.

A detector bets against ``q0 = upper bound + tolerance``. The bound holds with 99 % confidence, so that the number of
false alarms that `gates.evidence.detector` promises is not lost to an unlucky reference; the tolerance is what a mean
may drift without anybody being called.

Losses of 0 and 1 of equal weight: Clopper and Pearson, "The use of confidence or fiducial limits", Biometrika 26
(1934), ``I_q(k + 1, n - k) = 1 - alpha``. Unequal weights: `gates.evidence.intervals`. Other losses: the empirical
Bernstein bound

    mean + s sqrt(2 ln(2 / alpha) / n) + 7 ln(2 / alpha) / (3 (n - 1))

of Maurer and Pontil, "Empirical Bernstein bounds and sample-variance penalization" (COLT 2009), theorem 4; with weights
``v`` in (0, 1] it is applied to ``v (y - mean)`` and divided by the mean of ``v``. Answers that come in clusters count
as ``n / (1 + (m - 1) icc)`` answers, ``m`` the mean cluster size seen from an answer (Kish, "Survey Sampling", 1965,
5.4); with that the bound is no longer exact but approximate, as it is where weights differ, because the mean that
deviations are taken from is then the one estimated.

Premises: as long as quality was normal while the reference was taken, and answers of different clusters failed
independently. A reference that grows is taken anew each time it has grown by a quarter, and each of its bounds misses
in one slice of a hundred. What looks like the beginning of an alarm is not learned: the mean is then rather too low.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from gates.evidence import beta, intervals
from gates.evidence.arrays import Floats, Integers
from gates.evidence.clusters import begins

ALPHA = 0.01
"""How often the bound may fall short of the true mean."""

NAMED_ICC = 0.02
"""Intra-cluster correlation that is assumed at least where answers name their cluster."""

LEAST_ICC = 0.002
"""Intra-cluster correlation that is assumed at least: what fails together rarely need not show in a reference."""

SCORE_TOLERANCE, FAILURE_TOLERANCE, RELATIVE_TOLERANCE = 0.01, 0.005, 0.25


Number = TypeVar("Number", float, Floats)


class Moments(NamedTuple, Generic[Number]):
    """Sums over losses ``y`` in [0, 1] with weights ``w >= 1`` (one over the inclusion probability).

    They are numbers, or the columns of many samples. ``n`` losses: sums of ``w``, ``w y``, ``w**2``, ``w**2 y``,
    ``w**2 y**2``, ``y``, ``y**2``, how many are neither 0 nor 1, and the largest ``w``. ``clusters`` clusters with sums
    of ``n_c**2`` and of ``(sum of y in c)**2 / n_c``.
    """

    n: Number
    weight: Number
    loss: Number
    weight2: Number
    loss2: Number
    square2: Number
    plain: Number
    plain2: Number
    graded: Number
    clusters: Number
    cluster2: Number
    between: Number
    heaviest: Number

    @classmethod
    def columns(cls, sums: Floats) -> Moments[Floats]:
        """Return the columns of an array, to read and to write."""
        return Moments(*sums.T)

    @classmethod
    def of(cls, *clusters: tuple[float, ...]) -> Moments[float]:
        """Return the sums over clusters of losses that weigh the same.

        >>> Moments.of((0, 1), (0, 0, 0)).n, Moments.of((0, 1), (0, 0, 0)).between
        (5.0, 0.5)
        """
        sizes, losses = [len(cluster) for cluster in clusters], [loss for cluster in clusters for loss in cluster]
        of = np.repeat(np.arange(len(sizes)), sizes)
        row: list[float] = moment_sums(np.zeros_like(of), of, np.ones(len(of)), np.array(losses, float), 1)[0].tolist()
        return Moments(*[*row, 1.0])


NOTHING_SEEN = np.array([*[0.0] * (len(Moments._fields) - 1), 1.0])
"""The `Moments` of no losses, as a row."""


def moment_sums(sample: Integers, cluster: Integers, weight: Floats, loss: Floats, samples: int) -> Floats:
    """Return what losses add to the `Moments` of their samples, a row each, but for the heaviest weight.

    ``cluster`` numbers clusters; in another sample it is another cluster.

    >>> moment_sums(np.array([0, 0, 1]), np.array([0, 1, 1]), np.ones(3), np.array([0.5, 1.0, 0.0]), 2)[:, 0].tolist()
    [2.0, 1.0]
    """
    w, y, square = weight, loss, weight**2
    graded = ((y != 0.0) & (y != 1.0)).astype(np.float64)
    columns = (np.ones_like(w), w, w * y, square, square * y, square * y * y, y, y * y, graded)
    sums = [np.bincount(sample, weights=column, minlength=samples) for column in columns]
    order = np.lexsort((sample, cluster))
    of, cluster = sample[order], cluster[order]
    start = np.flatnonzero(begins(of, cluster))
    size = np.diff(np.append(start, len(of))).astype(np.float64)
    clustered = (np.ones(len(start)), size**2, np.add.reduceat(y[order], start) ** 2 / size)
    sums += [np.bincount(of[start], weights=column, minlength=samples) for column in clustered]
    return np.stack(sums, axis=1)


def without_swing(moments: Moments[float], swing: float) -> Moments[float]:
    """Return the sums of losses of which a profile is known, as if it had been taken from each.

    ``swing`` is the variance of the profile over the traffic. A profile makes the answers of an hour alike, and so
    those of a cluster: what varies between clusters by the hour is not their fate.

    >>> night, day = [(0.0, 0.2)] * 50, [(0.4, 0.6)] * 50
    >>> round(icc(Moments.of(*night, *day)), 2), icc(without_swing(Moments.of(*night, *day), 0.04))
    (0.6, 0.002)
    """
    return moments._replace(
        square2=moments.square2 - moments.weight2 * swing,
        plain2=moments.plain2 - moments.n * swing,
        between=moments.between - moments.n * swing,
    )


class Reference(NamedTuple):
    """What a detector needs: the level ``q0``, the ``variance`` of a loss where weights are equal, and ``icc``."""

    q0: float
    variance: float
    icc: float


def icc(moments: Moments[float]) -> float:
    """Return the intra-cluster correlation by one-way analysis of variance, at least `LEAST_ICC` and at most 1.

    ``(MSB - MSW) / (MSB + (n0 - 1) MSW)`` with ``n0 = (n - sum(n_c**2) / n) / (k - 1)`` for ``k`` clusters. Source: A.
    Donner, "A review of inference procedures for the intraclass correlation coefficient in the one-way random effects
    model", Int. Stat. Review 54 (1986), section 2.1.

    >>> icc(Moments.of((0, 0, 0), (1, 1, 1), (0, 0, 0))), icc(Moments.of((0, 1), (1, 0), (0, 1)))
    (1.0, 0.002)
    """
    n, clusters = moments.n, moments.clusters
    if clusters <= 1.0 or n <= clusters:
        return LEAST_ICC
    within = max(0.0, moments.plain2 - moments.between) / (n - clusters)
    among = max(0.0, moments.between - moments.plain**2 / n) / (clusters - 1.0)
    size = (n - moments.cluster2 / n) / (clusters - 1.0)
    total = among + (size - 1.0) * within
    return min(1.0, max(LEAST_ICC, (among - within) / total)) if total > 0.0 else LEAST_ICC


def effective_n(moments: Moments[float]) -> float:
    """Return how many independent answers the clusters are worth, never more than there are.

    >>> effective_n(Moments.of((0, 0, 0), (1, 1, 1), (0, 0, 0)))
    3.0
    """
    if moments.n <= 0.0:
        return 0.0
    return moments.n / (1.0 + max(0.0, moments.cluster2 / moments.n - 1.0) * icc(moments))


def variance(moments: Moments[float], mean: float) -> float:
    """Return the mean of ``v**2 (y - mean)**2``, with weights ``v = w / heaviest`` in (0, 1]."""
    raw = moments.square2 - 2.0 * mean * moments.loss2 + mean * mean * moments.weight2
    return max(0.0, raw) / moments.n / moments.heaviest**2


def upper_bound(moments: Moments[float], alpha: float = ALPHA) -> float:
    """Return what the true mean loss exceeds with probability at most ``alpha``; 1 without data.

    >>> round(upper_bound(Moments.of(*[(0.0,)] * 980, *[(1.0,)] * 20)), 4)
    0.0329
    >>> round(upper_bound(Moments.of(*[(0.1,)] * 500, *[(0.3,)] * 500)), 4)
    0.2227
    """
    return upper_bounds([moments], alpha)[0]


def upper_bounds(samples: Sequence[Moments[float]], alpha: float = ALPHA) -> list[float]:
    """Return the `upper_bound` of many samples.

    >>> few, many = Moments.of(*[(0.0,)] * 50), Moments.of(*[(0.0,)] * 5000)
    >>> [round(bound, 4) for bound in upper_bounds([few, many, Moments.of()])]
    [0.088, 0.0009, 1.0]
    """
    bounds, exact, failed, left = [1.0] * len(samples), [], [], []
    for place, moments in enumerate(samples):
        size = effective_n(moments)
        if size <= 1.0:
            continue
        mean = min(1.0, moments.loss / moments.weight)
        ratio = min(1.0, moments.weight / (moments.n * moments.heaviest))
        failures = mean * size
        if moments.graded > 0.0:
            deviation = math.sqrt(variance(moments, mean) * moments.n / (moments.n - 1.0))
            chance = math.log(2.0 / alpha)
            margin = deviation * math.sqrt(2.0 * chance / size) + 7.0 * chance / (3.0 * (size - 1.0))
            bounds[place] = min(1.0, mean + margin / ratio)
        elif ratio < 1.0 - 1e-9:
            bounds[place] = intervals.upper_bound(mean, int(size), alpha, ratio=ratio)
        elif failures < size:
            exact.append(place)
            failed.append(failures + 1.0)
            left.append(size - failures)
    found = beta.quantiles(1.0 - alpha, np.array(failed), np.array(left)).tolist()
    for place, bound in zip(exact, found, strict=True):
        bounds[place] = bound
    return bounds


def tolerance(moments: Moments[float]) -> float:
    """Return the default tolerance: a hundredth for scores, half a hundredth or a quarter of the rate for failures.

    Where most answers fail it is a quarter of the rate of the others, so that there is something left to be found.

    >>> tolerance(Moments.of((0.0, 0.5))), tolerance(Moments.of((0.0, 1.0))), tolerance(Moments.of((0.0,) * 50))
    (0.01, 0.125, 0.005)
    >>> tolerance(Moments.of((1.0, 1.0, 1.0, 0.0)))
    0.0625
    """
    if moments.graded > 0.0 or moments.n <= 0.0:
        return SCORE_TOLERANCE
    rate = moments.loss / moments.weight
    return max(FAILURE_TOLERANCE, RELATIVE_TOLERANCE * min(rate, 1.0 - rate))


def reference(moments: Moments[float], *, tolerated: float | None = None, declared: float | None = None) -> Reference:
    """Return what to bet against: ``declared``, or the upper bound plus what is ``tolerated`` (the default tolerance).

    >>> seen = Moments.of(*[(0.0,)] * 980, *[(1.0,)] * 20)
    >>> [round(value, 4) for value in reference(seen, tolerated=0.0)], round(reference(seen).q0, 4)
    ([0.0329, 0.0196, 0.002], 0.0379)
    """
    return references([moments], [tolerated], declared=declared)[0]


def references(
    samples: Sequence[Moments[float]], tolerated: Sequence[float | None], *, declared: float | None = None
) -> list[Reference]:
    """Return the `reference` of many samples, each with what is tolerated of it.

    >>> seen = [Moments.of(*[(0.0,)] * 980, *[(1.0,)] * 20), Moments.of(*[(0.0,)] * 1000)]
    >>> [round(each.q0, 4) for each in references(seen, [0.0, None])]
    [0.0329, 0.0096]
    """
    bounds = upper_bounds(samples) if declared is None else [declared] * len(samples)
    found = []
    for moments, allowed, bound in zip(samples, tolerated, bounds, strict=True):
        if moments.n < 1.0:
            found.append(Reference(bound, bound * (1.0 - bound), LEAST_ICC))
            continue
        margin = tolerance(moments) if allowed is None else allowed
        level = bound + margin if declared is None else declared
        found.append(Reference(min(1.0, level), spread(moments), icc(moments)))
    return found


def spread(moments: Moments[float]) -> float:
    """Return the variance of a loss where weights are equal; 0 without any.

    >>> spread(Moments.of((0.0,), (1.0,))), spread(Moments.of())
    (0.25, 0.0)
    """
    if moments.n < 1.0:
        return 0.0
    mean = moments.loss / moments.weight
    return variance(moments, mean) * moments.n * moments.heaviest**2 / moments.weight2
