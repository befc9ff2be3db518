"""What detectors bet on in a tick: the answers, the level of each, and the size of the bets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from gates.evidence import clusters, detector
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import PASSING, ClusterMemory
from gates.evidence.reference import NAMED_ICC
from gates.inputs.observations import NO_CLUSTER
from gates.monitoring.detectors import RISEN, DetectorTable, Rise, SeriesTable
from gates.monitoring.rules import Rules
from gates.monitoring.tick import Tick
from gates.windowing.watermark import UNKNOWN

LEAST_VARIANCE = 1e-6
"""A reference that hardly varied does not make what differs from it infinitely strange."""


class Sizes(NamedTuple):
    """What bets are sized by, of each answer of a tick: the figures of its series.

    ``level`` is ``q0`` at the hour of the answer. ``variance`` is that of a loss where weights are equal, ``most`` the
    largest that ``q0`` allows; ``mean`` and
    ``square`` are those of recent weights and of their squares, ``heaviest`` is the largest.
    """

    q0: Floats
    level: Floats
    icc: Floats
    variance: Floats
    most: Floats
    mean: Floats
    square: Floats
    heaviest: Floats

    @classmethod
    def of(cls, series: SeriesTable, answers: Integers, level: Floats) -> Sizes:
        """Return the sizes for answers of these series."""
        n, total, squares, _ = (column.sum(axis=1) for column in series.weights)
        some = np.maximum(n, 1.0)
        most = series.q0 * np.maximum(1.0 - series.q0, 0.0)
        # Where nothing but 0 and 1 was seen, a mean at the level comes about by these.
        variance = np.where(series.seen.graded == 0.0, np.maximum(series.variance, most), series.variance)
        heaviest = series.weights.heaviest.max(axis=1)
        columns = (series.icc, variance, most, total / some, squares / some, heaviest)
        return cls(series.q0[answers], level, *(column[answers] for column in columns))


class Shown(NamedTuple):
    """What the cluster of each answer has shown before it.

    ``n`` losses, and their ``mean`` excess over the level, in deviations; ``icc`` says how alike they are.
    """

    n: Floats
    mean: Floats
    icc: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Bet:
    """Answers of the tick ``number``: ``row`` is the detector that bets on each, one detector after the other.

    ``own`` are the ticks of their own times, earlier where they came late.
    Each answer lies in one cluster or more, and ``shown`` says of each what it has shown.
    """

    number: int
    own: Integers
    row: Integers
    sizes: Sizes
    shown: tuple[Shown, ...]
    weight: Floats
    loss: Floats

    def taken(self, places: Integers | Bools) -> Self:
        """Return some of the answers, in this order."""
        return replace(
            self,
            own=self.own[places],
            row=self.row[places],
            sizes=Sizes(*(column[places] for column in self.sizes)),
            shown=tuple(Shown(*(column[places] for column in each)) for each in self.shown),
            weight=self.weight[places],
            loss=self.loss[places],
        )

    @property
    def ready(self) -> Bools:
        """Which have a reference."""
        return np.asarray(self.sizes.q0 > 0.0)

    @property
    def deviation(self) -> Floats:
        """The standard deviation of a loss."""
        return np.sqrt(np.maximum(self.sizes.variance, LEAST_VARIANCE))

    @property
    def excess(self) -> Floats:
        """By how much each loss exceeds its level.

        In deviations of its own series, and weighted: strata differ in how much they vary, and how often they are
        drawn.
        """
        excess = (self.loss - self.sizes.level) / self.deviation * (self.weight / np.maximum(self.sizes.mean, 1e-300))
        return np.where(self.ready, excess, 0.0)

    @property
    def level(self) -> Floats:
        """``q``: no mean is above it if nothing is wrong; 1 where there is no reference yet.

        `gates.evidence.clusters` says why it is raised.
        """
        raised = sum(clusters.expected_excess(each.n, each.mean, each.icc) for each in self.shown) * self.deviation
        return np.where(self.ready, self.sizes.level + raised, 1.0)

    @property
    def factor(self) -> Floats:
        """``1 + lam_j g`` of each answer, a column for each bet; 1 where there is no reference yet."""
        sizes, level = self.sizes, self.level
        square = sizes.square / sizes.heaviest**2
        lam = detector.bets(
            np.where(self.ready, sizes.q0, 1.0),
            sizes.variance * square,
            level=level,
            scale=sizes.mean / sizes.heaviest,
            most=sizes.most * square,
        )
        gain = np.where(self.ready, self.weight / sizes.heaviest * (self.loss - level), 0.0)
        return np.asarray(1.0 + self.legal(lam, level) * gain[:, None])

    def legal(self, bets: Floats, level: Floats) -> Floats:
        """Return bets against a level that keep factors from being negative: of losses in [0, 1], those sized do."""
        del level
        return bets

    def legal_returns(self, bets: Floats, level: Floats) -> Floats:
        """Return bets on a mean below a level that keep factors from being negative, as `legal` does."""
        del level
        return bets


def shown_by_clusters(
    bet: Bet, names: Integers, memory: ClusterMemory, tick: Tick, rules: Rules
) -> tuple[ClusterMemory, Shown]:
    """Return what the clusters of the answers of a tick have shown, and the memory with this tick."""
    cluster = tick.cluster[tick.runs.start]
    # The cluster of a document ends with its tick.
    key = np.where(cluster > NO_CLUSTER, cluster ^ names[tick.epoch[tick.runs.start]], PASSING)
    memory, n, mean = clusters.shown_before(memory, bet.excess, tick.runs, key, tick=tick.number, silence=rules.silence)
    named = np.where(cluster != NO_CLUSTER, NAMED_ICC, 0.0)[tick.runs.of]
    return memory, Shown(n, mean, np.maximum(bet.sizes.icc, named))


def accumulate(table: DetectorTable, bet: Bet, rules: Rules) -> None:
    """Add start weight to the evidence of every detector that bets, and multiply it; what fails is frozen."""
    if not len(bet.row):
        return
    begin = np.flatnonzero(clusters.begins(bet.row))
    there = np.logical_or.reduceat(bet.ready, begin)
    with np.errstate(over="ignore"):
        product = np.multiply.reduceat(bet.factor, begin, axis=0)[there]
    moved = bet.row[begin][there]
    since = table.updated_at[moved]
    elapsed = np.where(since != UNKNOWN, np.minimum(bet.number + 1 - since, rules.week), 1.0)
    weight = elapsed * (rules.weekly_weight / rules.week) + table.pending_weight[moved]
    live = ~table.failing[moved]
    going = moved[live]
    table.evidence[going] = detector.advance(table.evidence[going], weight[live], product[live])
    table.level[going] = detector.level(table.evidence[going])
    table.pending_weight[moved] = 0.0
    table.updated_at[moved] = bet.number + 1
    _note_rise(table, bet, moved)


def _note_rise(table: DetectorTable, bet: Bet, moved: Integers) -> None:
    """Keep what is seen since evidence began to grow; what has fallen below that again begins anew."""
    low = ~table.failing[moved] & (table.level[moved] < RISEN)
    calm, begun = moved[low], moved[~low]
    table.onset[calm], table.rise[calm] = UNKNOWN, 0.0
    table.onset[begun] = np.where(table.onset[begun] == UNKNOWN, bet.number, table.onset[begun])
    there = (table.onset[bet.row] != UNKNOWN) & bet.ready
    if there.any():
        row, weight = bet.row[there], bet.weight[there]
        rise = Rise(*table.rise.T)
        rise.totals.add(row, weight, bet.loss[there])
        rise.level[:] += np.bincount(row, weights=weight * bet.sizes.level[there], minlength=len(table.level))
