"""One tick of many e-detectors, in the letters of `gates.evidence.detector`.

For the losses ``y`` of a slice, with weights ``v`` in (0, 1], a level ``q`` that is at least their mean where nothing
is wrong, and bets ``lam_j``:

1. `Shown.level`: ``q >= E[y | past]``, the reference's ``q0`` raised by what the cluster of each answer has shown;
2. `factors`: ``1 + lam_j g`` with the gain ``g = v (y - q)``;
3. `accumulate`: ``M_j <- (M_j + dW) prod (1 + lam_j g)``, with the start weight ``dW``.

The same is done for all traffic (`gates.monitoring.parents`), and over weeks against the first references
(`gates.monitoring.creep`). What fails is held against its failed level instead
(`gates.monitoring.returns`), alarms are raised where ``mean_j M_j`` is large enough (`gates.monitoring.alarms`), and
the tick is learned from (`gates.monitoring.references`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gates.evidence.arrays import Bools
from gates.monitoring import creep, parents
from gates.monitoring.alarms import raise_alarms
from gates.monitoring.bets import Bet, Sizes, accumulate, shown_by_clusters
from gates.monitoring.detectors import PARENT, EpochTable, Monitor, RecentWeights, SeriesTable
from gates.monitoring.levels import hourly_levels
from gates.monitoring.references import learn
from gates.monitoring.returns import recover
from gates.monitoring.rules import Rules
from gates.monitoring.tick import Tick
from gates.windowing.watermark import UNKNOWN, Arrivals, by_tick


def advance(state: Monitor, rows: Arrivals, rules: Rules, changes: Sequence[tuple[int, Bools]] = ()) -> Monitor:
    """Return the state after these ticks; the state given stays as it was.

    ``changes`` are the ticks at which something changed, in order, and the slice-epochs touched.
    """
    state, coming = state.copied(), list(changes)
    for number, part in by_tick(rows, rules.tick):
        while coming and coming[0][0] <= number:
            begin_anew(state, *coming.pop(0), rules)
        state = fold(state, number, part, rules)
    for number, touched in coming:
        begin_anew(state, number, touched, rules)
    return state


def fold(state: Monitor, number: int, rows: Arrivals, rules: Rules) -> Monitor:
    """Return the state after the answers of one tick, as `by_tick` has them; its tables are written to."""
    series, epochs = state.series, state.epochs
    tick = Tick.of(number, rows, series.epoch, rules.sign, rules.tick)
    note_weights(series, tick, rules)
    bet = Bet(
        number,
        tick.own,
        tick.epoch,
        Sizes.of(series, tick.series, hourly_levels(series, tick.series, tick.own, rules)),
        (),
        tick.weight,
        tick.loss,
    )
    memory, shown = shown_by_clusters(bet, epochs.name, state.memory, tick, rules)
    bet, since = replace(bet, shown=(shown,)), epochs.updated_at.copy()
    accumulate(epochs, bet, rules)
    recover(epochs, bet, since, rules)
    whole = parents.advance(state, tick, bet, rules) if rules.parents else None
    if rules.creeps:
        creep.advance(state, tick, bet, whole, rules)
    hear(epochs, tick, rules)
    state.recent.add(number // rules.part, tick.epoch, tick.weight, tick.loss)
    if rules.alarms:
        raise_alarms(state, number, rules)
        creep.raise_alarms(state, number, rules)
    learn(series, epochs, tick, rules)
    return replace(state, memory=memory)


def begin_anew(state: Monitor, number: int, touched: Bools, rules: Rules) -> Bools:
    """Note a change: start weight is given with the next answers of those touched that are watched, and of all.

    Return which were. Where all evidence begins with a change, so does that of a slice whose reference has just been
    completed and which no answer was bet on yet.
    """
    epochs, groups = state.epochs, state.groups
    if rules.reset_on_change:
        ready = np.bincount(state.series.epoch, weights=state.series.q0 > 0.0, minlength=len(touched)) > 0.0
        fresh = touched & ready & (epochs.updated_at == UNKNOWN)
        epochs.updated_at[fresh] = number
    watched = np.asarray(touched & (epochs.updated_at != UNKNOWN))
    if rules.reset_on_change:
        epochs.evidence[watched] = epochs.pending_weight[watched] = epochs.level[watched] = 0.0
    epochs.pending_weight[watched] += rules.change_weight
    epochs.changed[watched] = number
    whole = np.unique(2 * epochs.group[watched] + PARENT)
    groups.pending_weight[whole] += rules.change_weight
    groups.changed[whole] = number
    return watched


def note_weights(series: SeriesTable, tick: Tick, rules: Rules) -> None:
    """Keep the weights of the last two days: gains are scaled by the largest, bets by their mean."""
    touched = tick.touched
    day = int(tick.number // (rules.week / 7.0))
    passed = day - series.day[touched]
    series.lately[touched[passed == 1], 1] = series.lately[touched[passed == 1], 0]
    series.lately[touched[passed > 1], 1] = 0.0
    series.lately[touched[passed > 0], 0] = 0.0
    series.day[touched] = day
    today, many = RecentWeights(*(column[:, 0] for column in series.weights)), len(series.day)
    today.n[:] += np.bincount(tick.series, minlength=many)
    today.total[:] += np.bincount(tick.series, weights=tick.weight, minlength=many)
    today.squares[:] += np.bincount(tick.series, weights=tick.weight**2, minlength=many)
    np.maximum.at(today.heaviest, tick.series, tick.weight)


def hear(epochs: EpochTable, tick: Tick, rules: Rules) -> None:
    """Count the answers of slice-epochs, each for half after a week."""
    n = np.bincount(tick.epoch, minlength=len(epochs.answers))
    there = np.flatnonzero(n)
    passed = np.where(epochs.heard[there] == UNKNOWN, 0, tick.number - epochs.heard[there])
    epochs.answers[there] = epochs.answers[there] * 0.5 ** (np.maximum(passed, 0) / rules.week) + n[there]
    epochs.first[there] = np.where(epochs.first[there] == UNKNOWN, tick.number, epochs.first[there])
    epochs.heard[there] = tick.number
