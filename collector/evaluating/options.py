"""The evaluations that an agent runs by the calendar, as its configuration names them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field, field_validator

from collector.outbound.options import StrictOptions
from gates.units.duration import Duration

MISSING = "needs packages that are not installed; install them with: pip install 'groundwire[evaluate]'"
PARTS = 5


class ScheduledEvaluation(StrictOptions):
    """A suite that is run by the calendar, in a process of its own, into a folder for each run."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$", description="Name in logs.")
    schedule: str = Field(
        description="When it runs, as five fields of cron: minute, hour, day of the month, month, day of the week "
        "(`mon` to `sun`). `30 5 * * mon-fri` is half past five on working days."
    )
    timezone: str = Field(default="UTC", description="Time zone of the schedule, such as `Europe/Berlin`.")
    suite: tuple[Path, ...] = Field(min_length=1, max_length=100, description="Files of the suite.")
    to: Path = Field(description="Folder in which each run gets a folder named by when it was due.")
    config: Path | None = Field(default=None, description="Configuration of the scores, as of `--config`.")
    configurations: Path | None = Field(default=None, description="Named configurations, as of `--configurations`.")
    application: str | None = Field(default=None, description="What is asked, as of `--application`.")
    timeout: Duration = Field(
        default=timedelta(hours=6), le=timedelta(days=7), description="Time limit of a run; it goes on at the next one."
    )

    @field_validator("schedule")
    @classmethod
    def _readable(cls, schedule: str) -> str:
        fields = schedule.split()
        if len(fields) != PARTS:
            raise ValueError(f"expected five fields (minute hour day month weekday), got {len(fields)}")
        if any(sign.isdigit() for sign in fields[4].partition("/")[0]):
            raise ValueError(
                "name days of the week (mon, tue, ...): numbers of them mean different days to different tools"
            )
        return schedule

    @field_validator("timezone")
    @classmethod
    def _known(cls, timezone: str) -> str:
        if timezone not in available_timezones():
            raise ValueError("no such time zone; write one such as UTC or Europe/Berlin")
        return timezone

    @property
    def zone(self) -> ZoneInfo:
        """The time zone."""
        return ZoneInfo(self.timezone)

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: files that are not there, a schedule that never comes."""
        yield from super().problems(where)
        if any(find_spec(name) is None for name in ("apscheduler", "pyarrow")):
            yield f"{where}: {MISSING}"
            return
        if self.configurations is not None and (self.config is not None or self.application is not None):
            yield f"{where}.configurations: give it alone, without config and application"
        from collector.evaluating.calendar import CalendarError, trigger_of

        try:
            trigger_of(self)
        except CalendarError as error:
            yield f"{where}.schedule: {error}"
