"""Gates that judge by labels of few answers: how many labels a fall takes, and what a scorer that drifts does.

    python benchmarks/labels.py [--runs N]

Answers come at 100 an hour, and 2 % of them fail; a scorer tells failures apart with an AUC of about .98, and its
predictions are calibrated at 2 %. The reference is two weeks. Then, in as many worlds each:

- 5 % fail: how many answers and labels come until the alarm;
- only the scorer drifts, by 2.5 on the log-odds upwards: whether the gate alarms, and when the drift is told;
- the same downwards, as of a scorer that goes blind.

Labels are drawn by the gate's rule and come with their answers. One seed a world, from 1 on.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gates.drift import DriftGate, DriftState
from gates.inputs.observations import ARMS, Batch, Group
from gates.units.instants import Microseconds, instant

HOUR = 3_600_000_000
BEGIN = 496_008
"""The first hour of made-up time, the first of a day."""
RATE, REFERENCE, WATCHED = 100, 14, 28
"""Answers an hour, days of the reference, and days watched after it."""
ROWS = ("group", "at", "value", "probability", "cluster", "arm", "share", "truth", "drawn")
OPTIONS: dict[str, Any] = {
    "type": "drift",
    "name": "g",
    "metric": "m",
    "worse": "higher",
    "labels": "prediction-powered",
    "reference": f"{REFERENCE}d",
    "tick": "1h",
    "label_wait": "1h",
}


@dataclass(frozen=True)
class Outcome:
    """What a gate said: answers and labels until its alarm, and days until it told that the scorer had drifted."""

    answers: int | None
    labels: int | None
    told: float | None


def traffic(seed: int, gate: DriftGate, *, after: float, shift: float, keenness: float) -> Batch:
    """Return a world: failures are ``after`` of all once the reference is over, and log-odds of the scorer shifted."""
    rng = np.random.default_rng(seed)
    hours = np.repeat(np.arange(24 * (REFERENCE + WATCHED)), rng.poisson(RATE, 24 * (REFERENCE + WATCHED)))
    later = hours >= 24 * REFERENCE
    truth = (rng.random(len(hours)) < np.where(later, after, 0.02)).astype(np.float64)
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
    first = BEGIN + 24 * REFERENCE
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


def over(runs: int, gate: DriftGate, **world: float) -> list[Outcome]:
    """Return what the gate said in as many worlds."""
    return [judged(gate, traffic(seed, gate, **world)) for seed in range(1, runs + 1)]


def line(name: str, found: list[Outcome]) -> str:
    """Return a row of figures: alarms, answers and labels until them, and days until the scorer's drift was told."""
    cells = [f"{sum(each.answers is not None for each in found)} of {len(found)}"]
    for pick in ("answers", "labels", "told"):
        known = [getattr(each, pick) for each in found if getattr(each, pick) is not None]
        middle = f"{np.median(known):,.1f}".removesuffix(".0") if known else "-"
        cells.append(f"{middle} ({len(known)})" if pick == "told" else middle)
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="worlds of each kind")
    runs = parser.parse_args().runs
    print("| world | alarms | median answers | median labels | scorer's drift told, days (worlds) |")
    print("| --- | --- | --- | --- | --- |")
    default, exact = DriftGate(**OPTIONS), DriftGate(**OPTIONS, tolerance=0)
    uniform = DriftGate(**OPTIONS, label_rule="uniform", label_probability=0.1)
    for name, gate, keenness in (
        ("active, default tolerance", default, 0.0),
        ("active, tolerance 0", exact, 0.0),
        ("active, tolerance 0, keener", exact, 0.5),
        ("uniform at .1", uniform, 0.0),
    ):
        print(line(f"2 to 5 %: {name}", over(runs, gate, after=0.05, shift=0.0, keenness=keenness)), flush=True)
    for name, shift in (("upwards", 2.5), ("downwards", -2.5)):
        print(line(f"scorer alone, {name}", over(runs, default, after=0.02, shift=shift, keenness=0.0)), flush=True)


if __name__ == "__main__":
    main()
