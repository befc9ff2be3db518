"""OTLP/JSON to OTLP/protobuf: log records."""

from __future__ import annotations

from functools import partial

import msgspec
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1 import logs_pb2

from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from collector.receivers.jsonvalues import (
    Int,
    Json,
    JsonAttributed,
    JsonScope,
    JsonValue,
    converted,
    fill_attributes,
    fill_resource,
    fill_scope,
    fill_value,
    id_of,
)
from collector.receivers.records import NAME_KEY
from collector.receivers.wire import check_counts


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


def logs_to_protobuf(body: bytes, *, max_items: int) -> bytes:
    """Return the serialized ``ExportLogsServiceRequest`` that a JSON request stands for.

    Records that tell of no model call are there, empty: they are counted, and converting them would be in vain.
    Raises `Garbage`, and `TooLarge` for more than ``max_items`` records.
    """
    return converted(body, _DECODER, partial(_fill, max_items=max_items), ExportLogsServiceRequest())


def _fill(target: ExportLogsServiceRequest, request: _Request, *, max_items: int) -> None:
    groups = n_items = 0
    for resource in request.resource_logs or ():
        block = target.resource_logs.add(schema_url=resource.schema_url)
        fill_resource(block.resource, resource.resource)
        groups += 1 + len(resource.scope_logs or ())
        check_counts(groups, n_items, max_items=max_items)
        for scope in resource.scope_logs or ():
            group = block.scope_logs.add(schema_url=scope.schema_url)
            fill_scope(group.scope, scope.scope)
            n_items += len(scope.log_records or ())
            check_counts(groups, n_items, max_items=max_items)
            for record in scope.log_records or ():
                _fill_record(group.log_records.add(), record)


def _fill_record(target: logs_pb2.LogRecord, record: _LogRecord) -> None:
    if not (record.event_name in CONTENT_EVENTS or _named_by_attribute(record)):
        return
    target.time_unix_nano = int(record.time_unix_nano)
    target.observed_time_unix_nano = int(record.observed_time_unix_nano)
    if record.body is not None:
        fill_value(target.body, record.body)
    fill_attributes(target, record)
    target.trace_id = id_of(record.trace_id)
    target.span_id = id_of(record.span_id)
    target.event_name = record.event_name


def _named_by_attribute(record: _LogRecord) -> bool:
    return not record.event_name and any(
        pair.key == NAME_KEY and pair.value is not None and pair.value.string_value in CONTENT_EVENTS
        for pair in record.attributes or ()
    )
