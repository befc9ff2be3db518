"""What a verdict says: figures of a slice in the metric's own units, and how slices become the verdict of a gate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from gates.base import Gate, Outcome, SliceVerdict, Verdict
from gates.evidence import intervals
from gates.inputs.observations import Floats
from gates.units.scale import UNIT, Scale

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


def figures(sums: Floats, *, sign: int, scale: Scale = UNIT, alpha: float = 0.05) -> list[dict[str, Any]]:
    """Return number, effective number, estimate and bounds of every row, by the names of `SliceVerdict`.

    ``sums`` has a row for each slice: number of answers, sums of weight and of weighted loss, and the largest weight.
    With a ``sign`` of -1 a loss is one minus the value. ``scale`` is the range that losses are parts of, ``alpha`` the
    error of each bound.

    >>> figures(np.array([[30.0, 30.0, 3.0, 1.0], [0.0, 0.0, 0.0, 0.0]]), sign=-1)[0]["estimate"]
    0.9
    """
    n, weight, loss, heaviest = sums.T
    heaviest = np.maximum(heaviest, 1.0)
    bounds = intervals.bounds(loss, n, weight, heaviest, alpha)
    found = []
    for place, answers in enumerate(n.astype(int).tolist()):
        worth = intervals.effective_n(answers, float(weight[place]), float(heaviest[place])) if answers else 0.0
        row: dict[str, Any] = {"n": answers, "effective_n": worth}
        if answers:
            parts = (float(each[place]) if sign > 0 else 1.0 - float(each[place]) for each in bounds)
            mean, low, high = (scale.own(part) for part in parts)
            row |= {"estimate": mean, "lower": min(low, high), "upper": max(low, high)}
        found.append(row)
    return found


def summary(parts: Sequence[SliceVerdict], nothing: str) -> tuple[Outcome, str]:
    """Return the outcome of a gate and why: it fails with any slice, and passes only with all of them.

    >>> summary([], "no scored answers")
    ('inconclusive', 'no scored answers')
    """
    if not parts:
        return "inconclusive", nothing
    outcomes: tuple[Outcome, ...] = ("fail", "inconclusive")
    for outcome in outcomes:
        found = [part for part in parts if part.state == outcome]
        if found:
            return outcome, _named(outcome, found, len(parts))
    return "pass", _named("pass", parts, len(parts))


def _named(word: str, parts: Sequence[SliceVerdict], total: int) -> str:
    if not parts[0].slice:
        return parts[0].reason
    named = "; ".join(
        f"{', '.join(f'{name}={value}' for name, value in part.slice.items())}: {part.reason}"
        for part in parts[:NAMED_SLICES]
    )
    more = f"; and {len(parts) - NAMED_SLICES} more" if len(parts) > NAMED_SLICES else ""
    return f"{len(parts)} of {total} slices {word}: {named}{more}"
