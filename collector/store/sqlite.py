"""The embedded store: SQLite in a data directory that one agent owns."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from collector.errors import ConfigError, Transient
from collector.store.base import Store
from collector.store.connections import Connections
from collector.store.health import Health, wants_room
from collector.store.migrate import upgrade
from collector.store.pace import Pace
from collector.store.private import make_private, touch
from collector.store.reserve import Reserve, disk_free
from collector.store.sql import SqlStore
from collector.store.upkeep import Upkeep
from collector.store.wal import WriteAheadLog

DATABASE = "groundwire.db"
LOCK = "lock"
PAGE_BYTES = 8192
PRAGMAS = {
    # Chunks of some 25 kB take fewer, larger writes than at the default of 4,096; at 16,384 the rows of traces, each in
    # another page, cost more than that saves. Only a new database takes it.
    "page_size": PAGE_BYTES,
    # Readers never wait for the writer, nor it for them.
    "journal_mode": "WAL",
    # A commit is on disk when it returns: what was acknowledged survives a power cut, not only a dead process.
    "synchronous": "FULL",
    "busy_timeout": 10_000,
    # Freed pages are not overwritten where that alone would write them: removing a megabyte then writes little more
    # than the list of what is free, instead of a megabyte of zeros through the log. Some builds of SQLite have it on.
    "secure_delete": "FAST",
}
WRITER_CACHE_KIB = 8_192
READER_CACHE_KIB = 2_048
"""Behind both stands the system's page cache: four times as much changed no rate, only the memory of the process."""
READERS = 4
"""Connections that the pipeline's steps keep; as many again for a while where more of them read at once."""
READ_WAIT = 30.0
"""Seconds that a step waits for one of these."""
QUERIES = 4
"""Connections of those who ask from outside; no more."""
QUERY_WAIT = 1.0
"""Seconds that who asks waits for one of these."""
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
"""One slash: a `Path` has made one of two."""


class OwnedStore(SqlStore):
    """The store of a data directory that this process owns; ``upkeep`` cares for its files, ``health`` says how it is.

    ``exposed`` says which of its files others may read, where that could not be helped.
    """

    def __init__(
        self, connections: Connections, *, size: Callable[[], int], upkeep: Upkeep, exposed: Sequence[str]
    ) -> None:
        super().__init__(connections, size=size)
        self.upkeep = upkeep
        self.health = upkeep.health
        self.exposed = tuple(exposed)
        self._write = lambda: self.health.guarding(connections.write)
        self._read = lambda: self.health.watching(connections.read)

    def asked(self, over: Callable[[], bool]) -> Store:
        """Return this store as those read it who ask from outside; what they find wrong is taken notice of, too."""
        view = copy(self)
        view._read = lambda: self.health.watching(partial(self._connections.query, over))  # noqa: SLF001 - its own kind
        return view

    def prune(
        self, *, chunks_before: int, answers_before: int, limit: int, pace: Pace | None = None
    ) -> Mapping[str, int]:
        """Remove what is done and old, also while nothing else can be written: it makes room."""
        try:
            return super().prune(chunks_before=chunks_before, answers_before=answers_before, limit=limit, pace=pace)
        except Exception as error:
            self.health.note(error)
            raise


def open_store(data_dir: str | Path) -> OwnedStore:
    """Open the store in ``data_dir``, made if it is not there, and bring it to this version.

    Its files are made private: only their owner may read what users asked. Raises `ConfigError` when the directory
    cannot be used, another agent owns it, what is in it is no store, or a later version wrote it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     store = open_store(directory)
    ...     store.totals().accepted
    ...     store.close()
    0
    """
    if URL.match(str(data_dir)):
        # Only the scheme is said again: the rest may hold a password.
        raise ConfigError(f"data: {str(data_dir).split(':')[0]}:// is not supported: give a directory")
    directory = Path(data_dir)
    database = directory / DATABASE
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = _own(directory)
    except OSError as error:
        raise ConfigError(f"data: {directory}: {error.strerror or error}") from error
    try:
        touch(database)
        exposed = make_private(directory)
        reserve = Reserve(directory)
        writer = _opened(database, reserve)
    except BaseException as error:
        os.close(lock)
        if isinstance(error, DatabaseError):
            raise ConfigError(f"data: {database}: {error.orig}{_space(directory, error)}") from error
        if isinstance(error, OSError):
            raise ConfigError(f"data: {error.filename or directory}: {error.strerror or error}") from error
        raise
    readers, queries = (
        _engine(
            database, cache_kib=READER_CACHE_KIB, begin="BEGIN", log_bytes=reserve.size, readers=kept_more, wait=wait
        )
        for kept_more, wait in (((READERS, READERS), READ_WAIT), ((QUERIES, 0), QUERY_WAIT))
    )
    connections = Connections(writer=writer, readers=readers, queries=queries, release=lambda: os.close(lock))
    health = Health()
    upkeep = Upkeep(
        directory,
        health=health,
        reserve=reserve,
        log=WriteAheadLog(database, exclusive=connections.idle),
        read=lambda: health.watching(connections.read),
        write=lambda: health.watching(connections.write),
        page_bytes=PAGE_BYTES,
    )
    return OwnedStore(
        connections,
        size=lambda: sum(path.stat().st_size for path in sorted(directory.glob(f"{DATABASE}*"))),
        upkeep=upkeep,
        exposed=exposed,
    )


