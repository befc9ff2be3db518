"""After a rollback: has quality recovered? Rows of the decision log say so, by answers after the rollback alone.

What is watched is kept in the store together with the rows it led to; which answers have come is read again after a
restart, in the one order of the store, so that the same look decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import get_args

import orjson
from pydantic import ValidationError

from collector.clock import Clock, duration
from collector.judging.rollbacks import Book, Check, checks_of, failure_of, remeasured, verification_row
from collector.store.chain import slice_key
from collector.store.columns import ScoredColumns
from collector.store.pages import paged
from collector.store.rows import Decision
from collector.store.store import Store
from gates.attribution.sample import LEAST_PROBABILITY
from gates.base.gate import Gate
from gates.base.verdict import Outcome
from gates.decisions.record import Recovery
from gates.decisions.recovery import MOST, Look, look, looks
from gates.inputs.observations import NO_CLUSTER
from scorers.base import Metric
from telemetry import instruments
from telemetry.registry import Telemetry

CHECKPOINT = "verification"
ROWS = 5000
"""Decisions, changes or evaluations read in one go."""
LASTS = duration(timedelta(days=1))
"""How long after a failure a rollback of what came before it is looked for, and how long one is watched."""
MAX_FAILURES, MAX_CHECKS = 200, 50
"""Failures that are remembered, and rollbacks that are watched, at most: the newest."""


@dataclass
class _Evidence:
    """Answers of a check, in order, as far as they have come; ``seq`` is the last evaluation read."""

    seq: int
    losses: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    clusters: list[int] = field(default_factory=list)
    looked: int = 0

    def look(self, n: int, level: float) -> Look:
        """Return what the first ``n`` answers show of a level that their mean loss must keep."""
        return look(self.losses[:n], self.weights[:n], self.clusters[:n], level)


@dataclass(kw_only=True)
class Verifier:
    """Watches rollbacks. ``gates`` are those that are judged, ``metrics`` say which values are bad."""

    store: Store
    gates: Sequence[Gate]
    metrics: Mapping[str, Metric]
    telemetry: Telemetry
    clock: Clock
    expiry: int
    _book: Book | None = None
    _evidence: dict[str, _Evidence] = field(default_factory=dict)
    _looks: Sequence[int] = field(default_factory=looks)

    def __post_init__(self) -> None:
        """Make the counters visible before their first increment, which `increase()` would miss."""
        for gate in self.gates:
            for outcome in get_args(Recovery):
                self.telemetry.add(instruments.VERIFICATIONS, 0, gate.name, outcome)

    def run(self, states: Mapping[tuple[str, str], Outcome]) -> int:
        """Follow decisions, changes and answers; return how many outcomes were logged. ``states`` are the verdicts."""
        saved = self._load()
        book = self._read(saved)
        rows: list[Decision] = []
        watched: list[Check] = []
        done = list(book.done)
        begun = {check.key for check in saved.checks}
        for check in book.checks:
            newest, over = self._look(check, book)
            if over or check.key not in begun:
                state = states.get((check.failure.gate, slice_key(check.failure.slice)), "inconclusive")
                rows.append(verification_row(check, newest, state=state, at=self.clock(), expiry=self.expiry))
            if over:
                self._evidence.pop(check.key, None)
                done.append(check.key)
            else:
                watched.append(check)
        book = book.model_copy(update={"checks": tuple(watched), "done": tuple(done[-MAX_FAILURES:])})
        if book != saved:
            self.store.save_checkpoint(CHECKPOINT, 0, orjson.dumps(book.model_dump(mode="json")), rows)
            self._book = book
        for row in rows:
            outcome = orjson.loads(row.verdict)["outcome"]
            self.telemetry.add(instruments.VERIFICATIONS, 1, row.gate, outcome)
        return len(rows)

    def _load(self) -> Book:
        if self._book is None:
            saved = self.store.load_checkpoint(CHECKPOINT)
            try:
                self._book = Book() if saved is None else Book.model_validate_json(saved[1])
            except ValidationError:
                # Written by another version: failures of the last day are found in the log again.
                self._book = Book()
        return self._book

    def _read(self, book: Book) -> Book:
        """Return the book with new failures and the rollbacks among new changes."""
        now, failures, decision = self.clock(), list(book.failures), book.decision
        for row in paged(lambda seq: self.store.decisions(after=seq, limit=ROWS), decision):
            decision = row.seq
            failure = failure_of(row, self.metrics) if now - row.at <= LASTS else None
            failures += [] if failure is None else [failure]
        failures = [each for each in failures if now - each.at <= LASTS][-MAX_FAILURES:]
        checks, measured, change = list(book.checks), dict(book.measured), book.change
        recent = max(0, now - LASTS)
        for entry in paged(lambda seq: self.store.changes(after=seq, limit=ROWS, recorded_from=recent), change):
            change = entry.seq
            if entry.kind == "scorer":
                measured[entry.component] = change
            for check in checks_of(entry, failures):
                known = check.key in {*book.done, *(each.key for each in checks)}
                if not known and remeasured(measured, check.failure.metric) < check.change:
                    checks.append(check)
        return Book(
            decision=decision,
            change=change,
            failures=tuple(failures),
            checks=tuple(checks[-MAX_CHECKS:]),
            measured=measured,
            done=book.done,
        )

    def _look(self, check: Check, book: Book) -> tuple[Look | None, bool]:
        """Return the last look at a check, and whether it is over: decided, or nothing more is expected."""
        evidence = self._evidence.setdefault(check.key, _Evidence(check.returned))
        newest: Look | None = None
        measured_anew = remeasured(book.measured, check.failure.metric) > check.returned
        while not measured_anew:
            pieces, end = self.store.timeline_after(evidence.seq, limit=ROWS)
            if end <= evidence.seq:
                break
            for piece in pieces:
                if isinstance(piece, ScoredColumns):
                    self._take(check, piece, evidence)
            evidence.seq = end
            while evidence.looked < len(self._looks) and len(evidence.losses) >= self._looks[evidence.looked]:
                n = self._looks[evidence.looked]
                newest = evidence.look(n, check.failure.level)
                evidence.looked += 1
                if newest.outcome != "not_enough_answers":
                    return newest, True
        over = measured_anew or len(evidence.losses) >= MOST or self.clock() - check.at > LASTS
        if over and newest is None and evidence.losses:
            newest = evidence.look(MOST, check.failure.level)
        return newest, over

    def _take(self, check: Check, scored: ScoredColumns, evidence: _Evidence) -> None:
        wanted = {**check.scope, **check.failure.slice}
        mine = [
            wanted.items() <= dict(context.slice).items()
            and dict(context.versions).get(check.component, check.version) == check.version
            for context in scored.contexts
        ]
        rows, values = scored.values(check.failure.metric)
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            if mine[scored.context[row]] and scored.at_us[row] * 1000 >= check.at:
                cluster = int(scored.cluster[row])
                evidence.losses.append(value if check.failure.worse == "higher" else 1.0 - value)
                evidence.weights.append(1.0 / max(float(scored.probability[row]), LEAST_PROBABILITY))
                # Without a conversation an answer is evidence by itself, as in the attribution that it is held against.
                evidence.clusters.append(cluster if cluster > NO_CLUSTER else -len(evidence.losses))
