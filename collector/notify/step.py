"""One notifier as a step: what comes after its position in the decision log is told, then the position moves.

Whatever is killed in between is told again by the next start, under the same id. A receiver that is down is tried
again, ever more rarely; a decision that expires meanwhile is no news any more, and counted.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import structlog

from collector.clock import Clock
from collector.notify.base import Action, Notifier, NotifierOptions, Plan
from collector.notify.notice import Names, Notice, stamp
from collector.notify.position import Position
from collector.outbound.backoff import Backoff
from collector.outbound.errors import Unreachable
from collector.outbound.options import Refused
from collector.outbound.status import LinkStatus
from collector.pipeline.known import history
from collector.store.entries import Entry
from collector.store.rows import Decision
from collector.store.store import Store
from gates.decisions.record import RecordedChange
from telemetry import instruments
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)

Outcome = Literal["sent", "rejected", "expired", "skipped"]
ACTIONS: Mapping[Action, str] = {
    "requested": "roll-back requested",
    "dry_run": "dry run: a roll-back would have been requested",
}
ROWS = 50
"""Decisions or changes looked at in one go."""


@dataclass(kw_only=True)
class NotifyStep:
    """Feeds one notifier. ``monotonic`` (seconds) says when it is tried again.

    It never raises for what the other side does; what is raised is the store's or a bug, and is waited out as well.
    """

    options: NotifierOptions
    notifier: Notifier
    names: Names
    store: Store
    telemetry: Telemetry
    clock: Clock
    monotonic: Callable[[], float]
    random: Callable[[], float]
    stop: threading.Event
    level: ClassVar[int] = logging.INFO
    """How loud the log is of what was sent."""
    status: LinkStatus = field(init=False)
    _position: Position = field(init=False)

    def __post_init__(self) -> None:
        """Find the position, so that no decision from now on is missed, and make the notifier visible."""
        name = self.options.name
        self.status = LinkStatus(
            "notify", name=name, type_=self.options.type, clock=self.clock, counted=get_args(Outcome)
        )
        self._cursor = f"notify:{name}"
        self._backoff = Backoff(random=self.random)
        self._due = self.monotonic()
        self._delivered: set[str] = set()
        self._rejection: str | None = None
        self._position = self._start()
        # After a restart there may be nothing new to tell for days: where it stands is known all the same.
        self.status.count(self._where())
        for outcome in get_args(Outcome):
            self.telemetry.add(instruments.NOTIFICATIONS, 0, name, outcome)
        if self.options.acts:
            for action in get_args(Action):
                self.telemetry.add(instruments.ROLLBACKS, 0, name, action)
        self.telemetry.set(instruments.NOTIFY_UP, 1, name)
        self.telemetry.set(instruments.NOTIFY_LAG, 0, name)

    def run_once(self) -> int:
        """Tell what is new, if it is time; return how many decisions and changes were dealt with."""
        if self.monotonic() < self._due or self.stop.is_set():
            return 0
        try:
            done = self._look()
        except Unreachable as error:
            if not self.stop.is_set():
                self._rest(error.reason, error.retry_after)
            return 0
        except Exception as error:
            if not self.stop.is_set():
                self._rest(f"{type(error).__name__}: {error}", None)
            raise
        if not done:
            self._due = self.monotonic() + self.options.poll.total_seconds()
            self.telemetry.set(instruments.NOTIFY_LAG, 0, self.options.name)
        return done

    def _start(self) -> Position:
        """Return where to begin: where the last run ended, else with what comes next."""
        saved = Position.load(self.store.cursor(self._cursor))
        if saved is None:
            newest = max((row.seq for row in self.store.last_decisions()), default=0)
            while rows := self.store.decisions(after=newest, limit=ROWS):
                newest = rows[-1].seq
            saved = Position(newest, self.store.newest_evaluation())
            self.store.set_cursor(self._cursor, saved.dump(), at=self.clock())
        return saved

    def _look(self) -> int:
        """Tell decisions, and once none waits, changes: what they follow upon is remembered then."""
        # Read before the decisions are, so that none made before one of these is still to come.
        follows = self.options.follows_changes
        rows = self.store.changes(after=self._position.change, limit=ROWS) if follows else ()
        return self._news() or self._changes(rows)

    def _news(self) -> int:
        """Tell decisions one by one."""
        rows = self.store.decisions(after=self._position.decision, limit=ROWS)
        for row in rows:
            self._lagging(row)
            notice = self._notice(row, self._known)
            now = self.clock()
            if not self.options.wants(notice):
                self._move(Position(row.seq, self._position.change, self._position.memory), skipped=1)
            elif notice.expires_at <= now:
                log.warning("decision expired before it could be told", **self._about(row))
                self._move(Position(row.seq, self._position.change, self._position.memory), expired=1)
            else:
                plan = self.notifier.decided(notice, self._position.memory, now=now)
                taken = self._send(plan, now, self._about(row))
                if taken is None:
                    return 0
                self._acted(plan, self._about(row))
                told = taken if plan.messages else {"skipped": 1}
                self._move(Position(row.seq, self._position.change, plan.memory), **told)
        return len(rows)

    def _notice(self, row: Decision, known: Callable[[str], Sequence[RecordedChange]]) -> Notice:
        """Return a decision as it is to be told now: the ledger may have gone on since it was recorded.

        ``known`` gives what the ledger has of a component.
        """
        notice = Notice.of(row, self.names)
        blamed = notice.blamed
        return notice if blamed is None or not notice.failing else notice.as_of(known(blamed))

    def _known(self, component: str) -> Sequence[RecordedChange]:
        return history(self.store, [component])

    def _changes(self, rows: Sequence[Entry]) -> int:
        """Tell changes one by one."""
        for row in rows:
            plan = self.notifier.changed(row, self._position.memory, now=self.clock())
            taken = self._send(plan, self.clock(), {"change": row.seq})
            if taken is None:
                return 0
            told = taken if plan.messages else {}
            self._move(Position(self._position.decision, row.seq, plan.memory), **told)
        return len(rows)

    def _send(self, plan: Plan, now: int, about: dict[str, object]) -> dict[str, int] | None:
        """Send what was not sent yet; return what came of it, ``None`` if the agent stopped meanwhile."""
        rejected = 0
        for message in plan.messages:
            if message.id in self._delivered:
                continue
            try:
                self.notifier.send(message, now=now)
            except Refused as refusal:
                rejected += 1
                self._rejection = refusal.reason
                log.warning("notification refused for good", id=message.id, reason=refusal.reason, **about)
            else:
                log.log(self.level, "notified", notifier=self.options.name, id=message.id, kind=message.kind, **about)
            if self.stop.is_set():
                # The store may be closed by now; the next start says it again.
                return None
            self._delivered.add(message.id)
        self._delivered.clear()
        if plan.messages:
            self._backoff.succeeded()
            self.telemetry.set(instruments.NOTIFY_UP, 1, self.options.name)
            self.status.succeeded(next_attempt=self.clock())
        return {"rejected": 1 if rejected else 0, "sent": 0 if rejected else 1}

    def _acted(self, plan: Plan, about: dict[str, object]) -> None:
        if plan.action is None:
            return
        self.telemetry.add(instruments.ROLLBACKS, 1, self.options.name, plan.action)
        told = ACTIONS.get(plan.action, "no roll-back requested")
        tell = log.warning if plan.action in ACTIONS else log.info
        tell(told, notifier=self.options.name, reason=plan.action, detail=plan.detail, **about)

    def _move(self, position: Position, **counts: int) -> None:
        if position != self._position:
            self.store.set_cursor(self._cursor, position.dump(), at=self.clock())
            self._position = position
        for outcome, count in counts.items():
            self.telemetry.add(instruments.NOTIFICATIONS, count, self.options.name, outcome)
        self.status.count(self._where(), **counts)

    def _pause(self, retry_after: float | None) -> float:
        return self._backoff.failed(retry_after)

    def _rest(self, reason: str, retry_after: float | None) -> None:
        seconds = self._pause(retry_after)
        self._due = self.monotonic() + seconds
        asked_to_wait = retry_after is not None
        self.telemetry.set(instruments.NOTIFY_UP, 1 if asked_to_wait else 0, self.options.name)
        self.status.failed(reason, next_attempt=self.clock() + int(seconds * 1e9), asked_to_wait=asked_to_wait)

    def _lagging(self, row: Decision) -> None:
        self.telemetry.set(instruments.NOTIFY_LAG, max(0, self.clock() - row.at) / 1e9, self.options.name)

    def _where(self) -> dict[str, object]:
        return {"decision": self._position.decision, "last_rejection": self._rejection}

    def _about(self, row: Decision) -> dict[str, object]:
        return {
            "gate": row.gate,
            "slice": dict(row.slice),
            "state": row.state,
            "decision": row.seq,
            "at": stamp(row.at),
        }
