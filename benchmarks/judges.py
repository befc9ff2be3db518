"""What a drift gate makes of a judge elsewhere: weeks without a change, another version of the judge, and a fall.

    python benchmarks/judges.py            some twenty minutes on one core
    python benchmarks/judges.py --quick    a few minutes, with wide errors

The judge is a scorer of ours behind a foreign evaluator: its scores of made-up answers come as `external.support`, and
in the middle of the stream another scorer takes its place as the next version, recorded as agents record it. The gate
has its default configuration. Delays are scored answers of the slice until the alarm.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from adapters.schema import Answer, Passage
from benchmarks import worlds
from benchmarks.worlds import DAY, SLICES, TICK, WEEK, Floats, Integers
from gates.drift import DriftGate, DriftState
from gates.inputs.changes import Change
from gates.inputs.observations import Batch, Group
from gates.simulation.traffic import SimulatedAnswers, arrivals
from gates.units.instants import instant
from scorers.base import Env, Score
from scorers.grounding.claim_support import ClaimSupport
from scorers.grounding.faithfulness import Faithfulness

METRIC, NATIVE = "external.support", "claim_support"
LEVELS = (0.95, 0.9, 0.85, 0.8)
"""Shares of right claims; each slice has one of these."""
FALLEN = 0.15
"""By how much the share of right claims falls."""
ANSWERS = 150
"""Answers that are scored at each level; the stream draws from these."""
SHARE = 0.1
"""Share of the answers of `benchmarks/alarms.py` that the judge scores."""
CHUNK = 4
PAST = 28
"""Days before alarms are counted."""
SCORERS = (ClaimSupport(), Faithfulness())
"""The first version of the judge, and the second."""


@dataclass(frozen=True)
class Laws:
    """Scores of made-up answers: by version of the judge, by level, and after a fall."""

    values: tuple[tuple[Floats, ...], ...]
    fallen: tuple[tuple[Floats, ...], ...]


def answer(rng: np.random.Generator, right: float) -> Answer:
    """Return an answer of two to five claims about limits, each right with this probability."""
    things = rng.choice(["hotel", "meal", "train", "taxi", "phone", "desk", "course", "flight"], 6, replace=False)
    limits = rng.integers(10, 900, 6)
    passages = tuple(
        Passage(id=f"p{place}", text=f"The {thing} limit is {limit} EUR per trip.")
        for place, (thing, limit) in enumerate(zip(things, limits, strict=True))
    )
    said = []
    for thing, limit in list(zip(things, limits, strict=True))[: rng.integers(2, 6)]:
        if rng.random() < right:
            said.append(f"The {thing} limit is {limit} EUR per trip.")
        elif rng.random() < 0.5:
            said.append(f"The {thing} limit is {limit + 25} EUR per trip.")
        else:
            said.append(f"Your manager must approve every {thing} in writing.")
    return Answer(id="a", question="What are the limits?", answer=" ".join(said), passages=passages)


def scored(seed: int, right: float) -> tuple[Floats, Floats]:
    """Return what both versions of the judge say of the same answers."""
    rng, env = np.random.default_rng(seed), Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    rows = []
    for _ in range(ANSWERS):
        found = [scorer.score(answer_, env) for answer_ in (answer(rng, right),) for scorer in SCORERS]
        if all(isinstance(each, Score) for each in found):
            rows.append([each.value for each in found if isinstance(each, Score)])
    both = np.array(rows)
    return both[:, 0], both[:, 1]


def laws() -> Laws:
    """Score the answers, and print what the judge's versions say on average."""
    before = [scored(place, level) for place, level in enumerate(LEVELS)]
    after = [scored(100 + place, level - FALLEN) for place, level in enumerate(LEVELS)]
    for version in (0, 1):
        means = ", ".join(f"{values[version].mean():.3f}" for values in before)
        print(f"judge@{version + 1}: means {means} at levels {', '.join(map(str, LEVELS))}", flush=True)
    return Laws(tuple(zip(*before, strict=True)), tuple(zip(*after, strict=True)))


class Stream:
    """Answers of slices with what a judge says of them; ``version`` is 0 or 1."""

    def __init__(self, seed: int, found: Laws, rates: Floats, *, metric: str) -> None:
        self._rng = np.random.default_rng(seed)
        self._laws, self._rates = found, rates
        self.metric = metric

    def batch(
        self, first: int, ticks: int, version: int, fallen: Callable[[Integers], Integers] | None = None
    ) -> Batch:
        """Return the scores of some ticks."""
        place, tick, counts = arrivals(self._rng, self._rates, first, ticks)
        level = place % len(LEVELS)
        values = np.zeros(len(place))
        down = np.zeros(len(place), np.int64) if fallen is None else fallen(place)
        for each in range(len(LEVELS)):
            for state, source in enumerate((self._laws.values, self._laws.fallen)):
                rows = (level == each) & (down == state)
                law = source[version][each]
                values[rows] = law[self._rng.integers(0, len(law), int(rows.sum()))]
        self.counts = counts
        # Who scored is a version of what is measured, as `collector.external.judged` has it.
        versions = (("scorer", f"judge@{version + 1}"),) if self.metric == METRIC else ()
        groups = tuple(
            Group(self.metric, (("slice", f"{number:05d}"),), versions) for number in range(len(self._rates))
        )
        return SimulatedAnswers(place, tick, values, counts).batch(groups, TICK)


