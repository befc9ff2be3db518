"""Which answers a list shows: found in the index beside them, a bounded part at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.externalrows import is_external
from collector.store.rows import AnswerFilter, AnswerPage
from collector.store.tables import answers, evaluations, external

MAX_ROWS = 1_000_000
"""Answers of which the slice is looked at for one page; in the index that takes some 0.2 s."""
MAX_EVALUATED = 100_000
"""Answers of which the evaluation is looked into for one page, where a metric is asked for; each is a page of disk."""
SPAN = 50_000
"""Numbers of answers that one statement spans: how soon a page can end."""
EVALUATED = 2_000
"""Evaluations that one statement looks into."""


class ListingStore(StorePart):
    """Lists of answers."""

    def find_answers(
        self,
        wanted: AnswerFilter,
        *,
        limit: int,
        before: int | None = None,
        enough: Callable[[], bool] = lambda: False,
    ) -> AnswerPage:
        """Return which answers are wanted, newest first, below ``before``; as far as could be looked at in one go.

        That is at most `MAX_ROWS` answers or `MAX_EVALUATED` evaluations, and less when ``enough`` says so, which is
        asked now and then; something is looked at in any case.
        """
        with self._read() as connection:
            return find(connection, wanted, limit=limit, before=before, enough=enough)


def find(
    connection: sa.Connection, wanted: AnswerFilter, *, limit: int, before: int | None, enough: Callable[[], bool]
) -> AnswerPage:
    """Return a page of the answers that are ``wanted``, as `ListingStore.find_answers` says."""
    seqs: list[int] = []
    rows = evaluated = 0
    newest = _newest(connection, before)
    while newest is not None and len(seqs) < limit and rows < MAX_ROWS and evaluated < MAX_EVALUATED:
        if rows and enough():
            break
        floor = newest - min(SPAN, MAX_ROWS - rows)
        most = limit - len(seqs) if wanted.metric is None else min(EVALUATED, MAX_EVALUATED - evaluated)
        part = connection.execute(_part(wanted, most), {"newest": newest, "floor": floor}).all()
        before = part[-1].seq if len(part) == most else floor + 1
        for row in part:
            evaluated += wanted.metric is not None
            if row.hit:
                seqs.append(row.seq)
                if len(seqs) == limit:
                    before = row.seq
                    break
        assert before is not None
        rows += newest + 1 - before
        newest = _newest(connection, before)
    return AnswerPage(tuple(seqs), None if newest is None else before)


def _newest(connection: sa.Connection, before: int | None) -> int | None:
    statement = sa.select(sa.func.max(answers.c.seq))
    if before is not None:
        statement = statement.where(answers.c.seq < before)
    newest: int | None = connection.execute(statement).scalar_one()
    return newest


def _part(wanted: AnswerFilter, most: int) -> sa.Select[Any]:
    """Return the statement for up to ``most`` answers of the slice in a span, newest first; ``hit`` are the wanted."""
    placed = sa.select(answers.c.seq, answers.c.evaluation_seq).where(
        answers.c.seq <= sa.bindparam("newest"), answers.c.seq > sa.bindparam("floor")
    )
    for name, value in wanted.slice.items():
        placed = placed.where(answers.c.slice[name].as_string() == value)
    placed = placed.order_by(answers.c.seq.desc()).limit(most)
    if wanted.metric is None:
        return placed.add_columns(sa.true().label("hit"))
    score: Any
    if is_external(wanted.metric):
        place = placed.add_columns(answers.c.answer_id).subquery("place")
        score = external.c.value
        mine = sa.and_(external.c.answer_id == place.c.answer_id, external.c.metric == wanted.metric)
        joined = place.outerjoin(external, mine)
    else:
        place = placed.where(answers.c.evaluation_seq.is_not(None)).subquery("place")
        score = evaluations.c["values"][wanted.metric].as_float()
        joined = place.outerjoin(evaluations, evaluations.c.seq == place.c.evaluation_seq)
    hit = score.is_not(None)
    if wanted.low is not None:
        hit &= score >= wanted.low
    if wanted.high is not None:
        hit &= score <= wanted.high
    return sa.select(place.c.seq, hit.label("hit")).select_from(joined).order_by(place.c.seq.desc())
