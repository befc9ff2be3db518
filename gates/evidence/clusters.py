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

Where losses of a cluster lie in several strata, each excess is taken in standard deviations of its own stratum, and
where they were drawn with unequal probabilities it is weighted: so it has mean 0 again where nothing is wrong.

With ``icc = 0`` every answer is a bet of its own; with ``icc = 1`` a cluster is one. The answers of a cluster must be
taken in an order that does not depend on how they turn out: that of their own times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def expected_excess(n: ArrayLike, excess: ArrayLike, icc: ArrayLike) -> Floats:
    """Return by how much the next loss of a cluster is expected to exceed the level, never less than 0.

    >>> expected_excess([0, 1, 3], [0.0, 0.9, 0.9], 0.2).round(3).tolist()
    [0.0, 0.18, 0.386]
    """
    size, rho = np.asarray(n, dtype=np.float64), np.asarray(icc, dtype=np.float64)
    share = size * rho / (1.0 + np.maximum(size - 1.0, 0.0) * rho)
    return np.maximum(0.0, share * np.asarray(excess, dtype=np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Clusters of one tick, sorted by ``key``: how many losses each had, and their sum above the level."""

    tick: int
    key: Integers
    n: Floats
    over: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What clusters have shown lately, tick by tick, the oldest first."""

    ticks: tuple[Seen, ...] = ()

    def recall(self, key: Integers, *, since: int) -> tuple[Floats, Floats]:
        """Return of each cluster how many losses it has had from a tick on, and their sum above the level.

        >>> memory = Memory().remember(Seen(3, np.array([7]), np.array([2.0]), np.array([1.0])), since=0)
        >>> [found.tolist() for found in memory.recall(np.array([7, 8]), since=0)]
        [[2.0, 0.0], [1.0, 0.0]]
        >>> [found.tolist() for found in memory.recall(np.array([7, 8]), since=4)]
        [[0.0, 0.0], [0.0, 0.0]]
        """
        n, over = np.zeros(key.size), np.zeros(key.size)
        for seen in self.ticks:
            if seen.tick >= since:
                place = np.minimum(np.searchsorted(seen.key, key), seen.key.size - 1)
                known = seen.key[place] == key
                n += np.where(known, seen.n[place], 0.0)
                over += np.where(known, seen.over[place], 0.0)
        return n, over

    def remember(self, seen: Seen, *, since: int) -> Memory:
        """Return the memory with the clusters of a tick, each of them once, and without ticks before ``since``."""
        order = np.argsort(seen.key)
        added = Seen(seen.tick, seen.key[order], seen.n[order], seen.over[order])
        return Memory((*(each for each in self.ticks if each.tick >= since), added))

    def dump(self) -> list[list[Any]]:
        """Return the memory as JSON takes it."""
        return [[each.tick, each.key.tolist(), each.n.tolist(), each.over.tolist()] for each in self.ticks]

    @classmethod
    def load(cls, dumped: Sequence[Sequence[Any]]) -> Memory:
        """Restore what `dump` returned."""
        return cls(
            tuple(
                Seen(tick, np.array(key, np.int64), np.array(n, float), np.array(over, float))
                for tick, key, n, over in dumped
            )
        )
