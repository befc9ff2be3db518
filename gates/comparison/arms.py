"""A candidate against a concurrent baseline: `gates.evidence.twosample`, tick by tick and slice by slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gates.comparison import units as routing
from gates.comparison.cells import Cells, ComparisonLayout
from gates.comparison.units import Units
from gates.evidence import clusters, detector, ebh, twosample
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import Runs, begins
from gates.evidence.intervals import WeightedTotals
from gates.evidence.reference import NAMED_ICC, NOTHING_SEEN, Moments, icc, moment_sums
from gates.evidence.stakes import Stakes
from gates.inputs.observations import ARMS, NO_CLUSTER
from gates.units.instants import Microseconds
from gates.units.scale import UNIT, Scale
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN, Arrivals

MANY = 2
"""Versions of a baseline that are told apart: more than one is no version to name."""
TELLING = 5.0
"""Failed answers that say as much of how alike answers of a unit are as was assumed before the first."""
LEAST_SEEN = 30
"""Answers of a slice, of either arm, before the first bet: bets are sized by their mean and variance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRules:
    """What is compared and when it is decided. ``sign`` is 1 where a higher value is worse, -1 where a lower one is.

    ``margin`` is a part of the range of ``metric``, its ``scale``.
    """

    sign: int
    tick: Microseconds
    metric: str
    margin: float
    alpha_rollback: float
    alpha_promote: float
    scale: Scale = UNIT


@dataclass(slots=True, eq=False, kw_only=True)
class ComparedSlices(ColumnTable):
    """Columns over slices: evidence by bet, the ticks it was decided at, and sums of `Moments` over both arms.

    ``arms`` holds `WeightedTotals` of losses for baseline and candidate, ``decided`` what these were at the last
    decision, ``share`` the routing share of the last answer and ``last`` its tick. ``apart`` counts the answers since
    then that are no evidence, as all traffic went to the candidate. ``stake`` and ``order`` are `Stakes`.
    `advance` writes into copies.
    """

    rollback: Floats = field(metadata={"fill": twosample.STAKES})
    promote: Floats = field(metadata={"fill": np.ones(len(twosample.NON_INFERIOR))})
    stake: Floats
    order: Floats
    passed: Integers = field(metadata={"fill": UNKNOWN})
    named: Integers = field(metadata={"fill": UNKNOWN})
    moments: Floats = field(metadata={"fill": NOTHING_SEEN})
    arms: Floats = field(metadata={"fill": np.zeros((2, len(WeightedTotals._fields)))})
    decided: Floats = field(metadata={"fill": np.zeros((2, len(WeightedTotals._fields))), "later": True})
    share: Floats
    apart: Integers = field(metadata={"later": True})
    last: Integers = field(metadata={"fill": UNKNOWN})
    name: Integers = field(metadata={"derived": True})

    @property
    def seen(self) -> Moments[Floats]:
        """The sums over both arms, as columns."""
        return Moments.columns(self.moments)

    @property
    def candidate(self) -> WeightedTotals:
        """What the candidate's answers come to."""
        return WeightedTotals.of(self.arms[:, 1])

    @property
    def baseline(self) -> WeightedTotals:
        """What the baseline's answers come to."""
        return WeightedTotals.of(self.arms[:, 0])

    @property
    def compared(self) -> Bools:
        """Which slices have answers of both arms."""
        return (self.baseline.n > 0.0) & (self.candidate.n > 0.0)


def _slices(names: Integers) -> ComparedSlices:
    return ComparedSlices.empty(len(names), name=names)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comparison:
    """The state: slices, their strata, units remembered, when rollback was decided, and of which candidate all this is.

    ``candidate`` is "" where its answers tell no version, ``baselines`` are the versions of the baseline so far, `MANY`
    at most.
    """

    slices: ComparedSlices = field(default_factory=lambda: _slices(np.zeros(0, np.int64)))
    cells: Cells = field(default_factory=lambda: Cells.empty(0))
    units: Units = field(default_factory=lambda: Units.empty(0))
    failed: int = UNKNOWN
    reserve: float = 1.0
    candidate: str = ""
    baselines: tuple[str, ...] = ()

    @classmethod
    def of(cls, layout: ComparisonLayout, candidate: str) -> Comparison:
        """Return the state before the first answer of a candidate."""
        return cls(slices=_slices(layout.names), cells=Cells.empty(len(layout.cell_epoch)), candidate=candidate)

    @property
    def baseline(self) -> str | None:
        """The version that the candidate is compared with, where it is one, and known."""
        return self.baselines[0] or None if len(self.baselines) == 1 else None

    @property
    def evidence(self) -> float:
        """What all slices together say against the candidate (`gates.evidence.stakes`)."""
        stakes = Stakes(self.slices.stake, self.slices.order, self.reserve)
        return stakes.wealth(detector.level(self.slices.rollback))

    def grown(self, layout: ComparisonLayout) -> Comparison:
        """Return the state with room for these slices and strata."""
        new, cells = layout.names[len(self.slices.name) :], len(layout.cell_epoch) - len(self.cells.n)
        if not len(new) and not cells:
            return self
        return replace(self, slices=self.slices.stacked(_slices(new)), cells=self.cells.stacked(Cells.empty(cells)))


