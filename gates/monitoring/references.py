"""What is learned of a series while nothing is wrong with it: the reference that it is held against."""

from __future__ import annotations

import numpy as np

from gates.evidence.arrays import Integers
from gates.evidence.reference import Moments, reference
from gates.monitoring.detectors import EpochTable, Rules, SeriesTable
from gates.monitoring.tick import Tick
from gates.windowing.watermark import UNKNOWN

GROWTH = 1.25
"""A reference that still grows is taken anew whenever it has grown by a quarter."""


def learn(series: SeriesTable, epochs: EpochTable, tick: Tick, rules: Rules) -> None:
    """Add the tick to references that are not pinned, unless their slice alarmed lately or is half-way to it."""
    touched = tick.touched
    series.since[touched[series.since[touched] == UNKNOWN]] = tick.number
    complete = (tick.number >= series.since + rules.reference) & (series.seen.n >= rules.min_reference)
    series.pinned[touched[complete[touched]]] = True
    threshold = rules.alarm_threshold(epochs.watched(tick.number, rules))
    doubtful = (epochs.standing**2 >= threshold) | epochs.held(tick.number, rules)
    if rules.reset_on_change:
        doubtful |= (epochs.changed != UNKNOWN) & (tick.number - epochs.changed <= rules.hold)
    learning = touched[~series.pinned[touched] & ~doubtful[series.epoch[touched]]]
    if learning.size:
        _add(series, tick, learning)
    n, taken = series.seen.n[touched], series.taken[touched]
    grown = (n >= rules.min_reference) & (n >= GROWTH * taken)
    last = series.pinned[touched] & (n > taken)
    declared = (series.q0[touched] == 0.0) & (rules.declared is not None)
    for place in touched[grown | last | declared].tolist():
        moments = Moments(*series.moments[place].tolist())
        level = reference(moments, tolerated=rules.tolerance, declared=rules.declared)
        series.q0[place], series.variance[place], series.icc[place] = level
        series.taken[place] = moments.n


def _add(series: SeriesTable, tick: Tick, learning: Integers) -> None:
    series.moments[learning, :-1] += tick.moments(len(series.epoch))[learning]
    heaviest = np.ones(len(series.epoch))
    np.maximum.at(heaviest, tick.series, tick.weight)
    series.seen.heaviest[learning] = np.maximum(series.seen.heaviest[learning], heaviest[learning])
