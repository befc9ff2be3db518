"""The one door for scores by other evaluators: which are taken, as what, and what is counted of them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

import structlog

from adapters.external.score import MAX_NAME, ExternalScore
from adapters.ids import span_id_of, trace_id_of
from adapters.trace import Nanoseconds
from collector.clock import Clock, nanoseconds
from collector.external.judged import judged
from collector.external.options import ExternalMetric, UntakenScoreError
from collector.store.externalrows import PREFIX
from collector.store.rows import ExternalOutcome, ExternalReceipt, ExternalRow
from collector.store.store import Store
from scorers.composite.case_profile import band_of
from telemetry import instruments
from telemetry.instrument import exposed_unit, quality_instrument
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)

RefusedOutcome = Literal["undeclared", "refused", "own"]
OUTCOMES: tuple[str, ...] = (*get_args(ExternalOutcome), *get_args(RefusedOutcome))
"""What may become of a score: ``undeclared`` where no metric takes it, ``refused`` where it is no value of its metric,
``own`` where this agent wrote it."""
MAX_UNDECLARED = 100
"""Names nobody declared that are remembered and logged."""
AHEAD = 60 * 10**9
"""How far (ns) the clock of an evaluator may run ahead before its time is not believed."""


class Untaken(NamedTuple):
    """A score that is no row, by its number among those given, and why."""

    number: int
    name: str
    outcome: RefusedOutcome
    reason: str


@dataclass(frozen=True, kw_only=True)
class Reception:
    """Takes scores in. Shared by the threads that bring them."""

    declared: Sequence[ExternalMetric]
    telemetry: Telemetry
    clock: Clock
    _undeclared: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Make the counter visible before its first increment, which `increase()` would miss."""
        for outcome in OUTCOMES:
            self.telemetry.add(instruments.EXTERNAL_SCORES, 0, outcome)

    def rows(
        self, scores: Iterable[ExternalScore], *, source: str
    ) -> tuple[list[tuple[int, ExternalRow]], list[Untaken]]:
        """Return the rows that scores are, each with its number from 1, and those that are none; these are counted.

        ``source`` says by which way they came.
        """
        now = self.clock()
        rows: list[tuple[int, ExternalRow]] = []
        untaken: list[Untaken] = []
        for number, score in enumerate(scores, 1):
            if score.ours:
                untaken.append(Untaken(number, score.name, "own", "this agent wrote it"))
                continue
            metric = next((each for each in self.declared if each.takes(score)), None)
            if metric is None:
                untaken.append(Untaken(number, score.name, "undeclared", self._why_undeclared(score)))
                continue
            try:
                value = metric.value_of(score)
            except UntakenScoreError as error:
                untaken.append(Untaken(number, score.name, "refused", str(error)))
                continue
            rows.append((number, _row(score, metric.name, value, source, now)))
        rows += self._sums([(number, row) for number, row in rows])
        for each in untaken:
            self.telemetry.add(instruments.EXTERNAL_SCORES, 1, each.outcome)
        self._remember(each.name for each in untaken if each.outcome == "undeclared")
        return rows, untaken

    def _sums(self, rows: Sequence[tuple[int, ExternalRow]]) -> Iterator[tuple[int, ExternalRow]]:
        """Yield the sums of scores of one answer and evaluator that came together, each by the number of the last."""
        sums = [each for each in self.declared if each.profile is not None]
        groups: dict[tuple[str, ...], list[tuple[int, ExternalRow]]] = {}
        for number, row in rows if sums else ():
            key = (row.answer_id, row.trace_id, row.span_id, row.response_id, row.evaluator)
            groups.setdefault(key, []).append((number, row))
        for together in groups.values():
            values = {row.metric.removeprefix(PREFIX): row.value for _, row in together}
            number, last = max(together, key=lambda each: each[0])
            for metric in sums:
                if metric.evaluators and last.evaluator.partition("@")[0] not in metric.evaluators:
                    continue
                total = metric.sum_of(values)
                if total is not None:
                    summed = replace(
                        last, metric=f"{PREFIX}{metric.name}", value=total, label=band_of(total), explanation=None
                    )
                    yield number, summed

    def store(self, store: Store, rows: Sequence[ExternalRow]) -> list[ExternalReceipt]:
        """Store rows, and count what became of each."""
        receipts = store.record_external(rows, judged)
        self.count(receipts)
        return receipts

    def count(self, receipts: Iterable[ExternalReceipt]) -> None:
        """Count what became of rows, and expose the values of those that were stored."""
        metrics = {each.metric.name: each.metric for each in self.declared}
        for receipt in receipts:
            self.telemetry.add(instruments.EXTERNAL_SCORES, 1, receipt.outcome)
            metric = metrics.get(receipt.row.metric)
            if receipt.outcome != "stored" or metric is None or not self.telemetry.exposure.metric(metric.name):
                continue
            value, weight = receipt.row.value, 1 / receipt.row.probability
            size = exposed_unit(metric)[1]
            self.telemetry.observe(quality_instrument(metric), value * size, slice_=receipt.slice)
            # Counters only rise: a metric that may be negative has its distribution, and no mean over all traffic.
            if metric.lower >= 0:
                self.telemetry.add(instruments.WEIGHTED_SCORES, value * weight, metric.name, slice_=receipt.slice)
                self.telemetry.add(instruments.WEIGHTED_ANSWERS, weight, metric.name, slice_=receipt.slice)

    def undeclared(self) -> Mapping[str, int]:
        """Return the names of scores that no metric takes, and how many came, the most frequent first."""
        with self._lock:
            return dict(self._undeclared.most_common())

    def described(self) -> list[dict[str, Any]]:
        """Return the declared metrics, for people."""
        return [
            {
                "metric": each.metric.name,
                "scores": list(each.incoming),
                "evaluators": list(each.evaluators),
                "bounds": list(each.bounds),
                "better": each.better,
            }
            for each in self.declared
        ]

    def _why_undeclared(self, score: ExternalScore) -> str:
        named = [each for each in self.declared if score.name in each.incoming]
        if named:
            return f"{named[0].name} takes no scores of evaluator {score.evaluator or 'unknown'}: see its `evaluators`"
        return "no metric under `external` takes scores of this name"

    def _remember(self, names: Iterable[str]) -> None:
        for name in names:
            with self._lock:
                new = name not in self._undeclared
                if new and len(self._undeclared) >= MAX_UNDECLARED:
                    continue
                self._undeclared[name] += 1
            if new:
                log.info("score not taken: no metric under external declares its name", score=name)


def _row(score: ExternalScore, metric: str, value: float, source: str, now: Nanoseconds) -> ExternalRow:
    at = now if score.at is None else nanoseconds(score.at)
    return ExternalRow(
        metric=f"{PREFIX}{metric}",
        value=value,
        probability=score.probability,
        source=source,
        at=at if 0 <= at <= now + AHEAD else now,
        recorded_at=now,
        answer_id=score.answer_id or "",
        trace_id="" if score.answer_id or not score.trace_id else trace_id_of(score.trace_id),
        response_id="" if score.answer_id else score.response_id or "",
        span_id=span_id_of(score.span_id) if score.span_id else "",
        label=score.label,
        explanation=score.explanation,
        evaluator=score.measured_by[:MAX_NAME],
    )
