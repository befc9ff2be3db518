"""Bounded worker processes for the work that is pure but not trusted to end: adapting and scoring hostile text.

Each worker is a process of its own that answers one request at a time over a socket. A request that outlives its
deadline costs its worker the life: the process is killed, a new one takes its place, and the caller gets
`WorkerTimeout`. Workers hold no state that matters, know nothing of the store, and end by themselves when the agent is
gone.
"""

from __future__ import annotations

import os
import queue
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from collector.errors import Transient
from collector.workers.forking import ForkedProcess, ForkServer
from collector.workers.serving import SetUp
from collector.workers.watchdog import Watchdog, opened

NICENESS = 1
"""How much workers give way to the receiver, which has senders waiting: hardly, since somebody waits for them, too."""
BATCH_NICENESS = 9
"""How much more those with batches do: beside two of them on one core one takes a fifth longer than alone."""
SETUP_SECONDS = 300.0
"""What a worker may take to start, and to load an embedding model."""


class WorkerTimeout(Transient):
    """A request took more of the processor's time than its deadline, or its worker fell asleep; it was killed."""


class WorkerDied(Transient):
    """A worker ended in the middle of a request."""


class WorkerUnready(Transient):
    """A worker could not be set up: it says nothing about the request that waited for it."""


class PoolClosed(Exception):  # noqa: N818 - an end, not an error
    """The pool was closed while a request was under way: it says nothing about the request."""


class WorkerPool:
    """A fixed number of worker processes.

    ``setup`` is called once in each worker with ``setup_args`` and returns the handler that then gets each request; it
    must be importable by name. Requests and replies are pickled. Deadlines are seconds of the processor's time, of one
    thread: with ``threads`` that compute side by side a request may take as many times as much.

    While ``busy``, requests are worked on one at a time: the other cores are for whoever keeps the agent busy. A worker
    that nobody has needed yet is not there. Beside them one is ``reserved`` for requests that somebody waits for, which
    never stand behind a batch: see `call_reserved`. All are forks of one process, and share what that has imported, and
    what ``warm_up`` loads there, a function that must be importable by name too. ``server`` is that process, where it
    was started before; the pool closes it.
    """

    def __init__(
        self,
        *,
        size: int,
        setup: Callable[..., Callable[[Any], Any]],
        setup_args: Sequence[Any] = (),
        threads: int = 1,
        busy: Callable[[], bool] = lambda: False,
        warm_up: Callable[[], object] | None = None,
        foreground: bool = False,
        server: ForkServer | None = None,
    ) -> None:
        self._watchdog = Watchdog()
        self._server = server or ForkServer(setup.__module__, warm_up, niceness=0 if foreground else NICENESS)
        self._batch_niceness = 0 if foreground else BATCH_NICENESS
        self._busy = busy
        self._alone = threading.Lock()
        self._threads_each = threads
        self._setup = setup
        self._setup_args = tuple(setup_args)
        self._generation = 0
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()
        self._reserved: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._ended = threading.Condition(self._lock)
        self._under_way = 0
        self._closed = False
        self._callers = ThreadPoolExecutor(max_workers=size, thread_name_prefix="worker-call")
        self.size = size
        for _ in range(size):
            self._idle.put(self._start(self._batch_niceness))
        # Nobody may ever wait for an answer, so that it is not even begun.
        self._reserved.put(None)

    def _start(self, niceness: int) -> _Worker:
        with self._lock:
            if self._closed:
                raise PoolClosed
            setup = SetUp(self._setup, self._setup_args, niceness)
            worker = _Worker(setup, self._generation, self._watchdog, self._server)
            self._all.add(worker)
        return worker

    def _stop(self, worker: _Worker) -> None:
        worker.kill()
        worker.close()
        with self._lock:
            self._all.discard(worker)

    def renew(self, *setup_args: Any) -> None:
        """Set workers up anew before their next request: a request under way ends with the old set-up.

        The process stays: a set-up that opens a file is done in no time, a new process is not. One in which the set-up
        fails is replaced.
        """
        with self._lock:
            self._setup_args = setup_args
            self._generation += 1

    def call(self, request: Any, *, timeout: float) -> Any:
        """Run one request, waiting for a free worker; raises what the handler raised, or `Transient` errors."""
        with self._counted(), self._alone if self._busy() else nullcontext():
            return self._call(request, timeout, self._idle)

    def call_reserved(self, request: Any, *, timeout: float) -> Any:
        """Run one request on the worker that is kept for those; raises as `call` does."""
        with self._counted():
            return self._call(request, timeout, self._reserved)

    def call_apart(self, setup: Callable[..., Callable[[Any], Any]], request: Any, *, timeout: float) -> Any:
        """Run one request in a process that ``setup`` makes ready and that ends with it; raises as `call` does.

        For rare work that takes much memory: it is a fork like the others, so that little is left to import.
        """
        with self._counted():
            with self._lock:
                if self._closed:
                    raise PoolClosed
                given = SetUp(setup, (), self._batch_niceness)
                worker = _Worker(given, self._generation, self._watchdog, self._server)
                self._all.add(worker)
            try:
                worker.await_ready(SETUP_SECONDS)
                reply = worker.ask(request, timeout)
            except Transient as error:
                if self._closed:
                    raise PoolClosed from error
                raise
            finally:
                self._stop(worker)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._lock:
            self._under_way += 1
        try:
            yield
        finally:
            with self._ended:
                self._under_way -= 1
                self._ended.notify_all()

    def _call(self, request: Any, timeout: float, free: queue.LifoQueue[Any]) -> Any:
        if self._closed:
            raise PoolClosed
        niceness = 0 if free is self._reserved else self._batch_niceness
        worker: _Worker = free.get() or self._start(niceness)
        try:
            if self._closed:
                raise PoolClosed
            worker.await_ready(SETUP_SECONDS * self._threads_each)
            with self._lock:
                setup_args, generation = self._setup_args, self._generation
            if worker.generation != generation:
                worker.set_up_anew(SetUp(self._setup, setup_args), generation, SETUP_SECONDS * self._threads_each)
            reply = worker.ask(request, timeout * self._threads_each)
        except Transient as error:
            self._stop(worker)
            try:
                worker = self._start(niceness)
            except PoolClosed:
                raise PoolClosed from error
            raise
        finally:
            free.put(worker)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def map(self, requests: Sequence[Any], *, timeout: float) -> list[Any]:
        """Run requests side by side and return, in order, each one's reply or the exception it ended with.

        Raises `PoolClosed` or `WorkerUnready` if that happens before all have ended.
        """
        return list(self.begin(requests, timeout=timeout))

    def begin(self, requests: Sequence[Any], *, timeout: float) -> Iterator[Any]:
        """Hand requests to the workers, and return the replies as `map` does, each awaited when it is asked for."""

        def attempt(request: Any) -> Any:
            try:
                return self.call(request, timeout=timeout)
            except (PoolClosed, WorkerUnready):
                raise
            except Exception as error:  # noqa: BLE001 - handed to the caller, which decides by type
                return error

        if self._closed:
            raise PoolClosed
        return self._callers.map(attempt, requests)

    def pids(self) -> list[int]:
        """Return the process ids of the workers, each started if it was not."""
        with self._lock:
            workers = list(self._all)
        return sorted(worker.begin().process.pid for worker in workers)

    def close(self) -> None:
        """Kill all workers. Whatever they were doing is repeated by the next start."""
        with self._lock:
            self._closed = True
            workers = list(self._all)
        for worker in workers:
            worker.kill()
        # Pipes are closed by the thread that reads them: a descriptor closed under a reader may be another's by then.
        self._callers.shutdown(wait=True, cancel_futures=True)
        with self._ended:
            self._ended.wait_for(lambda: not self._under_way)
            workers = list(self._all)
            self._all.clear()
        for worker in workers:
            worker.close()
        self._server.close()
        self._watchdog.close()


