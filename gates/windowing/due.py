"""Changes that wait for their tick to be folded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gates.inputs.changes import Change

Due = tuple[tuple[int, Change], ...]
"""Changes with the tick that each begins with, in order."""


def noted(due: Due, tick: int, change: Change) -> Due:
    """Return what is due with one more; the order does not depend on which was noted first."""
    return tuple(sorted((*due, (tick, change)), key=lambda each: (each[0], each[1].model_dump_json())))


def by_time(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return changes in the order of their times, whatever order they were noted in."""
    return tuple(sorted(changes, key=lambda each: (each.at, each.model_dump_json())))


def until(due: Due, tick: int) -> tuple[Due, Due]:
    """Return what is due by a tick, and the rest."""
    count = sum(at <= tick for at, _ in due)
    return due[:count], due[count:]


def dumped(due: Due) -> list[list[Any]]:
    """Return what is due as JSON takes it."""
    return [[tick, change.model_dump(mode="json")] for tick, change in due]


def load(data: Sequence[Sequence[Any]]) -> Due:
    """Restore what `dumped` returned."""
    return tuple((tick, Change.model_validate(change)) for tick, change in data)
