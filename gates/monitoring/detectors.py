"""Many e-detectors at once: the state of all slices, as columns. `gates.monitoring.advance` moves it by a tick.

A series has its own reference; a slice-epoch has one e-detector, whose bets are made on all of its series
(`gates.windowing.series`). What is proved of it stands in `gates.evidence.detector`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from gates.evidence import creep, detector, recovery
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import ClusterMemory
from gates.evidence.intervals import WeightedTotals
from gates.evidence.profile import HOURS
from gates.evidence.reference import NOTHING_SEEN, Moments
from gates.monitoring.rules import Rules
from gates.windowing.series import SeriesIndex
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN
from gates.windowing.windows import Ring

PARTS = 24
"""Parts of the window of recent answers; the oldest leaves as a whole."""

NO_SERIES = SeriesIndex()

STATES = 3
"""Version of what a `Monitor` holds; raised with its meaning, so that no checkpoint is taken for what it is not."""

RISEN = 1.0
"""Evidence from which on a rise has begun, should an alarm come of it: what is below it speaks for none."""

PARENT, MEAN = 0, 1
"""The two rows of a group: its e-detector over all traffic, and the mean of the evidence of its slices."""


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
    ``ratio`` that of `gates.evidence.calibration`, 0 before it is known; ``others`` is the mean of the other slices
    that the series is held against, 0 where it is held against its own past. ``aside`` and ``aside_cells`` are the same
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
    others: Floats = field(metadata={"later": True})
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


class Rise(NamedTuple):
    """Of the answers since evidence began to grow: `WeightedTotals` of losses, and the sum of weighted levels."""

    n: Floats
    weight: Floats
    weighted: Floats
    heaviest: Floats
    level: Floats

    @property
    def totals(self) -> WeightedTotals:
        """Those of the losses."""
        return WeightedTotals(self.n, self.weight, self.weighted, self.heaviest)


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
    raised it. Since the tick ``onset`` it has been `RISEN` or more, and ``rise`` holds what was seen in that time. What
    is ``failing`` has its evidence frozen. What its ``fault`` has shown, the ``shift`` by that, the
    ``proof`` of recovery, the ``balance`` since that began to grow, and the answers ``waited`` for since it was enough:
    `gates.evidence.recovery`; ``recovered`` is the tick in which one was last shown. They are written into a copy, by
    `gates.monitoring.advance`.
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
    onset: Integers = field(metadata={"fill": UNKNOWN, "later": True})
    rise: Floats = field(metadata={"fill": np.zeros(len(Rise._fields)), "later": True})
    recovered: Integers = field(metadata={"fill": UNKNOWN, "later": True})
    fault: Floats = field(metadata={"fill": np.zeros(len(recovery.Balance._fields))})
    balance: Floats = field(metadata={"fill": np.zeros(len(recovery.Balance._fields))})
    waited: Floats = field(metadata={"later": True})

    @property
    def standing(self) -> Floats:
        """The evidence since the last alarm; ``level`` goes on to show what raised one until the next answers come."""
        spent = (self.alarmed != UNKNOWN) & (self.alarmed + 1 >= self.updated_at) & ~self.failing
        return np.where(spent, 0.0, self.level)


@dataclass(slots=True, eq=False, kw_only=True)
class EpochTable(DetectorTable):
    """The e-detectors of slice-epochs.

    ``suspected`` says of a slice that it is part of what a parent alarms over, by row of the parent. ``answers`` counts
    those that came until ``heard``, each for half after a week; ``first`` is the tick of the first. ``peak`` is the
    most evidence there was while its references knew the week and were still learned. ``name`` is a hash of the
    slice-epoch, ``slice`` numbers its slice, ``group`` what measures it.
    """

    suspected: Bools = field(metadata={"fill": np.zeros(2, np.bool_)})
    peak: Floats = field(metadata={"later": True})
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


class CreepSums(NamedTuple):
    """Of the answers of a cohort: number, sums of weights, of weighted losses, of what these were, heaviest weight."""

    n: Floats
    weight: Floats
    loss: Floats
    before: Floats
    heaviest: Floats


@dataclass(slots=True, eq=False, kw_only=True)
class GroupTable(DetectorTable):
    """The e-detectors of groups, two rows each (`PARENT`, `MEAN`); a group is what one scorer and judge measure.

    ``alike`` holds the sums by which the answers of a tick are seen to fail together over slices.
    """

    alike: Floats = field(metadata={"fill": np.zeros(len(Likeness._fields))})


@dataclass(slots=True, eq=False, kw_only=True)
class FirstTable(ColumnTable):
    """Columns over series: the first reference, as slow detectors bet against it (`gates.evidence.creep`).

    ``level`` is its mean with what is tolerated, 0 until it is complete; ``error`` the squared error of that mean,
    ``rise`` what is bet on. ``bet`` sums what was bet on answers, by cohort; ``half_week`` is the last that began one.
    """

    level: Floats
    error: Floats
    rise: Floats
    bet: Floats = field(metadata={"fill": np.zeros(creep.COHORTS)})
    half_week: Integers = field(metadata={"fill": UNKNOWN})


@dataclass(slots=True, eq=False, kw_only=True)
class CreepTable(DetectorTable):
    """Slow detectors: the evidence of each cohort, and the `CreepSums` of its answers.

    ``begun`` is the tick in which the cohort began that raised the last alarm, and ``risen`` are the sums over all
    answers since then.
    """

    evidence: Floats = field(metadata={"fill": np.zeros(creep.COHORTS)})
    sums: Floats = field(metadata={"fill": np.zeros((creep.COHORTS, len(CreepSums._fields)))})
    half_week: Integers = field(metadata={"fill": UNKNOWN})
    begun: Integers = field(metadata={"fill": UNKNOWN})
    risen: Floats = field(metadata={"fill": np.zeros(len(CreepSums._fields))})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Creep:
    """The slow detectors: what series are held against, and the detectors of slice-epochs and of groups."""

    first: FirstTable
    epochs: CreepTable
    groups: CreepTable

    @classmethod
    def empty(cls, index: SeriesIndex) -> Self:
        """Return the state before any tick, with room for what the index numbers."""
        return cls(
            first=FirstTable.empty(len(index.epoch_of)),
            epochs=CreepTable.empty(len(index.names)),
            groups=CreepTable.empty(index.groups),
        )

    def grown(self, new: Creep) -> Self:
        """Return the state with the rows of an empty one that it has not."""
        return replace(
            self,
            first=self.first.stacked(new.first.after(len(self.first.level))),
            epochs=self.epochs.stacked(new.epochs.after(len(self.epochs.level))),
            groups=self.groups.stacked(new.groups.after(len(self.groups.level))),
        )

    def copied(self) -> Self:
        """Return a copy that may be written to."""
        return replace(self, first=self.first.copied(), epochs=self.epochs.copied(), groups=self.groups.copied())

    @property
    def idle(self) -> bool:
        """Whether there is no complete reference yet, and so nothing to keep."""
        return not self.first.level.any()

    def dumped(self, series: Sequence[int], epochs: Sequence[int], groups: Sequence[int]) -> dict[str, Any]:
        """Return the state as JSON takes it, its rows in the orders given."""
        return {
            "first": self.first.dumped(series),
            "cells": self.epochs.dumped(epochs),
            "groups": self.groups.dumped(groups),
        }

    def restored(self, data: Mapping[str, Any]) -> Self:
        """Return the state with what `dumped` returned."""
        return replace(
            self,
            first=self.first.restored(data["first"]),
            epochs=self.epochs.restored(data["cells"]),
            groups=self.groups.restored(data["groups"]),
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Monitor:
    """The state: series, slice-epochs, groups, the clusters remembered, the totals of recent answers, and creep."""

    series: SeriesTable
    epochs: EpochTable
    groups: GroupTable
    memory: ClusterMemory
    recent: Ring
    creep: Creep

    @classmethod
    def empty(cls, index: SeriesIndex = NO_SERIES) -> Self:
        """Return the state before any tick, with room for what the index numbers."""
        return cls(
            series=SeriesTable.empty(len(index.epoch_of), epoch=index.epoch_of, pool=index.pool_of),
            epochs=EpochTable.empty(len(index.names), name=index.names, slice=index.slice_of, group=index.group_of),
            groups=GroupTable.empty(2 * index.groups),
            memory=ClusterMemory(),
            recent=Ring.of(len(index.names), PARTS),
            creep=Creep.empty(index),
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
            creep=self.creep.grown(new.creep),
        )

    def copied(self) -> Self:
        """Return a copy that may be written to."""
        tables = {name: getattr(self, name).copied() for name in ("series", "epochs", "groups", "recent", "creep")}
        return replace(self, **tables)

    def dumped(self, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return the state as JSON takes it, its series and slice-epochs in the orders given."""
        groups = dict.fromkeys(self.epochs.group[np.array(epochs, np.int64)].tolist())
        slow = {} if self.creep.idle else {"creep": self.creep.dumped(series, epochs, [*groups])}
        return {
            "lines": self.series.dumped(series),
            "cells": self.epochs.dumped(epochs),
            "groups": self.groups.dumped([2 * group + row for group in groups for row in (PARENT, MEAN)]),
            "memory": self.memory.dump(),
            "recent": self.recent.dumped(epochs),
            **slow,
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
            creep=empty.creep.restored(data["creep"]) if "creep" in data else empty.creep,
        )
