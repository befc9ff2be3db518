"""OTLP log records, protobuf and JSON: one that holds the content of a model call becomes an event of its span.

Instrumentations may write content as events of a span or as log records that name it; both are the same
(https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/). Such a record becomes a span that has nothing but
its ids and one event; `adapters.trace.Trace.of` unites it with the span itself. All other records are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.logs.v1 import logs_pb2

from adapters.base import MalformedRecord
from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from adapters.trace import Event, Nanoseconds, Span
from adapters.wire.decoded import Decoded, Found, Origin
from adapters.wire.otlp import attributes_of, resource_of, value_of
from adapters.wire.otlp_json import (
    SPAN_ID,
    TRACE_ID,
    attributes_in,
    count_in,
    id_in,
    list_in,
    noting,
    object_in,
    resource_in,
    text_in,
    value_in,
)

BODY = "body"
"""The attribute of the event that holds the body of the record."""
_NAME_KEY = "event.name"
"""Where an event's name stood before records had a field for it (opentelemetry-proto 1.5)."""
_TRACE_ID_BYTES, _SPAN_ID_BYTES = 16, 8


def decode_logs(data: bytes) -> Decoded:
    """Decode an ExportLogsServiceRequest or LogsData. Raises `MalformedRecord` where ``data`` is none.

    >>> decode_logs(b"")
    Decoded(spans=(), malformed=())
    """
    try:
        message = logs_pb2.LogsData.FromString(data)
    except DecodeError as error:
        raise MalformedRecord(f"not an OTLP log message: {error}") from error
    found = Found()
    for r, block in enumerate(message.resource_logs):
        where = f"resourceLogs[{r}]"
        resource = resource_of(block.resource, where, found)
        for s, scoped in enumerate(block.scope_logs):
            origin = Origin(resource, scoped.scope.name, scoped.scope.version)
            for i, record in enumerate(scoped.log_records):
                with noting(found, f"{where}.scopeLogs[{s}].logRecords[{i}]"):
                    _add(_record(record, origin), found)
    return found.decoded()


def logs_of(request: Any) -> Decoded:
    """Decode a parsed OTLP/JSON log request. Raises `MalformedRecord` where it is no such object.

    >>> logs_of({"resourceLogs": []})
    Decoded(spans=(), malformed=())
    """
    if not isinstance(request, dict) or not isinstance(request.get("resourceLogs"), list):
        raise MalformedRecord("not an OTLP/JSON log request: no array resourceLogs")
    found = Found()
    for r, block in enumerate(request["resourceLogs"]):
        where = f"resourceLogs[{r}]"
        resource = resource_in(block, found, where)
        with noting(found, where):
            for s, scoped in enumerate(list_in(block, "scopeLogs")):
                _scope_logs(scoped, resource, found, f"{where}.scopeLogs[{s}]")
    return found.decoded()


def _scope_logs(scoped: Any, resource: dict[str, Any], found: Found, where: str) -> None:
    with noting(found, where):
        scope = object_in(object_in(scoped).get("scope") or {}, ".scope")
        origin = Origin(resource, text_in(scope, "name"), text_in(scope, "version"))
        for i, record in enumerate(list_in(scoped, "logRecords")):
            with noting(found, f"{where}.logRecords[{i}]"):
                _add(_record_in(record, origin), found)


def _add(span: Span | None, found: Found) -> None:
    if span is not None:
        found.spans.append(span)


def _record(record: logs_pb2.LogRecord, origin: Origin) -> Span | None:
    if not (any(record.trace_id) and any(record.span_id)):
        return None
    name = record.event_name
    if not name:
        name = next((pair.value.string_value for pair in record.attributes if pair.key == _NAME_KEY), "")
    if name not in CONTENT_EVENTS:
        return None
    if len(record.trace_id) != _TRACE_ID_BYTES or len(record.span_id) != _SPAN_ID_BYTES:
        raise MalformedRecord("trace id or span id of the wrong length")
    body = value_of(record.body, BODY, 0)
    attributes = attributes_of(record.attributes)
    at = Nanoseconds(record.time_unix_nano or record.observed_time_unix_nano)
    return _fragment(record.trace_id.hex(), record.span_id.hex(), Event(name, at, _with(attributes, body)), origin)


def _record_in(raw: Any, origin: Origin) -> Span | None:
    record = object_in(raw)
    if not record.get("traceId") or not record.get("spanId"):
        return None
    name = text_in(record, "eventName")
    attributes = attributes_in(record) if name in CONTENT_EVENTS or not name else {}
    name = name or str(attributes.get(_NAME_KEY, ""))
    if name not in CONTENT_EVENTS:
        return None
    trace_id, span_id = id_in(record, "traceId", TRACE_ID), id_in(record, "spanId", SPAN_ID)
    if trace_id is None or span_id is None:
        return None
    at = Nanoseconds(count_in(record, "timeUnixNano") or count_in(record, "observedTimeUnixNano"))
    body = value_in(record.get("body"), BODY, 0)
    return _fragment(trace_id, span_id, Event(name, at, _with(attributes, body)), origin)


def _with(attributes: Mapping[str, Any], body: Any) -> Mapping[str, Any]:
    return attributes if body is None else {**attributes, BODY: body}


def _fragment(trace_id: str, span_id: str, event: Event, origin: Origin) -> Span:
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=None,
        name="",
        start_ns=Nanoseconds(0),
        end_ns=Nanoseconds(0),
        events=(event,),
        scope_name=origin.scope_name,
        scope_version=origin.scope_version,
        resource=origin.resource,
    )
