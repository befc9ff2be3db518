"""Answers."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from adapters.schema import Answer
from collector.store.connections import StorePart
from collector.store.externalrows import scores_of
from collector.store.responses import note_responses
from collector.store.rows import AnswerRow, StoredAnswer
from collector.store.statements import rows_by, take_seqs
from collector.store.tables import answers, evaluations
from scorers.base import Evaluation


class AnswerStore(StorePart):
    """Answers, each with its slice and its place in or out of the sample."""

    def pending_answers(self, *, limit: int, without: Collection[str] = ()) -> list[StoredAnswer]:
        """Return sampled answers whose newest revision is not evaluated, longest waiting first.

        Those with an id in ``without`` are left out.
        """
        statement = sa.select(answers).where(answers.c.pending).order_by(answers.c.arrived, answers.c.seq).limit(limit)
        if without:
            statement = statement.where(answers.c.answer_id.not_in(without))
        with self._read() as connection:
            return [stored_answer(row) for row in connection.execute(statement)]

    def answers(self, seqs: Sequence[int]) -> list[AnswerRow]:
        """Return answers by number, newest first; those unknown are left out."""
        return self._shown(answers.c.seq.in_(seqs))

    def answer_texts(self, seqs: Sequence[int]) -> list[str]:
        """Return answers by number as JSON, newest first; those unknown are left out."""
        wanted = sa.select(answers.c.body).where(answers.c.seq.in_(seqs)).order_by(answers.c.seq.desc())
        with self._read() as connection:
            return list(connection.execute(wanted).scalars())

    def answer(self, answer_id: str) -> AnswerRow | None:
        """Return one answer by id."""
        return next(iter(self._shown(answers.c.answer_id == answer_id)), None)

    def answers_by_id(self, ids: Sequence[str]) -> Mapping[str, StoredAnswer]:
        """Return answers by id; those unknown are left out."""
        with self._read() as connection:
            rows = rows_by(connection, answers.c.answer_id, ids)
        return {answer_id: stored_answer(row) for answer_id, row in rows.items()}

    def newest_evaluations(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Return the number of the newest evaluation of answers by id, of their newest revision; of others nothing."""
        with self._read() as connection:
            rows = rows_by(connection, answers.c.answer_id, ids)
        return {name: row.evaluation_seq for name, row in rows.items() if row.evaluation_seq is not None}

    def answers_after(self, seq: int, *, limit: int) -> list[tuple[int, Answer]]:
        """Return answers with a higher ``seq``, and that, in the order in which they were first stored."""
        above = sa.select(answers.c.seq, answers.c.body).where(answers.c.seq > seq).order_by(answers.c.seq).limit(limit)
        with self._read() as connection:
            return [(row.seq, Answer.model_validate_json(row.body)) for row in connection.execute(above)]

    def unsampled(
        self, *, after: int, arrived_from: int, arrived_before: int, limit: int
    ) -> list[tuple[int, StoredAnswer]]:
        """Return answers outside the sample above ``seq`` ``after`` that arrived in a span of time, in order."""
        outside = sa.select(answers).where(
            answers.c.seq > after,
            answers.c.arrived >= arrived_from,
            answers.c.arrived < arrived_before,
            sa.not_(answers.c.sampled),
        )
        with self._read() as connection:
            rows = connection.execute(outside.order_by(answers.c.seq).limit(limit))
            return [(row.seq, stored_answer(row)) for row in rows]

    def answers_arrived(
        self, *, after: int, arrived_from: int, arrived_before: int, limit: int
    ) -> list[tuple[int, Answer]]:
        """Return answers with a higher ``seq`` that arrived in a span of time, in order, each with its ``seq``."""
        arrived = sa.select(answers.c.seq, answers.c.body).where(
            answers.c.seq > after, answers.c.arrived >= arrived_from, answers.c.arrived < arrived_before
        )
        with self._read() as connection:
            rows = connection.execute(arrived.order_by(answers.c.seq).limit(limit))
            return [(row.seq, Answer.model_validate_json(row.body)) for row in rows]

    def draw_late(self, drawn: Mapping[str, float]) -> int:
        """Put answers into the sample, by id with the probability of this late draw; return how many were outside.

        They are scored like others. No gate folds them: see `StoredEvaluation.late`.
        """
        statement = (
            sa.update(answers)
            .where(answers.c.answer_id == sa.bindparam("of_answer"), sa.not_(answers.c.sampled))
            .values(sampled=sa.true(), pending=sa.true(), late=sa.true(), probability=sa.bindparam("new_probability"))
        )
        with self._write() as connection:
            return sum(
                connection.execute(statement, {"of_answer": answer_id, "new_probability": probability}).rowcount
                for answer_id, probability in drawn.items()
            )

    def traffic(self, *, arrived_from: int, arrived_before: int) -> list[tuple[Mapping[str, str], int]]:
        """Return how many answers, sampled or not, arrived in a span of time, by slice."""
        text = sa.cast(answers.c.slice, sa.Text)
        arrived = sa.select(text, sa.func.count()).where(
            answers.c.arrived >= arrived_from, answers.c.arrived < arrived_before
        )
        with self._read() as connection:
            return [(json.loads(slice_), n) for slice_, n in connection.execute(arrived.group_by(text))]

    def _shown(self, chosen: sa.ColumnElement[bool]) -> list[AnswerRow]:
        """Return the answers chosen with the newest evaluation of their revision, newest first."""
        statement = (
            sa.select(answers, evaluations.c.body.label("evaluation"), evaluations.c.scored_at)
            .outerjoin_from(answers, evaluations, evaluations.c.seq == answers.c.evaluation_seq)
            .where(chosen)
            .order_by(answers.c.seq.desc())
        )
        with self._read() as connection:
            rows = connection.execute(statement).all()
            others = scores_of(connection, [row.answer_id for row in rows])
            return [
                AnswerRow(
                    stored=stored_answer(row),
                    arrived=row.arrived,
                    evaluation=None if row.evaluation is None else Evaluation.model_validate_json(row.evaluation),
                    scored_at=row.scored_at,
                    seq=row.seq,
                    external=others.get(row.answer_id, ()),
                )
                for row in rows
            ]


