"""What is learned of a series while nothing is wrong with it: the reference that it is held against.

A reference is ready with ``min_reference`` answers over ``min_time``: 300 answers of one night say nothing of noon.
What comes of it stands in `gates.monitoring.levels`.

What evidence there is once the week is known, until the reference is complete, is a replay of a slice's own past: its
peak says whether thresholds may be calibrated (`gates.monitoring.levels`).

What may be the beginning of an alarm is put aside. An incident is over once, or lasts; what has begun and ended
`RECURS` times while the week is not known is how the traffic swings, and is then learned with all the rest.
"""

from __future__ import annotations

import numpy as np

from gates.evidence.arrays import Bools, Integers
from gates.evidence.profile import WEEKS_NEEDED, hour_of_week
from gates.evidence.reference import NOTHING_SEEN
from gates.monitoring.detectors import EpochTable, SeriesTable
from gates.monitoring.levels import from_others, from_own_past
from gates.monitoring.rules import Rules
from gates.monitoring.tick import Tick
from gates.windowing.watermark import UNKNOWN

GROWTH = 1.25
"""A reference that still grows is taken anew whenever it has grown by a quarter."""

RECURS = 2
"""How often a doubt begins and ends before it is a swing rather than an incident.

An alarm ends only once recovery is shown, so in the two weeks until the week is known a weekly swing has two at most.
With three, of slices that swing by day and week by .03, one in four kept a reference without their worse hours."""


def learn(series: SeriesTable, epochs: EpochTable, tick: Tick, rules: Rules) -> None:
    """Add the tick to references that are not pinned, unless their slice alarmed lately or is half-way to it."""
    touched = tick.touched
    series.since[touched[series.since[touched] == UNKNOWN]] = tick.number
    complete = (tick.number >= series.since + rules.reference) & (series.seen.n >= rules.min_reference)
    series.pinned[touched[complete[touched]]] = True
    threshold = rules.alarm_threshold(epochs.watched(tick.number, rules))
    half_way = epochs.standing >= np.sqrt(threshold)
    doubtful = half_way | epochs.held(tick.number, rules)
    if rules.reset_on_change:
        doubtful |= (epochs.changed != UNKNOWN) & (tick.number - epochs.changed <= rules.hold)
    growing = touched[~series.pinned[touched]]
    _note_peaks(series, epochs, growing, rules)
    in_doubt = doubtful[series.epoch[growing]]
    if rules.own_past and growing.size:
        in_doubt &= ~_swings(series, epochs, growing, half_way)
        _add(series, tick, growing[in_doubt], rules, aside=True)
    _add(series, tick, growing[~in_doubt], rules)
    _take(series, epochs, tick, rules, threshold)


def _note_peaks(series: SeriesTable, epochs: EpochTable, learning: Integers, rules: Rules) -> None:
    """Keep the most evidence of slices that still learn, of what began once they knew the week."""
    of = series.epoch[learning]
    since = series.since[learning] + WEEKS_NEEDED * rules.week
    rows = of[(series.ratio[learning] > 0.0) & (epochs.onset[of] >= since)]
    epochs.peak[rows] = np.maximum(epochs.peak[rows], epochs.standing[rows])


def _swings(series: SeriesTable, epochs: EpochTable, learning: Integers, half_way: Bools) -> Bools:
    """Count how often doubt began and ended, and return which series swing; these learn what was put aside."""
    of = series.epoch[learning]
    over = series.doubted[learning] & (epochs.standing[of] < 1.0) & ~half_way[of]
    series.doubts[learning[over]] += 1
    series.doubted[learning] = (series.doubted[learning] & ~over) | half_way[of]
    swings = series.doubts[learning] >= RECURS
    back = learning[swings & (series.aside[learning, 0] > 0.0)]
    if back.size:
        series.moments[back, :-1] += series.aside[back, :-1]
        series.moments[back, -1] = np.maximum(series.moments[back, -1], series.aside[back, -1])
        series.cells[back] += series.aside_cells[back]
        series.aside[back], series.aside_cells[back] = NOTHING_SEEN, 0.0
    return np.asarray(swings)


def _take(series: SeriesTable, epochs: EpochTable, tick: Tick, rules: Rules, threshold: float) -> None:
    """Take the references anew that have grown, and those that are complete."""
    touched = tick.touched
    n, taken = series.seen.n[touched], series.taken[touched]
    lasted = tick.number + 1 - series.since[touched]
    enough = (n >= rules.min_reference) & (lasted >= rules.min_time)
    grown = n >= GROWTH * taken
    last = series.pinned[touched] & (n > taken)
    declared = (series.q0[touched] == 0.0) & (rules.declared is not None)
    due = touched[enough & grown | last | declared]
    if due.size:
        from_own_past(series, due, tick.number, rules, threshold)
    if not rules.own_past or rules.declared is not None:
        return
    little = touched[~enough & ~series.pinned[touched] & (grown | (series.q0[touched] == 0.0))]
    if little.size:
        from_others(series, epochs, little, tick.number, rules, threshold)


def _add(series: SeriesTable, tick: Tick, learning: Integers, rules: Rules, *, aside: bool = False) -> None:
    """Add the tick to the sums of some series, or to what is put aside."""
    if not learning.size:
        return
    sums, cells = (series.aside, series.aside_cells) if aside else (series.moments, series.cells)
    sums[learning, :-1] += tick.moments(len(series.epoch))[learning]
    heaviest = np.ones(len(series.epoch))
    np.maximum.at(heaviest, tick.series, tick.weight)
    sums[learning, -1] = np.maximum(sums[learning, -1], heaviest[learning])
    if rules.own_past:
        there: Bools = np.zeros(len(series.epoch), np.bool_)
        there[learning] = True
        rows = there[tick.series]
        where = tick.series[rows], hour_of_week(tick.own[rows], rules.tick)
        np.add.at(cells[:, :, 0], where, tick.weight[rows])
        np.add.at(cells[:, :, 1], where, tick.weight[rows] * tick.loss[rows])
