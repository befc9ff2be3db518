"""What sources brought: chunks, answers, what could not be read, and where each source stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

import sqlalchemy as sa

from adapters.trace import Nanoseconds
from collector.store.answers import write_answers
from collector.store.books import add_to_books
from collector.store.connections import StorePart
from collector.store.rows import Pulled, UnreadRecord
from collector.store.statements import upsert
from collector.store.tables import cursors, malformed_records
from collector.store.traces import write_chunks

KEPT = 1000
"""Records kept for inspection, of all sources together."""
CHARACTERS = 500
"""Longest reason or place that is kept."""
_TRACE_ID_BYTES = 16


class SourceStore(StorePart):
    """What sources brought, and where each stands."""

    def append_pulled(self, pulled: Pulled) -> frozenset[str]:
        """Append what a source brought and move its cursor, all or nothing; return the ids of answers that are new.

        Chunks are treated as by `TraceStore.append`, answers as by `AdaptationStore.record_adapted`: replaced only by
        the same or a higher revision. Records that could not be read are kept for inspection, newest thousand.
        """
        answers = [(stored, _trace_id(stored.answer.trace_id), pulled.at) for stored in pulled.answers]
        with self._write() as connection:
            if pulled.chunks:
                write_chunks(connection, pulled.chunks)
            fresh = write_answers(connection, answers)
            if pulled.malformed:
                _keep(connection, pulled.source, pulled.at, pulled.malformed)
            records = Counter(
                records=len(pulled.answers) + len(pulled.malformed),
                records_answer=len(fresh),
                records_repeated=len(pulled.answers) - len(fresh),
                records_malformed=len(pulled.malformed),
            )
            add_to_books(connection, records)
            set_cursor_row(connection, pulled.source, pulled.cursor, pulled.at)
        return fresh

    def cursor(self, name: str) -> bytes | None:
        """Return the cursor as saved last under ``name``."""
        with self._read() as connection:
            state: bytes | None = connection.execute(
                sa.select(cursors.c.state).where(cursors.c.name == name)
            ).scalar_one_or_none()
        return state

    def set_cursor(self, name: str, state: bytes, *, at: Nanoseconds) -> None:
        """Save a cursor that moves without bringing anything."""
        with self._write() as connection:
            set_cursor_row(connection, name, state, at)

    def malformed_records(self, source: str, *, limit: int = 100) -> list[tuple[Nanoseconds, UnreadRecord]]:
        """Return what could not be read of a source and when that was, newest first."""
        of_source = sa.select(malformed_records).where(malformed_records.c.source == source)
        newest = of_source.order_by(malformed_records.c.at.desc(), malformed_records.c.id).limit(limit)
        with self._read() as connection:
            return [(row.at, UnreadRecord(row.reason, row.place)) for row in connection.execute(newest)]


def set_cursor_row(connection: sa.Connection, name: str, state: bytes, at: Nanoseconds) -> None:
    """Save a cursor in a transaction of somebody else's."""
    connection.execute(upsert(cursors, "state", "at"), {"name": name, "state": state, "at": at})


def _keep(connection: sa.Connection, source: str, at: Nanoseconds, records: Sequence[UnreadRecord]) -> None:
    rows = {}
    for record in records[-KEPT:]:
        reason, place = _shown(record.reason), _shown(record.place)
        digest = blake2b(f"{source}\0{place}\0{reason}".encode(), digest_size=16).digest()
        rows[digest] = {"id": digest, "source": source, "at": at, "place": place, "reason": reason}
    connection.execute(upsert(malformed_records, "at"), list(rows.values()))
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
