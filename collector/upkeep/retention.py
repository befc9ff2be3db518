"""Housekeeping: retention, and the gauges that say how far behind each step is."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.clock import Clock
from collector.judging.judge import JudgeStep
from collector.store.pace import Pace
from collector.store.rows import STAGES, Pending
from collector.store.sqlite import OwnedStore
from collector.workers.allocation import trim
from telemetry import instruments
from telemetry.registry import Telemetry

PRUNE_ROWS = 1000
"""Rows of each table that are looked up at once; they are removed in many short transactions."""


@dataclass(frozen=True, kw_only=True)
class KeepStep:
    """Removes what is past its retention (nanoseconds), a bounded part at a time, at a ``pace`` that spares senders."""

    store: OwnedStore
    telemetry: Telemetry
    clock: Clock
    chunks: int
    answers: int
    pace: Pace = field(default_factory=Pace)

    def run_once(self) -> int:
        """Remove one part; return how many rows went."""
        now = self.clock()
        removed = self.store.prune(
            chunks_before=now - self.chunks, answers_before=now - self.answers, limit=PRUNE_ROWS, pace=self.pace
        )
        for table, rows in removed.items():
            self.telemetry.add(instruments.PRUNED, rows, table)
        return sum(removed.values())


@dataclass(frozen=True, kw_only=True)
class WatchStep:
    """Exposes what waits at each stage, how old it is, and how large the store has grown."""

    store: OwnedStore
    telemetry: Telemetry
    clock: Clock
    judge: JudgeStep

    def run_once(self) -> int:
        """Refresh the gauges; return 0, there is never more work waiting."""
        self.judge.expire()
        now = self.clock()
        pending = self.store.pending()
        for stage in STAGES:
            waiting = pending.get(stage, Pending(0, None))
            age = max(0, now - waiting.oldest) if waiting.oldest is not None else 0
            self.telemetry.set(instruments.PENDING, waiting.count, stage)
            self.telemetry.set(instruments.LAG, age / 1e9, stage)
        self.telemetry.set(instruments.STORE_BYTES, self.store.size())
        return 0


@dataclass(frozen=True, kw_only=True)
class TrimStep:
    """Gives back to the system what bodies of requests and batches leave free between blocks that live on."""

    def run_once(self) -> int:
        """Give it back; return 0, there is never more work waiting."""
        trim()
        return 0
