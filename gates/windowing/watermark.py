"""Ticks: observations wait until the clock has passed their five minutes, then each tick is folded once, as a whole.

The clock is the newest observation the gate has seen, so that a replay sees the same clock. A tick closes when the
clock has passed its end by a grace; what comes for it later is counted and not folded. Inside a tick observations are
folded in the order of their own times, so the order of arrival does not matter, but for those of the same microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np

from gates.inputs.observations import Batch, Bools, Floats, Group, Integers, microseconds
from gates.inputs.slices import OTHER
from gates.inputs.values import Slice

NEVER = -(2**62)
"""The clock before the first observation."""

UNKNOWN = -1
"""A tick that has not been."""

LEAST_PROBABILITY = 0.01
"""An answer weighs at most a hundred others, whatever probability was recorded with it."""

MAX_KEYS = 20_000
"""Slices, strata and epochs told apart; what exceeds it is counted together, in each epoch."""

Key = tuple[Slice, ...]
"""What rows are told apart by; the last part is the epoch."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rows:
    """Observations in order of arrival: ``key`` points into the keys of the inbox, ``weight`` is 1 / probability."""

    at: Integers
    key: Integers
    cluster: Integers
    value: Floats
    weight: Floats
    arm: Integers
    share: Floats

    def __len__(self) -> int:
        return len(self.at)

    def taken(self, places: Integers | Bools | slice) -> Rows:
        """Return some of the rows, in this order."""
        return Rows(**{name: getattr(self, name)[places] for name in COLUMNS})


COLUMNS: Mapping[str, Any] = {
    "at": np.int64,
    "key": np.int64,
    "cluster": np.int64,
    "value": np.float64,
    "weight": np.float64,
} | {
    "arm": np.int64,
    "share": np.float64,
}


