"""Pictures of the pages on concepts: drawn from the defaults, and from gates over simulated answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache
from typing import NamedTuple

import numpy as np

from collector.configuration.schema import Config
from docs.makers.svg import arrow, drawing, line, outline, rect, text
from gates.drift import DriftGate, DriftState
from gates.evidence.betting import Sums, bounds
from gates.inputs.changes import Change
from gates.simulation.traffic import failing, groups, served
from gates.units.duration import format_duration
from gates.units.instants import MICROSECOND, Microseconds, tick_end
from gates.windowing.gate import TICK

# --- how an answer flows

FLOW_WIDTH, FLOW_HEIGHT = 880, 330
BOX, GAP, TOP = 130, 24, 70


def flow_steps() -> Sequence[tuple[str, tuple[str, ...]]]:
    """Return the steps from a trace to a verdict, each with what happens in it by default."""
    config = Config()
    idle, tick = format_duration(config.traces.idle), format_duration(config.judge.tick)
    return (
        ("receive", ("spans by OTLP,", "or pulled from", "tools and files;", "stored, then", "acknowledged")),
        ("close", ("the trace is taken", f"{idle} after its", "last spans")),
        ("adapt", ("one answer of", "many spans, with", "its passages and", "versions")),
        ("sample", ("its slice, and how", "likely it is scored", f"({config.sampling.probability:g} by default)")),
        ("score", (f"{len(config.metrics)} metrics,", "each a value or", "the reason why", "there is none")),
        ("judge", (f"every {tick}, gates", "say of each slice:", "pass, fail or", "inconclusive")),
    )


def flow_picture() -> str:
    """Return the picture of how an answer flows."""
    return drawing("From a trace to a verdict, in six steps", FLOW_WIDTH, FLOW_HEIGHT, _flow())


def _flow() -> Iterator[str]:
    yield text(20, 30, "From a trace to a verdict", "title")
    steps = flow_steps()
    wide = (FLOW_WIDTH - 40 - GAP * (len(steps) - 1)) / len(steps)
    for number, (name, told) in enumerate(steps):
        x = 20 + number * (wide + GAP)
        yield rect("box", x, TOP, wide, BOX)
        yield text(x + 10, TOP + 24, f"{number + 1}. {name}", "title")
        for place, words in enumerate(told):
            yield text(x + 10, TOP + 46 + 17 * place, words, "small")
        if number:
            yield arrow(x - GAP + 2, TOP + BOX / 2, x - 2, TOP + BOX / 2)
    below = TOP + BOX
    for number, words in (
        (2, "changes: a version seen for the first time"),
        (4, "answers, claims and evidence on pages"),
    ):
        x = 20 + number * (wide + GAP) + wide / 2
        yield arrow(x, below, x, below + 40)
        yield text(x, below + 58, words, "small", "middle")
    x = 20 + 5 * (wide + GAP) + wide / 2
    yield arrow(x, below, x, below + 80)
    yield text(
        FLOW_WIDTH - 20,
        below + 98,
        "decisions: hash-chained, with cause and advice; alerts; write-back",
        "small",
        "end",
    )


# --- how a gate decides

LIMIT, MOST, LENGTH, EVERY = 0.05, 0.2, 600, 5
DECIDING_WIDTH, DECIDING_HEIGHT, PANEL, ROOM = 880, 330, 250, 40
ALPHA, DECIDING_SEED = 0.05, 3
SHARES = (0.005, 0.12, 0.05)
"""How many answers fail in each panel."""


class Decided(NamedTuple):
    """Bounds on the share that fails after each `EVERY`-th answer, and when the gate decided what."""

    share: float
    low: Sequence[float]
    high: Sequence[float]
    verdict: str
    after: int


@cache
def decided() -> tuple[Decided, ...]:
    """Run the bounds of a threshold gate over three samples, always the same."""
    rng, found = np.random.default_rng(DECIDING_SEED), []
    for share in SHARES:
        failed = (rng.random(LENGTH) < share).astype(float)
        low, high = [], []
        for n in range(EVERY, LENGTH + 1, EVERY):
            ends = bounds(Sums.of(failed[:n]), ALPHA)
            low.append(float(ends[0][0]))
            high.append(float(ends[1][0]))
        verdict, after = "inconclusive", LENGTH
        for place, (least, most) in enumerate(zip(low, high, strict=True), start=1):
            if least > LIMIT or most < LIMIT:
                verdict, after = ("fail" if least > LIMIT else "pass"), place * EVERY
                break
        found.append(Decided(share, low, high, verdict, after))
    return tuple(found)


def deciding_picture() -> str:
    """Return the picture of how a gate decides."""
    caption = "Bounds on the share of answers that fail, beside the limit, for three samples"
    return drawing(caption, DECIDING_WIDTH, DECIDING_HEIGHT, _deciding())


def _deciding() -> Iterator[str]:
    yield text(20, 30, f"A threshold gate with a limit of {100 * LIMIT:g} %", "title")
    for number, told in enumerate(decided()):
        left = 50 + number * (PANEL + ROOM - 12)
        top, bottom = 80, 250

        def x(n: float, left: float = left) -> float:
            return left + (PANEL - 10) * n / LENGTH

        def y(share: float, top: float = top, bottom: float = bottom) -> float:
            return bottom - (bottom - top) * min(share, MOST) / MOST

        yield text(left, 66, f"{100 * told.share:g} % of answers fail", "small")
        for share in (0.0, 0.1, 0.2):
            yield line("grid", left, y(share), left + PANEL - 10, y(share))
            yield text(left - 6, y(share) + 4, f"{100 * share:.0f} %", "small", "end")
        places = [EVERY * (place + 1) for place in range(len(told.low))]
        band = [(x(n), y(high)) for n, high in zip(places, told.high, strict=True)]
        band += [(x(n), y(low)) for n, low in zip(reversed(places), reversed(told.low), strict=True)]
        yield outline("low", band, closed=True)
        yield line("threshold", left, y(LIMIT), left + PANEL - 10, y(LIMIT))
        if told.verdict != "inconclusive":
            yield line("moment", x(told.after), top, x(told.after), bottom)
        for n in (0, 300, 600):
            yield text(x(n), bottom + 18, f"{n}", "small", "middle")
        words = told.verdict if told.verdict == "inconclusive" else f"{told.verdict} after {told.after} answers"
        yield rect(told.verdict, left, bottom + 30, PANEL - 10, 24)
        yield text(left + (PANEL - 10) / 2, bottom + 47, words, "on", "middle")
    yield text(
        DECIDING_WIDTH - 20,
        30,
        "Shaded: where the share may lie. Dashed: the limit. Below: scored answers.",
        "small",
        "end",
    )


# --- what a change does

SLICES, HOUR, DAY = 50, 12, 288
RATES = np.full(1, 5.0)
TICK_LENGTH = Microseconds(TICK // MICROSECOND)
PAST, BREAKS, END = 16 * DAY, 12, 36
GOOD, BAD, CHANGE_SEED = 0.02, 0.05, 4
CHANGE_WIDTH, CHANGE_HEIGHT, LEFT, RIGHT = 880, 330, 60, 860
EVIDENCE = (70, 270)
DECADES = (-3, 3)


class Evidenced(NamedTuple):
    """The evidence of a gate at the end of each tick, what an alarm needs, and how many answers it took."""

    evidence: Sequence[float]
    threshold: float
    alarm: int
    answers: int


@cache
def _past() -> tuple[DriftGate, DriftState, np.random.Generator]:
    """Return a drift gate, its state after a quiet past, and what the answers after that are drawn with."""
    gate = DriftGate(type="drift", name="picture", metric="m", worse="higher", slices=SLICES, thresholds="proved")
    rng, state = np.random.default_rng(CHANGE_SEED), gate.initial()
    for day in range(0, PAST, DAY):
        state = gate.fold(state, served(rng, failing(GOOD), RATES, day, DAY).batch(groups(1), TICK_LENGTH))
    return gate, state, rng


@cache
def evidenced(*, announced: bool) -> Evidenced:
    """Run a drift gate over a release that is worse, which the gate is told of or not."""
    gate, state, rng = deepcopy(_past())
    evidence: list[float] = []
    fails: list[bool] = []
    counts: list[int] = []
    for tick in range(END * HOUR):
        if announced and tick == BREAKS * HOUR:
            at = tick_end(PAST + tick - 1, TICK_LENGTH)
            state = gate.change(state, Change(at=at, kind="deploy", version="2.1"))
        answers = served(rng, failing(BAD if tick >= BREAKS * HOUR else GOOD), RATES, PAST + tick, 1)
        state = gate.fold(state, answers.batch(groups(1), TICK_LENGTH))
        state = gate.settled(state, tick_end(PAST + tick, TICK_LENGTH))
        counts.append(len(answers.value))
        evidence.append(float(state.monitor.epochs.level[0]))
        fails.append(bool(state.monitor.epochs.failing[0]))
    alarm = fails.index(True)
    return Evidenced(evidence, gate.rules.alarm_threshold(SLICES), alarm, sum(counts[BREAKS * HOUR : alarm + 1]))


def change_picture() -> str:
    """Return the picture of what an announced change does."""
    return drawing(
        "The evidence of a drift gate with and without an announced release", CHANGE_WIDTH, CHANGE_HEIGHT, _change()
    )


def _change() -> Iterator[str]:
    (top, bottom), (least, most) = EVIDENCE, DECADES

    def y(value: float) -> float:
        power = min(max(float(np.log10(max(value, 1e-300))), least), most)
        return bottom - (bottom - top) * (power - least) / (most - least)

    def x(tick: float) -> float:
        return LEFT + (RIGHT - LEFT) * tick / (END * HOUR)

    told, silent = evidenced(announced=True), evidenced(announced=False)
    yield text(LEFT, 28, f"A release makes {GOOD:.0%} of failing answers {BAD:.0%}", "title")
    yield text(LEFT, 52, "Evidence that more fail: green where the release is announced, red where it is not", "small")
    for power in range(least, most + 1):
        yield line("grid", LEFT, y(10.0**power), RIGHT, y(10.0**power))
        yield text(LEFT - 8, y(10.0**power) + 4, f"{10.0**power:,.12g}", "small", "end")
    yield line("threshold", LEFT, y(told.threshold), RIGHT, y(told.threshold))
    yield text(LEFT + 6, y(told.threshold) - 5, f"alarm at {told.threshold:.3g}", "small red")
    for name, curve in (("evidence", silent), ("proof", told)):
        yield outline(name, [(x(tick + 1), y(curve.evidence[tick])) for tick in range(0, curve.alarm + 1, 2)])
    yield line("moment", x(BREAKS * HOUR), top, x(BREAKS * HOUR), bottom)
    yield text(x(BREAKS * HOUR) + 5, bottom - 8, "the release")
    for colour, curve, place in (("green", told, 0), ("red", silent, 1)):
        yield line("moment", x(curve.alarm), top, x(curve.alarm), bottom)
        yield text(x(curve.alarm) + 5, top + 40 + 20 * place, f"after {curve.answers:,} answers", f"small {colour}")
    for hour in range(0, END + 1, 12):
        yield text(x(hour * HOUR), bottom + 20, f"{hour} h", "small", "middle")
