"""The `objective` gate: a service level objective with its error budget, watched by how fast the budget burns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from math import isinf
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from gates.base import Outcome, SliceVerdict, State
from gates.bounded import inside
from gates.evidence import burn
from gates.inputs.observations import Bools, Floats, Group, instant
from gates.units.duration import Duration, format_duration
from gates.verdicts.summary import figures
from gates.windowing import tables
from gates.windowing.gate import TICK, Ticked, TickedGate
from gates.windowing.strata import Keyed
from gates.windowing.watermark import Inbox, Key, Rows, by_tick
from gates.windowing.windows import Ring
from scorers.base import Metric

SHORT, MIDDLE, LONG = (1, 72), (6, 144), (288, 31)
"""Ticks in a part and parts of the three rings: 6 hours by 5 minutes, 3 days by half hours, and days."""
COLUMNS = 4
"""Number of answers, sums of weight and of weighted bad answers, and the largest weight."""


def _rings(slices: int) -> tuple[Ring, ...]:
    return tuple(Ring.empty(slices, parts, COLUMNS) for _, parts in (SHORT, MIDDLE, LONG))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ObjectiveState(Ticked):
    """What has arrived, and sums over three lengths of time by slice."""

    rings: tuple[Ring, ...] = field(default_factory=lambda: _rings(0))

    def grown(self, slices: int) -> tuple[Ring, ...]:
        """Return the sums with room for so many slices."""
        held = len(self.rings[0].sums)
        return tuple(tables.stacked(ring, more) for ring, more in zip(self.rings, _rings(slices - held), strict=True))

    def content(self, keyed: Keyed, lines: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
        """Return the sums as JSON takes them."""
        del lines
        return {"rings": [tables.dumped(ring, cells, ()) for ring in self.grown(len(keyed.cells))]}


class ObjectiveGate(TickedGate):
    """Keeps the books of an error budget: a share ``objective`` of answers must be good over ``period``.

    A slice fails while its budget burns in both windows of a pair, 14.4 times in 1h and 5m or 6 times in 6h and 30m (a
    page), 3 times in 1d and 2h or once in 3d and 6h (a ticket), and while the budget of the period is spent. It passes
    with budget left and at least ``min_answers`` answers in the last 3 days. An answer counts as bad by how far it is
    from the best value, as a part of the metric's range, or where ``good`` is given, wholly when its value is on the
    wrong side of it: so a metric may have no upper bound. Each counts with one over its inclusion probability.
    Estimate and interval are of the share of good answers.

    >>> from datetime import UTC, datetime
    >>> from gates.inputs.observations import Batch, Observation
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
    objective: float = Field(gt=0, lt=1, description="Share of answers that must be good.")
    good: float | None = Field(
        default=None, description="The last value that is good; where not given, values count by degrees."
    )
    period: Duration = Field(
        default=timedelta(days=30), description="How long a budget is for, in whole days up to 31."
    )
    min_answers: int = Field(default=30, ge=1, description="Answers of a window below which it is not judged.")

    @field_validator("good")
    @classmethod
    def _in_the_range(cls, good: float | None, given: ValidationInfo) -> float | None:
        return inside(good, given)

    @field_validator("period")
    @classmethod
    def _days(cls, period: timedelta) -> timedelta:
        if period % timedelta(days=1) or period > timedelta(days=31):
            raise ValueError("a period is 1 to 31 whole days")
        return period

    def range_problems(self, metric: Metric | None) -> Iterator[tuple[str, str]]:
        """Yield why values of this metric cannot be judged; one without end can be where it is said what is good."""
        found = super().range_problems(metric)
        return (each for each in found if each[0] != "metric" or self.good is None or not isinf(self.scale.upper))

    def initial(self) -> State:
        """Return the state before any observation."""
        return ObjectiveState()

    def _key(self, group: Group) -> Key:
        return (self._sliced(group), ())

    def _advanced(self, state: ObjectiveState, rows: Rows) -> ObjectiveState:
        keyed = state.keyed
        rings = state.grown(len(keyed.cells))
        for number, part in by_tick(rows, self.shape.tick):
            columns = (np.ones(len(part)), part.weight, part.weight * self._bad(part.value), part.weight)
            for ring, (ticks, _) in zip(rings, (SHORT, MIDDLE, LONG), strict=True):
                ring.add(number // ticks, keyed.cell_of[part.key], columns)
        return replace(state, rings=rings)

    def _bad(self, value: Floats) -> Floats:
        if self.good is None:
            return value if self.worse == "higher" else 1.0 - value
        last = self.scale.part(self.good)
        wrong: Bools = value > last if self.worse == "higher" else value < last
        return wrong.astype(np.float64)

    def _nothing(self, state: ObjectiveState, now: int) -> str:
        del state, now
        return f"no scored answers in the last {format_duration(self.period)}"

    def _judged(self, state: ObjectiveState, now: int) -> Iterator[SliceVerdict]:
        last = now - 1
        spent = state.rings[2].over(last // LONG[0], self.period // timedelta(days=1))
        recent = state.rings[1].over(last // MIDDLE[0], MIDDLE[1])
        remaining = burn.left(spent[:, 2], spent[:, 1], self.objective)
        windows = {
            length: self._window(state, last, length) for pair in burn.PAIRS for length in (pair.long, pair.short)
        }
        # The objective speaks of the share of good answers, whichever way the metric goes.
        shown = figures(spent, sign=-1)
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
            yield SliceVerdict(
                slice=dict(state.keyed.cells[cell][0]),
                state=outcome,
                reason=reason,
                **shown[cell],
                evidence={
                    "budget_left": float(remaining[cell]),
                    **{f"burn_{format_duration(length)}": value for length, value in sorted(rates.items())},
                },
                alarmed_at=instant(now * self.shape.tick) if outcome == "fail" else None,
                cause=None if burning is None else burning.severity,
            )

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

    def _restored(self, decoded: Mapping[str, Any], inbox: Inbox, keyed: Keyed) -> ObjectiveState:
        rings = zip(_rings(len(keyed.cells)), decoded["rings"], strict=True)
        return ObjectiveState(
            inbox=inbox, keyed=keyed, rings=tuple(tables.restored(empty, data) for empty, data in rings)
        )
