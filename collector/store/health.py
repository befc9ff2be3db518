"""What is wrong with a store: it cannot be written to, it is corrupt, or it has lost rows."""

from __future__ import annotations

import errno
import os
import sqlite3

UNWRITABLE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
PRIMARY = 0xFF
"""The part of SQLite's result codes that names the kind of error."""


class Health:
    """The state of one store, learned from what fails. Any thread may read and write it.

    While ``unwritable`` says why, nothing is written except to make room; it is only ever set where somebody makes
    room, as ``attended`` says. ``corrupt`` stays until the agent ends; ``rewound`` is what the store has lost and
    nobody has acknowledged.
    """

    def __init__(self) -> None:
        self.attended = False
        self.unwritable: str | None = None
        self.corrupt: str | None = None
        self.rewound: str | None = None

    def problems(self) -> tuple[str, ...]:
        """Return why nothing should be sent to the store; empty while it is ready."""
        problems = []
        if self.unwritable is not None:
            problems.append(f"the store cannot be written to: {self.unwritable}")
        if self.corrupt is not None:
            problems.append(f"the store is corrupt: {self.corrupt}")
        return tuple(problems)

    def warnings(self) -> tuple[str, ...]:
        """Return what a person should know though the store works."""
        return () if self.rewound is None else (f"the store has lost rows: {self.rewound}",)

    def note(self, error: BaseException) -> None:
        """Note an error, if it says something about the store as a whole."""
        cause = _of_sqlite(error)
        code = getattr(cause, "sqlite_errorcode", 0) & PRIMARY
        if code == sqlite3.SQLITE_CANTOPEN and _no_file_can_be_opened():
            return
        if code in UNWRITABLE:
            self.stop_writing(str(cause))
        elif code in CORRUPT and self.corrupt is None:
            self.corrupt = str(cause)

    def stop_writing(self, reason: str) -> None:
        """Let nothing be written until there is room again; the first reason given stays."""
        if self.attended and self.unwritable is None:
            self.unwritable = reason


def wants_room(error: BaseException) -> bool:
    """Return whether an error comes from a full disk, or may come from one."""
    return getattr(_of_sqlite(error), "sqlite_errorcode", 0) & PRIMARY in UNWRITABLE - {sqlite3.SQLITE_READONLY}


def short_of_files(error: OSError) -> bool:
    """Return whether this process has run out of file descriptors: no fault of the store, which is open already."""
    return error.errno in (errno.EMFILE, errno.ENFILE)


def _no_file_can_be_opened() -> bool:
    # SQLite does not tell why it could not open one.
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        return short_of_files(error)
    return False


def _of_sqlite(error: BaseException | None) -> sqlite3.Error | None:
    while error is not None:
        if isinstance(error, sqlite3.Error):
            return error
        error = getattr(error, "orig", None) or error.__cause__
    return None