def joined(chunks: Sequence[Rows]) -> Rows:
    """Return rows one after the other.

    >>> len(joined([]))
    0
    """
    return Rows(
        **{
            name: np.concatenate([getattr(chunk, name) for chunk in chunks] or [np.zeros(0, kind)])
            for name, kind in COLUMNS.items()
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inbox:
    """What has arrived and is not folded yet. ``clock`` is the newest time seen, in microseconds.

    ``late`` counts what came after its tick had closed. ``keys`` are all that were ever seen, numbered by ``index``.
    """

    clock: int = NEVER
    late: int = 0
    keys: tuple[Key, ...] = ()
    index: Mapping[Key, int]
    pending: tuple[Rows, ...] = ()

    def receive(
        self, batch: Batch, accepted: Bools, choose: Callable[[Group], Key | None], shape: Shape
    ) -> tuple[Inbox, Rows | None]:
        """Take rows in; return the inbox, and the rows of ticks that have closed, if any.

        ``choose`` names the key of a group, or nothing where a gate does not fold it.
        """
        places = np.flatnonzero(accepted)
        if not places.size:
            return self, None
        at, group = batch.at[places], batch.group[places]
        clocks = np.maximum(np.maximum.accumulate(at), self.clock)
        before = np.concatenate(([self.clock], clocks[:-1]))
        tick = at // shape.tick
        in_time = tick >= shape.closed(before)
        keys, index, codes = self._named(batch.groups, group[in_time], choose)
        mine = codes[group] >= 0
        late = int(np.count_nonzero(~in_time))
        kept = np.flatnonzero(in_time & mine)
        taken = places[kept]
        rows = Rows(
            at=at[kept],
            key=codes[group[kept]],
            cluster=batch.cluster[taken],
            value=batch.value[taken],
            weight=1.0 / np.clip(batch.probability[taken], LEAST_PROBABILITY, 1.0),
            arm=batch.arm[taken],
            share=batch.share[taken],
        )
        clock = int(clocks[-1])
        inbox = Inbox(clock=clock, late=self.late + late, keys=keys, index=index, pending=_stacked(self.pending, rows))
        if shape.closed(clock) > shape.closed(self.clock):
            return inbox.closing(shape.closed(clock) * shape.tick)
        return inbox, None

    def closing(self, before: int) -> tuple[Inbox, Rows | None]:
        """Return the inbox without what is ``before`` a time, and what was."""
        waiting = joined(self.pending)
        due = waiting.at < before
        if not due.any():
            return self, None
        rest = waiting.taken(~due)
        inbox = Inbox(
            clock=self.clock, late=self.late, keys=self.keys, index=self.index, pending=(rest,) if len(rest) else ()
        )
        return inbox, waiting.taken(due)

    def _named(
        self, groups: Sequence[Group], seen: Integers, choose: Callable[[Group], Key | None]
    ) -> tuple[tuple[Key, ...], Mapping[Key, int], Integers]:
        """Number the keys of the groups ``seen``, first come; return all keys and each group's number, or -1."""
        codes = np.full(len(groups), -1, dtype=np.int64)
        keys, index = self.keys, self.index
        unique, first = np.unique(seen, return_index=True)
        for code in unique[np.argsort(first)]:
            key = choose(groups[code])
            if key is None:
                continue
            if key not in index:
                if index is self.index:
                    index = dict(index)
                if len(index) >= MAX_KEYS:
                    key = (*(tuple((name, OTHER) for name, _ in part) for part in key[:-1]), key[-1])
                index.setdefault(key, len(index))  # type: ignore[attr-defined]  # a copy of our own by now
            codes[code] = index[key]
        if index is not self.index:
            keys = tuple(index)
        return keys, index, codes

    def dump(self) -> dict[str, Any]:
        """Return the inbox as JSON takes it; equal inboxes give equal JSON, whatever their keys were numbered."""
        order = self.order()
        rows = joined(self.pending)
        rows = rows.taken(np.argsort(rows.at, kind="stable"))
        places = np.argsort(np.array(order, np.int64))
        return {
            "clock": self.clock,
            "late": self.late,
            "keys": [self.keys[place] for place in order],
            "pending": {
                name: (places[rows.key] if name == "key" else getattr(rows, name)).tolist() for name in COLUMNS
            },
        }

    def order(self) -> list[int]:
        """Return the numbers of all keys, sorted by the keys."""
        return sorted(range(len(self.keys)), key=lambda place: self.keys[place])

    @classmethod
    def load(cls, dumped: Mapping[str, Any]) -> Inbox:
        """Restore what `dump` returned."""
        keys = tuple(tuple(tuple((name, value) for name, value in part) for part in key) for key in dumped["keys"])
        rows = Rows(**{name: np.array(dumped["pending"][name], kind) for name, kind in COLUMNS.items()})
        return cls(
            clock=dumped["clock"],
            late=dumped["late"],
            keys=keys,
            index={key: place for place, key in enumerate(keys)},
            pending=(rows,) if len(rows) else (),
        )


@dataclass(frozen=True, slots=True)
class Shape:
    """The length of a tick and the grace after its end, in microseconds."""

    tick: int
    grace: int

    def closed(self, clock: Any) -> Any:
        """Return the first tick that is open at ``clock``: all before it have closed."""
        return (clock - self.grace) // self.tick

    def open_at(self, at: datetime, clock: int) -> int:
        """Return the tick of an instant, or the first that is still open at ``clock``."""
        return max(microseconds(at) // self.tick, int(self.closed(clock)))


def by_tick(rows: Rows, tick: int) -> list[tuple[int, Rows]]:
    """Return rows tick by tick, inside a tick in the order of their times."""
    if not len(rows):
        return []
    order = np.argsort(rows.at, kind="stable")
    of = rows.at[order] // tick
    edges = [0, *(np.flatnonzero(np.diff(of)) + 1).tolist(), len(of)]
    return [(int(of[start]), rows.taken(order[start:end])) for start, end in pairwise(edges)]


def _stacked(chunks: tuple[Rows, ...], rows: Rows) -> tuple[Rows, ...]:
    """Append, merging chunks of like size: one row at a time costs the logarithm of what waits."""
    if not len(rows):
        return chunks
    held = list(chunks)
    while held and len(held[-1]) <= len(rows):
        rows = joined([held.pop(), rows])
    return (*held, rows)
