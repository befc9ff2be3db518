"""A score by another evaluator, as gates read it: of its answer's time, slice, versions and arm."""

from __future__ import annotations

from collector.changes.served import document_of, served_by
from collector.clock import nanoseconds
from collector.store.rows import ExternalRow, StoredAnswer, StoredEvaluation
from scorers.base import Evaluation, Score


def judged(row: ExternalRow, stored: StoredAnswer) -> StoredEvaluation:
    """Return a score of an answer as an evaluation of one metric; its evaluator is the version of its scorer.

    Another one is another epoch: what it says is held against what it said itself, and nothing else.
    """
    answer = stored.answer
    at = answer.ended_at or answer.started_at
    score = Score(metric=row.metric, value=row.value, label=row.label, explanation=row.explanation)
    return StoredEvaluation(
        evaluation=Evaluation(answer_id=answer.id, revision=answer.revision, scores=(score,)),
        at=min(row.at if at is None else nanoseconds(at), row.recorded_at),
        scored_at=row.recorded_at,
        slice=stored.slice,
        probability=row.probability,
        cluster=answer.session_id,
        versions=served_by(answer) | ({"scorer": row.evaluator} if row.evaluator else {}),
        arm=answer.arm,
        share=answer.share,
        document=document_of(answer),
    )
