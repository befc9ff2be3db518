"""All configured notifiers together: opened, made into steps, told about, closed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial

from collector.clock import Clock
from collector.notify.base import Notifier, NotifierOptions
from collector.notify.notice import Names
from collector.notify.standing import StandingStep
from collector.notify.step import NotifyStep
from collector.outbound.status import Reporting
from collector.scheduling.loop import Planned
from collector.store.store import Store
from telemetry.registry import Telemetry

PUMP = timedelta(milliseconds=250)
"""How soon a notifier is asked again whether there is news."""


def check(notify: Sequence[NotifierOptions]) -> Iterator[str]:
    """Yield a line for each notifier; raises `ConfigError` for one that cannot be opened. No network."""
    for index, options in enumerate(notify):
        where = f"notify[{index}]"
        options.open(where).close()
        yield f"{where}: ok, {options.name} at {options.url}"
        yield from (f"warning: {warning}" for warning in options.warnings(where))


def frame(options: NotifierOptions, gates: Sequence[str]) -> Callable[..., NotifyStep]:
    """Return what makes the step of a notifier: of one that is told of news, or of one that is told what holds."""
    if options.resend_seconds is None:
        return NotifyStep
    return partial(StandingStep, gates=tuple(gates), resend=options.resend_seconds)


class Notify:
    """The configured notifiers, open. Raises `ConfigError` if one cannot be opened, and leaves none open then."""

    def __init__(self, notify: Sequence[NotifierOptions]) -> None:
        self._open: list[tuple[NotifierOptions, Notifier]] = []
        self._steps: list[NotifyStep] = []
        try:
            for index, options in enumerate(notify):
                self._open.append((options, options.open(f"notify[{index}]")))
        except BaseException:
            self.close()
            raise

    @property
    def reports(self) -> Sequence[Reporting]:
        """How each notifier is doing."""
        return tuple(step.status for step in self._steps)

    def steps(
        self,
        *,
        store: Store,
        names: Names,
        gates: Sequence[str],
        telemetry: Telemetry,
        clock: Clock,
        stop: threading.Event,
    ) -> Sequence[Planned]:
        """Return the step of each notifier, made once; what is decided from now on is told."""
        for options, notifier in self._open:
            step = frame(options, gates)(
                options=options,
                notifier=notifier,
                names=names,
                store=store,
                telemetry=telemetry,
                clock=clock,
                monotonic=time.monotonic,
                random=random.SystemRandom().random,
                stop=stop,
            )
            self._steps.append(step)
        return [Planned(f"notify:{step.options.name}", step, PUMP) for step in self._steps]

    def close(self) -> None:
        """Close every notifier; a message under way fails."""
        for _, notifier in self._open:
            with suppress(Exception):
                notifier.close()
