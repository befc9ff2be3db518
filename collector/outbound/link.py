"""The frame around every link: attempted when it is due, and when it fails, backed off, counted and logged."""

from __future__ import annotations

import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from collector.clock import Clock
from collector.outbound.backoff import Backoff
from collector.outbound.errors import Unreachable
from collector.outbound.status import LinkState, LinkStatus
from telemetry.instrument import Instrument
from telemetry.registry import Telemetry

Attempt = Literal["ok", "asked_to_wait", "unreachable", "error"]
"""How an exchange with the other side ended; ``error``: by a fault of ours."""


class Linked(Protocol):
    """What the frame knows of the options of a link."""

    @property
    def type(self) -> str: ...  # noqa: D102 - as in `LinkOptions`

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def poll(self) -> timedelta: ...  # noqa: D102


Options = TypeVar("Options", bound=Linked)


class Counter(NamedTuple):
    """Where one count of a link is exposed: an instrument, and its labels after the name of the link."""

    instrument: Instrument
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """What the agent gives to all links. ``monotonic`` counts seconds, ``random`` draws from [0, 1)."""

    telemetry: Telemetry
    clock: Clock
    stop: threading.Event
    monotonic: Callable[[], float] = time.monotonic
    random: Callable[[], float] = random.SystemRandom().random


class Link(ABC, Generic[Options]):
    """One link as a step. A kind of link says how one exchange goes; this says when, and what became of it.

    It never raises for what the other side does; what is raised is the store's or a bug, and is waited out as well.
    """

    kind: ClassVar[str]
    """In logs; with the name it is the stage of the step."""
    up: ClassVar[Instrument | None] = None
    """Whether the other side answers, or has at least asked to wait."""
    counters: ClassVar[Mapping[str, Counter | None]]
    """What is counted, under its name in the API."""

    def __init__(self, options: Options, runtime: Runtime) -> None:
        """Make the link visible before its first exchange."""
        self.options = options
        self.name = options.name
        self.telemetry, self.clock = runtime.telemetry, runtime.clock
        self.monotonic, self.stop = runtime.monotonic, runtime.stop
        self.due = self.monotonic()
        self.status = LinkStatus(
            self.kind, name=self.name, type_=options.type, clock=self.clock, counted=tuple(self.counters)
        )
        self._backoff = Backoff(random=runtime.random)
        self._expose(dict.fromkeys(self.counters, 0), up=True)

    @property
    def stage(self) -> str:
        """The name of the step in metrics and logs, and of its position in the store."""
        return f"{self.kind}:{self.name}"

    @abstractmethod
    def exchange(self) -> int:
        """Ask or tell the other side what is due; return how much that was, 0 if there is nothing more for now.

        Raises `Unreachable` where it may work later.
        """

    def position(self) -> Mapping[str, Any]:
        """Return where the link stands, as a small JSON object for people."""
        return {}

    def attempted(self, attempt: Attempt) -> None:
        """Note how an exchange ended."""

    def pause(self, retry_after: float | None) -> float:
        """Return the seconds to wait after a failure."""
        return self._backoff.failed(retry_after)

    def run_once(self) -> int:
        """Make one exchange, if it is time; return how much was done."""
        if self.monotonic() < self.due:
            return 0
        try:
            done = self.exchange()
        except Unreachable as error:
            if not self.stop.is_set():
                self.attempted("unreachable" if error.retry_after is None else "asked_to_wait")
                self.failed(error.reason, error.retry_after)
            return 0
        except Exception as error:
            if not self.stop.is_set():
                self.attempted("error")
                self.failed(f"{type(error).__name__}: {error}")
            raise
        if not done:
            self.due = self.monotonic() + self.options.poll.total_seconds()
        return done

    def count(self, **counts: int) -> None:
        """Count what was settled, and show where that leaves the link."""
        self._expose(counts)
        self.status.count(self.position(), **counts)

    def succeeded(self, rest: float = 0.0) -> None:
        """Note that the other side did what was asked; the next exchange is due after ``rest`` seconds."""
        self._backoff.succeeded()
        self.attempted("ok")
        self._expose({}, up=True)
        self.due = self.monotonic() + rest
        self.status.attempted("ok", next_attempt=self.clock() + int(rest * 1e9))

    def failed(self, reason: str, retry_after: float | None = None) -> None:
        """Note that it did not, and wait: longer each time, and at least as long as it asked for."""
        seconds = self.pause(retry_after)
        asked_to_wait = retry_after is not None
        self._expose({}, up=asked_to_wait)
        self.due = self.monotonic() + seconds
        state: LinkState = "waiting" if asked_to_wait else "failing"
        self.status.attempted(state, next_attempt=self.clock() + int(seconds * 1e9), reason=reason)

    def _expose(self, counts: Mapping[str, int], *, up: bool | None = None) -> None:
        for name, count in counts.items():
            counter = self.counters[name]
            if counter is not None:
                self.telemetry.add(counter.instrument, count, self.name, *counter.labels)
        if self.up is not None and up is not None:
            self.telemetry.set(self.up, int(up), self.name)
