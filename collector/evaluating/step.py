"""The step that runs what is due by the calendar: each in a process of its own, which leaves the agent lean.

What was due while the agent was down runs once when it is back: the last time that was missed, not each of them. A run
that was cut short is finished before the next one begins; one that cannot be finished is left.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

import structlog

from collector.clock import Clock, instant
from collector.errors import ConfigError
from collector.evaluating.calendar import due_after
from collector.evaluating.options import ScheduledEvaluation, ScheduledReport
from collector.runs.lock import under_way
from collector.runs.manifest import read_manifest

log = structlog.get_logger(__name__)

STAMP, LOG = "%Y%m%dT%H%M%SZ", ".log"
CATCH_UP = timedelta(days=1)
"""What was due longer ago than this when the agent began is left out."""
SAID = 2_000
"""Characters of what a run printed that the log repeats."""
POLL_SECONDS = 0.5
KEPT, MISSED = 0, 1


class Started(Protocol):
    """A process under way."""

    def poll(self) -> int | None:
        """Return its exit code, ``None`` while it runs."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...


Job = ScheduledEvaluation | ScheduledReport

Start = Callable[[Sequence[str], Path], Started]


def start_process(arguments: Sequence[str], output: Path) -> Started:
    """Start ``groundwire`` with ``arguments``; what it prints goes to a file."""
    with output.open("wb") as file:
        return subprocess.Popen(  # noqa: S603 - the agent's own command, with what its configuration names
            [sys.executable, "-m", "collector.cli", *arguments], stdin=subprocess.DEVNULL, stdout=file, stderr=file
        )


@dataclass(kw_only=True)
class CalendarStep:
    """Runs what is due, one run at a time."""

    jobs: Sequence[Job]
    clock: Clock
    stop: threading.Event
    start: Start = start_process
    _began: datetime | None = None
    _ran: dict[str, datetime] = field(default_factory=dict)
    _given_up: set[tuple[str, datetime]] = field(default_factory=set)
    _waited_for: set[tuple[str, datetime]] = field(default_factory=set)

    def run_once(self) -> int:
        """Run what is due; return 0, since there is no more of them at once."""
        now = instant(self.clock())
        self._began = self._began or now
        for options in self.jobs:
            if self._orphaned(options):
                continue
            due = self._due(options, now)
            if due is not None and not self.stop.is_set():
                self._run(options, due)
                self._ran[options.name] = due
        return 0

    def _orphaned(self, options: Job) -> bool:
        """Whether a run still goes on that was begun by an agent which was killed: it is left to end by itself."""
        unfinished, _ = _runs(options)
        if unfinished is None or isinstance(options, ScheduledReport):
            return False
        folder = options.to / unfinished.strftime(STAMP)
        if not any(map(under_way, (folder, *_folders(folder)))):
            return False
        if (options.name, unfinished) not in self._waited_for:
            self._waited_for.add((options.name, unfinished))
            log.info(
                "scheduled run of an earlier process goes on", kind=options.what, name=options.name, folder=str(folder)
            )
        return True

    def _due(self, options: Job, now: datetime) -> datetime | None:
        """Return the time whose run is to be made or finished now; ``None`` if there is none."""
        assert self._began is not None
        unfinished, last = _runs(options)
        ran = self._ran.get(options.name)
        # Of times that were missed for longer nobody waits for a run, however far the clock went.
        earliest = max(self._began, now) - CATCH_UP
        if last is None and ran is None:
            after = max(self._began, earliest)
        else:
            after = max(time for time in (last, ran, earliest) if time is not None)
        found = None
        while (due := due_after(options, after)) is not None and due <= now:
            found = after = due
        if (
            unfinished is not None
            and (options.name, unfinished) not in self._given_up
            and (ran is None or found is not None)
        ):
            return unfinished
        return found

    def _run(self, options: Job, due: datetime) -> None:
        folder = options.to / due.astimezone(UTC).strftime(STAMP)
        output = options.to / f"{folder.name}{LOG}"
        try:
            options.to.mkdir(parents=True, exist_ok=True)
            process = self.start(options.arguments(folder), output)
        except OSError as error:
            log.warning("scheduled run could not begin", kind=options.what, name=options.name, error=str(error))
            return
        log.info("scheduled run begins", kind=options.what, name=options.name, folder=str(folder))
        waited = 0.0
        while (code := process.poll()) is None:
            if self.stop.wait(POLL_SECONDS) or waited > options.timeout.total_seconds():
                process.kill()
                log.warning(
                    "scheduled run was cut short; it goes on later",
                    kind=options.what,
                    name=options.name,
                    folder=str(folder),
                )
                return
            waited += POLL_SECONDS
        said = output.read_text(encoding="utf-8", errors="replace").strip()[-SAID:]
        if code == KEPT:
            log.info("scheduled run ended", kind=options.what, name=options.name, folder=str(folder))
        elif code == MISSED:
            log.warning(
                "scheduled run missed what rows expect",
                kind=options.what,
                name=options.name,
                folder=str(folder),
                said=said,
            )
        else:
            # It may have been begun with a suite that is another by now: the next one begins afresh.
            self._given_up.add((options.name, due))
            log.error(
                "scheduled run failed", kind=options.what, name=options.name, folder=str(folder), code=code, said=said
            )


def _runs(options: Job) -> tuple[datetime | None, datetime | None]:
    """Return when the newest run that did not end was due, and when the newest of all.

    A report is a file, which is there or not. What a run printed stands beside it, and is there first.
    """
    last = unfinished = None
    whole = isinstance(options, ScheduledReport)
    for path in sorted(options.to.iterdir()) if options.to.is_dir() else ():
        try:
            due = datetime.strptime(path.stem if whole or path.suffix == LOG else path.name, STAMP).replace(tzinfo=UTC)
        except ValueError:
            continue
        if path.suffix == LOG and path.stat().st_size == 0 and last != due:
            # It was killed before it made or said anything.
            last = unfinished = due
        elif whole and path.suffix == ".html":
            last = due
            unfinished = None
        elif not whole and path.is_dir():
            last = due
            unfinished = None if _ended(path) else due
    return unfinished, last


def _ended(folder: Path) -> bool:
    try:
        manifests = [read_manifest(folder), *map(read_manifest, _folders(folder))]
    except (ConfigError, OSError):
        # What cannot be read cannot be finished either, and must not keep the next run from beginning.
        return True
    found = [manifest for manifest in manifests if manifest is not None]
    return bool(found) and all(manifest.ended for manifest in found)


def _folders(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if each.is_dir()] if folder.is_dir() else []
