"""Where evidence is enough: slices alone, all traffic, the mean of the slices' evidence, and several together.

From `PARENTS_FROM` slices on each has a share of the false alarms ``F`` that are accepted in a week, fixed beforehand.
Of ``K`` slices each alarms at ``K / (s F)`` with the share ``s = 1 - PARENT_SHARE - MEAN_SHARE`` (less `CREEP_SHARE`
where slow detectors have that, `gates.monitoring.creep`), all traffic at ``1 / (PARENT_SHARE F)``, and the mean of the
evidence of all slices that do not fail at ``1 / (MEAN_SHARE (1 - REST) F)``; none of them below `LEAST_THRESHOLD`.

What is proved
--------------
As long as no answer is expected to be worse than its level, whatever came before it, at most ``F`` false alarms a week
are expected over all of them together, for any dependence between slices:

- slices and all traffic: each is an e-detector with a start weight of 1 a week (`gates.evidence.detector`). An alarm
  *freezes* its evidence ``M >= A`` instead of taking it away; it begins from nothing once recovery is shown. While it
  is frozen neither evidence nor start weight grows, so ``M + A N - W``, with ``N`` the alarms that are over, is still a
  supermartingale, and as ``M >= A`` while one stands, that one is counted too: ``E[alarms] <= E[W] / A``.
- the mean: ``X``, the sum of the evidence of slices that do not fail over ``K``, is an e-detector too, and what leaves
  it or begins from nothing lowers it. At its alarm the slices with at least `REST` of the mean are *suspected*: all
  others together hold at most `REST` of it. They count for nothing in the mean until they begin from nothing, which
  they do when the alarm is over. So an alarm takes ``(1 - REST) A`` from ``X``.

How ``K`` may change is said in `gates.evidence.detector`. The mean is over the slices there are now, so where slices go
it rises by as much as their number falls; that the bound then still holds for it is not proved.

Several together are found by weighted e-BH (`gates.evidence.ebh`) with the same shares as weights. Because evidence is
frozen, that of slices found before is still there, and the more have been found, the less is asked of the next: of
those found together, the expected share of false ones is at most ``fdr`` times the weeks that the evidence took.
"""

from __future__ import annotations

import math

import numpy as np

from gates.evidence import ebh, recovery
from gates.evidence.arrays import Bools, Floats, Integers
from gates.monitoring.detectors import MEAN, PARENT, DetectorTable, Monitor
from gates.monitoring.levels import alarm_thresholds
from gates.monitoring.parents import end_mean
from gates.monitoring.rules import LEAST_THRESHOLD, MEAN_SHARE, PARENT_SHARE, PARENTS_FROM, Rules

REST = 0.05
"""The part of the mean of the evidence that slices may hold which are not suspected."""


def raise_alarms(state: Monitor, number: int, rules: Rules) -> None:
    """Alarm where the evidence is enough, alone or together (e-BH), in place."""
    epochs, groups = state.epochs, state.groups
    watching = epochs.watching(number, rules)
    watched = int(np.count_nonzero(watching))
    count = max(rules.count(watched), watched)
    level = np.where(watching, epochs.standing, 0.0)
    alone = level >= alarm_thresholds(state.series, epochs, watched, rules)[0]
    found, weights = level, np.where(watching, rules.slice_share(watched), 0.0)
    several = rules.parents and count >= PARENTS_FROM
    if several:
        # A slice that alarms by itself is told by itself.
        counted = np.where(alone | epochs.failing | epochs.suspected[:, MEAN], 0.0, level)
        means(state, counted, count)
        found = np.concatenate([level, groups.level])
        weights = np.concatenate([weights, _parent_weights(state) * count])
    joint = np.zeros(len(found), np.bool_)
    # A joint rejection takes 1 / alpha from the mean over all, so below that there is none.
    if rules.fdr is not None and (found * weights).sum() * rules.fdr >= count > 0:
        joint = ebh.rejected(found, rules.fdr, weights=weights, among=count)
        # One is not several together, and has the threshold of its own.
        joint &= np.count_nonzero(joint) > 1
    _alarm(epochs, alone | joint[: len(level)], alone, number, rules)
    if several:
        taken = epochs.failing & (epochs.suspected[:, MEAN])
        epochs.suspected[taken, MEAN] = False
        enough = groups.level >= _parent_thresholds(state, rules)
        _alarm_parents(state, enough | joint[len(level) :], enough, number, rules, level)


def means(state: Monitor, counted: Floats, count: int) -> None:
    """Set the mean evidence of every group that does not fail by it, whatever order its slices are in."""
    epochs, groups = state.epochs, state.groups
    for group in range(len(groups.level) // 2):
        row = 2 * group + MEAN
        if not groups.failing[row]:
            groups.level[row] = math.fsum(counted[epochs.group == group].tolist()) / count


def parent_threshold(state: Monitor, row: int, rules: Rules) -> float:
    """Return how much evidence of a row of a group is an alarm."""
    return float(_parent_thresholds(state, rules)[row])


def _parent_thresholds(state: Monitor, rules: Rules) -> Floats:
    return np.maximum(LEAST_THRESHOLD, 1.0 / np.maximum(_parent_weights(state) * rules.alarms_per_week, 1e-200))


def _parent_weights(state: Monitor) -> Floats:
    """Return the shares of the two rows of each group; a group that measures nothing any more has none."""
    epochs, groups = state.epochs, state.groups
    live = np.zeros(len(groups.level) // 2, np.bool_)
    live[epochs.group[epochs.current & (epochs.level > 0.0) | epochs.failing]] = True
    shares = np.zeros((len(live), 2))
    shares[:, PARENT] = PARENT_SHARE / max(1, int(np.count_nonzero(live)))
    # The means of several groups sum to that over all slices.
    shares[:, MEAN] = MEAN_SHARE * (1.0 - REST)
    return np.where(live[:, None], shares, 0.0).ravel()


def _alarm(table: DetectorTable, raised: Bools, alone: Bools, number: int, rules: Rules) -> Integers:
    """Note alarms of what does not fail yet, and return which were raised."""
    rows = np.flatnonzero(raised & ~table.failing)
    table.alarmed[rows] = number
    table.alarms[rows] += 1
    table.together[rows] = ~alone[rows]
    if rules.recovers:
        table.failing[rows] = True
        fault = recovery.prior(table.evidence[rows])
        table.fault[rows], table.shift[rows] = np.stack(fault, axis=1), recovery.shift(fault)
        table.proof[rows] = table.balance[rows] = 0.0
    else:
        table.evidence[rows] = 0.0
    return rows


def _alarm_parents(state: Monitor, raised: Bools, alone: Bools, number: int, rules: Rules, level: Floats) -> None:
    """Note alarms of groups, and suspect their slices; the mean has nothing to tell where all have alarmed."""
    epochs, groups = state.epochs, state.groups
    for row in np.flatnonzero(raised & ~groups.failing).tolist():
        group, kind = divmod(row, 2)
        mine = (epochs.group == group) & epochs.current
        if kind == MEAN:
            mine &= ~epochs.failing & (level >= REST * groups.level[row])
            if not mine.any():
                raised[row] = False
                continue
            groups.evidence[row] = [math.fsum(column) for column in epochs.evidence[mine].T.tolist()]
            groups.updated_at[row] = number + 1
        epochs.suspected[mine, kind] = True
    _alarm(groups, raised, alone, number, rules)
    for row in np.flatnonzero(groups.failing[MEAN::2]).tolist():
        mine = epochs.suspected[:, MEAN] & (epochs.group == row) & ~epochs.failing
        if not mine.any():
            end_mean(state, row)
