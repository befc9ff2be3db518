"""When a rollback may be requested: once, rarely, never on a guess, and not at all in a dry run.

The rules are applied in order; the first that speaks against a request is the reason that is reported and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from collector.clock import duration
from collector.notify.base import NotifierMemory, RollbackOutcome
from collector.notify.notice import Notice
from gates.units.duration import Duration

Component = Literal["release", "model", "prompt", "index", "retriever"]
DAY = 24 * 3600 * 10**9
REMEMBERED = 1000
"""Requests that are remembered; more than two years of the default daily cap would hold."""


class RollbackOptions(BaseModel):
    """Whether and how often a rollback is requested of the receiver."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dry_run: bool = Field(default=True, description="Report what would have been requested; request nothing.")
    components: tuple[Component, ...] = Field(
        default=("release",), min_length=1, description="What may be rolled back."
    )
    cool_down: Duration = Field(
        default=timedelta(hours=1), description="Minimum time between two requests for the same service."
    )
    daily_cap: int = Field(default=3, ge=1, le=100, description="Most requests in any 24 hours, all services together.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackRequest:
    """A rollback of a component of a service from ``version`` to ``to_version``."""

    service: str
    component: str
    version: str
    to_version: str


@dataclass(frozen=True, slots=True)
class RollbackDecision:
    """What came of a recommendation: ``request`` is there if it names one, ``memory`` is what to remember then."""

    outcome: RollbackOutcome
    detail: str
    request: RollbackRequest | None
    memory: NotifierMemory


def rule(options: RollbackOptions, notice: Notice, memory: NotifierMemory, *, now: int) -> RollbackDecision | None:
    """Return what to do about a decision; ``None`` where none is to be done. ``now`` is Unix nanoseconds.

    Nothing is remembered of a dry run once it is over, and nothing before it either.
    """
    recommended = notice.recommended
    if not (notice.failing or notice.renewed) or recommended is None:
        return None
    if recommended.action != "roll_back":
        return RollbackDecision("hold", f"{recommended.action}: {recommended.reason}", None, memory)
    if recommended.component not in options.components:
        return RollbackDecision(
            "not_configured", f"rollback of {recommended.component} is not configured", None, memory
        )
    service = notice.service
    if service is None or recommended.version is None or recommended.to_version is None:
        return RollbackDecision("unknown_target", "service, version or previous version unknown", None, memory)
    request = RollbackRequest(
        service=service,
        component=recommended.component,
        version=recommended.version,
        to_version=recommended.to_version,
    )
    mode = "dry_run" if options.dry_run else "live"
    past = _past(memory) if memory.get("mode") == mode else ()
    against = _against(options, request, past, now)
    if against is not None:
        return RollbackDecision(*against, request, memory)
    row = [request.service, request.component, request.version, request.to_version, now]
    kept = [*past, row][-REMEMBERED:]
    detail = f"{service}: {request.component} {request.version} to {request.to_version}"
    outcome: RollbackOutcome = "dry_run" if options.dry_run else "requested"
    return RollbackDecision(outcome, detail, request, {"mode": mode, "requests": kept})


def _against(
    options: RollbackOptions, request: RollbackRequest, past: Sequence[list[Any]], now: int
) -> tuple[RollbackOutcome, str] | None:
    same = [row for row in past if row[:2] == [request.service, request.component]]
    if any(row[2] == request.version for row in same):
        return "repeated", f"rollback of {request.service} {request.component} {request.version} was requested before"
    if any(row[2] == request.to_version for row in same):
        return "returns", f"{request.component} {request.to_version} was itself rolled back"
    newest = max((row[4] for row in past if row[0] == request.service), default=None)
    # A clock that was set back leaves requests in the future: they count, too.
    if newest is not None and now - newest < duration(options.cool_down):
        return "cooling_down", f"last rollback of {request.service} was requested less than {options.cool_down} ago"
    if sum(now - row[4] < DAY for row in past) >= options.daily_cap:
        return "capped", f"daily cap of {options.daily_cap} requests reached"
    return None


def _past(memory: NotifierMemory) -> Sequence[list[Any]]:
    return [row for row in memory.get("requests", ()) if isinstance(row, list)]
