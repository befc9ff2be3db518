"""What to expect of a gate, by simulation: false alarms, and how soon it detects a fall."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import numpy as np

from gates.base.bounded import BoundedGate
from gates.base.gate import Gate, State
from gates.base.verdict import SliceVerdict
from gates.drift import DriftGate
from gates.evidence.arrays import Floats
from gates.inputs.changes import Change
from gates.inputs.observations import ARMS
from gates.objective import ObjectiveGate
from gates.release import ReleaseGate
from gates.replay.replay import fires
from gates.simulation import traffic as simulated
from gates.simulation.traffic import Draw, SimulatedTraffic
from gates.simulation.windowed import WindowedThreshold
from gates.threshold import ThresholdGate
from gates.units.scale import UNIT, Scale

T = TypeVar("T")
Subject = Gate | WindowedThreshold
"""What is looked at through the simulation."""
Over = Callable[[Iterable[T], str], Iterable[T]]
"""Goes over items and may show progress."""

WEEK, DAY = timedelta(days=7), timedelta(days=1)
CLEAN = 3 * DAY
"""FalseAlarms days between the reference and what goes wrong."""
PATIENCE = 14 * DAY
"""How long a fall may take to be detected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What is simulated: scored answers an hour in each of ``slices``, the law of their values and their mean.

    ``worse`` is the mean to detect; values are in the metric's unit, within ``scale``. ``shares`` are those
    of a candidate, each for an equal part of ``rollout``. ``runs`` slices are simulated, ``weeks`` of them in quiet.
    """

    draw: Draw
    level: float
    worse: float
    scale: Scale = UNIT
    answers: float = 60.0
    slices: int = 1
    shares: tuple[float, ...] = (0.05, 0.1, 0.25, 0.5)
    rollout: timedelta = DAY
    weeks: int = 4
    runs: int = 200
    seed: int = 1

    def worsened(self, mean: float) -> Draw:
        """Return the law with another, worse mean: some answers are as bad as can be."""
        worst = self.scale.upper if self.worse > self.level else self.scale.lower
        return simulated.worsened(self.draw, (mean - self.level) / (worst - self.level), worst)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """How soon a fall was detected: the ``share`` of runs, and of those mean and median of answers and time."""

    case: str
    share: float
    answers: float
    median_answers: float
    hours: float
    median_hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseAlarms:
    """False alarms a week over all slices, the standard error of that, and how many were accepted, if that is said."""

    alarms: float
    error: float
    accepted: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """What became of candidates: the share rolled back, the share promoted, and the median of their answers until then.

    ``wrong`` says which of the two would be an error, ``allowed`` how often that may be.
    """

    case: str
    rolled_back: float
    rolled_back_answers: float
    promoted: float
    promoted_answers: float
    wrong: str | None = None
    allowed: float | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Quiet:
    """A gate that watched while nothing was wrong: its false alarms, its ``state`` and the ``traffic`` so far.

    ``next`` is the tick that comes next. `delays` says how soon it detects what goes wrong then.
    """

    false_alarms: FalseAlarms
    gate: Subject
    state: State
    traffic: SimulatedTraffic
    next: int


def steady(gate: Gate, scenario: Scenario, over: Over[Any]) -> tuple[FalseAlarms, tuple[Delay, ...]]:
    """Return false alarms of a gate that watches without end, and how soon it detects a mean of ``scenario.worse``.

    One slice goes wrong while the others stay as they are. Where fewer slices are watched than simulated, alarms over
    several slices together are left out, and false alarms are those of one slice times their number. Quiet weeks are
    looked at every hour.
    """
    quiet = watched(gate, scenario, over)
    return quiet.false_alarms, delays(quiet, scenario, over)


def watched(gate: Gate, scenario: Scenario, over: Over[Any]) -> Quiet:
    """Return what a gate is like that watched a reference and then ``CLEAN`` days, and its alarms of quiet weeks."""
    many = max(scenario.slices, scenario.runs)
    alone = _subject(gate, many, slices=scenario.slices, fdr=None)
    subject = _subject(gate, many, slices=scenario.slices) if many == scenario.slices else alone
    traffic = SimulatedTraffic(
        np.random.default_rng(scenario.seed), tick=subject.length, slices=many, answers=scenario.answers
    )
    state = subject.initial()
    for first in over(range(traffic.first, traffic.ticks(_history(gate)) + traffic.first, traffic.day), "reference"):
        state = subject.fold(state, traffic.batch(traffic.served(scenario.draw, first, traffic.day)))
    start = first + traffic.day
    alarms, quiet, step = 0, state, max(1, traffic.day // 24)
    fired = _Firing(subject, many, state, traffic.end(start - 1))
    for first in over(range(start, start + traffic.ticks(scenario.weeks * WEEK), step), "quiet weeks"):
        quiet = subject.fold(quiet, traffic.batch(traffic.served(scenario.draw, first, step)))
        alarms += len(fired.now(quiet, traffic.end(first + step - 1)))
    for first in range(start, start := start + traffic.ticks(CLEAN), traffic.day):
        state = subject.fold(state, traffic.batch(traffic.served(scenario.draw, first, traffic.day)))
    rate = scenario.slices / many / scenario.weeks
    accepted = gate.alarms_per_week if isinstance(gate, DriftGate) else None
    false_alarms = FalseAlarms(alarms=alarms * rate, error=max(alarms, 1) ** 0.5 * rate, accepted=accepted)
    return Quiet(false_alarms=false_alarms, gate=alone, state=state, traffic=traffic, next=start)


def delays(quiet: Quiet, scenario: Scenario, over: Over[Any]) -> tuple[Delay, ...]:
    """Return how soon a gate detects a mean of ``scenario.worse`` from now on, and the same at a change event.

    ``quiet`` stays as it is: other means may be asked for after it, and the same gives the same.
    """
    traffic = deepcopy(quiet.traffic)
    found = [_delay(quiet.gate, quiet.state, traffic, scenario, quiet.next, over, event=False)]
    if isinstance(quiet.gate, DriftGate):
        found.append(_delay(quiet.gate, quiet.state, traffic, scenario, quiet.next, over, event=True))
    return tuple(found)


def rollouts(gate: ReleaseGate, scenario: Scenario, over: Over[Any]) -> tuple[Rollout, ...]:
    """Return what becomes of candidates that are as good, worse by the margin, and as bad as ``scenario.worse``."""
    margin = gate.margin if scenario.worse > scenario.level else -gate.margin
    equal = _rollout(gate, scenario, scenario.level, over)
    worse = _rollout(gate, scenario, scenario.level + margin, over)
    return (
        replace(equal, wrong="rolled back", allowed=gate.alpha_rollback),
        replace(worse, wrong="promoted", allowed=gate.alpha_promote),
        _rollout(gate, scenario, scenario.worse, over),
    )


@dataclass(frozen=True, slots=True)
class Losses:
    """Turns means of a metric into mean losses, 0 at best and 1 at worst, and back."""

    higher_is_worse: bool
    scale: Scale = UNIT

    @classmethod
    def of(cls, gate: Gate) -> Losses:
        """Return those of the values that a gate judges."""
        worse = getattr(gate, "worse", None)
        higher = gate.at_most is not None if isinstance(gate, ThresholdGate) else worse == "higher"
        return cls(higher, gate.scale if isinstance(gate, BoundedGate) else UNIT)

    def loss(self, mean: float) -> float:
        """Return a mean as a loss."""
        part: float = self.scale.part(mean)
        return part if self.higher_is_worse else 1.0 - part

    def mean(self, loss: float) -> float:
        """Return a loss as a mean."""
        own: float = self.scale.own(loss if self.higher_is_worse else 1.0 - loss)
        return own

    def doubled(self, mean: float) -> float:
        """Return a mean with twice the loss, or half-way to the worst where that is beyond it.

        >>> round(Losses(False).doubled(0.9), 3), round(Losses(True).doubled(0.02), 3), Losses(True).doubled(0.6)
        (0.8, 0.04, 0.8)
        """
        loss = self.loss(mean)
        return self.mean(min(2 * loss, (1.0 + loss) / 2))


def assumed(gate: Gate) -> tuple[float, float]:
    """Return what mean of its metric a gate may have been set up for, and a worse one: twice the failures.

    Of a gate with a limit: half of what it allows, and twice that.

    >>> [round(mean, 3) for mean in assumed(ThresholdGate(type="threshold", name="t", metric="m", at_least=0.9))]
    [0.95, 0.8]
    """
    losses = Losses.of(gate)
    if isinstance(gate, (ThresholdGate, ObjectiveGate)):
        allowed = losses.loss(gate.limit) if isinstance(gate, ThresholdGate) else 1.0 - gate.objective
        return losses.mean(allowed / 2), losses.doubled(losses.mean(allowed))
    declared = gate.declared if isinstance(gate, DriftGate) else None
    level = losses.mean(0.02 if losses.higher_is_worse else 0.1) if declared is None else declared
    return level, losses.doubled(level)


class _Firing:
    """Which slices fire, from one look at a gate to the next."""

    def __init__(self, gate: Subject, slices: int, state: State, at: datetime) -> None:
        self._gate = gate
        self._alarms = np.zeros(slices, np.int64)
        self._failing = np.zeros(slices, np.bool_)
        self._last: dict[int, SliceVerdict] = {}
        self.now(state, at)

    def now(self, state: State, at: datetime) -> list[int]:
        """Return the slices that fired since the last look."""
        if isinstance(self._gate, DriftGate):
            # What an alarm is needs no intervals and reasons, and there are thousands of ticks.
            alarms = self._alarms.copy()
            settled = self._gate.settled(state, at)
            alarms[[int(slice_[0][1]) for slice_, _ in settled.index.epochs]] = settled.monitor.epochs.alarms
            new, self._alarms = np.flatnonzero(alarms > self._alarms).tolist(), alarms
            return list(new)
        if isinstance(self._gate, WindowedThreshold):
            failing = self._gate.failing(state, at)
            fired, self._failing = np.flatnonzero(failing & ~self._failing).tolist(), failing
            return list(fired)
        parts = {int(part.slice[simulated.DIMENSION]): part for part in self._gate.verdict(state, at).slices}
        last, self._last = self._last, parts
        return [
            place
            for place, part in parts.items()
            if fires(part, last[place].state if place in last else "inconclusive", last.get(place))
        ]


def _subject(gate: Gate, many: int, **options: Any) -> Subject:
    """Return what is asked of so many made-up slices."""
    sliced = _sliced(gate, **options)
    return WindowedThreshold(sliced, many) if isinstance(sliced, ThresholdGate) else sliced


def _sliced(gate: Gate, **options: Any) -> Gate:
    """Return the gate as it watches made-up slices."""
    known = {name: value for name, value in options.items() if name in type(gate).model_fields}
    plain: dict[str, Any] = {"strata": ()} if isinstance(gate, DriftGate) else {}
    plain |= {"bounds": tuple(gate.scale)} if isinstance(gate, BoundedGate) else {}
    return gate.model_copy(update={"metric": simulated.METRIC, "by": (simulated.DIMENSION,), **plain, **known})


def _history(gate: Gate) -> timedelta:
    if isinstance(gate, DriftGate):
        return gate.reference
    if isinstance(gate, ObjectiveGate):
        return gate.period
    return max(DAY, getattr(gate, "window", DAY))


def _delay(
    gate: Subject,
    state: State,
    traffic: SimulatedTraffic,
    scenario: Scenario,
    start: int,
    over: Over[Any],
    *,
    event: bool,
) -> Delay:
    """Return how soon the gate detects a fall of each slice by itself."""
    many = len(traffic.groups)
    fired = _Firing(gate, many, state, traffic.end(start - 1))
    if event and isinstance(gate, Gate):
        state = gate.change(state, Change(at=traffic.end(start - 1), kind="deploy"))
    draw = scenario.worsened(scenario.worse)
    answers, served, ticks = np.full(many, np.nan), np.zeros(many), np.full(many, np.nan)
    case = f"{scenario.level:.4g} -> {scenario.worse:.4g}" + (", at a change event" if event else "")
    for tick in over(range(start, start + traffic.ticks(PATIENCE)), case):
        arrived = traffic.served(draw, tick, 1)
        served += arrived.counts.sum(axis=0)
        state = gate.settled(gate.fold(state, traffic.batch(arrived)), traffic.end(tick))
        new = [place for place in fired.now(state, traffic.end(tick)) if np.isnan(answers[place])]
        answers[new], ticks[new] = served[new], tick + 1 - start
        if not np.isnan(answers).any():
            break
    detected = ~np.isnan(answers)
    hours = traffic.hours(ticks[detected])
    return Delay(
        case=case,
        share=float(detected.mean()),
        answers=_mean(answers[detected]),
        median_answers=_median(answers[detected]),
        hours=_mean(hours),
        median_hours=_median(hours),
    )


def _rollout(gate: ReleaseGate, scenario: Scenario, mean: float, over: Over[Any]) -> Rollout:
    """Return what becomes of candidates with this mean, each in a slice of its own."""
    rng = np.random.default_rng(scenario.seed)
    subject = _sliced(gate)
    traffic = SimulatedTraffic(rng, tick=subject.length, slices=scenario.runs, answers=scenario.answers)
    state, worsened = subject.initial(), scenario.worsened(mean)
    answers = np.zeros(scenario.runs)
    ends = {name: np.full(scenario.runs, np.nan) for name in ("e_rollback", "e_promote")}
    limits = {"e_rollback": 1.0 / gate.alpha_rollback, "e_promote": 1.0 / gate.alpha_promote}
    ticks = traffic.ticks(scenario.rollout)
    case = f"{scenario.level:.4g} -> {mean:.4g}"
    for tick in over(range(ticks), case):
        share = scenario.shares[tick * len(scenario.shares) // ticks]
        arrived = traffic.served(scenario.draw, traffic.first + tick, 1)
        routed = rng.random(len(arrived.value)) < share
        value = np.where(routed, worsened(rng, len(arrived.value)), arrived.value)
        arm = np.where(routed, ARMS["candidate"], ARMS["baseline"])
        columns = {"value": value, "arm": arm, "share": np.full(len(value), share)}
        at = traffic.end(traffic.first + tick)
        state = subject.settled(subject.fold(state, traffic.batch(arrived, **columns)), at)
        answers += np.bincount(arrived.slice[routed], minlength=scenario.runs)
        for part in subject.verdict(state, at).slices:
            place = int(part.slice[simulated.DIMENSION])
            for name, end in ends.items():
                enough = name == "e_rollback" or part.n >= gate.min_answers
                if np.isnan(end[place]) and enough and part.evidence[name] >= limits[name]:
                    end[place] = answers[place]
    back, on = (ends[name][~np.isnan(ends[name])] for name in ("e_rollback", "e_promote"))
    return Rollout(
        case=case,
        rolled_back=len(back) / scenario.runs,
        rolled_back_answers=_median(back),
        promoted=len(on) / scenario.runs,
        promoted_answers=_median(on),
    )


def _mean(values: Floats) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _median(values: Floats) -> float:
    return float(np.median(values)) if len(values) else float("nan")
