"""Many waiting requests, one commit: the thread between the receivers and the store."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Self

from collector.errors import Transient
from collector.receivers.base import QueueFull, ReceiveTelemetry, Unavailable
from collector.store.rows import Chunk

GROUP_BYTES = 8 * 1024 * 1024
"""Chunks committed at once: enough that the disk's flush is shared, little enough that nobody waits long for others."""


class Reservation:
    """A request's share of the bytes that may wait, held from the first byte of its body until it is answered.

    A context manager: leaving it gives everything back.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.n_bytes = 0

    def grow(self, n_bytes: int) -> None:
        """Reservation more. Raises `QueueFull` when others wait and it does not fit: a single request always may."""
        self._writer.resize(self, self.n_bytes + n_bytes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.resize(self, 0)


@dataclass(slots=True)
class _Waiting:
    chunks: Sequence[Chunk]
    n_bytes: int
    done: Future[None]
    since: float


class Writer:
    """Appends what receivers submit, in groups, on a thread of its own.

    ``append`` makes chunks durable or raises. Claims together stay within ``limit_bytes``. A request's future is done
    when its chunks are on disk; it fails with `Unavailable` when they are not, and then none of them is.
    """

    def __init__(
        self, append: Callable[[Sequence[Chunk]], None], *, limit_bytes: int, telemetry: ReceiveTelemetry
    ) -> None:
        self._append = append
        self._limit = limit_bytes
        self._telemetry = telemetry
        self._changed = threading.Condition()
        self._waiting: deque[_Waiting] = deque()
        self._committing: float | None = None
        self._used = 0
        self._stopping = False
        self.last_error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    @property
    def limit_bytes(self) -> int:
        """Bytes that may be received and not committed."""
        return self._limit

    @property
    def queued_bytes(self) -> int:
        """Bytes received and not committed."""
        return self._used

    def oldest_wait(self) -> float:
        """Return for how many seconds the oldest request waits for its commit; 0 where none does."""
        with self._changed:
            since = self._committing
            if since is None:
                since = self._waiting[0].since if self._waiting else None
        return 0.0 if since is None else time.monotonic() - since

    def reserve(self) -> Reservation:
        """Return an empty reservation for a request that is beginning. Raises `Unavailable` once draining has begun."""
        if self._stopping:
            raise Unavailable("agent is shutting down")
        return Reservation(self)

    def resize(self, reservation: Reservation, n_bytes: int) -> None:
        """Set the size of a reservation; only a growing one can be refused."""
        with self._changed:
            others = self._used - reservation.n_bytes
            if n_bytes > reservation.n_bytes and others and others + n_bytes > self._limit:
                raise QueueFull(f"receive queue full: {self._used} of {self._limit} bytes are waiting to be written")
            self._used = others + n_bytes
            reservation.n_bytes = n_bytes

    def submit(self, chunks: Sequence[Chunk], reservation: Reservation) -> Future[None]:
        """Queue chunks for the next commit; ``reservation`` is to be held until it is made. Raises `Unavailable`."""
        done: Future[None] = Future()
        with self._changed:
            if self._stopping:
                raise Unavailable("agent is shutting down")
            self._waiting.append(_Waiting(chunks, reservation.n_bytes, done, time.monotonic()))
            self._changed.notify()
        self._telemetry.queue(self._used)
        return done

    def drain(self, timeout: float) -> bool:
        """Refuse what is new, commit what waits, and end the thread; return whether all was done in ``timeout`` s."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (group := self._next()) is not None:
            error = self._commit(group) if group else None
            self._committing = None
            for waiting in group:
                if error is None:
                    waiting.done.set_result(None)
                else:
                    waiting.done.set_exception(error)

    def _next(self) -> list[_Waiting] | None:
        """Wait for work and return it; ``None`` when all is done and the writer is stopping."""
        with self._changed:
            while not self._waiting and not self._stopping:
                self._changed.wait()
            if not self._waiting:
                return None
            group: list[_Waiting] = []
            size = 0
            while self._waiting and (not group or size + self._waiting[0].n_bytes <= GROUP_BYTES):
                waiting = self._waiting.popleft()
                # A request whose sender is gone has cancelled its future: nobody will be told, so nothing is stored.
                if waiting.done.set_running_or_notify_cancel():
                    size += waiting.n_bytes
                    group.append(waiting)
            self._committing = group[0].since if group else None
            return group

    def _commit(self, group: Sequence[_Waiting]) -> Unavailable | None:
        chunks = [chunk for waiting in group for chunk in waiting.chunks]
        began = time.perf_counter()
        try:
            self._append(chunks)
        except Exception as error:  # noqa: BLE001 - whatever it is, these items are not on disk and must not be acknowledged
            self.last_error = error
            known = isinstance(error, Transient)
            refusal = Unavailable(str(error) if known else f"store failed: {type(error).__name__}")
            refusal.__cause__ = error
            return refusal
        items = sum(chunk.n_spans for chunk in chunks)
        self._telemetry.commit(time.perf_counter() - began, requests=len(group), items=items)
        return None
