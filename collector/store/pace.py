"""How much one transaction of housekeeping may do, so that nobody who waits for the writer waits long."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import sqlalchemy as sa

PART_SECONDS = 0.02
"""Time one transaction aims at, its commit included: a sender that comes in between waits at most about 50 ms."""
PART_ROWS = 512
PART_BYTES = 2 * 1024 * 1024
"""The most that one transaction removes, however fast the disk: what it removes also passes through SQLite's log."""
STEP_ROWS = 32
STEP_BYTES = 256 * 1024
"""Removed between two looks at the clock."""
REST_FACTOR = 2.0
REST_SECONDS = 0.005
"""The shortest rest between two transactions, `REST_FACTOR` times what the last took if that is more. Locks are
not fair in Python: whoever takes the writer again at once gets it again, and senders that wait for it starve."""


class WorkItem(NamedTuple):
    """One piece of work, that is done wholly or not at all: what it is about, and how many bytes that has."""

    key: Any
    size: int


class Work(NamedTuple):
    """Pieces of work in order, and how to do some of them; ``do`` returns rows removed by table."""

    items: Sequence[WorkItem]
    do: Callable[[sa.Connection, Sequence[Any]], Mapping[str, int]]


class Pace:
    """Does work in transactions that end after `PART_SECONDS`, `PART_ROWS` or `PART_BYTES`, and rests between them.

    The number of rows adapts to the disk: it is halved when a transaction took too long, and grows while they are
    short. ``clock`` counts seconds and only goes forward; ``rest`` is called after each transaction with the seconds to
    wait, without the writer; if it returns true, as the ``wait`` of an event that is set does, the rest is left undone.
    """

    def __init__(
        self, *, clock: Callable[[], float] = time.perf_counter, rest: Callable[[float], object] = time.sleep
    ) -> None:
        self._clock = clock
        self._rest = rest
        self.rows = PART_ROWS // 4

    def through(self, work: Work, write: Callable[[], AbstractContextManager[sa.Connection]]) -> Counter[str]:
        """Do all of ``work``, a transaction of ``write`` after the other; return rows removed by table."""
        removed: Counter[str] = Counter()
        left = deque(work.items)
        while left:
            with write() as connection:
                began = self._clock()
                done = 0
                taken = 0
                while left and self._goes_on(done, taken, began):
                    keys, size = _step(left, self.rows - done)
                    removed.update(work.do(connection, keys))
                    done += len(keys)
                    taken += size
            took = self._clock() - began
            self._adapt(done, took)
            if self._rest(max(REST_FACTOR * took, REST_SECONDS)):
                break
        return removed

    def _goes_on(self, done: int, taken: int, began: float) -> bool:
        if not done:
            return True
        return done < self.rows and taken < PART_BYTES and self._clock() - began < PART_SECONDS / 2

    def _adapt(self, done: int, took: float) -> None:
        if took > PART_SECONDS:
            self.rows = max(1, min(self.rows, done) // 2)
        elif done >= self.rows:
            self.rows = min(PART_ROWS, self.rows + self.rows // 4 + 1)


def _step(left: deque[WorkItem], most: int) -> tuple[list[Any], int]:
    keys: list[Any] = []
    size = 0
    while left and (not keys or (len(keys) < min(most, STEP_ROWS) and size + left[0].size <= STEP_BYTES)):
        item = left.popleft()
        keys.append(item.key)
        size += item.size
    return keys, size
