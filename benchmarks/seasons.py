"""What gates make of a past that swings by hour and day, of slices without a past, and of slow falls.

    python benchmarks/seasons.py            about half an hour on one core
    python benchmarks/seasons.py --quick    some minutes, with wide errors
    python benchmarks/seasons.py --thresholds proved
    python benchmarks/seasons.py --seed 1 --part seasons

All gates have their default configuration, but for the thresholds where these are given. Delays are scored answers of
the slice until the alarm, beside the cumulative sum that knows both laws and the profile (the oracle) with one false
alarm a week over 200 slices.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks import worlds
from benchmarks.alarms import CHUNK, gate
from benchmarks.worlds import DAY, LEVELS, SLICES, TICK, WEEK, Floats, Integers
from gates.drift import DriftState
from gates.simulation.traffic import SimulatedAnswers, arrivals, groups
from gates.units.instants import instant

PAST = 28
SWING, RARE_SWING = 0.03, 0.0075
"""Amplitude of the daily and of the weekly swing, of scores and of failures, of which 2 in 100 leave less room."""
TABLE = np.linspace(0.002, 0.6, 600)
"""Means for which the laws of a judge are worked out."""


@dataclass(frozen=True)
class Family:
    """Laws of losses by their mean: how they are drawn, and the logarithm of their density up to a constant."""

    draw: Callable[[np.random.Generator, Floats], Floats]
    density: Callable[[Floats, Floats], Floats]


def betas() -> Family:
    """Return Beta laws with five answers' worth of shape."""
    table = np.array([worlds.math.lgamma(5 * m) + worlds.math.lgamma(5 * (1 - m)) for m in TABLE])

    def density(y: Floats, mean: Floats) -> Floats:
        low, high = np.log(np.clip(y, 1e-300, 1)), np.log(np.clip(1 - y, 1e-15, 1))
        return (5 * mean - 1) * low + (5 * (1 - mean) - 1) * high - np.interp(mean, TABLE, table)

    return Family(lambda rng, mean: rng.beta(5 * mean, 5 * (1 - mean)), density)


