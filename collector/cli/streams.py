"""Standard output and standard error of a command: if one cannot be written, the exit code still keeps its meaning.

Python flushes both once more at its very end and, where that fails, ends with 120. Here what cannot be written is known
at the write, and what follows it goes nowhere.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any, Final, TextIO

STANDARD: Final = (0, 1, 2)


class UnwritableError(OSError):
    """Standard output takes nothing, as on a full disk."""

    def __str__(self) -> str:
        return f"standard output: cannot be written: {self.strerror}"


class ReaderLeftError(BrokenPipeError):
    """Who reads standard output has seen enough, as ``head`` does after its lines.

    It has no ``errno``: at EPIPE typer ends the process with code 1, which is the verdict `fail`.
    """

    def __init__(self) -> None:
        super().__init__("broken pipe")
        self.strerror = "Broken pipe"


class _Output(io.FileIO):
    """Raises `ReaderLeftError` or `UnwritableError` once, and drops what is written after that."""

    _lost = False

    def write(self, data: Any, /) -> int:
        if self._lost:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except BrokenPipeError as error:
            self._lost = True
            raise ReaderLeftError from error
        except OSError as error:
            self._lost = True
            raise UnwritableError(error.errno, error.strerror) from error


class _Errors(io.FileIO):
    """Drops what cannot be written: the exit code says it alone."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def take() -> None:
    """Put such streams in place of the standard ones; what stands in for them already, as in a test, stays.

    A file opened while one of the three is closed would take its number, and with it what libraries print there: a
    store could be overwritten with a message. So what is closed is held open to nowhere. ``sys.stdout`` stays ``None``
    where it was closed before the start.
    """
    for number in STANDARD:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    if sys.stdout is not None and sys.stdout is sys.__stdout__:
        sys.stdout = _over(_Output(1, "w", closefd=False), sys.stdout)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - open until the process ends
    elif sys.stderr is sys.__stderr__:
        sys.stderr = _over(_Errors(2, "w", closefd=False), sys.stderr)


def _over(raw: io.FileIO, stream: TextIO | None) -> TextIO:
    """Return a stream that writes to ``raw`` as ``stream`` does to its file: in its encoding, buffered alike."""
    assert isinstance(stream, io.TextIOWrapper)
    return io.TextIOWrapper(
        raw if stream.write_through else io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
