"""A notifier of what holds, as a step: a receiver that forgets is told again for as long as it does.

Of decisions only the newest of each (gate, slice) is sent. What was over before anybody was told is not sent.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from functools import cache
from typing import ClassVar, get_args

from collector.notify.base import Notifier, NotifierOptions
from collector.notify.notice import Names, Notice
from collector.notify.step import ROWS, NotifyStep, Settled
from collector.outbound.link import Runtime
from collector.store.rows import Decision
from collector.store.store import Store


class StandingStep(NotifyStep):
    """Sends what holds when something is new and every ``resend`` seconds, of the ``gates`` that are configured."""

    level: ClassVar[int] = logging.DEBUG
    """What is sent again every minute is no news in the log."""

    def __init__(
        self,
        options: NotifierOptions,
        notifier: Notifier,
        *,
        gates: Collection[str],
        resend: float,
        names: Names,
        store: Store,
        runtime: Runtime,
    ) -> None:
        """Send once at the start, whatever was sent before."""
        super().__init__(options, notifier, names=names, store=store, runtime=runtime)
        self.gates = gates
        self._resend = resend
        self._resend_at = self.due

    def send_new(self) -> int:
        """Send what holds if a decision is new, or if it is time; return how many are new."""
        rows = self.store.decisions(after=self.at.decision, limit=ROWS)
        if not rows and self.monotonic() < self._resend_at:
            return 0
        if rows:
            self.lagging(rows[0])
        now = self.clock()
        history = cache(self.history)
        newest = [self.notice(row, history) for row in self.store.last_decisions()]
        # The log still holds the last decision of a gate that was taken out of the configuration.
        wanted = [notice for notice in newest if notice.gate in self.gates and self.options.wants(notice)]
        plan = self.notifier.standing(wanted, self.at.memory, now=now)
        sent = self.send(plan, now, {"requests": len(plan.notifications)})
        if sent is None:
            return 0
        self._resend_at = self.monotonic() + self._resend
        last = rows[-1].seq if rows else self.at.decision
        named = {notice.row.seq for notice in newest} if plan.notifications else set()
        self.settle(last, plan=plan, **self._settled(rows, named, now, rejected=bool(sent["rejected"])))
        return len(rows)

    def pause(self, retry_after: float | None) -> float:
        """Return the seconds to wait: never so long that the receiver takes for over what it was sent before."""
        return min(super().pause(retry_after), max(self._resend, retry_after or 0.0))

    def _settled(self, rows: Sequence[Decision], named: Collection[int], now: int, *, rejected: bool) -> dict[str, int]:
        """Return what became of new decisions, of which those ``named`` are the newest."""
        counts = dict.fromkeys(get_args(Settled), 0)
        for row in rows:
            notice = Notice.of(row, self.names)
            if not (self.options.wants(notice) and (notice.failing or notice.recovered)):
                counts["skipped"] += 1
            elif notice.expires_at <= now and not (row.seq in named and notice.failing):
                counts["expired"] += 1
            elif row.seq not in named:
                counts["skipped"] += 1
            else:
                counts["rejected" if rejected else "sent"] += 1
        return counts


def notify_step(
    options: NotifierOptions,
    notifier: Notifier,
    *,
    gates: Collection[str],
    names: Names,
    store: Store,
    runtime: Runtime,
) -> NotifyStep:
    """Return the step of a notifier: of one that is sent news, or of one that is sent what holds."""
    resend = options.resend_seconds
    if resend is None:
        return NotifyStep(options, notifier, names=names, store=store, runtime=runtime)
    return StandingStep(options, notifier, gates=gates, resend=resend, names=names, store=store, runtime=runtime)