def advance(
    state: Comparison, rows: Arrivals, number: int, rules: ComparisonRules, layout: ComparisonLayout
) -> Comparison:
    """Return the state after a tick of the slices that have this candidate; answers of any other are left out."""
    versions = layout.versions
    current = np.array([version in (None, state.candidate) for version in layout.candidates], np.bool_)
    routed = (rows.share > 0.0) & (rows.share < 1.0) & (rows.arm > 0) & current[rows.series]
    if routed.any():
        there = np.unique(rows.series).tolist()
        baselines = {*state.baselines, *(versions[key]["baseline"] for key in there if "baseline" in versions[key])}
        state = replace(state, baselines=tuple(sorted(baselines))[:MANY])
        state = _tick(state, rows.taken(routed), number, rules, layout)
    whole = (rows.share >= 1.0) & (rows.arm > 0) & current[rows.series]
    if whole.any():
        slices = state.slices.copied()
        np.add.at(slices.apart, layout.epoch_of[rows.series[whole]], 1)
        state = replace(state, slices=slices)
    return state


def _tick(
    state: Comparison, rows: Arrivals, number: int, rules: ComparisonRules, layout: ComparisonLayout
) -> Comparison:
    slices, cells = state.slices.copied(), state.cells.copied()
    of, cell = layout.epoch_of[rows.series], layout.cell_of[rows.series]
    # Routing is drawn for every answer about a document: those fail together in both arms alike.
    rows = replace(rows, cluster=np.maximum(rows.cluster, NO_CLUSTER))
    order = np.lexsort((rows.cluster, of))
    rows, of, cell = rows.taken(order), of[order], cell[order]
    loss = rows.value if rules.sign > 0 else 1.0 - rows.value
    candidate = rows.arm == ARMS["candidate"]
    np.maximum.at(slices.seen.heaviest, of, rows.weight)
    n, mean, spread = _past(slices)
    mean, spread = cells.past(mean, spread, layout)
    units, excess = _excess(state.units, slices, rows, of, loss, loss - mean[cell], number)
    z = twosample.contrast(loss, candidate, rows.share, mean[cell])
    higher, lower = np.maximum(excess, 0.0), np.maximum(-excess, 0.0)
    toward = np.where(candidate, higher / rows.share, lower / (1.0 - rows.share))
    away = np.where(candidate, lower / rows.share, higher / (1.0 - rows.share))
    sizes = (rows.share, mean[cell], spread[cell], rows.weight / slices.seen.heaviest[of])
    inferior = twosample.rollback_factors(z, *sizes, raised=toward)
    non_inferior = twosample.promote_factors(z, *sizes, margin=rules.margin, raised=away)
    start = np.flatnonzero(begins(of))
    ready = n[of[start]] >= LEAST_SEEN
    moved = of[start][ready]
    fresh = np.zeros(len(slices.name), np.bool_)
    fresh[moved] = slices.order[moved] == 0.0
    reserve = _entered(slices, fresh, state.reserve, layout)
    for evidence, factors in ((slices.rollback, inferior), (slices.promote, non_inferior)):
        with np.errstate(over="ignore"):
            product = np.multiply.reduceat(factors, start, axis=0)
        evidence[moved] = detector.advance(evidence[moved], 0.0, product[ready])
    cells.add(cell, candidate, rows.weight, loss)
    # A view: one row for each arm of each slice.
    arms = WeightedTotals.of(slices.arms.reshape(2 * len(slices.name), -1))
    arms.add(2 * of + candidate.astype(np.int64), rows.weight, loss)
    slices.share[of[start]] = rows.share[start]
    slices.last[of], slices.apart[of] = number, 0
    return _decided(replace(state, slices=slices, cells=cells, units=units, reserve=reserve), number, rules)


def _entered(slices: ComparedSlices, fresh: Bools, reserve: float, layout: ComparisonLayout) -> float:
    """Give slices that bet for the first time their part of what there is; return what is left in reserve."""
    known = Stakes(slices.stake, slices.order, reserve)
    inferior = detector.level(slices.rollback)
    entered = known.entered(inferior, fresh, layout.slice_of, layout.weight, only=layout.whole)
    slices.stake[:], slices.order[:] = entered.stake, entered.order
    return entered.reserve


