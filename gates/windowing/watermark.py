"""Event time: observations wait until the watermark has passed their tick, which then is folded once, as a whole.

The watermark is the time of the newest observation the gate has seen, so that a replay sees the same one. A tick closes
when the watermark has passed its end by the allowed lateness; what comes for it later is counted and not folded. Inside
a tick observations are folded in the order of their own times, so the order of arrival does not matter, but for those
of the same microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np

from gates.evidence.arrays import Bools, Floats, Integers
from gates.inputs.observations import Batch, Group
from gates.inputs.slices import OTHER, Slice
from gates.units.instants import Microseconds, microseconds

NEVER = Microseconds(-(2**62))
"""The watermark before the first observation."""

UNKNOWN = -1
"""A tick that has not been."""

LEAST_PROBABILITY = 0.01
"""An answer weighs at most a hundred others, whatever probability was recorded with it."""

MAX_KEYS = 20_000
"""Slices, strata and epochs told apart; what exceeds it is counted together, in each epoch."""

Key = tuple[Slice, ...]
"""What rows are told apart by; the last part is the epoch."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Arrivals:
    """Observations in order of arrival: ``series`` is numbered by the buffer's keys, ``weight`` is 1 / probability."""

    at: Integers
    series: Integers
    cluster: Integers
    value: Floats
    weight: Floats
    arm: Integers
    share: Floats

    def __len__(self) -> int:
        return len(self.at)

    def taken(self, places: Integers | Bools | slice) -> Arrivals:
        """Return some of the rows, in this order."""
        return Arrivals(**{name: getattr(self, name)[places] for name in COLUMNS})


COLUMNS: Mapping[str, Any] = {
    "at": np.int64,
    "series": np.int64,
    "cluster": np.int64,
    "value": np.float64,
    "weight": np.float64,
    "arm": np.int64,
    "share": np.float64,
}
STORED = {name: "key" if name == "series" else name for name in COLUMNS}
"""What columns are called in checkpoints."""


def joined(chunks: Sequence[Arrivals]) -> Arrivals:
    """Return rows one after the other.

    >>> len(joined([]))
    0
    """
    return Arrivals(
        **{
            name: np.concatenate([getattr(chunk, name) for chunk in chunks] or [np.zeros(0, kind)])
            for name, kind in COLUMNS.items()
        }
    )


