"""All configured targets together: opened, made into steps, told about, closed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta

from collector.clock import Clock
from collector.outbound.status import Reporting
from collector.scheduling.loop import Planned
from collector.store.store import Store
from collector.writeback.base import Target, TargetOptions
from collector.writeback.items import Panel
from collector.demo.story import Verdicts
from collector.writeback.step import WriteStep
from scorers.base import Metric
from telemetry.registry import Telemetry

PUMP = timedelta(milliseconds=250)
"""How soon a target is asked again whether something is to be written."""


def check(write_back: Sequence[TargetOptions]) -> Iterator[str]:
    """Yield a line for each target; raises `ConfigError` for one that cannot be opened. No network."""
    for index, options in enumerate(write_back):
        where = f"write_back[{index}]"
        options.open(where).close()
        yield f"{where}: ok, {options.name} at {options.url}"
        yield from (f"warning: {warning}" for warning in options.warnings(where))


class WriteBack:
    """The configured targets, open. Raises `ConfigError` if one cannot be opened, and leaves none open then."""

    def __init__(self, write_back: Sequence[TargetOptions]) -> None:
        self._open: list[tuple[TargetOptions, Target]] = []
        self._steps: list[WriteStep] = []
        try:
            for index, options in enumerate(write_back):
                self._open.append((options, options.open(f"write_back[{index}]")))
        except BaseException:
            self.close()
            raise

    @property
    def reports(self) -> Sequence[Reporting]:
        """How each target is doing."""
        return tuple(step.status for step in self._steps)

    def steps(
        self,
        *,
        store: Store,
        judge: Verdicts,
        metrics: Sequence[Metric],
        gates: Sequence[str],
        telemetry: Telemetry,
        clock: Clock,
        stop: threading.Event,
    ) -> Sequence[Planned]:
        """Return the step of each target, made once."""
        self._steps = [
            WriteStep(
                options=options,
                target=target,
                store=store,
                panel=Panel(
                    metrics={
                        metric.name: metric
                        for metric in metrics
                        if options.metrics is None or metric.name in options.metrics
                    },
                    gates=tuple(gates) if options.verdicts else (),
                    judge=judge,
                ),
                telemetry=telemetry,
                clock=clock,
                monotonic=time.monotonic,
                random=random.SystemRandom().random,
                stop=stop,
            )
            for options, target in self._open
        ]
        return [Planned(f"write_back:{step.options.name}", step, PUMP) for step in self._steps]

    def close(self) -> None:
        """Close every target; a write under way fails."""
        for _, target in self._open:
            # Whatever a library makes of being closed in the middle of a request, the others are closed as well.
            with suppress(Exception):
                target.close()
