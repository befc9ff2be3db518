"""One target as a step: evaluations after its cursor are written to it, then the cursor moves.

Whatever is killed in between is written again by the next start: targets replace what comes twice. Retention does not
wait for a target: an evaluation that is past it before it could be written is lost to the target, and counted.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Mapping, Sequence
from typing import ClassVar

from collector.outbound.errors import Refused
from collector.outbound.following import FollowingLink, StoredPosition
from collector.outbound.link import Attempt, Counter, Runtime
from collector.store.rows import StoredAnswer, StoredEvaluation
from collector.store.statements import groups
from collector.store.store import Store
from collector.writeback.base import REQUEST_ITEMS, Target, TargetOptions, WriteBackItem, WriteResult
from collector.writeback.items import ItemBuilder, VerdictReader, place
from scorers.base import Metric
from telemetry import instruments

MAX_ROWS = 25
"""Evaluations of one batch: a few requests, so that one that fails late repeats little."""
RETRY_SECONDS = (10.0, 30.0, 120.0, 300.0, 900.0)
"""When a span unknown to the target is looked for again: Phoenix stores a few hundred spans a second, from a queue of
20,000, and the application's exporter has its own delay."""
PATIENCE_SECONDS = 60.0
"""How long the first batch waits for gates to be judged, so that its answers get a verdict."""
MAX_LATER = 5000
"""Evaluations that wait for their span at once; those beyond are not waited for."""
REFUSED_BATCHES = 3
"""After so many batches in a row of which nothing was taken, it is the server that is wrong rather than the items."""
WATCH_SECONDS = 2.0


class WritePosition(StoredPosition, frozen=True):
    """``seq`` is the last evaluation dealt with; ``later`` those below it that wait, with the attempts so far."""

    seq: int
    later: tuple[tuple[int, int], ...] = ()


