"""One target as a step: evaluations after its cursor are written to it, then the cursor moves.

Whatever is killed in between is written again by the next start: targets replace what comes twice. Retention does not
wait for a target: an evaluation that is past it before it could be written is lost to the target, and counted.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from collector.clock import Clock
from collector.outbound.backoff import Backoff
from collector.outbound.errors import Unreachable
from collector.outbound.options import Refused
from collector.outbound.status import LinkStatus
from collector.store.rows import StoredAnswer, StoredEvaluation
from collector.store.store import Store
from collector.writeback.base import Item, Target, TargetOptions
from collector.writeback.delivery import Delivery, deliver
from collector.writeback.items import Panel, place
from collector.writeback.position import MAX_LATER, Position
from telemetry import instruments
from telemetry.registry import Telemetry

Outcome = Literal["written", "unknown", "rejected", "skipped", "failed"]
MAX_ROWS = 25
"""Evaluations of one batch: a few requests, so that one that fails late repeats little."""
RETRY_SECONDS = (10.0, 30.0, 120.0, 300.0, 900.0)
"""When a span unknown to the target is looked for again: Phoenix stores a few hundred spans a second, from a queue of
20,000, and the application's exporter has its own delay."""
PATIENCE_SECONDS = 60.0
"""How long the first batch waits for gates to be judged, so that its answers get a verdict."""
REFUSED_BATCHES = 3
"""After so many batches in a row of which nothing was taken, it is the server that is wrong rather than the items."""
WATCH_SECONDS = 2.0


