"""Slow detectors beside the others: they bet against the first references, over weeks (`gates.evidence.creep`).

Each slice has one, and so has all traffic where that is judged beside the slices. They begin once a reference is
complete that knows the week, and `groundwire rebaseline` begins them anew with it. Of the false alarms accepted they
have `CREEP_SHARE`, fixed beforehand. Several slices that crept are found together by e-BH (`gates.evidence.ebh`) at
that rate: where nothing is wrong it alarms no more often than each threshold by itself, and of those found together the
expected share of false ones is at most that rate times the weeks that the evidence took.

What fails by itself is not bet on meanwhile, and what crept fails until its recovery is shown, as after any other alarm
(`gates.monitoring.returns`): against a mean as high as the fault was, and with answers that are no worse than half of
the rise that is bet on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gates.evidence import clusters, creep, detector, ebh, reference
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.reference import Moments, effective_n
from gates.monitoring.bets import Bet, Shown
from gates.monitoring.detectors import CreepSums, CreepTable, FirstTable, Monitor, SeriesTable
from gates.monitoring.levels import LEAST_LEVEL
from gates.monitoring.returns import recover
from gates.monitoring.rules import Rules
from gates.monitoring.tick import Tick
from gates.windowing.watermark import UNKNOWN

LEAST_UNIT = 1e-3
"""Faults are not measured in smaller parts of the loss."""


def advance(state: Monitor, tick: Tick, bet: Bet, whole: tuple[Bet, Integers] | None, rules: Rules) -> None:
    """Bet on the answers of a tick, and on recoveries, in place; ``whole`` is the bet over all traffic, and its order.

    What fails is so at the beginning of the tick: which answers are left out does not depend on how they turn out.
    """
    slow, epochs = state.creep, state.epochs
    _complete(state, tick, rules)
    if slow.idle:
        return
    _turn(state, tick.number, rules)
    of = tick.series
    known = slow.first.level[of] > 0.0
    failing = epochs.failing | slow.epochs.failing
    if whole is not None:
        all_bets, order = whole
        group = epochs.group[state.series.epoch]
        taken = known[order] & ~failing[tick.epoch[order]]
        places = order[taken]
        moved = replace(all_bets.taken(taken), row=group[of[places]])
        against = _against(moved, slow.first, of[places])
        _move(slow.groups, against, of[places], group, slow.first, state.series, rules)
    against = _against(bet.taken(known), slow.first, of[known])
    stake = _stakes(against, slow.first, of[known])
    _move(slow.epochs, against, of[known], state.series.epoch, slow.first, state.series, rules, frozen=epochs.failing)
    laid = np.bincount(
        of[known], weights=stake * against.weight / against.sizes.heaviest, minlength=len(state.series.q0)
    )
    slow.first.bet[tick.touched] += laid[tick.touched, None]
    for table, where in ((slow.epochs, state.series.epoch), (slow.groups, epochs.group[state.series.epoch])):
        _weigh(table, where, slow.first, tick.number)


def raise_alarms(state: Monitor, number: int, rules: Rules) -> None:
    """Alarm where the evidence of slow detectors is enough, in place; what fails by itself is told by itself."""
    slow, epochs = state.creep, state.epochs
    if slow.idle:
        return
    watching = epochs.watching(number, rules)
    watched = int(np.count_nonzero(watching))
    level = np.where(watching, slow.epochs.level, 0.0)
    enough, threshold = watching & ~epochs.failing, rules.creep_threshold(watched)
    count = max(rules.count(watched), watched)
    joint = np.zeros(len(level), np.bool_)
    if rules.fdr is not None and level.sum() >= threshold:
        alpha = min(rules.fdr, rules.count(watched) / threshold)
        joint = ebh.rejected(level, alpha, weights=watching, among=count)
        joint &= np.count_nonzero(joint) > 1
    alone = level >= threshold
    _alarm(slow.epochs, enough & (alone | joint), alone, state.series.epoch, slow.first, number, rules)
    if rules.several(watched):
        group = epochs.group[state.series.epoch]
        whole = (slow.groups.level >= rules.creep_parent_threshold) & ~state.groups.failing.reshape(-1, 2).any(axis=1)
        _alarm(slow.groups, whole, whole, group, slow.first, number, rules)


def _complete(state: Monitor, tick: Tick, rules: Rules) -> None:
    """Take first references that are complete, and know the week."""
    series, first = state.series, state.creep.first
    there = tick.touched
    for place in there[series.pinned[there] & (series.ratio[there] > 0.0) & (first.level[there] == 0.0)].tolist():
        moments = Moments(*series.moments[place].tolist())
        worth = effective_n(moments) * moments.weight**2 / (moments.n * moments.weight2)
        # One failure more than there was: where there was none, the next is no wonder.
        mean = min(moments.loss / moments.weight + 1.0 / worth, 1.0)
        variance = float(series.variance[place])
        if moments.graded == 0.0:
            variance = max(variance, mean * (1.0 - mean))
        tolerated = rules.tolerance or 0.0
        first.level[place] = min(mean + float(series.tolerance[place]) + tolerated, 1.0)
        first.error[place] = variance / worth
        first.rise[place] = creep.rise(first.error[place], reference.tolerance(moments))


def _turn(state: Monitor, number: int, rules: Rules) -> None:
    """Begin the cohorts of half weeks that have begun, in the place of the oldest."""
    slow = state.creep
    half_week = int(number // (rules.week / creep.COHORTS_A_WEEK))
    for table in (slow.first, slow.epochs, slow.groups):
        last = int(table.half_week.max(initial=UNKNOWN))
        if half_week <= last:
            continue
        new = np.arange(max(last + 1, half_week + 1 - creep.COHORTS), half_week + 1) % creep.COHORTS
        table.half_week[:] = half_week
        if isinstance(table, FirstTable):
            table.bet[:, new] = 0.0
        else:
            table.evidence[:, new] = 0.0
            table.sums[:, new] = 0.0


def _against(bet: Bet, first: FirstTable, of: Integers) -> Bet:
    """Return the bet against the first references, whose series are given.

    What a cluster has shown was measured from the other level, which is higher.
    """
    level = first.level[of]
    hourly = np.maximum(bet.sizes.level - (bet.sizes.q0 - level), LEAST_LEVEL * level)
    apart = (bet.sizes.level - hourly) / bet.deviation
    shown = tuple(Shown(each.n, np.where(each.n > 0.0, each.mean + apart, 0.0), each.icc) for each in bet.shown)
    return replace(bet, sizes=bet.sizes._replace(q0=level, level=hourly), shown=shown)


def _stakes(bet: Bet, first: FirstTable, of: Integers) -> Floats:
    """Return the bet on each answer."""
    sizes = bet.sizes
    return creep.bets(
        bet.level,
        first.rise[of],
        sizes.variance * sizes.square / sizes.heaviest**2,
        scale=sizes.mean / sizes.heaviest,
    )


def _move(
    table: CreepTable,
    bet: Bet,
    of: Integers,
    where: Integers,
    first: FirstTable,
    series: SeriesTable,
    rules: Rules,
    *,
    frozen: Bools | None = None,
) -> None:
    """Multiply the evidence of detectors, and bet on the recovery of those that fail.

    ``where`` is the detector of each series, ``frozen`` says which are left as they are.
    """
    if not len(bet.row):
        return
    begin = np.flatnonzero(clusters.begins(bet.row))
    rows, since = bet.row[begin], table.updated_at.copy()
    gain = bet.weight / bet.sizes.heaviest * (bet.loss - bet.level)
    with np.errstate(over="ignore"):
        product = np.multiply.reduceat(1.0 + _stakes(bet, first, of) * gain, begin)
    elapsed = np.where(since[rows] != UNKNOWN, np.minimum(bet.number + 1 - since[rows], rules.week), 1.0)
    live = ~table.failing[rows] if frozen is None else ~(table.failing[rows] | frozen[rows])
    going, place = rows[live], int(table.half_week.max()) % creep.COHORTS
    table.evidence[going, place] += elapsed[live] * (rules.weekly_weight / rules.week)
    table.evidence[going] = np.minimum(
        table.evidence[going] * np.minimum(product[live], detector.CAP)[:, None], detector.CAP
    )
    table.updated_at[rows] = bet.number + 1
    seen = series.seen
    mean = (seen.loss / np.maximum(seen.weight, 1e-300))[of]
    before = bet.sizes.level - (bet.sizes.q0 - mean)
    columns = np.ones_like(bet.weight), bet.weight, bet.weight * bet.loss, bet.weight * before
    n, weight, loss, was = (np.add.reduceat(column, begin) for column in columns)
    added = np.stack(CreepSums(n, weight, loss, was, np.maximum.reduceat(bet.weight, begin)), axis=1)
    table.sums[going] = _with(table.sums[going], added[live][:, None, :])
    fails = table.failing[rows]
    table.risen[rows[fails]] = _with(table.risen[rows[fails]], added[fails])
    if not table.failing[rows].any():
        return
    half = first.rise[of] / 2.0
    higher = bet.sizes._replace(q0=bet.sizes.q0 + half, level=bet.sizes.level + half)
    least = _least_shift(table, where, first)
    recovered = recover(table, replace(bet, sizes=higher), since, rules, least, spared=False)
    table.sums[recovered] = table.risen[recovered] = 0.0


def _with(sums: Floats, added: Floats) -> Floats:
    """Return `CreepSums`, in the last axis, of these answers and those."""
    together = sums + added
    together[..., -1] = np.maximum(sums[..., -1], added[..., -1])
    return together


def _least_shift(table: CreepTable, where: Integers, first: FirstTable) -> Floats:
    """Return the smallest fault of each detector: as much above the recovered level as that is above the reference."""
    recovered = first.level + first.rise / 2.0
    shift = first.rise / 2.0 / np.maximum(np.minimum(recovered, 1.0 - recovered), LEAST_UNIT)
    least, complete = np.full(len(table.level), np.inf), first.level > 0.0
    np.minimum.at(least, where[complete], shift[complete])
    return least


def _weigh(table: CreepTable, where: Integers, first: FirstTable, number: int) -> None:
    """Set the level of the detectors that have moved in this tick and do not fail."""
    moved = (table.updated_at == number + 1) & ~table.failing
    if moved.any():
        table.level[moved] = _told(table, np.flatnonzero(moved), where, first).sum(axis=1)


def _told(table: CreepTable, rows: Integers, where: Integers, first: FirstTable) -> Floats:
    """Return the evidence of some detectors, by cohort, with what rests on the references taken off."""
    asked = np.zeros(len(table.level), np.bool_)
    asked[rows] = True
    mine = np.flatnonzero(asked[where] & (first.level > 0.0))
    squares = np.zeros(table.evidence.shape)
    np.add.at(squares, where[mine], first.bet[mine] ** 2 * first.error[mine, None])
    return np.asarray(table.evidence[rows] * creep.discount(np.sqrt(squares[rows])))


def _alarm(
    table: CreepTable,
    raised: Bools,
    alone: Bools,
    where: Integers,
    first: FirstTable,
    number: int,
    rules: Rules,
) -> None:
    """Note alarms of what does not fail yet, and which cohort tells most: its answers are told."""
    rows = np.flatnonzero(raised & ~table.failing)
    if not rows.size:
        return
    best = _told(table, rows, where, first).argmax(axis=1)
    half_week = int(table.half_week.max())
    ago = (half_week - best) % creep.COHORTS
    table.begun[rows] = np.ceil((half_week - ago) * (rules.week / creep.COHORTS_A_WEEK)).astype(np.int64)
    table.risen[rows] = table.sums[rows, best]
    table.alarmed[rows] = number
    table.alarms[rows] += 1
    table.together[rows] = ~alone[rows]
    table.failing[rows] = True
    table.proof[rows] = table.balance[rows] = table.fault[rows] = 0.0
    table.shift[rows] = _least_shift(table, where, first)[rows]
