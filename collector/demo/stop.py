"""Signals as a flag that is looked at between steps, so that whatever was started is always ended in order."""

from __future__ import annotations

import signal
import time
from types import FrameType
from typing import Any, Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SLICE = 0.1


class Stopped(Exception):  # noqa: N818 - not an error: a person or a supervisor asked
    """Someone asked the demo to end."""


class StopSignals:
    """Takes SIGINT, SIGTERM and SIGHUP while the block runs; only the main thread may enter it.

    Nothing is raised out of a handler, where it could hit between a child's start and the note that it was started.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in _SIGNALS:
            if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                continue  # started under nohup: to outlive its terminal is what was asked for
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.received = number

    def pause(self, seconds: float) -> None:
        """Sleep for ``seconds``. Raises `Stopped` as soon as a signal has come."""
        end = time.monotonic() + seconds
        while self.received is None and (left := end - time.monotonic()) > 0:
            time.sleep(min(left, _SLICE))
        if self.received is not None:
            raise Stopped(signal.Signals(self.received).name)
