"""Who holds which connection when: one that writes, one writer at a time, and two pools of them that read.

The pipeline reads over one pool, whoever asks from outside over the other: however many ask, and for however much, no
step waits for them.
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

QUERY_STEPS = 10_000
"""Instructions of SQLite's machine after which a query asks whether it is over: about a millisecond's."""


class Connections:
    """The connections of a store, safe to use from many threads. ``release`` runs once on closing, last."""

    def __init__(
        self, *, writer: sa.Engine, readers: sa.Engine, queries: sa.Engine, release: Callable[[], None]
    ) -> None:
        self._writer = writer
        self._readers = readers
        self._queries = queries
        self._release = release
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Yield the writing connection in a transaction, durable when the block ends."""
        with self._lock:
            self._check_open()
            try:
                with self._writer.begin() as connection:
                    yield connection
            except OperationalError as error:
                raise Transient(f"the store cannot be written: {error.orig}") from error

    @contextmanager
    def idle(self) -> Iterator[None]:
        """Keep everybody from writing while the block runs."""
        with self._lock:
            self._check_open()
            yield

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Yield a reading connection; the block sees one state of the store."""
        self._check_open()
        try:
            with self._readers.begin() as connection:
                yield connection
        except NoneFree as error:
            raise Transient("the store cannot be read: all its connections are in use") from error
        except OperationalError as error:
            raise Transient(f"the store cannot be read: {error.orig}") from error

    @contextmanager
    def query(self, over: Callable[[], bool]) -> Iterator[sa.Connection]:
        """Yield a connection for one who asks from outside, until ``over``; the block sees one state of the store."""
        self._check_open()
        try:
            with self._queries.begin() as connection:
                driver: Any = connection.connection.driver_connection
                driver.set_progress_handler(over, QUERY_STEPS)
                try:
                    yield connection
                finally:
                    driver.set_progress_handler(None, 0)
        except NoneFree as error:
            raise Transient("too many queries at once") from error
        except OperationalError as error:
            if over():
                raise Transient("the query took too long: ask for less") from error
            raise Transient(f"the store cannot be read: {error.orig}") from error

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")

    def close(self) -> None:
        """Release everything; further calls fail. Waits for a write under way; closing again does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            # The reader goes first: whoever closes last folds the write-ahead log into the database.
            self._queries.dispose()
            self._readers.dispose()
            self._writer.dispose()
            self._release()