@dataclass(kw_only=True)
class WriteStep:
    """Writes to one target. ``monotonic`` (seconds) says when it is tried again.

    It never raises for what the other side does; what is raised is the store's or a bug, and is waited out as well.
    """

    options: TargetOptions
    target: Target
    store: Store
    panel: Panel
    telemetry: Telemetry
    clock: Clock
    monotonic: Callable[[], float]
    random: Callable[[], float]
    stop: threading.Event
    status: LinkStatus = field(init=False)

    def __post_init__(self) -> None:
        """Make the target visible before its first batch."""
        name = self.options.name
        self.status = LinkStatus(
            "write_back", name=name, type_=self.options.type, clock=self.clock, counted=get_args(Outcome)
        )
        self._cursor = f"write_back:{name}"
        self._backoff = Backoff(random=self.random)
        self._position: Position | None = None
        self._began = self._due = self._watched = self.monotonic()
        self._retry_at: dict[int, float] = {}
        self._rows = MAX_ROWS
        self._refused = 0
        self._rejections: tuple[str, ...] = ()
        for outcome in get_args(Outcome):
            self.telemetry.add(instruments.WRITE_BACK_ITEMS, 0, name, outcome)
        self.telemetry.set(instruments.WRITE_BACK_UP, 1, name)
        self.telemetry.set(instruments.WRITE_BACK_PENDING, 0, name)
        self.telemetry.set(instruments.WRITE_BACK_LAG, 0, name)

    def run_once(self) -> int:
        """Write one batch, if there is one and it is time; return how many evaluations it held."""
        position = self._position = self._position or self._start()
        if self.monotonic() >= self._watched:
            self._watch(position)
        if self.monotonic() < self._due or self._unjudged():
            return 0
        try:
            return self._write(position)
        except Unreachable as error:
            if not self.stop.is_set():
                self._rows = max(1, self._rows // 2)
                self._rest(error.reason, error.retry_after)
            return 0
        except Exception as error:
            if not self.stop.is_set():
                self._rest(f"{type(error).__name__}: {error}", None)
            raise

    def _start(self) -> Position:
        """Return where to begin: where the last run ended, else at the newest evaluation, or at the oldest."""
        saved = Position.load(self.store.cursor(self._cursor))
        if saved is None:
            oldest = self.store.evaluations_after(0, limit=1) if self.options.backfill else []
            saved = Position(oldest[0].seq - 1 if oldest else self.store.newest_evaluation())
            self.store.set_cursor(self._cursor, saved.dump(), at=self.clock())
        self._retry_at = dict.fromkeys(saved.later, self.monotonic())
        return saved

    def _unjudged(self) -> bool:
        missing = bool(self.panel.gates) and not self.panel.judge.verdicts
        return missing and self.monotonic() - self._began < PATIENCE_SECONDS

    def _write(self, position: Position) -> int:
        due = [seq for seq, at in self._retry_at.items() if at <= self.monotonic()][: self._rows]
        if due:
            found = [row for seq in due for row in self.store.evaluations_after(seq - 1, limit=1) if row.seq == seq]
            lost, upto = len(due) - len(found), position.seq
        else:
            found = self.store.evaluations_after(position.seq, limit=self._rows)
            if not found:
                self._due = self.monotonic() + self.options.poll.total_seconds()
                return 0
            # Numbers have no gaps: what is missing was removed by retention.
            lost, upto = found[-1].seq - position.seq - len(found), found[-1].seq
        counts: Counter[str] = Counter(failed=lost)
        items = self._items(found, counts)
        try:
            flat = [item for part in items.values() for item in part]
            delivery = deliver(self.target, flat)
        except Refused:
            if len(found) > 1:
                self._rows = len(found) // 2
                return len(found)
            delivery = deliver(self.target, flat, singly=True)
        if self.stop.is_set():
            # The store may be closed by now; the next start writes it again.
            return 0
        later = self._later(position, due, items, delivery, counts)
        moved = Position(upto, later)
        self.store.set_cursor(self._cursor, moved.dump(), at=self.clock())
        self._position = moved
        self._settle(delivery, counts)
        return len(found) or len(due)

    def _items(self, rows: Sequence[StoredEvaluation], counts: Counter[str]) -> Mapping[int, list[Item]]:
        """Return the items of each evaluation that is to be written, by its number; count those that are not."""
        wanted = [row for row in rows if self.options.when.items() <= row.slice.items()]
        answers = self.store.answers_by_id([row.evaluation.answer_id for row in wanted])
        # Of an answer scored twice the later run is written.
        newest = {row.evaluation.answer_id: row.seq for row in wanted}
        found: dict[int, list[Item]] = {}
        for row in wanted:
            stored = answers.get(row.evaluation.answer_id)
            if stored is None:
                counts["failed"] += self.panel.count(row)
            elif newest[row.evaluation.answer_id] != row.seq or not _current(row, stored):
                counts["skipped"] += self.panel.count(row)
            else:
                found[row.seq] = self.panel.items(row, stored.answer)
        return found

    def _later(
        self,
        position: Position,
        due: Sequence[int],
        items: Mapping[int, list[Item]],
        delivery: Delivery,
        counts: Counter[str],
    ) -> Mapping[int, int]:
        """Return the evaluations that wait for their span, with the attempts so far; count those given up."""
        later = {seq: attempts for seq, attempts in position.later.items() if seq not in due}
        for seq, part in items.items():
            if not any(item.answer_id in delivery.unknown for item in part):
                continue
            attempts = position.later.get(seq, 0)
            if attempts >= len(RETRY_SECONDS) or len(later) >= MAX_LATER:
                counts["unknown"] += len(part)
            else:
                later[seq] = attempts + 1
                self._retry_at[seq] = self.monotonic() + RETRY_SECONDS[attempts]
        self._retry_at = {seq: at for seq, at in self._retry_at.items() if seq in later}
        return later

    def _settle(self, delivery: Delivery, counts: Counter[str]) -> None:
        name = self.options.name
        counts.update(written=delivery.written, rejected=delivery.rejected)
        for outcome, count in counts.items():
            self.telemetry.add(instruments.WRITE_BACK_ITEMS, count, name, outcome)
        if delivery.reasons:
            self._rejections = delivery.reasons
        taken = delivery.written or delivery.unknown
        if not (taken or delivery.rejected):
            # Nothing was sent, so nothing is known of the target either.
            self.status.count(self._where(), **counts)
            return
        self._rows = min(MAX_ROWS, self._rows * 2)
        self._refused = 0 if taken else self._refused + 1
        if self._refused >= REFUSED_BATCHES:
            self.status.count(self._where(), **counts)
            self._rest(f"nothing is taken: {'; '.join(delivery.reasons)}", None)
            return
        self._backoff.succeeded()
        self.telemetry.set(instruments.WRITE_BACK_UP, 1, name)
        self._due = self.monotonic()
        self.status.succeeded(next_attempt=self.clock(), position=self._where(), **counts)

    def _rest(self, reason: str, retry_after: float | None) -> None:
        seconds = self._backoff.failed(retry_after)
        self._due = self.monotonic() + seconds
        asked_to_wait = retry_after is not None
        self.telemetry.set(instruments.WRITE_BACK_UP, 1 if asked_to_wait else 0, self.options.name)
        self.status.failed(reason, next_attempt=self.clock() + int(seconds * 1e9), asked_to_wait=asked_to_wait)

    def _watch(self, position: Position) -> None:
        waiting = self.store.evaluations_waiting(position.seq)
        age = max(0, self.clock() - waiting.oldest) if waiting.oldest is not None else 0
        self.telemetry.set(instruments.WRITE_BACK_PENDING, waiting.count + len(position.later), self.options.name)
        self.telemetry.set(instruments.WRITE_BACK_LAG, age / 1e9, self.options.name)
        self._watched = self.monotonic() + WATCH_SECONDS

    def _where(self) -> Mapping[str, object]:
        assert self._position is not None
        return {
            "evaluation": self._position.seq,
            "waiting_for_spans": len(self._position.later),
            "last_rejections": list(self._rejections),
        }


def _current(row: StoredEvaluation, stored: StoredAnswer) -> bool:
    """Whether an evaluation is of the newest revision of an answer that can be found at its source."""
    return row.evaluation.revision == stored.answer.revision and place(stored.answer)
