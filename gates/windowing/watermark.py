"""Event time: observations wait until the watermark has passed their tick, which then is folded once, as a whole.

The watermark is the time of the newest observation the gate has seen, so that a replay sees the same one. A tick closes
when its end is passed by the allowed lateness, or the longer one that is usual (`gates.windowing.lateness`). Inside a
tick observations are folded in the order of their own times, and only within a microsecond in that of their arrival.

What comes after its tick has closed is *late*: it is folded with the first tick that is open when it arrives, before
the answers of that tick and in the order of its own times, hour by hour. So every answer is evidence once, whenever it
comes. Dropping late answers would select by outcome wherever those that fail come later, as slow ones do.

An e-detector (`gates.evidence.detector`) may take answers in the order of their arrival: its proof needs
``E[y | what arrived before] <= q`` for each, with the level ``q`` that holds for the answer's own time, and nothing of
when that time was. This is so for late answers as for others as long as being late does not depend on how the answer
turned out. Where it does, as with a scorer that takes longer over answers that fail, it is enough that the tick waits
for them, or that they come at a steady rate: each tick then holds good answers of its own and failed ones of before, in
the same proportion (for Poisson traffic of a steady rate ``a``, mean ``q`` and bet ``lam``, the numbers of both are
independent, and ``E prod (1 + lam (y - q0)) = exp(a lam (q - q0)) <= 1``). It is not so for a single flood of late
answers that were picked for having failed.

Left out, and counted, is what comes later than ``latest``, and what a gate knows to be of before the release it judges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gates.evidence.arrays import Bools, Floats, Integers
from gates.inputs.observations import ARMS, NOT_DRAWN, Batch, Group
from gates.inputs.slices import OTHER, Slice
from gates.units.instants import Microseconds, microseconds
from gates.windowing.lateness import BEYOND, HOUR, Barrier, Lateness

NEVER = Microseconds(-(2**62))
"""The watermark before the first observation."""

NOTHING = Microseconds(0)
FOREVER = Microseconds(2**62)
"""The shortest length of time, and one longer than any."""

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
    """Observations in order of arrival: ``series`` is numbered by the buffer's keys, ``weight`` is 1 / probability.

    ``tick`` is the one that they are folded with: that of ``at``, or a later one where they came late. ``truth`` and
    ``drawn`` are those of `Batch`.
    """

    at: Integers
    tick: Integers
    series: Integers
    cluster: Integers
    value: Floats
    weight: Floats
    arm: Integers
    share: Floats
    truth: Floats
    drawn: Floats

    def __len__(self) -> int:
        return len(self.at)

    def taken(self, places: Integers | Bools | slice) -> Arrivals:
        """Return some of the rows, in this order."""
        return Arrivals(**{name: getattr(self, name)[places] for name in COLUMNS})


COLUMNS: Mapping[str, Any] = {
    "at": np.int64,
    "tick": np.int64,
    "series": np.int64,
    "cluster": np.int64,
    "value": np.float64,
    "weight": np.float64,
    "arm": np.int64,
    "share": np.float64,
    "truth": np.float64,
    "drawn": np.float64,
}
OF_LABELS = ("truth", "drawn")
"""Columns that are stored only where there are labels."""
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
    """The length of a tick, the lateness allowed after its end, the longest one learned, and the latest still folded.

    >>> Windowing(Microseconds(300), Microseconds(20)).first_open(1_000)
    3
    """

    tick: Microseconds
    allowed_lateness: Microseconds
    longest_wait: Microseconds = NOTHING
    latest: Microseconds = FOREVER

    def first_open(self, watermark: Any, usual: int = 0) -> Any:
        """Return the first tick that is open at a watermark, or at many: all before it have closed."""
        return (watermark - max(self.allowed_lateness, usual)) // self.tick


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Buffer:
    """What has arrived and is not folded yet. The ``watermark`` is the newest time seen.

    ``left_out`` counts what came too late to be folded at all, ``capped`` what was taken with a probability below
    `LEAST_PROBABILITY`. ``lateness`` is what is known of late answers, nothing before the first that came out of order;
    ``opened`` is the first open tick since then. ``keys`` are those of all series ever seen, numbered by ``index``.
    """

    watermark: Microseconds = NEVER
    left_out: int = 0
    capped: int = 0
    lateness: Lateness | None = None
    opened: int = int(NEVER)
    keys: tuple[Key, ...] = ()
    index: Mapping[Key, int] = field(default_factory=dict)
    pending: tuple[Arrivals, ...] = ()

    def receive(
        self,
        batch: Batch,
        accepted: Bools,
        choose: Callable[[Group], Key | None],
        windowing: Windowing,
        *,
        barrier: Barrier | None = None,
    ) -> tuple[Buffer, Arrivals | None]:
        """Take rows in; return the buffer, and the rows of ticks that have closed, if any.

        ``choose`` names the key of a group, or nothing where a gate does not fold it. Rows of no arm from before the
        ``barrier`` of their group are left out once its tick has been folded.
        """
        places = np.flatnonzero(accepted)
        if not places.size:
            return self, None
        at, group = batch.at[places], batch.group[places]
        truth, drawn = (
            np.zeros(len(at)) if column is None else column[places] for column in (batch.truth, batch.drawn)
        )
        until = np.full(len(at), FOREVER)
        if barrier is not None:
            until = np.where(batch.arm[places] == ARMS[None], barrier.last_tick(at, group), until)
        placed = self._with_labels(at, drawn < NOT_DRAWN, windowing, until)
        keys, index, codes = self._named(batch.groups, group[~placed.left_out], choose)
        waiting = np.flatnonzero(~placed.left_out & (codes[group] >= 0))
        taken = places[waiting]
        rows = Arrivals(
            at=at[waiting],
            tick=placed.tick[waiting],
            series=codes[group[waiting]],
            cluster=batch.cluster[taken],
            value=batch.value[taken],
            weight=1.0 / np.clip(batch.probability[taken], LEAST_PROBABILITY, 1.0),
            arm=batch.arm[taken],
            share=batch.share[taken],
            truth=truth[waiting],
            drawn=drawn[waiting],
        )
        buffer = Buffer(
            watermark=placed.watermark,
            left_out=self.left_out + int(np.count_nonzero(placed.left_out)),
            capped=self.capped + int(np.count_nonzero(batch.probability[taken] < LEAST_PROBABILITY)),
            lateness=placed.lateness,
            opened=placed.opened,
            keys=keys,
            index=index,
            pending=_stacked(self.pending, rows),
        )
        if placed.opened > self.first_open(windowing):
            return buffer.closing(placed.opened)
        return buffer, None

    def first_open(self, windowing: Windowing) -> int:
        """Return the first tick that has not closed."""
        return int(windowing.first_open(self.watermark)) if self.lateness is None else self.opened

    def open_at(self, at: datetime, windowing: Windowing) -> int:
        """Return the tick of an instant, or the first that is still open."""
        return max(microseconds(at) // windowing.tick, self.first_open(windowing))

    def usual(self, windowing: Windowing) -> Microseconds:
        """Return the lateness that is usual by now, 0 if it is allowed anyway: a verdict reads no tick before it."""
        if self.lateness is None:
            return Microseconds(0)
        usual = self.lateness.wait(self.watermark // HOUR, windowing.longest_wait)
        return usual if usual > windowing.allowed_lateness else Microseconds(0)

    def _with_labels(self, at: Integers, told: Bools, windowing: Windowing, until: Integers) -> _Placed:
        """Say which tick rows are folded with, of which some tell the label of an earlier answer (``told``).

        A label is folded with its answer, or with the first tick that is open when it comes. How long people take says
        nothing of how late answers come.
        """
        if not told.any():
            return self._placed(at, windowing, until)
        before = self.first_open(windowing)
        placed = _Placed(at[:0], told[:0], self.watermark, before, self.lateness, at[:0])
        if not told.all():
            placed = self._placed(at[~told], windowing, until[~told])
        tick, left_out = at // windowing.tick, np.zeros(len(at), np.bool_)
        opened = np.concatenate(([before], placed.after))[np.cumsum(~told)]
        tick[told] = np.maximum(tick, opened)[told]
        tick[~told], left_out[~told] = placed.tick, placed.left_out
        return placed._replace(tick=tick, left_out=left_out)

    def _placed(self, at: Integers, windowing: Windowing, until: Integers) -> _Placed:
        """Say which tick rows are folded with, as they arrive; those that would be after the tick ``until`` are not."""
        marks = np.maximum(np.maximum.accumulate(at), self.watermark)
        behind = marks - at
        own, opened, lateness = at // windowing.tick, self.first_open(windowing), self.lateness
        tick, left_out, open_after = own.copy(), np.zeros(len(at), np.bool_), windowing.first_open(marks)
        begun = 0 if lateness is not None else _first(behind > 0)
        if begun:
            # Nothing was out of order so far, so nothing can be late.
            opened = max(opened, int(windowing.first_open(marks[begun - 1])))
        hours = marks // HOUR
        for start, end in pairwise(_edges(hours, begun)):
            hour, here = int(hours[start]), slice(start, end)
            lateness = lateness or Lateness()
            usual = lateness.wait(hour, windowing.longest_wait)
            after = np.maximum(np.maximum.accumulate(windowing.first_open(marks[here], usual)), opened)
            before = np.concatenate(([opened], after[:-1]))
            tick[here] = np.maximum(own[here], before)
            late = tick[here] > own[here]
            left_out[here] = late & (behind[here] > windowing.latest) | (tick[here] > until[here])
            waited = np.where(behind[here] > windowing.longest_wait, BEYOND, behind[here])
            lateness = lateness.noted(hour, waited, late, left_out[here])
            open_after[here], opened = after, int(after[-1])
        return _Placed(tick, left_out, Microseconds(int(marks[-1])), opened, lateness, open_after)

    def closing(self, first: int) -> tuple[Buffer, Arrivals | None]:
        """Return the buffer without what is folded before the tick ``first``, and what was."""
        waiting = joined(self.pending)
        closed = waiting.tick < first
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
        known = {} if self.lateness is None else {"lateness": self.lateness.dump(), "opened": self.opened}
        return {
            "clock": self.watermark,
            "late": self.left_out,
            **({"capped": self.capped} if self.capped else {}),
            **known,
            "keys": [self.keys[place] for place in order],
            "pending": {
                stored: (places[rows.series] if name == "series" else getattr(rows, name)).tolist()
                for name, stored in STORED.items()
                # While nothing is late it is the tick of their own time.
                if (known or name != "tick" or (rows.drawn < NOT_DRAWN).any())
                and (name not in OF_LABELS or rows.drawn.any())
            },
        }

    def order(self) -> list[int]:
        """Return the numbers of all keys, sorted by the keys."""
        return sorted(range(len(self.keys)), key=lambda place: self.keys[place])

    @classmethod
    def load(cls, dumped: Mapping[str, Any], windowing: Windowing) -> Buffer:
        """Restore what `dump` returned."""
        keys = tuple(tuple(tuple((name, value) for name, value in part) for part in key) for key in dumped["keys"])
        pending = dict(dumped["pending"])
        pending.setdefault("tick", np.array(pending["at"], np.int64) // windowing.tick)
        for name in OF_LABELS:
            pending.setdefault(name, np.zeros(len(pending["at"])))
        rows = Arrivals(**{name: np.array(pending[STORED[name]], kind) for name, kind in COLUMNS.items()})
        return cls(
            watermark=dumped["clock"],
            left_out=dumped["late"],
            capped=dumped.get("capped", 0),
            lateness=Lateness.load(dumped["lateness"]) if "lateness" in dumped else None,
            opened=dumped.get("opened", int(NEVER)),
            keys=keys,
            index={key: place for place, key in enumerate(keys)},
            pending=(rows,) if len(rows) else (),
        )


class _Placed(NamedTuple):
    """Rows by the tick they are folded with, which are left out, and what is known after them.

    ``after`` is the first open tick after each.
    """

    tick: Integers
    left_out: Bools
    watermark: Microseconds
    opened: int
    lateness: Lateness | None
    after: Integers


def _first(there: Bools) -> int:
    """Return the first place that is true, the length where none is."""
    return int(np.argmax(there)) if there.any() else len(there)


def _edges(hours: Integers, begun: int) -> list[int]:
    """Return where each hour begins from a row on, and the end."""
    if begun >= len(hours):
        return []
    return [begun, *(np.flatnonzero(np.diff(hours[begun:])) + 1 + begun).tolist(), len(hours)]


def by_tick(rows: Arrivals, tick: Microseconds) -> list[tuple[int, Arrivals]]:
    """Return rows by the tick that they are folded with, inside it in the order of their times.

    What came late to a tick comes before its own rows, in parts of an hour of its own time (of a tick, where that is
    longer), so that there it is folded bit by bit as it would have been.
    """
    if not len(rows):
        return []
    own, part = rows.at // tick, max(HOUR, tick)
    late = own < rows.tick
    if late.any():
        begin = np.where(late, rows.at // part * part, rows.tick * tick)
        order = np.lexsort((rows.at, begin, rows.tick))
        changes = (np.diff(rows.tick[order]) != 0) | (np.diff(begin[order]) != 0)
    else:
        order = np.argsort(rows.at, kind="stable")
        changes = np.diff(own[order]) != 0
    edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(order)]
    number = rows.tick[order]
    return [(int(number[start]), rows.taken(order[start:end])) for start, end in pairwise(edges)]


def _stacked(chunks: tuple[Arrivals, ...], rows: Arrivals) -> tuple[Arrivals, ...]:
    """Append, merging chunks of like size: one row at a time costs the logarithm of what waits."""
    if not len(rows):
        return chunks
    held = list(chunks)
    while held and len(held[-1]) <= len(rows):
        rows = joined([held.pop(), rows])
    return (*held, rows)
