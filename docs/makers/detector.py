"""A detector at work: a drift gate run over simulated answers, and its picture, `docs/detector.svg`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from docs.makers.svg import drawing, line, rect, text
from gates.drift import DriftGate, DriftState
from gates.evidence import detector, recovery
from gates.monitoring.levels import alarm_thresholds
from gates.simulation.traffic import failing, groups, served
from gates.units.instants import MICROSECOND, Microseconds, tick_end
from gates.windowing.gate import TICK

SEED = 4
SLICES, RATE = 50, 5.0
"""Slices that the false alarms are shared out over, of which one is drawn; scored answers of it a tick."""
HOUR, DAY = 12, 288
"""Ticks of an hour, and of a day."""
PAST = 16 * DAY
BREAKS, REPAIRED, END = 24, 60, 96
"""Hours from the left edge: when more answers begin to fail, when that ends, and the right edge."""
GOOD, BAD = 0.02, 0.05


class Story(NamedTuple):
    """What a run showed: by hour the share that failed; by tick evidence, proof of recovery, and whether it failed.

    ``reference`` is the mean of the past, ``level`` what is bet against, ``threshold`` what an alarm takes, and
    ``proved`` what it would take if the past were not known.
    ``to_alarm`` counts the answers from the break on, ``to_recovery`` those from the repair on.
    """

    shares: Sequence[float]
    evidence: Sequence[float]
    proof: Sequence[float]
    failing: Sequence[bool]
    reference: float
    level: float
    threshold: float
    proved: float
    to_alarm: int
    to_recovery: int

    @property
    def alarm(self) -> int:
        """The tick of the alarm, from the left edge."""
        return self.failing.index(True)

    @property
    def recovered(self) -> int:
        """The tick in which recovery is shown, from the left edge."""
        return self.failing.index(False, self.alarm)


@cache
def story() -> Story:
    """Run the gate, always over the same answers."""
    gate = DriftGate(type="drift", name="picture", metric="m", worse="higher", slices=SLICES)
    length = Microseconds(TICK // MICROSECOND)
    rng, rates, kinds = np.random.default_rng(SEED), np.full(1, RATE), groups(1)
    state: DriftState = gate.initial()
    for day in range(0, PAST, DAY):
        state = gate.fold(state, served(rng, failing(GOOD), rates, day, DAY).batch(kinds, length))
    needed, _ = alarm_thresholds(state.monitor.series, state.monitor.epochs, SLICES, gate.rules)
    counts: list[int] = []
    lost: list[float] = []
    evidence, proof, fails = [], [], []
    for tick in range(END * HOUR):
        broken = BREAKS <= tick // HOUR < REPAIRED
        answers = served(rng, failing(BAD if broken else GOOD), rates, PAST + tick, 1)
        # What closes a tick is the next one, so the state is settled at its end.
        state = gate.settled(gate.fold(state, answers.batch(kinds, length)), tick_end(PAST + tick, length))
        epochs = state.monitor.epochs
        counts.append(len(answers.value))
        lost.append(float(answers.value.sum()))
        evidence.append(float(epochs.level[0]))
        proof.append(float(detector.level(epochs.proof)[0]))
        fails.append(bool(epochs.failing[0]))
    recovered = fails.index(False, fails.index(True))
    hours = [slice(tick, tick + HOUR) for tick in range(0, END * HOUR, HOUR)]
    series = state.monitor.series
    return Story(
        shares=[sum(lost[hour]) / max(1, sum(counts[hour])) for hour in hours],
        evidence=evidence,
        proof=proof,
        failing=fails,
        reference=float(series.seen.loss[0] / series.seen.weight[0]),
        level=float(series.q0[0]),
        threshold=float(needed[0]),
        proved=gate.rules.alarm_threshold(SLICES),
        to_alarm=sum(counts[BREAKS * HOUR : fails.index(True) + 1]),
        to_recovery=sum(counts[REPAIRED * HOUR : recovered + 1]),
    )


WIDTH, HEIGHT = 880, 570
LEFT, RIGHT = 70, 860
SHARES = (70, 210)
"""Top and bottom of the panel of failing answers; below it that of evidence."""
EVIDENCE = (300, 484)
STRIP = (502, 526)
MOST = 0.15
"""The share of failing answers at the top of its panel."""
DECADES = (-3, 4)
"""Powers of ten at the bottom and at the top of the panel of evidence."""
STEP = 3
"""Ticks from one point of a line to the next."""

CAPTION = "A drift gate finds a fault, fails while it lasts, and passes when recovery is shown"


def picture() -> str:
    """Return the picture as SVG, legible on light and on dark pages."""
    told = story()
    parts = [
        text(LEFT, 28, f"A drift gate at work: {GOOD:.0%} of answers fail, then {BAD:.0%}, then {GOOD:.0%}", "title"),
        *_shares(told),
        *_evidence(told),
        *_strip(told),
        *_moments(told),
    ]
    return drawing(CAPTION, WIDTH, HEIGHT, parts)


def _shares(told: Story) -> Iterator[str]:
    top, bottom = SHARES
    yield text(LEFT, top - 10, "Answers that fail, by hour", "small")
    for share in (0.0, 0.05, 0.1, 0.15):
        yield line("grid", LEFT, _of_share(share), RIGHT, _of_share(share))
        yield text(LEFT - 8, _of_share(share) + 4, f"{share:.0%}", "small", "end")
    wide = (RIGHT - LEFT) / END
    for hour, share in enumerate(told.shares):
        y = _of_share(min(share, MOST))
        yield rect("bar", LEFT + hour * wide + 1, y, wide - 2, bottom - y)
    yield line("reference", LEFT, _of_share(told.reference), RIGHT, _of_share(told.reference))
    yield line("level", LEFT, _of_share(told.level), RIGHT, _of_share(told.level))
    known = f"reference {told.reference:.2%} (solid), level that is bet against {told.level:.2%} (dashed)"
    yield text(RIGHT, top - 10, known, "small", "end")


def _evidence(told: Story) -> Iterator[str]:
    top, _ = EVIDENCE
    yield text(
        LEFT,
        top - 10,
        "Evidence that more fail (red) and, while the gate fails, of recovery (green); each line is ten times the next",
        "small",
    )
    for power in range(DECADES[0], DECADES[1] + 1):
        y = _of_evidence(10.0**power)
        yield line("grid", LEFT, y, RIGHT, y)
        yield text(LEFT - 8, y + 4, f"{10.0**power:,.12g}", "small", "end")
    yield line("threshold", LEFT, _of_evidence(told.threshold), RIGHT, _of_evidence(told.threshold))
    yield text(LEFT + 6, _of_evidence(told.threshold) - 5, f"alarm at {told.threshold:.3g}", "small red")
    needed = _of_evidence(recovery.NEEDED)
    yield line("needed", _of_tick(told.alarm), needed, RIGHT, needed)
    yield text(RIGHT - 4, needed - 5, f"recovery at {recovery.NEEDED:,.0f}", "small green", "end")
    yield _curve("evidence", told.evidence[: told.alarm + 1], 0)
    yield _curve("proof", told.proof[told.alarm + 1 : told.recovered], told.alarm + 1, last=recovery.NEEDED)
    yield _curve("evidence", told.evidence[told.recovered + 1 :], told.recovered + 1)


def _strip(told: Story) -> Iterator[str]:
    top, bottom = STRIP
    edges = (0, told.alarm, told.recovered, END * HOUR)
    for state, (begin, end) in zip(("pass", "fail", "pass"), pairwise(edges), strict=True):
        left, right = _of_tick(begin), _of_tick(end)
        yield rect(state, left, top, right - left, bottom - top)
        yield text((left + right) / 2.0, bottom - 7, state, "on", "middle")
    yield text(LEFT - 8, bottom - 7, "verdict", "small", "end")
    for hour in range(0, END + 1, 12):
        yield text(_of_tick(hour * HOUR), bottom + 20, f"{hour} h", "small", "middle")


def _moments(told: Story) -> Iterator[str]:
    moments = (
        (BREAKS * HOUR, "fault begins", "", "end"),
        (told.alarm, "alarm", f"after {told.to_alarm:,} answers", "start"),
        (REPAIRED * HOUR, "repaired", "", "end"),
        (told.recovered, "recovery shown", f"after {told.to_recovery:,} answers", "start"),
    )
    for tick, title, when, anchor in moments:
        x = _of_tick(tick)
        beside = x + (5 if anchor == "start" else -5)
        yield line("moment", x, SHARES[0], x, STRIP[1])
        yield text(beside, SHARES[1] + 22, title, "", anchor)
        yield text(beside, SHARES[1] + 39, when, "small", anchor)


def _curve(name: str, values: Sequence[float], first: int, *, last: float | None = None) -> str:
    """Return a line through every `STEP`-th value and the last one, or through ``last`` in the tick after it."""
    places = sorted({*range(0, len(values), STEP), len(values) - 1})
    points = [(first + place, values[place]) for place in places]
    if last is not None:
        points.append((first + len(values), last))
    told = " ".join(f"{_of_tick(tick + 1):.1f},{_of_evidence(value):.1f}" for tick, value in points)
    return f'<polyline class="{name}" points="{told}"/>'


def _of_tick(tick: float) -> float:
    return LEFT + (RIGHT - LEFT) * tick / (END * HOUR)


def _of_share(share: float) -> float:
    top, bottom = SHARES
    return bottom - (bottom - top) * share / MOST


def _of_evidence(value: float) -> float:
    (top, bottom), (least, most) = EVIDENCE, DECADES
    power = min(max(math.log10(max(value, 1e-300)), least), most)
    return bottom - (bottom - top) * (power - least) / (most - least)
