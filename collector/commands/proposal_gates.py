"""The gates of a proposed configuration: limits and windows by which they can tell, and what to expect of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from statistics import pstdev
from typing import NamedTuple

from gates.inputs.observations import Batch, Observation
from gates.threshold import ThresholdGate
from gates.units.duration import format_duration
from scorers.base import Evaluation

FEW = 20
"""Scored answers below which a limit is a guess."""
LEAST_STALE = 0.05
NARROW, SLACK = 0.08, 0.15
"""How far below what was seen a limit of support lies, at least and at most: as far as single answers vary between
these. A limit that lies further off than it must is found broken late."""
FAULTY = 0.2
"""Support of an answer that contradicts its passages, about: what is expected of a gate is told for such."""
FEWEST_ANSWERS = 20
"""Fewest answers of a proposed gate. Its bounds hold at any number, so this only keeps single answers from deciding."""
WINDOWS = tuple(timedelta(hours=hours) for hours in (1, 2, 3, 4, 6, 8, 12, 24, 72, 168))
ROOM = 1.5
"""Times the answers a gate needs to pass that its window should hold: traffic is not even."""
MARGIN = 0.05
MOST_NEEDED = 1024
_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class ProposedSlicing(NamedTuple):
    """By what gates judge apart: the dimension, ``None`` for none, and how many values of it were seen."""

    by: str | None
    slices: int


def proposed_gates(
    evaluations: Sequence[Evaluation], cut: ProposedSlicing, per_hour: float | None, *, dated: bool
) -> list[str]:
    """Return the lines of gates for these scores at so many answers an hour. ``dated`` documents can be stale."""
    by, slices = [] if cut.by is None else [cut.by], cut.slices
    each_hour = None if per_hour is None else per_hour / slices
    lines = ["# What is judged. A gate fails or passes on a confidence bound, never for want of answers: then it is"]
    lines += ["# inconclusive. `groundwire gate plan --config FILE` simulates what to expect at your traffic."]
    gates: list[str] = []
    stale, copies = _values(evaluations, "stale_source_use"), _values(evaluations, "index_copy_outdated")
    if dated and (stale or not evaluations):
        gates += _stale(stale, by, slices, each_hour, STALE)
    if copies:
        gates += _stale(copies, by, slices, each_hour, OUTDATED)
    support = _values(evaluations, "claim_support")
    if support:
        gates += _support(support, by, slices, each_hour)
    if not gates:
        lines += [
            "# No metric that needs no setting up has values on this traffic: `groundwire doctor` says what is absent.",
            "gates: []",
        ]
        return lines
    return [*lines, "gates:", *gates]


def _values(evaluations: Sequence[Evaluation], metric: str) -> list[float]:
    return [score.value for each in evaluations for score in each.scores if score.metric == metric]


class _FreshnessGate(NamedTuple):
    name: str
    metric: str
    about: str
    seen: str


STALE = _FreshnessGate(
    "freshness",
    "stale_source_use",
    "How many answers rest on a superseded or expired document while a current one exists.",
    "of {n:,} scored answers",
)
OUTDATED = _FreshnessGate(
    "index-copies",
    "index_copy_outdated",
    "How many retrieved passages are older copies than the source has, by their texts and dates of modification.",
    "of the passages of {n:,} scored answers that can be compared",
)


def _stale(
    values: Sequence[float], by: Sequence[str], slices: int, each_hour: float | None, of: _FreshnessGate
) -> list[str]:
    mean = sum(values) / len(values) if values else 0.0
    limit = max(LEAST_STALE, math.ceil(100 * (mean + LEAST_STALE)) / 100)
    gate = _windowed(
        ThresholdGate(
            type="threshold",
            name=of.name,
            metric=of.metric,
            at_most=limit,
            by=tuple(by),
            min_answers=FEWEST_ANSWERS,
        ),
        mean,
        slices,
        each_hour,
    )
    notes = [
        f"  # {of.about}",
        f"  # Seen: {100 * mean:.1f} % {of.seen.format(n=len(values))}.",
        *([f"  # Repair these, then lower the limit to {LEAST_STALE:g}."] if mean > LEAST_STALE else []),
        *_expect(gate, mean, 1.0, slices, each_hour),
    ]
    return [*notes, *_threshold(gate, "at_most", limit, by)]


def _support(values: Sequence[float], by: Sequence[str], slices: int, each_hour: float | None) -> list[str]:
    mean = sum(values) / len(values)
    limit = max(0.05, math.floor(20 * (mean - min(SLACK, max(NARROW, pstdev(values))))) / 20)

    def gate(name: str, dimensions: Sequence[str], parts: int, hourly: float | None) -> list[str]:
        of = ThresholdGate(
            type="threshold",
            name=name,
            metric="claim_support",
            at_least=limit,
            by=tuple(dimensions),
            min_answers=FEWEST_ANSWERS,
        )
        of = _windowed(of, mean, parts, hourly)
        worst = min(FAULTY, limit / 2)
        return [*_expect(of, mean, worst, parts, hourly), *_threshold(of, "at_least", limit, dimensions)]

    few = " This is a guess: too few answers were scored." if len(values) < FEW else ""
    whole = [
        "  # How far the passages support what answers claim, from 0 to 1.",
        f"  # Seen: {mean:.2f} on {len(values):,} scored answers.{few}",
        *gate("support", (), 1, None if each_hour is None else each_hour * slices),
    ]
    apart = []
    for name in by:
        apart = [
            f"  # The same in each {name}, for what is bad in one alone. Fewer answers of each, so it takes longer.",
            *gate(f"support-by-{name.replace('_', '-')}", by, slices, each_hour),
        ]
    drift = [
        "  # The same against its own past, for falls that stay above the limit. It needs a reference first:",
        "  # by default 300 answers of each slice over a day at least.",
        "  - type: drift",
        "    name: support-drift",
        "    metric: claim_support",
        "    worse: lower",
        *_by(by),
    ]
    release = [
        "  # Whether a release of a service is worse than the one before, for pipelines. It is inconclusive until",
        "  # one is announced. Unless your spans carry service.version, do so with",
        "  # `groundwire change deploy --version VERSION --scope service=NAME`.",
        "  - type: release",
        "    name: canary",
        "    metric: claim_support",
        "    worse: lower",
        f"    margin: {MARGIN:g}",
        "    by: [service]",
    ]
    return [*whole, *apart, *drift, *release]


def _threshold(gate: ThresholdGate, key: str, limit: float, by: Sequence[str]) -> list[str]:
    head = ["  - type: threshold", f"    name: {gate.name}", f"    metric: {gate.metric}"]
    window = f"    window: {format_duration(gate.window)}"
    return [*head, f"    {key}: {limit:g}", *_by(by), window, f"    min_answers: {gate.min_answers}"]


def _by(by: Sequence[str]) -> list[str]:
    return [f"    by: [{', '.join(by)}]"] if by else []


def _windowed(gate: ThresholdGate, usual: float, slices: int, each_hour: float | None) -> ThresholdGate:
    """Return the gate with the shortest window that holds enough usual answers to pass, at this rate."""
    passing = needed(gate, usual, "pass", slices)
    if passing is None or each_hour is None:
        return gate
    fit = (each for each in WINDOWS if each_hour * (each / timedelta(hours=1)) >= ROOM * passing)
    return gate.model_copy(update={"window": next(fit, WINDOWS[-1])})


def _expect(gate: ThresholdGate, usual: float, worst: float, slices: int, each_hour: float | None) -> list[str]:
    """Return what to expect of the gate, a comment a line: when it passes, and when it finds half of the answers bad.

    That fault is told twice: where the window holds nothing else, and where it was full of usual answers before.
    """
    whose = f"of each {gate.by[0]}" if gate.by else "in all"
    passing = needed(gate, usual, "pass", slices)
    if passing is None:
        return [f"  # Expect: as things are it needs more than {MOST_NEEDED:,} answers {whose} in its window to pass."]
    soon = "" if not each_hour else f" ({_length(passing / each_hour)} at this rate)"
    lines = [f"  # Expect: it passes after about {passing:,} such answers {whose}{soon}."]
    hours = gate.window / timedelta(hours=1)
    if each_hour is not None and each_hour * hours < passing:
        short = f"  # At this rate even {format_duration(gate.window)} hold only {each_hour * hours:,.0f}: "
        lines.append(f"{short}until there is more traffic it stays inconclusive.")
    first = needed(gate, worst, "fail", slices, usual=usual)
    if first is None:
        return [*lines, "  # If half of the answers become bad it may never tell: the drift gate is for that."]
    told = f"  # If half of the answers become bad it fails after about {first:,} {whose}"
    before = passing if each_hour is None else min(MOST_NEEDED, max(passing, round(each_hour * hours)))
    later = needed(gate, worst, "fail", slices, usual=usual, before=before)
    if later is None:
        return [*lines, f"{told}, if its window holds no others."]
    return [*lines, f"{told};", f"  # with {before:,} good ones before them in its window, after about {later:,}."]


def needed(
    gate: ThresholdGate, value: float, state: str, slices: int, *, usual: float | None = None, before: int = 0
) -> int | None:
    """Return the least number of answers of each slice over which the gate has this state.

    All have this value, or every second one where ``usual`` is given, which the others have then, as the ``before``
    answers of the window do. ``None`` where `MOST_NEEDED` do not suffice.
    """

    def reached(n: int) -> bool:
        values = [value if usual is None or number % 2 else usual for number in range(n)]
        return _state(gate, [*[value if usual is None else usual] * before, *values], slices) == state

    low, high = 1, MOST_NEEDED
    if not reached(high):
        return None
    while low < high:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _state(gate: ThresholdGate, values: Sequence[float], slices: int) -> str:
    at = _NOON
    seen = [
        Observation(
            at=at,
            answer_id=f"{part}-{number}",
            metric=gate.metric,
            value=value,
            probability=1,
            slice=dict.fromkeys(gate.by, str(part)),
        )
        for part in range(slices if gate.by else 1)
        for number, value in enumerate(values)
    ]
    return gate.verdict(gate.fold(gate.initial(), Batch.of(seen)), at).state


def _length(hours: float) -> str:
    if hours >= 48:  # noqa: PLR2004 - two days
        return f"{hours / 24:.0f} days"
    return f"{hours:.0f} h" if hours >= 2 else f"{max(1, round(hours * 60))} min"  # noqa: PLR2004 - two hours
