"""A notifier of what holds, as a step: a receiver that forgets is told again for as long as it does.

Of decisions only the newest of each (gate, slice) is said. What was over before anybody was told is not said.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, get_args

from collector.notify.notice import Notice
from collector.notify.position import Position
from collector.notify.step import ROWS, NotifyStep, Outcome
from collector.store.rows import Decision


@dataclass(kw_only=True)
class StandingStep(NotifyStep):
    """Says what holds when something is new and every ``resend`` seconds, of the ``gates`` that are configured."""

    gates: Collection[str]
    resend: float
    level: ClassVar[int] = logging.DEBUG
    """What is said again every minute is no news in the log."""

    def __post_init__(self) -> None:
        """Say it once at the start, whatever was said before."""
        super().__post_init__()
        self._next = self.monotonic()

    def _look(self) -> int:
        rows = self.store.decisions(after=self._position.decision, limit=ROWS)
        if not rows and self.monotonic() < self._next:
            return 0
        if rows:
            self._lagging(rows[0])
        now = self.clock()
        known = cache(self._known)
        newest = [self._notice(row, known) for row in self.store.last_decisions()]
        # The log still holds the last word of a gate that was taken out of the configuration.
        wanted = [notice for notice in newest if notice.gate in self.gates and self.options.wants(notice)]
        plan = self.notifier.standing(wanted, self._position.memory, now=now)
        taken = self._send(plan, now, {"requests": len(plan.messages)})
        if taken is None:
            return 0
        self._next = self.monotonic() + self.resend
        last = rows[-1].seq if rows else self._position.decision
        told = {notice.row.seq for notice in newest} if plan.messages else set()
        self._move(Position(last, self._position.change, plan.memory), **self._settled(rows, told, taken, now))
        return len(rows)

    def _settled(
        self, rows: Sequence[Decision], told: Collection[int], taken: dict[str, int], now: int
    ) -> dict[str, int]:
        """Return what became of new decisions, of which those ``told`` are the newest."""
        counts = dict.fromkeys(get_args(Outcome), 0)
        for row in rows:
            notice = Notice.of(row, self.names)
            if not (self.options.wants(notice) and (notice.failing or notice.recovered)):
                counts["skipped"] += 1
            elif notice.expires_at <= now and not (row.seq in told and notice.failing):
                counts["expired"] += 1
            elif row.seq not in told:
                counts["skipped"] += 1
            else:
                counts["rejected" if taken["rejected"] else "sent"] += 1
        return counts

    def _pause(self, retry_after: float | None) -> float:
        # Never so long that the receiver takes for over what it was told before.
        return min(super()._pause(retry_after), max(self.resend, retry_after or 0.0))
