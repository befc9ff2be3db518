"""Chunks in, due traces out, adaptations booked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from collector.store.base import Adapted, Chunk, DueTrace
from collector.store.rows import groups, upsert
from collector.store.tables import books, chunks, malformed, traces

MAX_TRACE_BYTES = 16 * 1024 * 1024
"""What is read of one trace. Real ones have some ten thousand bytes; one without end must not take the agent's memory,
nor be read whole again with each of its late chunks."""
MALFORMED_KEPT = 1000
REASON_CHARACTERS = 500
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


def append(connection: sa.Connection, batch: Sequence[Chunk]) -> None:
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
    connection.execute(_note_arrivals(connection.dialect.name), list(arrivals.values()))


@cache
def _note_arrivals(dialect: str) -> sqlite.Insert | postgresql.Insert:
    insert = upsert(dialect, traces)
    old, new = traces.c, insert.excluded
    return insert.on_conflict_do_update(
        index_elements=[old.trace_id],
        set_={
            "first_arrived": sa.case(
                (new.first_arrived < old.first_arrived, new.first_arrived), else_=old.first_arrived
            ),
            "last_arrived": sa.case((new.last_arrived > old.last_arrived, new.last_arrived), else_=old.last_arrived),
            # Null where nothing waited, which makes the condition null and takes the new one.
            "waiting_since": sa.case(
                (old.waiting_since <= new.waiting_since, old.waiting_since), else_=new.waiting_since
            ),
            "has_root": sa.or_(old.has_root, new.has_root),
            "last_seq": new.last_seq,
            "spans": old.spans + new.spans,
            "bytes": old.bytes + new.bytes,
        },
    )


def due(
    connection: sa.Connection,
    *,
    now: int,
    idle: int,
    timeout: int,
    limit: int,
    limit_bytes: int,
    without: Collection[bytes],
) -> list[DueTrace]:
    """Return closed traces with everything stored of them, longest waiting first."""
    waiting = sa.select(traces).where(traces.c.last_seq > traces.c.adapted_seq).limit(limit)
    if without:
        waiting = waiting.where(traces.c.trace_id.not_in(without))
    statements = [
        waiting.where(traces.c.has_root == has_root, traces.c.last_arrived <= now - silence).order_by(
            traces.c.last_arrived
        )
        for has_root, silence in ((sa.true(), min(idle, timeout)), (sa.false(), timeout))
    ]
    # Nothing came before 1970, and what lies far before is no integer of the database.
    too_long_ago = max(now - MAX_OPEN_TIMEOUTS * timeout, -1)
    statements.append(waiting.where(traces.c.waiting_since <= too_long_ago).order_by(traces.c.waiting_since))
    # What came while the clock was ahead would stay open until that time comes.
    statements.append(waiting.where(traces.c.has_root.in_((True, False)), traces.c.last_arrived > now + timeout))
    found = {row.trace_id: row for statement in statements for row in connection.execute(statement)}
    chosen: dict[bytes, sa.Row[Any]] = {}
    taken = 0
    for row in sorted(found.values(), key=lambda row: row.waiting_since)[:limit]:
        if chosen and taken + row.bytes > limit_bytes:
            break
        taken += row.bytes
        chosen[row.trace_id] = row
    data = _chunks(connection, [trace_id for trace_id, row in chosen.items() if row.bytes <= MAX_TRACE_BYTES])
    oversized = {trace_id for trace_id, row in chosen.items() if row.bytes > MAX_TRACE_BYTES}
    data |= {trace_id: _first_chunks(connection, trace_id) for trace_id in oversized}
    return [
        DueTrace(
            trace_id=trace_id,
            complete=row.has_root and trace_id not in oversized,
            revision=row.revision,
            upto_seq=row.last_seq,
            adapted_spans=row.adapted_spans,
            arrived=row.last_arrived,
            chunks=tuple(data[trace_id]),
            answered=row.outcome == "answer",
        )
        for trace_id, row in chosen.items()
    ]


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


def load(connection: sa.Connection, trace_ids: Sequence[bytes]) -> dict[bytes, sa.Row[Any]]:
    """Return the rows of traces by id; those unknown are left out."""
    found: dict[bytes, sa.Row[Any]] = {}
    for ids in groups(trace_ids):
        for row in connection.execute(sa.select(traces).where(traces.c.trace_id.in_(ids))):
            found[row.trace_id] = row
    return found


_MARKED = ("adapted_seq", "waiting_since", "accounted", "duplicates", "adapted_spans", "revision", "outcome")
_MARK = (
    sa.update(traces)
    .where(traces.c.trace_id == sa.bindparam("of_trace"))
    .values({name: sa.bindparam(f"new_{name}") for name in _MARKED})
)


def mark(connection: sa.Connection, marks: Sequence[Mapping[str, Any]]) -> None:
    """Write what `book` returned of several traces."""
    if marks:
        connection.execute(_MARK, marks)


def book(connection: sa.Connection, row: sa.Row[Any], result: Adapted) -> tuple[dict[str, Any], Counter[str]]:
    """Return how to mark a trace adapted as ``result`` says, and what that changes in the books."""
    if not row.adapted_seq <= result.upto_seq <= row.last_seq:
        raise ValueError(f"trace {result.trace_id.hex()} has no chunk {result.upto_seq}: {row.last_seq} is its newest")
    accounted, waiting_since = row.spans, None
    if result.upto_seq < row.last_seq:
        rest = sa.select(sa.func.coalesce(sa.func.sum(chunks.c.n_spans), 0), sa.func.min(chunks.c.arrived)).where(
            chunks.c.trace_id == result.trace_id, chunks.c.seq > result.upto_seq
        )
        n_newer, waiting_since = connection.execute(rest).one()
        accounted -= n_newer
    if not 0 <= result.n_duplicates <= accounted:
        raise ValueError(f"trace {result.trace_id.hex()} cannot hold {result.n_duplicates} copies in {accounted} spans")
    # The late rest of a trace whose chunks are gone says nothing about what the trace was.
    outcome = row.outcome if row.pruned else result.outcome
    marked = {
        "of_trace": result.trace_id,
        "new_adapted_seq": result.upto_seq,
        "new_waiting_since": waiting_since,
        "new_accounted": accounted,
        "new_duplicates": result.n_duplicates,
        "new_adapted_spans": row.adapted_spans if row.pruned else result.n_spans,
        "new_revision": row.revision if row.pruned else max(row.revision, result.revision + 1),
        "new_outcome": outcome,
    }
    change: Counter[str] = Counter()
    if row.outcome is not None:
        change[f"traces_{row.outcome}"] -= 1
        change[f"spans_{row.outcome}"] -= row.accounted - row.duplicates
        change["spans_duplicate"] -= row.duplicates
    change[f"traces_{outcome}"] += 1
    change[f"spans_{outcome}"] += accounted - result.n_duplicates
    change["spans_duplicate"] += result.n_duplicates
    return marked, change


def write_books(connection: sa.Connection, change: Counter[str]) -> None:
    """Add ``change`` to the totals."""
    values = {books.c[name]: books.c[name] + n for name, n in change.items() if n}
    if values:
        connection.execute(sa.update(books).values(values))


def keep_malformed(connection: sa.Connection, results: Sequence[Adapted]) -> None:
    """Remember the newest traces that could not be read, and forget those that could be after all."""
    for ids in groups([result.trace_id for result in results if result.outcome != "malformed"]):
        connection.execute(sa.delete(malformed).where(malformed.c.trace_id.in_(ids)))
    rows = [
        {"trace_id": result.trace_id, "at": result.at, "reason": (result.reason or "")[:REASON_CHARACTERS]}
        for result in results
        if result.outcome == "malformed"
    ]
    if not rows:
        return
    insert = upsert(connection.dialect.name, malformed)
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[malformed.c.trace_id], set_={"at": insert.excluded.at, "reason": insert.excluded.reason}
        ),
        rows,
    )
    newest = sa.select(malformed.c.trace_id).order_by(malformed.c.at.desc(), malformed.c.trace_id).limit(MALFORMED_KEPT)
    connection.execute(sa.delete(malformed).where(malformed.c.trace_id.not_in(newest)))
