"""OTLP/JSON to OTLP/protobuf: log records."""

from __future__ import annotations

import msgspec
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1 import logs_pb2

from adapters.otel_genai import CONTENT_EVENTS
from collector.receivers.jsonvalues import (
    Int,
    Json,
    JsonAttributed,
    JsonScope,
    JsonValue,
    attributes_of,
    converted,
    id_of,
    resource_of,
    scope_of,
    value_of,
)
from collector.receivers.records import NAME_KEY


class _LogRecord(JsonAttributed):
    time_unix_nano: Int = 0
    observed_time_unix_nano: Int = 0
    body: JsonValue | None = None
    trace_id: str = ""
    span_id: str = ""
    event_name: str = ""


class _ScopeLogs(Json):
    scope: JsonScope | None = None
    log_records: list[_LogRecord] | None = None
    schema_url: str = ""


class _ResourceLogs(Json):
    resource: JsonAttributed | None = None
    scope_logs: list[_ScopeLogs] | None = None
    schema_url: str = ""


class _Request(Json):
    resource_logs: list[_ResourceLogs] | None = None


_DECODER = msgspec.json.Decoder(_Request, strict=True)


def logs_to_protobuf(body: bytes) -> bytes:
    """Return the serialized ``ExportLogsServiceRequest`` that a JSON request stands for. Raises `Garbage`.

    Records that tell of no model call are there, empty: they are counted, and converting them would be in vain.
    """
    return converted(body, _DECODER, _request)


def _request(request: _Request) -> ExportLogsServiceRequest:
    return ExportLogsServiceRequest(resource_logs=[_resource_logs(item) for item in request.resource_logs or ()])


def _resource_logs(item: _ResourceLogs) -> logs_pb2.ResourceLogs:
    return logs_pb2.ResourceLogs(
        resource=resource_of(item.resource),
        scope_logs=[_scope_logs(scope) for scope in item.scope_logs or ()],
        schema_url=item.schema_url,
    )


def _scope_logs(item: _ScopeLogs) -> logs_pb2.ScopeLogs:
    return logs_pb2.ScopeLogs(
        scope=scope_of(item.scope),
        log_records=[_record(record) for record in item.log_records or ()],
        schema_url=item.schema_url,
    )


def _record(record: _LogRecord) -> logs_pb2.LogRecord:
    if not (record.event_name in CONTENT_EVENTS or _named_by_attribute(record)):
        return logs_pb2.LogRecord()
    return logs_pb2.LogRecord(
        time_unix_nano=int(record.time_unix_nano),
        observed_time_unix_nano=int(record.observed_time_unix_nano),
        body=None if record.body is None else value_of(record.body),
        attributes=attributes_of(record),
        dropped_attributes_count=record.dropped_attributes_count,
        trace_id=id_of(record.trace_id),
        span_id=id_of(record.span_id),
        event_name=record.event_name,
    )


def _named_by_attribute(record: _LogRecord) -> bool:
    return not record.event_name and any(
        pair.key == NAME_KEY and pair.value is not None and pair.value.string_value in CONTENT_EVENTS
        for pair in record.attributes or ()
    )
