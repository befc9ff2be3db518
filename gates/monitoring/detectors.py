"""Many e-detectors at once: the state of all slices, as columns. `gates.monitoring.advance` moves it by a tick.

A series has its own reference; a slice-epoch has one e-detector, whose bets are made on all of its series
(`gates.windowing.series`). What is proved of it stands in `gates.evidence.detector`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from gates.evidence import detector, recovery
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import ClusterMemory
from gates.evidence.profile import HOURS
from gates.evidence.reference import NOTHING_SEEN, Moments
from gates.units.instants import Microseconds
from gates.windowing.series import SeriesIndex
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN
from gates.windowing.windows import Ring

PARTS = 24
"""Parts of the window of recent answers; the oldest leaves as a whole."""

NO_SERIES = SeriesIndex()

STATES = 2
"""Version of what a `Monitor` holds; raised with its meaning, so that no checkpoint is taken for what it is not."""

LEAST_THRESHOLD = 20.0
"""No alarm on less evidence than an e-value of 20, what a test at 5 % asks for, however few slices there are."""

PARENT_SHARE = MEAN_SHARE = 0.05
"""Parts of the false alarms accepted that all traffic has, and the mean of the slices' evidence."""

PARENTS_FROM = 10
"""Slices from which on these are judged beside the slices: fewer show by themselves as soon what all of them share."""

PARENT, MEAN = 0, 1
"""The two rows of a group: its e-detector over all traffic, and the mean of the evidence of its slices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the detectors go by; lengths are in ticks, and ``tick`` is that of a tick.

    ``sign`` is 1 where a higher value is worse, -1 where a lower one is. ``weekly_weight`` is the start weight given in
    a week, ``change_weight`` that given at a change; with ``reset_on_change`` all evidence begins there, and the
    reference ends for as long as ``hold``. ``alarms_per_week`` are those accepted over all slices, and ``threshold`` is
    what alarms are decided by instead; ``fdr`` is the error of joint alarms. A cluster is remembered for ``silence``.
    With ``recovers`` what alarmed fails, for ``hold`` and until its recovery is shown; without, its evidence begins
    anew. With ``parents`` all traffic, and the mean of the slices' evidence, are judged beside `PARENTS_FROM` slices or
    more. A reference takes at least ``min_reference`` answers and ``min_time``. With ``own_past`` it has a profile of
    the week, and series without one are held against those like them (`gates.monitoring.levels`). With ``calibrated``
    slices have thresholds by their pasts (`gates.evidence.calibration`).
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
    recovers: bool = False
    parents: bool = False
    min_time: int = 0
    own_past: bool = False
    calibrated: bool = False

    def count(self, watched: int) -> int:
        """Return ``K``: the slices that false alarms are shared out over, when so many are watched."""
        return self.slices or watched

    def slice_share(self, watched: int) -> float:
        """Return the part of the false alarms accepted that is left to slices, where parents have theirs."""
        return 1.0 - PARENT_SHARE - MEAN_SHARE if self.parents and self.count(watched) >= PARENTS_FROM else 1.0

    def alarm_threshold(self, watched: int) -> float:
        """Return ``A``: how much evidence of a slice is an alarm when so many slices are watched."""
        if self.threshold is not None:
            return self.threshold
        return max(LEAST_THRESHOLD, self.count(watched) / (self.slice_share(watched) * self.alarms_per_week))


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

    ``cells`` holds the weights, and the weighted losses, by hour of the week until the reference is ``pinned``;
    ``offset`` is the profile that came of them, ``tolerance`` what ``q0`` has beyond the upper bound because of it, and
    ``ratio`` that of `gates.evidence.calibration`, 0 before it is known. ``aside`` and ``aside_cells`` are the same
    sums over answers that were in doubt; ``doubts`` counts how often that began and ended. ``pool`` numbers what a
    series is alike with: all slices in the same stratum and epoch.
    """

    epoch: Integers = field(metadata={"derived": True})
    pool: Integers = field(metadata={"derived": True})
    moments: Floats = field(metadata={"fill": NOTHING_SEEN})
    taken: Floats
    q0: Floats
    variance: Floats
    icc: Floats
    since: Integers = field(metadata={"fill": UNKNOWN})
    pinned: Bools
    tolerance: Floats = field(metadata={"later": True})
    ratio: Floats = field(metadata={"later": True})
    cells: Floats = field(metadata={"fill": np.zeros((HOURS, 2)), "later": True})
    offset: Floats = field(metadata={"fill": np.zeros(HOURS), "later": True})
    aside: Floats = field(metadata={"fill": NOTHING_SEEN, "later": True})
    aside_cells: Floats = field(metadata={"fill": np.zeros((HOURS, 2)), "later": True})
    doubted: Bools = field(metadata={"later": True})
    doubts: Integers = field(metadata={"later": True})
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


