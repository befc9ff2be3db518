"""Scores by other evaluators, each of a metric ``external.NAME``, in its place among evaluations and changes.

A score is kept with its answer, whenever it comes: one that comes before its answer waits. Of one answer and metric
the first score stands, as with labels: which answers count must not depend on what is scored again. The first score of
another evaluator or version is a change of the scorer, recorded before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import blake2b
from typing import Any

import orjson
import sqlalchemy as sa

from adapters.trace import Nanoseconds
from collector.store.answers import stored_answer
from collector.store.connections import StorePart
from collector.store.entries import Entry
from collector.store.externalrows import row_of
from collector.store.ledger import insert_changes
from collector.store.rows import ExternalOutcome, ExternalReceipt, ExternalRow, StoredAnswer, StoredEvaluation
from collector.store.scored import write_scored
from collector.store.statements import groups, rows_by, take_seqs, upsert
from collector.store.tables import answers, cursors, external, external_waiting
from scorers.base import Evaluation, Score

MAX_WAITING = 100_000
"""Scores that wait for their answers; those beyond are given up at once."""
CURSOR = "external"
"""Under which name the store notes up to which answer waiting scores were looked for."""
UNKNOWN = "no answer of this id or trace is stored yet; the score waits for it"
AsEvaluation = Callable[[ExternalRow, StoredAnswer], StoredEvaluation]
"""Makes a score of an answer what gates read: dated, cut and routed as the answer."""
SEVERAL = "its trace has several answers, and none of them is of its span"
CROWDED = "too many scores wait for their answers"


class ExternalStore(StorePart):
    """Scores by other evaluators, and those that wait for their answers."""

    def record_external(self, batch: Sequence[ExternalRow], judged: AsEvaluation) -> list[ExternalReceipt]:
        """Append scores to their answers as ``judged`` says; return what became of each, in the order given."""
        if not batch:
            return []
        with self._write() as connection:
            return _taken(connection, batch, judged)

    def match_external(self, judged: AsEvaluation, *, before: int, limit: int) -> list[ExternalReceipt]:
        """Append scores whose answers came since the last call, ``limit`` answers at most; return what became of them.

        Scores that wait since before an instant are given up as ``unmatched``.
        """
        with self._read() as connection:
            seen, newest, ids = _news(connection, limit)
            old = connection.execute(sa.select(external_waiting).where(external_waiting.c.recorded_at < before)).all()
            found = [
                row
                for group in groups(sorted({each for name in ids for each in (name, name.partition("-")[0])}))
                for row in connection.execute(sa.select(external_waiting).where(external_waiting.c.ref.in_(group)))
            ]
        if not found and not old and newest == seen:
            return []
        with self._write() as connection:
            gone = {row.id for row in (*found, *old)}
            for some in groups(sorted(gone)):
                connection.execute(sa.delete(external_waiting).where(external_waiting.c.id.in_(some)))
            receipts = _taken(connection, [_waiting_row(row) for row in found], judged)
            matched = {row.id for row in found}
            lost = [_waiting_row(row) for row in old if row.id not in matched]
            _set_seen(connection, newest)
        return [*receipts, *(ExternalReceipt("unmatched", row, "its answer did not come") for row in lost)]

    def external_waiting(self) -> int:
        """Return how many scores wait for their answers."""
        with self._read() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(external_waiting)).scalar_one())

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
    """Append scores to their answers, or let them wait, in the transaction of ``connection``."""
    of_id = rows_by(connection, answers.c.answer_id, list({row.answer_id for row in batch if row.answer_id}))
    of_trace = {each: _of_trace(connection, each) for each in {row.trace_id for row in batch if row.trace_id}}
    chosen = [_chosen(row, of_id, of_trace) for row in batch]
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
    if any(each.outcome == "waiting" for each in receipts):
        receipts = _kept_waiting(connection, receipts)
    return [
        each._replace(slice=slices[each.row.answer_id, each.row.metric]) if each.outcome == "stored" else each
        for each in receipts
    ]


def _of_trace(connection: sa.Connection, trace_id: str) -> Sequence[Any]:
    """Return the answers of a trace: the id of the first is the trace's, and begins the ids of the others."""
    statement = sa.select(answers).where(answers.c.answer_id >= trace_id, answers.c.answer_id < f"{trace_id}.")
    return connection.execute(statement.order_by(answers.c.answer_id)).all()


def _chosen(row: ExternalRow, of_id: Mapping[str, Any], of_trace: Mapping[str, Sequence[Any]]) -> Any:
    """Return the answer that a score is of, or why there is none."""
    if row.answer_id:
        return of_id.get(row.answer_id, UNKNOWN)
    found = of_trace[row.trace_id or ""]
    if len(found) > 1:
        return next((each for each in found if orjson.loads(each.body).get("span_id") == row.span_id), SEVERAL)
    return found[0] if found else UNKNOWN


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
    return {name: value for name, value in row.items() if name not in ("trace_id", "span_id", "seq")}


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


def _kept_waiting(connection: sa.Connection, receipts: Sequence[ExternalReceipt]) -> list[ExternalReceipt]:
    """Keep what waits as far as there is room; return the receipts with what is given up for want of it."""
    room = MAX_WAITING - connection.execute(sa.select(sa.func.count()).select_from(external_waiting)).scalar_one()
    kept: dict[bytes, dict[str, Any]] = {}
    settled: list[ExternalReceipt] = []
    for receipt in receipts:
        if receipt.outcome == "waiting" and len(kept) >= room:
            settled.append(ExternalReceipt("unmatched", receipt.row, CROWDED))
            continue
        settled.append(receipt)
        if receipt.outcome == "waiting":
            waits = _waits(receipt.row)
            kept[waits["id"]] = waits
    if kept:
        connection.execute(sa.insert(external_waiting).prefix_with("OR IGNORE"), list(kept.values()))
    return settled


def _waits(row: ExternalRow) -> dict[str, Any]:
    # When it came is no part of what it says: sent again it is the same.
    said = orjson.dumps(asdict(row) | {"recorded_at": 0, "at": 0}, option=orjson.OPT_SORT_KEYS)
    key = blake2b(said, digest_size=16).digest()
    ref = row.answer_id or row.trace_id
    return {"id": key, "ref": ref, "recorded_at": row.recorded_at, "body": orjson.dumps(asdict(row))}


def _waiting_row(row: sa.Row[Any]) -> ExternalRow:
    return ExternalRow(**orjson.loads(row.body))


def _news(connection: sa.Connection, limit: int) -> tuple[int, int, list[str]]:
    """Return up to which answer waiting scores were looked for, up to which they are now, and the answers between."""
    saved = connection.execute(sa.select(cursors.c.state).where(cursors.c.name == CURSOR)).scalar_one_or_none()
    seen = 0 if saved is None else int(saved)
    if connection.execute(sa.select(external_waiting.c.id).limit(1)).first() is None:
        newest = connection.execute(sa.select(sa.func.max(answers.c.seq))).scalar_one() or 0
        # Nothing waits: a few thousand answers more or less are not worth a write.
        return seen, (newest if newest - seen >= limit else seen), []
    above = sa.select(answers.c.seq, answers.c.answer_id).where(answers.c.seq > seen).order_by(answers.c.seq)
    rows = connection.execute(above.limit(limit)).all()
    return seen, (rows[-1].seq if rows else seen), [row.answer_id for row in rows]


def _set_seen(connection: sa.Connection, seq: int) -> None:
    connection.execute(upsert(cursors, "state", "at"), {"name": CURSOR, "state": str(seq).encode(), "at": 0})
