"""Answers and their evaluations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from adapters.schema import Answer
from collector.store import scored
from collector.store.base import AnswerRow, Pending, StoredAnswer, StoredEvaluation
from collector.store.rows import groups, take_seqs
from collector.store.tables import answers, books, evaluations
from scorers.base import Evaluation


def write(connection: sa.Connection, batch: Sequence[tuple[StoredAnswer, bytes, int]]) -> frozenset[str]:
    """Insert or replace answers, each with the id of its trace and when that began to arrive.

    Returns the ids of those that were not there before.
    """
    known = _known(connection, [stored.answer.id for stored, _, _ in batch])
    fresh: dict[str, dict[str, Any]] = {}
    replaced: list[dict[str, Any]] = []
    for given, trace_id, arrived in batch:
        answer = given.answer
        row = known.get(answer.id)
        # Whether it is in the sample was decided once, with the probability of that moment.
        stored = given if row is None else _placed_as_before(given, row)
        values = {
            "answer_id": answer.id,
            "trace_id": trace_id,
            "revision": answer.revision,
            "slice": dict(stored.slice),
            "probability": stored.probability,
            "sampled": stored.sampled,
            "pending": stored.sampled,
            "evaluation_seq": None,
            "late": stored.late,
            "body": answer.model_dump_json(exclude_defaults=True).encode(),
        }
        if row is None:
            # Of two answers with one id in one batch the higher revision stays, as it would in two batches.
            before = fresh.get(answer.id)
            if before is None or before["revision"] <= answer.revision:
                fresh[answer.id] = values | {"arrived": arrived}
        elif answer.revision > row.revision or (answer.revision == row.revision and stored_answer(row) != stored):
            replaced.append({f"new_{name}": value for name, value in values.items()})
    if fresh:
        first = take_seqs(connection, "answer_seq", len(fresh))
        connection.execute(
            sa.insert(answers), [values | {"seq": seq} for seq, values in enumerate(fresh.values(), first)]
        )
    if replaced:
        names = [name.removeprefix("new_") for name in replaced[0] if name != "new_answer_id"]
        connection.execute(
            sa.update(answers)
            .where(answers.c.answer_id == sa.bindparam("new_answer_id"))
            .values({name: sa.bindparam(f"new_{name}") for name in names}),
            replaced,
        )
    return frozenset(fresh)


def by_id(connection: sa.Connection, ids: Sequence[str]) -> dict[str, StoredAnswer]:
    """Return the answers with these ids; those unknown are left out."""
    return {answer_id: stored_answer(row) for answer_id, row in _known(connection, ids).items()}


def pending(connection: sa.Connection, *, limit: int, without: Collection[str]) -> list[StoredAnswer]:
    """Return sampled answers that wait for the panel, longest waiting first."""
    statement = sa.select(answers).where(answers.c.pending).order_by(answers.c.arrived, answers.c.seq).limit(limit)
    if without:
        statement = statement.where(answers.c.answer_id.not_in(without))
    return [stored_answer(row) for row in connection.execute(statement)]


def record(connection: sa.Connection, batch: Sequence[StoredEvaluation]) -> int:
    """Append evaluations; those recorded already are left alone. Return how many are not the first of their answer."""
    ids = list({item.evaluation.answer_id for item in batch})
    known: dict[str, set[tuple[int, int]]] = {answer_id: set() for answer_id in ids}
    for group in groups(ids):
        columns = (evaluations.c.answer_id, evaluations.c.revision, evaluations.c.scored_at)
        for answer_id, revision, at in connection.execute(sa.select(*columns).where(columns[0].in_(group))):
            known[answer_id].add((revision, at))
    rows: list[dict[str, Any]] = []
    folded: list[tuple[int, StoredEvaluation]] = []
    for item in batch:
        evaluation = item.evaluation
        runs = known[evaluation.answer_id]
        if (evaluation.revision, item.scored_at) in runs:
            continue
        rows.append(
            {
                "answer_id": evaluation.answer_id,
                "revision": evaluation.revision,
                "at": item.at,
                "scored_at": item.scored_at,
                "first": not runs,
                "slice": dict(item.slice),
                "probability": item.probability,
                "cluster": item.cluster,
                "versions": dict(item.versions),
                "late": item.late,
                "arm": item.arm,
                "share": item.share,
                "document": item.document,
                "values": {score.metric: score.value for score in evaluation.scores},
                "body": evaluation.model_dump_json(exclude_defaults=True).encode(),
            }
        )
        if not runs and not item.late:
            folded.append((len(rows) - 1, item))
        runs.add((evaluation.revision, item.scored_at))
    if not rows:
        return 0
    first = take_seqs(connection, "evaluation_seq", len(rows))
    for seq, row in enumerate(rows, first):
        row["seq"] = seq
    connection.execute(sa.insert(evaluations), rows)
    scored.append(connection, [(first + place, item) for place, item in folded])
    connection.execute(
        sa.update(answers)
        .where(answers.c.answer_id == sa.bindparam("of_answer"), answers.c.revision == sa.bindparam("of_revision"))
        .values(pending=sa.false(), evaluation_seq=sa.bindparam("by_seq")),
        [{"of_answer": row["answer_id"], "of_revision": row["revision"], "by_seq": row["seq"]} for row in rows],
    )
    return sum(not row["first"] for row in rows)


def evaluations_after(connection: sa.Connection, seq: int, *, limit: int) -> list[StoredEvaluation]:
    """Return evaluations above ``seq``, in order."""
    statement = sa.select(evaluations).where(evaluations.c.seq > seq).order_by(evaluations.c.seq).limit(limit)
    return [
        StoredEvaluation(
            evaluation=Evaluation.model_validate_json(row.body),
            at=row.at,
            scored_at=row.scored_at,
            slice=row.slice,
            probability=row.probability,
            cluster=row.cluster,
            versions=row.versions,
            seq=row.seq,
            first=row.first,
            late=row.late,
            arm=row.arm,
            share=row.share,
            document=row.document,
        )
        for row in connection.execute(statement)
    ]


def newest_evaluation(connection: sa.Connection) -> int:
    """Return the highest ``seq`` an evaluation ever had."""
    return int(connection.execute(sa.select(books.c.evaluation_seq)).scalar_one())


def evaluations_waiting(connection: sa.Connection, seq: int) -> Pending:
    """Return how many evaluations are above ``seq``, and when the first of them was scored."""
    above = evaluations.c.seq > seq
    count = connection.execute(sa.select(sa.func.count()).select_from(evaluations).where(above)).scalar_one()
    first = sa.select(evaluations.c.scored_at).where(above).order_by(evaluations.c.seq).limit(1)
    return Pending(count, connection.execute(first).scalar_one_or_none())


def shown(connection: sa.Connection, chosen: sa.ColumnElement[bool]) -> list[AnswerRow]:
    """Return the answers chosen with the newest evaluation of their revision, newest first."""
    statement = (
        sa.select(answers, evaluations.c.body.label("evaluation"), evaluations.c.scored_at)
        .outerjoin_from(answers, evaluations, evaluations.c.seq == answers.c.evaluation_seq)
        .where(chosen)
        .order_by(answers.c.seq.desc())
    )
    return [
        AnswerRow(
            stored=stored_answer(row),
            arrived=row.arrived,
            evaluation=None if row.evaluation is None else Evaluation.model_validate_json(row.evaluation),
            scored_at=row.scored_at,
            seq=row.seq,
        )
        for row in connection.execute(statement)
    ]


def after(connection: sa.Connection, seq: int, *, limit: int) -> list[tuple[int, Answer]]:
    """Return answers above ``seq``, in order."""
    statement = sa.select(answers.c.seq, answers.c.body).where(answers.c.seq > seq).order_by(answers.c.seq).limit(limit)
    return [(row.seq, Answer.model_validate_json(row.body)) for row in connection.execute(statement)]


def stored_answer(row: sa.Row[Any]) -> StoredAnswer:
    """Return the answer of a row."""
    return StoredAnswer(
        answer=Answer.model_validate_json(row.body),
        slice=row.slice,
        probability=row.probability,
        sampled=row.sampled,
        late=row.late,
    )


def _placed_as_before(stored: StoredAnswer, row: sa.Row[Any]) -> StoredAnswer:
    return replace(stored, probability=row.probability, sampled=row.sampled, late=row.late)


def _known(connection: sa.Connection, ids: Sequence[str]) -> dict[str, sa.Row[Any]]:
    found: dict[str, sa.Row[Any]] = {}
    for group in groups(ids):
        for row in connection.execute(sa.select(answers).where(answers.c.answer_id.in_(group))):
            found[row.answer_id] = row
    return found
