"""Runs a step until nothing is pending, observes it, and keeps the process alive whatever it raises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import NamedTuple, Protocol

import structlog

from adapters.trace import Nanoseconds
from collector.clock import Clock, system_clock
from collector.errors import Transient
from collector.scheduling.overlap import Overlapped
from collector.scheduling.schedule import Schedule
from telemetry import instruments
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)


class Step(Protocol):
    """A step of the pipeline: reads a batch of what is pending and writes its result in one transaction."""

    def run_once(self) -> int:
        """Handle one batch and return how much it held; 0 when nothing is pending."""
        ...


class Planned(NamedTuple):
    """A step with its name, which is also its stage in metrics and logs, and how soon it looks again."""

    name: str
    step: Step
    interval: timedelta


PRESSURE_SECONDS = 0.01
"""Senders that wait longer than this for their commit are kept waiting: it takes a few milliseconds by itself."""
REST_FACTOR = 4.0
"""How long a step rests after a batch under pressure, in times of what the batch took of this process's time."""
MAX_REST_SECONDS = 2.0


class Loop:
    """One step of the pipeline as a scheduled job.

    While ``pressure`` (for how many seconds the oldest request waits) says that senders are kept waiting, the step
    leaves most of this process to the receivers: what is stored can be scored later, what a sender gives up on is lost.
    What it waited for itself, workers and the disk, took nothing from them: ``spent`` counts the seconds that the
    calling thread was given of a processor.
    """

    def __init__(
        self,
        stage: str,
        step: Step,
        *,
        telemetry: Telemetry,
        stop: threading.Event,
        pressure: Callable[[], float],
        spent: Callable[[], float] = time.thread_time,
        clock: Clock = system_clock,
    ) -> None:
        self.stage = stage
        self._step = step
        self._pressure = pressure
        self._spent = spent
        self._clock = clock
        self._telemetry = telemetry
        self._stop = stop
        self._failing: str | None = None
        for kind in ("transient", "bug"):
            # A series that begins at its first increment hides that increment from `increase()`.
            telemetry.add(instruments.STEP_ERRORS, 0, stage, kind)

    def __call__(self) -> None:
        """Work until nothing is pending or the agent stops; what is under way then is ended."""
        while not self._stop.is_set():
            began, taken = time.perf_counter(), self._spent()
            try:
                done = self._step.run_once()
            except Exception as error:  # noqa: BLE001 - the frame: counted, logged once per kind, tried again next time
                self._fail(error)
                return
            if self._failing is not None:
                log.info("step recovered", stage=self.stage)
                self._failing = None
            if not done:
                return
            self._telemetry.observe(instruments.STEP_SECONDS, time.perf_counter() - began, self.stage)
            if self._pressure() > PRESSURE_SECONDS:
                self._stop.wait(min(REST_FACTOR * (self._spent() - taken), MAX_REST_SECONDS))
        if isinstance(self._step, Overlapped):
            try:
                self._step.finish()
            except Exception as error:  # noqa: BLE001 - the frame: nothing of it was recorded, the next start repeats it
                self._fail(error)

    def _fail(self, error: Exception) -> None:
        if self._stop.is_set():
            # A batch cut short by the stop; it was not recorded and is the next start's.
            return
        transient = isinstance(error, Transient)
        count_failure(self._telemetry, self.stage, transient=transient, at=self._clock())
        kind = type(error).__name__
        if self._failing == kind:
            return
        self._failing = kind
        if transient:
            log.warning("step failed; retrying", stage=self.stage, error=str(error))
        else:
            log.error("step failed", stage=self.stage, error=str(error), exc_info=error)


def count_failure(telemetry: Telemetry, stage: str, *, transient: bool, at: Nanoseconds) -> None:
    """Count a failure of a stage, and expose when it was: a counter alone does not say that it is long over."""
    kind = "transient" if transient else "bug"
    telemetry.add(instruments.STEP_ERRORS, 1, stage, kind)
    telemetry.set(instruments.STEP_FAILED, at / 1e9, stage, kind)


def scheduled(
    steps: Iterable[Planned],
    *,
    telemetry: Telemetry,
    stop: threading.Event,
    pressure: Callable[[], float],
    clock: Clock = system_clock,
) -> Schedule:
    """Return a schedule of ``steps``, each in a loop of its own."""
    schedule = Schedule(stop)
    for stage, step, interval in steps:
        loop = Loop(stage, step, telemetry=telemetry, stop=stop, pressure=pressure, clock=clock)
        schedule.every(interval, loop, name=stage)
    return schedule
