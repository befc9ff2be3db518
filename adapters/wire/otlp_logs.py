"""OTLP log records: the content of a model call, and the result of an evaluation, become an event of a span.

Instrumentations may write content as events of a span or as log records that name it; both are the same
(https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/). Such a record becomes a span that has nothing but
its ids and one event; `adapters.trace.Trace.of` unites it with the span itself. The result of an evaluation may name
the response of a model in place of a trace and a span. All other records are passed over.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Literal

from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from adapters.external.events import EVENT as EVALUATION
from adapters.external.events import RESPONSE
from adapters.ids import trace_of_response

Ignored = Literal["not_content", "no_span"]
"""Why a log record is of no use: most that an application logs are about no model call (``not_content``), and one that
is cannot be placed where it names no span. The sender did nothing wrong and is not told."""

BODY = "body"
"""The attribute of the event that holds the body of the record."""
NAME_KEY = "event.name"
"""Where an event's name stood before records had a field for it (opentelemetry-proto 1.5)."""
TAKEN = CONTENT_EVENTS | {EVALUATION}
"""The events that are taken: content, and the results of evaluations."""
CONTENT_NAMES = re.compile(b"|".join(re.escape(name.encode()) for name in sorted(TAKEN)))
"""Applications send all they log; a record that has none of these in its bytes need not become an object."""


def content_span(record: LogRecord) -> Span | Ignored:
    """Return ``record`` as a span that has nothing but its ids and one event, or why it is of no use.

    >>> content_span(LogRecord(event_name="device.app.lifecycle"))
    'not_content'
    """
    name = record.event_name
    if not name:
        name = next((pair.value.string_value for pair in record.attributes if pair.key == NAME_KEY), "")
    if name not in TAKEN:
        return "not_content"
    trace_id, span_id = record.trace_id, record.span_id
    if name == EVALUATION and not any(trace_id) and (response := _response_of(record)):
        trace_id, span_id = trace_of_response(response), b""
    if name == EVALUATION and not any(span_id):
        # It may be of a trace alone. The id of what it says is that of no span, so it is part of none.
        span_id = blake2b(record.SerializeToString(deterministic=True), digest_size=8).digest()
    if not (any(trace_id) and any(span_id)):
        return "no_span"
    span = Span(trace_id=trace_id, span_id=span_id)
    event = span.events.add(
        name=name,
        time_unix_nano=record.time_unix_nano or record.observed_time_unix_nano,
        attributes=record.attributes,
        dropped_attributes_count=record.dropped_attributes_count,
    )
    if record.body.WhichOneof("value") is not None:
        event.attributes.add(key=BODY, value=record.body)
    return span


def _response_of(record: LogRecord) -> str:
    """Return the response of a model that a result is of; an empty text where it names none."""
    pairs = (*record.attributes, *record.body.kvlist_value.values)
    return next((pair.value.string_value for pair in pairs if pair.key == RESPONSE), "")
