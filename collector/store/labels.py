"""Labels of scored answers: what people, gold answers or a model found a metric should have said of them.

A label is kept where its answer has a score that gates count, under a number of its own in the order of evaluations
and changes: gates fold it in that place, whenever it came, and a rebuild folds it there again. It goes when its
evaluation does. Of one answer and metric the first label stands: which answers count must not depend on what labels
say, so nobody may label on until he likes the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import sqlalchemy as sa

from collector.store.connections import StorePart
from collector.store.externalrows import is_external
from collector.store.rows import AnswerLabel, LabelReceipt
from collector.store.statements import groups, take_seqs
from collector.store.tables import answers, evaluations, external, labels

UNKNOWN_ANSWER = "no answer of this id is stored: it is unknown, not closed yet, or past its retention"
WAITING = "the answer is not scored yet; send the label again when it is"
UNSAMPLED = "the answer was not drawn to be scored, so there is nothing to correct"
DRAWN_LATE = "the answer was drawn into the sample late, so no gate counts it"
UNEVALUATED = "no evaluator has sent a score of this metric for the answer; send the label again when one has"
EXPIRED = "the score that gates count is past its retention"


class _Counted(NamedTuple):
    """The evaluation of an answer that gates count."""

    seq: int
    metrics: frozenset[str]


class LabelStore(StorePart):
    """Labels, each in its place among evaluations and changes."""

    def record_labels(self, batch: Sequence[AnswerLabel]) -> list[LabelReceipt]:
        """Append labels whose answers are scored; return what became of each, in the order given.

        What was recorded before is ``repeated`` if it says the same of the value and of its probability, else
        ``conflicting``: the label of before stands, and is in the receipt.
        """
        if not batch:
            return []
        ids = list(dict.fromkeys(label.answer_id for label in batch))
        with self._write() as connection:
            known = _known(connection, ids)
            counted, scored = _counted(connection, ids), _scored_by_others(connection, ids)
            receipts: list[LabelReceipt] = []
            new: list[AnswerLabel] = []
            for label in batch:
                key = label.answer_id, label.metric
                there = known.get(key)
                found = scored.get(key) if is_external(label.metric) else counted.get(label.answer_id)
                if there is not None:
                    receipts.append(LabelReceipt("repeated" if label.says(there) else "conflicting", there))
                elif found is None or label.metric not in found.metrics:
                    reason = _unmatched(connection, label, found)
                    receipts.append(LabelReceipt("unmatched", label, reason))
                else:
                    known[key] = replace(label, evaluation_seq=found.seq)
                    new.append(known[key])
                    receipts.append(LabelReceipt("stored", known[key]))
            numbered = _inserted(connection, new)
        return [
            each._replace(label=numbered.get((each.label.answer_id, each.label.metric), each.label))
            for each in receipts
        ]

    def labels(self, *, after: int = 0, limit: int = 100) -> list[AnswerLabel]:
        """Return labels with a higher ``seq``, in order."""
        above = sa.select(labels).where(labels.c.seq > after).order_by(labels.c.seq).limit(limit)
        with self._read() as connection:
            return [_label(row) for row in connection.execute(above)]

    def labels_of(self, seqs: Iterable[int]) -> Mapping[tuple[int, str], AnswerLabel]:
        """Return the labels of evaluations, by their numbers and the metric."""
        found = {}
        with self._read() as connection:
            for group in groups(list(seqs)):
                for row in connection.execute(sa.select(labels).where(labels.c.evaluation_seq.in_(group))):
                    found[row.evaluation_seq, row.metric] = _label(row)
        return found


def _inserted(connection: sa.Connection, new: Sequence[AnswerLabel]) -> dict[tuple[str, str], AnswerLabel]:
    if not new:
        return {}
    first = take_seqs(connection, "evaluation_seq", len(new))
    rows = [replace(label, seq=seq) for seq, label in enumerate(new, first)]
    connection.execute(sa.insert(labels), [asdict(row) for row in rows])
    return {(row.answer_id, row.metric): row for row in rows}


def _known(connection: sa.Connection, ids: Sequence[str]) -> dict[tuple[str, str], AnswerLabel]:
    return {
        (row.answer_id, row.metric): _label(row)
        for group in groups(ids)
        for row in connection.execute(sa.select(labels).where(labels.c.answer_id.in_(group)))
    }


def _counted(connection: sa.Connection, ids: Sequence[str]) -> dict[str, _Counted]:
    """Return of each answer the evaluation that gates count: its first, unless it was drawn late."""
    wanted = sa.select(evaluations.c.answer_id, evaluations.c.seq, evaluations.c["values"])
    first = sa.and_(evaluations.c.first, sa.not_(evaluations.c.late))
    return {
        answer_id: _Counted(seq, frozenset(values))
        for group in groups(ids)
        for answer_id, seq, values in connection.execute(wanted.where(evaluations.c.answer_id.in_(group), first))
    }


def _scored_by_others(connection: sa.Connection, ids: Sequence[str]) -> dict[tuple[str, str], _Counted]:
    """Return the scores of other evaluators, by answer and metric."""
    wanted = sa.select(external.c.answer_id, external.c.metric, external.c.seq)
    return {
        (row.answer_id, row.metric): _Counted(row.seq, frozenset({row.metric}))
        for group in groups(ids)
        for row in connection.execute(wanted.where(external.c.answer_id.in_(group)))
    }


def _unmatched(connection: sa.Connection, label: AnswerLabel, found: _Counted | None) -> str:
    """Return why there is no score that a label is of."""
    if found is not None:
        there = ", ".join(sorted(found.metrics)) or "none"
        return f"the answer has no score of {label.metric!r}; it has: {there}"
    row = connection.execute(sa.select(answers).where(answers.c.answer_id == label.answer_id)).one_or_none()
    if row is None:
        return UNKNOWN_ANSWER
    if is_external(label.metric):
        return UNEVALUATED
    if row.late:
        return DRAWN_LATE
    if row.pending:
        return WAITING
    return UNSAMPLED if not row.sampled else EXPIRED


def _label(row: sa.Row[Any]) -> AnswerLabel:
    return AnswerLabel(**row._mapping)  # noqa: SLF001 - a public name, underscored against clashes
