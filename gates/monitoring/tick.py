"""The answers of one tick, in the order in which they are bet on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gates.evidence.arrays import Floats, Integers
from gates.evidence.clusters import Runs, begins
from gates.evidence.reference import moment_sums
from gates.inputs.observations import NO_CLUSTER
from gates.units.instants import Microseconds
from gates.windowing.watermark import Arrivals


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tick:
    """The answers of one tick, sorted by slice-epoch, cluster and time; ``runs`` are their clusters.

    ``own`` are the ticks of their own times, which are earlier where they came late: answers that name no conversation
    are in one cluster with those of their own tick. ``rank`` is their order by time alone. ``touched`` are the series
    that have answers, in order.
    """

    number: int
    rank: Integers
    own: Integers
    series: Integers
    epoch: Integers
    cluster: Integers
    weight: Floats
    loss: Floats
    runs: Runs
    touched: Integers

    @classmethod
    def of(cls, number: int, rows: Arrivals, epoch_of: Integers, sign: int, length: Microseconds) -> Tick:
        """Return the answers of a tick of this length, given in the order of their times."""
        epoch = epoch_of[rows.series]
        order = np.lexsort((rows.cluster, epoch))
        epoch, cluster, value = epoch[order], rows.cluster[order], rows.value[order]
        series, own = rows.series[order], rows.at[order] // length
        return cls(
            number=number,
            rank=order,
            own=own,
            series=series,
            epoch=epoch,
            cluster=cluster,
            weight=rows.weight[order],
            loss=value if sign > 0 else 1.0 - value,
            runs=Runs.at(begins(cluster, epoch, np.where(cluster > NO_CLUSTER, 0, own))),
            # They are few: counting is faster than sorting.
            touched=np.flatnonzero(np.bincount(series)),
        )

    def moments(self, series: int) -> Floats:
        """Return what this tick adds to the `Moments` of each of so many series, but for the heaviest weight."""
        return moment_sums(self.series, self.runs.of, self.weight, self.loss, series)
