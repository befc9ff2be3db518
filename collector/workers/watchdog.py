"""Notices that a worker process hangs: by the CPU time that it takes, not by the clock.

On a busy machine a worker waits for a core most of the time, which is no fault of what it works on. So a deadline is
counted in what the process was given of the processors, and beside that in time in which it neither got any nor waited
for any: then it sleeps, and nothing will come of it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

CHECK_SECONDS = 0.1
GAP_SECONDS = 1.0
"""The most that counts between two looks: in a longer gap this process did not run either, as in a frozen container."""
STAT_BYTES = 4096
_TICK = 1 / os.sysconf("SC_CLK_TCK")


class ProcessUsage(NamedTuple):
    """What a process has taken: seconds of the processors, of all its threads; and whether it waits for more."""

    seconds: float
    runnable: bool


def opened(pid: int) -> int | None:
    """Return a descriptor to read what the process ``pid`` takes, ``None`` where the system tells nothing of it.

    It is opened once: a process that is short of descriptors still watches its workers.
    """
    try:
        return os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None


def usage(stat: int | None) -> ProcessUsage | None:
    """Return what a process has taken so far, by the descriptor that `opened` gave; ``None`` where it has ended.

    Source: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    """
    if stat is None:
        return None
    try:
        # The name of the program stands in brackets, and may hold anything.
        fields = os.pread(stat, STAT_BYTES, 0).rpartition(b")")[2].split()
    except ProcessLookupError:
        return None
    return ProcessUsage((int(fields[11]) + int(fields[12])) * _TICK, fields[0] == b"R")


@dataclass(slots=True, eq=False)
class Watched:
    """A request that a worker works on. ``late`` is set once it took too long and its worker was killed."""

    stat: int | None
    kill: Callable[[], None]
    limit: float
    taken: float
    seen: float
    began: float
    asleep: float = 0.0
    late: str | None = None

    def look(self, now: float) -> None:
        """Kill the worker if it has taken its time, or slept that long."""
        found = usage(self.stat)
        if found is None:
            # It ended; who reads its pipe finds out.
            return
        working = found.runnable or found.seconds > self.taken
        self.asleep = 0.0 if working else self.asleep + min(now - self.seen, GAP_SECONDS)
        self.taken, self.seen = found.seconds, now
        if self.taken - self.began >= self.limit:
            self.late = f"exceeded {self.limit:g} s of CPU time"
        elif self.asleep >= self.limit:
            self.late = f"no progress for {self.limit:g} s"
        if self.late is not None:
            self.kill()


class Watchdog:
    """Looks after the requests under way, on a thread of its own that only wakes while there are any."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: set[Watched] = set()
        self._closed = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, stat: int | None, kill: Callable[[], None], limit: float) -> Iterator[Watched]:
        """Watch a worker while the block runs, and kill it when that takes more than ``limit`` seconds.

        ``stat`` is what `opened` gave for it, and stays open meanwhile.
        """
        now = usage(stat)
        taken = now.seconds if now is not None else 0.0
        watched = Watched(stat, kill, limit, taken=taken, began=taken, seen=time.monotonic())
        with self._changed:
            self._watched.add(watched)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="worker-watch", daemon=True)
                self._thread.start()
            self._changed.notify()
        try:
            yield watched
        finally:
            with self._changed:
                self._watched.discard(watched)

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                if not self._watched:
                    self._changed.wait()
                    continue
                self._changed.wait(CHECK_SECONDS)
                now = time.monotonic()
                for watched in self._watched:
                    if watched.late is None:
                        watched.look(now)
