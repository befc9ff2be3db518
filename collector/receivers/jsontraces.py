"""OTLP/JSON to OTLP/protobuf, so that everything behind the door knows one form: spans."""

from __future__ import annotations

import msgspec
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1 import trace_pb2

from collector.receivers.jsonvalues import (
    Int,
    Json,
    JsonAttributed,
    JsonScope,
    attributes_of,
    converted,
    id_of,
    resource_of,
    scope_of,
)


class _Event(JsonAttributed):
    time_unix_nano: Int = 0
    name: str = ""


class _Link(JsonAttributed):
    trace_id: str = ""
    span_id: str = ""
    trace_state: str = ""
    flags: int = 0


class _Status(Json):
    message: str = ""
    code: int = 0


class _Span(JsonAttributed):
    trace_id: str = ""
    span_id: str = ""
    trace_state: str = ""
    parent_span_id: str = ""
    flags: int = 0
    name: str = ""
    kind: int = 0
    start_time_unix_nano: Int = 0
    end_time_unix_nano: Int = 0
    events: list[_Event] | None = None
    dropped_events_count: int = 0
    links: list[_Link] | None = None
    dropped_links_count: int = 0
    status: _Status | None = None


class _ScopeSpans(Json):
    scope: JsonScope | None = None
    spans: list[_Span] | None = None
    schema_url: str = ""


class _ResourceSpans(Json):
    resource: JsonAttributed | None = None
    scope_spans: list[_ScopeSpans] | None = None
    schema_url: str = ""


class _Request(Json):
    resource_spans: list[_ResourceSpans] | None = None


_DECODER = msgspec.json.Decoder(_Request, strict=True)


def traces_to_protobuf(body: bytes) -> bytes:
    """Return the serialized ``ExportTraceServiceRequest`` that a JSON request stands for. Raises `Garbage`."""
    return converted(body, _DECODER, _request)


def _request(request: _Request) -> ExportTraceServiceRequest:
    return ExportTraceServiceRequest(resource_spans=[_resource_spans(item) for item in request.resource_spans or ()])


def _resource_spans(item: _ResourceSpans) -> trace_pb2.ResourceSpans:
    return trace_pb2.ResourceSpans(
        resource=resource_of(item.resource),
        scope_spans=[_scope_spans(scope) for scope in item.scope_spans or ()],
        schema_url=item.schema_url,
    )


def _scope_spans(item: _ScopeSpans) -> trace_pb2.ScopeSpans:
    return trace_pb2.ScopeSpans(
        scope=scope_of(item.scope),
        spans=[_span(span) for span in item.spans or ()],
        schema_url=item.schema_url,
    )


def _span(span: _Span) -> trace_pb2.Span:
    status = span.status
    return trace_pb2.Span(
        trace_id=id_of(span.trace_id),
        span_id=id_of(span.span_id),
        trace_state=span.trace_state,
        parent_span_id=id_of(span.parent_span_id),
        flags=span.flags,
        name=span.name,
        kind=span.kind,  # type: ignore[arg-type]  # enums are open: unknown values pass through
        start_time_unix_nano=int(span.start_time_unix_nano),
        end_time_unix_nano=int(span.end_time_unix_nano),
        attributes=attributes_of(span),
        dropped_attributes_count=span.dropped_attributes_count,
        events=[
            trace_pb2.Span.Event(
                time_unix_nano=int(event.time_unix_nano),
                name=event.name,
                attributes=attributes_of(event),
                dropped_attributes_count=event.dropped_attributes_count,
            )
            for event in span.events or ()
        ],
        dropped_events_count=span.dropped_events_count,
        links=[
            trace_pb2.Span.Link(
                trace_id=id_of(link.trace_id),
                span_id=id_of(link.span_id),
                trace_state=link.trace_state,
                flags=link.flags,
                attributes=attributes_of(link),
                dropped_attributes_count=link.dropped_attributes_count,
            )
            for link in span.links or ()
        ],
        dropped_links_count=span.dropped_links_count,
        status=None if status is None else _status(status),
    )


def _status(status: _Status) -> trace_pb2.Status:
    return trace_pb2.Status(
        message=status.message,
        code=status.code,  # type: ignore[arg-type]  # see kind
    )
