"""What gates have still to be told, and since when."""

from __future__ import annotations

import sqlalchemy as sa

from collector.store.base import Backlog
from collector.store.tables import answers, evaluations, traces
from collector.store.traces import MAX_OPEN_TIMEOUTS

LOOKED_AT = 100
"""Waiting answers whose times are looked at, those that arrived first: answers are scored in this order."""


def backlog(connection: sa.Connection, *, now: int, idle: int, timeout: int) -> Backlog:
    """Return closed traces that are not adapted, and sampled answers that are not scored."""
    ended, silent, endless = min(idle, timeout), timeout, MAX_OPEN_TIMEOUTS * timeout
    count = connection.execute(sa.select(sa.func.count()).select_from(answers).where(answers.c.pending)).scalar_one()
    arrived: list[int] = []
    due: list[int] = []
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
        statement = sa.select(sa.func.count(), sa.func.min(since), sa.func.min(column)).where(
            traces.c.last_seq > traces.c.adapted_seq, *conditions
        )
        n, oldest, first = connection.execute(statement).one()
        if n:
            count += n
            arrived.append(oldest)
            due.append(first + length)
    ahead = sa.select(sa.func.count(), sa.func.min(since)).where(
        traces.c.last_seq > traces.c.adapted_seq, has_root.in_((True, False)), last > now + timeout
    )
    n, oldest = connection.execute(ahead).one()
    if n:
        count += n
        arrived.append(oldest)
        due.append(now)
    return Backlog(count, min(arrived, default=None), min(due, default=None))


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
