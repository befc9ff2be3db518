"""Requests to send, every one with ids of its own."""

from __future__ import annotations

import itertools
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

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
