"""A worker for rare work that takes much memory: a process of its own for each request, which then ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from collector.workers.pool import PoolClosed, WorkerPool


class PassingWorker:
    """Has one request at a time done by a process that is made for it. Safe for many threads.

    ``setup`` is as that of `WorkerPool`.
    """

    def __init__(self, setup: Callable[..., Callable[[Any], Any]]) -> None:
        self._setup = setup
        self._turn = threading.Lock()
        self._lock = threading.Lock()
        self._pool: WorkerPool | None = None
        self._closed = False

    def call(self, request: Any, *, timeout: float) -> Any:
        """Run a request, of so many seconds of the processor's time; raises as `WorkerPool.call` does."""
        with self._turn:
            with self._lock:
                if self._closed:
                    raise PoolClosed
                pool = self._pool = WorkerPool(size=1, setup=self._setup)
            try:
                return pool.call(request, timeout=timeout)
            finally:
                pool.close()
                self._pool = None

    def close(self) -> None:
        """End what is under way; there is nothing after it."""
        with self._lock:
            self._closed = True
            pool = self._pool
        if pool is not None:
            pool.close()
