"""The store on SQLAlchemy Core: which statements make one transaction. They stand in the modules beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any

import sqlalchemy as sa

from adapters.schema import Answer
from collector.store import answers as answer_rows
from collector.store import judged, keeping, listing, pruning, waiting
from collector.store import pulled as pulled_rows
from collector.store import traces as trace_rows
from collector.store.base import (
    Adapted,
    AnswerFilter,
    AnswerRow,
    Backlog,
    Chunk,
    Decision,
    DueTrace,
    Found,
    Pending,
    Pulled,
    Store,
    StoredAnswer,
    StoredEvaluation,
    Totals,
    UnreadRecord,
    never,
)
from collector.store.connections import Connections
from collector.store.pace import Pace
from collector.store.sqlhistory import SqlHistory
from collector.store.tables import answers, malformed


class SqlStore(SqlHistory):
    """A `Store`. ``size`` measures the bytes on disk."""

    def __init__(self, connections: Connections, *, size: Callable[[], int]) -> None:
        super().__init__(connections)
        self._size = size

    def append(self, chunks: Sequence[Chunk]) -> None:
        """Append raw chunks; on return they are on disk."""
        if chunks:
            with self._write() as connection:
                trace_rows.append(connection, chunks)

    def append_pulled(self, pulled: Pulled) -> frozenset[str]:
        """Append what a source brought and move its cursor; return the ids of answers that are new."""
        with self._write() as connection:
            return pulled_rows.append(connection, pulled)

    def cursor(self, name: str) -> bytes | None:
        """Return the cursor as saved last under ``name``."""
        with self._read() as connection:
            return pulled_rows.cursor(connection, name)

    def set_cursor(self, name: str, state: bytes, *, at: int) -> None:
        """Save a cursor that moves without bringing anything."""
        with self._write() as connection:
            pulled_rows.set_cursor(connection, name, state, at)

    def due(
        self, *, now: int, idle: int, timeout: int, limit: int, limit_bytes: int, without: Collection[bytes] = ()
    ) -> list[DueTrace]:
        """Return closed traces with chunks not adapted yet, longest waiting first, but for those ``without``."""
        with self._read() as connection:
            return trace_rows.due(
                connection,
                now=now,
                idle=idle,
                timeout=timeout,
                limit=limit,
                limit_bytes=limit_bytes,
                without=without,
            )

    def record_adapted(self, results: Sequence[Adapted]) -> None:
        """Mark traces adapted, and insert or replace their answers."""
        with self._write() as connection:
            ids = [result.trace_id for result in results]
            if len(set(ids)) < len(ids):
                raise ValueError("a trace stands twice in one batch of results")
            rows = trace_rows.load(connection, ids)
            change: Counter[str] = Counter()
            marks: list[Mapping[str, Any]] = []
            current: list[Adapted] = []
            found: list[tuple[StoredAnswer, bytes, int]] = []
            for result in results:
                row = rows.get(result.trace_id)
                if row is None:
                    raise ValueError(f"trace {result.trace_id.hex()} is not in the store")
                if row.adapted_seq > result.upto_seq:
                    continue
                marked, changed = trace_rows.book(connection, row, result)
                marks.append(marked)
                change.update(changed)
                current.append(result)
                if not row.pruned:
                    found.extend((stored, result.trace_id, row.first_arrived) for stored in result.answers)
            trace_rows.mark(connection, marks)
            trace_rows.write_books(connection, change)
            trace_rows.keep_malformed(connection, current)
            answer_rows.write(connection, found)

    def pending_answers(self, *, limit: int, without: Collection[str] = ()) -> list[StoredAnswer]:
        """Return sampled answers whose newest revision is not evaluated, longest waiting first."""
        with self._read() as connection:
            return answer_rows.pending(connection, limit=limit, without=without)

    def record_evaluations(self, evaluations: Sequence[StoredEvaluation]) -> int:
        """Append evaluations and take their answers off the pending list; return how many are not the first."""
        if not evaluations:
            return 0
        with self._write() as connection:
            return answer_rows.record(connection, evaluations)

    def evaluations_after(self, seq: int, *, limit: int) -> list[StoredEvaluation]:
        """Return evaluations with a higher ``seq``, in order."""
        with self._read() as connection:
            return answer_rows.evaluations_after(connection, seq, limit=limit)

    def newest_evaluation(self) -> int:
        """Return the highest ``seq`` an evaluation ever had; 0 before the first."""
        with self._read() as connection:
            return answer_rows.newest_evaluation(connection)

    def evaluations_waiting(self, seq: int) -> Pending:
        """Return how many evaluations have a higher ``seq``, and when the first of them was scored."""
        with self._read() as connection:
            return answer_rows.evaluations_waiting(connection, seq)

    def load_checkpoint(self, name: str) -> tuple[int, bytes] | None:
        """Return ``(seq, state)`` as saved last under ``name``."""
        with self._read() as connection:
            return judged.load_checkpoint(connection, name)

    def save_checkpoint(self, name: str, seq: int, state: bytes, decisions: Sequence[Decision] = ()) -> None:
        """Save a state that has folded evaluations up to ``seq``; append the decisions it led to."""
        with self._write() as connection:
            judged.save_checkpoint(connection, name, seq, state, decisions)

    def decisions(
        self,
        *,
        gate: str | None = None,
        after: int = 0,
        before: int | None = None,
        newest_first: bool = False,
        limit: int = 100,
    ) -> list[Decision]:
        """Return decisions with a ``seq`` above ``after`` and below ``before``, in order or newest first."""
        with self._read() as connection:
            return judged.listed(
                connection, gate=gate, after=after, before=before, newest_first=newest_first, limit=limit
            )

    def decision(self, seq: int) -> Decision | None:
        """Return one decision by its number."""
        with self._read() as connection:
            return judged.numbered(connection, seq)

    def last_decisions(self) -> list[Decision]:
        """Return the newest verdict change of every (gate, slice)."""
        with self._read() as connection:
            return judged.last(connection)

    def find_answers(
        self,
        wanted: AnswerFilter,
        *,
        limit: int,
        before: int | None = None,
        enough: Callable[[], bool] = never,
    ) -> Found:
        """Return which answers are wanted, newest first, as far as could be looked at in one go."""
        with self._read() as connection:
            return listing.find(connection, wanted, limit=limit, before=before, enough=enough)

    def answers(self, seqs: Sequence[int]) -> list[AnswerRow]:
        """Return answers by number, newest first; those unknown are left out."""
        with self._read() as connection:
            return answer_rows.shown(connection, answers.c.seq.in_(seqs))

    def answers_after(self, seq: int, *, limit: int) -> list[tuple[int, Answer]]:
        """Return answers with a higher ``seq``, in the order in which they were first stored."""
        with self._read() as connection:
            return answer_rows.after(connection, seq, limit=limit)

    def answer(self, answer_id: str) -> AnswerRow | None:
        """Return one answer by id."""
        with self._read() as connection:
            return next(iter(answer_rows.shown(connection, answers.c.answer_id == answer_id)), None)

    def answers_by_id(self, ids: Sequence[str]) -> Mapping[str, StoredAnswer]:
        """Return answers by id; those unknown are left out."""
        with self._read() as connection:
            return answer_rows.by_id(connection, ids)

    def malformed_records(self, source: str, *, limit: int = 100) -> list[tuple[int, UnreadRecord]]:
        """Return what could not be read of a source and when that was, newest first."""
        with self._read() as connection:
            return pulled_rows.unread(connection, source, limit=limit)

    def malformed(self, *, limit: int = 100) -> Iterator[tuple[bytes, int, str]]:
        """Yield ``(trace_id, at, reason)`` of traces that could not be read, newest first."""
        newest = sa.select(malformed.c.trace_id, malformed.c.at, malformed.c.reason).order_by(malformed.c.at.desc())
        with self._read() as connection:
            rows = connection.execute(newest.limit(limit)).all()
        yield from ((row.trace_id, row.at, row.reason) for row in rows)

    def pending(self) -> Mapping[str, Pending]:
        """Return what waits at each stage."""
        with self._read() as connection:
            return keeping.pending(connection)

    def backlog(self, *, now: int, idle: int, timeout: int) -> Backlog:
        """Return what gates lack at ``now``; traces close as `due` says."""
        with self._read() as connection:
            return waiting.backlog(connection, now=now, idle=idle, timeout=timeout)

    def totals(self) -> Totals:
        """Return the books over everything ever accepted."""
        with self._read() as connection:
            return keeping.totals(connection)

    def prune(
        self, *, chunks_before: int, answers_before: int, limit: int, pace: Pace | None = None
    ) -> Mapping[str, int]:
        """Remove what is done and old; return rows removed by table."""
        return pruning.prune(self._connections, pruning.Bounds(chunks_before, answers_before, limit), pace or Pace())

    def asked(self, over: Callable[[], bool]) -> Store:
        """Return this store as those read it who ask from outside, over connections of their own."""
        view = copy(self)
        view._read = partial(self._connections.query, over)  # noqa: SLF001 - another of its own kind
        return view

    def size(self) -> int:
        """Return the bytes the store takes on disk."""
        return self._size()

    def close(self) -> None:
        """Release everything; further calls fail. Waits for a write under way; closing again does nothing."""
        self._connections.close()
