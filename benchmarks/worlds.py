"""Made-up traffic to judge gates on: 200 slices, ticks of five minutes, losses of four kinds and what goes wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gates.simulation import traffic as simulated
from gates.simulation.traffic import Draw, SimulatedAnswers, arrivals

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SLICES = 200
DAY = 288
"""Ticks of a day."""
WEEK = 7 * DAY
TICK = 300_000_000
LEVELS = np.array([1.0, 0.75, 0.5, 0.25, 0.0])


@dataclass(frozen=True)
class Law:
    """A distribution of losses, its mean, and the logarithm of its density up to a constant."""

    draw: Draw
    mean: float
    density: Callable[[Floats], Floats]


def randomness(seed: int, part: int) -> np.random.Generator:
    """Return the generator of one part of a benchmark; another ``seed`` draws all parts anew."""
    return np.random.default_rng(part + 1000 * seed)


def beta(a: float, b: float) -> Law:
    norm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)

    def density(y: Floats) -> Floats:
        low, high = np.clip(y, 1e-300, 1), np.clip(1 - y, 1e-15, 1)
        return norm + (a - 1) * np.log(low) + (b - 1) * np.log(high)

    return Law(lambda rng, n: rng.beta(a, b, n), a / (a + b), density)


def judge(*chances: float) -> Law:
    weights = np.array(chances)
    return Law(
        lambda rng, n: LEVELS[rng.choice(5, n, p=weights)],
        float(weights @ LEVELS),
        lambda y: np.log(weights)[np.rint((1 - y) * 4).astype(int)],
    )


def failure(rate: float) -> Law:
    return Law(
        simulated.failing(rate),
        rate,
        lambda y: np.where(y > 0.5, math.log(rate), math.log(1 - rate)),
    )


SCENARIOS = {
    ".90->.85 beta": (beta(0.5, 4.5), beta(0.75, 4.25)),
    ".90->.80 beta": (beta(0.5, 4.5), beta(1.0, 4.0)),
    ".90->.85 judge5": (judge(0.02, 0.03, 0.06, 0.11, 0.78), judge(0.04, 0.045, 0.08, 0.145, 0.69)),
    "2->5 %": (failure(0.02), failure(0.05)),
}
"""What a slice is before and after a change, as losses."""

NULLS = {"beta": ".90->.85 beta", "judge5": ".90->.85 judge5", "failure": "2->5 %"}


def served(rng: np.random.Generator, law: Law, rates: Floats, first: int, ticks: int) -> SimulatedAnswers:
    return simulated.served(rng, law.draw, rates, first, ticks)


def wobbling(
    rng: np.random.Generator, span: SimulatedAnswers, mean: float, swing: float, phase: Floats
) -> SimulatedAnswers:
    """Swing the mean of a span by ``swing`` over a day, by replacing some losses with 0 or 1."""
    shift = swing * np.sin(2 * np.pi * span.tick / DAY + phase[span.slice])
    replaced = rng.random(len(shift)) < np.abs(shift) / np.where(shift > 0, 1 - mean, mean)
    return SimulatedAnswers(
        span.slice, span.tick, np.where(replaced, (shift > 0).astype(float), span.value), span.counts
    )


def clustered(
    rng: np.random.Generator, rate: float, icc: float, rates: Floats, first: int, ticks: int
) -> SimulatedAnswers:
    """Failures of which those of one tick share a fate (beta-binomial)."""
    place, tick, counts = arrivals(rng, rates, first, ticks)
    total = 1 / icc - 1
    fate = rng.beta(rate * total, (1 - rate) * total, (ticks, len(rates)))
    return SimulatedAnswers(place, tick, (rng.random(len(tick)) < fate[tick - first, place]).astype(float), counts)


def mixed_rates(rng: np.random.Generator, slices: int = SLICES) -> Floats:
    """Answers a tick, log-uniform between 0.5 and 20."""
    return np.exp(rng.uniform(math.log(0.5), math.log(20), slices))


def days(first: int, last: int) -> Iterator[int]:
    return iter(range(first * DAY, last * DAY, DAY))
