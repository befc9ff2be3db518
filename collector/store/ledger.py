"""The change ledger, and what answers showed of versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.entries import Entry, SeenVersion
from collector.store.statements import take_seqs, upsert
from collector.store.tables import changes, seen


class ChangeStore(StorePart):
    """Changes, and the versions that answers showed."""

    def record_changes(
        self,
        entries: Sequence[Entry],
        *,
        seen: Sequence[SeenVersion] = (),
        forgotten: Iterable[tuple[str, str, str | None]] = (),
    ) -> list[Entry]:
        """Append changes, each a row at the end of the timeline, and return their rows, in the order given.

        An entry whose id is there already is not written again: the row returned is the one of before, whatever it
        says. What was ``seen`` is kept in the same transaction; first (component, scope, version) in ``forgotten`` are
        removed from it, without a version all of them.
        """
        with self._write() as connection:
            _keep_seen(connection, seen, forgotten)
            return [_recorded(connection, entry) for entry in entries]

    def changes(self, *, after: int = 0, limit: int = 100, recorded_from: int | None = None) -> list[Entry]:
        """Return changes with a higher ``seq``, in order, optionally those recorded from an instant on."""
        recorded = [] if recorded_from is None else [changes.c.recorded_at >= recorded_from]
        with self._read() as connection:
            return changes_after(connection, after, *recorded, limit=limit)

    def newest_changes(self, *, before: int | None = None, limit: int = 100) -> list[Entry]:
        """Return changes with a ``seq`` below ``before``, newest first."""
        newest = sa.select(changes).order_by(changes.c.seq.desc()).limit(limit)
        if before is not None:
            newest = newest.where(changes.c.seq < before)
        with self._read() as connection:
            return [_entry(row) for row in connection.execute(newest)]

    def change(self, seq: int) -> Entry | None:
        """Return one change by its number."""
        with self._read() as connection:
            return next(iter(changes_after(connection, seq - 1, changes.c.seq == seq, limit=1)), None)

    def changes_of(self, component: str, *, limit: int) -> list[Entry]:
        """Return the changes of a component, newest first; the component of a reference is a gate, and no such."""
        known = sa.select(changes).where(changes.c.component == component, changes.c.kind != "reference")
        with self._read() as connection:
            return [_entry(row) for row in connection.execute(known.order_by(changes.c.seq.desc()).limit(limit))]

    def seen(self) -> list[SeenVersion]:
        """Return what was seen of versions, longest ago first."""
        statement = sa.select(seen).order_by(seen.c.last_at, seen.c.component, seen.c.scope, seen.c.version)
        with self._read() as connection:
            return [SeenVersion(**row) for row in connection.execute(statement).mappings()]

    def components(self) -> frozenset[str]:
        """Return every component of which a version was ever seen in answers, or a change recorded."""
        names = sa.union(sa.select(seen.c.component), sa.select(changes.c.component))
        with self._read() as connection:
            return frozenset(connection.execute(names).scalars())


def insert_changes(connection: sa.Connection, entries: Sequence[Entry]) -> None:
    """Append changes that have their ``seq`` already."""
    if entries:
        connection.execute(sa.insert(changes).prefix_with("OR IGNORE"), [_values(entry) for entry in entries])


def changes_after(connection: sa.Connection, seq: int, *conditions: sa.ColumnElement[bool], limit: int) -> list[Entry]:
    """Return changes with a higher ``seq`` that meet the ``conditions``, in order."""
    above = sa.select(changes).where(changes.c.seq > seq).order_by(changes.c.seq).limit(limit)
    return [_entry(row) for row in connection.execute(above.where(*conditions))]


def _recorded(connection: sa.Connection, entry: Entry) -> Entry:
    """Append an entry unless its id is there already; return the row with that id."""
    known = connection.execute(sa.select(changes).where(changes.c.change_id == entry.id)).one_or_none()
    if known is not None:
        return _entry(known)
    row = replace(entry, seq=take_seqs(connection, "evaluation_seq", 1))
    connection.execute(sa.insert(changes), _values(row))
    return row


def _keep_seen(
    connection: sa.Connection, rows: Sequence[SeenVersion], forgotten: Iterable[tuple[str, str, str | None]]
) -> None:
    """Forget versions, or all versions of a component within a scope, and write what was seen."""
    for component, scope, version in forgotten:
        gone = sa.delete(seen).where(seen.c.component == component, seen.c.scope == scope)
        connection.execute(gone if version is None else gone.where(seen.c.version == version))
    if rows:
        connection.execute(upsert(seen, "count", "first", "last", "last_at"), [asdict(row) for row in rows])


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
