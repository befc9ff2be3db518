"""All traffic as one: an e-detector whose bets are made on the answers of every slice, each against its own level.

It asks whether no slice is worse than its level, as the detectors of the slices do, so another mix of slices cannot
raise it. Where all of them are a little worse, the evidence of all of them is in it at once.

Statement: as long as no answer is expected to be worse than its level, given the answers of *all* slices before it, the
evidence is that of one e-detector, with a start weight of 1 a week (`gates.evidence.detector`). Proof: answers are
taken in the order of their times; each factor is at least 0, its bet and level come from earlier answers, and its
conditional mean is at most 1. Slices that fail together by chance would break this, which is why levels are raised.

What fails together over slices fails by tick: so beside its own cluster, each answer lies in that of its tick, and its
level is raised by what the answers of other slices have shown in it (`gates.evidence.clusters`). How alike the answers
of a tick are is learned while nothing is wrong, as the intra-class correlation of losses in deviations from the mean of
their series (`gates.evidence.reference.icc`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gates.evidence import clusters
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import PASSING, ClusterMemory, Runs
from gates.evidence.reference import Moments, icc
from gates.monitoring.bets import Bet, Shown, accumulate
from gates.monitoring.detectors import MEAN, PARENT, Likeness, Monitor
from gates.monitoring.returns import end, recover
from gates.monitoring.rules import LEAST_THRESHOLD, Rules
from gates.monitoring.tick import Tick


def advance(state: Monitor, tick: Tick, bet: Bet, rules: Rules) -> tuple[Bet, Integers]:
    """Bet on the answers of a tick as a whole, and on the recovery of what fails as a whole, in place.

    Return that bet, and the order of its answers.
    """
    epochs, groups = state.epochs, state.groups
    since = groups.updated_at.copy()
    group = epochs.group[tick.epoch]
    order = np.lexsort((tick.rank, tick.own, group))
    runs = Runs.at(clusters.begins(group[order], tick.own[order]))
    parts = bet.taken(order)
    passing = np.full(len(runs.start), PASSING)
    _, n, mean = clusters.shown_before(ClusterMemory(), parts.excess, runs, passing, tick=tick.number, silence=0)
    alike = Shown(n, mean, _alike(groups.alike[PARENT::2])[group[order]])
    whole = replace(parts, row=2 * group[order] + PARENT, shown=(*parts.shown, alike))
    accumulate(groups, whole, rules)
    for row in recover(groups, whole, since, rules).tolist():
        epochs.suspected[epochs.group == row // 2, PARENT] = False
    suspected = (epochs.suspected[:, MEAN] & ~epochs.failing)[tick.epoch[order]]
    if suspected.any():
        some = replace(whole.taken(suspected), row=whole.row[suspected] + MEAN)
        for row in recover(groups, some, since, rules).tolist():
            end_mean(state, row // 2)
        groups.updated_at[np.unique(some.row)] = tick.number + 1
    _learn(state, tick, runs, order)
    return whole, order


def end_mean(state: Monitor, group: int) -> None:
    """Let the mean of a group's evidence begin from nothing: the slices that it alarmed over have recovered."""
    epochs = state.epochs
    mine = epochs.suspected[:, MEAN] & (epochs.group == group)
    epochs.evidence[mine & ~epochs.failing] = 0.0
    epochs.level[mine & ~epochs.failing] = 0.0
    epochs.suspected[mine, MEAN] = False
    end(state.groups, np.array([2 * group + MEAN]))


def _alike(sums: Floats) -> Floats:
    """Return the intra-class correlation of each group."""
    none = dict.fromkeys(Moments._fields, 0.0) | {"heaviest": 1.0}
    found = [icc(Moments(**{**none, **dict(zip(Likeness._fields, row, strict=True))})) for row in sums.tolist()]
    return np.array(found)


def _learn(state: Monitor, tick: Tick, runs: Runs, order: Integers) -> None:
    """Add the tick to what is known of groups none of whose rows is failing, nor half-way to it."""
    epochs, groups, seen = state.epochs, state.groups, state.series.seen
    series = tick.series[order]
    doubtful: Bools = np.logical_or.reduce(
        (groups.failing | (groups.level >= np.sqrt(LEAST_THRESHOLD))).reshape(-1, 2), axis=1
    )
    ready = (state.series.q0[series] > 0.0) & ~doubtful[epochs.group[tick.epoch[order]]]
    n = seen.n[series]
    mean = seen.plain[series] / np.maximum(n, 1.0)
    spread = np.maximum(seen.plain2[series] / np.maximum(n, 1.0) - mean**2, 0.0)
    known = ready & (spread > 0.0)
    z = np.where(known, (tick.loss[order] - mean) / np.sqrt(np.where(spread > 0.0, spread, 1.0)), 0.0)
    size, total = np.add.reduceat(known.astype(np.float64), runs.start), np.add.reduceat(z, runs.start)
    some = size > 0.0
    rows = 2 * epochs.group[tick.epoch[order]][runs.start] + PARENT
    columns = Likeness(
        n=size,
        plain=total,
        plain2=np.add.reduceat(z * z, runs.start),
        clusters=some.astype(np.float64),
        cluster2=size**2,
        between=total**2 / np.where(some, size, 1.0),
    )
    np.add.at(groups.alike, rows, np.stack(columns, axis=1))
