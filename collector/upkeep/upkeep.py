"""Cares for the files of the store: room on the disk, the log of writes, and the mark beside the database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from collector.clock import Clock
from collector.store.health import Health
from collector.store.integrity import IntegrityCheck
from collector.store.upkeep import Upkeep
from collector.store.wal import WalCheckpoint
from collector.upkeep.retention import KeepStep
from telemetry import instruments
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)

LOOK_SECONDS = 1.0
"""Between two looks at the disk, while the store can be written."""
MARK_SECONDS = 5.0
"""A store that was set back by less than what it wrote in this time is not found out."""
STUCK_PAGES = 16_000
"""Pages in the log (125 MiB) from which on the reader that keeps them is logged."""


@dataclass(frozen=True, kw_only=True)
class CheckStep:
    """Looks for corruption of the store, once a run."""

    check: IntegrityCheck
    health: Health
    telemetry: Telemetry
    clock: Clock

    def run_once(self) -> int:
        """Check every table; return 0, there is never more work waiting."""
        found = self.check.run()
        if found is None:
            return 0
        if found.problem is not None:
            self.health.corrupt = self.health.corrupt or found.problem
        elif found.unchecked:
            log.info("store check did not finish", unchecked=", ".join(found.unchecked))
        else:
            self.telemetry.set(instruments.STORE_CHECKED, self.clock() / 1e9)
        return 0


@dataclass(kw_only=True)
class UpkeepStep:
    """Runs several times a second; ``monotonic`` counts seconds. What it finds is logged once, when it begins."""

    upkeep: Upkeep
    keep: KeepStep
    telemetry: Telemetry
    clock: Clock
    monotonic: Callable[[], float]
    stop: threading.Event
    _logged: dict[str, str | None] = field(default_factory=dict)
    _looked: float | None = None
    _marked: float | None = None
    _stuck: bool = False

    def run_once(self) -> int:
        """Look after the files once; return 0, there is never more work waiting."""
        upkeep, health = self.upkeep, self.upkeep.health
        now = self.monotonic()
        self._log_stuck_reader(upkeep.checkpoint_when_due(now))
        if health.unwritable is None and self._looked is not None and now - self._looked < LOOK_SECONDS:
            return 0
        self._looked = now
        try:
            upkeep.look()
            if health.unwritable is not None:
                self._heal()
            if self._marked is None or now - self._marked >= MARK_SECONDS:
                upkeep.write_mark(self.clock())
                self._marked = now
            free, reusable = upkeep.free()
            self.telemetry.set(instruments.STORE_FREE_BYTES, free, "disk")
            self.telemetry.set(instruments.STORE_FREE_BYTES, reusable, "database")
        finally:
            self._expose()
        return 0

    def _heal(self) -> None:
        upkeep, health = self.upkeep, self.upkeep.health
        reason = health.unwritable
        self._log_once("unwritable", reason, "store not writable")
        held = upkeep.reserve.held
        removed = 0

        def prune() -> None:
            nonlocal removed
            # The rest is left to retention, at its own pace.
            while rows := self.keep.run_once():
                removed += rows
                if self.stop.is_set() or upkeep.room() >= upkeep.reserve.size:
                    break

        obstacle = upkeep.heal(prune)
        if held and not upkeep.reserve.held:
            log.warning("reserve released to make room", data=str(upkeep.directory), bytes=held)
        free, reusable = upkeep.free()
        if obstacle is None:
            self._logged.pop("unwritable", None)
            log.info("store writable again", removed=removed, free=free, reusable=reusable)
        elif health.unwritable is not None:
            problem = health.unwritable.partition("; ")[0]
            health.unwritable = (
                f"{problem}; {free:,} bytes are free on its disk and {reusable:,} in the database; {obstacle}"
            )

    def _log_stuck_reader(self, folded: WalCheckpoint | None) -> None:
        if folded is None:
            return
        stuck = folded.left > 0 and folded.pages >= STUCK_PAGES
        if stuck and not self._stuck:
            log.warning(
                "a store reader does not finish; the write-ahead log grows until it does",
                bytes=self.upkeep.log.size(),
                data=str(self.upkeep.directory),
            )
        self._stuck = stuck

    def _log_once(self, what: str, reason: str | None, event: str) -> None:
        """Log once that something is wrong, and again when it is after it was not."""
        if reason is None:
            self._logged.pop(what, None)
        elif what not in self._logged:
            self._logged[what] = reason
            log.error(event, data=str(self.upkeep.directory), reason=reason)

    def _expose(self) -> None:
        upkeep, health, telemetry = self.upkeep, self.upkeep.health, self.telemetry
        self._log_once("corrupt", health.corrupt, "the store is corrupt")
        self._log_once("rewound", health.rewound, "the store has lost rows")
        telemetry.set(instruments.STORE_RESERVE_BYTES, upkeep.reserve.held)
        telemetry.set(instruments.STORE_LOG_BYTES, upkeep.log.size())
        telemetry.set(instruments.STORE_WRITABLE, 0 if health.unwritable is not None else 1)
        telemetry.set(instruments.STORE_CORRUPT, 0 if health.corrupt is None else 1)
        telemetry.set(instruments.STORE_REWOUND, 0 if health.rewound is None else 1)