def _opened(database: Path, reserve: Reserve) -> sa.Engine:
    """Return the writing engine of a database that is at this version; where there is no room, the reserve gives it."""
    while True:
        writer = _engine(database, cache_kib=WRITER_CACHE_KIB, begin="BEGIN IMMEDIATE", log_bytes=reserve.size)
        try:
            with writer.begin() as connection:
                upgrade(connection, str(database))
        except BaseException as error:
            writer.dispose()
            if not (isinstance(error, DatabaseError) and wants_room(error) and reserve.give_up()):
                raise
        else:
            return writer


def _space(directory: Path, error: DatabaseError) -> str:
    return f" ({disk_free(directory):,} bytes are free on this disk)" if wants_room(error) else ""


@contextmanager
def looked_into(data: str | Path) -> Iterator[Store]:
    """Yield the store in ``data`` to read from, whoever owns it: nothing is written or locked, an agent may be running.

    Raises `ConfigError` where there is no store that this version can read.
    """
    directory = Path(data)
    if not (directory / DATABASE).is_file():
        raise ConfigError(f"data: {directory}: there is no store")
    engine = look_into(directory)
    store = SqlStore(Connections(writer=engine, readers=engine, queries=engine, release=lambda: None), size=lambda: 0)
    try:
        yield store
    except DatabaseError as error:
        raise ConfigError(f"data: {directory / DATABASE}: {error.orig}") from error
    except Transient as error:
        raise ConfigError(f"data: {directory / DATABASE}: {error}") from error
    finally:
        store.close()


def look_into(directory: Path) -> sa.Engine:
    """Return an engine that only reads the store in ``directory``, whoever owns it.

    The log of writes that SQLite keeps beside the database is read along. Where the directory cannot be written, the
    index of that log cannot be made: then the database is read as it stands, if there is nothing in the log.
    """
    database = directory / DATABASE
    log = directory / f"{DATABASE}-wal"
    alone = not os.access(directory, os.W_OK) and not (log.exists() and log.stat().st_size)
    mode = "immutable=1" if alone else "mode=ro"
    where = f"file:{urllib.parse.quote(str(database.absolute()))}?{mode}"
    engine = sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(where, uri=True), poolclass=sa.NullPool)

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {PRAGMAS['busy_timeout']}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def _own(directory: Path) -> int:
    """Lock the directory until the descriptor returned is closed or this process ends, however it ends."""
    descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(descriptor, 32).decode(errors="replace").strip()
        os.close(descriptor)
        raise ConfigError(
            f"data: {directory} is in use by another agent (process {owner or 'unknown'}): stop it, or give this one "
            "another directory"
        ) from None
    # Padded, not cut: a full disk takes what fits into the block that is there.
    with suppress(OSError):
        os.pwrite(descriptor, f"{os.getpid():<15}\n".encode(), 0)
    return descriptor


def _engine(
    database: Path,
    *,
    cache_kib: int,
    begin: str,
    log_bytes: int,
    readers: tuple[int, int] | None = None,
    wait: float = READ_WAIT,
) -> sa.Engine:
    """Return the engine of the connection that writes, or of ``readers``: how many are kept, and how many more."""
    kept, more = readers or (1, 0)
    pragmas = PRAGMAS | {
        # Where the log is folded by whoever commits, if nobody did before; at the default of 1,000 pages folding is
        # most of the work. A log that grew beyond it, as under a reader that never ended, is cut back.
        "wal_autocheckpoint": log_bytes // PAGE_BYTES,
        "journal_size_limit": 2 * log_bytes,
        "cache_size": -cache_kib,
    }
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(database)),
        poolclass=sa.QueuePool,
        pool_size=kept,
        max_overflow=more,
        pool_timeout=wait,
        connect_args={"check_same_thread": False},
    )

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        # Python's own implicit transactions do not cover DDL and begin too late: SQLAlchemy's begin says BEGIN instead.
        connection.isolation_level = None
        for name, value in pragmas.items():
            connection.execute(f"PRAGMA {name} = {value}")
        if readers:
            connection.execute("PRAGMA query_only = ON")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
