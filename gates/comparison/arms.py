"""A candidate against a concurrent baseline: `gates.evidence.twosample`, tick by tick and slice by slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gates.evidence import clusters, detector, ebh, twosample
from gates.evidence.clusters import Memory, Seen
from gates.evidence.reference import EXCESS_UNIT, NAMED_ICC, Moments, icc
from gates.inputs.observations import ARMS, NO_CLUSTER, Bools, Floats, Integers
from gates.units.scale import UNIT, Scale
from gates.windowing import tables
from gates.windowing.watermark import UNKNOWN, Rows, by_tick

MANY = 2
"""Versions of a baseline that are told apart: more than one is no version to name."""
LEAST_SEEN = 30
"""Answers of a slice, of either arm, before the first bet: bets are sized by their mean and variance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is compared and when it is decided. ``sign`` is 1 where a higher value is worse, -1 where a lower one is.

    Values and ``margin`` are parts of the metric's range, its ``scale``.
    """

    sign: int
    tick: int
    silence: int
    margin: float
    alpha_rollback: float
    alpha_promote: float
    scale: Scale = UNIT


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pairs:
    """Columns over slices: evidence by bet, the ticks it was decided at, and sums of `Moments` over both arms.

    ``arms`` holds, for baseline and candidate, number of answers, sums of weight and weighted loss, and largest weight;
    ``share`` the routing share of the last answer and ``last`` its tick.
    """

    rollback: Floats
    promote: Floats
    passed: Integers
    named: Integers
    moments: Floats
    arms: Floats
    share: Floats
    last: Integers
    name: Integers


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comparison:
    """The state: slices, clusters remembered, when rollback was decided, and of which candidate all this is.

    ``against`` are the versions of the baseline so far, `MANY` at most.
    """

    pairs: Pairs
    memory: Memory
    failed: int = UNKNOWN
    candidate: str | None = None
    seen: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    @property
    def baseline(self) -> str | None:
        """The version that the candidate is compared with, where it is one, and known."""
        return self.against[0] or None if len(self.against) == 1 else None

    @classmethod
    def empty(cls) -> Comparison:
        """Return the state before any tick."""
        return cls(pairs=_pairs(np.zeros(0, np.int64)), memory=Memory())

    def grown(self, names: Integers) -> Comparison:
        """Return the state with room for these slices."""
        if len(names) == len(self.pairs.name):
            return self
        return replace(self, pairs=tables.stacked(self.pairs, _pairs(names[len(self.pairs.name) :])))

    def restarted(self, candidate: str) -> Comparison:
        """Return the state before the first answer of a candidate."""
        seen = tuple(sorted({*self.seen, candidate}))
        return Comparison(pairs=_pairs(self.pairs.name), memory=Memory(), candidate=candidate, seen=seen)

    def awaiting(self) -> Comparison:
        """Return the state before a candidate that is still to come, and that need not tell its version."""
        # Without a version every release looks like the last one; a change event then is what tells them apart.
        return Comparison(pairs=_pairs(self.pairs.name), memory=Memory(), seen=self.seen).forgotten("")

    def forgotten(self, version: str | None) -> Comparison:
        """Return the state in which a version may be a candidate again."""
        return replace(self, seen=tuple(each for each in self.seen if each != version))


def _pairs(name: Integers) -> Pairs:
    n = len(name)
    moments = np.zeros((n, len(Moments._fields)))
    moments[:, -1] = 1.0
    return Pairs(
        rollback=np.tile(twosample.STAKES, (n, 1)),
        promote=np.ones((n, len(twosample.KEPT))),
        passed=np.full(n, UNKNOWN, np.int64),
        named=np.full(n, UNKNOWN, np.int64),
        moments=moments,
        arms=np.zeros((n, 2, 4)),
        share=np.zeros(n),
        last=np.full(n, UNKNOWN, np.int64),
        name=name.astype(np.int64),
    )


def advance(
    state: Comparison, rows: Rows, terms: Terms, cell_of: Integers, versions: Sequence[Mapping[str, str]]
) -> Comparison:
    """Return the state after these ticks. ``versions`` is the version of each key's answers, by its arm.

    A version of the candidate that was not there before begins a new comparison; answers of any other are left out.
    """
    candidate_of = [each.get("candidate") for each in versions]
    for number, part in by_tick(rows, terms.tick):
        keys = part.key.tolist()
        candidates = dict.fromkeys(candidate_of[key] for key in keys if candidate_of[key] is not None)
        fresh = [version for version in candidates if version not in state.seen]
        if fresh:
            state = state.restarted(fresh[-1])
        current = np.array([version in (None, state.candidate) for version in candidate_of], np.bool_)
        routed = (part.share > 0.0) & (part.share < 1.0) & (part.arm > 0) & current[part.key]
        if routed.any() and state.candidate is not None:
            against = {*state.against, *(versions[key]["baseline"] for key in keys if "baseline" in versions[key])}
            state = replace(state, against=tuple(sorted(against))[:MANY])
            state = _tick(state, part.taken(routed), number, terms, cell_of)
    return state


def _tick(state: Comparison, rows: Rows, number: int, terms: Terms, cell_of: Integers) -> Comparison:
    pairs, cell = tables.each(state.pairs, np.copy), cell_of[rows.key]
    # Routing is drawn for every answer about a document: those fail together in both arms alike.
    rows = replace(rows, cluster=np.maximum(rows.cluster, NO_CLUSTER))
    order = np.lexsort((rows.arm, rows.cluster, cell))
    rows, cell = rows.taken(order), cell[order]
    loss = rows.value if terms.sign > 0 else 1.0 - rows.value
    candidate = rows.arm == ARMS["candidate"]
    np.maximum.at(pairs.moments[:, -1], cell, rows.weight)
    n, mean, spread = _past(pairs)
    memory, excess = _excess(state, pairs, rows, cell, loss - mean[cell], number, terms)
    z = twosample.contrast(loss, candidate, rows.share, mean[cell])
    higher, lower = np.maximum(excess, 0.0), np.maximum(-excess, 0.0)
    toward = np.where(candidate, higher / rows.share, lower / (1.0 - rows.share))
    away = np.where(candidate, lower / rows.share, higher / (1.0 - rows.share))
    sizes = (rows.share, mean[cell], spread[cell], rows.weight / pairs.moments[cell, -1])
    worse = twosample.rollback_factors(z, *sizes, raised=toward)
    kept = twosample.promote_factors(z, *sizes, margin=terms.margin, raised=away)
    start = np.flatnonzero(np.concatenate(([True], cell[1:] != cell[:-1])))
    for evidence, factors in ((pairs.rollback, worse), (pairs.promote, kept)):
        with np.errstate(over="ignore"):
            product = np.multiply.reduceat(factors, start, axis=0)
        ready = n[cell[start]] >= LEAST_SEEN
        moved = cell[start][ready]
        evidence[moved] = detector.advance(evidence[moved], 0.0, product[ready])
    _count(pairs, rows, cell, loss, start)
    pairs.last[cell] = number
    return _decided(replace(state, pairs=pairs, memory=memory), number, terms)


def _past(pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    """Return number, mean and variance of what a slice has shown so far, both arms taken together."""
    n = pairs.moments[:, 0]
    some = np.maximum(n, 1.0)
    mean = (pairs.moments[:, 6] + 0.5) / (some + 1.0)
    return n, mean, np.maximum(pairs.moments[:, 7] / some - mean**2, mean * (1.0 - mean) / (some + 1.0))


def _excess(
    state: Comparison, pairs: Pairs, rows: Rows, cell: Integers, over: Floats, number: int, terms: Terms
) -> tuple[Memory, Floats]:
    """Return the memory with this tick, and by how much each answer's cluster is expected to exceed the mean.

    Routing is drawn for every answer on its own where it names no cluster, so answers that fail together do so in both
    arms alike. A cluster stays with its arm.
    """
    named = rows.cluster != NO_CLUSTER
    if not named.any():
        return state.memory, np.zeros(len(over))
    key = rows.cluster ^ pairs.name[cell] ^ rows.arm
    new = np.concatenate(([True], (key[1:] != key[:-1]) | (cell[1:] != cell[:-1]))) | ~named
    start, unit = np.flatnonzero(new), np.cumsum(new) - 1
    exact = np.rint(over * EXCESS_UNIT).astype(np.int64)
    total = np.cumsum(exact)
    before = ((total - exact) - (total - exact)[start][unit]) / EXCESS_UNIT
    known = (np.arange(len(unit)) - start[unit]).astype(np.float64)
    since = number - terms.silence
    n, shown = state.memory.recall(np.where(named, key, UNKNOWN)[start], since=since)
    known, before = known + n[unit], before + shown[unit]
    size = np.diff(np.append(start, len(unit))).astype(np.float64)
    mine = named[start]
    seen = Seen(number, key[start][mine], size[mine], (np.add.reduceat(exact, start) / EXCESS_UNIT)[mine])
    alike = np.array([max(NAMED_ICC, icc(Moments(*row))) for row in pairs.moments.tolist()])[cell]
    high = clusters.expected_excess(known, before / np.maximum(known, 1.0), alike)
    low = clusters.expected_excess(known, -before / np.maximum(known, 1.0), alike)
    return state.memory.remember(seen, since=since), np.where(named, high - low, 0.0)


def _count(pairs: Pairs, rows: Rows, cell: Integers, loss: Floats, start: Integers) -> None:
    w, square, many = rows.weight, rows.weight**2, len(pairs.name)
    graded = ((loss != 0.0) & (loss != 1.0)).astype(np.float64)
    columns = (np.ones_like(w), w, w * loss, square, square * loss, square * loss**2, loss, loss**2, graded)
    for place, column in enumerate(columns):
        pairs.moments[:, place] += np.bincount(cell, weights=column, minlength=many)
    new = np.concatenate(([True], (rows.cluster[1:] != rows.cluster[:-1]) | (cell[1:] != cell[:-1])))
    begin = np.flatnonzero(new | (rows.cluster == NO_CLUSTER))
    size = np.diff(np.append(begin, len(cell))).astype(np.float64)
    total = np.add.reduceat(loss, begin)
    for place, column in enumerate((np.ones_like(size), size**2, total**2 / size), len(columns)):
        pairs.moments[:, place] += np.bincount(cell[begin], weights=column, minlength=many)
    arm = (rows.arm == ARMS["candidate"]).astype(np.int64)
    for place, column in enumerate((np.ones_like(w), w, w * loss)):
        pairs.arms[:, :, place] += np.bincount(2 * cell + arm, weights=column, minlength=2 * many).reshape(-1, 2)
    largest = np.zeros(2 * many)
    np.maximum.at(largest, 2 * cell + arm, w)
    pairs.arms[:, :, 3] = np.maximum(pairs.arms[:, :, 3], largest.reshape(-1, 2))
    pairs.share[cell[start]] = rows.share[start]


def _decided(state: Comparison, number: int, terms: Terms) -> Comparison:
    pairs = state.pairs
    compared = both(pairs)
    if not compared.any():
        return state
    worse = detector.level(pairs.rollback)
    passed = compared & (pairs.passed == UNKNOWN) & (detector.level(pairs.promote) >= 1.0 / terms.alpha_promote)
    pairs.passed[passed] = number
    failed = state.failed
    # The mean of e-values is an e-value for "no slice is worse", whatever the slices have to do with each other.
    if failed == UNKNOWN and float(np.sort(worse[compared]).mean()) >= 1.0 / terms.alpha_rollback:
        failed = number
    pairs.named[_worst(worse, compared, terms.alpha_rollback) & (pairs.named == UNKNOWN)] = number
    return replace(state, failed=failed)


def _worst(worse: Floats, compared: Bools, alpha: float) -> Bools:
    return ebh.rejected(np.where(compared, worse, 0.0), alpha, among=int(np.count_nonzero(compared)))


def both(pairs: Pairs) -> Bools:
    """Return which slices have answers of both arms."""
    return np.asarray((pairs.arms[:, :, 0] > 0.0).all(axis=1))


def dumped(state: Comparison, order: Sequence[int]) -> dict[str, Any]:
    """Return a state as JSON takes it, its slices in the order given."""
    return {
        "pairs": tables.dumped(state.pairs, order, ("name",)),
        "memory": state.memory.dump(),
        "failed": state.failed,
        "candidate": state.candidate,
        "seen": list(state.seen),
        "against": list(state.against),
    }


def load(data: Mapping[str, Any], names: Integers) -> Comparison:
    """Restore what `dumped` returned, for slices in its order."""
    return Comparison(
        pairs=tables.restored(_pairs(names), data["pairs"], ("name",)),
        memory=Memory.load(data["memory"]),
        failed=data["failed"],
        candidate=data["candidate"],
        seen=tuple(data["seen"]),
        against=tuple(data["against"]),
    )
