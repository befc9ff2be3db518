"""Gates that judge by labels of few answers: how many labels a fall takes, and what a scorer that drifts does.

    python benchmarks/labels.py [--runs N] [--first SEED] [--reference DAYS] [--world rise|scorer|swing|bound]

Answers come at 100 an hour, and 2 % of them fail; a scorer tells failures apart with an AUC of about .98, and its
predictions are calibrated at 2 %. The reference is four weeks unless given. Then, in as many worlds each:

- rise: 5 % fail: how many answers and labels come until the alarm;
- scorer: only the scorer drifts, by 2.5 on the log-odds upwards, or downwards as one that goes blind: whether the gate
  alarms, and when the drift is told;
- swing: failures swing by .75 points over the day and as much over the week, from the first day on.
- bound, which draws nothing: the fewest labels that any bet takes which is lawful by the mean alone (ADR 26), for a
  reference of so many days and a tolerance; evidence must reach 20, from start weight of 1 a week.

Labels are drawn by the gate's rule and come with their answers. One seed a world, from `--first` on.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gates.drift import DriftGate, DriftState
from gates.evidence.powered import SAFE
from gates.evidence.predictions import quantile
from gates.evidence.reference import ALPHA
from gates.inputs.observations import ARMS, Batch, Group
from gates.units.instants import Microseconds, instant

HOUR = 3_600_000_000
BEGIN = 496_008
"""The first hour of made-up time, the first of a day."""
RATE, WATCHED = 100, 28
"""Answers an hour, and days watched after the reference."""
SWING = 0.0075
"""Amplitude of the swing of a day, and of a week."""
ROWS = ("group", "at", "value", "probability", "cluster", "arm", "share", "truth", "drawn")
OPTIONS: dict[str, Any] = {
    "type": "drift",
    "name": "g",
    "metric": "m",
    "worse": "higher",
    "labels": "prediction-powered",
    "tick": "1h",
    "label_wait": "1h",
}


@dataclass(frozen=True)
class Outcome:
    """What a gate said: answers and labels until its alarm, and days until it told that the scorer had drifted."""

    answers: int | None
    labels: int | None
    told: float | None


def traffic(seed: int, gate: DriftGate, *, after: float, shift: float, keenness: float, swing: float = 0.0) -> Batch:
    """Return a world: failures are ``after`` of all once the reference is over, and log-odds of the scorer shifted.

    The share of failures has a ``swing`` over the day and one over the week, from the first day on.
    """
    rng, days = np.random.default_rng(seed), gate.reference.days
    hours = np.repeat(np.arange(24 * (days + WATCHED)), rng.poisson(RATE, 24 * (days + WATCHED)))
    later = hours >= 24 * days
    phase = rng.uniform(0.0, 2.0 * np.pi, 2)
    waves = np.sin(2.0 * np.pi * hours / 24 + phase[0]) + np.sin(2.0 * np.pi * hours / 168 + phase[1])
    truth = (rng.random(len(hours)) < np.where(later, after, 0.02) + swing * waves).astype(np.float64)
    signal = rng.normal(size=len(hours)) + 3.0 * truth
    odds = np.log(0.02 / 0.98) + 3.0 * signal - 4.5 + np.where(later, shift, 0.0)
    predicted = 1.0 / (1.0 + np.exp(-odds))
    probability = gate.drawing.probability(predicted, keenness)
    labelled = rng.random(len(hours)) < probability
    nothing: NDArray[np.int64] = np.zeros(len(hours), np.int64)
    return Batch(
        groups=(Group("m", (), ()),),
        group=nothing,
        at=(hours + BEGIN) * HOUR + np.arange(len(hours)) % 3_600,
        value=predicted,
        probability=np.ones(len(hours)),
        cluster=nothing,
        arm=np.full(len(hours), ARMS[None]),
        share=np.zeros(len(hours)),
        truth=np.where(labelled, truth, 0.0),
        drawn=np.where(labelled, probability, 0.0),
    )


def taken(batch: Batch, rows: slice) -> Batch:
    """Return some rows."""
    return replace(batch, **{name: getattr(batch, name)[rows] for name in ROWS})


def judged(gate: DriftGate, batch: Batch) -> Outcome:
    """Judge a world until the gate alarms, or it ends."""
    first = BEGIN + 24 * gate.reference.days
    start = place = int(np.searchsorted(batch.at, first * HOUR))
    state: DriftState = gate.settled(gate.fold(gate.initial(), taken(batch, slice(start))), ended(first))
    told, drawn = None, np.zeros(0) if batch.drawn is None else batch.drawn
    for day in range(1, WATCHED + 1):
        stop = int(np.searchsorted(batch.at, (first + 24 * day) * HOUR))
        state = gate.settled(gate.fold(state, taken(batch, slice(place, stop))), ended(first + 24 * day))
        place = stop
        alarmed, drifted = (int(table.alarmed[0]) for table in (state.monitor.epochs, state.monitor.scorer))
        if told is None and drifted >= first:
            told = (drifted + 1 - first) / 24
        if alarmed >= first:
            until = int(np.searchsorted(batch.at, (alarmed + 1) * HOUR))
            return Outcome(until - start, int(np.count_nonzero(drawn[start:until])), told)
    return Outcome(None, None, told)


def ended(hour: int) -> datetime:
    """Return the instant at which an hour begins."""
    return instant(Microseconds(hour * HOUR))


def over(seeds: range, gate: DriftGate, **world: float) -> list[Outcome]:
    """Return what the gate said in as many worlds."""
    return [judged(gate, traffic(seed, gate, **world)) for seed in seeds]


def line(name: str, found: list[Outcome]) -> str:
    """Return a row of figures: alarms, answers and labels until them, and days until the scorer's drift was told."""
    cells = [f"{sum(each.answers is not None for each in found)} of {len(found)}"]
    for pick in ("answers", "labels", "told"):
        known = [getattr(each, pick) for each in found if getattr(each, pick) is not None]
        middle = f"{np.median(known):,.1f}".removesuffix(".0") if known else "-"
        cells.append(f"{middle} ({len(known)})" if pick == "told" else middle)
    return f"| {name} | {' | '.join(cells)} |"


