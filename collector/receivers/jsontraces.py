"""OTLP/JSON to OTLP/protobuf, so that everything behind the door knows one form: spans."""

from __future__ import annotations

from functools import partial

import msgspec
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1 import trace_pb2

from collector.receivers.jsonvalues import (
    Int,
    Json,
    JsonAttributed,
    JsonScope,
    converted,
    fill_attributes,
    fill_resource,
    fill_scope,
    id_of,
)
from collector.receivers.wire import check_counts


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


def traces_to_protobuf(body: bytes, *, max_items: int) -> bytes:
    """Return the serialized ``ExportTraceServiceRequest`` that a JSON request stands for.

    Raises `Garbage`, and `TooLarge` for more than ``max_items`` spans.
    """
    return converted(body, _DECODER, partial(_fill, max_items=max_items), ExportTraceServiceRequest())


def _fill(target: ExportTraceServiceRequest, request: _Request, *, max_items: int) -> None:
    groups = n_items = 0
    for resource in request.resource_spans or ():
        block = target.resource_spans.add(schema_url=resource.schema_url)
        fill_resource(block.resource, resource.resource)
        groups += 1 + len(resource.scope_spans or ())
        check_counts(groups, n_items, max_items=max_items)
        for scope in resource.scope_spans or ():
            group = block.scope_spans.add(schema_url=scope.schema_url)
            fill_scope(group.scope, scope.scope)
            n_items += len(scope.spans or ())
            check_counts(groups, n_items, max_items=max_items)
            for span in scope.spans or ():
                _fill_span(group.spans.add(), span)


def _fill_span(target: trace_pb2.Span, span: _Span) -> None:
    target.trace_id = id_of(span.trace_id)
    target.span_id = id_of(span.span_id)
    target.trace_state = span.trace_state
    target.parent_span_id = id_of(span.parent_span_id)
    target.flags = span.flags
    target.name = span.name
    target.kind = span.kind  # type: ignore[assignment]  # enums are open: unknown values pass through
    target.start_time_unix_nano = int(span.start_time_unix_nano)
    target.end_time_unix_nano = int(span.end_time_unix_nano)
    fill_attributes(target, span)
    for event in span.events or ():
        added = target.events.add(time_unix_nano=int(event.time_unix_nano), name=event.name)
        fill_attributes(added, event)
    target.dropped_events_count = span.dropped_events_count
    for link in span.links or ():
        linked = target.links.add(
            trace_id=id_of(link.trace_id),
            span_id=id_of(link.span_id),
            trace_state=link.trace_state,
            flags=link.flags,
        )
        fill_attributes(linked, link)
    target.dropped_links_count = span.dropped_links_count
    if span.status is not None:
        target.status.SetInParent()
        target.status.message = span.status.message
        target.status.code = span.status.code  # type: ignore[assignment]  # see kind
