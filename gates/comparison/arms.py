"""A candidate against a concurrent baseline: `gates.evidence.twosample`, tick by tick and slice by slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gates.evidence import clusters, detector, ebh, twosample
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import PASSING, ClusterMemory, Runs, begins
from gates.evidence.intervals import WeightedTotals
from gates.evidence.reference import NAMED_ICC, NOTHING_SEEN, Moments, icc, moment_sums
from gates.inputs.observations import ARMS, NO_CLUSTER
from gates.units.instants import Microseconds
from gates.units.scale import UNIT, Scale
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN, Arrivals, by_tick

MANY = 2
"""Versions of a baseline that are told apart: more than one is no version to name."""
LEAST_SEEN = 30
"""Answers of a slice, of either arm, before the first bet: bets are sized by their mean and variance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRules:
    """What is compared and when it is decided. ``sign`` is 1 where a higher value is worse, -1 where a lower one is.

    ``margin`` is a part of the range of ``metric``, its ``scale``. A cluster is remembered for ``silence`` ticks.
    """

    sign: int
    tick: Microseconds
    silence: int
    metric: str
    margin: float
    alpha_rollback: float
    alpha_promote: float
    scale: Scale = UNIT


@dataclass(slots=True, eq=False, kw_only=True)
class ComparedSlices(ColumnTable):
    """Columns over slices: evidence by bet, the ticks it was decided at, and sums of `Moments` over both arms.

    ``arms`` holds `WeightedTotals` of losses for baseline and candidate, ``share`` the routing share of the last answer
    and ``last`` its tick. `advance` writes into copies.
    """

    rollback: Floats = field(metadata={"fill": twosample.STAKES})
    promote: Floats = field(metadata={"fill": np.ones(len(twosample.NON_INFERIOR))})
    passed: Integers = field(metadata={"fill": UNKNOWN})
    named: Integers = field(metadata={"fill": UNKNOWN})
    moments: Floats = field(metadata={"fill": NOTHING_SEEN})
    arms: Floats = field(metadata={"fill": np.zeros((2, len(WeightedTotals._fields)))})
    share: Floats
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
    """The state: slices, clusters remembered, when rollback was decided, and of which candidate all this is.

    ``candidates`` are all there ever were, ``baselines`` the versions of the baseline so far, `MANY` at most.
    """

    slices: ComparedSlices = field(default_factory=lambda: _slices(np.zeros(0, np.int64)))
    memory: ClusterMemory = field(default_factory=ClusterMemory)
    failed: int = UNKNOWN
    candidate: str | None = None
    candidates: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()

    @property
    def baseline(self) -> str | None:
        """The version that the candidate is compared with, where it is one, and known."""
        return self.baselines[0] or None if len(self.baselines) == 1 else None

    @property
    def under_way(self) -> bool:
        """Whether there is a candidate, and a slice with answers of both arms."""
        return self.candidate is not None and bool(self.slices.compared.any())

    def grown(self, names: Integers) -> Comparison:
        """Return the state with room for these slices."""
        new = names[len(self.slices.name) :]
        return replace(self, slices=self.slices.stacked(_slices(new))) if len(new) else self

    def restarted(self, candidate: str) -> Comparison:
        """Return the state before the first answer of a candidate."""
        candidates = tuple(sorted({*self.candidates, candidate}))
        return Comparison(slices=_slices(self.slices.name), candidate=candidate, candidates=candidates)

    def awaiting(self) -> Comparison:
        """Return the state before a candidate that is still to come, and that need not tell its version."""
        # Without a version every release looks like the last one; a change event then is what tells them apart.
        return Comparison(slices=_slices(self.slices.name), candidates=self.candidates).forgotten("")

    def forgotten(self, version: str | None) -> Comparison:
        """Return the state in which a version may be a candidate again."""
        return replace(self, candidates=tuple(each for each in self.candidates if each != version))


def advance(
    state: Comparison,
    rows: Arrivals,
    rules: ComparisonRules,
    epoch_of: Integers,
    versions: Sequence[Mapping[str, str]],
) -> Comparison:
    """Return the state after these ticks. ``versions`` is the version of each series' answers, by its arm.

    A version of the candidate that was not there before begins a new comparison; answers of any other are left out.
    """
    candidate_of = [each.get("candidate") for each in versions]
    for number, part in by_tick(rows, rules.tick):
        there = part.series.tolist()
        candidates = dict.fromkeys(candidate_of[key] for key in there if candidate_of[key] is not None)
        fresh = [version for version in candidates if version not in state.candidates]
        if fresh:
            state = state.restarted(fresh[-1])
        current = np.array([version in (None, state.candidate) for version in candidate_of], np.bool_)
        routed = (part.share > 0.0) & (part.share < 1.0) & (part.arm > 0) & current[part.series]
        if routed.any() and state.candidate is not None:
            baselines = {*state.baselines, *(versions[key]["baseline"] for key in there if "baseline" in versions[key])}
            state = replace(state, baselines=tuple(sorted(baselines))[:MANY])
            state = _tick(state, part.taken(routed), number, rules, epoch_of)
    return state