def fewest_labels(gate: DriftGate, tolerance: float) -> tuple[float, float]:
    """Return the level that is bet against, and how many labels evidence of 20 takes where 5 % fail, at best.

    The level is that of a reference in which 2 % fail. Evidence grows by ``max_lam E log(1 + lam (phi - level))``.
    """
    signal, step = np.linspace(-6.0, 9.0, 6001, retstep=True)
    predicted = 1.0 / (1.0 + np.exp(-(np.log(0.02 / 0.98) + 3.0 * signal - 4.5)))
    good, bad = (np.exp(-((signal - mean) ** 2) / 2.0) / np.sqrt(2.0 * np.pi) * step for mean in (0.0, 3.0))
    drawn = gate.drawing.probability(predicted, 0.0)
    phi = np.concatenate([predicted, predicted - predicted / drawn, predicted + (1.0 - predicted) / drawn])

    def law(rate: float) -> NDArray[np.float64]:
        fine, wrong = (1.0 - rate) * good, rate * bad
        return np.concatenate([(fine + wrong) * (1.0 - drawn), fine * drawn, wrong * drawn])

    answers, usual, after = 24 * RATE * gate.reference.days, law(0.02), law(0.05)
    variance = float(usual @ phi**2 - (usual @ phi) ** 2)
    level = 0.02 + quantile(ALPHA) * np.sqrt(variance / answers + (gate.drawing.rarest / answers) ** 2) + tolerance
    bets = np.linspace(0.0, SAFE / (level + 1.0), 2_000)[1:]
    growth = max(float(after @ np.log1p(bet * (phi - level))) for bet in bets)
    needed = np.log(20.0) + np.log(max(1.0, RATE * growth * 168.0))
    return float(level), float(needed / growth * (0.95 * good + 0.05 * bad) @ drawn)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="worlds of each kind")
    parser.add_argument("--first", type=int, default=1, help="seed of the first world")
    parser.add_argument("--reference", type=int, default=28, help="days of the reference")
    parser.add_argument("--world", choices=("rise", "scorer", "swing", "bound"), action="append")
    given = parser.parse_args()
    seeds, options = range(given.first, given.first + given.runs), {**OPTIONS, "reference": f"{given.reference}d"}
    worlds = given.world or ["bound", "rise", "scorer", "swing"]
    if "bound" in worlds:
        for tolerance in (0.005, 0.0):
            level, labels = fewest_labels(DriftGate(**options), tolerance)
            print(f"tolerance {tolerance}: level {level:.4f}, {labels:.0f} labels at the fewest")
    default, exact = DriftGate(**options), DriftGate(**options, tolerance=0)
    uniform = DriftGate(**options, label_rule="uniform", label_probability=0.1)
    if worlds != ["bound"]:
        print("| world | alarms | median answers | median labels | scorer's drift told, days (worlds) |")
        print("| --- | --- | --- | --- | --- |")
    if "rise" in worlds:
        for name, gate, keenness in (
            ("active", default, 0.0),
            ("active, keener", default, 0.5),
            ("active, tolerance 0", exact, 0.0),
            ("uniform at .1", uniform, 0.0),
        ):
            found = over(seeds, gate, after=0.05, shift=0.0, keenness=keenness)
            print(line(f"2 to 5 %: {name}", found), flush=True)
    if "scorer" in worlds:
        for name, shift in (("upwards", 2.5), ("downwards", -2.5)):
            found = over(seeds, default, after=0.02, shift=shift, keenness=0.0)
            print(line(f"scorer alone, {name}", found), flush=True)
    if "swing" in worlds:
        found = over(seeds, default, after=0.02, shift=0.0, keenness=0.0, swing=SWING)
        print(line("failures swing as they did", found), flush=True)


if __name__ == "__main__":
    main()