def _past(slices: ComparedSlices) -> tuple[Floats, Floats, Floats]:
    """Return number, mean and variance of what a slice has shown so far, both arms taken together."""
    seen = slices.seen
    some = np.maximum(seen.n, 1.0)
    mean = (seen.plain + 0.5) / (some + 1.0)
    return seen.n.copy(), mean, np.maximum(seen.plain2 / some - mean**2, mean * (1.0 - mean) / (some + 1.0))


def _excess(
    units: Units, slices: ComparedSlices, rows: Arrivals, of: Integers, loss: Floats, over: Floats, number: int
) -> tuple[Units, Floats]:
    """Return the units with this tick, and by how much each answer's unit is expected to exceed the mean.

    Routing is drawn for every answer on its own where it names no cluster, so answers that fail together do so in both
    arms alike. What units have shown is counted in the moments of slices, ``loss`` as it is.
    """
    named, many = rows.cluster != NO_CLUSTER, len(slices.name)
    excess = np.zeros(len(over))
    apart = np.arange(len(of))
    sums = moment_sums(of, apart, rows.weight, loss, many)
    if named.any():
        key = (rows.cluster ^ slices.name[of])[named]
        runs = Runs.at(begins(key, of[named]))
        seen = routing.told(
            units,
            key,
            runs,
            over[named],
            loss[named],
            (rows.arm == ARMS["candidate"])[named],
            rows.share[named],
            number,
        )
        present, within = np.unique(of[named], return_inverse=True)
        rho = np.array([_alike(Moments(*row)) for row in slices.moments[present].tolist()])[within]
        high = clusters.expected_excess(seen.n, seen.excess, rho)
        low = clusters.expected_excess(seen.n, -seen.excess, rho)
        excess[named] = high - low
        units, slice_of = seen.units, of[named][seen.start]
        alone = of[~named]
        by_slice = (
            np.bincount(alone, minlength=many) + np.bincount(slice_of, weights=column, minlength=many)
            for column in (seen.fresh, seen.squares)
        )
        sums[:, -3], sums[:, -2] = by_slice
        sums[:, -1] = np.bincount(alone, weights=loss[~named] ** 2, minlength=many)
        sums[:, -1] += np.bincount(slice_of, weights=seen.between, minlength=many)
    slices.moments[:, :-1] += sums
    return units, excess


def _alike(seen: Moments[float]) -> float:
    """Return how alike answers of one unit are taken to be: wholly, until enough has failed to tell.

    A correlation that is taken to be too large costs evidence of units with several answers; one that is too small
    makes three failures of one user a release that is worse.
    """
    told = min(seen.plain, seen.n - seen.plain)
    return max(NAMED_ICC, (told * icc(seen) + TELLING) / (told + TELLING))


def _decided(state: Comparison, number: int, rules: ComparisonRules) -> Comparison:
    slices, compared, failed = state.slices, state.slices.compared, state.failed
    if not compared.any():
        return state
    inferior, non_inferior = detector.level(slices.rollback), detector.level(slices.promote)
    passed = compared & (slices.passed == UNKNOWN) & (non_inferior >= 1.0 / rules.alpha_promote)
    slices.passed[passed] = number
    slices.decided[passed] = slices.arms[passed]
    if failed == UNKNOWN and state.evidence >= 1.0 / rules.alpha_rollback:
        failed = number
        slices.decided[compared] = slices.arms[compared]
    # Weights that sum to less than 1, whatever number of slices there will be.
    weighted = np.maximum(slices.order, 0.0) * inferior
    worst = ebh.rejected(len(weighted) * weighted, rules.alpha_rollback)
    slices.named[worst & (slices.named == UNKNOWN)] = number
    return replace(state, failed=failed)


def dumped(state: Comparison, order: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
    """Return a state as JSON takes it, its slices and strata in the orders given."""
    return {
        "pairs": state.slices.dumped(order),
        "cells": state.cells.dumped(cells),
        "units": state.units.dumped(range(len(state.units.key))),
        "failed": state.failed,
        "reserve": state.reserve,
        "candidate": state.candidate,
        "against": list(state.baselines),
    }


def load(data: Mapping[str, Any], layout: ComparisonLayout) -> Comparison:
    """Restore what `dumped` returned, for slices and strata in its order."""
    return Comparison(
        slices=_slices(layout.names).restored(data["pairs"]),
        cells=Cells.empty(len(layout.cell_epoch)).restored(data["cells"]),
        units=Units.empty(len(data["units"]["key"])).restored(data["units"]),
        failed=data["failed"],
        reserve=data["reserve"],
        candidate=data["candidate"],
        baselines=tuple(data["against"]),
    )