@dataclass(frozen=True, slots=True)
class Windowing:
    """The length of a tick and the lateness allowed after its end."""

    tick: Microseconds
    allowed_lateness: Microseconds

    def first_open(self, watermark: Any) -> Any:
        """Return the first tick that is open at a watermark, or at many: all before it have closed."""
        return (watermark - self.allowed_lateness) // self.tick

    def open_at(self, at: datetime, watermark: Microseconds) -> int:
        """Return the tick of an instant, or the first that is still open."""
        return max(microseconds(at) // self.tick, int(self.first_open(watermark)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Buffer:
    """What has arrived and is not folded yet. The ``watermark`` is the newest time seen.

    ``dropped_late`` counts what came after its tick had closed, ``capped`` what was taken with a probability below
    `LEAST_PROBABILITY`. ``keys`` are those of all series ever seen, numbered by
    ``index``.
    """

    watermark: Microseconds = NEVER
    dropped_late: int = 0
    capped: int = 0
    keys: tuple[Key, ...] = ()
    index: Mapping[Key, int] = field(default_factory=dict)
    pending: tuple[Arrivals, ...] = ()

    def receive(
        self, batch: Batch, accepted: Bools, choose: Callable[[Group], Key | None], windowing: Windowing
    ) -> tuple[Buffer, Arrivals | None]:
        """Take rows in; return the buffer, and the rows of ticks that have closed, if any.

        ``choose`` names the key of a group, or nothing where a gate does not fold it.
        """
        places = np.flatnonzero(accepted)
        if not places.size:
            return self, None
        at, group = batch.at[places], batch.group[places]
        watermarks = np.maximum(np.maximum.accumulate(at), self.watermark)
        before = np.concatenate(([self.watermark], watermarks[:-1]))
        in_time = at // windowing.tick >= windowing.first_open(before)
        keys, index, codes = self._named(batch.groups, group[in_time], choose)
        waiting = np.flatnonzero(in_time & (codes[group] >= 0))
        taken = places[waiting]
        rows = Arrivals(
            at=at[waiting],
            series=codes[group[waiting]],
            cluster=batch.cluster[taken],
            value=batch.value[taken],
            weight=1.0 / np.clip(batch.probability[taken], LEAST_PROBABILITY, 1.0),
            arm=batch.arm[taken],
            share=batch.share[taken],
        )
        buffer = Buffer(
            watermark=Microseconds(int(watermarks[-1])),
            dropped_late=self.dropped_late + int(np.count_nonzero(~in_time)),
            capped=self.capped + int(np.count_nonzero(batch.probability[taken] < LEAST_PROBABILITY)),
            keys=keys,
            index=index,
            pending=_stacked(self.pending, rows),
        )
        first_open = windowing.first_open(buffer.watermark)
        if first_open > windowing.first_open(self.watermark):
            return buffer.closing(first_open * windowing.tick)
        return buffer, None

    def closing(self, before: int) -> tuple[Buffer, Arrivals | None]:
        """Return the buffer without what is ``before`` a time, and what was."""
        waiting = joined(self.pending)
        closed = waiting.at < before
        if not closed.any():
            return self, None
        rest = waiting.taken(~closed)
        return replace(self, pending=(rest,) if len(rest) else ()), waiting.taken(closed)

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
        """Return the buffer as JSON takes it; equal buffers give equal JSON, whatever their keys were numbered."""
        order = self.order()
        rows = joined(self.pending)
        rows = rows.taken(np.argsort(rows.at, kind="stable"))
        places = np.argsort(np.array(order, np.int64))
        return {
            "clock": self.watermark,
            "late": self.dropped_late,
            **({"capped": self.capped} if self.capped else {}),
            "keys": [self.keys[place] for place in order],
            "pending": {
                stored: (places[rows.series] if name == "series" else getattr(rows, name)).tolist()
                for name, stored in STORED.items()
            },
        }

    def order(self) -> list[int]:
        """Return the numbers of all keys, sorted by the keys."""
        return sorted(range(len(self.keys)), key=lambda place: self.keys[place])

    @classmethod
    def load(cls, dumped: Mapping[str, Any]) -> Buffer:
        """Restore what `dump` returned."""
        keys = tuple(tuple(tuple((name, value) for name, value in part) for part in key) for key in dumped["keys"])
        rows = Arrivals(**{name: np.array(dumped["pending"][STORED[name]], kind) for name, kind in COLUMNS.items()})
        return cls(
            watermark=dumped["clock"],
            dropped_late=dumped["late"],
            capped=dumped.get("capped", 0),
            keys=keys,
            index={key: place for place, key in enumerate(keys)},
            pending=(rows,) if len(rows) else (),
        )


def by_tick(rows: Arrivals, tick: Microseconds) -> list[tuple[int, Arrivals]]:
    """Return rows tick by tick, inside a tick in the order of their times."""
    if not len(rows):
        return []
    order = np.argsort(rows.at, kind="stable")
    of = rows.at[order] // tick
    edges = [0, *(np.flatnonzero(np.diff(of)) + 1).tolist(), len(of)]
    return [(int(of[start]), rows.taken(order[start:end])) for start, end in pairwise(edges)]


def _stacked(chunks: tuple[Arrivals, ...], rows: Arrivals) -> tuple[Arrivals, ...]:
    """Append, merging chunks of like size: one row at a time costs the logarithm of what waits."""
    if not len(rows):
        return chunks
    held = list(chunks)
    while held and len(held[-1]) <= len(rows):
        rows = joined([held.pop(), rows])
    return (*held, rows)
