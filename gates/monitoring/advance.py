"""One tick of many e-detectors, in the letters of `gates.evidence.detector`.

For the losses ``y`` of a slice, with weights ``v`` in (0, 1], a level ``q`` that is at least their mean where nothing
is wrong, and bets ``lam_j``:

1. `null_levels`: ``q >= E[y | past]``, the reference's ``q0`` raised by what the cluster of each answer has shown;
2. `factors`: ``1 + lam_j g`` with the gain ``g = v (y - q)``;
3. `accumulate`: ``M_j <- (M_j + dW) prod (1 + lam_j g)``, with the start weight ``dW``;
4. `restart`: an alarm where ``mean_j M_j >= A``, and there ``M_j <- 0``.

Afterwards the tick is learned from (`gates.monitoring.references`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gates.evidence import clusters, detector, ebh
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import PASSING, ClusterMemory
from gates.evidence.reference import NAMED_ICC
from gates.inputs.observations import NO_CLUSTER
from gates.monitoring.detectors import EpochTable, Monitor, RecentWeights, Rules, SeriesTable
from gates.monitoring.references import learn
from gates.monitoring.tick import Tick
from gates.windowing.watermark import UNKNOWN, Arrivals, by_tick

LEAST_VARIANCE = 1e-6
"""A reference that hardly varied does not make what differs from it infinitely strange."""


def advance(state: Monitor, rows: Arrivals, rules: Rules, changes: Sequence[tuple[int, Bools]] = ()) -> Monitor:
    """Return the state after these ticks; the state given stays as it was.

    ``changes`` are the ticks at which something changed, in order, and the slice-epochs touched.
    """
    state = state.copied()
    series, epochs, memory = state.series, state.epochs, state.memory
    coming = list(changes)
    for number, part in by_tick(rows, rules.tick):
        while coming and coming[0][0] <= number:
            begin_anew(epochs, *coming.pop(0), rules)
        tick = Tick.of(number, part, series.epoch, rules.sign, rules.tick)
        note_weights(series, tick, rules)
        sizes = Sizes.of(series, tick.series)
        memory, level = null_levels(sizes, epochs.name, memory, tick, rules)
        accumulate(epochs, tick, factors(sizes, level, tick), sizes.q0 > 0.0, rules)
        state.recent.add(number // rules.part, tick.epoch, tick.weight, tick.loss)
        restart(epochs, number, rules)
        learn(series, epochs, tick, rules)
    for number, touched in coming:
        begin_anew(epochs, number, touched, rules)
    return replace(state, memory=memory)


def begin_anew(epochs: EpochTable, number: int, touched: Bools, rules: Rules) -> None:
    """Note a change: start weight is given with the next answers of those touched that are watched."""
    watched = touched & (epochs.updated_at != UNKNOWN)
    if rules.reset_on_change:
        epochs.evidence[watched] = epochs.pending_weight[watched] = 0.0
    epochs.pending_weight[watched] += rules.change_weight
    epochs.changed[watched] = number


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


class Sizes(NamedTuple):
    """What bets are sized by, of each answer of a tick: the figures of its series.

    ``variance`` is that of a loss where weights are equal, ``most`` the largest that the level allows; ``mean`` and
    ``square`` are those of recent weights and of their squares, ``heaviest`` is the largest.
    """

    q0: Floats
    icc: Floats
    variance: Floats
    most: Floats
    mean: Floats
    square: Floats
    heaviest: Floats

    @classmethod
    def of(cls, series: SeriesTable, answers: Integers) -> Sizes:
        """Return the sizes for answers of these series."""
        n, total, squares, _ = (column.sum(axis=1) for column in series.weights)
        some = np.maximum(n, 1.0)
        most = series.q0 * np.maximum(1.0 - series.q0, 0.0)
        # Where nothing but 0 and 1 was seen, a mean at the level comes about by these.
        variance = np.where(series.seen.graded == 0.0, np.maximum(series.variance, most), series.variance)
        heaviest = series.weights.heaviest.max(axis=1)
        columns = (series.q0, series.icc, variance, most, total / some, squares / some, heaviest)
        return cls(*(column[answers] for column in columns))


def null_levels(
    sizes: Sizes, names: Integers, memory: ClusterMemory, tick: Tick, rules: Rules
) -> tuple[ClusterMemory, Floats]:
    """Return the level ``q`` of each answer, and the memory with this tick: no mean is above it if nothing is wrong.

    It is 1 where there is no reference yet. `gates.evidence.clusters` says why the level is raised.
    """
    ready = sizes.q0 > 0.0
    deviation = np.sqrt(np.maximum(sizes.variance, LEAST_VARIANCE))
    # In deviations of its own series, and weighted: strata differ in how much they vary, and how often they are drawn.
    excess = (tick.loss - sizes.q0) / deviation * (tick.weight / sizes.mean)
    cluster = tick.cluster[tick.runs.start]
    # The cluster of a document ends with its tick.
    key = np.where(cluster > NO_CLUSTER, cluster ^ names[tick.epoch[tick.runs.start]], PASSING)
    memory, n, shown = clusters.shown_before(
        memory, np.where(ready, excess, 0.0), tick.runs, key, tick=tick.number, silence=rules.silence
    )
    named = np.where(cluster != NO_CLUSTER, NAMED_ICC, 0.0)[tick.runs.of]
    raised = clusters.expected_excess(n, shown, np.maximum(sizes.icc, named)) * deviation
    return memory, np.where(ready, sizes.q0 + raised, 1.0)


def factors(sizes: Sizes, level: Floats, tick: Tick) -> Floats:
    """Return ``1 + lam_j g`` of each answer, a column for each bet; 1 where there is no reference yet."""
    ready, heaviest = sizes.q0 > 0.0, sizes.heaviest
    square = sizes.square / heaviest**2
    lam = detector.bets(
        np.where(ready, sizes.q0, 1.0),
        sizes.variance * square,
        level=level,
        scale=sizes.mean / heaviest,
        most=sizes.most * square,
    )
    gain = np.where(ready, tick.weight / heaviest * (tick.loss - level), 0.0)
    return np.asarray(1.0 + lam * gain[:, None])


def accumulate(epochs: EpochTable, tick: Tick, factor: Floats, ready: Bools, rules: Rules) -> None:
    """Add start weight to the evidence of every slice-epoch with answers that are ``ready``, and multiply it."""
    begin = np.flatnonzero(clusters.begins(tick.epoch))
    there = np.logical_or.reduceat(ready, begin)
    with np.errstate(over="ignore"):
        product = np.multiply.reduceat(factor, begin, axis=0)[there]
    moved = tick.epoch[begin][there]
    since = epochs.updated_at[moved]
    elapsed = np.where(since != UNKNOWN, np.minimum(tick.number + 1 - since, rules.week), 1.0)
    weight = elapsed * (rules.weekly_weight / rules.week) + epochs.pending_weight[moved]
    epochs.evidence[moved] = detector.advance(epochs.evidence[moved], weight, product)
    epochs.level[moved] = detector.level(epochs.evidence[moved])
    epochs.pending_weight[moved] = 0.0
    epochs.updated_at[moved] = tick.number + 1


def restart(epochs: EpochTable, number: int, rules: Rules) -> None:
    """Alarm where the evidence has reached the threshold, alone or together (e-BH), and begin there from nothing."""
    watched = epochs.watched(number, rules)
    level = epochs.standing
    alone = level >= rules.alarm_threshold(watched)
    raised = alone
    # A joint rejection takes 1 / alpha from the mean over all slices, so below that there is none.
    if rules.fdr is not None and level.sum() * rules.fdr >= (rules.slices or watched) > 0:
        together = ebh.rejected(level, rules.fdr, among=rules.slices or watched)
        # One slice is not several together, and has the threshold of its own.
        raised = alone | together if np.count_nonzero(together) > 1 else alone
    epochs.evidence[raised] = 0.0
    epochs.alarmed[raised] = number
    epochs.alarms[raised] += 1
    epochs.together[raised] = ~alone[raised]
