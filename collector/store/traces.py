"""Chunks in, due traces out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from adapters.trace import Nanoseconds
from collector.store.connections import StorePart
from collector.store.rows import Chunk, DueTrace
from collector.store.statements import groups
from collector.store.tables import books, chunks, traces

MAX_TRACE_BYTES = 16 * 1024 * 1024
"""What is read of one trace. Real ones have some ten thousand bytes; one without end must not take the agent's memory,
nor be read whole again with each of its late chunks."""
MAX_OPEN_TIMEOUTS = 10
"""Time-outs after which a trace that never falls silent, such as one span around a consumer's loop, closes all the
same."""


# Statements of the hot path are built once: building them takes longer than running them.
_ACCEPT = (
    sa.update(books)
    .values(chunk_seq=books.c.chunk_seq + sa.bindparam("n"), accepted=books.c.accepted + sa.bindparam("spans"))
    .returning(books.c.chunk_seq)
)
_INSERT_CHUNKS = sa.insert(chunks)
_WAITS = traces.c.last_seq > traces.c.adapted_seq
_ANY_WAITS = sa.select(sa.literal(1)).where(_WAITS, traces.c.has_root.in_((True, False))).limit(1)
"""Asked four times a second, and mostly answered with no: the column of the index has it read that alone."""
_arrival = sqlite.insert(traces)
_old, _new = traces.c, _arrival.excluded
_NOTE_ARRIVALS = _arrival.on_conflict_do_update(
    index_elements=[_old.trace_id],
    set_={
        "first_arrived": sa.case(
            (_new.first_arrived < _old.first_arrived, _new.first_arrived), else_=_old.first_arrived
        ),
        "last_arrived": sa.case((_new.last_arrived > _old.last_arrived, _new.last_arrived), else_=_old.last_arrived),
        # Null where nothing waited, which makes the condition null and takes the new one.
        "waiting_since": sa.case(
            (_old.waiting_since <= _new.waiting_since, _old.waiting_since), else_=_new.waiting_since
        ),
        "has_root": sa.or_(_old.has_root, _new.has_root),
        "last_seq": _new.last_seq,
        "spans": _old.spans + _new.spans,
        "bytes": _old.bytes + _new.bytes,
    },
)


def write_chunks(connection: sa.Connection, batch: Sequence[Chunk]) -> None:
    """Insert chunks and note their arrival on their traces."""
    n_spans = sum(chunk.n_spans for chunk in batch)
    newest = connection.execute(_ACCEPT, {"n": len(batch), "spans": n_spans}).scalar_one()
    arrivals: dict[bytes, dict[str, Any]] = {}
    rows = []
    for seq, chunk in enumerate(batch, newest - len(batch) + 1):
        arrived = chunk.arrived
        rows.append(
            {
                "seq": seq,
                "trace_id": chunk.trace_id,
                "arrived": arrived,
                "n_spans": chunk.n_spans,
                "data": chunk.data,
            }
        )
        known = arrivals.get(chunk.trace_id)
        first = arrived if known is None else min(known["first_arrived"], arrived)
        arrivals[chunk.trace_id] = {
            "trace_id": chunk.trace_id,
            "first_arrived": first,
            "last_arrived": arrived if known is None else max(known["last_arrived"], arrived),
            "waiting_since": first,
            "has_root": chunk.has_root or (known is not None and known["has_root"]),
            "last_seq": seq,
            "spans": chunk.n_spans + (0 if known is None else known["spans"]),
            "bytes": len(chunk.data) + (0 if known is None else known["bytes"]),
        }
    connection.execute(_INSERT_CHUNKS, rows)
    connection.execute(_NOTE_ARRIVALS, list(arrivals.values()))


class TraceStore(StorePart):
    """Traces, as they arrive and close."""

    def append(self, batch: Sequence[Chunk]) -> None:
        """Append raw chunks; on return they are on disk."""
        if batch:
            with self._write() as connection:
                write_chunks(connection, batch)

    def due(
        self,
        *,
        now: Nanoseconds,
        idle: Nanoseconds,
        timeout: Nanoseconds,
        limit: int,
        limit_bytes: int,
        without: Collection[bytes] = (),
    ) -> list[DueTrace]:
        """Return closed traces with chunks not adapted yet, longest waiting first, but for those ``without``.

        A trace is closed when its root has ended and nothing came for ``idle``, or nothing came for ``timeout``,
        or its oldest waiting chunk is older than ten time-outs, as some traces never fall silent, or it has a chunk
        from more than a time-out after now, from when the clock was ahead. It is ``complete`` if its root has ended. At
        most ``limit`` traces and about ``limit_bytes`` of chunks are returned; of a trace beyond 16 MiB only the first
        chunks, and it is not ``complete``.
        """
        waiting = sa.select(traces).where(_WAITS).limit(limit)
        if without:
            waiting = waiting.where(traces.c.trace_id.not_in(without))
        with self._read() as connection:
            if connection.execute(_ANY_WAITS).first() is None:
                return []
            closed = {
                row.trace_id: row
                for statement in _closed(waiting, now, idle, timeout)
                for row in connection.execute(statement)
            }
            rows = _chosen(closed.values(), limit=limit, limit_bytes=limit_bytes)
            oversized = {row.trace_id for row in rows if row.bytes > MAX_TRACE_BYTES}
            data = _chunks(connection, [row.trace_id for row in rows if row.trace_id not in oversized])
            data |= {trace_id: _first_chunks(connection, trace_id) for trace_id in oversized}
        return [
            DueTrace(
                trace_id=row.trace_id,
                complete=row.has_root and row.trace_id not in oversized,
                revision=row.revision,
                upto_seq=row.last_seq,
                adapted_spans=row.adapted_spans,
                arrived=row.last_arrived,
                chunks=tuple(data[row.trace_id]),
                answered=row.outcome == "answer",
            )
            for row in rows
        ]

    def newest_traces(self, *, limit: int, limit_bytes: int) -> list[tuple[bytes, tuple[bytes, ...]]]:
        """Return traces that were adapted, with their chunks, the newest first; at most so many and so many bytes."""
        # As the index says it, and not as a parameter: only then it is used.
        stored = traces.c.spans > sa.literal_column("0")
        wanted = (
            sa.select(traces.c.trace_id, traces.c.bytes)
            .where(stored, traces.c.last_arrived > 0, traces.c.adapted_seq > 0)
            .order_by(traces.c.last_arrived.desc())
        )
        with self._read() as connection:
            rows: list[bytes] = []
            left = limit_bytes
            for row in connection.execute(wanted.limit(limit)):
                left -= row.bytes
                if left < 0:
                    break
                rows.append(row.trace_id)
            data = _chunks(connection, rows)
        return [(trace_id, tuple(data[trace_id])) for trace_id in rows]


def _closed(
    waiting: sa.Select[Any], now: Nanoseconds, idle: Nanoseconds, timeout: Nanoseconds
) -> Iterator[sa.Select[Any]]:
    """Yield the statements for the closed ones of ``waiting`` traces."""
    has_root, last, since = traces.c.has_root, traces.c.last_arrived, traces.c.waiting_since
    yield waiting.where(has_root == sa.true(), last <= now - min(idle, timeout)).order_by(last)
    yield waiting.where(has_root == sa.false(), last <= now - timeout).order_by(last)
    # Nothing came before 1970, and what lies far before is no integer of the database.
    yield waiting.where(since <= max(now - MAX_OPEN_TIMEOUTS * timeout, -1)).order_by(since)
    # What came while the clock was ahead would stay open until that time comes.
    yield waiting.where(has_root.in_((True, False)), last > now + timeout)


def _chosen(closed: Iterable[sa.Row[Any]], *, limit: int, limit_bytes: int) -> list[sa.Row[Any]]:
    """Return the traces that waited longest, within the limits; one at least."""
    chosen: list[sa.Row[Any]] = []
    n_bytes = 0
    for row in sorted(closed, key=lambda row: row.waiting_since)[:limit]:
        n_bytes += row.bytes
        if chosen and n_bytes > limit_bytes:
            break
        chosen.append(row)
    return chosen


def _chunks(connection: sa.Connection, trace_ids: Sequence[bytes]) -> dict[bytes, list[bytes]]:
    data: dict[bytes, list[bytes]] = {trace_id: [] for trace_id in trace_ids}
    for ids in groups(trace_ids):
        of_trace = sa.select(chunks.c.trace_id, chunks.c.data).where(chunks.c.trace_id.in_(ids)).order_by(chunks.c.seq)
        for trace_id, body in connection.execute(of_trace):
            data[trace_id].append(body)
    return data


def _first_chunks(connection: sa.Connection, trace_id: bytes) -> list[bytes]:
    """Return the first chunks of a trace, up to `MAX_TRACE_BYTES`."""
    found: list[bytes] = []
    size = 0
    of_trace = sa.select(chunks.c.data).where(chunks.c.trace_id == trace_id).order_by(chunks.c.seq)
    with connection.execution_options(yield_per=16).execute(of_trace) as rows:
        for body in rows.scalars():
            size += len(body)
            if found and size > MAX_TRACE_BYTES:
                break
            found.append(body)
    return found
