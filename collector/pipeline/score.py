"""Step 5 of the flow: sampled answers get their evaluation, one row a run of the panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, get_args

from adapters.schema import Answer
from collector.changes.panel import COMPONENT
from collector.changes.served import document_of, served_by
from collector.clock import Clock, instant, nanoseconds
from collector.errors import Transient
from collector.pipeline.score_task import ANSWER_TIMEOUTS, ScoredAnswer, ScoreRequest
from collector.scheduling.loop import count_failure
from collector.scheduling.overlap import DispatchedBatch, Overlapped, groups_of
from collector.store.rows import StoredAnswer, StoredEvaluation
from collector.store.store import Store
from collector.workers.pool import WorkerPool, WorkerTimeout
from scorers.base import Evaluation, Metric, Reason, Unscored
from telemetry import instruments
from telemetry.instrument import Instrument, exposed_unit, quality_instrument
from telemetry.registry import Telemetry

TASK_ANSWERS = 4
"""Answers per request to a worker: few, since a worker that hangs is noticed when the time of all of them is up."""
BATCH_TASKS = 4
"""Requests for each worker in a batch."""
FAULTS: tuple[Reason, ...] = tuple(reason for reason in get_args(Reason) if reason in instruments.FAILURES.split("|"))
"""Reasons that mean a fault of scoring, not a fact about the answer. Of every metric, exposed or not, they are counted
over all traffic, from zero on: a series that begins at its first increment hides that increment from `increase()`, and
a zero for each metric and slice would be most of what is exposed."""
CATALOG = "catalog"
GRACE_SECONDS = 5.0
"""What a worker may take beyond the time limits of its panels before it is killed."""


@dataclass(frozen=True, kw_only=True)
class ScoreStep(Overlapped[StoredAnswer]):
    """Scores what is pending. A request that fails is tried again, answer by answer, ``retries`` times.

    ``panel`` names the versions of the scorers, see `collector.changes.panel`.
    """

    store: Store
    pool: WorkerPool
    metrics: Mapping[str, Metric]
    telemetry: Telemetry
    clock: Clock
    scorer_timeout: float
    retries: int
    panel: str | None = None

    def __post_init__(self) -> None:
        """Make counters visible before their first increment, which `increase()` would miss."""
        self.telemetry.add(instruments.LATE_REVISIONS, 0)
        for name in self.metrics:
            for reason in FAULTS:
                self.telemetry.add(instruments.UNSCORED, 0, name, reason)

    def begin(self, under_way: Sequence[StoredAnswer]) -> DispatchedBatch[StoredAnswer] | None:
        """Read what is pending, and hand it to the workers."""
        limit = TASK_ANSWERS * self.pool.size * BATCH_TASKS
        pending = self.store.pending_answers(limit=limit, without=[item.answer.id for item in under_way])
        if not pending:
            return None
        groups = groups_of(pending, TASK_ANSWERS)
        replies = self.pool.begin([self._request(group) for group in groups], timeout=self._deadline(TASK_ANSWERS))
        return DispatchedBatch(groups, replies, full=len(pending) == limit)

    def end(self, batch: DispatchedBatch[StoredAnswer]) -> None:
        """Record what the answers of a batch scored."""
        stored: list[StoredEvaluation] = []
        seconds: list[tuple[str, float]] = []
        for group, reply in zip(batch.groups, batch.replies, strict=True):
            if isinstance(reply, BaseException):
                transient = isinstance(reply, Transient)
                count_failure(self.telemetry, "score", transient=transient, at=self.clock())
                results = [self._alone(answer) for answer in group]
            else:
                results = reply
            for answer, scored in zip(group, results, strict=True):
                stored.append(self.evaluated(answer, scored))
                seconds.extend(scored.seconds)
        self.telemetry.add(instruments.LATE_REVISIONS, self.store.record_evaluations(stored))
        self.count(batch.items, stored, seconds)

    def _request(self, answers: Sequence[StoredAnswer]) -> ScoreRequest:
        return ScoreRequest(tuple(item.answer.model_dump_json() for item in answers), instant(self.clock()))

    def _deadline(self, n_answers: int) -> float:
        return self.scorer_timeout * ANSWER_TIMEOUTS * n_answers + GRACE_SECONDS

    def _alone(self, item: StoredAnswer) -> ScoredAnswer:
        reason: Reason = "error"
        detail = ""
        for _ in range(1 + self.retries):
            reply = self.pool.map([self._request([item])], timeout=self._deadline(1))[0]
            if not isinstance(reply, BaseException):
                only: ScoredAnswer = reply[0]
                return only
            reason = "timeout" if isinstance(reply, WorkerTimeout) else "error"
            detail = str(reply)
        absent = tuple(Unscored(metric=name, reason=reason, detail=detail) for name in self.metrics)
        answer = item.answer
        evaluation = Evaluation(answer_id=answer.id, revision=answer.revision, unscored=absent)
        return ScoredAnswer(evaluation.model_dump_json(), ())

    def evaluated(self, item: StoredAnswer, scored: ScoredAnswer) -> StoredEvaluation:
        """Return what an answer scored, as gates read it."""
        answer = item.answer
        scored_at = self.clock()
        at = answer.ended_at or answer.started_at
        return StoredEvaluation(
            evaluation=Evaluation.model_validate_json(scored.evaluation),
            # A client's clock may run ahead; an answer from the future would push all others out of a gate's window.
            at=min(nanoseconds(at), scored_at) if at is not None else scored_at,
            scored_at=scored_at,
            slice=item.slice,
            probability=item.probability,
            cluster=answer.session_id,
            document=document_of(answer),
            versions=self._versions(answer, scored),
            late=item.late,
            arm=answer.arm,
            share=answer.share,
        )

    def _versions(self, answer: Answer, scored: ScoredAnswer) -> dict[str, str]:
        """Return what served the answer, and what scored it: the catalog, unless the answer tells of its own."""
        judged = {CATALOG: scored.catalog, COMPONENT: self.panel}
        return {name: version for name, version in judged.items() if version} | served_by(answer)

    def count(
        self,
        pending: Sequence[StoredAnswer],
        stored: Sequence[StoredEvaluation],
        seconds: Sequence[tuple[str, float]],
    ) -> None:
        """Count answers with what they scored, and what each scorer took in seconds."""
        for metric, took in seconds:
            self.telemetry.observe(instruments.SCORER_SECONDS, took, metric)
        for item, row in zip(pending, stored, strict=True):
            if item.answer.revision > 0 or item.late:
                # An answer counts once; what late spans change is in the store, not added on top in the counters. Nor
                # is what was drawn late: the answers drawn first stand for it already.
                continue
            cut, weight = row.slice, 1 / row.probability
            self.telemetry.add(instruments.ANSWERS_SCORED, 1, slice_=cut)
            for score in row.evaluation.scores:
                if (exposed := self._exposed.get(score.metric)) is None:
                    continue
                value = score.value * exposed.size
                self.telemetry.observe(exposed.instrument, value, slice_=cut, trace_id=item.answer.trace_id)
                self.telemetry.add(instruments.WEIGHTED_SCORES, score.value * weight, score.metric, slice_=cut)
                self.telemetry.add(instruments.WEIGHTED_ANSWERS, weight, score.metric, slice_=cut)
            for absent in row.evaluation.unscored:
                if absent.reason in FAULTS:
                    self.telemetry.add(instruments.UNSCORED, 1, absent.metric, absent.reason)
                elif absent.metric in self._exposed:
                    self.telemetry.add(instruments.UNSCORED, 1, absent.metric, absent.reason, slice_=cut)

    @cached_property
    def _exposed(self) -> Mapping[str, _Exposed]:
        exposure = self.telemetry.exposure
        return {
            name: _Exposed(quality_instrument(metric), exposed_unit(metric)[1])
            for name, metric in self.metrics.items()
            if exposure.metric(name)
        }


class _Exposed(NamedTuple):
    """How a metric is exposed: as which histogram, and in how many of its units."""

    instrument: Instrument
    size: float
