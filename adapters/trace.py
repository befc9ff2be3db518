"""The spans of one trace, as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from operator import attrgetter, itemgetter
from typing import Any, NewType

from adapters.frozen import frozen
from adapters.lazy import lazy

Nanoseconds = NewType("Nanoseconds", int)
"""An instant in Unix nanoseconds, or a length of time in nanoseconds. Instants of other units are converted where they
come in."""

STATUS_ERROR = 2
"""``Status.code`` of a failed span (opentelemetry/proto/trace/v1/trace.proto, STATUS_CODE_ERROR)."""

MAX_ATTRIBUTE_DEPTH = 32
"""Deepest nesting of arrays and maps in one attribute value; instrumentations write two levels at most."""

UNREAD_ATTRIBUTE_SUFFIX = ".embedding.vector"
"""Arrays under such keys are left out when spans are decoded: thousands of numbers of which nothing is ever read."""


@frozen(frozen=True, slots=True)
class Event:
    """A span event."""

    name: str
    time_ns: Nanoseconds
    attributes: Mapping[str, Any] = field(default_factory=dict)


@frozen(frozen=True, slots=True)
class Span:
    """One span, its attributes decoded to plain Python values. Ids are lower-case hex, times Unix nanoseconds.

    ``parent_remote`` tells whether the parent lives in another process; ``None`` where the exporter did not say. A span
    with a remote parent is the root of everything this process will ever send.
    """

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start_ns: Nanoseconds
    end_ns: Nanoseconds
    attributes: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    status_code: int = 0
    status_message: str = ""
    dropped_attributes: int = 0
    scope_name: str = ""
    scope_version: str = ""
    resource: Mapping[str, Any] = field(default_factory=dict)
    parent_remote: bool | None = None

    @property
    def failed(self) -> bool:
        """Whether the span ended with status ERROR."""
        return self.status_code == STATUS_ERROR

    @property
    def is_fragment(self) -> bool:
        """Whether this is no span but what a log record told of one: events without a name or a time."""
        return self.start_ns == 0 and self.end_ns == 0 and not self.name and bool(self.events)


@frozen(frozen=True, slots=False)
class Trace:
    """All spans known of one trace, deduplicated on span id, ordered by start then span id.

    ``complete`` is false when the trace was closed by time-out rather than by its root's end.
    """

    trace_id: str
    spans: tuple[Span, ...]
    complete: bool = True

    @classmethod
    def of(cls, trace_id: str, spans: Iterable[Span], *, complete: bool = True) -> Trace:
        """Build a trace; of spans with one id the first ended one with the most attributes is kept, in any order.

        The events of all copies are united: a fragment of a span, which holds what a log record tells of it, adds its
        events to the span. A fragment whose span never came is left out.
        """
        spans = tuple(spans)
        if len({span.span_id for span in spans}) < len(spans):
            spans = _distinct(spans)
        whole = [span for span in spans if span.start_ns or not span.is_fragment]
        whole.sort(key=_PLACE)
        return cls(trace_id=trace_id, spans=tuple(whole), complete=complete)

    @lazy
    def by_id(self) -> Mapping[str, Span]:
        """Spans by id."""
        return {span.span_id: span for span in self.spans}

    def is_uprooted(self, span: Span) -> bool:
        """Tell whether a span above never came; the caller in another process is not ours to wait for."""
        if span.parent_id is None:
            return False
        path, at = [], span
        while at.span_id not in self._uprooted:
            self._uprooted[at.span_id] = False  # for good in a cycle of parents, which has no root to lose
            path.append(at.span_id)
            above = self.by_id.get(at.parent_id or "")
            if above is None:
                self._uprooted[at.span_id] = at.parent_id is not None and at.parent_remote is not True
                break
            at = above
        found = self._uprooted[at.span_id]
        self._uprooted.update(dict.fromkeys(path, found))
        return found

    @lazy
    def _uprooted(self) -> dict[str, bool]:
        """What was found of spans so far, by id: a long chain is walked once."""
        return {}


_PLACE = attrgetter("start_ns", "span_id")


def _distinct(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return one span of each id."""
    best: dict[str, Span] = {}
    copies: dict[str, list[Span]] = {}
    for span in spans:
        known = best.get(span.span_id)
        if known is None:
            best[span.span_id] = span
            continue
        copies.setdefault(span.span_id, [known]).append(span)
        if _is_preferred(span, known):
            best[span.span_id] = span
    for span_id, same in copies.items():
        best[span_id] = _with_all_events(best[span_id], same)
    return tuple(best.values())


def _with_all_events(kept: Span, copies: Iterable[Span]) -> Span:
    """Return ``kept`` with the events of all copies, each once, in an order that does not depend on arrival."""
    events = {repr(event): event for event in kept.events}
    own = len(events)
    events |= {repr(event): event for span in copies if span is not kept for event in span.events}
    if len(events) == own:
        return kept
    ordered = sorted(events.items(), key=lambda written: (written[1].time_ns, written[0]))
    return replace(kept, events=tuple([event for _, event in ordered]))


def _is_preferred(span: Span, known: Span) -> bool:
    """Choose between two copies of one span in a way that does not depend on which came first."""
    one, other = _preference(span), _preference(known)
    return one > other if one != other else _written(span) > _written(known)


def _preference(span: Span) -> tuple[bool, bool, int, int]:
    return not span.is_fragment, span.end_ns > 0, len(span.attributes), span.end_ns


def _written(span: Span) -> str:
    return repr(sorted(span.attributes.items(), key=itemgetter(0)))
