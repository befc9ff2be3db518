"""Looks for corruption in the background: a table at a time, never for long, and never at the cost of the log."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import urllib.parse
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from collector.errors import Transient
from collector.store.wal import WriteAheadLog

TABLE_SECONDS = 60.0
"""Time one table may take. What is not finished by then is said to be unchecked."""
LOG_BYTES = 32 * 1024 * 1024
"""By how much the log may grow meanwhile: nothing can be checkpointed that is newer than what a reader looks at."""
PAUSE_SECONDS = 1.0
LOOK_SECONDS = 0.1
NICE = 19


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found: the first problem, if any, and the tables that it could not finish."""

    problem: str | None
    unchecked: tuple[str, ...]


class IntegrityCheck:
    """Runs SQLite's ``quick_check`` over ``database`` on a connection that only reads, at the lowest priority."""

    def __init__(
        self,
        database: Path,
        *,
        log: WriteAheadLog,
        stop: threading.Event,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._where = f"file:{urllib.parse.quote(str(database.absolute()))}?mode=ro"
        self._log = log
        self._stop = stop
        self._clock = clock

    def run(self) -> Checked | None:
        """Check every table, with a pause after each, until a problem is found; ``None`` if the agent stops first.

        Raises `Transient` where that cannot be done now.
        """
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        try:
            with closing(
                sqlite3.connect(self._where, uri=True, isolation_level=None, check_same_thread=False)
            ) as reader:
                return self._of_all(reader)
        except sqlite3.OperationalError as error:
            raise Transient(f"the store cannot be checked: {error}") from error
        except sqlite3.DatabaseError as error:
            return Checked(str(error), ())

    def _of_all(self, reader: sqlite3.Connection) -> Checked | None:
        unchecked: list[str] = []
        names = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        for (table,) in reader.execute(names).fetchall():
            problem = self._of_table(reader, table, unchecked)
            if problem is not None:
                return Checked(f"{table}: {problem}", tuple(unchecked))
            if self._stop.wait(PAUSE_SECONDS):
                return None
        return Checked(None, tuple(unchecked))

    def _of_table(self, reader: sqlite3.Connection, table: str, unchecked: list[str]) -> str | None:
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(reader, done), name="check-watch", daemon=True)
        watch.start()
        try:
            lines = [row[0] for row in reader.execute(f'PRAGMA quick_check("{table}")')]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            unchecked.append(table)
            return None
        finally:
            done.set()
            watch.join()
        return None if lines == ["ok"] else lines[0]

    def _watch(self, reader: sqlite3.Connection, done: threading.Event) -> None:
        """Interrupt a check that takes too long, lets the log grow, or keeps the agent from stopping."""
        until = self._clock() + TABLE_SECONDS
        most = self._log.size() + LOG_BYTES
        while not done.wait(LOOK_SECONDS):
            if self._stop.is_set() or self._clock() >= until or self._log.size() > most:
                reader.interrupt()
