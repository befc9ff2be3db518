"""What decisions are explained by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.externalrows import is_external
from collector.store.rows import JudgedRow, ScoredRow
from collector.store.statements import groups, newest_seq
from collector.store.tables import answers, evaluations, external

MAX_BODY = 256 * 1024
"""Bytes of a stored answer beyond which it is not read for its documents."""
MAX_PASSAGES = 200
"""Passages of one answer that are looked at."""


class EvidenceStore(StorePart):
    """What decisions are explained by."""

    def worst(self, metric: str, slice_: Mapping[str, str], *, highest: bool, rows: int, limit: int) -> list[ScoredRow]:
        """Return the highest or lowest values of a metric in a slice among the newest ``rows`` evaluations."""
        of = _scores_of(metric)
        statement = sa.select(of.columns.answer_id, of.at.label("at"), of.value.label("value"), of.columns.slice)
        with self._read() as connection:
            statement = statement.where(
                of.columns.seq > newest_seq(connection) - rows, *of.first, of.value.is_not(None), *_within(of, slice_)
            )
            order = (of.value.desc() if highest else of.value.asc(), of.columns.seq.desc())
            ordered = connection.execute(statement.order_by(*order).limit(limit))
            return [ScoredRow(row.answer_id, row.at, row.value, row.slice) for row in ordered]

    def judged(
        self, metric: str, slice_: Mapping[str, str], *, after: int, before: int | None, rows: int, limit: int
    ) -> list[JudgedRow]:
        """Return the newest ``limit`` values of a metric in a slice with a ``seq`` between two others, newest first.

        They are those that gates saw: without later revisions and what was drawn late. Looked at are the newest
        ``rows`` evaluations of that span.
        """
        of = _scores_of(metric)
        columns = of.columns
        statement = sa.select(
            columns.seq,
            columns.answer_id,
            of.at.label("at"),
            of.value.label("value"),
            columns.probability,
            columns.cluster,
            sa.cast(columns.slice, sa.Text).label("cut"),
            sa.cast(columns.versions, sa.Text).label("served"),
        )
        decoded = cache(json.loads)
        with self._read() as connection:
            end = newest_seq(connection) + 1 if before is None else before
            # The slice first: it leaves out most rows before their values are looked into.
            statement = statement.where(
                columns.seq > max(after, end - 1 - rows),
                columns.seq < end,
                *_within(of, slice_),
                *of.first,
                of.value.is_not(None),
                *of.in_time,
            )
            return [
                JudgedRow(
                    seq=row.seq,
                    answer_id=row.answer_id,
                    at=row.at,
                    value=row.value,
                    probability=row.probability,
                    cluster=row.cluster,
                    slice=decoded(row.cut),
                    versions=decoded(row.served),
                )
                for row in connection.execute(statement.order_by(columns.seq.desc()).limit(limit))
            ]

    def documents_given(self, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the documents that answers were given passages of: those of the context, where that is known.

        Answers that do not say which passages they were given are left out.
        """
        documents: dict[str, tuple[str, ...]] = {}
        with self._read() as connection:
            for group in groups(list(ids)):
                small = sa.select(answers.c.answer_id, answers.c.body).where(
                    answers.c.answer_id.in_(group), sa.func.length(answers.c.body) <= MAX_BODY
                )
                for row in connection.execute(small):
                    given = _documents(orjson.loads(row.body))
                    if given is not None:
                        documents[row.answer_id] = given
        return documents

    def said(self, ids: Sequence[str]) -> Mapping[str, tuple[str, str]]:
        """Return question and answer of answers, without regard to case and spaces; those that have neither are not."""
        found: dict[str, tuple[str, str]] = {}
        with self._read() as connection:
            for group in groups(list(ids)):
                small = sa.select(answers.c.answer_id, answers.c.body).where(
                    answers.c.answer_id.in_(group), sa.func.length(answers.c.body) <= MAX_BODY
                )
                for row in connection.execute(small):
                    body = orjson.loads(row.body)
                    question, answer = (_plain(body.get(name)) for name in ("question", "answer"))
                    if question or answer:
                        found[row.answer_id] = question, answer
        return found


def _plain(text: str | None) -> str:
    return " ".join((text or "").casefold().split())


class _Scores(NamedTuple):
    """Where the scores of a metric stand: the columns of a table, in it the value and the answer's own time.

    ``first`` and ``in_time`` leave out what gates do not fold.
    """

    columns: Any
    value: sa.ColumnElement[float]
    at: sa.ColumnElement[int]
    first: tuple[sa.ColumnElement[bool], ...] = ()
    in_time: tuple[sa.ColumnElement[bool], ...] = ()


def _scores_of(metric: str) -> _Scores:
    if is_external(metric):
        # What is no such row has no value: the index of metrics is not asked, since the newest rows are wanted.
        value = sa.case((external.c.metric == metric, external.c.value))
        return _Scores(external.c, value, external.c.answered_at)
    value = evaluations.c["values"][metric].as_float()
    late = sa.not_(evaluations.c.late)
    return _Scores(evaluations.c, value, evaluations.c.at, (evaluations.c.first,), (late,))


def _within(of: _Scores, slice_: Mapping[str, str]) -> list[sa.ColumnElement[bool]]:
    return [of.columns.slice[name].as_string() == value for name, value in slice_.items()]


def _documents(body: Mapping[str, Any]) -> tuple[str, ...] | None:
    passages = body.get("passages")
    if passages is None:
        return None
    used = body.get("context")
    chosen = passages if used is None else [each for each in passages if each["id"] in used]
    names = (each.get("doc_id") for each in chosen[:MAX_PASSAGES])
    return tuple(dict.fromkeys(name for name in names if name))
