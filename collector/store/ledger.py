"""The change ledger, and what answers showed of versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from collector.store.entries import Entry, Seen
from collector.store.rows import take_seqs, upsert
from collector.store.tables import changes, seen


def record(connection: sa.Connection, entries: Sequence[Entry]) -> list[Entry]:
    """Append what is not there yet, and return the row of each entry's id."""
    found: list[Entry] = []
    for entry in entries:
        known = connection.execute(sa.select(changes).where(changes.c.change_id == entry.id)).one_or_none()
        if known is not None:
            found.append(_entry(known))
            continue
        row = replace(entry, seq=take_seqs(connection, "evaluation_seq", 1))
        connection.execute(sa.insert(changes), _values(row))
        found.append(row)
    return found


def listed(
    connection: sa.Connection, *, after: int, limit: int, recorded_from: int | None, upto: int | None = None
) -> list[Entry]:
    """Return changes above ``after``, in order."""
    statement = sa.select(changes).where(changes.c.seq > after).order_by(changes.c.seq).limit(limit)
    if upto is not None:
        statement = statement.where(changes.c.seq <= upto)
    if recorded_from is not None:
        statement = statement.where(changes.c.recorded_at >= recorded_from)
    return [_entry(row) for row in connection.execute(statement)]


def of_component(connection: sa.Connection, component: str, *, limit: int) -> list[Entry]:
    """Return the changes of a component, newest first."""
    known = sa.select(changes).where(changes.c.component == component)
    return [_entry(row) for row in connection.execute(known.order_by(changes.c.seq.desc()).limit(limit))]


def remember(connection: sa.Connection, rows: Sequence[Seen], forgotten: Iterable[tuple[str, str, str | None]]) -> None:
    """Forget versions, or all versions of a component within a scope, and write what was seen."""
    for component, scope, version in forgotten:
        gone = sa.delete(seen).where(seen.c.component == component, seen.c.scope == scope)
        connection.execute(gone if version is None else gone.where(seen.c.version == version))
    if not rows:
        return
    insert = upsert(connection.dialect.name, seen)
    counted = ("count", "first", "last", "last_at")
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[seen.c.component, seen.c.scope, seen.c.version],
            set_={name: insert.excluded[name] for name in counted},
        ),
        [
            {
                "component": row.component,
                "scope": row.scope,
                "version": row.version,
                **{name: getattr(row, name) for name in counted},
            }
            for row in rows
        ],
    )


def remembered(connection: sa.Connection) -> list[Seen]:
    """Return all that was seen, longest ago first."""
    statement = sa.select(seen).order_by(seen.c.last_at, seen.c.component, seen.c.scope, seen.c.version)
    return [
        Seen(
            component=row.component,
            scope=row.scope,
            version=row.version,
            count=row._mapping["count"],  # noqa: SLF001 - a row is a tuple, which has a `count` of its own
            first=row.first,
            last=row.last,
            last_at=row.last_at,
        )
        for row in connection.execute(statement)
    ]


def _values(entry: Entry) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "change_id": entry.id,
        "at": entry.at,
        "recorded_at": entry.recorded_at,
        "kind": entry.kind,
        "source": entry.source,
        "component": entry.component,
        "scope": dict(entry.scope),
        "version": entry.version,
        "previous": entry.previous,
        "documents": list(entry.documents),
        "note": entry.note,
    }


def _entry(row: sa.Row[Any]) -> Entry:
    return Entry(
        id=row.change_id,
        at=row.at,
        recorded_at=row.recorded_at,
        kind=row.kind,
        source=row.source,
        component=row.component,
        scope=row.scope,
        version=row.version,
        previous=row.previous,
        documents=tuple(row.documents),
        note=row.note,
        seq=row.seq,
    )
