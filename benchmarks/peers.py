"""Rules others use, on the same traffic: windows, static limits, burn rates, and ADWIN where river is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np

from benchmarks import worlds
from benchmarks.worlds import DAY, NULLS, SCENARIOS, SLICES, WEEK, Floats, Law
from gates.worlds import Span

LEAST = 10
"""Answers of a window below which a rule is silent."""

Sums = tuple[Floats, Floats]
Rule = Callable[[Sums, float, float], Floats]
"""From numbers and sums of losses, ticks by slices, and the reference mean and deviation, to whether the rule is on."""


def window(column: Floats, ticks: int) -> Floats:
    total = np.cumsum(column, axis=0)
    moved = total.copy()
    moved[ticks:] -= total[:-ticks]
    return moved


def z_test(ticks: int, limit: float) -> Rule:
    def rule(sums: Sums, mean: float, deviation: float) -> Floats:
        n, total = (window(column, ticks) for column in sums)
        z = (total / np.maximum(n, 1) - mean) / deviation * np.sqrt(n)
        return (n >= LEAST) & (z > limit)

    return rule


def static(sums: Sums, mean: float, deviation: float) -> Floats:
    """Three hundredths below the reference, or twice its failures, over an hour."""
    n, total = (window(column, 12) for column in sums)
    limit = 2 * mean if is_failure(mean, deviation) else mean + 0.03
    return (n >= LEAST) & (total / np.maximum(n, 1) > limit)


def is_failure(mean: float, deviation: float) -> bool:
    """Only losses of 0 and 1 vary as much as their mean allows."""
    return deviation**2 > 0.99 * mean * (1 - mean)


def burning(sums: Sums, mean: float, deviation: float) -> Floats:
    """The four pairs of the Site Reliability Workbook against an objective of 97 %."""
    found = np.zeros(sums[0].shape, bool)
    if not is_failure(mean, deviation):
        return found
    for long, short, factor in ((12, 1, 14.4), (72, 6, 6.0), (288, 24, 3.0), (864, 72, 1.0)):
        rates = [window(sums[1], ticks) / np.maximum(window(sums[0], ticks), 1) / 0.03 for ticks in (long, short)]
        found |= (rates[0] > factor) & (rates[1] > factor)
    return found


RULES: dict[str, Rule] = {
    "z-test 1 h, p < .05": z_test(12, 1.645),
    "z-test 1 h, p < .05 / 200": z_test(12, 3.48),
    "z-test 24 h, p < .001": z_test(DAY, 3.09),
    "static limit, 1 h": static,
    "burn rates, 97 %": burning,
}


def tabled(span: Span, slices: int) -> Sums:
    ticks = len(span.counts)
    place = (span.tick - span.tick.min()) * slices + span.slice
    total = np.bincount(place, weights=span.value, minlength=ticks * slices).reshape(ticks, slices)
    return span.counts.astype(float), total


def delays(before: Law, after: Law, reps: int) -> dict[str, Floats]:
    """Return the delays of the rules and of the oracle, three clean days before the change."""
    rng, rates = np.random.default_rng(23), np.full(reps, 5.0)
    clean = worlds.served(rng, before, rates, 0, 3 * DAY)
    changed = worlds.served(rng, after, rates, 3 * DAY, 2 * WEEK)
    span = Span(
        *(
            np.concatenate([getattr(clean, name), getattr(changed, name)])
            for name in ("slice", "tick", "value", "counts")
        )
    )
    sums = tabled(span, reps)
    upto = np.cumsum(changed.counts, axis=0)
    sample = before.draw(rng, 1_000_000)
    found = {"oracle": oracle(before, after, clean, changed, reps)}
    for name, rule in RULES.items():
        on = rule(sums, before.mean, float(sample.std()))[3 * DAY :]
        first = np.where(on.any(axis=0), on.argmax(axis=0), len(on) - 1)
        found[name] = upto[first, np.arange(reps)].astype(float)
    if importlib.util.find_spec("river") is not None:
        found["ADWIN, river"] = np.array([adwin_delay(clean, changed, place) for place in range(min(reps, 60))])
    return found


def oracle(before: Law, after: Law, clean: Span, changed: Span, reps: int) -> Floats:
    """The cumulative sum of the true log-likelihood ratio, at the threshold that alarms once a week in 200 slices.

    The threshold is that of Lorden's bound for one alarm in 2.1 million answers, less what the overshoot adds, found by
    simulation over a week of the null.
    """
    rng = np.random.default_rng(24)
    rates = worlds.mixed_rates(rng)
    peaks = [
        _cusum(worlds.served(rng, before, rates, week * WEEK, WEEK), before, after, SLICES).max(axis=0)
        for week in range(4)
    ]
    limit = float(np.sort(np.concatenate(peaks))[-4])
    span = Span(
        *(
            np.concatenate([getattr(clean, name), getattr(changed, name)])
            for name in ("slice", "tick", "value", "counts")
        )
    )
    on = _cusum(span, before, after, reps)[3 * DAY :] > limit
    upto = np.cumsum(changed.counts, axis=0)
    first = np.where(on.any(axis=0), on.argmax(axis=0), len(on) - 1)
    return upto[first, np.arange(reps)].astype(float)


def _cusum(span: Span, before: Law, after: Law, slices: int) -> Floats:
    """Return the largest value inside each tick, by slice."""
    gain = after.density(span.value) - before.density(span.value)
    order = np.lexsort((span.tick, span.slice))
    found = np.zeros((len(span.counts), slices))
    start = int(span.tick.min())
    edges = np.searchsorted(span.slice[order], np.arange(slices + 1))
    for place in range(slices):
        rows = order[edges[place] : edges[place + 1]]
        walk = np.cumsum(gain[rows])
        value = walk - np.minimum(np.minimum.accumulate(np.concatenate(([0.0], walk[:-1]))), 0.0)
        np.maximum.at(found[:, place], span.tick[rows] - start, np.maximum(value, 0.0))
    return found


def adwin_delay(clean: Span, changed: Span, place: int) -> float:
    from river import drift

    detector = drift.ADWIN()
    for loss in clean.value[clean.slice == place].tolist():
        detector.update(loss)
    losses = changed.value[changed.slice == place].tolist()
    for number, loss in enumerate(losses, 1):
        detector.update(loss)
        if detector.drift_detected:
            return float(number)
    return float(len(losses))


def false_alarms(weeks: int) -> dict[str, list[float]]:
    """Return how often the rules go on in a week of traffic that stays as it is, by kind of loss."""
    found: dict[str, list[float]] = {}
    for scenario in NULLS.values():
        law, rng = SCENARIOS[scenario][0], np.random.default_rng(25)
        rates, sample = worlds.mixed_rates(rng), law.draw(rng, 1_000_000)
        counts = dict.fromkeys(RULES, 0)
        for week in range(weeks):
            sums = tabled(worlds.served(rng, law, rates, week * WEEK, DAY + WEEK), SLICES)
            for name, rule in RULES.items():
                on = rule(sums, law.mean, float(sample.std()))[DAY:]
                counts[name] += int((on[1:] & ~on[:-1]).sum() + on[0].sum())
        for name, count in counts.items():
            found.setdefault(name, []).append(count / weeks)
    return found
