"""Evaluations: what answers scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.rows import StoredEvaluation
from collector.store.scored import write_scored
from collector.store.statements import groups, newest_seq, take_seqs
from collector.store.tables import answers, changes, evaluations, external, labels
from scorers.base import Evaluation


class EvaluationStore(StorePart):
    """Evaluations, in the order in which they were recorded."""

    def record_evaluations(self, batch: Sequence[StoredEvaluation]) -> int:
        """Append evaluations and take their answers off the pending list; return how many are not the first.

        Those recorded already are left alone.
        """
        if not batch:
            return 0
        with self._write() as connection:
            return _record(connection, batch)

    def evaluations_after(self, seq: int, *, limit: int) -> list[StoredEvaluation]:
        """Return evaluations with a higher ``seq``, in order."""
        above = sa.select(evaluations).where(evaluations.c.seq > seq).order_by(evaluations.c.seq).limit(limit)
        with self._read() as connection:
            return [_stored(row) for row in connection.execute(above)]

    def evaluations_of(self, seqs: Iterable[int]) -> Mapping[int, StoredEvaluation]:
        """Return evaluations by their numbers, as far as they are there."""
        found = {}
        with self._read() as connection:
            for group in groups(list(seqs)):
                for row in connection.execute(sa.select(evaluations).where(evaluations.c.seq.in_(group))):
                    found[row.seq] = _stored(row)
        return found

    def numbered_beside(self, after: int, upto: int) -> int:
        """Return how many changes, labels and scores by others have a ``seq`` above ``after`` and up to ``upto``.

        They are numbered with evaluations: these numbers were never one's.
        """
        found = 0
        with self._read() as connection:
            for table in (changes, external, labels):
                within = sa.select(sa.func.count()).where(table.c.seq > after, table.c.seq <= upto)
                found += connection.execute(within).scalar_one()
        return found

    def newest_evaluation(self) -> int:
        """Return the highest ``seq`` an evaluation ever had, or what is numbered with them; 0 before the first."""
        with self._read() as connection:
            return newest_seq(connection)


def _record(connection: sa.Connection, batch: Sequence[StoredEvaluation]) -> int:
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
    write_scored(connection, [(first + place, item) for place, item in folded])
    connection.execute(
        sa.update(answers)
        .where(answers.c.answer_id == sa.bindparam("of_answer"), answers.c.revision == sa.bindparam("of_revision"))
        .values(pending=sa.false(), evaluation_seq=sa.bindparam("by_seq")),
        [{"of_answer": row["answer_id"], "of_revision": row["revision"], "by_seq": row["seq"]} for row in rows],
    )
    return sum(not row["first"] for row in rows)


def _stored(row: sa.Row[Any]) -> StoredEvaluation:
    return StoredEvaluation(
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