def _tick(state: Comparison, rows: Arrivals, number: int, rules: ComparisonRules, epoch_of: Integers) -> Comparison:
    slices, of = state.slices.copied(), epoch_of[rows.series]
    # Routing is drawn for every answer about a document: those fail together in both arms alike.
    rows = replace(rows, cluster=np.maximum(rows.cluster, NO_CLUSTER))
    order = np.lexsort((rows.arm, rows.cluster, of))
    rows, of = rows.taken(order), of[order]
    loss = rows.value if rules.sign > 0 else 1.0 - rows.value
    candidate = rows.arm == ARMS["candidate"]
    np.maximum.at(slices.seen.heaviest, of, rows.weight)
    n, mean, spread = _past(slices)
    memory, excess = _excess(state.memory, slices, rows, of, loss - mean[of], number, rules)
    z = twosample.contrast(loss, candidate, rows.share, mean[of])
    higher, lower = np.maximum(excess, 0.0), np.maximum(-excess, 0.0)
    toward = np.where(candidate, higher / rows.share, lower / (1.0 - rows.share))
    away = np.where(candidate, lower / rows.share, higher / (1.0 - rows.share))
    sizes = (rows.share, mean[of], spread[of], rows.weight / slices.seen.heaviest[of])
    inferior = twosample.rollback_factors(z, *sizes, raised=toward)
    non_inferior = twosample.promote_factors(z, *sizes, margin=rules.margin, raised=away)
    start = np.flatnonzero(begins(of))
    ready = n[of[start]] >= LEAST_SEEN
    moved = of[start][ready]
    for evidence, factors in ((slices.rollback, inferior), (slices.promote, non_inferior)):
        with np.errstate(over="ignore"):
            product = np.multiply.reduceat(factors, start, axis=0)
        evidence[moved] = detector.advance(evidence[moved], 0.0, product[ready])
    _count(slices, rows, of, loss)
    slices.share[of[start]] = rows.share[start]
    slices.last[of] = number
    return _decided(replace(state, slices=slices, memory=memory), number, rules)


def _past(slices: ComparedSlices) -> tuple[Floats, Floats, Floats]:
    """Return number, mean and variance of what a slice has shown so far, both arms taken together."""
    seen = slices.seen
    some = np.maximum(seen.n, 1.0)
    mean = (seen.plain + 0.5) / (some + 1.0)
    return seen.n, mean, np.maximum(seen.plain2 / some - mean**2, mean * (1.0 - mean) / (some + 1.0))


def _excess(
    memory: ClusterMemory,
    slices: ComparedSlices,
    rows: Arrivals,
    of: Integers,
    over: Floats,
    number: int,
    rules: ComparisonRules,
) -> tuple[ClusterMemory, Floats]:
    """Return the memory with this tick, and by how much each answer's cluster is expected to exceed the mean.

    Routing is drawn for every answer on its own where it names no cluster, so answers that fail together do so in both
    arms alike. A cluster stays with its arm.
    """
    named = rows.cluster != NO_CLUSTER
    if not named.any():
        return memory, np.zeros(len(over))
    key = np.where(named, rows.cluster ^ slices.name[of] ^ rows.arm, PASSING)
    runs = Runs.at(begins(key, of) | ~named)
    memory, n, shown = clusters.shown_before(memory, over, runs, key[runs.start], tick=number, silence=rules.silence)
    alike = np.array([max(NAMED_ICC, icc(Moments(*row))) for row in slices.moments.tolist()])[of]
    high, low = clusters.expected_excess(n, shown, alike), clusters.expected_excess(n, -shown, alike)
    return memory, np.where(named, high - low, 0.0)


def _count(slices: ComparedSlices, rows: Arrivals, of: Integers, loss: Floats) -> None:
    """Add the answers of a tick to what slices have shown."""
    many, arm = len(slices.name), (rows.arm == ARMS["candidate"]).astype(np.int64)
    alone = rows.cluster == NO_CLUSTER
    cluster = Runs.at(begins(rows.cluster, of) | alone).of
    slices.moments[:, :-1] += moment_sums(of, cluster, rows.weight, loss, many)
    # A view: one row for each arm of each slice.
    WeightedTotals.of(slices.arms.reshape(2 * many, -1)).add(2 * of + arm, rows.weight, loss)


def _decided(state: Comparison, number: int, rules: ComparisonRules) -> Comparison:
    slices, compared, failed = state.slices, state.slices.compared, state.failed
    if not compared.any():
        return state
    inferior, non_inferior = detector.level(slices.rollback), detector.level(slices.promote)
    passed = compared & (slices.passed == UNKNOWN) & (non_inferior >= 1.0 / rules.alpha_promote)
    slices.passed[passed] = number
    # The mean of e-values is an e-value for "no slice is worse", whatever the slices have to do with each other.
    if failed == UNKNOWN and float(np.sort(inferior[compared]).mean()) >= 1.0 / rules.alpha_rollback:
        failed = number
    among = int(np.count_nonzero(compared))
    worst = ebh.rejected(np.where(compared, inferior, 0.0), rules.alpha_rollback, among=among)
    slices.named[worst & (slices.named == UNKNOWN)] = number
    return replace(state, failed=failed)


def dumped(state: Comparison, order: Sequence[int]) -> dict[str, Any]:
    """Return a state as JSON takes it, its slices in the order given."""
    return {
        "pairs": state.slices.dumped(order),
        "memory": state.memory.dump(),
        "failed": state.failed,
        "candidate": state.candidate,
        "seen": list(state.candidates),
        "against": list(state.baselines),
    }


def load(data: Mapping[str, Any], names: Integers) -> Comparison:
    """Restore what `dumped` returned, for slices in its order."""
    return Comparison(
        slices=_slices(names).restored(data["pairs"]),
        memory=ClusterMemory.load(data["memory"]),
        failed=data["failed"],
        candidate=data["candidate"],
        candidates=tuple(data["seen"]),
        baselines=tuple(data["against"]),
    )
