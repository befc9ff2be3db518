"""One notifier as a step: what comes after its position in the decision log is sent, then the position moves.

Whatever is killed in between is sent again by the next start, under the same id. A receiver that is down is retried,
ever more rarely; a decision that expires meanwhile is no news any more, and counted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, get_args

import msgspec
import structlog

from collector.changes import ledger
from collector.notify.base import NotificationPlan, Notifier, NotifierOptions, RollbackOutcome
from collector.notify.notice import Names, Notice, stamp
from collector.outbound.errors import Refused
from collector.outbound.following import FollowingLink, StoredPosition
from collector.outbound.link import Counter, Runtime
from collector.store.entries import Entry
from collector.store.rows import Decision
from collector.store.store import Store
from gates.decisions.record import RecordedChange
from scorers.text.excerpt import excerpt
from telemetry import instruments

log = structlog.get_logger(__name__)

Settled = Literal["sent", "rejected", "expired", "skipped"]
"""What became of a piece of news."""
REQUESTS: Mapping[RollbackOutcome, str] = {
    "requested": "rollback requested",
    "dry_run": "dry run: a rollback would have been requested",
}
ROWS = 50
"""Decisions or changes read at once."""


class NotifyPosition(StoredPosition, frozen=True):
    """The number of the last decision and of the last change dealt with, and what the notifier remembers."""

    decision: int
    change: int
    memory: dict[str, Any] = msgspec.field(default_factory=dict)


class NotifyStep(FollowingLink[NotifierOptions, NotifyPosition]):
    """Feeds one notifier."""

    kind = "notify"
    up = instruments.NOTIFY_UP
    counters: ClassVar = {settled: Counter(instruments.NOTIFICATIONS, (settled,)) for settled in get_args(Settled)}
    level: ClassVar[int] = logging.INFO
    """The level at which a sent notification is logged."""

    def __init__(
        self,
        options: NotifierOptions,
        notifier: Notifier,
        *,
        names: Names,
        gates: Collection[str],
        store: Store,
        runtime: Runtime,
    ) -> None:
        """Find the position at once, so that no decision from now on is missed."""
        super().__init__(options, runtime, store, NotifyPosition)
        self.notifier = notifier
        self.names, self.gates = names, gates
        self._delivered: set[str] = set()
        self._rejection: str | None = None
        self.resume()
        # After a restart there may be nothing new to send for days: where it stands is known all the same.
        self.count()
        if options.acts:
            for outcome in get_args(RollbackOutcome):
                self.telemetry.add(instruments.ROLLBACKS, 0, self.name, outcome)
        self.telemetry.set(instruments.NOTIFY_LAG, 0, self.name)

    def first(self) -> NotifyPosition:
        """Begin with what comes next."""
        newest = max((row.seq for row in self.store.last_decisions()), default=0)
        while rows := self.store.decisions(after=newest, limit=ROWS):
            newest = rows[-1].seq
        return NotifyPosition(newest, self.store.newest_evaluation())

    def position(self) -> Mapping[str, object]:
        """Return the last decision dealt with, and what was refused last."""
        return {"decision": self.at.decision, "last_rejection": self._rejection}

    def exchange(self) -> int:
        """Send what is new; return how many decisions and changes were dealt with."""
        done = self.send_new()
        if not done:
            self.telemetry.set(instruments.NOTIFY_LAG, 0, self.name)
        return done

    def send_new(self) -> int:
        """Send decisions, and once none waits, changes: what they follow upon is remembered then."""
        # Read before the decisions are, so that none made before one of these is still to come.
        follows = self.options.follows_changes
        changes = self.store.changes(after=self.at.change, limit=ROWS) if follows else ()
        return self._decisions() or self._changes(changes)

    def _decisions(self) -> int:
        rows = self.store.decisions(after=self.at.decision, limit=ROWS)
        for row in rows:
            self.lagging(row)
            notice = self.notice(row, self.history)
            now = self.clock()
            if not self.options.wants(notice):
                self.settle(row.seq, skipped=1)
            elif notice.expires_at <= now:
                log.warning("decision expired before it could be sent", **_facts(row))
                self.settle(row.seq, expired=1)
            else:
                plan = self.notifier.decided(notice, self.at.memory, now=now)
                sent = self.send(plan, now, _facts(row))
                if sent is None:
                    return 0
                self._log_rollback(plan, _facts(row))
                self.settle(row.seq, plan=plan, **(sent if plan.notifications else {"skipped": 1}))
        return len(rows)

    def _changes(self, rows: Sequence[Entry]) -> int:
        for row in rows:
            plan = self.notifier.changed(row, self.at.memory, now=self.clock())
            sent = self.send(plan, self.clock(), {"change": row.seq})
            if sent is None:
                return 0
            self.settle(self.at.decision, change=row.seq, plan=plan, **(sent if plan.notifications else {}))
        return len(rows)

    def notice(self, row: Decision, history: Callable[[str], Sequence[RecordedChange]]) -> Notice:
        """Return a decision as it is to be sent now: the ledger may have gone on since it was recorded.

        ``history`` gives what the ledger has of a component.
        """
        notice = Notice.of(row, self.names)
        blamed = notice.blamed
        advises = notice.failing or notice.renewed
        notice = notice.as_of(history(blamed)) if blamed is not None and advises else notice
        return self._quoting(notice) if self.options.question else notice

    def _quoting(self, notice: Notice) -> Notice:
        words = notice.words
        shown = None if words is None or not words.example else self.store.answer(words.example)
        question = None if shown is None else shown.stored.answer.question
        return notice if question is None else replace(notice, question=excerpt(question))

    def history(self, component: str) -> Sequence[RecordedChange]:
        """Return what the ledger has of a component."""
        return ledger.history(self.store, [component])

    def send(self, plan: NotificationPlan, now: int, facts: Mapping[str, object]) -> dict[str, int] | None:
        """Send what was not sent yet; return what became of it, ``None`` if the agent stopped meanwhile."""
        rejected = False
        for notification in plan.notifications:
            if notification.id in self._delivered:
                continue
            try:
                self.notifier.send(notification, now=now)
            except Refused as refusal:
                rejected = True
                self._rejection = refusal.reason
                log.warning("notification rejected", id=notification.id, reason=refusal.reason, **facts)
            else:
                log.log(self.level, "notified", notifier=self.name, id=notification.id, kind=notification.kind, **facts)
            if self.stop.is_set():
                # The store may be closed by now; the next start sends it again.
                return None
            self._delivered.add(notification.id)
        self._delivered.clear()
        if plan.notifications:
            self.succeeded()
        return {"rejected": int(rejected), "sent": int(not rejected)}

    def settle(
        self, decision: int, *, change: int | None = None, plan: NotificationPlan | None = None, **counts: int
    ) -> None:
        """Stand behind a decision and a change, remember what ``plan`` says, and count."""
        memory = self.at.memory if plan is None else dict(plan.memory)
        self.move(NotifyPosition(decision, self.at.change if change is None else change, memory))
        self.count(**counts)

    def lagging(self, row: Decision) -> None:
        """Expose how old the first decision is that waits."""
        self.telemetry.set(instruments.NOTIFY_LAG, max(0, self.clock() - row.at) / 1e9, self.name)

    def _log_rollback(self, plan: NotificationPlan, facts: Mapping[str, object]) -> None:
        if plan.rollback is None:
            return
        self.telemetry.add(instruments.ROLLBACKS, 1, self.name, plan.rollback)
        write = log.warning if plan.rollback in REQUESTS else log.info
        event = REQUESTS.get(plan.rollback, "no rollback requested")
        write(event, notifier=self.name, reason=plan.rollback, detail=plan.detail, **facts)


def _facts(row: Decision) -> dict[str, object]:
    return {
        "gate": row.gate,
        "slice": dict(row.slice),
        "state": row.state,
        "decision": row.seq,
        "at": stamp(row.at),
    }
