"""Canaries as a step: written when the catalog changes, asked when they are due and the budget allows, and recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import structlog

from adapters.trace import Nanoseconds
from collector.canaries.endpoint import CanaryEndpoint, CanaryReply
from collector.canaries.failing import FailingCanaries
from collector.canaries.options import CanaryOptions, Principal
from collector.canaries.task import WriteOrder, WrittenCanaries
from collector.catalog.snapshot import mapped
from collector.clock import duration, instant, nanoseconds
from collector.outbound.link import Link, Runtime
from collector.store.canaries import CanaryResult, StandingCanary
from collector.store.store import Store
from collector.workers.pool import PoolClosed
from scorers.canaries.canary import Canary
from scorers.canaries.checking import FAULTS, CanaryCheck, check_canary
from scorers.catalog import Catalog
from scorers.catalog.stored import catalog_of
from telemetry import instruments

log = structlog.get_logger(__name__)

CURSOR = "canaries"
"""Under this name the store keeps which catalog canaries were written of last."""
HOUR = duration(timedelta(hours=1))
SHARE_TO_FIND = 2
"""A question must find its entry in the catalog itself in the first half of the places that an index is given."""
DROPPED = ("outdated", "too_many", "nobody_may_ask")

WriteCanaries = Callable[[WriteOrder], WrittenCanaries]


def followed(store: Store, directory: Path) -> Path | None:
    """Return the catalog file that canaries were written of last, if it is still there."""
    name = (store.cursor(CURSOR) or b"").decode("utf-8", "replace")
    path = directory / Path(name).name if name else None
    return path if path is not None and path.is_file() else None


@dataclass(frozen=True, slots=True)
class CanaryCounts:
    """How many canaries stand, fail, and wait for the budget."""

    standing: int = 0
    failing: int = 0
    waiting: int = 0


class CanaryStep(Link[CanaryOptions]):
    """Follows the catalog in force, and asks.

    ``in_force`` gives the file of the catalog, ``write`` compares two of them, ``hold`` is told which file is still
    needed. A reply that cannot be had fails the endpoint, never a canary, and is tried again later.
    """

    kind = "canaries"
    up = instruments.CANARY_UP
    counters: ClassVar = {"asked": None, "failed": None}

    def __init__(
        self,
        options: CanaryOptions,
        endpoint: CanaryEndpoint,
        *,
        store: Store,
        runtime: Runtime,
        in_force: Callable[[], Path | None],
        write: WriteCanaries,
        hold: Callable[[Path], None],
        expiry: int,
    ) -> None:
        super().__init__(options, runtime)
        self._endpoint = endpoint
        self._store = store
        self._in_force, self._write, self._hold = in_force, write, hold
        self._catalog = lru_cache(maxsize=1)(_opened)
        self._failing = FailingCanaries(store.last_decisions(), expiry=expiry)
        self._standing = {one.id: one for one in store.canaries()}
        self._followed: str | None = (store.cursor(CURSOR) or b"").decode("utf-8", "replace") or None
        self._asked_now = False
        self._pruned_at = 0
        for outcome in ("ok", "unclear", *FAULTS):
            self.telemetry.add(instruments.CANARY_CHECKS, 0, outcome)
        for reason in DROPPED:
            self.telemetry.add(instruments.CANARIES_DROPPED, 0, reason)
        self._expose_counts()

    def exchange(self) -> int:
        """Write what is to be written, and ask the next canary that is due; return how many were asked."""
        path = self._in_force()
        if path is None:
            return 0
        if path.name != self._followed and not self._follow(path):
            return 0
        self._prune()
        now = self.clock()
        due = self._next_due(now)
        if due is None or self._spent(now):
            self._expose_counts()
            return 0
        return self._ask(due, path, now)

    def run_now(self) -> int:
        """Make every canary due at once; return how many are due.

        The budget of an hour still holds, and so does a time that the endpoint asked to wait. The wait after a failure
        does not: who asks has perhaps just repaired the endpoint.
        """
        self._asked_now = True
        if self.status.state == "failing":
            self.due = self.monotonic()
        return len(self._standing)

    def counts(self) -> CanaryCounts:
        """Return how many canaries stand, fail and wait."""
        now = self.clock()
        standing = list(self._standing.values())
        return CanaryCounts(
            len(standing), sum(one.outcome in FAULTS for one in standing), sum(one.due_at <= now for one in standing)
        )

    def report(self) -> Mapping[str, Any]:
        """Return how the endpoint is doing, and the budget, for people."""
        counts, options = self.counts(), self.options
        asked, _ = self._store.canaries_asked(since=Nanoseconds(self.clock() - HOUR))
        return {
            "endpoint": options.address,
            **self.status.report(),
            "position": self.position(),
            "standing": counts.standing,
            "failing": counts.failing,
            "waiting": counts.waiting,
            "asked_last_hour": asked,
            "per_hour": options.per_hour,
            "per_sync": options.per_sync,
            "every_seconds": options.every.total_seconds(),
        }

    def position(self) -> Mapping[str, Any]:
        """Return of which catalog canaries were written last."""
        return {"catalog": None if self._followed is None else self._followed.partition("-")[0]}

    def _follow(self, path: Path) -> bool:
        """Write the canaries of a catalog that is new; return whether that is done."""
        now, options = self.clock(), self.options
        before = None if self._followed is None else path.parent / self._followed
        standing = {one.id: Canary.model_validate_json(one.body) for one in self._standing.values()}
        order = WriteOrder(
            before=before,
            after=path,
            at=instant(now),
            standing=tuple(standing.values()),
            most=options.entries,
            per_entry=options.per_entry,
            within=max(1, options.k // SHARE_TO_FIND),
        )
        try:
            made = self._write(order)
        except PoolClosed:
            return False
        askable = [one for one in made.fresh if self._asker(one) is not None]
        fresh = [one for one in askable if one.id not in standing or standing[one.id] != one]
        kept = {one.id: self._standing[one.id] for one in self._standing.values() if one.id not in made.gone}
        put = []
        settled = Nanoseconds(now + duration(options.settle))
        later = Nanoseconds(settled + duration(options.every))
        for place, canary in enumerate(fresh):
            due = settled if place < options.per_sync else later
            put.append(StandingCanary(canary.id, now, due, canary.model_dump_json()))
        kept |= {one.id: one for one in put}
        surplus = sorted(kept.values(), key=_dispensable)[: max(0, len(kept) - options.entries)]
        drop = [*made.gone, *(one.id for one in surplus)]
        put = [one for one in put if one.id not in set(drop)]
        self._store.replace_canaries(put, drop, name=CURSOR, cursor=path.name.encode(), at=now)
        self._standing = {one.id: one for one in kept.values() if one.id not in set(drop)}
        self._followed = path.name
        self._hold(path)
        self._decide(now)
        for reason, count in zip(DROPPED, (len(made.gone), len(surplus), len(made.fresh) - len(askable)), strict=True):
            self.telemetry.add(instruments.CANARIES_DROPPED, count, reason)
        log.info("canaries written", fresh=len(put), gone=len(made.gone), left_out=len(surplus), standing=len(kept))
        self._expose_counts()
        return True

    def _asker(self, canary: Canary) -> tuple[Principal | None] | None:
        """Return as whom a canary is asked, in a tuple; ``None`` if nobody is configured who can ask it."""
        for one in self.options.askers:
            allowed = one is None or canary.permitted is None or bool(set(one.groups) & set(canary.permitted))
            if one is None and canary.kind == "permission":
                continue
            if allowed != (canary.kind == "permission"):
                return (one,)
        return None

    def _next_due(self, now: Nanoseconds) -> StandingCanary | None:
        if self._asked_now:
            self._asked_now = False
            self._standing = {one.id: replace(one, due_at=min(one.due_at, now)) for one in self._standing.values()}
        first = min(self._standing.values(), key=lambda one: (one.due_at, one.id), default=None)
        return None if first is None or first.due_at > now else first

    def _spent(self, now: Nanoseconds) -> bool:
        asked, _ = self._store.canaries_asked(since=Nanoseconds(now - HOUR))
        return asked >= self.options.per_hour

    def _ask(self, standing: StandingCanary, path: Path, now: Nanoseconds) -> int:
        canary, catalog = Canary.model_validate_json(standing.body), self._catalog(path)
        edition = catalog.edition(canary.doc_id, canary.version or "")
        asker = self._asker(canary)
        if edition is None or asker is None or not catalog.governs(edition, instant(now)):
            self._defer(standing, None if edition is None else edition.effective_from, now)
            return 1
        reply = self._endpoint.ask(canary, asker[0], monotonic=self.monotonic)
        if self.stop.is_set():
            return 0
        groups = None if asker[0] is None else asker[0].groups
        check = check_canary(
            canary, reply.passages, catalog, instant(now), k=self.options.k, groups=groups, answer=reply.answer
        )
        self._record(standing, reply, check, self.clock())
        self.succeeded()
        return 1

    def _defer(self, standing: StandingCanary, begins: Any, now: Nanoseconds) -> None:
        """Put off a canary whose version does not govern now: until it does, or until the next round."""
        later = Nanoseconds(now + duration(self.options.every))
        if begins is not None and nanoseconds(begins) > now:
            later = nanoseconds(begins)
        moved = replace(standing, due_at=later, outcome=None, detail=None, failing_since=None)
        self._store.replace_canaries([moved], [], name=CURSOR, cursor=(self._followed or "").encode(), at=now)
        self._standing[standing.id] = moved
        self._decide(now)

    def _record(self, standing: StandingCanary, reply: CanaryReply, check: CanaryCheck, now: Nanoseconds) -> None:
        options = self.options
        wait = min(options.retry, options.every) if check.failed else options.every
        since = (standing.failing_since or now) if check.failed else None
        moved = replace(
            standing,
            due_at=Nanoseconds(now + duration(wait)),
            asked_at=now,
            outcome=check.outcome,
            detail=check.detail,
            failing_since=since,
        )
        result = CanaryResult(
            canary=standing.id,
            at=now,
            outcome=check.outcome,
            trace_id=reply.trace_id,
            latency_ms=round(reply.seconds * 1000, 3),
            body=check.model_dump_json(exclude_defaults=True),
        )
        after = {**self._standing, standing.id: moved}
        decisions = list(self._failing.decisions(list(after.values()), at=now))
        self._store.record_canary(moved, result, decisions)
        self._standing = after
        self._failing.settle(decisions)
        self.telemetry.add(instruments.CANARY_CHECKS, 1, check.outcome)
        self.count(asked=1, failed=int(check.failed))
        if check.failed and standing.outcome != check.outcome:
            log.warning("canary failed", canary=standing.id, outcome=check.outcome, detail=check.detail)
        self._expose_counts()

    def _decide(self, now: Nanoseconds) -> None:
        """Decide on what is over because its canaries are gone."""
        decisions = list(self._failing.decisions(list(self._standing.values()), at=now))
        if decisions:
            self._store.decide(decisions)
            self._failing.settle(decisions)

    def _prune(self) -> None:
        now = self.clock()
        bound = Nanoseconds(now - duration(self.options.keep))
        if now - self._pruned_at >= HOUR and not self._store.prune_canary_results(before=bound):
            self._pruned_at = now

    def _expose_counts(self) -> None:
        counts = self.counts()
        self.telemetry.set(instruments.CANARIES_STANDING, counts.standing)
        self.telemetry.set(instruments.CANARIES_WAITING, counts.waiting)
        for fault in FAULTS:
            failing = sum(one.outcome == fault for one in self._standing.values())
            self.telemetry.set(instruments.CANARIES_FAILING, failing, fault)


def _opened(path: Path) -> Catalog:
    return catalog_of(mapped(path))


def _dispensable(one: StandingCanary) -> tuple[bool, int]:
    """Return what is dropped first: of what does not fail, the oldest."""
    return one.outcome in FAULTS, one.created_at
