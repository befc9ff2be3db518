"""Many e-detectors at once: the state of all slices, as columns. `gates.monitoring.advance` moves it by a tick.

A series has its own reference; a slice-epoch has one e-detector, whose bets are made on all of its series
(`gates.windowing.series`). What is proved of it stands in `gates.evidence.detector`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from gates.evidence import detector
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import ClusterMemory
from gates.evidence.reference import NOTHING_SEEN, Moments
from gates.units.instants import Microseconds
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN
from gates.windowing.windows import Ring

PARTS = 24
"""Parts of the window of recent answers; the oldest leaves as a whole."""

NONE: Integers = np.zeros(0, np.int64)

LEAST_THRESHOLD = 20.0
"""No alarm on less evidence than an e-value of 20, what a test at 5 % asks for, however few slices there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the detectors go by; lengths are in ticks, and ``tick`` is that of a tick.

    ``sign`` is 1 where a higher value is worse, -1 where a lower one is. ``weekly_weight`` is the start weight given in
    a week, ``change_weight`` that given at a change; with ``reset_on_change`` all evidence begins there, and the
    reference ends for as long as ``hold``. ``alarms_per_week`` are those accepted over all slices, and ``threshold`` is
    what alarms are decided by instead; ``fdr`` is the error of joint alarms. A cluster is remembered for ``silence``.
    """

    sign: int
    tick: Microseconds
    week: float
    reference: int
    min_reference: int
    silence: int
    part: int
    weekly_weight: float
    change_weight: float
    hold: int
    alarms_per_week: float
    fdr: float | None
    tolerance: float | None = None
    declared: float | None = None
    slices: int | None = None
    threshold: float | None = None
    reset_on_change: bool = False

    def alarm_threshold(self, watched: int) -> float:
        """Return ``A``: how much evidence is an alarm when so many slices are watched."""
        if self.threshold is not None:
            return self.threshold
        return max(LEAST_THRESHOLD, (self.slices or watched) / self.alarms_per_week)


class RecentWeights(NamedTuple):
    """Of the weights of two days, by series and day: number, sum, sum of squares, and the largest."""

    n: Floats
    total: Floats
    squares: Floats
    heaviest: Floats


@dataclass(slots=True, eq=False, kw_only=True)
class SeriesTable(ColumnTable):
    """Columns over series: the slice-epoch, sums of the reference, how many answers it was taken at, what came of it.

    ``q0`` is 0 while there is no reference, ``variance`` is that of a loss where weights are equal. ``lately`` holds
    `RecentWeights` of the day ``day`` and of the one before. `gates.monitoring.advance` writes into a copy.
    """

    epoch: Integers = field(metadata={"derived": True})
    moments: Floats = field(metadata={"fill": NOTHING_SEEN})
    taken: Floats
    q0: Floats
    variance: Floats
    icc: Floats
    since: Integers = field(metadata={"fill": UNKNOWN})
    pinned: Bools
    lately: Floats = field(metadata={"fill": np.zeros((2, len(RecentWeights._fields)))})
    day: Integers = field(metadata={"fill": UNKNOWN})

    @property
    def seen(self) -> Moments[Floats]:
        """The sums of the references, as columns."""
        return Moments.columns(self.moments)

    @property
    def weights(self) -> RecentWeights:
        """The weights of the last two days, as columns."""
        return RecentWeights(*self.lately.transpose(2, 0, 1))


@dataclass(slots=True, eq=False, kw_only=True)
class EpochTable(ColumnTable):
    """Columns over slice-epochs: ``M_j`` by bet, the tick until which it is updated, start weight still to be given.

    ``changed`` and ``alarmed`` are the ticks of the last change and alarm. ``alarms`` counts alarms; ``together`` says
    that the last one was raised by e-BH; ``level`` is the evidence as the last answers left it, and of an alarm what
    raised it; ``name`` is a hash of the slice-epoch. `gates.monitoring.advance` writes into a copy.
    """

    evidence: Floats = field(metadata={"fill": np.zeros(len(detector.SHIFTS))})
    updated_at: Integers = field(metadata={"fill": UNKNOWN, "stored": "moved"})
    pending_weight: Floats = field(metadata={"stored": "owed"})
    changed: Integers = field(metadata={"fill": UNKNOWN})
    alarmed: Integers = field(metadata={"fill": UNKNOWN})
    alarms: Integers
    together: Bools
    level: Floats
    name: Integers = field(metadata={"derived": True})

    @property
    def standing(self) -> Floats:
        """The evidence since the last alarm; ``level`` goes on to show what raised one until the next answers come."""
        spent = (self.alarmed != UNKNOWN) & (self.alarmed + 1 >= self.updated_at)
        return np.where(spent, 0.0, self.level)

    def watched(self, tick: int, rules: Rules) -> int:
        """Return ``K``: how many slice-epochs had answers within the length of a reference."""
        return int(np.count_nonzero(self.updated_at > tick - rules.reference))

    def held(self, tick: int, rules: Rules) -> Bools:
        """Return which alarmed lately."""
        return np.asarray((self.alarmed != UNKNOWN) & (tick - self.alarmed <= rules.hold))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Monitor:
    """The state: series, slice-epochs, the clusters remembered, and the totals of recent answers by slice-epoch."""

    series: SeriesTable
    epochs: EpochTable
    memory: ClusterMemory
    recent: Ring

    @classmethod
    def empty(cls, epoch_of: Integers = NONE, names: Integers = NONE) -> Monitor:
        """Return the state before any tick, of these series, each in its slice-epoch."""
        return cls(
            series=SeriesTable.empty(len(epoch_of), epoch=epoch_of),
            epochs=EpochTable.empty(len(names), name=names),
            memory=ClusterMemory(),
            recent=Ring.of(len(names), PARTS),
        )

    def grown(self, epoch_of: Integers, names: Integers) -> Monitor:
        """Return the state with room for these series and slice-epochs; nothing is taken away."""
        if len(epoch_of) == len(self.series.epoch):
            return self
        new = Monitor.empty(epoch_of[len(self.series.epoch) :], names[len(self.epochs.name) :])
        return replace(
            self,
            series=self.series.stacked(new.series),
            epochs=self.epochs.stacked(new.epochs),
            recent=self.recent.stacked(new.recent),
        )

    def copied(self) -> Monitor:
        """Return a copy that may be written to."""
        return replace(self, series=self.series.copied(), epochs=self.epochs.copied(), recent=self.recent.copied())

    def dumped(self, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return the state as JSON takes it, its series and slice-epochs in the orders given."""
        return {
            "lines": self.series.dumped(series),
            "cells": self.epochs.dumped(epochs),
            "memory": self.memory.dump(),
            "recent": self.recent.dumped(epochs),
        }

    @classmethod
    def load(cls, data: Mapping[str, Any], epoch_of: Integers, names: Integers) -> Monitor:
        """Restore what `dumped` returned, for series and slice-epochs in its order."""
        empty = cls.empty(epoch_of, names)
        return cls(
            series=empty.series.restored(data["lines"]),
            epochs=empty.epochs.restored(data["cells"]),
            memory=ClusterMemory.load(data["memory"]),
            recent=empty.recent.restored(data["recent"]),
        )
