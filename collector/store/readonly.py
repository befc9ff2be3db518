"""Reads a store, whoever owns it: nothing is written or locked, and an agent may be running on it."""

from __future__ import annotations

import os
import sqlite3
import urllib.parse
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from collector.errors import ConfigError, Transient
from collector.store.connections import Connections
from collector.store.health import Health
from collector.store.sqlite import DATABASE, PRAGMAS, prepared
from collector.store.store import Store


@contextmanager
def looked_into(data: str | Path) -> Iterator[Store]:
    """Yield the store in ``data`` to read from.

    Raises `ConfigError` where there is no store that this version can read.
    """
    with _opened(data) as engine:
        connections = Connections(writer=engine, readers=engine, queries=engine, health=Health())
        with closing(Store(connections)) as store:
            yield store


@contextmanager
def read_only(data: str | Path) -> Iterator[sa.Connection]:
    """Yield a connection to the store in ``data``; the block sees one state of it.

    Raises `ConfigError` where there is no store that this version can read.
    """
    with _opened(data) as engine, engine.begin() as connection:
        yield connection


def database_of(data: str | Path) -> Path:
    """Return the database in ``data``. Raises `ConfigError` where there is none."""
    database = Path(data) / DATABASE
    if not database.is_file():
        raise ConfigError(f"data: {data}: no store in this directory")
    return database


@contextmanager
def _opened(data: str | Path) -> Iterator[sa.Engine]:
    database = database_of(data)
    engine = sa.create_engine("sqlite://", creator=lambda: _connected(database), poolclass=sa.NullPool)
    try:
        yield prepared(engine, {"busy_timeout": PRAGMAS["busy_timeout"]}, begin="BEGIN")
    except DatabaseError as error:
        raise ConfigError(f"data: {database}: {error.orig}") from error
    except Transient as error:
        raise ConfigError(f"data: {database}: {error}") from error
    finally:
        engine.dispose()


def _connected(database: Path) -> sqlite3.Connection:
    """Open a database to read from.

    The write-ahead log beside it is read along. Where the directory cannot be written, the index of that log cannot be
    made: then the database is read as it stands, if there is nothing in the log.
    """
    log = database.with_name(f"{database.name}-wal")
    alone = not os.access(database.parent, os.W_OK) and not (log.exists() and log.stat().st_size)
    mode = "immutable=1" if alone else "mode=ro"
    return sqlite3.connect(f"file:{urllib.parse.quote(str(database.absolute()))}?{mode}", uri=True)
