"""Files that hold prompts and answers are for their owner alone, whoever made them and with whatever umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MODE = 0o600
OURS = (
    *("groundwire.db*", "lock", "reserve", "mark.json", "mark.part", "rewound.json", "rewound.part"),
    *("catalog/current", "catalog/http.json", "catalog/http-*"),
    *("catalog/*.packed", "catalog/*.vectors.npy", "catalog/*.part"),
)
"""What the agent writes into a data directory; whatever else lies there is somebody else's."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private(directory: Path) -> list[str]:
    """Let nobody but their owner read the files of a data directory; return what did not work.

    A directory keeps its mode: who may see the names in it is up to whoever made it.
    """
    return [problem for path in _files(directory) if (problem := _private(path)) is not None]


def readable(directory: Path) -> list[Path]:
    """Return the files of a data directory that others than their owner may read or write."""
    return [path for path in _files(directory) if path.stat().st_mode & OTHERS]


def touch(path: Path) -> None:
    """Make ``path`` if it is not there, for its owner alone."""
    # Only a new file is opened: closing one that SQLite has open would drop the locks that it holds.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, MODE))


def _files(directory: Path) -> Iterator[Path]:
    for pattern in OURS:
        yield from (path for path in sorted(directory.glob(pattern)) if path.is_file())


def _private(path: Path) -> str | None:
    mode = path.stat().st_mode
    if not mode & OTHERS:
        return None
    reason = "the file system keeps the mode"
    try:
        path.chmod(stat.S_IMODE(mode) & ~OTHERS)
        if not path.stat().st_mode & OTHERS:
            return None
    except OSError as error:
        reason = error.strerror or str(error)
    return f"{path} is readable by others (mode {stat.S_IMODE(mode):04o}) and its mode cannot be changed: {reason}"
