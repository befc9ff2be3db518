"""What keeps the files of a store in order: their disk space, the write-ahead log, the mark beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from adapters.trace import Nanoseconds
from collector.errors import ConfigError, Transient
from collector.store import mark as marks
from collector.store.connections import Connections
from collector.store.health import short_of_files
from collector.store.reserve import Reserve, disk_free
from collector.store.wal import AIM_SHARE, LEAST_PAGES, WalCheckpoint, WriteAheadLog

ROOM_SHARE = 2
"""A store that could not be written is written again when there is room for this part of the reserve."""
LOW_SHARE = 4
"""Without a reserve nothing is taken in any more once there is room for less than this part of it."""


class Upkeep:
    """The files of the store in ``directory``."""

    def __init__(
        self,
        directory: Path,
        *,
        connections: Connections,
        reserve: Reserve,
        log: WriteAheadLog,
        page_bytes: int,
    ) -> None:
        self.directory = directory
        self.health = connections.health
        self.reserve = reserve
        self.log = log
        self._connections = connections
        self._page_bytes = page_bytes
        self._most = self._limit = reserve.size // page_bytes
        self._marked: marks.Position | None = None

    def begin(self, at: Nanoseconds) -> None:
        """Compare the store with the mark beside it, and set the reserve aside if there is room.

        Raises `ConfigError` where the store, or what was found earlier, cannot be read.
        """
        self.health.attended = True
        try:
            missing = marks.looked_up(self.directory, self._connections.read)
        except DatabaseError as error:
            raise ConfigError(f"data: {self.directory}: {error.orig}") from error
        known = marks.rewinds(self.directory)
        if missing is not None:
            known.append(marks.Rewind(at, missing))
        self.health.rewound = marks.unacknowledged(known)
        # Before the mark is: an agent that ends in between finds it out again.
        if missing is None or self._try(lambda: marks.write_rewinds(self.directory, known)):
            self.write_mark(at)
        self.restore()

    def look(self) -> None:
        """See whether somebody acknowledged what the store has lost, and whether room is running out."""
        if self.health.rewound is not None:
            self.health.rewound = marks.unacknowledged(marks.rewinds(self.directory))
        if self.health.unwritable is None and not self.restore() and self.room() < self.reserve.size // LOW_SHARE:
            self.health.stop_writing("the disk is almost full and the reserve is used up")
        self.limit_log()

    def checkpoint_when_due(self, now: float) -> WalCheckpoint | None:
        """Checkpoint the write-ahead log if it is time; ``now`` counts seconds."""
        try:
            return self.log.checkpoint_when_due(now, aim=AIM_SHARE * self._limit)
        except sqlite3.Error as error:
            self.health.note(error)
            return None

    def free(self) -> tuple[int, int]:
        """Return the bytes free on the disk, and those that may be used again within the database."""
        with self._connections.read() as connection:
            pages = connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()
            size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
        return disk_free(self.directory), pages * size

    def room(self) -> int:
        """Return the bytes that the store may still take, without what is to be put aside again."""
        free, reusable = self.free()
        return reusable + max(0, free - (self.reserve.size - self.reserve.held))

    def restore(self) -> bool:
        """Put the reserve aside where there is room for it twice; return whether it is there."""
        if self.reserve.held == self.reserve.size:
            return True
        return disk_free(self.directory) >= 2 * self.reserve.size and self.reserve.take()

    def heal(self, prune: Callable[[], object]) -> str | None:
        """Make room with ``prune``, which removes what is past its retention; return what is still in the way.

        The reserve is given up only when there is something to remove and no room to do that. ``None``: the store can
        be written to again.
        """
        problem = self._pruned(prune)
        if problem is not None and self.reserve.give_up():
            problem = self._pruned(prune)
        self._checkpoint()
        if problem is not None:
            return f"rows past their retention could not be removed: {problem}"
        free, _ = self.free()
        if min(self.room(), self.log.size() + free) < self.reserve.size // ROOM_SHARE:
            return "nothing is left to prune; free disk space, enlarge the volume or shorten the retention"
        try:
            with self._connections.make_room() as connection:
                # Changes nothing, and is written all the same.
                connection.exec_driver_sql("UPDATE books SET id = id")
        except (Transient, SQLAlchemyError) as error:
            return str(error)
        self.health.unwritable = None
        return None

    def limit_log(self) -> None:
        """Let SQLite checkpoint its log by itself before that takes more than half of the space left for it."""
        space = self.log.size() + disk_free(self.directory)
        pages = min(max(space // 2 // self._page_bytes, LEAST_PAGES), self._most)
        if pages != self._limit and (pages == self._most or not self._limit <= 2 * pages <= 4 * self._limit):
            with self._connections.make_room() as connection:
                connection.exec_driver_sql(f"PRAGMA wal_autocheckpoint = {pages}")
            self._limit = pages

    def _pruned(self, prune: Callable[[], object]) -> str | None:
        self._checkpoint()
        try:
            self.limit_log()
            prune()
        except Transient as error:
            return str(error)
        return None

    def write_mark(self, at: Nanoseconds) -> None:
        """Note beside the store where it stands, if it has moved."""
        try:
            with self._connections.read() as connection:
                here = marks.position(connection)
        except (Transient, SQLAlchemyError):
            return
        if here != self._marked and self._try(lambda: marks.write_mark(self.directory, marks.Mark(at, here))):
            self._marked = here

    def _checkpoint(self) -> None:
        try:
            self.log.checkpoint()
        except sqlite3.Error as error:
            self.health.note(error)

    def _try(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except OSError as error:
            if not short_of_files(error):
                self.health.stop_writing(f"{error.filename or self.directory}: {error.strerror}")
            return False
        return True
