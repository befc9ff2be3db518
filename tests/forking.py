"""A server that runs each command in a fork of itself: what it imports once, no command of a page imports again.

A command has the streams, the directory and the environment of whoever asks, who gets its exit code. What goes on until
it is stopped belongs into a process of its own.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

STREAMS = ("r", "w", "w")
# It imports next to nothing, so it starts in a fiftieth of the time of a command.
_ASKING = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    socket.send_fds(server, [b"."], [0, 1, 2])
    server.sendall(json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode())
    server.shutdown(socket.SHUT_WR)
    code = int(server.recv(9) or 70)
sys.exit(code if code >= 0 else 128 - code)
"""


def command() -> str:
    """Return what runs a command in a shell, before its arguments."""
    return shlex.join(words())


@cache
def words() -> tuple[str, ...]:
    """Return the words that run a command, before its arguments; the server ends with this process."""
    folder = tempfile.mkdtemp()
    at = str(Path(folder, "commands"))
    server = subprocess.Popen(
        [sys.executable, "-P", __file__, at], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"

    def close() -> None:
        server.communicate()
        shutil.rmtree(folder)

    atexit.register(close)
    return sys.executable, "-I", "-S", "-c", _ASKING, at


def main() -> None:
    """Wait for commands until standard input ends."""
    from collector import commands

    for module in pkgutil.walk_packages(commands.__path__, "collector.commands."):
        importlib.import_module(module.name)
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(sys.argv[1])
        listening.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
            asked, _ = listening.accept()
            while _ended():
                pass
            if os.fork() == 0:
                listening.close()
                _answer(asked)
            asked.close()


def _ended() -> bool:
    """Return whether one more of those that answer had ended."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _answer(asked: socket.socket) -> None:
    """Run one command in a process of its own, and tell its exit code."""
    _, streams, _, _ = socket.recv_fds(asked, 1, 3)
    with asked.makefile("rb") as request:
        arguments, directory, environment = json.load(request)
    command = os.fork()
    if command == 0:
        asked.close()
        _run(arguments, directory, environment, streams)
    for each in streams:
        os.close(each)
    _, status = os.waitpid(command, 0)
    asked.sendall(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _run(arguments: list[str], directory: str, environment: dict[str, str], streams: list[int]) -> None:
    """Become the command: `SystemExit` goes up to the end of this very process."""
    from collector import cli

    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    for number, given in enumerate(streams):
        os.dup2(given, number)
        os.close(given)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, closefd=False, errors=None if number < 2 else "backslashreplace")
        for number, mode in enumerate(STREAMS)
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    sys.argv = ["groundwire", *arguments]
    cli.main()


if __name__ == "__main__":
    main()
