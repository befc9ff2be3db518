"""The `objective` gate: a service level objective with its error budget, watched by how fast the budget burns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from math import isinf
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from gates.base.bounded import inside
from gates.base.gate import State
from gates.base.labels import GoodLabels, labels_in
from gates.base.verdict import Outcome, Severity, SliceVerdict
from gates.evidence import burn
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.intervals import WeightedTotals
from gates.inputs.observations import Group
from gates.units.duration import Duration, format_duration
from gates.units.instants import tick_end
from gates.verdicts.late import percent
from gates.verdicts.summary import (
    ANSWERS_NEEDED,
    DETECTABLE,
    REFERENCE,
    agreeing,
    counted,
    figures,
    none_scored,
    subject,
    too_few,
)
from gates.windowing.gate import TICK, TickedGate, TickedState
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import Arrivals, Buffer, Key, by_tick
from gates.windowing.windows import Ring
from scorers.base import Metric


class Resolution(NamedTuple):
    """How finely a ring holds time: the ticks of a part, and the parts."""

    ticks: int
    parts: int


HOURS, DAYS, PERIOD = Resolution(1, 72), Resolution(6, 144), Resolution(288, 31)
"""6 hours by 5 minutes, 3 days by half hours, and 31 days by days."""
RECENT = timedelta(days=3)
"""How far back answers are needed to pass: what `DAYS` holds."""
TOLD, SILENT = timedelta(hours=1), timedelta(days=1)
"""How long no answer came when a verdict says so, and when it no longer passes: a quiet night is none."""


def _rings(slices: int) -> tuple[Ring, ...]:
    return tuple(Ring.of(slices, each.parts) for each in (HOURS, DAYS, PERIOD))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ObjectiveState(TickedState):
    """What has arrived, and totals of bad answers over three lengths of time by slice."""

    rings: tuple[Ring, ...] = field(default_factory=lambda: _rings(0))

    def grown(self, slices: int) -> tuple[Ring, ...]:
        """Return the totals with room for so many slices."""
        held = len(self.rings[0].sums)
        return tuple(ring.stacked(more) for ring, more in zip(self.rings, _rings(slices - held), strict=True))

    def content(self, index: SeriesIndex, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return the totals as JSON takes them."""
        del series
        return {"rings": [ring.dumped(epochs) for ring in self.grown(len(index.epochs))]}