class Likeness(NamedTuple):
    """Sums over losses in deviations from the mean of their series: see `Moments`; a cluster is a tick."""

    n: Floats
    plain: Floats
    plain2: Floats
    clusters: Floats
    cluster2: Floats
    between: Floats


@dataclass(slots=True, eq=False, kw_only=True)
class DetectorTable(ColumnTable):
    """Columns over e-detectors: ``M_j`` by bet, the tick until which it is updated, start weight still to be given.

    ``changed`` and ``alarmed`` are the ticks of the last change and alarm. ``alarms`` counts alarms; ``together`` says
    that the last one was raised by e-BH; ``level`` is the evidence as the last answers left it, and of an alarm what
    raised it. What is ``failing`` has its evidence frozen. What its ``fault`` has shown, the ``shift`` by that, the
    ``proof`` of recovery and the ``balance`` since that began to grow: `gates.evidence.recovery`. They are written into
    a copy, by `gates.monitoring.advance`.
    """

    evidence: Floats = field(metadata={"fill": np.zeros(len(detector.SHIFTS))})
    updated_at: Integers = field(metadata={"fill": UNKNOWN, "stored": "moved"})
    pending_weight: Floats = field(metadata={"stored": "owed"})
    changed: Integers = field(metadata={"fill": UNKNOWN})
    alarmed: Integers = field(metadata={"fill": UNKNOWN})
    alarms: Integers
    together: Bools
    level: Floats
    failing: Bools
    shift: Floats
    proof: Floats = field(metadata={"fill": np.zeros(len(recovery.RETURNS))})
    fault: Floats = field(metadata={"fill": np.zeros(len(recovery.Balance._fields))})
    balance: Floats = field(metadata={"fill": np.zeros(len(recovery.Balance._fields))})

    @property
    def standing(self) -> Floats:
        """The evidence since the last alarm; ``level`` goes on to show what raised one until the next answers come."""
        spent = (self.alarmed != UNKNOWN) & (self.alarmed + 1 >= self.updated_at) & ~self.failing
        return np.where(spent, 0.0, self.level)


