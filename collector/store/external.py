"""Scores by other evaluators, each of a metric ``external.NAME``, in its place among evaluations and changes.

A score is kept with its answer, whenever it comes: one that comes before its answer waits (`externalwaiting`). Of one
answer and metric the first score stands, as with labels: which answers count must not depend on what is scored again.
The first score of another evaluator or version is a change of the scorer, recorded before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import blake2b
from typing import Any

import orjson
import sqlalchemy as sa

from adapters.schema import MAX_RESPONSE_IDS
from adapters.trace import Nanoseconds
from collector.store.answers import stored_answer
from collector.store.entries import Entry
from collector.store.externalrows import row_of
from collector.store.externalwaiting import (
    WaitingScores,
    forget_waiting,
    keep_waiting,
    news_of,
    note_unmatched,
    set_seen,
    waiting_for,
    waiting_since,
)
from collector.store.ledger import insert_changes
from collector.store.responses import answers_of_responses
from collector.store.rows import ExternalOutcome, ExternalReceipt, ExternalRow, StoredAnswer, StoredEvaluation
from collector.store.scored import write_scored
from collector.store.statements import groups, rows_by, take_seqs
from collector.store.tables import answers, external
from scorers.base import Evaluation, Score

UNKNOWN = "no answer of this id, trace or response is stored yet; the score waits for it"
AsEvaluation = Callable[[ExternalRow, StoredAnswer], StoredEvaluation]
"""Makes a score of an answer what gates read: dated, cut and routed as the answer."""
SEVERAL = "its trace has several answers, and none of them is of its span"
LATE = "its answer did not come within a day"


class ExternalStore(WaitingScores):
    """Scores by other evaluators, and those that wait for their answers."""

    def record_external(self, batch: Sequence[ExternalRow], judged: AsEvaluation) -> list[ExternalReceipt]:
        """Append scores to their answers as ``judged`` says; return what became of each, in the order given."""
        if not batch:
            return []
        with self._write() as connection:
            receipts = keep_waiting(connection, _taken(connection, batch, judged))
            note_unmatched(connection, receipts)
            return receipts

    def match_external(self, judged: AsEvaluation, *, before: int, limit: int) -> list[ExternalReceipt]:
        """Append scores whose answers came since the last call; return what became of those that were settled.

        ``limit`` bounds the answers, and the responses of models, that are looked at. Scores that wait since before an
        instant are given up as ``unmatched``, unless the answer of their trace will do after all.
        """
        with self._read() as connection:
            news = news_of(connection, limit)
            found = waiting_for(connection, news)
            old = waiting_since(connection, before)
        if not found and not old and not news.moved:
            return []
        with self._write() as connection:
            forget_waiting(connection, {**found, **old})
            news_for = [row for key, row in found.items() if key not in old]
            receipts = keep_waiting(connection, _taken(connection, news_for, judged))
            settled = [each for each in receipts if each.outcome != "waiting"]
            settled += _given_up(connection, _taken(connection, list(old.values()), judged), judged)
            note_unmatched(connection, settled)
            set_seen(connection, news)
        return settled

    def external_after(self, seq: int, *, limit: int) -> list[StoredEvaluation]:
        """Return scores with a higher ``seq`` as evaluations of one metric, in order."""
        above = sa.select(external).where(external.c.seq > seq).order_by(external.c.seq).limit(limit)
        with self._read() as connection:
            return [_evaluation(row) for row in connection.execute(above)]

    def external_numbered(self, seqs: Iterable[int]) -> Mapping[int, StoredEvaluation]:
        """Return scores as evaluations of one metric by their numbers, as far as they are there."""
        found = {}
        with self._read() as connection:
            for group in groups(list(seqs)):
                for row in connection.execute(sa.select(external).where(external.c.seq.in_(group))):
                    found[row.seq] = _evaluation(row)
        return found

    def evaluators(self) -> Mapping[str, tuple[str, ...]]:
        """Return who scored each metric, the one that began last first; an unnamed evaluator is an empty text."""
        began = sa.func.min(external.c.seq)
        each = sa.select(external.c.metric, external.c.evaluator).group_by(external.c.metric, external.c.evaluator)
        found: dict[str, tuple[str, ...]] = {}
        with self._read() as connection:
            for row in connection.execute(each.order_by(external.c.metric, began.desc())):
                found[row.metric] = (*found.get(row.metric, ()), row.evaluator)
        return found


def _taken(connection: sa.Connection, batch: Sequence[ExternalRow], judged: AsEvaluation) -> list[ExternalReceipt]:
    """Append scores to their answers in the transaction of ``connection``; those without one are to wait."""
    of_id = rows_by(connection, answers.c.answer_id, list({row.answer_id for row in batch if row.answer_id}))
    of_trace = {each: _of_trace(connection, each) for each in {row.trace_id for row in batch if row.trace_id}}
    of_response = answers_of_responses(connection, {row.response_id for row in batch if row.response_id})
    chosen = [_chosen(row, of_id, of_trace, of_response) for row in batch]
    there = _there(connection, [each.answer_id for each in chosen if not isinstance(each, str)])
    receipts: list[ExternalReceipt] = []
    new: list[tuple[ExternalRow, Any]] = []
    for row, answer in zip(batch, chosen, strict=True):
        if isinstance(answer, str):
            outcome: ExternalOutcome = "waiting" if answer == UNKNOWN else "unmatched"
            receipts.append(ExternalReceipt(outcome, row, answer))
            continue
        placed = replace(row, answer_id=answer.answer_id)
        known = there.get((placed.answer_id, row.metric))
        if known is not None:
            receipts.append(ExternalReceipt("repeated" if known.says(row) else "conflicting", known))
            continue
        there[placed.answer_id, row.metric] = placed
        new.append((placed, answer))
        receipts.append(ExternalReceipt("stored", placed))
    slices = _appended(connection, new, judged)
    return [
        each._replace(slice=slices[each.row.answer_id, each.row.metric]) if each.outcome == "stored" else each
        for each in receipts
    ]


def _given_up(
    connection: sa.Connection, receipts: Sequence[ExternalReceipt], judged: AsEvaluation
) -> list[ExternalReceipt]:
    """Return receipts in which nothing waits: what did is of its trace's answer, whatever it names, or given up."""
    left = [each.row for each in receipts if each.outcome == "waiting"]
    by_trace = _taken(connection, [replace(row, response_id="") for row in left], judged)
    return [
        *(each for each in receipts if each.outcome != "waiting"),
        *(
            ExternalReceipt("unmatched", row, LATE) if each.outcome == "waiting" else each
            for row, each in zip(left, by_trace, strict=True)
        ),
    ]