class ObjectiveGate(TickedGate):
    """Keeps the books of an error budget: a share ``objective`` of answers must be good over ``period``.

    A slice fails while its budget burns in both windows of a pair, 14.4 times in 1h and 5m or 6 times in 6h and 30m (a
    page), 3 times in 1d and 2h or once in 3d and 6h (a ticket), and while the budget of the period is spent (a ticket).
    It passes with budget left and at least ``min_answers`` answers in the last 3 days. Silence burns nothing: without
    answers the budget stays as it was with the last one, and the verdict says for how long none came. A slice from
    which none came for a day is inconclusive, and so is one that burned until answers ceased to come. An answer counts
    as bad by how far it is from the best value, as a part of the metric's range, or where ``good`` is given, wholly
    when its value is on the wrong side of it, or its label is none of the good ones: so a metric may have no upper
    bound. Each counts with one over its inclusion probability. Estimate and interval are of the share of good answers
    in the period or, while the budget burns, in the longer of the two windows that show it.

    >>> from datetime import UTC, datetime
    >>> from gates.inputs.observations import Batch, Observation
    >>> gate = ObjectiveGate(type="objective", name="slo", metric="stale_source_use", worse="higher", objective=0.99)
    >>> noon, state = datetime(2026, 1, 1, 12, tzinfo=UTC), gate.initial()
    >>> def seen(i, value):
    ...     at = noon + timedelta(seconds=30 * i)
    ...     return Observation(at=at, answer_id=f"a{i}", metric="stale_source_use", value=value, probability=1)
    >>> state = gate.fold(state, Batch.of(seen(i, i % 5 == 0) for i in range(120)))
    >>> for told in gate.verdict(state, noon + timedelta(hours=1)).reason.split(": "):
    ...     print(told)
    page
    the error budget burns 20 times as fast as allowed, over 1h and over 5m
    80 % of 120 answers in 1h are good (stale_source_use), the objective is 99 %
    """

    example: ClassVar = {"worse": "higher", "objective": 0.9, "by": ("domain",)}
    type: Literal["objective"]
    objective: float = Field(gt=0, lt=1, description="Share of answers that must be good.")
    good: float | GoodLabels | None = Field(
        default=None,
        description="Worst value that is still good, or the labels of good answers, one or a list; where not given,"
        " values count by degrees.",
    )
    period: Duration = Field(default=timedelta(days=30), description="Period of the error budget, 1 to 31 whole days.")
    min_answers: int = Field(default=30, ge=1, description="Answers a window needs to be judged.")

    @field_validator("good")
    @classmethod
    def _in_the_range(
        cls, good: float | str | tuple[str, ...] | None, given: ValidationInfo
    ) -> float | tuple[str, ...] | None:
        return inside(good, given) if good is None or isinstance(good, int | float) else labels_in(good)

    @field_validator("period")
    @classmethod
    def _days(cls, period: timedelta) -> timedelta:
        if period % timedelta(days=1) or period > timedelta(days=31):
            raise ValueError("a period must be 1 to 31 whole days")
        return period

    @property
    def expectation(self) -> str:
        """At which rates of bad answers it fails, as far as there can be so many."""
        told = [
            f"a {pair.severity} from {percent(pair.factor * (1.0 - self.objective))} % bad answers on over "
            f"{format_duration(pair.long)} and {format_duration(pair.short)}"
            for pair in burn.PAIRS
            if pair.factor * (1.0 - self.objective) < 1.0
        ]
        return (
            f"It fails with {'; '.join(told)}; and with a ticket while the budget of {format_duration(self.period)} is "
            "spent. It keeps the books, and bounds no false alarms."
        )

    @property
    def estimates_metric(self) -> bool:
        """Not its values: the share of answers that are good, whatever they are measured in."""
        return False

    def range_problems(self, metric: Metric | None) -> Iterator[tuple[str, str]]:
        """Yield why values of this metric cannot be judged; one without end can be where it is said what is good."""
        problems = super().range_problems(metric)
        return (each for each in problems if each[0] != "metric" or self.good is None or not isinf(self.scale.upper))

    def initial(self) -> State:
        """Return the state before any observation."""
        return ObjectiveState()

    def _unused(self) -> set[str]:
        """Return the options that a configuration of before they were there did not have either."""
        return super()._unused() - {"good"}

    def _key(self, group: Group) -> Key:
        return (self._sliced(group), ())

    def _advanced(self, state: ObjectiveState, rows: Arrivals) -> ObjectiveState:
        rings = state.grown(len(state.index.epochs))
        for _, part in by_tick(rows, self.windowing.tick):
            slices, bad = state.index.epoch_of[part.series], self._bad(part.value)
            own = part.at // self.windowing.tick
            for ring, each in zip(rings, (HOURS, DAYS, PERIOD), strict=True):
                ring.add_each(own // each.ticks, slices, part.weight, bad)
        return replace(state, rings=rings)

    def _bad(self, value: Floats) -> Floats:
        if self.counts_labels:
            return 1.0 - value
        if not isinstance(self.good, int | float):
            return value if self.worse == "higher" else 1.0 - value
        last = self.scale.part(self.good)
        wrong: Bools = value > last if self.worse == "higher" else value < last
        return wrong.astype(np.float64)

    def _nothing(self, state: ObjectiveState, now: int) -> str:
        del state, now
        return none_scored(self.metric, self.period, delay=TICK + self.grace)

    def _judged(self, state: ObjectiveState, now: int) -> Iterator[SliceVerdict]:
        hours, days, period = state.rings
        last = now - 1
        days_held = self.period // timedelta(days=1)
        answered = np.minimum(hours.last, last)
        spent = period.over(answered // PERIOD.ticks, days_held)
        known = period.over(last // PERIOD.ticks, days_held).n > 0
        recent = days.over(last // DAYS.ticks, DAYS.parts)
        now_burns, then_burns = (_Burns.at(hours, days, each, self) for each in (last, answered))
        budget_left = burn.left(spent.weighted, spent.weight, self.objective)
        # The objective speaks of the share of good answers, whichever way the metric goes.
        shown = figures(spent, sign=-1)
        for place in sorted(np.flatnonzero(known).tolist(), key=lambda place: state.index.epochs[place]):
            left = float(budget_left[place])
            burning, burned = now_burns.worst(place), then_burns.worst(place)
            silent = TICK * int(last - answered[place])
            severity: Severity | None = None
            about = subject(self.metric, state.index.epochs[place][0])
            figures_of = shown[place] if burning is None else now_burns.shown(burning, place)
            good = self._good(about, figures_of, self.period if burning is None else burning.long)
            facts: dict[str, float] = {REFERENCE: self.objective}
            if burning is not None:
                outcome, severity = "fail", burning.severity
                reason = f"{_burning(burning, now_burns.rate(burning, place))}: {good}"
            elif left <= 0.0 and spent.n[place] >= self.min_answers:
                outcome, severity, reason = "fail", "ticket", f"{self._spent(left)}: {good}"
            elif burned is not None and silent:
                outcome, reason = "inconclusive", f"{_ceased(burned, then_burns.rate(burned, place), silent)}: {good}"
            else:
                outcome, reason = self._decided(about, left, int(recent.n[place]), silent, good)
                if outcome == "pass":
                    facts[DETECTABLE] = self.objective
                elif recent.n[place] < self.min_answers:
                    facts[ANSWERS_NEEDED] = float(self.min_answers - recent.n[place])
            if silent >= TOLD and not (burned is not None and outcome == "inconclusive"):
                reason += f"; no answers for {format_duration(silent)}, so nothing burns and the budget is as it was"
            verdict = SliceVerdict(
                slice=dict(state.index.epochs[place][0]),
                state=outcome,
                reason=reason,
                **figures_of,
                evidence={
                    **facts,
                    "budget_left": left,
                    "silent_seconds": silent.total_seconds(),
                    **{f"burn_{format_duration(each)}": float(rate[place]) for each, rate in now_burns.rates.items()},
                },
                alarmed_at=tick_end(last, self.windowing.tick) if outcome == "fail" else None,
                cause=severity,
            )
            yield agreeing(verdict, self.objective, worse=-1)

    def _good(self, about: str, shown: Mapping[str, Any], within: timedelta) -> str:
        """Return how many answers were good, and how many should be."""
        share = _apart(100.0 * shown["estimate"], 100.0 * self.objective)
        return (
            f"{share} % of {counted(shown['n'])} in {format_duration(within)} are good"
            f" ({about}), the objective is {100.0 * self.objective:.5g} %"
        )

    def _spent(self, left: float) -> str:
        used = f"{100.0 * (1.0 - left):.0f} % of what is allowed was used"
        return f"ticket: the {format_duration(self.period)} error budget is spent: {used}"

    def _decided(self, about: str, left: float, recent: int, silent: timedelta, good: str) -> tuple[Outcome, str]:
        """Judge a slice with budget left that does not burn too fast: by how many answers there were, and when.

        What would have been found is what the slowest pair of windows asks: less good ones than the objective, in both.
        """
        if recent < self.min_answers:
            return "inconclusive", too_few(about, recent, self.min_answers, RECENT)
        told = f"{100.0 * left:.1f} % of the {format_duration(self.period)} error budget is left: {good}"
        if silent >= SILENT:
            return "inconclusive", f"{told}; answers are needed to tell how it is now: check that traffic arrives"
        slowest = burn.PAIRS[-1]
        windows = f"over {format_duration(slowest.long)} and {format_duration(slowest.short)}"
        return "pass", f"{told}; a share below {100.0 * self.objective:.5g} % {windows} would have been found"

    def _restored(self, decoded: Mapping[str, Any], buffer: Buffer, index: SeriesIndex) -> ObjectiveState:
        rings = zip(_rings(len(index.epochs)), decoded["rings"], strict=True)
        return ObjectiveState(buffer=buffer, index=index, rings=tuple(empty.restored(data) for empty, data in rings))


@dataclass(frozen=True, slots=True)
class _Burns:
    """Burn rates by slice and length of window as of a tick, and the totals of what each window held."""

    rates: Mapping[timedelta, Floats]
    totals: Mapping[timedelta, WeightedTotals]
    needed: int

    @classmethod
    def at(cls, hours: Ring, days: Ring, last: int | Integers, gate: ObjectiveGate) -> _Burns:
        """Return those of the windows that end with the tick ``last``, or with each slice's own."""
        rates, held = {}, {}
        for length in sorted({length for pair in burn.PAIRS for length in (pair.long, pair.short)}):
            ticks = length // TICK
            # From the finer ring that reaches back so far.
            ring, each = (hours, HOURS) if ticks <= HOURS.ticks * HOURS.parts else (days, DAYS)
            totals = ring.over(last // each.ticks, ticks // each.ticks)
            rates[length] = burn.rate(totals.weighted, totals.weight, gate.objective)
            held[length] = totals
        return cls(rates, held, gate.min_answers)

    def shown(self, pair: burn.WindowPair, place: int) -> Mapping[str, Any]:
        """Return the figures of a slice over the longer window of a pair: those of the period may still be fine."""
        return figures(WeightedTotals(*(column[[place]] for column in self.totals[pair.long])), sign=-1)[0]

    def rate(self, pair: burn.WindowPair, place: int) -> float:
        """Return how fast a slice's budget burns in both windows of a pair."""
        return float(min(self.rates[pair.long][place], self.rates[pair.short][place]))

    def worst(self, place: int) -> burn.WindowPair | None:
        """Return the most urgent pair in which a slice's budget burns, if any."""
        pairs = (pair for pair in burn.PAIRS if self.totals[pair.long].n[place] >= self.needed)
        return next((pair for pair in pairs if self.rate(pair, place) >= pair.factor), None)


def _apart(value: float, limit: float) -> str:
    """Return a figure in three digits, or in as many as tell it from a limit that it is not.

    >>> _apart(96.96, 97.0), _apart(97.0, 97.0), _apart(92.34, 97.0), _apart(1.004, 1.0)
    ('96.96', '97', '92.3', '1.004')
    """
    told = (f"{value:.{digits}g}" for digits in range(3, 13))
    return next((text for text in told if value == limit or float(text) != limit), f"{value:.3g}")


def _ceased(pair: burn.WindowPair, rate: float, silent: timedelta) -> str:
    burned = f"the error budget burned {rate:.3g} times as fast as allowed over {format_duration(pair.long)}"
    since = f"no answers for {format_duration(silent)}"
    return f"{burned} when answers ceased; {since}, so nothing burns and whether it is over is not known"


def _burning(pair: burn.WindowPair, rate: float) -> str:
    windows = f"over {format_duration(pair.long)} and over {format_duration(pair.short)}"
    fast = f"{_apart(rate, pair.factor)} times as fast as allowed"
    return f"{pair.severity}: the error budget burns {fast}, {windows}"
