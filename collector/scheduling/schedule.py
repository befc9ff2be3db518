"""When each step runs: a thread a step, by a clock that only goes forward.

Wall-clock time is for records, not for waiting: a machine whose clock is set back an hour would leave every step, and
with them every verdict, an hour old.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta


class Schedule:
    """Runs jobs at intervals, each in its own thread, until ``stop`` is set. Jobs handle their own errors."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._threads: list[threading.Thread] = []

    def every(self, interval: timedelta, job: Callable[[], object], *, name: str) -> None:
        """Run ``job`` once started and then ``interval`` after each of its ends."""

        def repeat() -> None:
            while not self._stop.is_set():
                job()
                self._stop.wait(interval.total_seconds())

        self._threads.append(threading.Thread(target=repeat, name=name, daemon=True))

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def end(self, seconds: float) -> list[str]:
        """Tell the jobs to stop, and wait as `join` does."""
        self._stop.set()
        return self.join(seconds)

    def join(self, seconds: float) -> list[str]:
        """Wait for the jobs to end, ``seconds`` at most; return the names of those that did not."""
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(0.0, deadline - time.monotonic()))
        return [thread.name for thread in self._threads if thread.is_alive()]
