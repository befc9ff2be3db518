"""What sources brought: chunks, answers, what could not be read, and where each source stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

import sqlalchemy as sa

from collector.store import answers as answer_rows
from collector.store import traces as trace_rows
from collector.store.base import Pulled, UnreadRecord
from collector.store.rows import upsert
from collector.store.tables import cursors, malformed_records

KEPT = 1000
"""Records kept for inspection, of all sources together."""
CHARACTERS = 500
"""Longest reason or place that is kept."""
_TRACE_ID_BYTES = 16


def append(connection: sa.Connection, pulled: Pulled) -> frozenset[str]:
    """Write a batch of a source and its cursor; return the ids of answers that are new."""
    if pulled.chunks:
        trace_rows.append(connection, pulled.chunks)
    fresh: frozenset[str] = frozenset()
    if pulled.answers:
        rows = [(stored, _trace_id(stored.answer.trace_id), pulled.at) for stored in pulled.answers]
        fresh = answer_rows.write(connection, rows)
    if pulled.malformed:
        _keep(connection, pulled.source, pulled.at, pulled.malformed)
    trace_rows.write_books(
        connection,
        Counter(
            records=len(pulled.answers) + len(pulled.malformed),
            records_answer=len(fresh),
            records_repeated=len(pulled.answers) - len(fresh),
            records_malformed=len(pulled.malformed),
        ),
    )
    set_cursor(connection, pulled.source, pulled.cursor, pulled.at)
    return fresh


def cursor(connection: sa.Connection, name: str) -> bytes | None:
    """Return what was saved last under ``name``."""
    found: bytes | None = connection.execute(
        sa.select(cursors.c.state).where(cursors.c.name == name)
    ).scalar_one_or_none()
    return found


def set_cursor(connection: sa.Connection, name: str, state: bytes, at: int) -> None:
    """Save a cursor."""
    insert = upsert(connection.dialect.name, cursors)
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[cursors.c.name], set_={"state": insert.excluded.state, "at": insert.excluded.at}
        ),
        {"name": name, "state": state, "at": at},
    )


def unread(connection: sa.Connection, source: str, *, limit: int) -> list[tuple[int, UnreadRecord]]:
    """Return what could not be read of a source, newest first."""
    of_source = sa.select(malformed_records).where(malformed_records.c.source == source)
    newest = of_source.order_by(malformed_records.c.at.desc(), malformed_records.c.id).limit(limit)
    return [(row.at, UnreadRecord(row.reason, row.place)) for row in connection.execute(newest)]


def _keep(connection: sa.Connection, source: str, at: int, records: Sequence[UnreadRecord]) -> None:
    rows = {}
    for record in records[-KEPT:]:
        reason, place = _shown(record.reason), _shown(record.place)
        digest = blake2b(f"{source}\0{place}\0{reason}".encode(), digest_size=16).digest()
        rows[digest] = {"id": digest, "source": source, "at": at, "place": place, "reason": reason}
    insert = upsert(connection.dialect.name, malformed_records)
    connection.execute(
        insert.on_conflict_do_update(index_elements=[malformed_records.c.id], set_={"at": insert.excluded.at}),
        list(rows.values()),
    )
    order = (malformed_records.c.at.desc(), malformed_records.c.id)
    newest = sa.select(malformed_records.c.id).order_by(*order).limit(KEPT)
    connection.execute(sa.delete(malformed_records).where(malformed_records.c.id.not_in(newest)))


def _shown(text: str) -> str:
    # Hostile text may hold half a surrogate pair, which no database takes.
    return text[:CHARACTERS].encode("utf-8", "replace").decode()


def _trace_id(text: str | None) -> bytes:
    """Return the id of the trace that an answer says it is from; nothing where it says none, or no such id."""
    try:
        raw = bytes.fromhex(text or "")
    except ValueError:
        return b""
    return raw if len(raw) == _TRACE_ID_BYTES else b""
