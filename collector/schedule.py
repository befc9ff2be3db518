"""When each step runs: one scheduler, one job a step, never two runs of one step at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler


class Schedule:
    """Runs jobs at intervals, each in its own thread. A job still running when its time comes is not started again."""

    def __init__(self, *, threads: int) -> None:
        self._scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(threads)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
            timezone=UTC,
        )

    def every(self, interval: timedelta, job: Callable[[], object], *, name: str) -> None:
        """Run ``job`` now and then every ``interval``."""
        self._scheduler.add_job(
            job, "interval", seconds=interval.total_seconds(), id=name, name=name, next_run_time=datetime.now(UTC)
        )

    def start(self) -> None:
        """Begin."""
        self._scheduler.start()

    def stop(self) -> None:
        """Start no job again, and wait for those that run."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)