@dataclass(slots=True, eq=False, kw_only=True)
class EpochTable(DetectorTable):
    """The e-detectors of slice-epochs.

    ``suspected`` says of a slice that it is part of what a parent alarms over, by row of the parent. ``answers`` counts
    those that came until ``heard``, each for half after a week; ``first`` is the tick of the first. ``name`` is a hash
    of the slice-epoch, ``slice`` numbers its slice, ``group`` what measures it.
    """

    suspected: Bools = field(metadata={"fill": np.zeros(2, np.bool_)})
    answers: Floats
    first: Integers = field(metadata={"fill": UNKNOWN})
    heard: Integers = field(metadata={"fill": UNKNOWN})
    name: Integers = field(metadata={"derived": True})
    slice: Integers = field(metadata={"derived": True})
    group: Integers = field(metadata={"derived": True})

    def watched(self, tick: int, rules: Rules) -> int:
        """Return ``K``: how many slices had answers within the length of a reference."""
        return int(np.count_nonzero(self.watching(tick, rules)))

    def watching(self, tick: int, rules: Rules) -> Bools:
        """Return which are judged: those with answers within the length of a reference."""
        return np.asarray((self.updated_at > tick - rules.reference) & self.current)

    @property
    def current(self) -> Bools:
        """Which slice-epochs are measured by what measured their slice last; the others are over."""
        newest = np.full(int(self.slice.max(initial=-1)) + 1, UNKNOWN)
        np.maximum.at(newest, self.slice, self.heard)
        return np.asarray(self.heard == newest[self.slice])

    def held(self, tick: int, rules: Rules) -> Bools:
        """Return which fail, or alarmed lately, by themselves or as part of all traffic."""
        lately = (self.alarmed != UNKNOWN) & (tick - self.alarmed <= rules.hold)
        return np.asarray(self.failing | self.suspected.any(axis=1) | lately)


@dataclass(slots=True, eq=False, kw_only=True)
class GroupTable(DetectorTable):
    """The e-detectors of groups, two rows each (`PARENT`, `MEAN`); a group is what one scorer and judge measure.

    ``alike`` holds the sums by which the answers of a tick are seen to fail together over slices.
    """

    alike: Floats = field(metadata={"fill": np.zeros(len(Likeness._fields))})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Monitor:
    """The state: series, slice-epochs, groups, the clusters remembered, and the totals of recent answers."""

    series: SeriesTable
    epochs: EpochTable
    groups: GroupTable
    memory: ClusterMemory
    recent: Ring

    @classmethod
    def empty(cls, index: SeriesIndex = NO_SERIES) -> Self:
        """Return the state before any tick, with room for what the index numbers."""
        return cls(
            series=SeriesTable.empty(len(index.epoch_of), epoch=index.epoch_of, pool=index.pool_of),
            epochs=EpochTable.empty(len(index.names), name=index.names, slice=index.slice_of, group=index.group_of),
            groups=GroupTable.empty(2 * index.groups),
            memory=ClusterMemory(),
            recent=Ring.of(len(index.names), PARTS),
        )

    def grown(self, index: SeriesIndex) -> Self:
        """Return the state with room for what the index numbers by now; nothing is taken away."""
        if len(index.epoch_of) == len(self.series.epoch):
            return self
        new = Monitor.empty(index)
        return replace(
            self,
            series=self.series.stacked(new.series.after(len(self.series.epoch))),
            epochs=self.epochs.stacked(new.epochs.after(len(self.epochs.name))),
            groups=self.groups.stacked(new.groups.after(len(self.groups.level))),
            recent=self.recent.stacked(new.recent.after(len(self.epochs.name))),
        )

    def copied(self) -> Self:
        """Return a copy that may be written to."""
        tables = {name: getattr(self, name).copied() for name in ("series", "epochs", "groups", "recent")}
        return replace(self, **tables)

    def dumped(self, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return the state as JSON takes it, its series and slice-epochs in the orders given."""
        groups = dict.fromkeys(self.epochs.group[np.array(epochs, np.int64)].tolist())
        return {
            "lines": self.series.dumped(series),
            "cells": self.epochs.dumped(epochs),
            "groups": self.groups.dumped([2 * group + row for group in groups for row in (PARENT, MEAN)]),
            "memory": self.memory.dump(),
            "recent": self.recent.dumped(epochs),
        }

    @classmethod
    def load(cls, data: Mapping[str, Any], index: SeriesIndex) -> Self:
        """Restore what `dumped` returned, for series and slice-epochs in its order."""
        empty = cls.empty(index)
        return cls(
            series=empty.series.restored(data["lines"]),
            epochs=empty.epochs.restored(data["cells"]),
            groups=empty.groups.restored(data["groups"]),
            memory=ClusterMemory.load(data["memory"]),
            recent=empty.recent.restored(data["recent"]),
        )
