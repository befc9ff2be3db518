"""Adaptations: what closed traces became, and the books of their spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from adapters.trace import Nanoseconds
from collector.store.answers import write_answers
from collector.store.books import add_to_books
from collector.store.connections import StorePart
from collector.store.rows import Adaptation, StoredAnswer
from collector.store.statements import groups, rows_by, upsert
from collector.store.tables import chunks, malformed, traces

MALFORMED_KEPT = 1000
REASON_CHARACTERS = 500


class AdaptationStore(StorePart):
    """What closed traces became."""

    def record_adapted(self, results: Sequence[Adaptation]) -> None:
        """Mark traces adapted up to ``upto_seq``, and insert or replace their answers.

        An answer is replaced only by one of the same or a higher revision; a replaced sampled answer is pending for
        scoring again, an identical one is left alone. Its place in or out of the sample was decided when it was first
        stored and stays. Malformed traces are kept for inspection with their reason, newest thousand. A result older
        than what is recorded changes nothing. When earlier chunks of the trace were pruned, its late spans are booked
        but its answers stay: the part must not replace the whole. Raises `ValueError` for a trace or an ``upto_seq``
        the store does not know, a trace that is twice in a batch, and impossible counts.
        """
        trace_ids = [result.trace_id for result in results]
        if len(set(trace_ids)) < len(trace_ids):
            raise ValueError("a trace is twice in one batch of results")
        with self._write() as connection:
            rows = rows_by(connection, traces.c.trace_id, trace_ids)
            change: Counter[str] = Counter()
            marks: list[dict[str, Any]] = []
            current: list[Adaptation] = []
            answers: list[tuple[StoredAnswer, bytes, int]] = []
            for result in results:
                row = rows.get(result.trace_id)
                if row is None:
                    raise ValueError(f"trace {result.trace_id.hex()} is not in the store")
                if row.adapted_seq > result.upto_seq:
                    continue
                marked, changed = _booked(connection, row, result)
                marks.append(marked)
                change.update(changed)
                current.append(result)
                if not row.pruned:
                    answers.extend((stored, result.trace_id, row.first_arrived) for stored in result.answers)
            if marks:
                connection.execute(_MARK, marks)
            add_to_books(connection, change)
            _keep_malformed(connection, current)
            write_answers(connection, answers)

    def malformed(self, *, limit: int = 100) -> list[tuple[bytes, Nanoseconds, str]]:
        """Return ``(trace_id, at, reason)`` of traces that could not be read, newest first."""
        newest = sa.select(malformed.c.trace_id, malformed.c.at, malformed.c.reason).order_by(malformed.c.at.desc())
        with self._read() as connection:
            return [(row.trace_id, row.at, row.reason) for row in connection.execute(newest.limit(limit))]


_MARKED = ("adapted_seq", "waiting_since", "accounted", "duplicates", "adapted_spans", "revision", "outcome")
_MARK = (
    sa.update(traces)
    .where(traces.c.trace_id == sa.bindparam("of_trace"))
    .values({name: sa.bindparam(f"new_{name}") for name in _MARKED})
)


def _booked(connection: sa.Connection, row: sa.Row[Any], result: Adaptation) -> tuple[dict[str, Any], Counter[str]]:
    """Return how to mark a trace adapted as ``result`` says, and what that changes in the books."""
    if not row.adapted_seq <= result.upto_seq <= row.last_seq:
        raise ValueError(f"trace {result.trace_id.hex()} has no chunk {result.upto_seq}: {row.last_seq} is its newest")
    accounted, waiting_since = row.spans, None
    if result.upto_seq < row.last_seq:
        rest = sa.select(sa.func.coalesce(sa.func.sum(chunks.c.n_spans), 0), sa.func.min(chunks.c.arrived)).where(
            chunks.c.trace_id == result.trace_id, chunks.c.seq > result.upto_seq
        )
        n_newer, waiting_since = connection.execute(rest).one()
        accounted -= n_newer
    if not 0 <= result.n_duplicates <= accounted:
        raise ValueError(f"trace {result.trace_id.hex()} cannot hold {result.n_duplicates} copies in {accounted} spans")
    # The late rest of a trace whose chunks are gone says nothing about what the trace was.
    outcome = row.outcome if row.pruned else result.outcome
    marked = {
        "of_trace": result.trace_id,
        "new_adapted_seq": result.upto_seq,
        "new_waiting_since": waiting_since,
        "new_accounted": accounted,
        "new_duplicates": result.n_duplicates,
        "new_adapted_spans": row.adapted_spans if row.pruned else result.n_spans,
        "new_revision": row.revision if row.pruned else max(row.revision, result.revision + 1),
        "new_outcome": outcome,
    }
    change: Counter[str] = Counter()
    if row.outcome is not None:
        change[f"traces_{row.outcome}"] -= 1
        change[f"spans_{row.outcome}"] -= row.accounted - row.duplicates
        change["spans_duplicate"] -= row.duplicates
    change[f"traces_{outcome}"] += 1
    change[f"spans_{outcome}"] += accounted - result.n_duplicates
    change["spans_duplicate"] += result.n_duplicates
    return marked, change


def _keep_malformed(connection: sa.Connection, results: Sequence[Adaptation]) -> None:
    """Remember the newest traces that could not be read, and forget those that could be after all."""
    for ids in groups([result.trace_id for result in results if result.outcome != "malformed"]):
        connection.execute(sa.delete(malformed).where(malformed.c.trace_id.in_(ids)))
    rows = [
        {"trace_id": result.trace_id, "at": result.at, "reason": (result.reason or "")[:REASON_CHARACTERS]}
        for result in results
        if result.outcome == "malformed"
    ]
    if not rows:
        return
    connection.execute(upsert(malformed, "at", "reason"), rows)
    newest = sa.select(malformed.c.trace_id).order_by(malformed.c.at.desc(), malformed.c.trace_id).limit(MALFORMED_KEPT)
    connection.execute(sa.delete(malformed).where(malformed.c.trace_id.not_in(newest)))
