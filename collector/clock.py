"""The agent's clocks, in one place, so that everything else can be given another."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

from adapters.trace import Nanoseconds

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    """Tells the wall-clock time."""

    def __call__(self) -> Nanoseconds:
        """Return now."""
        ...


def system_clock() -> Nanoseconds:
    """Return the system's time."""
    return Nanoseconds(time.time_ns())


def instant(at: Nanoseconds) -> datetime:
    """Return Unix time as a UTC datetime, to the microsecond.

    >>> instant(Nanoseconds(1_700_000_000_000_000_000)).isoformat()
    '2023-11-14T22:13:20+00:00'
    """
    return _EPOCH + timedelta(microseconds=at // 1000)


def nanoseconds(at: datetime) -> Nanoseconds:
    """Return an aware datetime as Unix time.

    >>> nanoseconds(instant(Nanoseconds(1_700_000_000_000_001_000)))
    1700000000000001000
    """
    return Nanoseconds((at - _EPOCH) // timedelta(microseconds=1) * 1000)


def duration(length: timedelta) -> Nanoseconds:
    """Return a length of time in nanoseconds.

    >>> duration(timedelta(minutes=1))
    60000000000
    """
    return Nanoseconds(length // timedelta(microseconds=1) * 1000)
