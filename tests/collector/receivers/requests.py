"""Requests to send, every one with ids of its own."""

from __future__ import annotations

import itertools
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector.receivers.items import ItemLimits, json_items, protobuf_items
from collector.receivers.signals import Signal
from collector.receivers.split import Split, split

_ids = itertools.count(1)


def make_request(n_traces: int = 1, n_spans: int = 3, text: str = "text", **changes: Any) -> ExportTraceServiceRequest:
    """A request of whole traces with new ids; ``changes`` are set on every span."""
    request = ExportTraceServiceRequest()
    resource = request.resource_spans.add(schema_url="https://example.org/resource")
    resource.resource.attributes.add(key="service.name").value.string_value = "shop"
    scope = resource.scope_spans.add(schema_url="https://example.org/scope")
    scope.scope.name = "tests"
    for _ in range(n_traces):
        trace_id = next(_ids).to_bytes(16, "big")
        root = next(_ids).to_bytes(8, "big")
        for number in range(n_spans):
            span = scope.spans.add(
                trace_id=trace_id,
                span_id=root if not number else next(_ids).to_bytes(8, "big"),
                parent_span_id=root if number else b"",
                name=f"span {number}",
                start_time_unix_nano=1_700_000_000_000_000_000,
                end_time_unix_nano=1_700_000_001_000_000_000,
            )
            span.attributes.add(key="input.value").value.string_value = text
            for name, value in changes.items():
                setattr(span, name, value)
    return request


DETAILS = "gen_ai.client.inference.operation.details"


def make_logs(
    n_records: int = 1, text: str = "text", *, name: str = DETAILS, **changes: Any
) -> ExportLogsServiceRequest:
    """A request of events about model calls, each of a span of its own; ``changes`` are set on every record."""
    request = ExportLogsServiceRequest()
    resource = request.resource_logs.add(schema_url="https://example.org/resource")
    resource.resource.attributes.add(key="service.name").value.string_value = "shop"
    scope = resource.scope_logs.add(schema_url="https://example.org/scope")
    scope.scope.name = "tests"
    for _ in range(n_records):
        record = scope.log_records.add(
            trace_id=next(_ids).to_bytes(16, "big"),
            span_id=next(_ids).to_bytes(8, "big"),
            event_name=name,
            time_unix_nano=1_700_000_000_500_000_000,
            observed_time_unix_nano=1_700_000_000_600_000_000,
            severity_number=9,
            severity_text="INFO",
        )
        message = record.attributes.add(key="gen_ai.input.messages").value.array_value.values.add().kvlist_value
        message.values.add(key="role").value.string_value = "user"
        message.values.add(key="content").value.string_value = text
        for field, value in changes.items():
            setattr(record, field, value)
    return request


def split_request(
    body: bytes,
    signal: Signal,
    *,
    as_json: bool = False,
    keep: float = 1.0,
    max_items: int = 1000,
    max_item_bytes: int = 100_000,
) -> Split:
    """Return what a receiver makes of a request."""
    read = json_items if as_json else protobuf_items
    return split(read(body, signal.layout, ItemLimits(max_items, max_item_bytes)), arrived=7, keep=keep)
