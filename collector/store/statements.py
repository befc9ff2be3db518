"""What the statements of several tables need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from collector.store.tables import books

T = TypeVar("T")

IN_LIST = 500
"""Values of one ``IN``: SQLite allows 32,766 parameters a statement, and short statements are compiled once."""


def upsert(table: sa.Table, *columns: str, key: sa.Column[Any] | None = None) -> sqlite.Insert:
    """Return an ``INSERT`` that replaces ``columns`` of the row that has the same ``key``, or else primary key."""
    insert = sqlite.insert(table)
    same = list(table.primary_key) if key is None else [key]
    return insert.on_conflict_do_update(index_elements=same, set_={name: insert.excluded[name] for name in columns})


def groups(values: Sequence[T], size: int = IN_LIST) -> Iterator[Sequence[T]]:
    """Yield ``values`` in pieces of at most ``size``."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def rows_by(connection: sa.Connection, column: sa.Column[Any], keys: Sequence[Any]) -> dict[Any, sa.Row[Any]]:
    """Return the rows of a table by a unique ``column``; those unknown are left out."""
    rows: dict[Any, sa.Row[Any]] = {}
    for group in groups(keys):
        for row in connection.execute(sa.select(column.table).where(column.in_(group))):
            rows[getattr(row, column.name)] = row
    return rows


_TAKE_SEQS = {
    name: sa.update(books).values({name: books.c[name] + sa.bindparam("n")}).returning(books.c[name])
    for name in ("answer_seq", "evaluation_seq", "decision_seq")
}


def take_seqs(connection: sa.Connection, name: str, count: int) -> int:
    """Reserve ``count`` sequence numbers of kind ``name`` and return the first.

    The row lock this takes makes the order of numbers the order of commits, so that whoever reads upwards misses none.
    """
    return int(connection.execute(_TAKE_SEQS[name], {"n": count}).scalar_one()) - count + 1


def newest_seq(connection: sa.Connection) -> int:
    """Return the highest number that an evaluation or a change ever had; 0 before the first."""
    return int(connection.execute(sa.select(books.c.evaluation_seq)).scalar_one())
