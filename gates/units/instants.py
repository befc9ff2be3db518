"""Instants as the columns of gates hold them: whole microseconds since 1970, and ticks, which are many of these."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NewType

Microseconds = NewType("Microseconds", int)
"""An instant in microseconds since 1970, or a length of time in microseconds."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def microseconds(at: datetime) -> Microseconds:
    """Return an instant in microseconds since 1970.

    >>> instant(microseconds(datetime(2026, 1, 1, tzinfo=UTC))).isoformat()
    '2026-01-01T00:00:00+00:00'
    """
    return Microseconds((at - EPOCH) // MICROSECOND)


def instant(at: Microseconds) -> datetime:
    """Return the instant so many microseconds after 1970 began."""
    return EPOCH + at * MICROSECOND


def tick_end(number: int, length: Microseconds) -> datetime:
    """Return when a tick of this length ends; ticks are numbered from 1970 on.

    >>> tick_end(0, Microseconds(300_000_000)).isoformat()
    '1970-01-01T00:05:00+00:00'
    """
    return EPOCH + (number + 1) * length * MICROSECOND
