"""Disk space set aside for a full disk: SQLite needs some to remove rows, and to start at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

NAME = "reserve"
MOST, LEAST = 32 * 1024 * 1024, 4 * 1024 * 1024
SHARE = 16
"""The reserve is this part of the disk, between `LEAST` and `MOST`. The log of writes is kept as short: giving up the
reserve makes room to checkpoint it, even if the database has to grow for all of it."""


def disk_size(directory: Path) -> int:
    """Return the size of the file system of ``directory``."""
    disk = os.statvfs(directory)
    return disk.f_blocks * disk.f_frsize


def disk_free(directory: Path) -> int:
    """Return the bytes that may still be written to the file system of ``directory``."""
    disk = os.statvfs(directory)
    return disk.f_bavail * disk.f_frsize


class Reserve:
    """A file of allocated blocks in the data directory: removed when they are needed, put back when there is room."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / NAME
        self.size = min(max(disk_size(directory) // SHARE, LEAST), MOST)

    @property
    def held(self) -> int:
        """The bytes put aside now; 0 when they were given up."""
        try:
            return self._path.stat().st_size
        except FileNotFoundError:
            return 0

    def take(self) -> bool:
        """Put the space aside; return whether that worked. Space that is put aside already is left as it is."""
        if self.held == self.size:
            return True
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, self.size)
            finally:
                os.close(descriptor)
        except OSError:
            self.give_up()
            return False
        return True

    def give_up(self) -> int:
        """Free the space; return how many bytes that were."""
        freed = self.held
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
        return freed
