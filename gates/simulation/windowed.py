"""A `threshold` gate over simulated traffic: what it sums, as columns over slices."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.betting import Sums
from gates.inputs.observations import Batch
from gates.threshold import ThresholdGate
from gates.units.instants import microseconds
from gates.windowing.buckets import BUCKETS, NEVER


@dataclass(frozen=True, slots=True, eq=False)
class WindowState:
    """By place of a bucket: which it is, and of each slice the number of answers and sums of values and of squares."""

    index: Integers
    sums: Floats


@dataclass(frozen=True, slots=True)
class WindowedThreshold:
    """What a gate would say fails, of so many slices whose answers all weigh the same: the group is the slice.

    It sums and decides as the gate does, but solves no bounds and writes no reasons: a simulation looks at hundreds of
    slices thousands of times.
    """

    gate: ThresholdGate
    slices: int

    @property
    def length(self) -> timedelta:
        """The length of a tick of the gate, which has none."""
        return self.gate.length

    def initial(self) -> WindowState:
        """Return the state before any answer."""
        return WindowState(np.full(BUCKETS, NEVER), np.zeros((BUCKETS, 3, self.slices)))

    def fold(self, state: WindowState, batch: Batch) -> WindowState:
        """Return the state with the answers of a batch."""
        if not len(batch):
            return state
        bucket = np.asarray(self.gate.bucket(batch.at))
        index, sums = state.index.copy(), state.sums.copy()
        newest = max(int(bucket.max()), int(index.max()))
        kept = bucket > newest - BUCKETS
        for each in np.unique(bucket[kept]).tolist():
            place, mine = each % BUCKETS, bucket == each
            if index[place] != each:
                index[place], sums[place] = each, 0.0
            group, part = batch.group[mine], self.gate.scale.part(batch.value[mine])
            sums[place] += [
                np.bincount(group, weights=weights, minlength=self.slices)
                for weights in (np.ones(len(part)), part, part * part)
            ]
        return WindowState(index, sums)

    def settled(self, state: WindowState, at: datetime) -> WindowState:
        """Return the state as it is: every answer counts at once."""
        del at
        return state

    def failing(self, state: WindowState, at: datetime) -> Bools:
        """Return which slices fail at ``at``."""
        now = self.gate.bucket(microseconds(at))
        there = (state.index > now - BUCKETS) & (state.index <= now)
        n, values, squares = state.sums[there].sum(axis=0)
        return self.gate.breaks(Sums(n, n, values, n, values, squares))
