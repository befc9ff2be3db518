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
from gates.evidence.reference import Moments
from gates.units.instants import Microseconds
from gates.windowing import tables
from gates.windowing.watermark import UNKNOWN
from gates.windowing.windows import Ring

PARTS = 24
"""Parts of the window of recent answers; the oldest leaves as a whole."""

LEAST_THRESHOLD = 20.0
"""No alarm on less evidence than an e-value of 20, what a test at 5 % asks for, however few slices there are."""

DERIVED = ("epoch", "name")
"""Columns of `SeriesTable` and `EpochTable` that a state gets from the keys of its series."""


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


class Weights(NamedTuple):
    """Of the weights of two days, by series and day: number, sum, sum of squares, and the largest."""

    n: Floats
    total: Floats
    squares: Floats
    heaviest: Floats


@dataclass(slots=True, eq=False, kw_only=True)
class SeriesTable:
    """Columns over series: the slice-epoch, sums of the reference, how many answers it was taken at, what came of it.

    ``q0`` is 0 while there is no reference, ``variance`` is that of a loss where weights are equal. ``lately`` holds
    `Weights` of the day ``day`` and of the one before. `gates.monitoring.advance` writes into a copy.
    """

    epoch: Integers
    moments: Floats
    taken: Floats
    q0: Floats
    variance: Floats
    icc: Floats
    since: Integers
    pinned: Bools
    lately: Floats
    day: Integers

    @property
    def seen(self) -> Moments[Floats]:
        """The sums of the references, as columns."""
        return Moments.columns(self.moments)

    @property
    def weights(self) -> Weights:
        """The weights of the last two days, as columns."""
        return Weights(*np.moveaxis(self.lately, -1, 0))


@dataclass(slots=True, eq=False, kw_only=True)
class EpochTable:
    """Columns over slice-epochs: ``M_j`` by bet, the tick until which it is updated, start weight still to be given.

    ``changed`` and ``alarmed`` are the ticks of the last change and alarm. ``alarms`` counts alarms; ``together`` says
    that the last one was raised by e-BH; ``level`` is the evidence as the last answers left it, and of an alarm what
    raised it; ``name`` is a hash of the slice-epoch. `gates.monitoring.advance` writes into a copy.
    """

    evidence: Floats
    updated_at: Integers = field(metadata={"stored": "moved"})
    pending_weight: Floats = field(metadata={"stored": "owed"})
    changed: Integers
    alarmed: Integers
    alarms: Integers
    together: Bools
    level: Floats
    name: Integers

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
    def empty(cls) -> Monitor:
        """Return the state before any tick."""
        none = np.zeros(0, np.int64)
        return cls(series=_series(none), epochs=_epochs(none), memory=ClusterMemory(), recent=Ring.empty(0, PARTS))

    def grown(self, epoch_of: Integers, names: Integers) -> Monitor:
        """Return the state with room for these series, each in its slice-epoch; nothing is taken away."""
        if len(epoch_of) == len(self.series.epoch):
            return self
        epochs = _epochs(names[len(self.epochs.name) :])
        return replace(
            self,
            series=tables.stacked(self.series, _series(epoch_of[len(self.series.epoch) :])),
            epochs=tables.stacked(self.epochs, epochs),
            recent=tables.stacked(self.recent, Ring.empty(len(epochs.name), PARTS)),
        )

    def copied(self) -> Monitor:
        """Return a copy that may be written to."""
        return replace(
            self,
            series=tables.each(self.series, np.copy),
            epochs=tables.each(self.epochs, np.copy),
            recent=tables.each(self.recent, np.copy),
        )


def _series(epoch: Integers) -> SeriesTable:
    n = len(epoch)
    return SeriesTable(
        epoch=epoch.astype(np.int64),
        moments=Moments.empty(n),
        taken=np.zeros(n),
        q0=np.zeros(n),
        variance=np.zeros(n),
        icc=np.zeros(n),
        since=np.full(n, UNKNOWN, np.int64),
        pinned=np.zeros(n, np.bool_),
        lately=np.zeros((n, 2, len(Weights._fields))),
        day=np.full(n, UNKNOWN, np.int64),
    )


def _epochs(name: Integers) -> EpochTable:
    n = len(name)
    return EpochTable(
        evidence=np.zeros((n, len(detector.SHIFTS))),
        updated_at=np.full(n, UNKNOWN, np.int64),
        pending_weight=np.zeros(n),
        changed=np.full(n, UNKNOWN, np.int64),
        alarmed=np.full(n, UNKNOWN, np.int64),
        alarms=np.zeros(n, np.int64),
        together=np.zeros(n, np.bool_),
        level=np.zeros(n),
        name=name.astype(np.int64),
    )


def dumped(state: Monitor, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
    """Return a state as JSON takes it, its series and slice-epochs in the orders given, without what keys tell."""
    return {
        "lines": tables.dumped(state.series, series, DERIVED),
        "cells": tables.dumped(state.epochs, epochs, DERIVED),
        "memory": state.memory.dump(),
        "recent": tables.dumped(state.recent, epochs, ()),
    }


def load(data: Mapping[str, Any], epoch_of: Integers, names: Integers) -> Monitor:
    """Restore what `dumped` returned, for series and slice-epochs in its order."""
    empty = Monitor.empty().grown(epoch_of, names)
    return Monitor(
        series=tables.restored(empty.series, data["lines"], DERIVED),
        epochs=tables.restored(empty.epochs, data["cells"], DERIVED),
        memory=ClusterMemory.load(data["memory"]),
        recent=tables.restored(empty.recent, data["recent"]),
    )
