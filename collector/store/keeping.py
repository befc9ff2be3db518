"""The books, what waits, and what retention removes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from collector.store.base import Pending, Totals
from collector.store.rows import groups
from collector.store.scored import prune as prune_contexts
from collector.store.tables import answers, books, changes, checkpoints, chunks, evaluations, scored, traces


def totals(connection: sa.Connection) -> Totals:
    """Return the books."""
    kept = connection.execute(sa.select(books)).one()
    # Counted from the traces rather than taken as the difference: the law must be able to fail.
    waiting = sa.select(sa.func.coalesce(sa.func.sum(traces.c.spans - traces.c.accounted), 0)).where(
        traces.c.last_seq > traces.c.adapted_seq
    )
    return Totals(
        accepted=kept.accepted,
        adapted=kept.spans_answer,
        not_an_answer=kept.spans_not_an_answer,
        malformed=kept.spans_malformed,
        duplicate=kept.spans_duplicate,
        pending=int(connection.execute(waiting).scalar_one()),
        outcomes={
            "answer": kept.traces_answer,
            "not_an_answer": kept.traces_not_an_answer,
            "malformed": kept.traces_malformed,
        },
        records=kept.records,
        records_by={
            "answer": kept.records_answer,
            "repeated": kept.records_repeated,
            "malformed": kept.records_malformed,
        },
    )


def pending(connection: sa.Connection) -> Mapping[str, Pending]:
    """Return what waits at each stage."""
    close = sa.select(sa.func.count(), sa.func.min(traces.c.waiting_since)).where(
        traces.c.last_seq > traces.c.adapted_seq
    )
    score = sa.select(sa.func.count(), sa.func.min(answers.c.arrived)).where(answers.c.pending)
    judge = sa.select(sa.func.count(), sa.func.min(evaluations.c.scored_at)).where(
        evaluations.c.seq > folded_seq(connection)
    )
    return {
        "close": _pending(connection, close),
        "adapt": Pending(0, None),
        "score": _pending(connection, score),
        "judge": _pending(connection, judge),
    }


def folded_seq(connection: sa.Connection) -> int:
    """Return up to where evaluations are folded; without a gate that folds, none of them waits."""
    highest = connection.execute(sa.select(sa.func.max(checkpoints.c.seq))).scalar_one()
    return int(highest) if highest else sys.maxsize


def prune(connection: sa.Connection, *, chunks_before: int, answers_before: int, limit: int) -> Mapping[str, int]:
    """Remove what is done and old."""
    removed = {"chunks": 0, "traces": 0, "answers": 0, "evaluations": 0, "changes": 0}
    done = sa.select(traces.c.trace_id, traces.c.outcome).where(
        traces.c.spans > 0, traces.c.last_arrived < chunks_before, traces.c.last_seq == traces.c.adapted_seq
    )
    old = connection.execute(done.order_by(traces.c.last_arrived).limit(limit)).all()
    removed["chunks"] = _delete(connection, chunks.c.trace_id, [row.trace_id for row in old])
    # The row of a trace outlives its chunks as long as its answers: late spans must not pass for the whole of it.
    emptied = {"spans": 0, "bytes": 0, "accounted": 0, "duplicates": 0, "pruned": True}
    for ids in groups([row.trace_id for row in old if row.outcome == "answer"]):
        connection.execute(sa.update(traces).where(traces.c.trace_id.in_(ids)).values(emptied))
    removed["traces"] = _delete(connection, traces.c.trace_id, [row.trace_id for row in old if row.outcome != "answer"])
    folded = folded_seq(connection)
    settled = sa.select(answers.c.answer_id).where(
        answers.c.arrived < answers_before,
        sa.not_(answers.c.pending),
        sa.func.coalesce(answers.c.evaluation_seq, 0) <= folded,
    )
    gone = list(connection.execute(settled.order_by(answers.c.arrived).limit(limit)).scalars())
    removed["answers"] = _delete(connection, answers.c.answer_id, gone)
    left = sa.select(evaluations.c.seq).where(
        evaluations.c.scored_at < answers_before,
        evaluations.c.seq <= folded,
        ~sa.exists().where(answers.c.answer_id == evaluations.c.answer_id),
    )
    seqs = list(connection.execute(left.order_by(evaluations.c.scored_at).limit(limit)).scalars())
    removed["evaluations"] = _delete(connection, evaluations.c.seq, seqs)
    _delete(connection, scored.c.seq, seqs)
    prune_contexts(connection)
    told = sa.select(changes.c.seq).where(changes.c.recorded_at < answers_before, changes.c.seq <= folded)
    past = list(connection.execute(told.order_by(changes.c.recorded_at).limit(limit)).scalars())
    removed["changes"] = _delete(connection, changes.c.seq, past)
    emptied_before = min(chunks_before, answers_before)
    husks = sa.select(traces.c.trace_id).where(traces.c.spans == 0, traces.c.last_arrived < emptied_before).limit(limit)
    removed["traces"] += _delete(connection, traces.c.trace_id, list(connection.execute(husks).scalars()))
    return removed


def _delete(connection: sa.Connection, column: sa.Column[Any], keys: list[Any]) -> int:
    count = 0
    for group in groups(keys):
        count += connection.execute(sa.delete(column.table).where(column.in_(group))).rowcount
    return count


def _pending(connection: sa.Connection, statement: sa.Select[int, Any]) -> Pending:
    count, oldest = connection.execute(statement).one()
    return Pending(count, oldest)
