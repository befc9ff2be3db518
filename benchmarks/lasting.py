"""How long a drift gate fails, and how soon it finds what goes wrong in many slices at once, on made-up traffic.

    python benchmarks/lasting.py            about ten minutes on one core
    python benchmarks/lasting.py --quick    about two minutes, with wide errors
    python benchmarks/lasting.py --seed 7

200 slices with 5 answers a tick, of which 2 % fail for a month. Then some of them fail more often: for all of them,
150 and 40, the answers of a slice until the first alarm of the gate, and until that of the slice itself. And for faults
that last: how often a slice is said to have recovered while it has not, and the answers until its recovery is shown
once it has, and from the moment that its evidence is enough to the end of the fail.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.alarms import gate
from benchmarks.worlds import DAY, SLICES, TICK, Floats
from gates.drift import DriftGate, DriftState
from gates.evidence import detector, recovery
from gates.evidence.arrays import Bools
from gates.simulation.traffic import SimulatedAnswers, arrivals, groups
from gates.units.instants import instant

GOOD, PAST, RATE = 0.02, 28 * DAY, 5.0
ROWS = groups(SLICES)


class Run:
    """A gate, its state after so many ticks, and the answers of each slice so far."""

    def __init__(self, seed: int, *, past: int, **options: object) -> None:
        self.gate: DriftGate = gate(**options)
        self.state: DriftState = self.gate.initial()
        self.rng, self.tick = np.random.default_rng(seed), 0
        for _ in range(past // DAY):
            self.serve(np.full(SLICES, GOOD), DAY)

    def serve(self, failing: Floats, ticks: int) -> Floats:
        """Serve and fold ticks in which so much of each slice fails; return how many answers each slice had."""
        place, tick, counts = arrivals(self.rng, np.full(SLICES, RATE), self.tick, ticks)
        lost = (self.rng.random(len(place)) < failing[place]).astype(float)
        rows = SimulatedAnswers(place, tick, lost, counts).batch(ROWS, TICK)
        self.tick += ticks
        self.state = self.gate.settled(self.gate.fold(self.state, rows), instant(self.tick * TICK))
        return counts.sum(axis=0).astype(float)

    @property
    def failing(self) -> Bools:
        """Which slices fail."""
        places = np.array([int(slice_[0][1]) for slice_, _ in self.state.index.epochs])
        found = np.zeros(SLICES, np.bool_)
        found[places] = self.state.monitor.epochs.failing
        return found

    @property
    def recovery(self) -> Floats:
        """The evidence that each slice has recovered; it begins anew once that is shown."""
        places = np.array([int(slice_[0][1]) for slice_, _ in self.state.index.epochs])
        shown = np.zeros(SLICES)
        shown[places] = detector.level(self.state.monitor.epochs.proof)
        return shown

    @property
    def fails(self) -> bool:
        """Whether the gate fails: by a slice, or by all of them together."""
        return bool(self.failing.any() or self.state.monitor.groups.failing.any())


def together(seed: int, runs: int, past: int, **options: object) -> None:
    """Print how soon a gate, and its slices, find that some slices go from 2 to 5 %."""
    for many in (200, 150, 40):
        first, delays, wrong = [], [], 0
        for number in range(runs):
            run = Run(seed + number, past=past, **options)
            ill = np.arange(SLICES) < many
            before, seen, found, gate_at = run.failing, np.zeros(SLICES), np.full(SLICES, np.nan), np.nan
            for _ in range(2 * DAY):
                seen += run.serve(np.where(ill, 0.05, GOOD), 1)
                new = run.failing & np.isnan(found)
                found[new] = seen[new]
                gate_at = seen.mean() if np.isnan(gate_at) and run.fails else gate_at
                if not np.isnan(found[ill]).any():
                    break
            first.append(gate_at)
            delays.append(np.where(np.isnan(found), seen, found)[ill].mean())
            wrong += int(np.count_nonzero(~np.isnan(found) & ~ill & ~before))
        print(
            f"  {many:>3} of {SLICES}: alarm of the gate after {np.mean(first):4.0f} answers a slice, of a slice after"
            f" {np.mean(delays):4.0f} in the mean, {wrong} false in {runs} runs",
            flush=True,
        )


def lasting(seed: int, days: int, past: int, **options: object) -> None:
    """Print how often a lasting fault is said to be over, and how soon one that is over is."""
    for share in (0.05, 0.30):
        run = Run(seed, past=past, **options)
        bad, ever, returned = np.full(SLICES, share), np.zeros(SLICES, np.bool_), 0
        for _ in range(4 * days):
            run.serve(bad, DAY // 4)
            returned += int(np.count_nonzero(ever & ~run.failing))
            ever |= run.failing
        seen, over, proved = np.zeros(SLICES), np.full(SLICES, np.nan), np.full(SLICES, np.nan)
        for _ in range(4 * DAY):
            seen += run.serve(np.full(SLICES, GOOD), 1)
            new = ~run.failing & np.isnan(over)
            over[new] = seen[new]
            first = (new | (run.recovery >= recovery.NEEDED)) & np.isnan(proved)
            proved[first] = seen[first]
            if not np.isnan(over).any():
                break
        over = np.where(np.isnan(over), seen, over)
        print(
            f"  2 -> {share:.0%} for {days} days in {SLICES} slices: {returned} seen to pass meanwhile; recovery shown"
            f" after {np.median(over):.0f} answers in the median, {np.quantile(over, 0.9):.0f} in nine of ten;"
            f" {np.nanmax(over - proved):.0f} at most from its proof to the end of the fail",
            flush=True,
        )


def main() -> None:
    """Run and print all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few runs, a past of a week")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, help="runs of many slices that fail together")
    given = parser.parse_args()
    past, runs, days = (7 * DAY, 1, 5) if given.quick else (PAST, 5, 60)
    runs = given.runs or runs
    for title, options in (("no tolerance", {"tolerance": 0.0}), ("default tolerance", {})):
        print(f"\n2 -> 5 % in many slices, {title}")
        together(given.seed, runs, past, **options)
        print(f"\nFaults that last, {title}")
        lasting(given.seed, days, past, **options)


if __name__ == "__main__":
    main()
