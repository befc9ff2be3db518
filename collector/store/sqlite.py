"""Opens the store: SQLite in a data directory that one agent owns."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from collector.errors import ConfigError
from collector.store.connections import Connections
from collector.store.health import Health, wants_room
from collector.store.migrate import upgrade
from collector.store.private import make_private, touch
from collector.store.reserve import Reserve, disk_free
from collector.store.store import Store
from collector.store.upkeep import Upkeep
from collector.store.wal import WriteAheadLog

NO_DIRECTORY = "not a directory: `data` names the directory of the store"
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
WRITER_CACHE_KIB = 2_048
READER_CACHE_KIB = 512
"""Behind both stands the system's page cache: sixteen times as much changed no rate, only the memory of the process."""
READERS = 4
"""Connections that the pipeline's steps keep; as many again for a while where more of them read at once."""
READ_WAIT = 30.0
"""Seconds that a step waits for one of these."""
QUERIES = 4
"""Connections for queries from outside; no more."""
QUERY_WAIT = 1.0
"""Seconds that a query from outside waits for one of these."""
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
"""One slash: a `Path` has made one of two."""


class OwnedStore(Store):
    """The store of a data directory that this process owns; ``upkeep`` cares for its files, ``health`` says how it is.

    ``exposed`` says which of its files others may read, where that could not be helped.
    """

    def __init__(self, connections: Connections, *, upkeep: Upkeep, exposed: Sequence[str]) -> None:
        super().__init__(connections)
        self.upkeep = upkeep
        self.health = connections.health
        self.exposed = tuple(exposed)

    def size(self) -> int:
        """Return the bytes the store takes on disk."""
        return sum(path.stat().st_size for path in self.upkeep.directory.glob(f"{DATABASE}*"))


def open_store(data_dir: str | Path) -> OwnedStore:
    """Open the store in ``data_dir``, made if it is not there, and bring it to this version.

    Its files are made private: only their owner may read what users asked. Raises `ConfigError` when the directory
    cannot be used, another agent owns it, its database is not a store, or a newer version wrote it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     store = open_store(directory)
    ...     store.totals().accepted
    ...     store.close()
    0
    """
    if URL.match(str(data_dir)):
        # Only the scheme is repeated: the rest may hold a password.
        raise ConfigError(f"data: {str(data_dir).split(':')[0]}:// is not supported; give a directory")
    directory = Path(data_dir)
    database = directory / DATABASE
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = _own(directory)
    except FileExistsError as error:
        raise ConfigError(f"data: {directory}: {NO_DIRECTORY}") from error
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
    connections = Connections(
        writer=writer, readers=readers, queries=queries, health=Health(), release=lambda: os.close(lock)
    )
    log = WriteAheadLog(database, exclusive=connections.idle)
    upkeep = Upkeep(directory, connections=connections, reserve=reserve, log=log, page_bytes=PAGE_BYTES)
    return OwnedStore(connections, upkeep=upkeep, exposed=exposed)


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
    return f" ({disk_free(directory):,} bytes free on this disk)" if wants_room(error) else ""


def _own(directory: Path) -> int:
    """Lock the directory until the descriptor returned is closed or this process ends, however it ends."""
    descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(descriptor, 32).decode(errors="replace").strip()
        os.close(descriptor)
        raise ConfigError(
            f"data: {directory} is in use by another agent (process {owner or 'unknown'}); stop it or use another "
            "data directory"
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
        # Where the log is checkpointed by whoever commits, if nobody did before; at the default of 1,000 pages that is
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

    return prepared(engine, pragmas if readers is None else pragmas | {"query_only": "ON"}, begin=begin)


def prepared(engine: sa.Engine, pragmas: Mapping[str, object], *, begin: str) -> sa.Engine:
    """Return ``engine`` with ``pragmas`` set on each of its connections, whose transactions start with ``begin``."""

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        # Python's own implicit transactions do not cover DDL and begin too late: SQLAlchemy's begin says BEGIN instead.
        connection.isolation_level = None
        for name, value in pragmas.items():
            connection.execute(f"PRAGMA {name} = {value}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
