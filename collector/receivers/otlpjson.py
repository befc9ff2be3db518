"""OTLP/JSON to OTLP/protobuf, so that everything behind the door knows one form.

Rules where it differs from protobuf's own JSON (ids in hex, enums as integers, unknown keys ignored):
https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
"""

from __future__ import annotations

import base64
import binascii

import msgspec
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1 import common_pb2
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1 import trace_pb2

from collector.receivers.base import Garbage

MAX_DEPTH = 32
"""Levels of arrays and maps in an attribute; protobuf stops reading at 100 messages, and each level is two."""

_Int = int | str
"""64-bit integers come as decimal strings, but numbers are to be understood too."""


class _Json(msgspec.Struct, rename="camel"):
    """Base of the messages: keys in lowerCamelCase, anything unknown ignored."""


class _AnyValue(_Json):
    string_value: str | None = None
    bool_value: bool | None = None
    int_value: _Int | None = None
    double_value: float | str | None = None
    array_value: _ArrayValue | None = None
    kvlist_value: _KeyValueList | None = None
    bytes_value: str | None = None


class _KeyValue(_Json):
    key: str = ""
    value: _AnyValue | None = None


class _ArrayValue(_Json):
    values: list[_AnyValue] | None = None


class _KeyValueList(_Json):
    values: list[_KeyValue] | None = None


class _Attributed(_Json):
    attributes: list[_KeyValue] | None = None
    dropped_attributes_count: int = 0


class _Scope(_Attributed):
    name: str = ""
    version: str = ""


class _Event(_Attributed):
    time_unix_nano: _Int = 0
    name: str = ""


class _Link(_Attributed):
    trace_id: str = ""
    span_id: str = ""
    trace_state: str = ""
    flags: int = 0


class _Status(_Json):
    message: str = ""
    code: int = 0


class _Span(_Attributed):
    trace_id: str = ""
    span_id: str = ""
    trace_state: str = ""
    parent_span_id: str = ""
    flags: int = 0
    name: str = ""
    kind: int = 0
    start_time_unix_nano: _Int = 0
    end_time_unix_nano: _Int = 0
    events: list[_Event] | None = None
    dropped_events_count: int = 0
    links: list[_Link] | None = None
    dropped_links_count: int = 0
    status: _Status | None = None


class _ScopeSpans(_Json):
    scope: _Scope | None = None
    spans: list[_Span] | None = None
    schema_url: str = ""


class _ResourceSpans(_Json):
    resource: _Attributed | None = None
    scope_spans: list[_ScopeSpans] | None = None
    schema_url: str = ""


class _Request(_Json):
    resource_spans: list[_ResourceSpans] | None = None


_DECODER = msgspec.json.Decoder(_Request, strict=True)


def to_protobuf(body: bytes) -> bytes:
    """Return the serialized ``ExportTraceServiceRequest`` that a JSON request stands for. Raises `Garbage`."""
    try:
        request = _DECODER.decode(body)
        message = ExportTraceServiceRequest(
            resource_spans=[_resource_spans(item) for item in request.resource_spans or ()]
        )
        return message.SerializeToString()
    except (msgspec.DecodeError, RecursionError) as error:
        raise Garbage(f"not OTLP/JSON: {error}") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise Garbage(f"not OTLP/JSON: a value is out of its range or not text: {error}"[:300]) from None


def _resource_spans(item: _ResourceSpans) -> trace_pb2.ResourceSpans:
    resource = item.resource
    return trace_pb2.ResourceSpans(
        resource=None
        if resource is None
        else Resource(attributes=_attributes(resource), dropped_attributes_count=resource.dropped_attributes_count),
        scope_spans=[_scope_spans(scope) for scope in item.scope_spans or ()],
        schema_url=item.schema_url,
    )


def _scope_spans(item: _ScopeSpans) -> trace_pb2.ScopeSpans:
    scope = item.scope
    return trace_pb2.ScopeSpans(
        scope=None
        if scope is None
        else common_pb2.InstrumentationScope(
            name=scope.name,
            version=scope.version,
            attributes=_attributes(scope),
            dropped_attributes_count=scope.dropped_attributes_count,
        ),
        spans=[_span(span) for span in item.spans or ()],
        schema_url=item.schema_url,
    )


def _span(span: _Span) -> trace_pb2.Span:
    status = span.status
    return trace_pb2.Span(
        trace_id=_id(span.trace_id),
        span_id=_id(span.span_id),
        trace_state=span.trace_state,
        parent_span_id=_id(span.parent_span_id),
        flags=span.flags,
        name=span.name,
        kind=span.kind,  # type: ignore[arg-type]  # enums are open: unknown values pass through
        start_time_unix_nano=int(span.start_time_unix_nano),
        end_time_unix_nano=int(span.end_time_unix_nano),
        attributes=_attributes(span),
        dropped_attributes_count=span.dropped_attributes_count,
        events=[
            trace_pb2.Span.Event(
                time_unix_nano=int(event.time_unix_nano),
                name=event.name,
                attributes=_attributes(event),
                dropped_attributes_count=event.dropped_attributes_count,
            )
            for event in span.events or ()
        ],
        dropped_events_count=span.dropped_events_count,
        links=[
            trace_pb2.Span.Link(
                trace_id=_id(link.trace_id),
                span_id=_id(link.span_id),
                trace_state=link.trace_state,
                flags=link.flags,
                attributes=_attributes(link),
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


def _id(text: str) -> bytes:
    """Return the bytes of an id; what is not hex becomes an empty id, for which its span is rejected by itself."""
    try:
        return binascii.unhexlify(text)
    except ValueError:
        return b""


def _attributes(item: _Attributed) -> list[common_pb2.KeyValue]:
    return [_key_value(pair, 0) for pair in item.attributes or ()]


def _key_value(pair: _KeyValue, depth: int) -> common_pb2.KeyValue:
    return common_pb2.KeyValue(key=pair.key, value=None if pair.value is None else _value(pair.value, depth))


def _value(value: _AnyValue, depth: int) -> common_pb2.AnyValue:
    if value.string_value is not None:
        return common_pb2.AnyValue(string_value=value.string_value)
    if value.int_value is not None:
        return common_pb2.AnyValue(int_value=int(value.int_value))
    if value.bool_value is not None:
        return common_pb2.AnyValue(bool_value=value.bool_value)
    if value.double_value is not None:
        return common_pb2.AnyValue(double_value=float(value.double_value))
    if value.bytes_value is not None:
        return common_pb2.AnyValue(bytes_value=base64.b64decode(value.bytes_value))
    if depth >= MAX_DEPTH:
        raise Garbage(f"an attribute is nested more than {MAX_DEPTH} deep")
    if value.array_value is not None:
        values = [_value(item, depth + 1) for item in value.array_value.values or ()]
        return common_pb2.AnyValue(array_value=common_pb2.ArrayValue(values=values))
    if value.kvlist_value is not None:
        pairs = [_key_value(item, depth + 1) for item in value.kvlist_value.values or ()]
        return common_pb2.AnyValue(kvlist_value=common_pb2.KeyValueList(values=pairs))
    return common_pb2.AnyValue()
