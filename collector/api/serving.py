"""What the handlers of the API serve: known from the start, and from when the store is open."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from starlette.exceptions import HTTPException

from adapters.base import PassageKeys
from collector.api.labels import Labelling
from collector.api.queries import Queries
from collector.api.readiness import Readiness
from collector.api.running import RunningAgent
from collector.catalog.listings.task import ComparedIndex
from collector.clock import Clock, system_clock
from collector.errors import Transient
from collector.evaluating.options import ScheduledReport
from collector.external.reception import Reception
from collector.judging.judge import JudgeStep
from collector.outbound.status import Reporting
from collector.pipeline.asked import AskedRequest
from collector.pipeline.unread import UnreadScope
from collector.receivers.guard import ApiTokens
from collector.reports.shelf import ReportShelf
from collector.store.store import Store
from gates.base.gate import Gate
from scorers.base import Metric
from telemetry.registry import Telemetry

LISTS = 2
"""Pages that are made at once."""
LOOKUPS = 2
"""Single rows that are read at once: they do not wait for pages."""


class Ask(Protocol):
    """Has a worker answer a request, of so many seconds of its processor's time."""

    def __call__(self, request: AskedRequest, *, timeout: float) -> str:
        """Return the reply. Raises `Transient` where there is none in time."""
        ...


class CatalogPart(Reporting, Protocol):
    """The catalog, and how indexes lag behind its sources."""

    @property
    def compared(self) -> Mapping[str, ComparedIndex]:
        """The newest comparison of each index that was compared, by its name."""
        ...


class CanaryPart(Reporting, Protocol):
    """Canaries that stand, and how their endpoint is doing."""

    def run_now(self) -> int:
        """Make every canary due at once, within the budget; return how many there are."""
        ...


def _nobody(request: AskedRequest, *, timeout: float) -> str:
    raise Transient(f"no worker takes {type(request).__name__} within {timeout:g} s")


@dataclass(frozen=True, slots=True)
class Parts:
    """The store, the newest verdicts, and what the agent speaks to.

    ``ask`` has a worker answer a request while somebody waits, and ``examine`` one of those that score, between two
    batches. ``passages`` are the keys of a user's own metadata, ``unread`` says which spans nobody reads.
    """

    store: Store
    judge: JudgeStep
    sources: Sequence[Reporting] = ()
    write_back: Sequence[Reporting] = ()
    notify: Sequence[Reporting] = ()
    catalog: CatalogPart | None = None
    ask: Ask = _nobody
    passages: PassageKeys = field(default_factory=PassageKeys)
    examine: Ask = _nobody
    unread: Callable[[], Mapping[str, UnreadScope]] = dict
    canaries: CanaryPart | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What pages say of the agent itself: its metrics and gates, and the ``configuration`` in force as YAML.

    ``reports`` are those that it writes by the calendar, and ``shelf`` has those that were written.
    """

    metrics: Sequence[Metric] = ()
    gates: Sequence[Gate] = ()
    configuration: str = ""
    reports: Sequence[ScheduledReport] = ()
    shelf: ReportShelf = field(default_factory=lambda: ReportShelf({}))


@dataclass(kw_only=True)
class Serving:
    """What handlers serve.

    ``metrics`` are those answers can be filtered by; without any, every name is taken. ``references`` are the gates
    that learn one, which can be begun anew. ``labelling`` is what labels can be of, ``reception`` takes scores of other
    evaluators. ``public_url`` is where people find the pages, ``trace_url`` where they find
    a trace, by its id.
    """

    telemetry: Telemetry
    readiness: Readiness
    gates: Sequence[str]
    dimensions: Sequence[str]
    version: str
    tokens: ApiTokens
    metrics: Sequence[str] = ()
    references: Sequence[str] = ()
    labelling: Labelling = field(default_factory=Labelling)
    reception: Reception
    described: Described = field(default_factory=Described)
    public_url: str | None = None
    trace_url: str | None = None
    clock: Clock = system_clock
    lists: Queries = field(default_factory=lambda: Queries(LISTS, monotonic=time.monotonic))
    lookups: Queries = field(default_factory=lambda: Queries(LOOKUPS, monotonic=time.monotonic))
    verifications: Queries = field(default_factory=lambda: Queries(1, monotonic=time.monotonic))
    opened: Parts | None = None
    running: RunningAgent | None = None
    """What is in force; ``None`` until everything has started."""
    logged: set[tuple[str, str]] = field(default_factory=set)
    """Kinds of unexpected errors that were logged."""

    @property
    def receiving(self) -> str:
        """Where traces are sent to, in words."""
        listeners = {} if self.running is None else self.running.listeners
        places = [
            f"`{scheme}{each.host}:{each.port}` ({kind})"
            for name, scheme, kind in (
                ("receive.otlp_http", "http://", "OTLP over HTTP"),
                ("receive.otlp_grpc", "", "over gRPC"),
            )
            if (each := listeners.get(name)) is not None
        ]
        return " or ".join(places) or "the OTLP port of this agent"

    @property
    def parts(self) -> Parts:
        """What is served from. Raises `HTTPException` 503 while the store is not open."""
        if self.opened is None:
            raise HTTPException(
                503, "the store is not open: the agent is starting or stopping", headers={"Retry-After": "1"}
            )
        return self.opened
