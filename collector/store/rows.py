"""Small helpers that the SQL of every table needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from collector.store.tables import books

T = TypeVar("T")

IN_LIST = 500
"""Values of one ``IN``: SQLite allows 32,766 parameters a statement, and short statements are compiled once."""


def upsert(dialect: str, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """Return an ``INSERT`` that can say ``ON CONFLICT``, which SQLAlchemy offers by dialect only."""
    if dialect == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)


def groups(values: Sequence[T], size: int = IN_LIST) -> Iterator[Sequence[T]]:
    """Yield ``values`` in pieces of at most ``size``."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def take_seqs(connection: sa.Connection, name: str, count: int) -> int:
    """Reserve ``count`` sequence numbers of kind ``name`` and return the first.

    The row lock this takes makes the order of numbers the order of commits, so that whoever reads upwards misses none.
    """
    return int(connection.execute(_take(name), {"n": count}).scalar_one()) - count + 1


@cache
def _take(name: str) -> sa.Executable:
    return sa.update(books).values({name: books.c[name] + sa.bindparam("n")}).returning(books.c[name])