def write_answers(connection: sa.Connection, batch: Sequence[tuple[StoredAnswer, bytes, int]]) -> frozenset[str]:
    """Insert or replace answers, each with the id of its trace and when that began to arrive.

    Returns the ids of those that were not there before.
    """
    known = rows_by(connection, answers.c.answer_id, [stored.answer.id for stored, _, _ in batch])
    fresh: dict[str, dict[str, Any]] = {}
    replaced: list[dict[str, Any]] = []
    made_from: dict[str, Sequence[str] | None] = {}
    numbers: dict[str, int] = {}
    for new, trace_id, arrived in batch:
        answer = new.answer
        row = known.get(answer.id)
        # Whether it is in the sample was decided once, with the probability of that moment.
        place = new if row is None else row
        stored = replace(new, probability=place.probability, sampled=place.sampled, late=place.late)
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
                made_from[answer.id] = answer.response_ids
        elif answer.revision > row.revision or (answer.revision == row.revision and stored_answer(row) != stored):
            replaced.append({f"new_{name}": value for name, value in values.items()})
            made_from[answer.id], numbers[answer.id] = answer.response_ids, row.seq
    if fresh:
        first = take_seqs(connection, "answer_seq", len(fresh))
        numbers |= {name: seq for seq, name in enumerate(fresh, first)}
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
    note_responses(connection, ((numbers[name], ids) for name, ids in made_from.items()))
    return frozenset(fresh)


def stored_answer(row: sa.Row[Any]) -> StoredAnswer:
    """Return a row of the table as the steps know it."""
    return StoredAnswer(
        answer=Answer.model_validate_json(row.body),
        slice=row.slice,
        probability=row.probability,
        sampled=row.sampled,
        late=row.late,
    )
