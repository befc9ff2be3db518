"""Canaries: those that stand, when each is due, and what came of those that were asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from adapters.trace import Nanoseconds
from collector.store.connections import StorePart
from collector.store.decisions import append_decision
from collector.store.pulled import set_cursor_row
from collector.store.rows import Decision
from collector.store.statements import groups, upsert
from collector.store.tables import canaries, canary_results

PRUNED_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class StandingCanary:
    """A canary that is asked again and again.

    ``body`` is it as JSON. ``due_at`` is when it is asked next; ``outcome`` and ``detail`` are what came of it last, at
    ``asked_at``, and ``failing_since`` is since when it fails; all are ``None`` before it was asked.
    """

    id: str
    created_at: Nanoseconds
    due_at: Nanoseconds
    body: str
    asked_at: Nanoseconds | None = None
    outcome: str | None = None
    detail: str | None = None
    failing_since: Nanoseconds | None = None


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """What came of asking a canary once: ``body`` is the check as JSON, ``latency_ms`` how long the reply took."""

    canary: str
    at: Nanoseconds
    outcome: str
    trace_id: str
    latency_ms: float
    body: str
    seq: int = 0


class CanaryStore(StorePart):
    """Canaries and their results. What is asked of them is in no table of answers or evaluations."""

    def canaries(self) -> list[StandingCanary]:
        """Return the canaries that stand, those due first."""
        order = sa.select(canaries).order_by(canaries.c.due_at, canaries.c.id)
        with self._read() as connection:
            return [StandingCanary(**row) for row in connection.execute(order).mappings()]

    def replace_canaries(
        self, put: Sequence[StandingCanary], drop: Sequence[str], *, name: str, cursor: bytes, at: Nanoseconds
    ) -> None:
        """Add or replace canaries, take others away, and save how far the catalog was followed, all or nothing."""
        with self._write() as connection:
            for group in groups(list(drop)):
                connection.execute(sa.delete(canaries).where(canaries.c.id.in_(group)))
            for rows in groups(list(put)):
                connection.execute(_PUT, [asdict(row) for row in rows])
            set_cursor_row(connection, name, cursor, at)

    def record_canary(self, standing: StandingCanary, result: CanaryResult, decisions: Sequence[Decision] = ()) -> None:
        """Save what came of a canary, when it is due next, and the decisions that follow, in one transaction."""
        row = asdict(result)
        del row["seq"]
        with self._write() as connection:
            connection.execute(_PUT, asdict(standing))
            connection.execute(sa.insert(canary_results), row)
            for decision in decisions:
                append_decision(connection, decision)

    def canary_results(
        self, *, canary: str | None = None, outcome: str | None = None, before: int | None = None, limit: int = 100
    ) -> list[CanaryResult]:
        """Return results, the newest first; ``before`` is the number of one that was shown."""
        chosen = sa.select(canary_results).order_by(canary_results.c.seq.desc()).limit(limit)
        for column, value in ((canary_results.c.canary, canary), (canary_results.c.outcome, outcome)):
            chosen = chosen if value is None else chosen.where(column == value)
        if before is not None:
            chosen = chosen.where(canary_results.c.seq < before)
        with self._read() as connection:
            return [CanaryResult(**row) for row in connection.execute(chosen).mappings()]

    def canaries_asked(self, *, since: Nanoseconds) -> tuple[int, Nanoseconds | None]:
        """Return how many questions were asked after ``since``, and when the first of them was."""
        asked = sa.select(sa.func.count(), sa.func.min(canary_results.c.at)).where(canary_results.c.at > since)
        with self._read() as connection:
            count, first = connection.execute(asked).one()
        return count, first

    def prune_canary_results(self, *, before: Nanoseconds) -> int:
        """Remove up to `PRUNED_AT_ONCE` results from before then; return how many went."""
        old = sa.select(canary_results.c.seq).where(canary_results.c.at < before).limit(PRUNED_AT_ONCE)
        with self._write() as connection:
            return connection.execute(sa.delete(canary_results).where(canary_results.c.seq.in_(old))).rowcount


_PUT = upsert(canaries, "created_at", "due_at", "body", "asked_at", "outcome", "detail", "failing_since")
