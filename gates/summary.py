"""How the verdicts over slices become the verdict of a gate, and its reason."""

from __future__ import annotations

from collections.abc import Sequence

from gates.base import Outcome, SliceVerdict

NAMED_SLICES = 5
"""Slices that the reason of a verdict names; all of them are in the verdict."""


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
