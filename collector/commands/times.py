"""Times as people read them: how long ago something was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from gates.units.duration import format_duration

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


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