class WriteStep(FollowingLink[TargetOptions, WritePosition]):
    """Writes to one target."""

    kind = "write_back"
    up = instruments.WRITE_BACK_UP
    counters: ClassVar = {
        outcome: Counter(instruments.WRITE_BACK_ITEMS, (outcome,))
        for outcome in ("written", "unknown", "rejected", "skipped", "failed")
    }

    def __init__(
        self,
        options: TargetOptions,
        target: Target,
        *,
        judge: VerdictReader,
        metrics: Sequence[Metric],
        gates: Sequence[str],
        store: Store,
        runtime: Runtime,
    ) -> None:
        """Write to ``target`` what its options choose of ``metrics`` and ``gates``."""
        super().__init__(options, runtime, store, WritePosition)
        self.target = target
        chosen = [metric.name for metric in metrics] if options.metrics is None else options.metrics
        wanted = {metric.name: metric for metric in metrics if metric.name in chosen}
        self._builder = ItemBuilder(metrics=wanted, gates=tuple(gates) if options.verdicts else (), judge=judge)
        self._resumed = False
        self._began = self._watched = self.due
        self._retry_at: dict[int, float] = {}
        self._rows = MAX_ROWS
        self._refused = 0
        self._rejections: tuple[str, ...] = ()
        self.telemetry.set(instruments.WRITE_BACK_PENDING, 0, self.name)
        self.telemetry.set(instruments.WRITE_BACK_LAG, 0, self.name)

    def run_once(self) -> int:
        """Write one batch, if there is one and it is time; return how many evaluations it held."""
        if not self._resumed:
            self.resume()
            self._retry_at = dict.fromkeys((seq for seq, _ in self.at.later), self.monotonic())
            self._resumed = True
        if self.monotonic() >= self._watched:
            self._watch()
        return 0 if self._unjudged() else super().run_once()

    def first(self) -> WritePosition:
        """Begin at the newest evaluation, or at the oldest."""
        oldest = self.store.evaluations_after(0, limit=1) if self.options.backfill else []
        return WritePosition(oldest[0].seq - 1 if oldest else self.store.newest_evaluation())

    def position(self) -> Mapping[str, object]:
        """Return where the target stands, and what it refused last."""
        return {
            "evaluation": self.at.seq,
            "waiting_for_spans": len(self.at.later),
            "last_rejections": list(self._rejections),
        }

    def attempted(self, attempt: Attempt) -> None:
        """Try less at once after a failure of the other side."""
        if attempt in ("unreachable", "asked_to_wait"):
            self._rows = max(1, self._rows // 2)

    def _unjudged(self) -> bool:
        missing = bool(self._builder.gates) and not self._builder.judge.verdicts
        return missing and self.monotonic() - self._began < PATIENCE_SECONDS

    def exchange(self) -> int:
        """Write evaluations whose span is looked for again, else the next ones; return how many."""
        due = [seq for seq, at in self._retry_at.items() if at <= self.monotonic()][: self._rows]
        if due:
            found = [row for seq in due for row in self.store.evaluations_after(seq - 1, limit=1) if row.seq == seq]
            lost, upto = len(due) - len(found), self.at.seq
        else:
            found = self.store.evaluations_after(self.at.seq, limit=self._rows)
            if not found:
                return 0
            # Numbers have no gaps: what is missing, and was no change, label or score by others, retention removed.
            upto = found[-1].seq
            beside = self.store.numbered_beside(self.at.seq, upto)
            lost = max(0, upto - self.at.seq - len(found) - beside)
        counts = Counts[str](failed=lost)
        items = self._items(found, counts)
        try:
            flat = [item for part in items.values() for item in part]
            result = deliver(self.target, flat)
        except Refused:
            if len(found) > 1:
                self._rows = len(found) // 2
                return len(found)
            result = deliver(self.target, flat, singly=True)
        if self.stop.is_set():
            # The store may be closed by now; the next start writes it again.
            return 0
        self.move(WritePosition(upto, self._later(due, items, result, counts)))
        self._settle(result, counts)
        return len(found) or len(due)

    def _items(self, rows: Sequence[StoredEvaluation], counts: Counts[str]) -> Mapping[int, list[WriteBackItem]]:
        """Return the items of each evaluation that is to be written, by its number; count those that are not."""
        wanted = [row for row in rows if self.options.when.items() <= row.slice.items()]
        ids = [row.evaluation.answer_id for row in wanted]
        answers = self.store.answers_by_id(ids)
        # Of an answer scored twice the later run is written, and none before it, however late its span is found.
        newest = {row.evaluation.answer_id: row.seq for row in wanted}
        for answer_id, seq in self.store.newest_evaluations(ids).items():
            newest[answer_id] = max(seq, newest[answer_id])
        found: dict[int, list[WriteBackItem]] = {}
        for row in wanted:
            stored = answers.get(row.evaluation.answer_id)
            if stored is None:
                counts["failed"] += self._builder.count(row)
            elif newest[row.evaluation.answer_id] != row.seq or not _current(row, stored):
                counts["skipped"] += self._builder.count(row)
            else:
                found[row.seq] = self._builder.items(row, stored.answer)
        return found

    def _later(
        self,
        due: Sequence[int],
        items: Mapping[int, list[WriteBackItem]],
        result: WriteResult,
        counts: Counts[str],
    ) -> tuple[tuple[int, int], ...]:
        """Return the evaluations that wait for their span, with the attempts so far; count those given up."""
        before, unknown = dict(self.at.later), {item.answer_id for item in result.unknown}
        later = {seq: attempts for seq, attempts in before.items() if seq not in due}
        for seq, part in items.items():
            if not any(item.answer_id in unknown for item in part):
                continue
            attempts = before.get(seq, 0)
            if attempts >= len(RETRY_SECONDS) or len(later) >= MAX_LATER:
                counts["unknown"] += len(part)
            else:
                later[seq] = attempts + 1
                self._retry_at[seq] = self.monotonic() + RETRY_SECONDS[attempts]
        self._retry_at = {seq: at for seq, at in self._retry_at.items() if seq in later}
        return tuple(sorted(later.items()))

    def _settle(self, result: WriteResult, counts: Counts[str]) -> None:
        counts.update(written=result.count, rejected=result.rejected)
        self._rejections = result.reasons or self._rejections
        self.count(**counts)
        taken = result.count or result.unknown
        if not (taken or result.rejected):
            # Nothing was sent, so nothing is known of the target either.
            return
        self._rows = min(MAX_ROWS, self._rows * 2)
        self._refused = 0 if taken else self._refused + 1
        if self._refused >= REFUSED_BATCHES:
            self.failed(f"every item refused: {'; '.join(result.reasons)}")
        else:
            self.succeeded()

    def _watch(self) -> None:
        waiting = self.store.evaluations_waiting(self.at.seq)
        age = max(0, self.clock() - waiting.oldest) if waiting.oldest is not None else 0
        self.telemetry.set(instruments.WRITE_BACK_PENDING, waiting.count + len(self.at.later), self.name)
        self.telemetry.set(instruments.WRITE_BACK_LAG, age / 1e9, self.name)
        self._watched = self.monotonic() + WATCH_SECONDS


def deliver(target: Target, items: Sequence[WriteBackItem], *, singly: bool = False) -> WriteResult:
    """Write items, ``singly`` each in a request of its own so that one at fault is rejected alone.

    Raises what the target raises; `Refused` only where not ``singly``: then a smaller batch is to be tried.
    """
    total = WriteResult(0)
    for group in groups(items, 1 if singly else REQUEST_ITEMS):
        try:
            total += target.write(group)
        except Refused as refusal:
            if not singly:
                raise
            total += WriteResult(0, rejected=1, reasons=(refusal.reason,))
    return total


def _current(row: StoredEvaluation, stored: StoredAnswer) -> bool:
    """Whether an evaluation is of the newest revision of an answer that can be found at its source."""
    return row.evaluation.revision == stored.answer.revision and place(stored.answer)
