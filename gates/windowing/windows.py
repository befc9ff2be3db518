"""Sums over the last parts of a window, for many slices: the oldest part leaves as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gates.evidence.arrays import Floats, Integers
from gates.evidence.intervals import WeightedTotals
from gates.windowing.tables import ColumnTable

EMPTY = -1
"""The stamp of a part nothing was added to."""


@dataclass(slots=True, eq=False, kw_only=True)
class Ring(ColumnTable):
    """``sums`` holds `WeightedTotals` by slice and part; ``stamp`` numbers the part of a place. `add` writes them."""

    sums: Floats
    stamp: Integers

    @classmethod
    def of(cls, slices: int, parts: int) -> Ring:
        """Return sums of nothing.

        >>> Ring.of(1, 2).over(9, 2).n.tolist()
        [0.0]
        """
        sums = np.zeros((slices, parts, len(WeightedTotals._fields)))
        return cls(sums=sums, stamp=np.full((slices, parts), EMPTY, np.int64))

    @property
    def last(self) -> Integers:
        """The newest part of each slice."""
        return np.asarray(self.stamp.max(axis=1, initial=EMPTY))

    def add_each(self, parts: Integers, slices: Integers, weight: Floats, value: Floats) -> None:
        """Add answers to parts of their own, in place."""
        for part in np.unique(parts).tolist():
            there = parts == part
            self.add(part, slices[there], weight[there], value[there])

    def add(self, part: int, slices: Integers, weight: Floats, value: Floats) -> None:
        """Add answers to a part, in place; ``slices`` says which slice each belongs to.

        Where the part has left its slice's window, they are not counted.
        """
        place = part % self.stamp.shape[1]
        touched = np.flatnonzero(np.bincount(slices))
        held = self.stamp[touched, place]
        stale = touched[held < part]
        self.sums[stale, place] = 0.0
        self.stamp[stale, place] = part
        if (held > part).any():
            kept = self.stamp[slices, place] == part
            slices, weight, value = slices[kept], weight[kept], value[kept]
        WeightedTotals.of(self.sums[:, place]).add(slices, weight, value)

    def over(self, part: int | Integers, parts: int | Integers) -> WeightedTotals:
        """Return the totals over so many parts that end with ``part``, by slice: one for all, or each slice's own.

        >>> ring = Ring.of(1, 3)
        >>> for number in range(5):
        ...     ring.add(number, np.array([0]), np.array([7.0 - number]), np.array([1.0]))
        >>> [each.tolist() for each in ring.over(4, 2)], ring.over(5, 3) == ring.over(4, 2)
        ([[2.0], [7.0], [7.0], [4.0]], True)
        """
        last = np.asarray(part)[..., None]
        held = (self.stamp > last - np.asarray(parts)[..., None]) & (self.stamp <= last)
        kept = np.where(held[:, :, None], self.sums, 0.0)
        # The last total is a maximum.
        n, weight, weighted = kept[:, :, :-1].sum(axis=1).T
        return WeightedTotals(n, weight, weighted, kept[:, :, -1].max(axis=1, initial=0.0))
