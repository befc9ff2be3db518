"""Many detectors at once: the state of all slices, as columns. `gates.monitoring.advance` moves it by a tick.

A *line* is one stratum of one cell and has its own reference; a *cell* is one slice in one epoch and has one
e-detector, whose bets are made on all of its lines. What is proved of it stands in `gates.evidence.detector`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gates.evidence import detector
from gates.evidence.clusters import Memory
from gates.evidence.reference import Moments
from gates.inputs.observations import Bools, Floats, Integers
from gates.windowing import tables
from gates.windowing.watermark import UNKNOWN
from gates.windowing.windows import Ring

PARTS = 24
"""Parts of the window of recent answers; the oldest leaves as a whole."""

LEAST_THRESHOLD = 20.0
"""No alarm on less evidence than an e-value of 20, what a test at 5 % asks for, however few slices there are."""

DERIVED = ("cell", "name")
"""Columns of `Lines` and `Cells` that a state gets from its keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a monitor is told; lengths are in ticks, and that of a tick in microseconds.

    ``sign`` is 1 where a higher value is worse, -1 where a lower one is. ``per_week`` is the start weight of a week,
    ``lump`` that of a change; with ``afresh`` all evidence begins there, and the reference ends for as long as
    ``hold``. ``alarms`` are those accepted in a week, ``threshold`` is what they are decided by instead.
    """

    sign: int
    tick: int
    week: float
    reference: int
    least: int
    silence: int
    part: int
    per_week: float
    lump: float
    hold: int
    alarms: float
    alpha: float | None
    allowed: float | None = None
    declared: float | None = None
    slices: int | None = None
    threshold: float | None = None
    afresh: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Lines:
    """Columns over lines: the cell, sums of the reference, how many answers it was taken at, and what came of it.

    ``q0`` is 0 while there is no reference, ``variance`` is that of a loss where weights are equal. ``lately`` holds
    number, sum, sum of squares and largest of the weights of two days, the day ``day`` and the one before.
    """

    cell: Integers
    moments: Floats
    taken: Floats
    q0: Floats
    variance: Floats
    icc: Floats
    since: Integers
    pinned: Bools
    lately: Floats
    day: Integers


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cells:
    """Columns over cells: evidence by bet, the tick it was last moved, start weight owed, the last change and alarm.

    ``alarms`` counts alarms; ``together`` says that the last one was raised by e-BH; ``level`` is the evidence as the
    last answers left it, and of an alarm what raised it; ``name`` is a hash of the cell.
    """

    evidence: Floats
    moved: Integers
    owed: Floats
    changed: Integers
    alarmed: Integers
    alarms: Integers
    together: Bools
    level: Floats
    name: Integers


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Monitor:
    """The state: `Lines`, `Cells`, the clusters remembered, and what the window of recent answers holds by cell.

    That is: number of answers, sums of weight and weighted loss, and the largest weight.
    """

    lines: Lines
    cells: Cells
    memory: Memory
    recent: Ring

    @classmethod
    def empty(cls) -> Monitor:
        """Return the state before any tick."""
        return cls(
            lines=_lines(np.zeros(0, np.int64)),
            cells=_cells(np.zeros(0, np.int64)),
            memory=Memory(),
            recent=Ring.empty(0, PARTS, 4),
        )

    def grown(self, cell_of: Integers, names: Integers) -> Monitor:
        """Return the state with room for these lines, each in its cell, and these cells; nothing is taken away."""
        if len(cell_of) == len(self.lines.cell):
            return self
        lines, cells = _lines(cell_of[len(self.lines.cell) :]), _cells(names[len(self.cells.name) :])
        return replace(
            self,
            lines=tables.stacked(self.lines, lines),
            cells=tables.stacked(self.cells, cells),
            recent=tables.stacked(self.recent, Ring.empty(len(cells.name), PARTS, 4)),
        )

    def copied(self) -> Monitor:
        """Return a copy that may be written to."""
        return replace(
            self,
            lines=tables.each(self.lines, np.copy),
            cells=tables.each(self.cells, np.copy),
            recent=tables.each(self.recent, np.copy),
        )


def _lines(cell: Integers) -> Lines:
    n = len(cell)
    moments = np.zeros((n, len(Moments._fields)))
    moments[:, -1] = 1.0
    return Lines(
        cell=cell.astype(np.int64),
        moments=moments,
        taken=np.zeros(n),
        q0=np.zeros(n),
        variance=np.zeros(n),
        icc=np.zeros(n),
        since=np.full(n, UNKNOWN, np.int64),
        pinned=np.zeros(n, np.bool_),
        lately=np.zeros((n, 2, 4)),
        day=np.full(n, UNKNOWN, np.int64),
    )


def _cells(name: Integers) -> Cells:
    n = len(name)
    return Cells(
        evidence=np.zeros((n, len(detector.SHIFTS))),
        moved=np.full(n, UNKNOWN, np.int64),
        owed=np.zeros(n),
        changed=np.full(n, UNKNOWN, np.int64),
        alarmed=np.full(n, UNKNOWN, np.int64),
        alarms=np.zeros(n, np.int64),
        together=np.zeros(n, np.bool_),
        level=np.zeros(n),
        name=name.astype(np.int64),
    )


def threshold(rules: Rules, slices: int) -> float:
    """Return how much evidence is an alarm when so many slices are watched."""
    if rules.threshold is not None:
        return rules.threshold
    return max(LEAST_THRESHOLD, (rules.slices or slices) / rules.alarms)


def dumped(state: Monitor, lines: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
    """Return a state as JSON takes it, its lines and cells in the order given; which cell a line has is left out."""
    return {
        "lines": tables.dumped(state.lines, lines, DERIVED),
        "cells": tables.dumped(state.cells, cells, DERIVED),
        "memory": state.memory.dump(),
        "recent": tables.dumped(state.recent, cells, ()),
    }


def load(data: Mapping[str, Any], cell_of: Integers, names: Integers) -> Monitor:
    """Restore what `dumped` returned, for lines and cells in its order."""
    empty = Monitor.empty().grown(cell_of, names)
    return Monitor(
        lines=tables.restored(empty.lines, data["lines"], DERIVED),
        cells=tables.restored(empty.cells, data["cells"], DERIVED),
        memory=Memory.load(data["memory"]),
        recent=tables.restored(empty.recent, data["recent"]),
    )
