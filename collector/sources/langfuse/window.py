"""What one closed window of time brought: which of its traces are whole, and which wait for the next."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adapters.base import MalformedRecord
from adapters.values import nanoseconds_of
from collector.sources.langfuse.cursor import floor

QUIET_NS = 60_000_000_000
"""A trace whose root has not come is handed on without it once nothing in it moved for so long."""
OVERLAP_NS = 5_000_000_000
"""How far a window reaches back into the one before: a root begins a moment before what shows that it is missing."""
MAX_DONE = 5_000
"""Most traces remembered as handed on; one that is forgotten comes once more, and the store knows its spans."""

LangfuseObservation = Mapping[str, Any]


@dataclass(slots=True)
class Window:
    """The observations of one window, as its pages come. ``size`` is that of the pages in bytes."""

    observations: dict[tuple[str, str], LangfuseObservation] = field(default_factory=dict)
    malformed: list[MalformedRecord] = field(default_factory=list)
    size: int = 0
    after: str = ""

    def add(self, items: list[Any], size: int) -> None:
        """Take the observations of one page; what comes twice counts once."""
        self.size += size
        for item in items:
            found = item if isinstance(item, dict) else {}
            trace, identity = found.get("traceId"), found.get("id")
            if (
                not isinstance(trace, str)
                or not isinstance(identity, str)
                or nanoseconds_of(found.get("startTime")) is None
            ):
                where = f"observation {str(identity)[:64]}"
                self.malformed.append(MalformedRecord("not an observation with a trace id and a start time", where))
            else:
                self.observations[trace, identity] = item


@dataclass(frozen=True, slots=True)
class Divided:
    """What of a window is handed on, where the next begins, and what that one must not hand on again."""

    observations: list[LangfuseObservation]
    since: int
    done: dict[str, int]


@dataclass(slots=True)
class _Trace:
    observations: list[LangfuseObservation] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    last: int = 0
    rooted: bool = False
    running: bool = False

    def add(self, item: LangfuseObservation) -> None:
        start = nanoseconds_of(item.get("startTime")) or 0
        end = nanoseconds_of(item.get("endTime"))
        root = not item.get("parentObservationId") or item.get("isRootObservation") is True
        self.observations.append(item)
        self.starts.append(floor(start))
        self.last = max(self.last, start, end or 0)
        self.rooted = self.rooted or root
        if root and end is None and item.get("type") != "EVENT":
            self.running = True

    def reaches_back(self) -> int:
        """Return where to look for the trace again: before what is known of it, if its root is not."""
        return min(self.starts) - (0 if self.rooted else QUIET_NS)

    def is_cut(self, until: int, hold: int) -> bool:
        """Tell whether the window's end cuts the trace: it went on then, or its root is still to come."""
        if until - min(self.starts) > hold:
            return False
        if not self.rooted:
            return self.last > until - QUIET_NS
        return self.running or self.last >= until


def divide(window: Window, *, begin: int, until: int, hold: int, done: Mapping[str, int]) -> Divided:
    """Divide a window from ``begin`` to before ``until`` into traces that are whole and traces that it cuts.

    A trace that is cut waits for ``hold`` nanoseconds at most after its first observation. ``done`` are the traces
    handed on before, with the number of their observations: one is handed on again only where it has got more.
    """
    traces: dict[str, _Trace] = {}
    for (trace_id, _), item in window.observations.items():
        traces.setdefault(trace_id, _Trace()).add(item)
    cut = {key for key, trace in traces.items() if not _known(key, trace, done) and trace.is_cut(until, hold)}
    first = min((traces[key].reaches_back() for key in cut), default=until)
    since = max(begin, min(first, until) - OVERLAP_NS)
    handed: list[LangfuseObservation] = []
    remembered: dict[str, int] = {}
    for key, trace in traces.items():
        if key in cut:
            continue
        if not _known(key, trace, done):
            handed += trace.observations
        if ahead := sum(start >= since for start in trace.starts):
            remembered[_hash(key)] = ahead
    newest = list(remembered.items())[-MAX_DONE:]
    return Divided(handed, since, dict(newest))


def _known(trace_id: str, trace: _Trace, done: Mapping[str, int]) -> bool:
    return bool(done) and done.get(_hash(trace_id)) == len(trace.observations)


def _hash(trace_id: str) -> str:
    return hashlib.blake2b(trace_id.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
