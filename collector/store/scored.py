"""What gates fold, in its one order: scored answers and labels in columns, and the changes between them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa

from collector.store.columns import (
    TEXTLESS,
    EvaluationContext,
    LabelColumns,
    ScoredColumns,
    context_of,
    label_of,
    packed,
)
from collector.store.connections import StorePart
from collector.store.entries import Entry
from collector.store.ledger import changes_after
from collector.store.rows import StoredEvaluation
from collector.store.statements import groups, newest_seq, upsert
from collector.store.tables import books, changes, contexts, labels, scored
from gates.inputs.observations import ARMS, cluster_code, label_code


class TimelineStore(StorePart):
    """What gates fold: evaluations, labels and changes, in the one order in which they were committed."""

    def timeline_after(
        self, seq: int, *, limit: int, upto: int | None = None
    ) -> tuple[list[ScoredColumns | Entry], int]:
        """Return what gates fold above ``seq`` and not above ``upto``, in order, and up to where that is all there is.

        That is evaluations, but for those of later revisions and of answers drawn late, labels of these, and changes;
        at most ``limit`` of each. A row committed later has a higher ``seq`` than all that were returned, so the order
        never changes.
        """
        with self._read() as connection:
            newest = newest_seq(connection)
            end = newest if upto is None else min(newest, upto)
            statement = (
                sa.select(scored).where(scored.c.seq > seq, scored.c.seq <= end).order_by(scored.c.seq).limit(limit)
            )
            rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
            if len(rows) == limit:
                end = rows[-1][0]
            changed = changes_after(connection, seq, changes.c.seq <= end, limit=limit)
            if len(changed) == limit:
                end = changed[-1].seq
            told: Sequence[Sequence[Any]] = connection.execute(
                _LABELLED.where(labels.c.seq > seq, labels.c.seq <= end).limit(limit)
            ).all()
            if len(told) == limit:
                end = told[-1][0]
                changed = [change for change in changed if change.seq <= end]
            known = _contexts(connection, sorted({row[2] for row in (*rows, *told)}))
            pieces: list[ScoredColumns | Entry] = []
            start = first = 0
            for change in [*changed, None]:
                until = end if change is None else change.seq
                stop, last = (bisect(each, until, key=lambda row: row[0]) for each in (rows, told))
                if stop > start or last > first:
                    pieces.append(ScoredColumns.of(rows[start:stop], known, LabelColumns.of(told[first:last], known)))
                if change is not None:
                    pieces.append(change)
                start, first = stop, last
            return pieces, end


_LABELLED = (
    sa.select(
        labels.c.seq,
        *(column for column in scored.c if column is not scored.c.seq),
        labels.c.metric,
        labels.c.labeller,
        labels.c.value,
        labels.c.probability,
    )
    .join(scored, scored.c.seq == labels.c.evaluation_seq)
    .order_by(labels.c.seq)
)
"""Labels with what gates fold of the evaluation that each is of."""


def write_scored(connection: sa.Connection, batch: Sequence[tuple[int, StoredEvaluation]]) -> None:
    """Append evaluations, each with its ``seq``, in order."""
    of_rows = [
        context_of(
            row.slice,
            row.versions,
            [*(score.metric for score in row.evaluation.scores), *(none.metric for none in row.evaluation.unscored)],
            textless=_textless(row),
        )
        for _, row in batch
    ]
    ids = _interned(connection, {context: seq for context, (seq, _) in zip(of_rows, batch, strict=True)})
    rows = [
        {
            "seq": seq,
            "at": row.at,
            "context": ids[context],
            "probability": row.probability,
            "cluster": cluster_code(row.cluster, row.document),
            "arm": ARMS[row.arm],
            "share": row.share or 0.0,
            "values": packed(_kept(row), context.metrics),
        }
        for context, (seq, row) in zip(of_rows, batch, strict=True)
    ]
    if rows:
        connection.execute(sa.insert(scored), rows)


def _kept(row: StoredEvaluation) -> dict[str, float]:
    """Return values by metric, and codes of labels by their own names."""
    values = {score.metric: score.value for score in row.evaluation.scores}
    labels = {label_of(each.metric): float(label_code(each.label)) for each in row.evaluation.scores if each.label}
    return values | labels | ({TEXTLESS: 1.0} if _textless(row) else {})


def _textless(row: StoredEvaluation) -> bool:
    """Return whether an answer was not scored because it has no text."""
    return any(none.reason == "missing_input" and none.detail == "answer" for none in row.evaluation.unscored)


def outlived() -> sa.ColumnElement[bool]:
    """Return the condition that no evaluation has a context any more."""
    oldest = sa.select(
        sa.func.coalesce(sa.func.min(scored.c.seq), sa.select(books.c.evaluation_seq + 1).scalar_subquery())
    )
    return contexts.c.last < oldest.scalar_subquery()


def _interned(connection: sa.Connection, newest: dict[EvaluationContext, int]) -> dict[EvaluationContext, int]:
    """Return the number of each context, and note the newest evaluation that has it."""
    digests = {blake2b(context.dump(), digest_size=16).digest(): context for context in newest}
    kept = upsert(contexts, "last", key=contexts.c.digest).returning(contexts.c.id, contexts.c.digest)
    rows = [{"digest": digest, "body": context.dump(), "last": newest[context]} for digest, context in digests.items()]
    return {digests[row.digest]: row.id for row in connection.execute(kept, rows)} if rows else {}


def _contexts(connection: sa.Connection, ids: Sequence[int]) -> dict[int, EvaluationContext]:
    return {
        row.id: EvaluationContext.load(row.body)
        for group in groups(ids)
        for row in connection.execute(sa.select(contexts.c.id, contexts.c.body).where(contexts.c.id.in_(group)))
    }
