"""Spans at the door."""

from __future__ import annotations

from opentelemetry.proto.trace.v1.trace_pb2 import Span

from collector.receivers.base import Rejection
from collector.receivers.split import Item
from collector.receivers.wire import Place, parse

_TRACE_ID_BYTES, _SPAN_ID_BYTES = 16, 8
NO_TRACE, NO_SPAN = bytes(_TRACE_ID_BYTES), bytes(_SPAN_ID_BYTES)
_NO_PARENT = frozenset({b"", NO_SPAN})


def read_span(body: bytes, place: Place) -> Item | Rejection:
    """Return the span at ``place``, as it came. Raises `Garbage`."""
    framed, start, end = place
    span = parse(Span, body, start, end)
    trace_id = span.trace_id
    if flaw := flaw_of(trace_id, span.span_id):
        return flaw
    return trace_id, body[framed:end], bool(span.end_time_unix_nano) and span.parent_span_id in _NO_PARENT


def flaw_of(trace_id: bytes, span_id: bytes) -> Rejection | None:
    """Return what makes a span impossible to place: ids have a fixed length and are not all zero."""
    if len(trace_id) != _TRACE_ID_BYTES or trace_id == NO_TRACE:
        return "invalid_trace_id"
    if len(span_id) != _SPAN_ID_BYTES or span_id == NO_SPAN:
        return "invalid_span_id"
    return None
