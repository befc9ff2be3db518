"""Sums over the last parts of a window, for many slices: the oldest part leaves as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gates.inputs.observations import Floats, Integers

EMPTY = -1
"""The stamp of a part nothing was added to."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ring:
    """``sums`` by slice, part and column, the last of which is a maximum; ``stamp`` numbers the part a place holds."""

    sums: Floats
    stamp: Integers

    @classmethod
    def empty(cls, slices: int, parts: int, columns: int) -> Ring:
        """Return sums of nothing.

        >>> Ring.empty(1, 2, 2).over(9, 2).tolist()
        [[0.0, 0.0]]
        """
        return cls(sums=np.zeros((slices, parts, columns)), stamp=np.full((slices, parts), EMPTY, np.int64))

    def add(self, part: int, slices: Integers, columns: Sequence[Floats]) -> None:
        """Add rows to a part, in place; ``slices`` says which slice each belongs to."""
        place = part % self.stamp.shape[1]
        touched = np.flatnonzero(np.bincount(slices))
        stale = touched[self.stamp[touched, place] != part]
        self.sums[stale, place] = 0.0
        self.stamp[stale, place] = part
        for number, column in enumerate(columns[:-1]):
            self.sums[:, place, number] += np.bincount(slices, weights=column, minlength=len(self.stamp))
        np.maximum.at(self.sums[:, place, -1], slices, columns[-1])

    def over(self, part: int, parts: int) -> Floats:
        """Return the sums over so many parts that end with ``part``, by slice and column.

        >>> ring = Ring.empty(1, 3, 2)
        >>> for number in range(5):
        ...     ring.add(number, np.array([0]), [np.array([1.0 + number]), np.array([7.0 - number])])
        >>> ring.over(4, 2).tolist(), ring.over(5, 3).tolist()
        ([[9.0, 4.0]], [[9.0, 4.0]])
        """
        held = (self.stamp > part - parts) & (self.stamp <= part)
        kept = np.where(held[:, :, None], self.sums, 0.0)
        return np.concatenate([kept[:, :, :-1].sum(axis=1), kept[:, :, -1:].max(axis=1, initial=0.0)], axis=1)