def gate(metric: str) -> DriftGate:
    plain = {"type": "drift", "name": "g", "metric": metric, "worse": "lower", "by": ("slice",), "slices": SLICES}
    return DriftGate.model_validate(plain)


def swapped(subject: DriftGate, state: DriftState, at: int) -> DriftState:
    """Return the state after the ledger's entry about a judge's second version."""
    change = Change(at=instant(at * TICK), kind="scorer", scope={"metric": METRIC}, version="judge@2")
    return subject.change(state, change)  # type: ignore[return-value]  # the gate's own state


def alarms(state: DriftState) -> int:
    """Return how many alarms there were, of slices and of all traffic."""
    return int(state.monitor.epochs.alarms.sum() + state.monitor.groups.alarms.sum())


def null(found: Laws, weeks: int) -> None:
    """Print false alarms by week over a stream whose judge is swapped in the middle of it."""
    rng = np.random.default_rng(41)
    stream = Stream(42, found, SHARE * worlds.mixed_rates(rng), metric=METRIC)
    subject = gate(METRIC)
    state: DriftState = subject.initial()
    swap = (PAST + 7 * (weeks // 2)) * DAY + DAY // 2
    by_week: list[int] = []
    answers, before = 0, 0
    for day in range(PAST + 7 * weeks):
        first, version = day * DAY, int(day * DAY >= swap)
        if first <= swap < first + DAY:
            rows = stream.batch(first, swap - first, 0)
            state, answers = subject.fold(state, rows), answers + len(rows)
            state = swapped(subject, state, swap)
            first, version = swap, 1
        rows = stream.batch(first, (day + 1) * DAY - first, version)
        state, answers = subject.fold(state, rows), answers + len(rows)
        if day < PAST:
            before = alarms(state)
        elif (day - PAST) % 7 == 6:
            by_week.append(alarms(state) - before)
            before = alarms(state)
    after = by_week[weeks // 2]
    print(f"\nnull: {SLICES} slices, {weeks} weeks, {answers:,} answers, swap in week {weeks // 2 + 1}")
    print(f"  false alarms by week: {' '.join(map(str, by_week))}; most {max(by_week)}, mean {np.mean(by_week):.2f}")
    print(f"  alarms in the week of the swap: {after}", flush=True)


def delay(found: Laws, reps: int, metric: str) -> Floats:
    """Return the answers of each slice until its fall is found; a judge elsewhere was swapped a month before."""
    stream = Stream(43, found, np.full(reps, 1.0), metric=metric)
    subject = gate(metric).model_copy(update={"slices": reps})
    state: DriftState = subject.initial()
    version = 1 if metric == METRIC else 0
    begin = 0
    if metric == METRIC:
        for first in worlds.days(0, 14):
            state = subject.fold(state, stream.batch(first, DAY, 0))
        state, begin = swapped(subject, state, 14 * DAY), 14
    for first in worlds.days(begin, begin + 31):
        state = subject.fold(state, stream.batch(first, DAY, version))
    clean = (begin + 31) * DAY
    waited, seen = np.full(reps, np.nan), np.zeros(reps)
    for first in range(clean, clean + 2 * WEEK, CHUNK):
        rows = stream.batch(first, CHUNK, version, lambda place: np.ones(len(place), np.int64))
        state = subject.settled(subject.fold(state, rows), instant((first + CHUNK) * TICK))
        alarmed = np.full(reps, -1)
        for (slice_, _), at in zip(state.index.epochs, state.monitor.epochs.alarmed.tolist(), strict=True):
            alarmed[int(slice_[0][1])] = max(alarmed[int(slice_[0][1])], at)
        new = np.isnan(waited) & (alarmed >= clean)
        upto = seen[None] + np.cumsum(stream.counts, axis=0)
        waited[new] = upto[np.clip(alarmed[new] - first, 0, CHUNK - 1), np.flatnonzero(new)]
        seen += stream.counts.sum(axis=0)
        if not np.isnan(waited).any():
            break
    return np.where(np.isnan(waited), seen, waited)


def delays(found: Laws, reps: int) -> None:
    """Print how soon a fall is found by a judge elsewhere that was swapped, and by the same scorer of ours."""
    # The second version is the native metric of the comparison: both see the same scores.
    same = Laws((found.values[1], found.values[1]), (found.fallen[1], found.fallen[1]))
    elsewhere, native = delay(found, reps, METRIC), delay(same, reps, NATIVE)
    print(f"\ndelay over {reps} slices after a fall of {FALLEN:g} in right claims, in answers:")
    for name, values in (("external, swapped a month ago", elsewhere), ("native", native)):
        print(f"  {name:<30} {values.mean():.0f} +- {values.std() / len(values) ** 0.5:.0f}", flush=True)
    print(f"  ratio {elsewhere.mean() / native.mean():.2f}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few minutes, with wide errors")
    given = parser.parse_args(arguments)
    begin = time.process_time()
    found = laws()
    null(found, 2 if given.quick else 20)
    print(f"{time.process_time() - begin:.0f} s of a core")
    delays(found, 20 if given.quick else 60)
    print(f"{time.process_time() - begin:.0f} s of a core")


if __name__ == "__main__":
    main()
