"""One process writes a run at a time: a lock on its folder, which the system ends with the process that holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from collector.errors import ConfigError


class RunUnderWayError(ConfigError):
    """A run folder that another process writes into."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Make a run folder, and keep other processes from writing into it until its process ends, however that comes.

    Raises `RunUnderWayError` where another one does, and `ConfigError` for a folder that cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        if not _locked(descriptor):
            raise RunUnderWayError(f"{folder}: another process is writing this run; wait for it, or name a new folder")
        yield
    finally:
        os.close(descriptor)


def under_way(folder: Path) -> bool:
    """Whether a process is writing the run in a folder now."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return False
    try:
        return not _locked(descriptor)
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    """Lock an open folder; return whether that could be done. The lock ends with the last process that has it open."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network file systems have no locks of folders: there nobody is kept out.
        return True
    return True
