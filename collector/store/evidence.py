"""Answers drawn late, and what decisions are explained by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import orjson
import sqlalchemy as sa

from collector.store.answers import stored_answer
from collector.store.base import StoredAnswer
from collector.store.chain import slice_key
from collector.store.history import JudgedRow, ScoredRow
from collector.store.judged import turned
from collector.store.rows import groups
from collector.store.tables import answers, books, decisions, evaluations

MAX_BODY = 256 * 1024
"""Bytes of a stored answer beyond which it is not read for its documents."""
MAX_PASSAGES = 200
"""Passages of one answer that are looked at."""


def unsampled(
    connection: sa.Connection, *, after: int, arrived_from: int, arrived_before: int, limit: int
) -> list[tuple[int, StoredAnswer]]:
    """Return answers outside the sample, in the order in which they were stored."""
    statement = sa.select(answers).where(
        answers.c.seq > after,
        answers.c.arrived >= arrived_from,
        answers.c.arrived < arrived_before,
        sa.not_(answers.c.sampled),
    )
    return [(row.seq, stored_answer(row)) for row in connection.execute(statement.order_by(answers.c.seq).limit(limit))]


def draw_late(connection: sa.Connection, drawn: Mapping[str, float]) -> int:
    """Put answers into the sample that are outside it."""
    if not drawn:
        return 0
    statement = (
        sa.update(answers)
        .where(answers.c.answer_id == sa.bindparam("of_answer"), sa.not_(answers.c.sampled))
        .values(sampled=sa.true(), pending=sa.true(), late=sa.true(), probability=sa.bindparam("new_probability"))
    )
    return sum(
        connection.execute(statement, {"of_answer": answer_id, "new_probability": probability}).rowcount
        for answer_id, probability in drawn.items()
    )


def worst(
    connection: sa.Connection, metric: str, slice_: Mapping[str, str], *, highest: bool, rows: int, limit: int
) -> list[ScoredRow]:
    """Return the highest or lowest values of a metric in a slice among the newest evaluations."""
    value = evaluations.c["values"][metric].as_float()
    newest = connection.execute(sa.select(books.c.evaluation_seq)).scalar_one()
    statement = sa.select(evaluations.c.answer_id, evaluations.c.at, value.label("value"), evaluations.c.slice).where(
        evaluations.c.seq > newest - rows, evaluations.c.first, value.is_not(None)
    )
    for name, part in slice_.items():
        statement = statement.where(evaluations.c.slice[name].as_string() == part)
    ordered = statement.order_by(value.desc() if highest else value.asc(), evaluations.c.seq.desc()).limit(limit)
    return [ScoredRow(row.answer_id, row.at, row.value, row.slice) for row in connection.execute(ordered)]


def judged(
    connection: sa.Connection,
    metric: str,
    slice_: Mapping[str, str],
    *,
    after: int,
    before: int | None,
    rows: int,
    limit: int,
) -> list[JudgedRow]:
    """Return the newest values of a metric in a slice with a ``seq`` between two others."""
    value = evaluations.c["values"][metric].as_float()
    end = connection.execute(sa.select(books.c.evaluation_seq)).scalar_one() + 1 if before is None else before
    statement = sa.select(
        evaluations.c.seq,
        evaluations.c.answer_id,
        evaluations.c.at,
        value.label("value"),
        evaluations.c.probability,
        evaluations.c.cluster,
        sa.cast(evaluations.c.slice, sa.Text).label("cut"),
        sa.cast(evaluations.c.versions, sa.Text).label("served"),
    ).where(evaluations.c.seq > max(after, end - 1 - rows), evaluations.c.seq < end)
    # The slice first: it leaves out most rows before their values are looked into.
    for name, part in slice_.items():
        statement = statement.where(evaluations.c.slice[name].as_string() == part)
    statement = statement.where(evaluations.c.first, value.is_not(None), sa.not_(evaluations.c.late))
    decoded = cache(json.loads)
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
        for row in connection.execute(statement.order_by(evaluations.c.seq.desc()).limit(limit))
    ]


def documents_given(connection: sa.Connection, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the documents that answers were given passages of: those of the context, where that is known."""
    found: dict[str, tuple[str, ...]] = {}
    for group in groups(list(ids)):
        statement = sa.select(answers.c.answer_id, answers.c.body).where(
            answers.c.answer_id.in_(group), sa.func.length(answers.c.body) <= MAX_BODY
        )
        for row in connection.execute(statement):
            given = _documents(orjson.loads(row.body))
            if given is not None:
                found[row.answer_id] = given
    return found


def _documents(body: Mapping[str, Any]) -> tuple[str, ...] | None:
    passages = body.get("passages")
    if passages is None:
        return None
    used = body.get("context")
    chosen = passages if used is None else [each for each in passages if each["id"] in used]
    names = (each.get("doc_id") for each in chosen[:MAX_PASSAGES])
    return tuple(dict.fromkeys(name for name in names if name))


def traffic(
    connection: sa.Connection, *, arrived_from: int, arrived_before: int
) -> list[tuple[Mapping[str, str], int]]:
    """Return how many answers arrived, by slice."""
    text = sa.cast(answers.c.slice, sa.Text)
    statement = sa.select(text, sa.func.count()).where(
        answers.c.arrived >= arrived_from, answers.c.arrived < arrived_before
    )
    return [(json.loads(cut), n) for cut, n in connection.execute(statement.group_by(text))]


def last_pass(connection: sa.Connection, gate: str, slice_: Mapping[str, str]) -> int | None:
    """Return when a slice of a gate passed last."""
    of_slice = sa.select(sa.func.max(decisions.c.at)).where(
        decisions.c.gate == gate, decisions.c.slice == slice_key(slice_), decisions.c.state == "pass", turned()
    )
    found: int | None = connection.execute(of_slice).scalar_one_or_none()
    return found
