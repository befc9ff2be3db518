"""Bounded worker processes for the work that is pure but not trusted to end: adapting and scoring hostile text.

Each worker is a spawned process that answers one request at a time over a pipe. A request that outlives its deadline
costs its worker the life: the process is killed, a new one takes its place, and the caller gets `WorkerTimeout`.
Workers hold no state that matters, know nothing of the store, and end by themselves when the agent is gone.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from collector.errors import Transient

SETUP_SECONDS = 300.0
"""What a worker may take to start, and to load an embedding model, on a busy machine."""
NICENESS = 10
"""Workers give way to the receiver, which has senders waiting."""


class WorkerTimeout(Transient):
    """A request took longer than its deadline; its worker was killed."""


class WorkerDied(Transient):
    """A worker ended in the middle of a request."""


class WorkerUnready(Transient):
    """A worker could not be set up: it says nothing about the request that waited for it."""


class PoolClosed(Exception):  # noqa: N818 - an end, not an error
    """The pool was closed while a request was under way: it says nothing about the request."""


class WorkerPool:
    """A fixed number of worker processes.

    ``setup`` is called once in each worker with ``setup_args`` and returns the handler that then gets each request; it
    must be importable by name. Requests and replies are pickled.
    """

    def __init__(
        self, *, size: int, setup: Callable[..., Callable[[Any], Any]], setup_args: Sequence[Any] = ()
    ) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._setup = setup
        self._setup_args = tuple(setup_args)
        self._generation = 0
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._ended = threading.Condition(self._lock)
        self._under_way = 0
        self._closed = False
        self._threads = ThreadPoolExecutor(max_workers=size, thread_name_prefix="worker-call")
        self.size = size
        for _ in range(size):
            self._idle.put(self._start())

    def _start(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise PoolClosed
            worker = _Worker(self._context, self._setup, self._setup_args, self._generation)
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
        with self._lock:
            self._under_way += 1
        try:
            return self._call(request, timeout)
        finally:
            with self._ended:
                self._under_way -= 1
                self._ended.notify_all()

    def _call(self, request: Any, timeout: float) -> Any:
        if self._closed:
            raise PoolClosed
        worker = self._idle.get()
        try:
            if self._closed:
                raise PoolClosed
            worker.await_ready(SETUP_SECONDS)
            with self._lock:
                setup_args, generation = self._setup_args, self._generation
            if worker.generation != generation:
                worker.set_up_anew(setup_args, generation)
            reply = worker.ask(request, timeout)
        except Transient as error:
            self._stop(worker)
            try:
                worker = self._start()
            except PoolClosed:
                raise PoolClosed from error
            raise
        finally:
            self._idle.put(worker)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def map(self, requests: Sequence[Any], *, timeout: float) -> list[Any]:
        """Run requests side by side and return, in order, each one's reply or the exception it ended with.

        Raises `PoolClosed` or `WorkerUnready` if that happens before all have ended.
        """

        def attempt(request: Any) -> Any:
            try:
                return self.call(request, timeout=timeout)
            except (PoolClosed, WorkerUnready):
                raise
            except Exception as error:  # noqa: BLE001 - handed to the caller, which decides by type
                return error

        if self._closed:
            raise PoolClosed
        return list(self._threads.map(attempt, requests))

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        with self._lock:
            return sorted(worker.pid for worker in self._all)

    def close(self) -> None:
        """Kill all workers. Whatever they were doing is repeated by the next start."""
        with self._lock:
            self._closed = True
            workers = list(self._all)
        for worker in workers:
            worker.kill()
        # Pipes are closed by the thread that reads them: a descriptor closed under a reader may be another's by then.
        self._threads.shutdown(wait=True, cancel_futures=True)
        with self._ended:
            self._ended.wait_for(lambda: not self._under_way)
            workers = list(self._all)
            self._all.clear()
        for worker in workers:
            worker.close()


class _Worker:
    """One process and our end of its pipe."""

    def __init__(self, context: Any, setup: Callable[..., Any], setup_args: tuple[Any, ...], generation: int) -> None:
        self.generation = generation
        self._ready = False
        ours, theirs = context.Pipe()
        self._pipe: Connection = ours
        self._process = context.Process(target=_serve, args=(theirs, setup, setup_args), daemon=True, name="worker")
        # Ctrl-C and a service manager's SIGTERM reach the whole process group; when to stop is the agent's to say. The
        # mask is inherited, so it holds from the child's first instruction.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def await_ready(self, timeout: float) -> None:
        """Wait until the worker is set up; that time is not charged to a request."""
        if self._ready:
            return
        try:
            failed = self._exchange(timeout)
        except Transient as error:
            raise WorkerUnready(f"a worker could not be set up: {error}") from error
        if failed is not None:
            raise WorkerUnready(f"a worker could not be set up: {failed}") from failed
        self._ready = True

    def set_up_anew(self, setup_args: tuple[Any, ...], generation: int) -> None:
        """Have the process replace its handler; raises `WorkerUnready` where that fails."""
        try:
            failed = self._exchange(SETUP_SECONDS, _SetUp(setup_args))
        except Transient as error:
            raise WorkerUnready(f"a worker could not be set up anew: {error}") from error
        if failed is not None:
            raise WorkerUnready(f"a worker could not be set up anew: {failed!r}") from failed
        self.generation = generation

    def ask(self, request: Any, timeout: float) -> Any:
        return self._exchange(timeout, request)

    def _exchange(self, timeout: float, *request: Any) -> Any:
        """Send what there is to send and wait for the reply. Past the deadline the process is killed.

        Only that ends a send or a receive that hangs in the middle, with a pipe full or a message half there.
        """
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self._process.kill()

        alarm = threading.Timer(timeout, give_up)
        alarm.daemon = True
        alarm.start()
        try:
            for item in request:
                self._pipe.send(item)
            reply = self._pipe.recv()
        except (EOFError, OSError) as error:
            if late.is_set():
                raise WorkerTimeout(f"no reply within {timeout:g} s") from error
            raise WorkerDied(f"worker {self.pid} ended: {error!r}") from error
        finally:
            alarm.cancel()
        if late.is_set():
            raise WorkerTimeout(f"no reply within {timeout:g} s")
        return reply

    def kill(self) -> None:
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        self._pipe.close()


@dataclass(frozen=True, slots=True)
class _SetUp:
    """Asks a worker to make its handler anew."""

    setup_args: tuple[Any, ...]


def _serve(pipe: Connection, setup: Callable[..., Callable[[Any], Any]], setup_args: tuple[Any, ...]) -> None:
    os.nice(NICENESS)
    try:
        handler = setup(*setup_args)
    except Exception as error:  # noqa: BLE001 - sent to the pool, which raises it
        pipe.send(error)
        return
    pipe.send(None)
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            if isinstance(request, _SetUp):
                reply = None
                handler = setup(*request.setup_args)
            else:
                reply = handler(request)
        except Exception as error:  # noqa: BLE001 - sent to the caller, which raises it
            reply = error
        try:
            pipe.send(reply)
        except (BrokenPipeError, OSError):
            return
