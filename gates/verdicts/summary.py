"""What a verdict says: figures of a slice in the metric's own units, and how slices become the verdict of a gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from gates.base.gate import Gate
from gates.base.verdict import Outcome, SliceVerdict, Verdict
from gates.evidence import intervals
from gates.evidence.intervals import WeightedTotals
from gates.units.duration import format_duration
from gates.units.scale import UNIT, Scale

SAID: Mapping[Outcome, str] = {"fail": "failing", "inconclusive": "inconclusive", "pass": "passing"}
"""What slices of an outcome are said to be."""

NAMED_SLICES = 5
"""Slices that the reason of a verdict names; all of them are in the verdict."""


def concluded(
    gate: Gate,
    at: datetime,
    parts: Iterable[SliceVerdict],
    nothing: str,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
) -> Verdict:
    """Return the verdict of a gate over its slices; ``nothing`` says why there are none."""
    slices = tuple(parts)
    outcome, reason = summary(slices, nothing)
    return Verdict(
        gate=gate.name,
        state=outcome,
        at=at,
        reason=reason,
        no_data=not any(part.n for part in slices),
        policy_version=gate.policy_version,
        candidate=candidate,
        baseline=baseline,
        slices=slices,
    )


def figures(totals: WeightedTotals, *, sign: int, scale: Scale = UNIT, alpha: float = 0.05) -> list[dict[str, Any]]:
    """Return number, effective number, estimate and bounds of every slice, by the names of `SliceVerdict`.

    ``totals`` are those of losses by slice: with a ``sign`` of -1 a loss is one minus the value. ``scale`` is the range
    that losses are parts of, ``alpha`` the error of each bound.

    >>> import numpy as np
    >>> figures(WeightedTotals.of(np.array([[30.0, 30.0, 3.0, 1.0], [0.0, 0.0, 0.0, 0.0]])), sign=-1)[0]["estimate"]
    0.9
    """
    bounds = intervals.bounds(totals, alpha)
    rows = []
    for place, answers in enumerate(totals.n.astype(int).tolist()):
        row: dict[str, Any] = {"n": answers, "effective_n": totals.effective_n(place)}
        if answers:
            parts = (float(each[place]) if sign > 0 else 1.0 - float(each[place]) for each in bounds)
            mean, low, high = (scale.own(part) for part in parts)
            row |= {"estimate": mean, "lower": min(low, high), "upper": max(low, high)}
        rows.append(row)
    return rows


def summary(parts: Sequence[SliceVerdict], nothing: str) -> tuple[Outcome, str]:
    """Return the outcome of a gate and why: it fails with any slice, and passes only with all of them.

    >>> summary([], "no scored answers")
    ('inconclusive', 'no scored answers')
    """
    if not parts:
        return "inconclusive", nothing
    outcomes: tuple[Outcome, ...] = ("fail", "inconclusive")
    for outcome in outcomes:
        those = [part for part in parts if part.state == outcome]
        if those:
            return outcome, _named(outcome, those, len(parts))
    return "pass", _named("pass", parts, len(parts))


def too_few(n: int, needed: int, within: timedelta) -> str:
    """Return the reason where there are fewer answers than are needed.

    >>> too_few(12, 30, timedelta(hours=1))
    '12 answers in the last 1h, at least 30 are needed'
    """
    answers = "1 answer" if n == 1 else f"{n:,} answers"
    return f"{answers} in the last {format_duration(within)}, at least {needed:,} are needed"


def with_capped(verdict: Verdict, capped: int, least: float) -> Verdict:
    """Return a verdict that says how many answers weigh less than the inclusion probability recorded with them.

    Below a probability of ``least`` weights are capped, so that no single answer outweighs all others; ``capped`` such
    answers then stand for less traffic than they should, and the estimate leans to answers drawn more often.
    """
    if not capped:
        return verdict
    has, weigh = ("1 answer has", "weighs") if capped == 1 else (f"{capped:,} answers have", "weigh")
    told = f"{has} an inclusion probability below {least:g} and {weigh} as if it were {least:g}"
    return verdict.model_copy(update={"reason": f"{verdict.reason}; {told}"})


def _named(outcome: Outcome, parts: Sequence[SliceVerdict], total: int) -> str:
    if not parts[0].slice:
        return parts[0].reason
    named = "; ".join(
        f"{', '.join(f'{name}={value}' for name, value in part.slice.items())}: {part.reason}"
        for part in parts[:NAMED_SLICES]
    )
    more = f"; and {len(parts) - NAMED_SLICES} more" if len(parts) > NAMED_SLICES else ""
    return f"{len(parts)} of {total} slices {SAID[outcome]}: {named}{more}"
