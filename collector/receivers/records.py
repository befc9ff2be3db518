"""Log records at the door: one that tells of a model call becomes an event of its span, all others are dropped.

What instrumentations write as events of a span and as log records is the same (OTEP 4430), so behind the door there are
spans only: docs/adr/0007-what-is-pulled-goes-the-way-of-what-is-pushed.md. Each record kept counts as one span in the
books of the store; a record whose span never comes is part of no answer.
"""

from __future__ import annotations

import re

from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from collector.receivers.base import Dropped
from collector.receivers.spans import NO_SPAN, NO_TRACE, flaw_of
from collector.receivers.split import Item
from collector.receivers.wire import Place, framed_item, parse

BODY = "body"
"""The attribute of the event that holds the body of the record."""
NAME_KEY = "event.name"
"""Where instrumentations put an event's name before records had a field for it (opentelemetry-proto 1.5)."""
_ABSENT_TRACE, _ABSENT_SPAN = frozenset({b"", NO_TRACE}), frozenset({b"", NO_SPAN})
_MENTION = re.compile(b"|".join(re.escape(name.encode()) for name in sorted(CONTENT_EVENTS)))
"""Applications send all they log; a record that has none of these names in its bytes need not become an object."""


def read_record(body: bytes, place: Place) -> Item | Dropped:
    """Return the record at ``place`` as a span that has nothing but ids and one event.

    Raises `Garbage` for what could be such a record and cannot be read.
    """
    _, start, end = place
    if _MENTION.search(body, start, end) is None:
        return "not_content"
    record = parse(LogRecord, body, start, end)
    name = record.event_name
    if not name:
        name = next((pair.value.string_value for pair in record.attributes if pair.key == NAME_KEY), "")
    if name not in CONTENT_EVENTS:
        return "not_content"
    trace_id, span_id = record.trace_id, record.span_id
    if trace_id in _ABSENT_TRACE or span_id in _ABSENT_SPAN:
        return "no_span"
    if flaw := flaw_of(trace_id, span_id):
        return flaw
    span = Span(trace_id=trace_id, span_id=span_id)
    event = span.events.add(
        name=name,
        time_unix_nano=record.time_unix_nano or record.observed_time_unix_nano,
        attributes=record.attributes,
        dropped_attributes_count=record.dropped_attributes_count,
    )
    if record.body.WhichOneof("value") is not None:
        event.attributes.add(key=BODY, value=record.body)
    return trace_id, framed_item(span.SerializeToString()), False
