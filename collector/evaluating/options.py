"""What an agent runs by the calendar: evaluations of suites, and reports of its own traffic."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field, field_validator

from collector.outbound.options import StrictOptions
from collector.security.address import BaseUrl
from gates.units.duration import Duration

MISSING = "needs packages that are not installed; install them with: pip install 'groundwire[evaluate]'"
PARTS = 5


class Scheduled(StrictOptions):
    """What runs by the calendar, in a process of its own."""

    what: ClassVar[str]
    """What it is called in logs."""
    needs: ClassVar[tuple[str, ...]] = ("apscheduler",)
    """The modules that it takes."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$", description="Name in logs.")
    schedule: str = Field(
        description="When it runs, as five fields of cron: minute, hour, day of the month, month, day of the week "
        "(`mon` to `sun`). `30 5 * * mon-fri` is half past five on working days."
    )
    timezone: str = Field(default="UTC", description="Time zone of the schedule, such as `Europe/Berlin`.")
    to: Path = Field(description="Folder in which each run writes, under the time at which it was due.")
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

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield the files that a run reads, each with its key."""
        yield from ()

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: packages that are not there, a schedule that never comes."""
        yield from super().problems(where)
        if any(find_spec(name) is None for name in self.needs):
            yield f"{where}: {MISSING}"
            return
        from collector.evaluating.calendar import CalendarError, trigger_of

        try:
            trigger_of(self)
        except CalendarError as error:
            yield f"{where}.schedule: {error}"


class ScheduledEvaluation(Scheduled):
    """A suite that is run by the calendar, into a folder for each run."""

    what: ClassVar[str] = "evaluation"
    needs: ClassVar[tuple[str, ...]] = ("apscheduler", "pyarrow")

    suite: tuple[Path, ...] = Field(min_length=1, max_length=100, description="Files of the suite.")
    config: Path | None = Field(default=None, description="Configuration of the scores, as of `--config`.")
    configurations: Path | None = Field(default=None, description="Named configurations, as of `--configurations`.")
    application: str | None = Field(default=None, description="What is asked, as of `--application`.")
    panels: tuple[Literal["reference", "claims"], ...] = Field(
        default=(), max_length=2, description="What is scored beside: `reference`, `claims`; as of `--panel`."
    )
    model: Path | None = Field(default=None, description="Encoder of the reference panel, as of `--model`.")
    wordnet: Path | None = Field(default=None, description="WordNet of the reference panel, as of `--wordnet`.")

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield the files that a run reads, each with its key."""
        yield from ((f"suite[{number}]", path) for number, path in enumerate(self.suite))
        named = {
            "config": self.config,
            "configurations": self.configurations,
            "model": self.model,
            "wordnet": self.wordnet,
        }
        yield from ((key, path) for key, path in named.items() if path is not None)

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section."""
        yield from super().problems(where)
        if self.configurations is not None and (self.config is not None or self.application is not None):
            yield f"{where}.configurations: give it alone, without config and application"
        if "reference" not in self.panels and (self.model is not None or self.wordnet is not None):
            yield f"{where}: model and wordnet are read by the reference panel alone; add it to panels"

    def arguments(self, target: Path) -> list[str]:
        """Return the command that runs it into the folder ``target``."""
        named = {
            "--config": self.config,
            "--configurations": self.configurations,
            "--application": self.application,
            "--model": self.model,
            "--wordnet": self.wordnet,
        }
        chosen = [part for name, value in named.items() if value is not None for part in (name, str(value))]
        beside = [part for name in self.panels for part in ("--panel", name)]
        return ["evaluate", *map(str, self.suite), "--to", str(target), "--junit", f"{target}.xml", *chosen, *beside]


class ScheduledReport(Scheduled):
    """A report of the agent's own traffic that is written by the calendar, such as every Monday morning."""

    what: ClassVar[str] = "report"
    needs: ClassVar[tuple[str, ...]] = ("apscheduler", "scipy", "matplotlib")

    since: Duration = Field(default=timedelta(days=7), description="How much of the traffic before it is reported.")
    by: tuple[str, ...] = Field(default=(), max_length=20, description="Attributes to cut slices from, as of `--by`.")
    worst: int = Field(default=10, ge=0, le=200, description="How many of the worst answers it shows.")
    record: bool = Field(default=True, description="Whether its checksum is chained into the decision log.")
    url: BaseUrl | None = Field(
        default=None, description="Address at which the agent reaches itself; by default 127.0.0.1 and `http.port`."
    )
    token_file: Path | None = Field(default=None, description="File with its token; by default `http.token_file`.")

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield the file with the token, if one is named."""
        if self.token_file is not None:
            yield "token_file", self.token_file

    def arguments(self, target: Path) -> list[str]:
        """Return the command that writes it, as an HTML file beside ``target``."""
        cuts = [part for name in self.by for part in ("--by", name)]
        token = [] if self.token_file is None else ["--token-file", str(self.token_file)]
        recorded = ["--record"] if self.record else []
        chosen = ["--worst", str(self.worst), "--url", str(self.url), *cuts, *token, *recorded]
        return ["report", "--since", f"{self.since.total_seconds():.0f}s", "--to", f"{target}.html", *chosen]