def judges(*chances: float) -> Family:
    """Return the laws of a judge with five levels, tilted from one to every mean."""
    tilts = np.linspace(-40, 8, 4000)[:, None]
    weights = np.log(np.array(chances)) + tilts * LEVELS
    weights = np.exp(weights - weights.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    place = np.interp(TABLE, weights @ LEVELS, np.arange(len(tilts)))
    laws = weights[np.rint(place).astype(int)]
    total, logs = laws.cumsum(axis=1), np.log(laws)

    def row(mean: Floats) -> Integers:
        return np.rint(np.interp(mean, TABLE, np.arange(len(TABLE)))).astype(int)

    return Family(
        lambda rng, mean: LEVELS[np.minimum((rng.random(len(mean))[:, None] > total[row(mean)]).sum(axis=1), 4)],
        lambda y, mean: logs[row(mean), np.rint((1 - y) * 4).astype(int)],
    )


def failures() -> Family:
    """Return losses of 0 and 1."""
    return Family(
        lambda rng, mean: (rng.random(len(mean)) < mean).astype(float),
        lambda y, mean: np.where(y > 0.5, np.log(mean), np.log1p(-mean)),
    )


JUDGE5 = judges(0.02, 0.03, 0.06, 0.11, 0.78)
COLUMNS: dict[str, tuple[Family, float, float, float]] = {
    ".90->.85 beta": (betas(), 0.1, 0.15, SWING),
    ".90->.80 beta": (betas(), 0.1, 0.2, SWING),
    ".90->.85 judge5": (JUDGE5, 0.1, 0.15, SWING),
    "2->5 %": (failures(), 0.02, 0.05, RARE_SWING),
}
"""The four columns: the laws, the mean loss before and after, and the amplitude of each swing."""


class World:
    """Slices whose means swing over the day and over the week, each in its own phase."""

    def __init__(self, family: Family, swing: float, rates: Floats, rng: np.random.Generator) -> None:
        self._family, self._swing, self._rates = family, swing, rates
        self.rng = rng
        self._phase = self.rng.uniform(0, 2 * np.pi, (2, len(rates)))
        self.groups = groups(len(rates))

    def profile(self, place: Integers, tick: Integers) -> Floats:
        """Return by how much the mean of a slice swings in a tick."""
        day, week = (
            self._swing * np.sin(2 * np.pi * tick / period + self._phase[number, place])
            for number, period in enumerate((DAY, WEEK))
        )
        return np.asarray(np.clip(day + week, -0.099, 0.5))

    def served(self, mean: float, first: int, ticks: int) -> SimulatedAnswers:
        """Return the answers of some ticks, of slices with this mean over the week."""
        place, tick, counts = arrivals(self.rng, self._rates, first, ticks)
        return SimulatedAnswers(place, tick, self._family.draw(self.rng, mean + self.profile(place, tick)), counts)

    def evidence(self, span: SimulatedAnswers, before: float, after: float) -> Floats:
        """Return what each tick says for the law after against the one before, by tick and slice."""
        swing = self.profile(span.slice, span.tick)
        told = self._family.density(span.value, after + swing) - self._family.density(span.value, before + swing)
        ticks, slices = span.counts.shape
        cell = (span.tick - span.tick.min()) * slices + span.slice
        return np.bincount(cell, weights=told, minlength=ticks * slices).reshape(ticks, slices)


def after_a_past(world: World, mean: float, **options: object) -> tuple[object, DriftState]:
    """Return a gate and its state after four weeks."""
    subject = gate(**options)
    state = subject.initial()
    for first in worlds.days(0, PAST):
        state = subject.fold(state, world.served(mean, first, DAY).batch(world.groups, TICK))
    return subject, state


def false_alarms(name: str, weeks: int, seed: int, **options: object) -> tuple[str, float]:
    """Return false alarms a week of the gate, and the limit at which the oracle has one."""
    family, before, after, swing = COLUMNS[name]
    rates = worlds.mixed_rates(worlds.randomness(seed, 41))
    world = World(family, swing, rates, worlds.randomness(seed, 42))
    subject, state = after_a_past(world, before, **options)
    began = int(state.monitor.epochs.alarms.sum())
    total, peaks = np.zeros(SLICES), np.zeros((weeks, SLICES))
    for day in range(7 * weeks):
        span = world.served(before, (PAST + day) * DAY, DAY)
        state = subject.fold(state, span.batch(world.groups, TICK))
        for told in world.evidence(span, before, after):
            total = np.maximum(0.0, total + told)
            np.maximum(peaks[day // 7], total, out=peaks[day // 7])
    found = int(state.monitor.epochs.alarms.sum()) - began
    return f"{found / weeks:5.2f} +- {max(found, 1) ** 0.5 / weeks:.2f}", float(np.sort(peaks.ravel())[-weeks])


def delays(name: str, reps: int, limit: float, seed: int, **options: object) -> tuple[Floats, Floats]:
    """Return answers until the alarm of the gate and of the oracle, after three clean days.

    A slice that still fails by a false alarm when the change comes cannot alarm again, and is left out.
    """
    family, before, after, swing = COLUMNS[name]
    world = World(family, swing, np.full(reps, 5.0), worlds.randomness(seed, 43))
    subject, state = after_a_past(world, before, **options)
    clean = (PAST + 3) * DAY
    total = np.zeros(reps)
    for first in worlds.days(PAST, PAST + 3):
        span = world.served(before, first, DAY)
        state = subject.fold(state, span.batch(world.groups, TICK))
        for told in world.evidence(span, before, after):
            total = np.maximum(0.0, total + told)
    failing = np.zeros(reps, np.bool_)
    failing[[int(slice_[0][1]) for slice_, _ in state.index.epochs]] = state.monitor.epochs.failing
    seen = np.zeros(reps)
    ours, theirs = np.full(reps, np.nan), np.full(reps, np.nan)
    for first in range(clean, clean + 14 * DAY, CHUNK):
        span = world.served(after, first, CHUNK)
        state = subject.fold(state, span.batch(world.groups, TICK))
        state = subject.settled(state, instant((first + CHUNK) * TICK))
        alarmed = np.full(reps, -1)
        alarmed[[int(slice_[0][1]) for slice_, _ in state.index.epochs]] = state.monitor.epochs.alarmed
        upto = seen + span.counts.cumsum(axis=0)
        for number, told in enumerate(world.evidence(span, before, after)):
            total = np.maximum(0.0, total + told)
            theirs = np.where(np.isnan(theirs) & (total >= limit), upto[number], theirs)
        new = np.isnan(ours) & (alarmed >= clean)
        ours[new] = upto[np.clip(alarmed[new] - first, 0, CHUNK - 1), np.flatnonzero(new)]
        seen = upto[-1]
        if not np.isnan(ours).any() and not np.isnan(theirs).any():
            break
    found = (np.where(np.isnan(each), seen, each)[~failing] for each in (ours, theirs))
    return next(found), next(found)


def seasons(reps: int, weeks: int, names: Sequence[str], thresholds: str, seed: int) -> None:
    print(f"\nAfter four weeks of a daily and a weekly swing: false alarms a week over {SLICES} slices, and mean delay")
    for name in names:
        alarms, limit = false_alarms(name, weeks, seed, thresholds=thresholds)
        ours, theirs = delays(name, reps, limit, seed, fdr=None, thresholds=thresholds)
        ratio = ours.mean() / theirs.mean()
        spread = ours / ours.mean() - theirs / theirs.mean()
        error = ratio * spread.std() / len(ours) ** 0.5
        print(
            f"  {name:<16} {alarms}   gate {ours.mean():6.0f}  oracle {theirs.mean():6.0f}  ratio {ratio:.2f}"
            f" +- {error:.2f}; {reps - len(ours)} of {reps} slices failed falsely at the change",
            flush=True,
        )


def _alarmed(state: DriftState, slices: int) -> Integers:
    """Return the tick of the last alarm of every slice, -1 where there was none."""
    alarmed = np.full(slices, -1)
    alarmed[[int(slice_[0][1]) for slice_, _ in state.index.epochs]] = state.monitor.epochs.alarmed
    return alarmed


def found_after(
    rates: Floats, past: Floats, then: Floats, *, days_past: int, days: int, rng: np.random.Generator, **options: object
) -> tuple[Floats, Floats]:
    """Return answers and days until each slice alarms that fails more often from some day on; `nan` if it never does.

    A slice without a past, where that is not a number, begins on that day.
    """
    subject, slices = gate(slices=None, thresholds="calibrated", **options), len(rates)
    state = subject.initial()
    kinds = groups(slices)
    there = ~np.isnan(past)
    answers, ticks, seen = np.full(slices, np.nan), np.full(slices, np.nan), np.zeros(slices)
    for day in range(days_past):
        place, tick, counts = arrivals(rng, np.where(there, rates, 0.0), day * DAY, DAY)
        loss = (rng.random(len(tick)) < past[place]).astype(float)
        state = subject.fold(state, SimulatedAnswers(place, tick, loss, counts).batch(kinds, TICK))
    begin = days_past * DAY
    for first in range(begin, begin + days * DAY, CHUNK):
        place, tick, counts = arrivals(rng, rates, first, CHUNK)
        loss = (rng.random(len(tick)) < then[place]).astype(float)
        state = subject.fold(state, SimulatedAnswers(place, tick, loss, counts).batch(kinds, TICK))
        state = subject.settled(state, instant((first + CHUNK) * TICK))
        alarmed, upto = _alarmed(state, slices), seen + counts.cumsum(axis=0)
        new = np.flatnonzero(np.isnan(answers) & (alarmed >= begin))
        answers[new] = upto[np.clip(alarmed[new] - first, 0, CHUNK - 1), new]
        ticks[new] = alarmed[new] + 1 - begin
        seen = upto[-1]
    return answers, ticks / DAY


def siblings(reps: int, seed: int) -> None:
    """Print how soon slices are found that are bad from birth, or have three answers a day."""
    others = 20
    rates, past = np.full(others + reps, 5.0), np.full(others + reps, 0.02)
    past[others:] = np.nan
    then = np.where(np.arange(others + reps) < others, 0.02, 0.3)
    answers, _ = found_after(rates, past, then, days_past=28, days=1, rng=worlds.randomness(seed, 51))
    print(
        f"\nBad from birth, 30 % beside {others} slices with 2 %: found {np.mean(~np.isnan(answers[others:])):.2f},"
        f" answers median {np.nanmedian(answers[others:]):.0f}, 95 % {np.nanquantile(answers[others:], 0.95):.0f};"
        f" of the others {np.sum(~np.isnan(answers[:others]))} alarm",
        flush=True,
    )
    for number in (others, 0):
        few = np.arange(number + reps) >= number
        rates, past = np.where(few, 3.0 / DAY, 5.0), np.full(number + reps, 0.02)
        then, rng = np.where(few, 0.3, 0.02), worlds.randomness(seed, 52)
        _, took = found_after(rates, past, then, days_past=60, days=30, rng=rng)
        print(
            f"Three answers a day, 2 -> 30 %, {reps} slices beside {number} busy ones:"
            f" found {np.mean(~np.isnan(took[few])):.2f}, days median {np.nanmedian(took[few]):.1f}",
            flush=True,
        )


def perfect_pasts(reps: int, seed: int) -> None:
    """Print how many answers it takes where nothing had failed, of slices that fail together."""
    for rate in (0.02, 0.04):
        rng = worlds.randomness(seed, 53)
        answers, _ = found_after(
            np.full(reps, 5.0), np.zeros(reps), np.full(reps, rate), days_past=28, days=14, rng=rng
        )
        print(
            f"Nothing failed for four weeks, then {rate:.0%} in {reps} slices: found {np.mean(~np.isnan(answers)):.2f},"
            f" answers median {np.nanmedian(answers):.0f}",
            flush=True,
        )


def creeping(slices: int, answers: int, thresholds: str, seed: int) -> None:
    """Print how many slices are found within 35 days that get worse by one point in 30 days, and when the gate fails.

    Every second slice creeps from 2 %, after four weeks; each has so many ``answers`` a day.
    """
    subject, rng = gate(slices=None, thresholds=thresholds), worlds.randomness(seed, 54)
    kinds = groups(slices)
    rates, creeps = np.full(slices, answers / DAY), np.arange(slices) % 2 == 0
    state, found, failed = subject.initial(), np.full(slices, np.nan), None
    for day in range(PAST + 35):
        place, tick, counts = arrivals(rng, rates, day * DAY, DAY)
        worse = np.maximum(tick / DAY - PAST, 0.0) / 30 * 0.01 * creeps[place]
        loss = (rng.random(len(tick)) < 0.02 + worse).astype(float)
        state = subject.fold(state, SimulatedAnswers(place, tick, loss, counts).batch(kinds, TICK))
        if day < PAST:
            continue
        at = instant((day + 1) * DAY * TICK)
        state = subject.settled(state, at)
        verdict = subject.verdict(state, at)
        failing = {
            int(each.slice["slice"]) for each in verdict.slices if each.state == "fail" and "slice" in each.slice
        }
        found[[n for n in failing if np.isnan(found[n])]] = day + 1 - PAST
        failed = day + 1 - PAST if failed is None and verdict.state == "fail" else failed
    told = ~np.isnan(found)
    print(
        f"One point in 30 days, {slices} slices of {answers} answers a day: found {np.mean(told[creeps]):.2f} of those"
        f" that creep, {np.mean(told[~creeps]):.2f} of the others; the gate fails on day {failed}",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="some minutes, with wide errors")
    parser.add_argument("--column", choices=tuple(COLUMNS), action="append")
    parser.add_argument("--thresholds", choices=("proved", "calibrated"), default="calibrated")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slices", type=int, help="slices whose delay is counted, of each column")
    parser.add_argument("--weeks", type=int, help="weeks over which false alarms are counted")
    parser.add_argument("--part", choices=("siblings", "perfect", "creep", "seasons"), action="append")
    given = parser.parse_args(arguments)
    parts, seed = given.part or ["siblings", "perfect", "creep", "seasons"], given.seed
    if "siblings" in parts:
        siblings(40 if given.quick else 200, seed)
    if "perfect" in parts:
        perfect_pasts(40 if given.quick else 200, seed)
    if "creep" in parts:
        for slices, answers in ((10, 600), (40, 300), (40, 1_000)):
            creeping(slices, answers, given.thresholds, seed)
    if "seasons" in parts:
        slices, weeks = (60, 2) if given.quick else (300, 8)
        sizes = given.slices or slices, given.weeks or weeks
        seasons(*sizes, given.column or tuple(COLUMNS), given.thresholds, seed)


if __name__ == "__main__":
    main()
