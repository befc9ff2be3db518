"""How late answers come: what a gate has seen of it in the last day, and how long its ticks wait because of it.

An answer is as late as the newest answer before it is newer. Usual lateness (a slow scorer, a host whose clock is
behind, several pods that are read in turn) shows again and again, and a tick waits for it. A backfill shows once, and
no tick waits for it: its answers are folded when they arrive.

What is kept is counted from the first answer that comes out of order. Hours are those of the newest answer seen, so
that a replay counts the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gates.base.verdict import LateAnswers
from gates.evidence.arrays import Bools, Integers
from gates.units.instants import Microseconds

SECOND = 10**6
HOUR = 3600 * SECOND
HOURS = 24
"""Hours that are kept: what was usual longer ago need not be so now."""

EDGES = np.concatenate(([0], SECOND * 2 ** np.arange(17)))
"""Upper ends of the classes of lateness: 0, 1 s, 2 s, ... 18 h; the last class is what is beyond."""

UNUSUAL = 0.01
"""A tick waits until at most this share of the answers of an hour would come after it."""

SHOWN = 3
"""In so many of the last hours a lateness must have shown before a tick waits for it: in fewer it is a backfill."""

BEYOND = int(EDGES[-1]) + 1
"""A lateness of the last class."""

LATE, LEFT_OUT = len(EDGES) + 1, len(EDGES) + 2
"""Columns of the counts, after those of the classes."""


class Barrier(NamedTuple):
    """From when on answers are of another system, by group of a batch.

    Those of before the instant ``at``, in microseconds, are folded with the tick ``tick`` at the latest, or not at all.

    >>> barrier = Barrier(np.array([700]), np.array([2]))
    >>> barrier.last_tick(np.array([699, 700]), np.array([0, 0])).tolist() == [2, np.iinfo(np.int64).max]
    True
    """

    at: Integers
    tick: Integers

    def last_tick(self, at: Integers, group: Integers) -> Integers:
        """Return the last tick that each of these answers may be folded with."""
        return np.where(at < self.at[group], self.tick[group], np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Lateness:
    """Counts of answers by hour and class of lateness; ``stamp`` numbers the hour of a row, ``total`` is all late ones.

    >>> slow, nobody = Lateness(), np.zeros(9, np.bool_)
    >>> for hour in range(5):
    ...     behind = np.array([0, 0, 0, 0, 0, 0, 0, 0, 900 * SECOND])
    ...     slow = slow.noted(hour, behind, nobody, nobody)
    >>> [slow.wait(hour, 3600 * SECOND) // SECOND for hour in (2, 3)]
    [0, 1024]
    """

    stamp: Integers = field(default_factory=lambda: np.full(HOURS, -1, np.int64))
    counts: Integers = field(default_factory=lambda: np.zeros((HOURS, LEFT_OUT + 1), np.int64))
    total: int = 0

    def noted(self, hour: int, behind: Integers, late: Bools, left_out: Bools) -> Lateness:
        """Return the counts with answers of an hour that came ``behind`` the newest one by so much (microseconds).

        What is `BEYOND` the longest wait is told apart from what can be waited for.
        """
        stamp, counts = self.stamp.copy(), self.counts.copy()
        place = hour % HOURS
        if stamp[place] != hour:
            stamp[place], counts[place] = hour, 0
        counts[place, :LATE] += np.bincount(np.searchsorted(EDGES, behind), minlength=LATE)
        counts[place, LATE] += np.count_nonzero(late)
        counts[place, LEFT_OUT] += np.count_nonzero(left_out)
        return Lateness(stamp=stamp, counts=counts, total=self.total + int(np.count_nonzero(late)))

    def wait(self, hour: int, longest: int) -> Microseconds:
        """Return how long a tick waits in an hour, at most ``longest``.

        It is what `SHOWN` of the hours before it have shown, and not more than what all of them together have. What
        comes too late to be waited for does not count.
        """
        held = (self.stamp < hour) & (self.stamp >= hour - HOURS)
        before = self.counts[held, : LATE - 1]
        if len(before) < SHOWN:
            return Microseconds(0)
        counts = np.concatenate([before, before.sum(axis=0, keepdims=True)])
        seen = counts.sum(axis=1, keepdims=True)
        enough = np.argmax(seen - np.cumsum(counts, axis=1) <= UNUSUAL * seen, axis=1)
        shown = min(np.sort(enough[:-1])[-SHOWN], enough[-1])
        return Microseconds(int(min(EDGES[shown], longest)))

    def recent(self, hour: int) -> LateAnswers:
        """Return what came in the `HOURS` that end with this one."""
        held = self.counts[(self.stamp > hour - HOURS) & (self.stamp <= hour)].sum(axis=0)
        return LateAnswers(int(held[:LATE].sum()), int(held[LATE]), int(held[LEFT_OUT]))

    def dump(self) -> dict[str, Any]:
        """Return the counts as JSON takes them."""
        return {"stamp": self.stamp.tolist(), "counts": self.counts.tolist(), "total": self.total}

    @classmethod
    def load(cls, dumped: Mapping[str, Any]) -> Lateness:
        """Restore what `dump` returned."""
        stamp = np.array(dumped["stamp"], np.int64).reshape(HOURS)
        counts = np.array(dumped["counts"], np.int64).reshape(HOURS, LEFT_OUT + 1)
        return cls(stamp=stamp, counts=counts, total=int(dumped["total"]))
