"""A process that starts workers: it imports once what all of them need, and each is a fork of it, which shares that.

A worker that is replaced takes no time to import either. The agent itself is no such process: it has threads. Before it
has any, that process can be a fork of it, so that all of them share what the agent has imported, too.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pkgutil import resolve_name
from typing import Protocol

from collector.workers import serving
from collector.workers.allocation import give_back_memory, trim

FORK = 0
"""Asks for a new process; any other number asks to wait for the process of that id."""
START_SECONDS = 120.0
"""What it may take to import what workers need."""
STDIN = 0
_NUMBER = struct.Struct("<q")
_PROGRAM = (
    "import sys; fd, niceness, module, warm_up, *sys.path = sys.argv[1:]; from collector.workers.forking import main; "
    "main(int(fd), int(niceness), module, warm_up)"
)
"""What the process runs. It finds modules where this one does, and imports nothing of how this one was started."""


class ForkServer:
    """Starts processes that have imported ``module``; its own starts with the first of them. Safe for many threads.

    ``warm_up`` is called before: what it loads is loaded once, and shared. It must be importable by name. All of them
    give way to others by ``niceness``.
    """

    def __init__(self, module: str, warm_up: Callable[[], object] | None = None, *, niceness: int = 0) -> None:
        self._module = module
        self._niceness = niceness
        self._warm_up = "" if warm_up is None else f"{warm_up.__module__}:{warm_up.__qualname__}"
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._control: socket.socket | None = None

    def fork(self, descriptor: int) -> ForkedProcess:
        """Return a new process that serves over a socket, the ``descriptor``. Raises `OSError`.

        The first one waits until what it needs is imported.
        """
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._end()
                self._begin()
            return ForkedProcess(self._ask(FORK, descriptor), self)

    def reap(self, pid: int) -> None:
        """Wait until a process that was killed is gone."""
        # Where this server is gone, the system waits for whom it started.
        with self._lock, suppress(OSError):
            self._ask(pid)

    def fork_here(self) -> None:
        """Start it now, as a fork of this process, which must have one thread and nothing open that is to be closed.

        What is imported here by then is in memory once. Where the server has to be started again, it is by itself.
        """
        _prepare(self._module, self._warm_up)
        with self._lock:
            self._start(self._forked)

    def close(self) -> None:
        """End the server. Processes that it started go on until their sockets are closed."""
        with self._lock:
            self._end()

    def _begin(self) -> None:
        self._start(self._spawned)

    def _start(self, started: Callable[[socket.socket, socket.socket], _Process]) -> None:
        ours, theirs = socket.socketpair()
        ours.settimeout(START_SECONDS)
        # Ctrl-C and a service manager's SIGTERM reach the whole process group; when to stop is the agent's to say. The
        # mask is inherited, so it holds from the child's first instruction, and in its forks.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            with theirs:
                self._process = started(ours, theirs)
        except BaseException:
            ours.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._control = ours

    def _spawned(self, _ours: socket.socket, theirs: socket.socket) -> _Process:
        descriptor = theirs.fileno()
        given = (str(descriptor), str(self._niceness), self._module, self._warm_up)
        return subprocess.Popen(  # noqa: S603 - our own interpreter on our own module
            [sys.executable, "-P", "-c", _PROGRAM, *given, *sys.path],
            stdin=subprocess.DEVNULL,
            pass_fds=(descriptor,),
        )

    def _forked(self, ours: socket.socket, theirs: socket.socket) -> _Process:
        if pid := os.fork():
            return _Fork(pid)
        # Nothing of what this process was about to do, or does at its end, is the fork's to do.
        try:
            ours.close()  # it would not notice otherwise that this process is gone
            os.dup2(os.open(os.devnull, os.O_RDONLY), STDIN)
            os.nice(self._niceness)
            give_back_memory()
            _serve(theirs.detach())
        except BaseException:  # noqa: BLE001 - told as an interpreter of its own would tell it
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _ask(self, number: int, *descriptors: int) -> int:
        if self._control is None:
            raise ConnectionError("what starts workers has ended")
        try:
            socket.send_fds(self._control, [_NUMBER.pack(number)], descriptors)
            reply = self._control.recv(_NUMBER.size, socket.MSG_WAITALL)
            if len(reply) < _NUMBER.size:
                raise ConnectionError("what starts workers has ended")
        except TimeoutError as error:
            self._end()
            why = f"workers did not start within {START_SECONDS:g} s: the processor is too busy; run fewer of them"
            raise TimeoutError(why) from error
        except OSError:
            # The next fork starts it anew.
            self._end()
            raise
        (answer,) = _NUMBER.unpack(reply)
        if answer < 0:
            raise OSError(-answer, os.strerror(-answer))
        return int(answer)


class ForkedProcess:
    """A process that a `ForkServer` started. Its id is its own until it was waited for."""

    def __init__(self, pid: int, server: ForkServer) -> None:
        self.pid = pid
        self._server = server
        self._lock = threading.Lock()
        self._gone = False

    def kill(self) -> None:
        """Kill it, if it is still there."""
        with self._lock:
            if not self._gone:
                with suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        """Wait until it is gone, which it has been told to be."""
        with self._lock:
            if not self._gone:
                self._server.reap(self.pid)
                self._gone = True


class _Process(Protocol):
    """What is asked of the process that starts workers."""

    def poll(self) -> int | None: ...

    def kill(self) -> None: ...

    def wait(self) -> int: ...


class _Fork:
    """A fork of this process, with the part of `subprocess.Popen` that is needed of it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        return self._ended(os.WNOHANG)

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> int:
        return self._ended(0) or 0

    def _ended(self, options: int) -> int | None:
        if self._status is None:
            pid, status = os.waitpid(self._pid, options)
            if pid:
                self._status = status
        return self._status


def main(descriptor: int, niceness: int, module: str, warm_up: str = "") -> None:
    """Fork on request over the socket that was inherited as ``descriptor``, once ``module`` is there and warmed up."""
    os.nice(niceness)
    give_back_memory()
    _prepare(module, warm_up)
    _serve(descriptor)


def _prepare(module: str, warm_up: str) -> None:
    """Have in memory what forks share."""
    importlib.import_module(module)
    if warm_up:
        resolve_name(warm_up)()
    # What is looked through for garbage is written to, and then shared no longer. Nor is what was free.
    gc.collect()
    gc.freeze()
    trim()


def _serve(descriptor: int) -> None:
    given = _forking(descriptor)
    if given is not None:
        serving.main(given)


def _forking(descriptor: int) -> int | None:
    """Fork on request; return what a fork is to serve over, in the fork, and ``None`` once nobody is there to ask."""
    with socket.socket(fileno=descriptor) as control:
        while True:
            try:
                message, given, _, _ = socket.recv_fds(control, _NUMBER.size, 1)
                if not message:
                    return None
                (number,) = _NUMBER.unpack(message)
                pid = _waited(number) if number != FORK else _forked()
                if number == FORK and not pid:
                    return given[0]
                for each in given:
                    os.close(each)
                control.sendall(_NUMBER.pack(pid))
            except OSError:
                return None


def _forked() -> int:
    try:
        return os.fork()
    except OSError as error:
        return -(error.errno or 1)


def _waited(pid: int) -> int:
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
    return pid