class _Running(NamedTuple):
    """A process that was started: what it takes can be read at ``stat``, and ``pipe`` is our end of its socket."""

    process: ForkedProcess
    stat: int | None
    pipe: Connection


class _Worker:
    """One process, started when it is needed."""

    def __init__(self, setup: SetUp, generation: int, watchdog: Watchdog, server: ForkServer) -> None:
        self.generation = generation
        self._setup: SetUp | None = setup
        self._watchdog = watchdog
        self._server = server
        self._lock = threading.Lock()
        self._killed = False
        self._running: _Running | None = None

    def begin(self) -> _Running:
        """Return the process, started if it was not. Raises `Transient` errors."""
        with self._lock:
            if self._killed:
                raise WorkerDied("the worker was killed before it began")
            if self._running is None:
                try:
                    self._running = self._start()
                except OSError as error:
                    raise WorkerUnready(f"cannot start a worker: {error}") from error
            return self._running

    def _start(self) -> _Running:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            process = self._server.fork(theirs.fileno())
            try:
                return _Running(process, opened(process.pid), Connection(ours.detach()))
            except BaseException:
                process.kill()
                process.wait()
                raise

    def await_ready(self, timeout: float) -> None:
        """Wait until the worker is set up; that time is not charged to a request."""
        if self._setup is not None:
            self._set_up(self._setup, timeout, "setup")
            self._setup = None

    def set_up_anew(self, setup: SetUp, generation: int, timeout: float) -> None:
        """Have the process replace its handler; raises `WorkerUnready` where that fails."""
        self._set_up(setup, timeout, "new setup")
        self.generation = generation

    def _set_up(self, setup: SetUp, timeout: float, what: str) -> None:
        try:
            failed = self._exchange(timeout, setup)
        except Transient as error:
            raise WorkerUnready(f"{what} of a worker failed: {error}") from error
        if failed is not None:
            raise WorkerUnready(f"{what} of a worker failed: {failed}") from failed

    def ask(self, request: Any, timeout: float) -> Any:
        return self._exchange(timeout, request)

    def _exchange(self, timeout: float, request: Any) -> Any:
        """Send a request and wait for the reply. Past the deadline the process is killed.

        Only that ends a send or a receive that hangs in the middle, with a socket full or a message half there.
        """
        process, stat, pipe = self.begin()
        with self._watchdog.over(stat, process.kill, timeout) as watched:
            try:
                pipe.send(request)
                reply = pipe.recv()
            except (EOFError, OSError) as error:
                if watched.late is not None:
                    raise WorkerTimeout(watched.late) from error
                raise WorkerDied(f"worker {process.pid} died: {error!r}") from error
        if watched.late is not None:
            raise WorkerTimeout(watched.late)
        return reply

    def kill(self) -> None:
        with self._lock:
            self._killed = True
            running = self._running
        if running is not None:
            running.process.kill()
            running.process.wait()

    def close(self) -> None:
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.pipe.close()
            if running.stat is not None:
                os.close(running.stat)
