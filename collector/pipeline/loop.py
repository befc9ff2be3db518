"""Runs a step until nothing is pending, observes it, and keeps the process alive whatever it raises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple, Protocol

import structlog

from collector.errors import Transient
from collector.telemetry import Telemetry
from dashboards import instruments

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


REST_FACTOR = 4.0
"""How long a step rests after a batch, in times of what the batch took, while senders wait for their commit."""
MAX_REST_SECONDS = 2.0


class Loop:
    """One step of the pipeline as a scheduled job.

    While ``busy`` says that senders wait, the step leaves most of the machine to the receivers: what is stored can be
    scored later, what a sender gives up on is lost.
    """

    def __init__(
        self, stage: str, step: Step, *, telemetry: Telemetry, stop: threading.Event, busy: Callable[[], bool]
    ) -> None:
        self.stage = stage
        self._step = step
        self._busy = busy
        self._telemetry = telemetry
        self._stop = stop
        self._failing: str | None = None
        for kind in ("transient", "bug"):
            # A series that begins at its first increment hides that increment from `increase()`.
            telemetry.add(instruments.STEP_ERRORS, 0, stage, kind)

    def __call__(self) -> None:
        """Work until nothing is pending or the agent stops."""
        while not self._stop.is_set():
            began = time.perf_counter()
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
            took = time.perf_counter() - began
            self._telemetry.observe(instruments.STEP_SECONDS, took, self.stage)
            if self._busy():
                self._stop.wait(min(REST_FACTOR * took, MAX_REST_SECONDS))

    def _fail(self, error: Exception) -> None:
        if self._stop.is_set():
            # A batch cut short by the stop; it was not recorded and is the next start's.
            return
        transient = isinstance(error, Transient)
        self._telemetry.add(instruments.STEP_ERRORS, 1, self.stage, "transient" if transient else "bug")
        kind = type(error).__name__
        if self._failing == kind:
            return
        self._failing = kind
        if transient:
            log.warning("step failed, it is tried again", stage=self.stage, error=str(error))
        else:
            log.error("step failed", stage=self.stage, error=str(error), exc_info=error)
