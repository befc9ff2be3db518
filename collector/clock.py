"""The agent's clocks, in one place, so that everything else can be given another, and times as people read them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from adapters.trace import Nanoseconds
from gates.units.duration import format_duration

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


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


def parsed_time(text: Any) -> datetime | None:
    """Return a time of the API; ``None`` where it is none.

    >>> parsed_time("2026-01-01T12:00:00Z")
    datetime.datetime(2026, 1, 1, 12, 0, tzinfo=datetime.timezone.utc)
    """
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def ago(at: datetime | None, now: datetime | None) -> str:
    """Return how long before ``now`` something was, to two units of time.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> ago(noon, noon + timedelta(hours=2, minutes=3, seconds=9)), ago(noon, noon - timedelta(minutes=1))
    ('2h3m ago', '1m ahead')
    """
    if at is None or now is None:
        return "at an unknown time"
    gap = abs(now - at)
    step = _HOUR if gap >= _DAY else _MINUTE if gap >= _HOUR else timedelta(seconds=1)
    return f"{format_duration(gap // step * step)} {'ago' if at <= now else 'ahead'}"


def asked_before(asked: datetime | None, arrived: datetime | None) -> str | None:
    """Return when an answer was asked and how much later it came; ``None`` where it came within a minute.

    >>> from datetime import UTC
    >>> night = datetime(2026, 11, 30, 2, 1, tzinfo=UTC)
    >>> asked_before(night, night + timedelta(hours=5, seconds=3)), asked_before(night, night + timedelta(seconds=9))
    ('2026-11-30 02:01 UTC, arrived 5h later', None)
    """
    if asked is None or arrived is None or arrived - asked < _MINUTE:
        return None
    gap = arrived - asked
    step = _HOUR if gap >= _DAY else _MINUTE
    return f"{asked.astimezone(UTC):%Y-%m-%d %H:%M} UTC, arrived {format_duration(gap // step * step)} later"
