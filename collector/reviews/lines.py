"""Files that grow by a line: a line that was acknowledged is on the disk, and one that was cut off is not there."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from collector.errors import ConfigError
from collector.writing import write_whole

PRIVATE = 0o600
_BLOCK = 64 * 1024

ReviewRow = Mapping[str, Any]


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file. What was being written when its process was killed is left out.

    Raises `ConfigError` that names the line which is no JSON.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    found = []
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        if line.strip():
            try:
                found.append(orjson.loads(line))
            except orjson.JSONDecodeError as error:
                raise ConfigError(f"{path}: line {number}: not JSON: {error}") from error
    return found


def put(path: Path, told: Sequence[ReviewRow]) -> None:
    """Write a private file of rows, whole. Raises `ConfigError`."""
    write_whole(path, b"".join(orjson.dumps(row) + b"\n" for row in told), mode=PRIVATE)


def append(path: Path, row: ReviewRow) -> None:
    """Add a row, and return when it is on the disk. Raises `ConfigError`."""
    try:
        path.touch(PRIVATE)
        with path.open("r+b") as file:
            file.seek(_whole(file.fileno()))
            file.truncate()
            file.write(orjson.dumps(row) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error


def last(path: Path) -> dict[str, Any] | None:
    """Return the last row of a file, without reading those before it; ``None`` for an empty file."""
    with path.open("rb") as file:
        end = _whole(file.fileno())
        start = max(0, end - _BLOCK)
        file.seek(start)
        lines = file.read(end - start).splitlines()
    return orjson.loads(lines[-1]) if lines else None


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other processes and threads from what is done within, by a lock on a file that is there."""
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _whole(descriptor: int) -> int:
    """Return how many bytes of a file are whole lines."""
    end = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, _BLOCK, max(0, end - _BLOCK))
    return end - (len(tail) - tail.rfind(b"\n") - 1)