def _of_trace(connection: sa.Connection, trace_id: str) -> Sequence[Any]:
    """Return the answers of a trace: the id of the first is the trace's, and begins the ids of the others."""
    statement = sa.select(answers).where(answers.c.answer_id >= trace_id, answers.c.answer_id < f"{trace_id}.")
    return connection.execute(statement.order_by(answers.c.answer_id)).all()


def _chosen(
    row: ExternalRow, of_id: Mapping[str, Any], of_trace: Mapping[str, Sequence[Any]], of_response: Mapping[str, Any]
) -> Any:
    """Return the answer that a score is of, or why there is none.

    Of a trace and a response, the trace is that of the evaluator where its answers are known to be of other responses.
    """
    if row.answer_id:
        return of_id.get(row.answer_id, UNKNOWN)
    found = of_trace.get(row.trace_id, ())
    if row.response_id:
        known = [_response_ids(each) for each in found]
        holder = next((each for each, ids in zip(found, known, strict=True) if ids and row.response_id in ids), None)
        if holder is not None:
            return holder
        if not found or all(known):
            return of_response.get(row.response_id, UNKNOWN)
    if len(found) > 1:
        return next((each for each in found if orjson.loads(each.body).get("span_id") == row.span_id), SEVERAL)
    return found[0] if found else UNKNOWN


