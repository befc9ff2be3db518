"""Calendar time: when something is due next. APScheduler computes it, with time zones and their changes of clock.

The agent's own schedule counts intervals by a clock that only goes forward, and knows no days and no zones.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apscheduler.triggers.cron import CronTrigger

    from collector.evaluating.options import Scheduled


class CalendarError(ValueError):
    """What is wrong with a schedule."""


def trigger_of(options: Scheduled) -> CronTrigger:
    """Return what computes the times of a schedule. Raises `CalendarError` for one that cannot be read."""
    from apscheduler.triggers.cron import CronTrigger

    try:
        return CronTrigger.from_crontab(options.schedule, timezone=options.zone)
    except ValueError as error:
        raise CalendarError(str(error)) from error


def due_after(options: Scheduled, after: datetime) -> datetime | None:
    """Return when something is due next after an instant; ``None`` for never.

    >>> from datetime import UTC
    >>> from pathlib import Path
    >>> from collector.evaluating.options import ScheduledEvaluation
    >>> nightly = ScheduledEvaluation(
    ...     name="nightly", schedule="30 5 * * mon-fri", timezone="Europe/Berlin", suite=(Path("s"),), to=Path("r"))
    >>> due_after(nightly, datetime(2026, 3, 27, 12, tzinfo=UTC)).isoformat()
    '2026-03-30T05:30:00+02:00'
    """
    found: datetime | None = trigger_of(options).get_next_fire_time(None, after + timedelta(microseconds=1))
    return found
