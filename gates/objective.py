"""The `objective` gate: a service level objective with its error budget, watched by how fast the budget burns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

import numpy as np
import orjson
from pydantic import Field, field_validator

from gates import tables
from gates.base import Gate, Outcome, SliceVerdict, State, Verdict
from gates.duration import Duration, format_duration
from gates.evidence import burn, intervals
from gates.observations import MICROSECOND, Batch, Floats, Group, instant, microseconds
from gates.rings import Ring
from gates.slices import NONE
from gates.sorting import Keyed, dimension_problems, metric_problems
from gates.summary import summary
from gates.ticks import Inbox, Key, Rows, Shape, by_tick
from scorers.base import Metric

TICK = timedelta(minutes=5)
"""The shortest window of a pair."""
SHORT, MIDDLE, LONG = (1, 72), (6, 144), (288, 31)
"""Ticks in a part and parts of the three rings: 6 hours by 5 minutes, 3 days by half hours, and days."""
COLUMNS = 4
"""Number of answers, sums of weight and of weighted bad answers, and the largest weight."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ObjectiveState:
    """What has arrived, and sums over three lengths of time by slice."""

    inbox: Inbox
    keyed: Keyed
    rings: tuple[Ring, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectiveState) and dumped(self) == dumped(other)

    __hash__ = None  # type: ignore[assignment]  # compared by content, and not a key of anything