def _response_ids(answer: Any) -> Sequence[str] | None:
    """Return the ids of the responses that an answer was made from; ``None`` where they are not known, or not all."""
    ids = orjson.loads(answer.body).get("response_ids")
    return None if ids is None or len(ids) >= MAX_RESPONSE_IDS else ids


def _there(connection: sa.Connection, ids: Sequence[str]) -> dict[tuple[str, str], ExternalRow]:
    return {
        (row.answer_id, row.metric): row_of(row)
        for group in groups(sorted(set(ids)))
        for row in connection.execute(sa.select(external).where(external.c.answer_id.in_(group)))
    }


def _appended(
    connection: sa.Connection, new: Sequence[tuple[ExternalRow, Any]], judged: AsEvaluation
) -> dict[tuple[str, str], Mapping[str, str]]:
    """Insert scores with the answers they are of, and before each new evaluator's first the change that it is."""
    if not new:
        return {}
    known = _known_evaluators(connection, {row.metric for row, _ in new})
    items: list[Entry | StoredEvaluation] = []
    rows: list[dict[str, Any]] = []
    for row, answer in new:
        evaluation = judged(row, stored_answer(answer))
        seen = known.setdefault(row.metric, [])
        if row.evaluator and row.evaluator not in seen:
            if seen:
                items.append(_change(row, seen[-1], evaluation.at))
            seen.append(row.evaluator)
        items.append(evaluation)
        rows.append(asdict(row) | _columns(evaluation))
    first = take_seqs(connection, "evaluation_seq", len(items))
    numbered = list(enumerate(items, first))
    insert_changes(connection, [replace(each, seq=seq) for seq, each in numbered if isinstance(each, Entry)])
    scored = [(seq, each) for seq, each in numbered if isinstance(each, StoredEvaluation)]
    connection.execute(
        sa.insert(external),
        [_of_table(row) | {"seq": seq} for (seq, _), row in zip(scored, rows, strict=True)],
    )
    write_scored(connection, scored)
    return {(row["answer_id"], row["metric"]): row["slice"] for row in rows}


def _known_evaluators(connection: sa.Connection, metrics: Iterable[str]) -> dict[str, list[str]]:
    """Return who scored each of these metrics so far, the one that began last at the end."""
    began = sa.func.min(external.c.seq)
    each = sa.select(external.c.metric, external.c.evaluator).group_by(external.c.metric, external.c.evaluator)
    known: dict[str, list[str]] = {}
    for row in connection.execute(each.where(external.c.metric.in_(sorted(metrics))).order_by(began)):
        if row.evaluator:
            known.setdefault(row.metric, []).append(row.evaluator)
    return known


def _change(row: ExternalRow, previous: str, at: Nanoseconds) -> Entry:
    name = orjson.dumps([row.metric, previous, row.evaluator, row.answer_id])
    return Entry(
        id=f"external-{blake2b(name, digest_size=8).hexdigest()}",
        at=at,
        recorded_at=row.recorded_at,
        kind="scorer",
        source="observed",
        component=row.metric,
        version=row.evaluator,
        previous=previous,
    )


def _columns(evaluation: StoredEvaluation) -> dict[str, Any]:
    """Return what of an evaluation stands in columns beside what the score itself says."""
    return {
        "revision": evaluation.evaluation.revision,
        "answered_at": evaluation.at,
        "slice": dict(evaluation.slice),
        "cluster": evaluation.cluster,
        "versions": dict(evaluation.versions),
        "arm": evaluation.arm,
        "share": evaluation.share,
        "document": evaluation.document,
    }


def _of_table(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("trace_id", "span_id", "response_id", "seq")}


def _evaluation(row: sa.Row[Any]) -> StoredEvaluation:
    score = Score(metric=row.metric, value=row.value, label=row.label, explanation=row.explanation)
    return StoredEvaluation(
        evaluation=Evaluation(answer_id=row.answer_id, revision=row.revision, scores=(score,)),
        at=row.answered_at,
        scored_at=row.recorded_at,
        slice=row.slice,
        probability=row.probability,
        cluster=row.cluster,
        versions=row.versions,
        seq=row.seq,
        arm=row.arm,
        share=row.share,
        document=row.document,
    )
