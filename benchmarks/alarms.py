"""How often gates cry wolf and how soon they find what is wrong, on made-up traffic; beside rules others use.

    python benchmarks/alarms.py            about an hour on one core
    python benchmarks/alarms.py --quick    about ten minutes, with wide errors
    python benchmarks/alarms.py --plot delays.svg
    python benchmarks/alarms.py --seed 1 --part alarms

False alarms are per week over 200 slices (2.1 million answers); delays are mean scored answers of the slice until the
tick in which the alarm is raised, after three clean days, against the cumulative sum that knows both laws (the oracle).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks import peers, worlds
from benchmarks.worlds import DAY, NULLS, SCENARIOS, SLICES, TICK, WEEK, Floats, Law
from gates.drift import DriftGate, DriftState
from gates.evidence import detector
from gates.inputs.changes import Change
from gates.inputs.observations import ARMS, Group
from gates.release import ReleaseGate
from gates.simulation.traffic import SimulatedAnswers, arrivals, groups
from gates.units.instants import instant

CHUNK = 4
"""Ticks folded at once where the first alarm is looked for."""


def gate(**options: object) -> DriftGate:
    plain = {"type": "drift", "name": "g", "metric": "m", "worse": "higher", "by": ("slice",), "slices": SLICES}
    plain |= {"thresholds": "proved"}
    return DriftGate.model_validate({**plain, **options})


def null(weeks: int, make: Callable[[int, int], SimulatedAnswers], *, past: int = 28, **options: object) -> str:
    """Return false alarms a week of the gate on traffic that stays as it was."""
    subject, slices = gate(**options), groups(SLICES)
    state: DriftState = subject.initial()
    before = 0
    for day in range(past + 7 * weeks):
        if day == past and day:
            before = _alarms(state)
        state = subject.fold(state, make(day * DAY, DAY).batch(slices, TICK))
    found = _alarms(state) - before
    return f"{found / weeks:6.2f} +- {max(found, 1) ** 0.5 / weeks:.2f}"


def _alarms(state: DriftState) -> int:
    """Return how many alarms there were, of slices and of all traffic."""
    return int(state.monitor.epochs.alarms.sum() + state.monitor.groups.alarms.sum())


def false_alarms(weeks: int, seed: int) -> None:
    print(f"\nFalse alarms a week over {SLICES} slices, {weeks} weeks")
    for name, scenario in NULLS.items():
        law = SCENARIOS[scenario][0]
        rng = worlds.randomness(seed, 11)
        rates = worlds.mixed_rates(rng)
        plain = served(rng, law, rates)
        exact = {"declared": law.mean, "reference": "3d"}
        print(f"  {name:<8} at the exact boundary          {null(weeks, plain, past=0, **exact)}", flush=True)
        short = max(1, weeks // 4)
        print(f"  {name:<8} learned reference, no tolerance {null(short, plain, tolerance=0.0)}", flush=True)
        phase = rng.uniform(0, 2 * np.pi, SLICES)
        swing = 0.01 if name != "failure" else 0.004

        wobble = wobbling(rng, law, plain, swing, phase)
        print(f"  {name:<8} daily wobble, default tolerance {null(short, wobble)}", flush=True)
    rng = worlds.randomness(seed, 12)
    rates = worlds.mixed_rates(rng)
    alike = null(
        max(1, weeks // 4), lambda first, ticks: worlds.clustered(rng, 0.02, 0.2, rates, first, ticks), tolerance=0.0
    )
    print(f"  failure  intra-cluster correlation 0.2    {alike}", flush=True)


def served(rng: np.random.Generator, law: Law, rates: Floats) -> Callable[[int, int], SimulatedAnswers]:
    return lambda first, ticks: worlds.served(rng, law, rates, first, ticks)


def wobbling(
    rng: np.random.Generator, law: Law, plain: Callable[[int, int], SimulatedAnswers], swing: float, phase: Floats
) -> Callable[[int, int], SimulatedAnswers]:
    return lambda first, ticks: worlds.wobbling(rng, plain(first, ticks), law.mean, swing, phase)


def delays(name: str, reps: int, seed: int, *, at_change: bool = False, **options: object) -> Floats:
    """Return the answers until the alarm in so many slices that change after a reference and three clean days.

    A slice that still fails by a false alarm when the change comes cannot alarm again, and is left out.
    """
    before, after = SCENARIOS[name]
    rng, rates, slices = worlds.randomness(seed, 22), np.full(reps, 5.0), groups(reps)
    subject = gate(**{"tolerance": 0.0, "fdr": None, **options})
    state: DriftState = subject.initial()
    clean = 31 * DAY
    for first in worlds.days(0, 31):
        state = subject.fold(state, worlds.served(rng, before, rates, first, DAY).batch(slices, TICK))
    failing = np.zeros(reps, np.bool_)
    failing[[int(slice_[0][1]) for slice_, _ in state.index.epochs]] = state.monitor.epochs.failing
    if at_change:
        state = subject.change(state, Change(at=instant(clean * TICK), kind="deploy"))
    found, seen = np.full(reps, np.nan), np.zeros(reps)
    for first in range(clean, clean + 2 * WEEK, CHUNK):
        span = worlds.served(rng, after, rates, first, CHUNK)
        # What closes a tick is the next one, so the state is settled at the end of the chunk.
        state = subject.settled(subject.fold(state, span.batch(slices, TICK)), instant((first + CHUNK) * TICK))
        places = np.array([int(slice_[0][1]) for slice_, _ in state.index.epochs])
        alarmed = np.full(reps, -1)
        alarmed[places] = state.monitor.epochs.alarmed
        new = np.isnan(found) & (alarmed >= clean)
        upto = seen[None] + np.cumsum(span.counts, axis=0)
        found[new] = upto[np.clip(alarmed[new] - first, 0, CHUNK - 1), np.flatnonzero(new)]
        seen += span.counts.sum(axis=0)
        if not np.isnan(found).any():
            break
    return np.asarray(np.where(np.isnan(found), seen, found)[~failing])


def once_a_week(name: str, weeks: int, seed: int) -> float:
    """Return the ``alarms_per_week`` at which the gate raises one, counted over quiet weeks."""
    law, rng, slices = SCENARIOS[name][0], worlds.randomness(seed, 26), groups(SLICES)
    rates, subject = worlds.mixed_rates(rng), gate(tolerance=0.0, fdr=None, alarms_per_week=1e-3)
    state: DriftState = subject.initial()
    for first in worlds.days(0, 28):
        state = subject.fold(state, worlds.served(rng, law, rates, first, DAY).batch(slices, TICK))
    peaks = np.zeros((weeks, SLICES))
    for tick in range(28 * DAY, 28 * DAY + weeks * WEEK):
        state = subject.fold(state, worlds.served(rng, law, rates, tick, 1).batch(slices, TICK))
        row = peaks[(tick - 28 * DAY) // WEEK]
        np.maximum(row, state.monitor.epochs.level, out=row)
    # A slice that is reset by an alarm seldom raises another one in the same week.
    return SLICES / float(np.sort(peaks.ravel())[-weeks])


def delay_tables(reps: int, weeks: int, seed: int) -> dict[str, dict[str, Floats]]:
    """Print and return delays by rule and scenario, as people run the rules, and with one false alarm a week each."""
    usual: dict[str, dict[str, Floats]] = {}
    equal: dict[str, dict[str, Floats]] = {}
    for name, (before, after) in SCENARIOS.items():
        level = once_a_week(name, weeks, seed)
        found = peers.delays(before, after, reps, weeks, seed)
        ours = {
            "drift gate": delays(name, reps, seed),
            "drift gate, default tolerance": delays(name, reps, seed, tolerance=None),
            "drift gate, change event": delays(name, reps, seed, at_change=True),
        }
        for rule, values in {**ours, **found[0]}.items():
            usual.setdefault(rule, {})[name] = values
        for rule, values in {"drift gate": delays(name, reps, seed, alarms_per_week=level), **found[1]}.items():
            equal.setdefault(rule, {})[name] = values
        left_out = reps - len(equal["drift gate"][name])
        print(
            f"  {name}: one false alarm a week at alarms_per_week = {level:.2f};"
            f" there {left_out} of {reps} slices failed falsely at the change and are left out",
            flush=True,
        )
    alarms = {kind: peers.false_alarms(SCENARIOS[name][0], weeks, seed) for kind, name in NULLS.items()}
    print(f"\nA. As people run it: mean delay in answers, and false alarms a week (of rules: {weeks} weeks)")
    _print(usual, {rule: [alarms[kind].get(rule) for kind in NULLS] for rule in usual})
    print(f"\nB. Every limit set to one false alarm a week, found over {weeks} weeks: mean delay in answers")
    _print(equal, {})
    return equal | {f"{rule}, proved": row for rule, row in usual.items() if rule.startswith("drift gate")}


def _print(table: dict[str, dict[str, Floats]], alarms: dict[str, list[float | None]]) -> None:
    kinds = [f"{kind:>8}" for kind in NULLS] if alarms else []
    print(f"  {'':<30} {' '.join(f'{name:>16}' for name in SCENARIOS)} {' '.join(kinds)}")
    for rule, row in table.items():
        cells = [_with_error(row[name]) if name in row else "-" for name in SCENARIOS]
        counts = ["-" if count is None else f"{count:.4g}" for count in alarms.get(rule, [])]
        print(f"  {rule:<30} {' '.join(f'{cell:>16}' for cell in cells)} {' '.join(f'{each:>8}' for each in counts)}")


def _with_error(values: Floats) -> str:
    return f"{values.mean():.0f} +- {values.std() / len(values) ** 0.5:.0f}"


def sampling(reps: int, seed: int) -> None:
    """Print what the drift gate makes of another policy, another mix and a real drop, by weights and within strata."""
    print(
        "\nA fifth of the traffic is suspicious and sampled five times as often: share alarmed in 14 days, mean delay"
    )
    rates, good, bad = (0.08, 0.005), (0.08, 0.005), (0.17, 0.02)
    cases = {
        "sampling policy changes": (good, 0.2, (1.0, 0.1)),
        "traffic mix changes": (good, 0.35, (0.5, 0.1)),
        "2->5 %": (bad, 0.2, (0.5, 0.1)),
    }
    kinds = tuple(
        Group("m", (("slice", f"{place:05d}"), ("suspicious", kind)), ()) for place in range(reps) for kind in "yn"
    )
    for name, changed in cases.items():
        for strata in ((), ("suspicious",)):
            subject, rng = gate(strata=strata, tolerance=0.0), worlds.randomness(seed, 33)
            state: DriftState = subject.initial()
            first_alarm, clean = np.full(reps, -1), 28 * DAY
            seen = np.zeros(reps)
            found = np.full(reps, np.nan)
            steps = [
                *((first, DAY) for first in worlds.days(0, 28)),
                *((clean + n, 12) for n in range(0, 14 * DAY, 12)),
            ]
            for first, ticks in steps:
                quality, mix, policy = (rates, 0.2, (0.5, 0.1)) if first < clean else changed
                total = 5.0 / (0.2 * 0.5 + 0.8 * 0.1)
                each = np.tile([total * mix * policy[0], total * (1 - mix) * policy[1]], reps)
                place, tick, counts = arrivals(rng, each, first, ticks)
                loss = (rng.random(len(tick)) < np.array(quality)[place % 2]).astype(float)
                rows = SimulatedAnswers(place, tick, loss, counts).batch(
                    kinds, TICK, probability=np.array(policy)[place % 2]
                )
                state = subject.fold(state, rows)
                if first < clean:
                    continue
                cells = np.array([int(slice_[0][1]) for slice_, _ in state.index.epochs])
                alarmed = np.full(reps, -1)
                alarmed[cells] = state.monitor.epochs.alarmed
                new = (first_alarm < 0) & (alarmed >= clean)
                seen += counts.reshape(ticks, reps, 2).sum(axis=(0, 2))
                first_alarm[new], found[new] = alarmed[new], seen[new]
                if (first_alarm >= 0).all():
                    break
            delay = f"{np.nanmean(found):6.0f}" if (first_alarm >= 0).any() else "     -"
            how = "within strata" if strata else "by weights"
            print(f"  {name:<26} {how:<14} {np.mean(first_alarm >= 0):6.3f} {delay}", flush=True)


def canary(runs: int, seed: int) -> None:
    """Print what the release gate says over a day of 50 answers a tick at shares of 5, 10, 25 and 50 %."""
    print(f"\nCanary over 24 h, {runs} runs: share of runs and median answers of the candidate")
    for baseline, candidate in ((0.02, 0.02), (0.02, 0.05), (0.02, 0.03), (0.02, 0.01)):
        subject = ReleaseGate(type="release", name="g", metric="m", worse="higher", by=("slice",))
        rng, slices = worlds.randomness(seed, 55), groups(runs)
        state = subject.initial()
        answers = np.zeros(runs)
        ends = {"rollback": np.full(runs, np.inf), "promote": np.full(runs, np.inf)}
        for tick in range(DAY):
            place, ticks, counts = arrivals(rng, np.full(runs, 50.0), tick, 1)
            share = (0.05, 0.1, 0.25, 0.5)[tick * 4 // DAY]
            routed = rng.random(len(ticks)) < share
            rate = np.where(routed, candidate, baseline) * (1 + 0.3 * np.sin(2 * np.pi * tick / DAY))
            rows = SimulatedAnswers(place, ticks, (rng.random(len(ticks)) < rate).astype(float), counts).batch(
                slices,
                TICK,
                arm=np.where(routed, ARMS["candidate"], ARMS["baseline"]),
                share=np.full(len(ticks), share),
            )
            state = subject.settled(subject.fold(state, rows), instant((tick + 1) * TICK))
            answers += np.bincount(place[routed], minlength=runs)
            places = np.array([int(slice_[0][1]) for slice_, _ in state.index.epochs])
            for kind, end in ends.items():
                evidence = np.ones(runs)
                for one in state.comparisons.each:
                    evidence[places] = detector.level(getattr(one.slices, kind))
                new = np.isinf(end) & (evidence >= 1 / 0.05)
                end[new] = answers[new]
        text = "  ".join(
            f"{kind} {np.isfinite(end).mean():.3f} (median {np.median(end):.0f})" for kind, end in ends.items()
        )
        print(f"  {baseline:.0%} -> {candidate:.0%}:  {text}", flush=True)


def speed() -> None:
    """Print what folding and judging cost."""
    rng = np.random.default_rng(66)
    subject, slices = gate(), groups(500)
    spans = [
        worlds.served(rng, SCENARIOS["2->5 %"][0], np.full(500, 5.0), first, DAY).batch(slices, TICK)
        for first in worlds.days(0, 2)
    ]
    state = subject.initial()
    begin = time.process_time()
    for rows in spans:
        state = subject.fold(state, rows)
    spent = time.process_time() - begin
    rows = sum(map(len, spans))
    begin = time.process_time()
    for _ in range(10):
        subject.verdict(state, instant(2 * DAY * TICK))
    print(f"\nfold: {spent / rows * 1e6:.2f} us an answer ({rows} answers of 500 slices)")
    print(f"verdict: {time.process_time() - begin:.2f} s for 500 slices x 10 metrics")
    print(f"tick with {_MANY} answers: {_tick():.2f} s for {_MANY} slices x 10 metrics, verdicts included")


_MANY = 2_000


def _tick() -> float:
    """Return the seconds that ten gates take for a tick of a day when each of `_MANY` slices has an answer."""
    rng = np.random.default_rng(67)
    subject, slices = gate(), groups(_MANY)
    law = SCENARIOS["2->5 %"][0]
    state = subject.fold(subject.initial(), served(rng, law, np.ones(_MANY))(0, DAY).batch(slices, TICK))
    tick = served(rng, law, np.ones(_MANY))(DAY, 1).batch(slices, TICK)
    begin = time.process_time()
    for _ in range(10):
        then = subject.settled(subject.fold(state, tick), instant((DAY + 1) * TICK))
        subject.verdict(then, instant((DAY + 1) * TICK))
    return time.process_time() - begin


def plot(table: dict[str, dict[str, Floats]], path: str) -> None:
    """Draw mean delays over the oracle's as bars, as SVG: geometric means over the scenarios a rule has sense for."""
    oracle, bars, height = table["oracle"], [], 18
    for number, (rule, row) in enumerate(table.items()):
        ratio = float(np.exp(np.mean([np.log(row[name].mean() / oracle[name].mean()) for name in row])))
        y, end = 30 + number * height, 230 + min(60 * ratio, 480)
        bars.append(
            f'<text x="4" y="{y + 12}">{rule}</text><rect x="230" y="{y}" width="{end - 230:.0f}" height="13"/>'
        )
        bars.append(f'<text x="{end + 6:.0f}" y="{y + 12}">{ratio:.2f}</text>')
    size = f'width="800" height="{40 + len(table) * height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12" fill="#357">'
    title = "Mean delay over the oracle, one false alarm a week each (proved: at most one)"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f'{head}<text x="4" y="16">{title}</text>{"".join(bars)}</svg>\n')


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="about ten minutes, with wide errors")
    parser.add_argument("--plot", metavar="FILE", help="draw the delays as SVG")
    parser.add_argument("--part", choices=("alarms", "delays", "sampling", "canary", "speed"), action="append")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--weeks", type=int, help="weeks over which false alarms of the gate are counted")
    given = parser.parse_args(arguments)
    seed = given.seed
    parts = given.part or ["speed", "delays", "sampling", "canary", "alarms"]
    if "speed" in parts:
        speed()
    if "delays" in parts:
        table = delay_tables(*((40, 1) if given.quick else (200, 4)), seed)
        if given.plot:
            plot(table, given.plot)
    if "sampling" in parts:
        sampling(10 if given.quick else 60, seed)
    if "canary" in parts:
        canary(60 if given.quick else 400, seed)
    if "alarms" in parts:
        false_alarms(given.weeks or (1 if given.quick else 40), seed)


if __name__ == "__main__":
    main()
