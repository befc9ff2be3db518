"""Sources as part of the agent: opened, run in a thread each, and ended."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import timedelta
from typing import Self

import structlog

from collector.clock import Clock
from collector.outbound.status import Reporting
from collector.pipeline.admission import Admission
from collector.scheduling.loop import Loop
from collector.scheduling.schedule import Schedule
from collector.sources.base import Source, SourceOptions
from collector.sources.pull import PullStep
from collector.store.store import Store
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)

PUMP = timedelta(milliseconds=250)
"""How often a source is asked whether it is time to look."""
END_SECONDS = 2.0
"""What a fetch under way gets at the end. Whatever it brings then is not stored, and fetched by the next start."""


def check(sources: Sequence[SourceOptions]) -> list[str]:
    """Return what was found in order, and what is unwise, a line each.

    Raises `ConfigError` for a secret that cannot be read.
    """
    found = [f"sources: ok, {', '.join(options.name for options in sources)}"] if sources else []
    for index, options in enumerate(sources):
        where = f"sources[{index}]"
        options.open(where).close()
        found += (f"warning: {warning}" for warning in options.warnings(where))
    return found


class Sources:
    """All configured sources. Making it raises `ConfigError` for a secret that cannot be read; it fetches nothing."""

    def __init__(
        self,
        configured: Sequence[SourceOptions],
        *,
        store: Store,
        admission: Admission,
        telemetry: Telemetry,
        clock: Clock,
        pressure: Callable[[], float],
    ) -> None:
        self._stop = threading.Event()
        self._schedule = Schedule(self._stop)
        self._steps: list[PullStep] = []
        with ExitStack() as opened:
            sources: list[tuple[SourceOptions, Source]] = []
            for index, options in enumerate(configured):
                source = options.open(f"sources[{index}]")
                opened.callback(source.close)
                sources.append((options, source))
            self._closing = opened.pop_all()
        for options, source in sources:
            step = PullStep(
                options=options,
                source=source,
                store=store,
                admission=admission,
                telemetry=telemetry,
                clock=clock,
                monotonic=time.monotonic,
                random=random.random,
                stop=self._stop,
            )
            self._steps.append(step)
            stage = f"source:{options.name}"
            loop = Loop(stage, step, telemetry=telemetry, stop=self._stop, pressure=pressure)
            self._schedule.every(PUMP, loop, name=stage)

    @property
    def reports(self) -> tuple[Reporting, ...]:
        """How each source is, in the order of the configuration."""
        return tuple(step.status for step in self._steps)

    def start(self) -> Self:
        """Begin to read."""
        self._schedule.start()
        return self

    def end(self) -> None:
        """Stop reading; a fetch that hangs is left behind, and can store nothing any more."""
        self._stop.set()
        late = self._schedule.join(END_SECONDS)
        if late:
            log.warning("sources did not end in time, what they were fetching is left to the next start", steps=late)
        self.close()

    def close(self) -> None:
        """Release connections and files; closing again does nothing."""
        self._closing.close()