class ObjectiveGate(Gate):
    """Keeps the books of an error budget: a share ``objective`` of answers must be good over ``period``.

    A slice fails while its budget burns in both windows of a pair, 14.4 times in 1h and 5m or 6 times in 6h and 30m (a
    page), 3 times in 1d and 2h or once in 3d and 6h (a ticket), and while the budget of the period is spent. It passes
    with budget left and at least ``min_answers`` answers in the last 3 days. An answer counts as bad by one minus its
    value, or where ``good`` is given, wholly when its value is on the wrong side of it; each counts with one over its
    inclusion probability.

    >>> from datetime import UTC, datetime
    >>> from gates.observations import Observation
    >>> gate = ObjectiveGate(type="objective", name="slo", metric="stale_source_use", worse="higher", objective=0.99)
    >>> noon, state = datetime(2026, 1, 1, 12, tzinfo=UTC), gate.initial()
    >>> def seen(i, value):
    ...     at = noon + timedelta(seconds=30 * i)
    ...     return Observation(at=at, answer_id=f"a{i}", metric="stale_source_use", value=value, probability=1)
    >>> state = gate.fold(state, Batch.of(seen(i, i % 5 == 0) for i in range(120)))
    >>> gate.verdict(state, noon + timedelta(hours=1)).reason
    'page: burns 20 times as fast as allowed over 1h and 5m'
    """

    type: Literal["objective"]
    metric: str = Field(description="Metric that the objective is about; its values lie between 0 and 1.")
    worse: Literal["lower", "higher"] = Field(description="Which way the metric goes when quality falls.")
    objective: float = Field(gt=0, lt=1, description="Share of answers that must be good.")
    good: float | None = Field(
        default=None, ge=0, le=1, description="The last value that is good; where not given, values count by degrees."
    )
    period: Duration = Field(
        default=timedelta(days=30), description="How long a budget is for, in whole days up to 31."
    )
    by: tuple[str, ...] = Field(
        default=(), max_length=8, description="Slice dimensions with a budget each; none: all traffic as one."
    )
    min_answers: int = Field(default=30, ge=1, description="Answers of a window below which it is not judged.")
    grace: Duration = Field(default=timedelta(minutes=2), description="How long after its end a tick takes answers.")

    @field_validator("period")
    @classmethod
    def _days(cls, period: timedelta) -> timedelta:
        if period % timedelta(days=1) or period > timedelta(days=31):
            raise ValueError("a period is 1 to 31 whole days")
        return period

    @field_validator("by")
    @classmethod
    def _distinct(cls, by: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(by)) != len(by):
            raise ValueError("a dimension is named twice")
        return by

    @property
    def metrics(self) -> frozenset[str]:
        """The one metric this gate listens to."""
        return frozenset({self.metric})

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working: an unknown or unbounded metric, a dimension nobody cuts by."""
        yield from metric_problems(self.metric, metrics, self.worse)
        yield from dimension_problems("by", self.by, dimensions)

    def initial(self) -> State:
        """Return the state before any observation."""
        rings = tuple(Ring.empty(0, parts, COLUMNS) for _, parts in (SHORT, MIDDLE, LONG))
        return ObjectiveState(inbox=Inbox(index={}), keyed=Keyed(), rings=rings)

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; others' metrics are ignored. Raises `ValueError` on a value outside [0, 1]."""
        known: ObjectiveState = state
        mine = batch.of_metric(self.metric)
        if not mine.any():
            return state
        inbox, rows = known.inbox.receive(batch, mine, self._key, self._shape)
        known = replace(known, inbox=inbox)
        return known if rows is None else self._advanced(known, rows)

    def _key(self, group: Group) -> Key:
        named = dict(group.slice)
        return (tuple((name, named.get(name, NONE)) for name in self.by), ())

    @property
    def _shape(self) -> Shape:
        return Shape(TICK // MICROSECOND, self.grace // MICROSECOND)

    def _advanced(self, state: ObjectiveState, rows: Rows) -> ObjectiveState:
        keyed = state.keyed.extended(state.inbox.keys)
        rings = tuple(tables.each(_grown(ring, len(keyed.cells)), np.copy) for ring in state.rings)
        for number, part in by_tick(rows, self._shape.tick):
            columns = (np.ones(len(part)), part.weight, part.weight * self._bad(part.value), part.weight)
            for ring, (ticks, _) in zip(rings, (SHORT, MIDDLE, LONG), strict=True):
                ring.add(number // ticks, keyed.cell_of[part.key], columns)
        return replace(state, keyed=keyed, rings=rings)

    def _bad(self, value: Floats) -> Floats:
        if self.good is None:
            return value if self.worse == "higher" else 1.0 - value
        wrong = value > self.good if self.worse == "higher" else value < self.good
        return wrong.astype(np.float64)

    def settled(self, state: State, at: datetime) -> ObjectiveState:
        """Return the state with all ticks folded that have ended at ``at``."""
        known: ObjectiveState = state
        inbox, rows = known.inbox.closing(microseconds(at) // self._shape.tick * self._shape.tick)
        known = replace(known, inbox=inbox)
        return known if rows is None else self._advanced(known, rows)

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge the windows that end with the last tick before ``at``."""
        known = self.settled(state, at)
        last = microseconds(at) // self._shape.tick - 1
        parts = tuple(self._judged(known, last))
        outcome, reason = summary(parts, f"no scored answers in the last {format_duration(self.period)}")
        return Verdict(
            gate=self.name,
            state=outcome,
            at=at,
            reason=reason,
            no_data=not any(part.n for part in parts),
            policy_version=self.policy_version,
            slices=parts,
        )

    def _judged(self, state: ObjectiveState, last: int) -> Iterator[SliceVerdict]:
        days = self.period // timedelta(days=1)
        spent = state.rings[2].over(last // LONG[0], days)
        recent = state.rings[1].over(last // MIDDLE[0], MIDDLE[1])
        remaining = burn.left(spent[:, 2], spent[:, 1], self.objective)
        windows = {
            length: self._window(state, last, length) for pair in burn.PAIRS for length in (pair.long, pair.short)
        }
        heaviest = np.maximum(spent[:, 3], 1.0)
        mean, low, high = intervals.bounds(spent[:, 2], spent[:, 0], spent[:, 1], heaviest, 0.05)
        found = np.flatnonzero(spent[:, 0] > 0).tolist()
        for cell in sorted(found, key=lambda cell: state.keyed.cells[cell]):
            rates = {length: float(self._rate(sums[cell])) for length, sums in windows.items()}
            burning = next(
                (
                    pair
                    for pair in burn.PAIRS
                    if min(rates[pair.long], rates[pair.short]) >= pair.factor
                    and windows[pair.long][cell, 0] >= self.min_answers
                ),
                None,
            )
            outcome, reason = self._decided(burning, rates, float(remaining[cell]), spent[cell], recent[cell])
            ends = sorted(self._share(float(end[cell])) for end in (low, high))
            yield SliceVerdict(
                slice=dict(state.keyed.cells[cell][0]),
                state=outcome,
                reason=reason,
                n=int(spent[cell, 0]),
                effective_n=intervals.effective_n(int(spent[cell, 0]), float(spent[cell, 1]), float(heaviest[cell])),
                estimate=self._share(float(mean[cell])),
                lower=ends[0],
                upper=ends[1],
                evidence={
                    "budget_left": float(remaining[cell]),
                    **{f"burn_{format_duration(length)}": value for length, value in sorted(rates.items())},
                },
                alarmed_at=instant((last + 1) * self._shape.tick) if outcome == "fail" else None,
                cause=None if burning is None else burning.severity,
            )

    def _share(self, bad: float) -> float:
        """Return a share of bad answers as the share of good ones that the objective speaks of."""
        return 1.0 - bad

    def _window(self, state: ObjectiveState, last: int, length: timedelta) -> Floats:
        ticks = length // TICK
        fine = ticks <= SHORT[0] * SHORT[1]
        ring, (size, _) = (state.rings[0], SHORT) if fine else (state.rings[1], MIDDLE)
        return ring.over(last // size, ticks // size)

    def _rate(self, sums: Floats) -> Floats:
        return burn.rate(sums[2], sums[1], self.objective)

    def _decided(
        self,
        burning: burn.Pair | None,
        rates: Mapping[timedelta, float],
        remaining: float,
        spent: Floats,
        recent: Floats,
    ) -> tuple[Outcome, str]:
        if burning is not None:
            least = min(rates[burning.long], rates[burning.short])
            pair = f"{format_duration(burning.long)} and {format_duration(burning.short)}"
            return "fail", f"{burning.severity}: burns {least:.3g} times as fast as allowed over {pair}"
        if remaining <= 0.0 and spent[0] >= self.min_answers:
            return "fail", f"the budget of {format_duration(self.period)} is spent {1.0 - remaining:.3g} times"
        if recent[0] < self.min_answers:
            return "inconclusive", f"{int(recent[0])} of at least {self.min_answers} answers in the last 3d"
        return "pass", f"{remaining:.1%} of the budget of {format_duration(self.period)} left"

    def dump(self, state: State) -> bytes:
        """Serialize a state as JSON; equal states give equal bytes."""
        return orjson.dumps({**self._policy(), **dumped(state)})

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if a gate of another configuration wrote it."""
        decoded: Any = orjson.loads(data)
        if not isinstance(decoded, dict) or {k: decoded.get(k) for k in self._policy()} != self._policy():
            raise ValueError(f"not a state of the gate {self.name!r} as it is configured")
        inbox = Inbox.load(decoded["inbox"])
        keyed = Keyed().extended(inbox.keys)
        empty = [Ring.empty(len(keyed.cells), parts, COLUMNS) for _, parts in (SHORT, MIDDLE, LONG)]
        rings = tuple(tables.restored(ring, data) for ring, data in zip(empty, decoded["rings"], strict=True))
        return ObjectiveState(inbox=inbox, keyed=keyed, rings=rings)

    def _policy(self) -> dict[str, Any]:
        return {"gate": "objective", "policy": self.policy_version}


def dumped(state: ObjectiveState) -> dict[str, Any]:
    """Return a state as JSON takes it; equal states give equal JSON, in whatever order they met their slices."""
    lines = state.inbox.order()
    keyed = state.keyed.extended(state.inbox.keys)
    rings = [_grown(ring, len(keyed.cells)) for ring in state.rings]
    return {
        "inbox": state.inbox.dump(),
        "rings": [tables.dumped(ring, keyed.order(lines), ()) for ring in rings],
    }


def _grown(ring: Ring, slices: int) -> Ring:
    held, parts, columns = ring.sums.shape
    return ring if held == slices else tables.stacked(ring, Ring.empty(slices - held, parts, columns))
