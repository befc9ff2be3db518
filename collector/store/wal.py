"""The write-ahead log beside the database, checkpointed in good time and without the writer.

SQLite checkpoints by itself, at the end of the commit that makes the log too long: that commit waits for all of it.
Done before, by a connection of its own, it delays nobody. See https://www.sqlite.org/wal.html#ckpt.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

ENDING = "-wal"
FEW = 128
"""Pages that may be checkpointed while writers wait: a megabyte."""
ROUNDS = 4
"""Attempts to catch up with those who write meanwhile."""
BUSY_SECONDS = 0.01
"""How long writers are kept waiting for readers that still look into the log."""
LEAST_PAGES = 64
AIM_SHARE = 0.6
"""How full the log is to be at a checkpoint. Any sooner, pages that change often would be written more often."""
SOONEST_SECONDS, LATEST_SECONDS = 0.25, 2.0
"""Between two checkpoints."""


@dataclass(frozen=True, slots=True)
class WalCheckpoint:
    """What a checkpoint left: pages in the log, and those that could not be moved because a reader needs them."""

    pages: int
    left: int


class WriteAheadLog:
    """The log of one database. ``exclusive`` keeps every writer of this process out while it is entered."""

    def __init__(self, database: Path, *, exclusive: Callable[[], AbstractContextManager[object]]) -> None:
        self._database = database
        self._exclusive = exclusive
        self._path = database.with_name(database.name + ENDING)
        self._last: float | None = None
        self._wait = LATEST_SECONDS

    def size(self) -> int:
        """Return the bytes the log takes on disk; it is written again from its start, and seldom cut back."""
        try:
            return self._path.stat().st_size
        except FileNotFoundError:
            return 0

    def checkpoint_when_due(self, now: float, *, aim: float) -> WalCheckpoint | None:
        """Checkpoint if by its growth the log should have about ``aim`` pages by now; ``now`` counts seconds."""
        if self._last is None:
            self._last = now - LATEST_SECONDS
        elapsed = now - self._last
        if elapsed < self._wait:
            return None
        checkpoint = self.checkpoint()
        self._last = now
        expected = aim * elapsed / max(checkpoint.pages, 1)
        self._wait = min(max(expected, SOONEST_SECONDS), LATEST_SECONDS)
        return checkpoint

    def checkpoint(self) -> WalCheckpoint:
        """Move what is in the log into the database, and let the log begin anew unless a reader still looks into it.

        Raises `sqlite3.Error`.
        """
        with closing(sqlite3.connect(self._database, isolation_level=None, timeout=BUSY_SECONDS)) as connection:
            done = _checkpoint(connection, "PASSIVE")
            for _ in range(ROUNDS):
                if done.left <= FEW:
                    break
                done = _checkpoint(connection, "PASSIVE")
            if done.pages and done.left <= FEW:
                with self._exclusive():
                    done = _checkpoint(connection, "RESTART")
            return done


def _checkpoint(connection: sqlite3.Connection, mode: str) -> WalCheckpoint:
    _, pages, moved = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    # -1 where another connection checkpoints at this moment.
    return WalCheckpoint(max(pages, 0), max(pages - moved, 0))
