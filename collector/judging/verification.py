"""After a roll-back: has quality recovered? Told as rows of the decision log, by answers after the roll-back alone.

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
from collector.judging.rollbacks import Book, Check, begun, key, remeasured, told
from collector.judging.rollbacks import failures as failures_of
from collector.store.chain import slice_key
from collector.store.columns import ScoredColumns
from collector.store.rows import Decision
from collector.store.store import Store
from gates.attribution.sample import LEAST_PROBABILITY
from gates.base import Gate, Outcome
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
"""How long after a failure a roll-back of what came before it is looked for, and how long one is watched."""
MAX_FAILURES, MAX_CHECKS = 200, 50
"""Failures that are remembered, and roll-backs that are watched, at most: the newest."""


@dataclass
class _Seen:
    """Answers of a check, in order, as far as they have come; ``seq`` is the last evaluation looked at."""

    seq: int
    losses: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    clusters: list[int] = field(default_factory=list)
    looked: int = 0


@dataclass(kw_only=True)
class Verifier:
    """Watches roll-backs. ``gates`` are those that are judged, ``metrics`` say which values are bad."""

    store: Store
    gates: Sequence[Gate]
    metrics: Mapping[str, Metric]
    telemetry: Telemetry
    clock: Clock
    expiry: int
    _book: Book | None = None
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _looks: Sequence[int] = field(default_factory=looks)

    def __post_init__(self) -> None:
        """Make the counters visible before their first increment, which `increase()` would miss."""
        for gate in self.gates:
            for outcome in get_args(Recovery):
                self.telemetry.add(instruments.VERIFICATIONS, 0, gate.name, outcome)

    def run(self, states: Mapping[tuple[str, str], Outcome]) -> int:
        """Take up what is new, append what is found out, return how many rows; ``states`` are the newest verdicts."""
        saved = self._load()
        book = self._read(saved)
        rows: list[Decision] = []
        left: list[Check] = []
        done = list(book.done)
        known = {key(check) for check in saved.checks}
        for check in book.checks:
            name = key(check)
            found, over = self._looked(check, book)
            if over or name not in known:
                rows.append(self._told(check, found, states))
            if over:
                self._seen.pop(name, None)
                done.append(name)
            else:
                left.append(check)
        book = book.model_copy(update={"checks": tuple(left), "done": tuple(done[-MAX_FAILURES:])})
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
        """Return the book with new failures and the roll-backs among new changes."""
        now, failures, decision = self.clock(), list(book.failures), book.decision
        while rows := self.store.decisions(after=decision, limit=ROWS):
            recent = (row for row in rows if now - row.at <= LASTS)
            failures += (failure for row in recent for failure in failures_of(row, self.metrics))
            decision = rows[-1].seq
        failures = [each for each in failures if now - each.at <= LASTS][-MAX_FAILURES:]
        checks, measured, change = list(book.checks), dict(book.measured), book.change
        while entries := self.store.changes(after=change, limit=ROWS, recorded_from=max(0, now - LASTS)):
            for entry in entries:
                if entry.kind == "scorer":
                    measured[entry.component] = entry.seq
                for check in begun(entry, failures):
                    known = key(check) in {*book.done, *map(key, checks)}
                    if not known and remeasured(measured, check.failure.metric) < check.change:
                        checks.append(check)
            change = entries[-1].seq
        return Book(
            decision=decision,
            change=change,
            failures=tuple(failures),
            checks=tuple(checks[-MAX_CHECKS:]),
            measured=measured,
            done=book.done,
        )

    def _looked(self, check: Check, book: Book) -> tuple[Look | None, bool]:
        """Return the last look at a check, and whether it is over: decided, or nothing more is expected."""
        seen = self._seen.setdefault(key(check), _Seen(check.returned))
        found: Look | None = None
        measured_anew = remeasured(book.measured, check.failure.metric) > check.returned
        while not measured_anew:
            pieces, end = self.store.timeline_after(seen.seq, limit=ROWS)
            if end <= seen.seq:
                break
            for piece in pieces:
                if isinstance(piece, ScoredColumns):
                    self._take(check, piece, seen)
            seen.seq = end
            while seen.looked < len(self._looks) and len(seen.losses) >= self._looks[seen.looked]:
                n = self._looks[seen.looked]
                found = look(seen.losses[:n], seen.weights[:n], seen.clusters[:n], check.failure.level)
                seen.looked += 1
                if found.outcome != "not_enough_answers":
                    return found, True
        over = measured_anew or len(seen.losses) >= MOST or self.clock() - check.at > LASTS
        if over and found is None and seen.losses:
            found = look(seen.losses[:MOST], seen.weights[:MOST], seen.clusters[:MOST], check.failure.level)
        return found, over

    def _take(self, check: Check, scored: ScoredColumns, seen: _Seen) -> None:
        wanted = {**check.scope, **check.failure.slice}
        mine = [
            wanted.items() <= dict(context.slice).items() and self._served(check, dict(context.versions))
            for context in scored.contexts
        ]
        rows, values = scored.values(check.failure.metric)
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            if mine[scored.context[row]] and scored.at_us[row] * 1000 >= check.at:
                cluster = int(scored.cluster[row])
                seen.losses.append(value if check.failure.worse == "higher" else 1.0 - value)
                seen.weights.append(1.0 / max(float(scored.probability[row]), LEAST_PROBABILITY))
                # Without a conversation an answer is evidence by itself, as in the attribution that it is held against.
                seen.clusters.append(cluster if cluster > NO_CLUSTER else -len(seen.losses))

    @staticmethod
    def _served(check: Check, versions: Mapping[str, str]) -> bool:
        return versions.get(check.component, check.version) == check.version

    def _told(self, check: Check, found: Look | None, states: Mapping[tuple[str, str], Outcome]) -> Decision:
        state = states.get((check.failure.gate, slice_key(check.failure.slice)), "inconclusive")
        return told(check, found, state=state, at=self.clock(), expiry=self.expiry)
