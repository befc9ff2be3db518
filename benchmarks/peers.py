"""Rules others use, on the same traffic: windows, static limits, burn rates, cumulative sums, and detectors of river.

A rule is a statistic by tick and slice, and a limit; it goes on where it exceeds the limit. As people run it the limit
is the usual one; on equal terms it is the one at which it goes on once a week in 200 slices that stay as they were.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import worlds
from benchmarks.worlds import DAY, SLICES, WEEK, Floats, Law
from gates.simulation.traffic import SimulatedAnswers

LEAST = 10
"""Answers of a window below which a rule is silent."""
BINS = 10
KSWIN_SLICES = 2
"""KSWIN takes a tenth of a millisecond an answer."""


@dataclass(frozen=True)
class Null:
    """What a rule knows of quiet traffic: mean, deviation, edges of bins of equal share, and their shares."""

    mean: float
    deviation: float
    edges: Floats
    shares: Floats

    @classmethod
    def of(cls, law: Law) -> Null:
        """Return what a large sample of quiet traffic shows."""
        sample = law.draw(np.random.default_rng(20), 1_000_000)
        edges = np.unique(np.quantile(sample, np.arange(1, BINS) / BINS))
        shares = np.bincount(np.searchsorted(edges, sample), minlength=len(edges) + 1) / len(sample)
        return cls(law.mean, float(sample.std()), edges, np.maximum(shares, 1e-4))


@dataclass(frozen=True)
class Rule:
    """A statistic of traffic in so many slices, its usual limit, and whether it has sense for failures."""

    statistic: Callable[[SimulatedAnswers, int, Null], Floats]
    limit: float
    failures: bool = True
    scores: bool = True


def window(column: Floats, ticks: int) -> Floats:
    total = np.cumsum(column, axis=0)
    moved = total.copy()
    moved[ticks:] -= total[:-ticks]
    return moved


def tabled(span: SimulatedAnswers, slices: int, weights: Floats | None = None) -> Floats:
    ticks = len(span.counts)
    place = (span.tick - span.tick.min()) * slices + span.slice
    return np.bincount(place, weights=weights, minlength=ticks * slices).reshape(ticks, slices).astype(float)


def mean_over(span: SimulatedAnswers, slices: int, ticks: int) -> tuple[Floats, Floats]:
    n = window(tabled(span, slices), ticks)
    return n, window(tabled(span, slices, span.value), ticks) / np.maximum(n, 1)


def z_test(ticks: int, limit: float) -> Rule:
    def statistic(span: SimulatedAnswers, slices: int, null: Null) -> Floats:
        n, mean = mean_over(span, slices, ticks)
        return np.where(n >= LEAST, (mean - null.mean) / null.deviation * np.sqrt(n), 0.0)

    return Rule(statistic, limit)


def static(span: SimulatedAnswers, slices: int, null: Null) -> Floats:
    """Three hundredths below the reference, or twice its failures, over an hour."""
    n, mean = mean_over(span, slices, 12)
    room = null.mean if len(null.edges) == 1 else 0.03
    return np.where(n >= LEAST, (mean - null.mean) / room, 0.0)


def burning(span: SimulatedAnswers, slices: int, null: Null) -> Floats:
    """The four pairs of the Site Reliability Workbook against an objective of 97 %."""
    del null
    found = np.zeros(span.counts.shape)
    for long, short, factor in ((12, 1, 14.4), (72, 6, 6.0), (288, 24, 3.0), (864, 72, 1.0)):
        rates = [mean_over(span, slices, ticks)[1] / 0.03 / factor for ticks in (long, short)]
        found = np.maximum(found, np.minimum(*rates))
    return found


def binned(ticks: int, distance: Callable[[Floats, Floats, Floats], Floats], limit: float, **sense: bool) -> Rule:
    """Compare the bins of a window with those of the reference."""

    def statistic(span: SimulatedAnswers, slices: int, null: Null) -> Floats:
        of = np.searchsorted(null.edges, span.value)
        counts = [window(tabled(span, slices, (of == place).astype(float)), ticks) for place in range(len(null.shares))]
        n = sum(counts)
        found = distance(np.stack(counts) / np.maximum(n, 1), null.shares[:, None, None], n)
        return np.where(n >= LEAST, found, 0.0)

    return Rule(statistic, limit, **sense)


def kolmogorov(shares: Floats, reference: Floats, n: Floats) -> Floats:
    return np.abs(np.cumsum(shares - reference, axis=0)).max(axis=0) * np.sqrt(n)


def stability(shares: Floats, reference: Floats, n: Floats) -> Floats:
    del n
    shares = np.maximum(shares, 1e-4)
    return np.sum((shares - reference) * np.log(shares / reference), axis=0)


def cusum(gain: Callable[[Floats, Null], Floats], limit: float) -> Rule:
    """The largest value, inside each tick, of a cumulative sum of gains that starts again at 0."""

    def statistic(span: SimulatedAnswers, slices: int, null: Null) -> Floats:
        gains = gain(span.value, null)
        order = np.lexsort((span.tick, span.slice))
        found, start = np.zeros((len(span.counts), slices)), int(span.tick.min())
        edges = np.searchsorted(span.slice[order], np.arange(slices + 1))
        for place in range(slices):
            rows = order[edges[place] : edges[place + 1]]
            walk = np.cumsum(gains[rows])
            value = walk - np.minimum(np.minimum.accumulate(np.concatenate(([0.0], walk[:-1]))), 0.0)
            np.maximum.at(found[:, place], span.tick[rows] - start, np.maximum(value, 0.0))
        return found

    return Rule(statistic, limit)


RULES: Mapping[str, Rule] = {
    "z-test 1 h, p < .05": z_test(12, 1.645),
    "z-test 1 h, p < .05 / 200": z_test(12, 3.48),
    "z-test 6 h, p < .001": z_test(72, 3.09),
    "z-test 24 h, p < .001": z_test(DAY, 3.09),
    "static limit, 1 h": Rule(static, 1.0),
    "burn rates, 97 %": Rule(burning, 1.0, scores=False),
    "KS 1 h, p < .05": binned(12, kolmogorov, 1.36, failures=False),
    "KS 24 h, p < .05": binned(DAY, kolmogorov, 1.36, failures=False),
    "PSI 1 h > .2": binned(12, stability, 0.2),
    "PSI 24 h > .2": binned(DAY, stability, 0.2),
    "CUSUM k = .5 s, h = 5 s": cusum(lambda loss, null: (loss - null.mean) / null.deviation - 0.5, 5.0),
}


def informed(before: Law, after: Law) -> dict[str, Rule]:
    """Return rules that are told what will go wrong: the shift, or both laws (the oracle)."""
    half = (after.mean - before.mean) / 2
    return {
        "CUSUM told the shift": cusum(lambda loss, null: loss - null.mean - half, np.inf),
        "oracle": cusum(lambda loss, _: after.density(loss) - before.density(loss), np.inf),
    }


def makes_sense(rule: Rule, null: Null) -> bool:
    return rule.failures if len(null.edges) == 1 else rule.scores


def quiet(law: Law, week: int, seed: int) -> SimulatedAnswers:
    """Return a week and the day before it, in 200 slices that stay as they are."""
    rng, rates = np.random.default_rng((25 + 1000 * seed, week)), worlds.mixed_rates(worlds.randomness(seed, 25))
    return worlds.served(rng, law, rates, week * WEEK, DAY + WEEK)


def edges(statistic: Floats, limit: float) -> int:
    """Return how often a statistic goes on after its first day."""
    on = statistic[DAY:] > limit
    return int((on[1:] & ~on[:-1]).sum() + on[0].sum())


def calibrated(found: list[Floats]) -> float:
    """Return the limit that one slice a week exceeds, however often it comes and goes while it does."""
    peaks = np.sort(np.concatenate([each[DAY:].max(axis=0) for each in found]))
    return float(peaks[-1 - len(found)])


def joined(*spans: SimulatedAnswers) -> SimulatedAnswers:
    return SimulatedAnswers(
        *(np.concatenate([getattr(each, name) for each in spans]) for name in ("slice", "tick", "value", "counts"))
    )


def delays(before: Law, after: Law, reps: int, weeks: int, seed: int) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Return the delays of rules as people run them, and on equal terms; three clean days come before the change."""
    rng, rates, null = worlds.randomness(seed, 23), np.full(reps, 5.0), Null.of(before)
    clean = worlds.served(rng, before, rates, 0, 3 * DAY)
    changed = worlds.served(rng, after, rates, 3 * DAY, 2 * WEEK)
    upto = np.cumsum(changed.counts, axis=0)
    span, calm = joined(clean, changed), [quiet(before, week, seed) for week in range(weeks)]
    usual: dict[str, Floats] = {}
    equal: dict[str, Floats] = {}
    for name, rule in {**RULES, **informed(before, after)}.items():
        if not makes_sense(rule, null):
            continue
        statistic = rule.statistic(span, reps, null)[3 * DAY :]
        limits = {"equal": calibrated([rule.statistic(each, SLICES, null) for each in calm]), "usual": rule.limit}
        # Without its usual limit a rule is what it measures.
        for kind, table, title in (("equal", equal, re.split(", p|, h| >", name)[0]), ("usual", usual, name)):
            if np.isfinite(limits[kind]):
                on = statistic > limits[kind]
                first = np.where(on.any(axis=0), on.argmax(axis=0), len(on) - 1)
                table[title] = upto[first, np.arange(reps)].astype(float)
    for name, make in detectors().items():
        few = min(reps, 10 if "KSWIN" in name else 60)
        usual[name] = np.array([detected(make(), clean, changed, place) for place in range(few)])
    return usual, equal


