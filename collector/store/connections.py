"""Who holds which connection when: one that writes, one writer at a time, and two pools that read.

The pipeline reads over one pool, API queries over the other: however many there are and however much they read, no step
waits for them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoneFree

from collector.errors import Transient
from collector.store.health import Health

QUERY_STEPS = 10_000
"""Instructions of SQLite's machine after which a query asks whether it is over: about a millisecond's."""
UNREADABLE = "the store cannot be read"
UNWRITABLE = "the store cannot be written to"


class Connections:
    """The connections of a store, safe to use from many threads. ``release`` runs once on closing, last.

    ``health`` is told of every error, and decides whether the store is written at all.
    """

    def __init__(
        self,
        *,
        writer: sa.Engine,
        readers: sa.Engine,
        queries: sa.Engine,
        health: Health,
        release: Callable[[], None] = lambda: None,
    ) -> None:
        self.health = health
        self._writer = writer
        self._readers = readers
        self._queries = queries
        self._release = release
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Yield the writing connection in a transaction, durable when the block ends.

        Raises `Transient` at once while the store is not writable.
        """
        if self.health.unwritable is not None:
            raise Transient(f"{UNWRITABLE}: {self.health.unwritable}")
        with self.make_room() as connection:
            yield connection

    @contextmanager
    def make_room(self) -> Iterator[sa.Connection]:
        """Yield the writing connection even while the store is not writable, to whoever removes rows."""
        with self._lock, self._noted(UNWRITABLE), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def idle(self) -> Iterator[None]:
        """Keep everybody from writing while the block runs."""
        with self._lock:
            self._check_open()
            yield

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Yield a reading connection; the block sees one state of the store."""
        with (
            self._noted(UNREADABLE, busy=f"{UNREADABLE}: all connections are in use"),
            self._readers.begin() as connection,
        ):
            yield connection

    @contextmanager
    def query(self, over: Callable[[], bool]) -> Iterator[sa.Connection]:
        """Yield a connection for a query from outside, until ``over``; the block sees one state of the store."""
        with self._noted(UNREADABLE, busy="too many queries at once", over=over), self._queries.begin() as connection:
            driver: Any = connection.connection.driver_connection
            driver.set_progress_handler(over, QUERY_STEPS)
            try:
                yield connection
            finally:
                driver.set_progress_handler(None, 0)

    @contextmanager
    def _noted(self, failure: str, *, busy: str = "", over: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Tell ``health`` of an error, and raise `Transient` for one that may pass."""
        self._check_open()
        try:
            yield
        except NoneFree as error:
            raise Transient(busy) from error
        except OperationalError as error:
            self.health.note(error)
            raise Transient("query timed out; ask for less" if over() else f"{failure}: {error.orig}") from error
        except Exception as error:
            self.health.note(error)
            raise

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")

    def close(self) -> None:
        """Release everything; further calls fail. Waits for a write under way; closing again does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            # The reader goes first: whoever closes last checkpoints the write-ahead log.
            self._queries.dispose()
            self._readers.dispose()
            self._writer.dispose()
            self._release()


class StorePart:
    """A part of the store: the queries about one subject, each a transaction of its own."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._read = connections.read
        self._write = connections.write
