"""The books, and what waits."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from collector.store.base import Pending, Totals
from collector.store.tables import answers, books, checkpoints, evaluations, traces


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


def _pending(connection: sa.Connection, statement: sa.Select[int, Any]) -> Pending:
    count, oldest = connection.execute(statement).one()
    return Pending(count, oldest)