def false_alarms(law: Law, weeks: int, seed: int) -> dict[str, float]:
    """Return how often rules go on in a week of 200 slices that stay as they are."""
    null = Null.of(law)
    found: dict[str, float] = {}
    for name, rule in RULES.items():
        if makes_sense(rule, null):
            found[name] = (
                sum(edges(rule.statistic(quiet(law, w, seed), SLICES, null), rule.limit) for w in range(weeks)) / weeks
            )
    for name, make in detectors().items():
        few = KSWIN_SLICES if "KSWIN" in name else SLICES
        span = quiet(law, 0, seed)
        count = sum(alarms(make(), span.value[span.slice == place]) for place in range(few))
        found[name] = count * SLICES / few * WEEK / (WEEK + DAY)
    return found


def detectors() -> dict[str, Callable[[], Any]]:
    """Return the detectors of river, where it is installed."""
    if importlib.util.find_spec("river") is None:
        return {}
    from river import drift

    return {
        "ADWIN, river": drift.ADWIN,
        "ADWIN delta = .05, river": lambda: drift.ADWIN(delta=0.05),
        "Page-Hinkley, river": lambda: drift.PageHinkley(mode="up"),
        "KSWIN, river": lambda: drift.KSWIN(seed=1),
    }


def alarms(detector: Any, losses: Floats) -> int:
    count = 0
    for loss in losses.tolist():
        detector.update(loss)
        count += detector.drift_detected
    return count


def detected(detector: Any, clean: SimulatedAnswers, changed: SimulatedAnswers, place: int) -> float:
    """Return after how many answers a detector of river finds the change in a slice."""
    for loss in clean.value[clean.slice == place].tolist():
        detector.update(loss)
    losses = changed.value[changed.slice == place].tolist()
    for number, loss in enumerate(losses, 1):
        detector.update(loss)
        if detector.drift_detected:
            return float(number)
    return float(len(losses))
