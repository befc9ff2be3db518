"""Simulated traffic to judge gates on: answers that come at random, with values drawn from a law, slice by slice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import ARMS, Batch, Group
from gates.units.instants import MICROSECOND, Microseconds, tick_end
from gates.units.scale import UNIT, Scale

METRIC = "m"
DIMENSION = "slice"
SPREAD_OVER = 1000
"""Instants that the answers of a tick have, in microseconds from its beginning; their order is all that matters."""

HOUR = timedelta(hours=1)
PLAIN_TICK = timedelta(minutes=5)
"""The tick of gates that have none of their own."""

Draw = Callable[[np.random.Generator, int], Floats]
"""A law of values: draws so many."""


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedAnswers:
    """Answers of some ticks: the slice and the tick of each, its value, and how many came in each tick and slice."""

    slice: Integers
    tick: Integers
    value: Floats
    counts: Integers

    def batch(self, groups: tuple[Group, ...], length: int, **columns: Any) -> Batch:
        """Return the answers as a gate folds them, in ticks of ``length`` microseconds; others ``columns`` if given."""
        n = len(self.value)
        plain: dict[str, Any] = {
            "group": self.slice,
            "value": self.value,
            "probability": np.ones(n),
            "cluster": np.zeros(n, np.int64),
            "arm": np.full(n, ARMS[None]),
            "share": np.zeros(n),
        }
        return Batch(groups=groups, at=self.tick * length + np.arange(n) % SPREAD_OVER, **(plain | columns))


def groups(slices: int, extra: tuple[tuple[str, str], ...] = ()) -> tuple[Group, ...]:
    """Return so many slices of one metric.

    >>> groups(1)
    (Group(metric='m', slice=(('slice', '00000'),), versions=()),)
    """
    return tuple(Group(METRIC, ((DIMENSION, f"{place:05d}"), *extra), ()) for place in range(slices))


def arrivals(rng: np.random.Generator, rates: Floats, first: int, ticks: int) -> tuple[Integers, Integers, Integers]:
    """Return slice and tick of answers that come at ``rates`` a tick (Poisson), and their counts by tick and slice."""
    counts = rng.poisson(rates, (ticks, len(rates)))
    flat = counts.ravel()
    place = np.repeat(np.tile(np.arange(len(rates)), ticks), flat)
    return place, np.repeat(np.repeat(np.arange(first, first + ticks), len(rates)), flat), counts


def served(rng: np.random.Generator, draw: Draw, rates: Floats, first: int, ticks: int) -> SimulatedAnswers:
    """Return answers of some ticks with values drawn from one law.

    >>> answers = served(np.random.default_rng(1), failing(0.02), np.full(3, 5.0), 100, 10)
    >>> int(answers.counts.sum()) == len(answers.value), answers.counts.shape, int(answers.tick.min())
    (True, (10, 3), 100)
    """
    place, tick, counts = arrivals(rng, rates, first, ticks)
    return SimulatedAnswers(place, tick, draw(rng, len(tick)), counts)


def failing(mean: float, scale: Scale = UNIT) -> Draw:
    """Return the law of values that are as low or as high as can be, 0 or 1, with this mean."""
    share = scale.part(mean)
    return lambda rng, n: np.asarray(scale.own((rng.random(n) < share).astype(np.float64)))


def graded(mean: float, deviation: float, scale: Scale = UNIT) -> Draw:
    """Return the beta law of this mean and standard deviation. Raises `ValueError` where there is none.

    >>> values = graded(0.9, 0.12)(np.random.default_rng(1), 100_000)
    >>> round(float(values.mean()), 2), round(float(values.std()), 2)
    (0.9, 0.12)
    """
    part, spread = scale.part(mean), deviation / scale.width
    if not 0.0 < spread**2 < part * (1.0 - part):
        most = scale.width * (part * (1.0 - part)) ** 0.5
        values = f"values between {scale.lower:g} and {scale.upper:g} with mean {mean:g}"
        raise ValueError(f"the standard deviation of {values} must be above 0 and below {most:.3g}")
    total = part * (1.0 - part) / spread**2 - 1.0
    return lambda rng, n: np.asarray(scale.own(rng.beta(part * total, (1.0 - part) * total, n)))


def resampled(values: ArrayLike) -> Draw:
    """Return the law that these values have."""
    law = np.asarray(values, np.float64)
    return lambda rng, n: law[rng.integers(0, len(law), n)]


def worsened(draw: Draw, share: float, worst: float) -> Draw:
    """Return the law of answers of which a ``share`` is as bad as can be, and the others are as they were.

    >>> float(worsened(failing(0.0), 1.0, 1.0)(np.random.default_rng(1), 10).min())
    1.0
    """

    def drawn(rng: np.random.Generator, n: int) -> Floats:
        values = draw(rng, n)
        return np.where(rng.random(n) < share, worst, values)

    return drawn


class SimulatedTraffic:
    """Answers at a steady rate, ``answers`` an hour in each of so many slices, in ticks that are counted from 2020."""

    def __init__(self, rng: np.random.Generator, *, tick: timedelta, slices: int, answers: float) -> None:
        self._rng = rng
        self._length = (tick or PLAIN_TICK) // MICROSECOND
        self.rates = np.full(slices, answers * self._length / (HOUR // MICROSECOND))
        self.groups = groups(slices)
        self.first = timedelta(days=18_262) // MICROSECOND // self._length
        self.day = self.ticks(timedelta(days=1))

    def ticks(self, time: timedelta) -> int:
        """Return how many ticks a length of time has, at least one."""
        return max(1, time // MICROSECOND // self._length)

    def hours(self, ticks: Floats) -> Floats:
        """Return the length of so many ticks in hours."""
        return ticks * self._length / (HOUR // MICROSECOND)

    def end(self, tick: int) -> datetime:
        """Return when a tick ends."""
        return tick_end(tick, Microseconds(self._length))

    def served(self, draw: Draw, first: int, ticks: int) -> SimulatedAnswers:
        """Return the answers of some ticks."""
        return served(self._rng, draw, self.rates, first, ticks)

    def batch(self, answers: SimulatedAnswers, **columns: Any) -> Batch:
        """Return answers as a gate folds them."""
        return answers.batch(self.groups, self._length, **columns)
