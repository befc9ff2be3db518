"""Clusters: answers that share a conversation, a document or five minutes fail together, and must not count as many.

A detector's factor needs ``E[y | past] <= level``. Of two answers that fail together the second breaks this: once the
first has failed, it is more likely to. So the level is raised for it, by what its cluster has shown: if ``n`` losses of
a cluster have exceeded ``q0`` by ``e`` in the mean, the best linear prediction of the next, for exchangeable losses
with intra-cluster correlation ``icc``, is

    q0 + e n icc / (1 + (n - 1) icc)

(the best linear unbiased predictor of a random effect: G. K. Robinson, "That BLUP is a good thing", Statistical Science
6, 1991, section 2). Where that excess is positive the next loss is bet against the raised level, otherwise against
``q0`` itself.

Proof that the factor stays lawful: let ``p`` be the cluster's own mean, with mean ``q <= q0`` over clusters, and let
the prior of ``p`` be conjugate, so that ``E[p | past]`` is linear in the cluster's mean ``m`` so far (beta-binomial
clusters; Diaconis and Ylvisaker, "Conjugate priors for exponential families", Annals of Statistics 7, 1979, theorem 2).
Then ``E[y | past] = (1 - r) q + r m`` with ``r = n icc / (1 + (n - 1) icc)``, which grows with ``q``, hence is at most
``(1 - r) q0 + r m = q0 + r e``; and where ``e < 0`` that is below ``q0``. An ``icc`` assumed too large raises the level
further where it is raised at all, and changes nothing elsewhere. So

    E[1 + lam v (y - max(q0, q0 + r e)) | past] <= 1      for every bet lam, and weight v, chosen from the past.

Premises: as long as answers that fail together name what they share (a conversation, a document, or the same five
minutes), are no more alike than ``icc``, and clusters differ by degrees. Where the prior is not conjugate the
prediction is the best linear one, and the last line is not proved. It does not hold where a few clusters fail wholly
while the others are as usual: of conversations of eight answers with ``q0 = 0.1``, of which two in a thousand fail
wholly (``icc = 0.02``), the product over a conversation has a mean of 1.75 for the largest bet. Where some clusters
never fail and the others alike, or as many are better as are worse by as much, it is at most 1 in every case tried.

Where an answer lies in two clusters at once, each raises the level by itself and the raises are added; for this sum
nothing is proved.

Where losses of a cluster lie in several strata, each excess is taken in standard deviations of its own stratum, and
where they were drawn with unequal probabilities it is weighted: so it has mean 0 again where nothing is wrong.

With ``icc = 0`` every answer is a bet of its own; with ``icc = 1`` a cluster is one. The answers of a cluster must be
taken in an order that does not depend on how they turn out: that of their own times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence.arrays import Bools, Floats, Integers

EXCESS_UNIT = 2**32
"""Excess over the level is summed as integers inside a tick: what a cluster shows does not depend on its neighbours."""

PASSING = -1
"""The key of a cluster that ends with its tick: nothing of it is remembered."""


def expected_excess(n: ArrayLike, excess: ArrayLike, icc: ArrayLike) -> Floats:
    """Return by how much the next loss of a cluster is expected to exceed the level, never less than 0.

    >>> expected_excess([0, 1, 3], [0.0, 0.9, 0.9], 0.2).round(3).tolist()
    [0.0, 0.18, 0.386]
    """
    size, rho = np.asarray(n, dtype=np.float64), np.asarray(icc, dtype=np.float64)
    share = size * rho / (1.0 + np.maximum(size - 1.0, 0.0) * rho)
    return np.maximum(0.0, share * np.asarray(excess, dtype=np.float64))


def begins(*codes: Integers) -> Bools:
    """Return at which rows one of the codes changes; there it does at the first.

    >>> begins(np.array([1, 1, 2, 2]), np.array([7, 7, 7, 8])).tolist()
    [True, False, True, True]
    """
    changes = np.ones(len(codes[0]), np.bool_)
    changes[1:] = codes[0][1:] != codes[0][:-1]
    for code in codes[1:]:
        changes[1:] |= code[1:] != code[:-1]
    return changes


class Runs(NamedTuple):
    """Rows in runs of one cluster each: at which row each run begins, and which run each row is in."""

    start: Integers
    of: Integers

    @classmethod
    def at(cls, starts: Bools) -> Runs:
        """Return the runs that begin at these rows.

        >>> [each.tolist() for each in Runs.at(np.array([True, False, True]))]
        [[0, 2], [0, 0, 1]]
        """
        return cls(np.flatnonzero(starts), np.cumsum(starts) - 1)

    @property
    def size(self) -> Floats:
        """The number of rows of each run."""
        return np.diff(np.append(self.start, len(self.of))).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class TickClusters:
    """Clusters of one tick, sorted by ``key``: how many losses each had, and their sum above the level."""

    tick: int
    key: Integers
    n: Floats
    over: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ClusterMemory:
    """What clusters have shown lately, tick by tick, the oldest first."""

    ticks: tuple[TickClusters, ...] = ()

    def recall(self, key: Integers, *, since: int) -> tuple[Floats, Floats]:
        """Return of each cluster how many losses it has had from a tick on, and their sum above the level.

        >>> memory = ClusterMemory().remember(TickClusters(3, np.array([7]), np.array([2.0]), np.array([1.0])), since=0)
        >>> [each.tolist() for each in memory.recall(np.array([7, 8]), since=0)]
        [[2.0, 0.0], [1.0, 0.0]]
        >>> [each.tolist() for each in memory.recall(np.array([7, 8]), since=4)]
        [[0.0, 0.0], [0.0, 0.0]]
        """
        n, over = np.zeros(key.size), np.zeros(key.size)
        for each in self.ticks:
            if each.tick >= since:
                place = np.minimum(np.searchsorted(each.key, key), each.key.size - 1)
                known = each.key[place] == key
                n += np.where(known, each.n[place], 0.0)
                over += np.where(known, each.over[place], 0.0)
        return n, over

    def remember(self, clusters: TickClusters, *, since: int) -> ClusterMemory:
        """Return the memory with the clusters of a tick, each of them once, and without ticks before ``since``."""
        order = np.argsort(clusters.key)
        added = TickClusters(clusters.tick, clusters.key[order], clusters.n[order], clusters.over[order])
        return ClusterMemory((*(each for each in self.ticks if each.tick >= since), added))

    def dump(self) -> list[list[Any]]:
        """Return the memory as JSON takes it."""
        return [[each.tick, each.key.tolist(), each.n.tolist(), each.over.tolist()] for each in self.ticks]

    @classmethod
    def load(cls, dumped: Sequence[Sequence[Any]]) -> ClusterMemory:
        """Restore what `dump` returned."""
        return cls(
            tuple(
                TickClusters(tick, np.array(key, np.int64), np.array(n, float), np.array(over, float))
                for tick, key, n, over in dumped
            )
        )


def shown_before(
    memory: ClusterMemory, excess: Floats, runs: Runs, key: Integers, *, tick: int, silence: int
) -> tuple[ClusterMemory, Floats, Floats]:
    """Return what the cluster of each loss of a tick had shown before it: number of losses, and their mean excess.

    Each run is one cluster, by its ``key``, or `PASSING`; its rows are in the order of their times. Clusters are
    remembered for ``silence`` ticks, and those of this tick are in the memory returned.

    >>> excess, runs = np.array([1.0, 0.0, 0.5]), Runs.at(np.array([True, False, False]))
    >>> memory, n, mean = shown_before(ClusterMemory(), excess, runs, np.array([7]), tick=3, silence=12)
    >>> n.tolist(), mean.tolist(), memory.dump()
    ([0.0, 1.0, 2.0], [0.0, 1.0, 0.5], [[3, [7], [3.0], [1.5]]])
    """
    exact = np.rint(excess * EXCESS_UNIT).astype(np.int64)
    total = np.cumsum(exact) - exact
    over = (total - total[runs.start][runs.of]) / EXCESS_UNIT
    n = (np.arange(len(runs.of)) - runs.start[runs.of]).astype(np.float64)
    lasting = key != PASSING
    if lasting.any():
        since = tick - silence
        earlier, earlier_over = memory.recall(key, since=since)
        n, over = n + earlier[runs.of], over + earlier_over[runs.of]
        gathered = np.add.reduceat(exact, runs.start) / EXCESS_UNIT
        clusters = TickClusters(tick, key[lasting], runs.size[lasting], gathered[lasting])
        memory = memory.remember(clusters, since=since)
    return memory, n, over / np.maximum(n, 1.0)
