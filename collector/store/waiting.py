"""What waits for the next step, and since when."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from adapters.trace import Nanoseconds
from collector.store.connections import StorePart
from collector.store.rows import Backlog, Pending
from collector.store.tables import answers, checkpoints, evaluations, traces
from collector.store.traces import MAX_OPEN_TIMEOUTS

LOOKED_AT = 100
"""Waiting answers whose times are looked at, those that arrived first: answers are scored in this order."""
_N = sa.func.count()


class WaitingStore(StorePart):
    """What waits at each stage."""

    def pending(self) -> Mapping[str, Pending]:
        """Return what waits at each of `STAGES`.

        Closed traces are not told apart from open ones here: all count under ``close``, none under ``adapt``.
        ``judge`` counts evaluations above the highest checkpoint; none wait where no checkpoint has folded any (there
        is no gate).
        """
        close = sa.select(_N, sa.func.min(traces.c.waiting_since)).where(traces.c.last_seq > traces.c.adapted_seq)
        score = sa.select(_N, sa.func.min(answers.c.arrived)).where(answers.c.pending)
        with self._read() as connection:
            folded = evaluations.c.seq > folded_seq(connection)
            judge = sa.select(_N, sa.func.min(evaluations.c.scored_at)).where(folded)
            return {
                "close": _pending(connection, close),
                "adapt": Pending(0, None),
                "score": _pending(connection, score),
                "judge": _pending(connection, judge),
            }

    def evaluations_waiting(self, seq: int) -> Pending:
        """Return how many evaluations have a higher ``seq``, and when the first of them was scored."""
        above = evaluations.c.seq > seq
        first = sa.select(evaluations.c.scored_at).where(above).order_by(evaluations.c.seq).limit(1)
        with self._read() as connection:
            count = connection.execute(sa.select(_N).select_from(evaluations).where(above)).scalar_one()
            return Pending(count, connection.execute(first).scalar_one_or_none())

    def backlog(self, *, now: Nanoseconds, idle: int, timeout: int) -> Backlog:
        """Return what gates lack at ``now``; traces close as `TraceStore.due` says, and open ones do not count.

        Answers drawn late and later revisions of answers that are scored are in ``count`` alone: no gate folds them.
        """
        with self._read() as connection:
            ended, silent, endless = min(idle, timeout), timeout, MAX_OPEN_TIMEOUTS * timeout
            count = connection.execute(sa.select(_N).select_from(answers).where(answers.c.pending)).scalar_one()
            arrived: list[Nanoseconds] = []
            due: list[Nanoseconds] = []
            for row in connection.execute(_unscored()):
                arrived.append(row.arrived)
                if row.last_arrived is None:
                    due.append(row.arrived)
                else:
                    due.append(row.last_arrived + (ended if row.has_root else silent))
            has_root, last, since = traces.c.has_root, traces.c.last_arrived, traces.c.waiting_since
            # Nothing came before 1970, and what lies far before is no integer of the database.
            by_root, by_silence, by_age = (max(now - length, -1) for length in (ended, silent, endless))
            closed: tuple[tuple[sa.Column[int], int, tuple[sa.ColumnElement[bool], ...]], ...] = (
                (last, ended, (has_root == sa.true(), last <= by_root)),
                (last, silent, (has_root == sa.false(), last <= by_silence)),
                (since, endless, (since <= by_age, last > sa.case((has_root, by_root), else_=by_silence))),
            )
            for column, length, conditions in closed:
                statement = sa.select(_N, sa.func.min(since), sa.func.min(column)).where(
                    traces.c.last_seq > traces.c.adapted_seq, *conditions
                )
                n, oldest, first = connection.execute(statement).one()
                if n:
                    count += n
                    arrived.append(oldest)
                    due.append(first + length)
            ahead = sa.select(_N, sa.func.min(since)).where(
                traces.c.last_seq > traces.c.adapted_seq, has_root.in_((True, False)), last > now + timeout
            )
            n, oldest = connection.execute(ahead).one()
            if n:
                count += n
                arrived.append(oldest)
                due.append(now)
            return Backlog(count, min(arrived, default=None), min(due, default=None))


def folded_seq(connection: sa.Connection) -> int:
    """Return up to where evaluations are folded; without a gate that folds, none of them waits."""
    highest = connection.execute(sa.select(sa.func.max(checkpoints.c.seq))).scalar_one()
    return int(highest) if highest else sys.maxsize


def _pending(connection: sa.Connection, statement: sa.Select[int, Any]) -> Pending:
    count, oldest = connection.execute(statement).one()
    return Pending(count, oldest)


def _unscored() -> sa.Select[tuple[int, int | None, bool | None]]:
    """Return the statement for the oldest answers that wait for the score that gates fold."""
    scored = sa.exists().where(evaluations.c.answer_id == answers.c.answer_id)
    return (
        sa.select(answers.c.arrived, traces.c.last_arrived, traces.c.has_root)
        .outerjoin_from(answers, traces, traces.c.trace_id == answers.c.trace_id)
        .where(answers.c.pending, sa.not_(answers.c.late), ~scored)
        .order_by(answers.c.arrived, answers.c.seq)
        .limit(LOOKED_AT)
    )
