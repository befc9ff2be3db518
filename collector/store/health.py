"""What is wrong with a store: it cannot be written, it is corrupt, or it has gone back in time."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import sqlalchemy as sa

from collector.errors import Transient

UNWRITABLE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
PRIMARY = 0xFF
"""The part of SQLite's result codes that names the kind of error."""


class Health:
    """The state of one store, told by whatever fails. Any thread may read and write it.

    While ``unwritable`` says why, nothing is written but by those who make room: only where somebody does, as
    ``attended`` says. ``corrupt`` stays until the agent ends; ``rewound`` is what the store has lost and nobody has
    acknowledged.
    """

    def __init__(self) -> None:
        self.attended = False
        self.unwritable: str | None = None
        self.corrupt: str | None = None
        self.rewound: str | None = None

    def problems(self) -> tuple[str, ...]:
        """Return why the store should not be sent anything; empty when it may."""
        found = []
        if self.unwritable is not None:
            found.append(f"the store cannot be written: {self.unwritable}")
        if self.corrupt is not None:
            found.append(f"the store is corrupt: {self.corrupt}")
        return tuple(found)

    def warnings(self) -> tuple[str, ...]:
        """Return what a person should know though the store works."""
        return () if self.rewound is None else (f"the store has lost rows: {self.rewound}",)

    def note(self, error: BaseException) -> None:
        """Take notice of what failed, if it says something of the store as a whole."""
        cause = _of_sqlite(error)
        code = getattr(cause, "sqlite_errorcode", 0) & PRIMARY
        if code == sqlite3.SQLITE_CANTOPEN and _no_file_can_be_opened():
            return
        if code in UNWRITABLE:
            self.stop_writing(str(cause))
        elif code in CORRUPT and self.corrupt is None:
            self.corrupt = str(cause)

    def stop_writing(self, reason: str) -> None:
        """Let nothing be written until there is room again, for the first reason that is given."""
        if self.attended and self.unwritable is None:
            self.unwritable = reason

    @contextmanager
    def watching(self, transaction: Callable[[], AbstractContextManager[sa.Connection]]) -> Iterator[sa.Connection]:
        """Yield the connection of a transaction, and take notice of what fails in it."""
        try:
            with transaction() as connection:
                yield connection
        except Exception as error:
            self.note(error)
            raise

    @contextmanager
    def guarding(self, transaction: Callable[[], AbstractContextManager[sa.Connection]]) -> Iterator[sa.Connection]:
        """Do as `watching`; raises `Transient` at once while the store cannot be written."""
        if self.unwritable is not None:
            raise Transient(f"the store cannot be written: {self.unwritable}")
        with self.watching(transaction) as connection:
            yield connection


def wants_room(error: BaseException) -> bool:
    """Return whether something failed for want of disk space, or as it does for want of it."""
    return getattr(_of_sqlite(error), "sqlite_errorcode", 0) & PRIMARY in UNWRITABLE - {sqlite3.SQLITE_READONLY}


def short_of_files(error: OSError) -> bool:
    """Return whether this process may open no more files, which says nothing of the store: who writes has it open."""
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
