"""Step 2 to 4 of the flow: closed traces become answers, each with its slice and its place in or out of the sample."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from adapters import ADAPTERS
from adapters.detect import NO_DIALECT
from adapters.external.score import ExternalScore
from adapters.schema import Answer
from adapters.trace import Nanoseconds
from collector.clock import Clock
from collector.errors import Transient
from collector.external.reception import Reception
from collector.pipeline.adapt_task import AdaptedTrace, AdaptRequest, TraceTask
from collector.pipeline.admission import Admission, count_answer
from collector.pipeline.unread import UnreadSpans
from collector.scheduling.loop import count_failure
from collector.scheduling.overlap import DispatchedBatch, Overlapped, groups_of
from collector.store.outcomes import TraceOutcome
from collector.store.rows import Adaptation, DueTrace
from collector.store.store import Store
from collector.workers.pool import WorkerPool, WorkerTimeout
from telemetry import instruments
from telemetry.registry import Telemetry

BATCH_TRACES = 128
BATCH_BYTES = 2 * 1024 * 1024
TASK_TRACES = 16
"""Traces per request to a worker: enough to make the round trip cheap, few enough to bound what a death repeats."""
TASK_SECONDS = 30.0
ATTEMPTS = 4
"""Attempts with a trace alone: a worker may also die of something that is not the trace's fault, as a machine short of
memory. One that stalls a worker twice is given up at once."""


@dataclass(frozen=True, kw_only=True)
class AdaptStep(Overlapped[DueTrace]):
    """Adapts what is due. ``idle`` and ``timeout`` (nanoseconds) say when a trace closes."""

    store: Store
    pool: WorkerPool
    admission: Admission
    reception: Reception
    telemetry: Telemetry
    clock: Clock
    idle: Nanoseconds
    timeout: Nanoseconds
    unread: UnreadSpans

    def __post_init__(self) -> None:
        """Make the counters visible before their first increment, which `increase()` would miss."""
        for outcome in get_args(TraceOutcome):
            self.telemetry.add(instruments.TRACES, 0, outcome)
        for dialect in (*(adapter.dialect for adapter in ADAPTERS), NO_DIALECT):
            self.telemetry.add(instruments.SPANS_READ, 0, dialect)
        self.telemetry.add(instruments.MALFORMED, 0, "span")
        self.telemetry.add(instruments.CANARY_TRACES, 0)
        for dimension in self.admission.slices.take_overflow():
            self.telemetry.add(instruments.SLICE_OVERFLOW, 0, dimension)

    def begin(self, under_way: Sequence[DueTrace]) -> DispatchedBatch[DueTrace] | None:
        """Read what is due, and hand it to the workers."""
        due = self.store.due(
            now=self.clock(),
            idle=self.idle,
            timeout=self.timeout,
            limit=BATCH_TRACES,
            limit_bytes=BATCH_BYTES,
            without=[trace.trace_id for trace in under_way],
        )
        if not due:
            return None
        groups = groups_of(due, TASK_TRACES)
        replies = self.pool.begin([_request(group) for group in groups], timeout=TASK_SECONDS)
        full = len(due) == BATCH_TRACES or sum(trace.n_bytes for trace in due) >= BATCH_BYTES // 2
        return DispatchedBatch(groups, replies, full)

    def end(self, batch: DispatchedBatch[DueTrace]) -> None:
        """Record what the traces of a batch became."""
        due, replies = batch.items, self._adapted(batch)
        results = self._results(due, replies, self.clock())
        # Before the traces are done: what is interrupted here comes again, and is known then.
        self._take_external(replies)
        self.store.record_adapted(results)
        self._count(due, replies, results)

    def _adapted(self, batch: DispatchedBatch[DueTrace]) -> list[AdaptedTrace]:
        adapted: list[AdaptedTrace] = []
        for group, reply in zip(batch.groups, batch.replies, strict=True):
            if isinstance(reply, BaseException):
                # Something in this group kills or stalls a worker: one by one, so that it takes no other trace along.
                transient = isinstance(reply, Transient)
                count_failure(self.telemetry, "adapt", transient=transient, at=self.clock())
                adapted.extend(self._alone(trace) for trace in group)
            else:
                adapted.extend(reply)
        return adapted

    def _alone(self, trace: DueTrace) -> AdaptedTrace:
        reason = ""
        attempts = ATTEMPTS
        while attempts:
            reply = self.pool.map([_request([trace])], timeout=TASK_SECONDS)[0]
            if not isinstance(reply, BaseException):
                only: AdaptedTrace = reply[0]
                return only
            reason = f"adapting failed: {reply}"
            attempts = 0 if isinstance(reply, WorkerTimeout) else attempts - 1
        return AdaptedTrace(trace.trace_id, 0, 0, "malformed", reason=reason, malformed=(reason,))

    def _results(self, due: Sequence[DueTrace], replies: Sequence[AdaptedTrace], at: Nanoseconds) -> list[Adaptation]:
        found = [_answers(trace, reply) for trace, reply in zip(due, replies, strict=True)]
        admitted = iter(self.admission.admit([answer for answers in found for answer in answers]))
        return [
            Adaptation(
                trace_id=trace.trace_id,
                upto_seq=trace.upto_seq,
                revision=_revision(trace),
                n_spans=reply.n_spans,
                n_duplicates=reply.n_duplicates,
                outcome=reply.outcome,
                at=at,
                answers=tuple(itertools.islice(admitted, len(answers))),
                reason=reply.reason,
            )
            for trace, reply, answers in zip(due, replies, found, strict=True)
        ]

    def _take_external(self, replies: Sequence[AdaptedTrace]) -> None:
        texts = [text for reply in replies for text in reply.external]
        if texts:
            rows, _ = self.reception.rows(map(ExternalScore.model_validate_json, texts), source="otlp")
            self.reception.store(self.store, [row for _, row in rows])

    def _count(self, due: Sequence[DueTrace], replies: Sequence[AdaptedTrace], results: Sequence[Adaptation]) -> None:
        for trace, reply, result in zip(due, replies, results, strict=True):
            self.telemetry.add(instruments.TRACES, 1, reply.outcome)
            self.telemetry.add(instruments.CANARY_TRACES, int(reply.canary))
            self.telemetry.add(instruments.DUPLICATE_SPANS, reply.n_duplicates)
            if reply.malformed:
                self.telemetry.add(instruments.MALFORMED, len(reply.malformed), "span")
            self.telemetry.add(instruments.TRACES_REOPENED, 1 if trace.adapted_spans else 0)
            for dialect, n in {} if trace.adapted_spans else reply.dialects.items():
                self.telemetry.add(instruments.SPANS_READ, n, dialect)
            if not trace.adapted_spans:
                self.unread.count(reply.unread)
            if not trace.answered:
                for stored in result.answers:
                    count_answer(stored, self.telemetry)
        for dimension, n in self.admission.slices.take_overflow().items():
            self.telemetry.add(instruments.SLICE_OVERFLOW, n, dimension)


def _request(traces: Sequence[DueTrace]) -> AdaptRequest:
    return AdaptRequest(tuple(TraceTask(trace.trace_id, trace.chunks, trace.complete) for trace in traces))


def _answers(trace: DueTrace, reply: AdaptedTrace) -> list[Answer]:
    # Late chunks that hold only copies of known spans change nothing: same revision, nothing to score again.
    if 0 < trace.adapted_spans == reply.n_spans:
        return []
    revision = {"revision": _revision(trace)}
    return [Answer.model_validate_json(text).model_copy(update=revision) for text in reply.answers]


def _revision(trace: DueTrace) -> int:
    return trace.revision if trace.answered else 0
