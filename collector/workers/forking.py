"""A process that starts workers: it imports once what all of them need, and each is a fork of it, which shares that.

A worker that is replaced takes no time to import either. The agent itself is no such process: it has threads.
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
from collections.abc import Callable
from contextlib import suppress
from pkgutil import resolve_name

from collector.workers import serving
from collector.workers.allocation import give_back_memory, trim

FORK = 0
"""Asks for a new process; any other number asks to wait for the process of that id."""
START_SECONDS = 120.0
"""What it may take to import what workers need."""
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
        self._process: subprocess.Popen[bytes] | None = None
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

    def close(self) -> None:
        """End the server. Processes that it started go on until their sockets are closed."""
        with self._lock:
            self._end()

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        ours.settimeout(START_SECONDS)
        # Ctrl-C and a service manager's SIGTERM reach the whole process group; when to stop is the agent's to say. The
        # mask is inherited, so it holds from the child's first instruction, and in its forks.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            with theirs:
                descriptor = theirs.fileno()
                given = (str(descriptor), str(self._niceness), self._module, self._warm_up)
                self._process = subprocess.Popen(  # noqa: S603 - our own interpreter on our own module
                    [sys.executable, "-P", "-c", _PROGRAM, *given, *sys.path],
                    stdin=subprocess.DEVNULL,
                    pass_fds=(descriptor,),
                )
        except BaseException:
            ours.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._control = ours

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


def main(descriptor: int, niceness: int, module: str, warm_up: str = "") -> None:
    """Fork on request over the socket that was inherited as ``descriptor``, once ``module`` is there and warmed up."""
    os.nice(niceness)
    give_back_memory()
    importlib.import_module(module)
    if warm_up:
        resolve_name(warm_up)()
    # What is looked through for garbage is written to, and then shared no longer.
    gc.collect()
    gc.freeze()
    trim()
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
