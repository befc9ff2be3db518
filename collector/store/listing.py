"""Which answers a list shows: found in the index beside them, a bounded part at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from heapq import nsmallest
from typing import Any

import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.externalrows import is_external
from collector.store.rows import AnswerFilter, AnswerPage
from collector.store.tables import answers, evaluations, external

MAX_ROWS = 1_000_000
"""Answers of which the slice is looked at for one page; in the index that takes some 0.2 s."""
MAX_EVALUATED = 100_000
"""Answers of which the evaluation or the text is looked into for one page, where that is asked for; each is a page of
disk."""
SPAN = 50_000
"""Numbers of answers that one statement spans: how soon a page can end."""
EVALUATED = 500
"""Answers that one statement looks into, some 20 ms: a page can end between two statements only."""


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
        """Return which answers are wanted, in their order, below ``before``; as far as could be looked at in one go.

        That is at most `MAX_ROWS` answers, or `MAX_EVALUATED` that are looked into, and less when ``enough`` says so,
        which is asked now and then; something is looked at in any case.
        """
        with self._read() as connection:
            return find(connection, wanted, limit=limit, before=before, enough=enough)


def find(
    connection: sa.Connection, wanted: AnswerFilter, *, limit: int, before: int | None, enough: Callable[[], bool]
) -> AnswerPage:
    """Return a page of the answers that are ``wanted``, as `ListingStore.find_answers` says."""
    by_value = wanted.order != "newest" and wanted.metric is not None
    full = sys.maxsize if by_value else limit
    found: list[tuple[float, int]] = []
    rows = evaluated = 0
    newest = _newest(connection, before)
    while newest is not None and len(found) < full and rows < MAX_ROWS and evaluated < MAX_EVALUATED:
        if rows and enough():
            break
        floor = newest - min(SPAN, MAX_ROWS - rows)
        most = limit - len(found) if wanted.indexed else min(EVALUATED, MAX_EVALUATED - evaluated)
        part = connection.execute(_part(wanted, most), {"newest": newest, "floor": floor}).all()
        before = part[-1].seq if len(part) == most else floor + 1
        for row in part:
            evaluated += not wanted.indexed
            if row.hit:
                found.append((row.score if by_value else 0.0, row.seq))
                if len(found) == full:
                    before = row.seq
                    break
        assert before is not None
        rows += newest + 1 - before
        newest = _newest(connection, before)
    if by_value:
        sign = 1 if wanted.order == "lowest" else -1
        found = nsmallest(limit, found, key=lambda one: (sign * one[0], -one[1]))
    return AnswerPage(tuple(seq for _, seq in found), None if newest is None else before)


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
    if wanted.indexed:
        return placed.add_columns(sa.true().label("hit"))
    outside = wanted.metric is not None and is_external(wanted.metric)
    if wanted.metric is not None and not outside:
        placed = placed.where(answers.c.evaluation_seq.is_not(None))
    # An id stands in no index of the list, and is looked up only where it is needed.
    place = (placed.add_columns(answers.c.answer_id) if outside else placed).subquery("place")
    joined: sa.FromClause = place
    hits: list[sa.ColumnElement[bool]] = []
    if wanted.text is not None:
        joined = joined.join(answers, answers.c.seq == place.c.seq)
        hits += [sa.or_(*(_told(name).icontains(wanted.text, autoescape=True) for name in ("question", "answer")))]
    if wanted.versions or (wanted.metric is not None and not outside):
        joined = joined.outerjoin(evaluations, evaluations.c.seq == place.c.evaluation_seq)
        hits += [evaluations.c.versions[name].as_string() == version for name, version in wanted.versions.items()]
    if outside:
        mine = sa.and_(external.c.answer_id == place.c.answer_id, external.c.metric == wanted.metric)
        joined = joined.outerjoin(external, mine)
    score: sa.ColumnElement[Any] = sa.null()
    if wanted.metric is not None:
        score = external.c.value if outside else evaluations.c["values"][wanted.metric].as_float()
        hits += _scored(wanted, wanted.metric, score, outside=outside)
    hit = sa.and_(*hits).label("hit")
    return sa.select(place.c.seq, hit, score.label("score")).select_from(joined).order_by(place.c.seq.desc())


def _scored(
    wanted: AnswerFilter, metric: str, score: sa.ColumnElement[Any], *, outside: bool
) -> Iterator[sa.ColumnElement[bool]]:
    """Yield what the score of ``metric`` has to be, by whomever it was given."""
    yield score.is_not(None)
    if wanted.low is not None:
        yield score >= wanted.low
    if wanted.high is not None:
        yield score <= wanted.high
    if wanted.label is not None:
        yield external.c.label == wanted.label if outside else _labelled(metric, wanted.label)


def _told(name: str) -> sa.ColumnElement[str]:
    """Return a text of the answer itself."""
    return sa.func.json_extract(sa.cast(answers.c.body, sa.Text), f"$.{name}", type_=sa.Text)


def _labelled(metric: str, label: str) -> sa.ColumnElement[bool]:
    """Return whether the score of ``metric`` carries ``label``: its body is parsed only where that stands in it."""
    body = sa.cast(evaluations.c.body, sa.Text)
    score = sa.func.json_each(body, "$.scores").table_valued("value")
    carries = sa.exists().where(
        sa.func.json_extract(score.c.value, "$.metric") == metric,
        sa.func.json_extract(score.c.value, "$.label") == label,
    )
    return sa.and_(sa.func.instr(body, label) > 0, carries.correlate(evaluations))
