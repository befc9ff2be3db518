"""A notifier of what holds, as a step: a receiver that forgets is sent it again for as long as it does.

Of decisions only the newest of each (gate, slice) is sent. What was over before it could be sent is not sent.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, get_args

from collector.notify.base import Notifier, NotifierOptions
from collector.notify.notice import Notice
from collector.notify.step import ROWS, NotifyStep, Settled
from gates.decisions.record import RecordedChange


class StandingStep(NotifyStep):
    """Sends what holds of the configured gates, when something is new and again and again."""

    level: ClassVar[int] = logging.DEBUG
    """What is sent again every minute is no news in the log."""

    _resend_at: float = -math.inf
    """At the start it is sent once, whatever was sent before."""

    @property
    def _resend(self) -> float:
        return self.options.resend_seconds or 0.0

    def send_new(self) -> int:
        """Send what holds if a decision is new, or if it is time; return how many are new."""
        rows = self.store.decisions(after=self.at.decision, limit=ROWS)
        if not rows and self.monotonic() < self._resend_at:
            return 0
        if rows:
            self.lagging(rows[0])
        now = self.clock()
        newest = self._newest(cache(self.history))
        # The log still holds the last decision of a gate that was taken out of the configuration.
        wanted = [notice for notice in newest.values() if notice.gate in self.gates and self.options.wants(notice)]
        plan = self.notifier.standing(wanted, self.at.memory, now=now)
        sent = self.send(plan, now, {"requests": len(plan.notifications)})
        if sent is None:
            return 0
        self._resend_at = self.monotonic() + self._resend
        counts = dict.fromkeys(get_args(Settled), 0)
        for row in rows:
            notice = newest.get(row.seq) or Notice.of(row, self.names)
            named = row.seq in newest and bool(plan.notifications)
            counts[self._settled(notice, now, named=named, rejected=bool(sent["rejected"]))] += 1
        self.settle(rows[-1].seq if rows else self.at.decision, plan=plan, **counts)
        return len(rows)

    def _newest(self, history: Callable[[str], Sequence[RecordedChange]]) -> dict[int, Notice]:
        """Return the newest decision of every (gate, slice) by its number, with what was found out since."""
        renewed = {
            notice.key: notice for notice in (Notice.of(row, self.names) for row in self.store.renewed_decisions())
        }
        newest: dict[int, Notice] = {}
        for row in self.store.last_decisions():
            notice = self.notice(row, history)
            more = renewed.get(notice.key)
            if more is not None and more.row.seq > row.seq and notice.overtaken is None:
                notice = replace(notice, renewal=more.explained)
            newest[row.seq] = notice
        return newest

    def pause(self, retry_after: float | None) -> float:
        """Return the seconds to wait: never so long that the receiver takes for over what it was sent before."""
        return min(super().pause(retry_after), max(self._resend, retry_after or 0.0))

    def _settled(self, notice: Notice, now: int, *, named: bool, rejected: bool) -> Settled:
        """Return what became of a new decision, which is ``named`` in what was sent if it is the newest of its kind."""
        if not (self.options.wants(notice) and (notice.failing or notice.recovered)):
            return "skipped"
        if notice.expires_at <= now and not (named and notice.failing):
            return "expired"
        if not named:
            return "skipped"
        return "rejected" if rejected else "sent"


def notify_step(options: NotifierOptions, notifier: Notifier, **given: Any) -> NotifyStep:
    """Return the step of a notifier: of one that is sent news, or of one that is sent what holds."""
    return (NotifyStep if options.resend_seconds is None else StandingStep)(options, notifier, **given)
