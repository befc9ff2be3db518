"""The agent's clocks, in one place, so that everything else can be given another."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    """Tells the wall-clock time in Unix nanoseconds."""

    def __call__(self) -> int:
        """Return now."""
        ...


def system_clock() -> int:
    """Return the system's time in Unix nanoseconds."""
    return time.time_ns()


def instant(nanoseconds: int) -> datetime:
    """Return Unix nanoseconds as a UTC datetime, to the microsecond.

    >>> instant(1_700_000_000_000_000_000).isoformat()
    '2023-11-14T22:13:20+00:00'
    """
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


def nanoseconds(at: datetime) -> int:
    """Return an aware datetime as Unix nanoseconds.

    >>> nanoseconds(instant(1_700_000_000_000_001_000))
    1700000000000001000
    """
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000


def duration(length: timedelta) -> int:
    """Return a length of time in nanoseconds.

    >>> duration(timedelta(minutes=1))
    60000000000
    """
    return length // timedelta(microseconds=1) * 1000
