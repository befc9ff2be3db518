"""Commands each in a fork of one process that has imported the command line: they end as processes do, and begin fast.

Run as a program it reads cases from standard input, and prints what became of each.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

KEPT, CLOSED, FULL, LEFT = "kept", "closed", "full", "left"
"""What a stream can be: a file, closed before the start, a full disk, a pipe that nobody reads any longer."""

Case = tuple[Sequence[str], str, str]
"""The arguments of a command, and what its standard output and its standard error are."""


def ended(cases: Sequence[Case], *, cwd: Path) -> list[tuple[int, str, str]]:
    """Run commands one after the other; return their exit codes, and what they wrote where it is kept."""
    done = subprocess.run(
        [sys.executable, "-P", __file__], input=json.dumps(cases), capture_output=True, text=True, check=False, cwd=cwd
    )
    assert done.returncode == 0, done.stderr
    return [tuple(result) for result in json.loads(done.stdout)]


def main() -> None:
    """Run the cases of standard input."""
    from collector import cli, commands

    for module in pkgutil.iter_modules(commands.__path__, "collector.commands."):
        importlib.import_module(module.name)
    gc.freeze()
    results = []
    for arguments, out, err in json.load(sys.stdin):
        with tempfile.TemporaryFile() as out_file, tempfile.TemporaryFile() as err_file:
            child = os.fork()
            if child == 0:
                _put(1, out, out_file.fileno())
                _put(2, err, err_file.fileno())
                sys.stdout = sys.__stdout__ = _stream(1, out)
                sys.stderr = sys.__stderr__ = _stream(2, err)
                sys.argv = ["groundwire", *arguments]
                cli.main()  # SystemExit goes up to the end of this very process
            _, status = os.waitpid(child, 0)
            results.append((os.waitstatus_to_exitcode(status), *map(_text, (out_file, err_file))))
    print(json.dumps(results))


def _put(number: int, what: str, kept: int) -> None:
    os.close(number)
    if what == LEFT:
        reader, writer = os.pipe()
        os.dup2(writer, number)
        for each in {reader, writer} - {number}:
            os.close(each)
    elif what == FULL:
        os.dup2(os.open("/dev/full", os.O_WRONLY), number)
    elif what == KEPT:
        os.dup2(kept, number)


def _stream(number: int, what: str) -> TextIO | None:
    """Return what Python makes of a standard stream at its start."""
    return None if what == CLOSED else os.fdopen(number, "w", buffering=1 if number == 2 else -1, closefd=False)


def _text(file) -> str:
    file.seek(0)
    return file.read().decode()


if __name__ == "__main__":
    main()
