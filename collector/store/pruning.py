"""What retention removes: found by a reader, removed a little at a time by the writer.

Between the two the store goes on, so whatever removes asks again whether what was found may still go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.pace import Pace, Work, WorkItem
from collector.store.scored import outlived
from collector.store.statements import groups
from collector.store.tables import (
    answers,
    changes,
    chunks,
    contexts,
    evaluations,
    external,
    labels,
    responses,
    scored,
    traces,
)
from collector.store.waiting import folded_seq

TABLES = ("chunks", "traces", "answers", "evaluations", "external", "labels", "changes")


class Bounds(NamedTuple):
    """Instants before which things are past their retention, and the most rows of each table to find at once."""

    chunks: int
    answers: int
    limit: int


class PruningStore(StorePart):
    """What is past its retention, and how it goes."""

    def prune(
        self, *, chunks_before: int, answers_before: int, limit: int, pace: Pace | None = None
    ) -> Mapping[str, int]:
        """Remove adapted chunks and answers (with their evaluations) that came before; return rows removed by table.

        Nothing that waits at a stage is removed. About ``limit`` rows of each table go, in transactions so short, with
        a rest after each, that appends are not held up: ``pace`` says how short. Call again while anything was removed.
        It works while nothing else can be written: it makes room.
        """
        bounds = Bounds(chunks_before, answers_before, limit)
        pace = pace or Pace()
        removed: Counter[str] = Counter(dict.fromkeys(TABLES, 0))
        for find in (_chunks, _answers, _evaluations, _external, _contexts, _changes, _husks):
            if find is _contexts and not removed["evaluations"] + removed["external"]:
                continue
            with self._connections.read() as connection:
                work = find(connection, bounds)
            removed.update(pace.through(work, self._connections.make_room))
        return {table: removed[table] for table in TABLES}


class _Piece(NamedTuple):
    """A chunk of a trace that is done, and whether it is the last; ``seq`` is none for a trace without any."""

    trace_id: bytes
    answered: bool
    seq: int | None
    n_spans: int
    size: int
    last: bool


def _done(before: int) -> sa.ColumnElement[bool]:
    return sa.and_(traces.c.last_arrived < before, traces.c.last_seq == traces.c.adapted_seq)


def _chunks(connection: sa.Connection, bounds: Bounds) -> Work:
    old = sa.select(traces.c.trace_id, traces.c.outcome).where(traces.c.spans > 0, _done(bounds.chunks))
    found = {
        row.trace_id: row.outcome == "answer"
        for row in connection.execute(old.order_by(traces.c.last_arrived).limit(bounds.limit))
    }
    held: dict[bytes, list[Any]] = {trace_id: [] for trace_id in found}
    # The length of a blob is known without reading it.
    size = sa.func.length(chunks.c.data).label("size")
    for ids in groups(list(found)):
        of_trace = sa.select(chunks.c.trace_id, chunks.c.seq, chunks.c.n_spans, size)
        for row in connection.execute(of_trace.where(chunks.c.trace_id.in_(ids)).order_by(chunks.c.seq)):
            held[row.trace_id].append(row)
    items: list[WorkItem] = []
    for trace_id, answered in found.items():
        for row in held[trace_id]:
            last = row is held[trace_id][-1]
            items.append(WorkItem(_Piece(trace_id, answered, row.seq, row.n_spans, row.size, last), row.size))
        if not held[trace_id]:
            items.append(WorkItem(_Piece(trace_id, answered, None, 0, 0, last=True), 0))
    return Work(items, partial(_remove_chunks, before=bounds.chunks))


# The row of a trace outlives its chunks as long as its answers: late spans must not pass for the whole of it.
_EMPTIED = {"spans": 0, "bytes": 0, "accounted": 0, "duplicates": 0, "pruned": True}
_spans_left = traces.c.spans - sa.bindparam("n_spans")
_TAKE = (
    sa.update(traces)
    .where(traces.c.trace_id == sa.bindparam("of_trace"))
    .values(
        spans=_spans_left,
        bytes=traces.c.bytes - sa.bindparam("n_bytes"),
        accounted=traces.c.accounted - sa.bindparam("n_spans"),
        duplicates=sa.case((traces.c.duplicates > _spans_left, _spans_left), else_=traces.c.duplicates),
        pruned=True,
    )
)


def _remove_chunks(connection: sa.Connection, pieces: Sequence[_Piece], *, before: int) -> Mapping[str, int]:
    """Remove chunks; a trace larger than what goes at once loses its oldest first, and is pruned from then on."""
    ids = list(dict.fromkeys(piece.trace_id for piece in pieces))
    still = sa.select(traces.c.trace_id).where(traces.c.trace_id.in_(ids), _done(before))
    done = set(connection.execute(still).scalars())
    pieces = [piece for piece in pieces if piece.trace_id in done]
    seqs = [piece.seq for piece in pieces if piece.seq is not None]
    removed = {"chunks": _delete(connection, chunks.c.seq, seqs), "traces": 0}
    taken = []
    emptied: dict[bool, list[bytes]] = {True: [], False: []}
    for trace_id, group in groupby(pieces, key=lambda piece: piece.trace_id):
        of_trace = list(group)
        if of_trace[-1].last:
            emptied[of_trace[-1].answered].append(trace_id)
        else:
            n_bytes = sum(piece.size for piece in of_trace)
            n_spans = sum(piece.n_spans for piece in of_trace)
            taken.append({"of_trace": trace_id, "n_spans": n_spans, "n_bytes": n_bytes})
    if taken:
        connection.execute(_TAKE, taken)
    if emptied[True]:
        connection.execute(sa.update(traces).where(traces.c.trace_id.in_(emptied[True])).values(_EMPTIED))
    removed["traces"] = _delete(connection, traces.c.trace_id, emptied[False])
    return removed


def _answers(connection: sa.Connection, bounds: Bounds) -> Work:
    settled = sa.and_(
        answers.c.arrived < bounds.answers,
        sa.not_(answers.c.pending),
        sa.func.coalesce(answers.c.evaluation_seq, 0) <= folded_seq(connection),
    )
    found = sa.select(answers.c.seq, sa.func.length(answers.c.body)).where(settled)
    items = _items(connection, found.order_by(answers.c.arrived).limit(bounds.limit))

    def remove(connection: sa.Connection, seqs: Sequence[int]) -> Mapping[str, int]:
        gone = sa.delete(answers).where(answers.c.seq.in_(seqs), settled).returning(answers.c.seq)
        removed = list(connection.execute(gone).scalars())
        _delete(connection, responses.c.answer_seq, removed)
        return {"answers": len(removed)}

    return Work(items, remove)


def _evaluations(connection: sa.Connection, bounds: Bounds) -> Work:
    return _scores(connection, bounds, evaluations, evaluations.c.scored_at, sa.func.length(evaluations.c.body))


def _external(connection: sa.Connection, bounds: Bounds) -> Work:
    return _scores(connection, bounds, external, external.c.recorded_at, sa.literal(0))


def _scores(
    connection: sa.Connection, bounds: Bounds, table: sa.Table, came: sa.Column[Any], size: sa.ColumnElement[int]
) -> Work:
    """Find scores whose answers are gone: they go with what gates fold of them, and with their labels."""
    left = sa.and_(
        came < bounds.answers,
        table.c.seq <= folded_seq(connection),
        ~sa.exists().where(answers.c.answer_id == table.c.answer_id),
        # A label that no gate folded yet needs the score that it is of.
        ~sa.exists().where(labels.c.evaluation_seq == table.c.seq, labels.c.seq > folded_seq(connection)),
    )
    items = _items(connection, sa.select(table.c.seq, size).where(left).order_by(came).limit(bounds.limit))

    def remove(connection: sa.Connection, seqs: Sequence[int]) -> Mapping[str, int]:
        gone = sa.delete(table).where(table.c.seq.in_(seqs), left).returning(table.c.seq)
        removed = list(connection.execute(gone).scalars())
        _delete(connection, scored.c.seq, removed)
        told = connection.execute(sa.select(labels.c.seq).where(labels.c.evaluation_seq.in_(removed))).scalars().all()
        return {table.name: len(removed), "labels": _delete(connection, labels.c.seq, told)}

    return Work(items, remove)


def _contexts(connection: sa.Connection, bounds: Bounds) -> Work:
    gone = outlived()
    found = sa.select(contexts.c.id, sa.func.length(contexts.c.body)).where(gone).limit(bounds.limit)
    return _work(connection, found, contexts.c.id, gone)


def _changes(connection: sa.Connection, bounds: Bounds) -> Work:
    told = sa.and_(changes.c.recorded_at < bounds.answers, changes.c.seq <= folded_seq(connection))
    found = sa.select(changes.c.seq, sa.literal(0)).where(told).order_by(changes.c.recorded_at).limit(bounds.limit)
    return _work(connection, found, changes.c.seq, told)


def _husks(connection: sa.Connection, bounds: Bounds) -> Work:
    empty = sa.and_(traces.c.spans == 0, traces.c.last_arrived < min(bounds.chunks, bounds.answers))
    found = sa.select(traces.c.trace_id, sa.literal(0)).where(empty).limit(bounds.limit)
    return _work(connection, found, traces.c.trace_id, empty)


def _work(
    connection: sa.Connection, found: sa.Select[Any, Any], column: sa.Column[Any], still: sa.ColumnElement[bool]
) -> Work:
    def remove(connection: sa.Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        gone = sa.delete(column.table).where(column.in_(keys), still)
        return {column.table.name: connection.execute(gone).rowcount}

    return Work(_items(connection, found), remove)


def _items(connection: sa.Connection, found: sa.Select[Any, Any]) -> list[WorkItem]:
    return [WorkItem(key, size) for key, size in connection.execute(found)]


def _delete(connection: sa.Connection, column: sa.Column[Any], keys: Sequence[Any]) -> int:
    if not keys:
        return 0
    return connection.execute(sa.delete(column.table).where(column.in_(keys))).rowcount
