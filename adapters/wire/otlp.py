"""OTLP on the wire, decoded to spans: protobuf here, JSON in `adapters.wire.otlp_json`.

A span that cannot be read never hides one that can: the malformed ones are returned beside the good ones, each with its
reason and place. Only a container that cannot be taken apart raises.

Source: opentelemetry-proto 1.x (trace/v1/trace.proto, common/v1/common.proto).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1 import trace_pb2

from adapters.base import MalformedRecord
from adapters.trace import MAX_ATTRIBUTE_DEPTH, UNREAD_ATTRIBUTE_SUFFIX, Event, Nanoseconds, Span, Trace
from adapters.wire.decoded import Decoded, Found, Origin
from adapters.wire.otlp_json import decode_traces_json
from adapters.wire.protobuf import LENGTH_DELIMITED, WireError, fields

__all__ = ["Decoded", "decode_traces", "decode_traces_json", "group"]

_TRACE_ID_BYTES = 16
_SPAN_ID_BYTES = 8
_HAS_IS_REMOTE = trace_pb2.SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK
_IS_REMOTE = trace_pb2.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK

# Field numbers of trace.proto.
_RESOURCE_SPANS = 1
_RESOURCE, _SCOPE_SPANS = 1, 2
_SCOPE, _SPANS = 1, 2


def decode_traces(data: bytes) -> Decoded:
    """Decode an ExportTraceServiceRequest or TracesData; several concatenated messages are one valid message.

    Raises `MalformedRecord` where ``data`` is no such message at all. A message of which only some spans are broken
    (invalid UTF-8, absurd nesting, wrong id lengths) gives the others, and a `MalformedRecord` for each broken one.

    >>> decode_traces(b"")
    Decoded(spans=(), malformed=())
    """
    found = Found()
    try:
        message = trace_pb2.TracesData.FromString(data)
    except DecodeError:
        _salvage(data, found)
    else:
        if data and not message.resource_spans:
            raise MalformedRecord(f"not an OTLP trace message: no resourceSpans in {len(data)} bytes")
        for r, block in enumerate(message.resource_spans):
            where = f"resourceSpans[{r}]"
            resource = resource_of(block.resource, where, found)
            for s, scope_spans in enumerate(block.scope_spans):
                origin = Origin(resource, scope_spans.scope.name, scope_spans.scope.version)
                _spans(enumerate(scope_spans.spans), origin, f"{where}.scopeSpans[{s}]", found)
    return found.decoded()


def group(spans: Iterable[Span], *, complete: bool = True) -> Iterator[Trace]:
    """Yield one trace per trace id, in order of first appearance."""
    members: dict[str, list[Span]] = {}
    for span in spans:
        members.setdefault(span.trace_id, []).append(span)
    for trace_id, same in members.items():
        yield Trace.of(trace_id, same, complete=complete)


def resource_of(message: Resource, where: str, found: Found) -> dict[str, Any]:
    """Return the attributes of a resource; what is broken is noted, and none are returned."""
    try:
        return attributes_of(message.attributes)
    except MalformedRecord as error:
        found.spoil(error.reason, f"{where}.resource")
        return {}


def _spans(messages: Iterable[tuple[int, trace_pb2.Span]], origin: Origin, where: str, found: Found) -> None:
    for i, message in messages:
        try:
            found.spans.append(_span(message, origin))
        except MalformedRecord as error:
            found.spoil(error.reason, f"{where}.spans[{i}]")


def _span(message: trace_pb2.Span, origin: Origin) -> Span:
    trace_id, span_id, parent_id = message.trace_id, message.span_id, message.parent_span_id
    if len(trace_id) != _TRACE_ID_BYTES or not any(trace_id):
        raise MalformedRecord(f"trace id {trace_id[:32].hex()!r} is not {_TRACE_ID_BYTES} bytes, or all zero")
    if len(span_id) != _SPAN_ID_BYTES or not any(span_id):
        raise MalformedRecord(f"span id {span_id[:32].hex()!r} is not {_SPAN_ID_BYTES} bytes, or all zero")
    if parent_id and len(parent_id) != _SPAN_ID_BYTES:
        raise MalformedRecord(f"parent span id {parent_id[:32].hex()!r} is not {_SPAN_ID_BYTES} bytes")
    flags = message.flags
    return Span(
        trace_id=trace_id.hex(),
        span_id=span_id.hex(),
        parent_id=parent_id.hex() if any(parent_id) else None,
        name=message.name,
        start_ns=Nanoseconds(message.start_time_unix_nano),
        end_ns=Nanoseconds(message.end_time_unix_nano),
        attributes=attributes_of(message.attributes),
        events=tuple(Event(e.name, Nanoseconds(e.time_unix_nano), attributes_of(e.attributes)) for e in message.events),
        status_code=message.status.code,
        status_message=message.status.message,
        dropped_attributes=message.dropped_attributes_count,
        scope_name=origin.scope_name,
        scope_version=origin.scope_version,
        resource=origin.resource,
        parent_remote=bool(flags & _IS_REMOTE) if flags & _HAS_IS_REMOTE else None,
    )


def attributes_of(pairs: Iterable[KeyValue]) -> dict[str, Any]:
    """Return the attributes of a span, an event, a resource. Raises `MalformedRecord` for absurd nesting."""
    found: dict[str, Any] = {}
    for pair in pairs:
        value = pair.value
        # Nearly every attribute is a string; asking for it first spares the slower look-up of the kind.
        found[pair.key] = value.string_value or value_of(value, pair.key, 0)
    return found


def value_of(value: AnyValue, key: str, depth: int) -> Any:
    """Return an ``AnyValue`` as a plain value; ``key`` is the attribute it is of, in errors."""
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if depth >= MAX_ATTRIBUTE_DEPTH:
        raise MalformedRecord(f"attribute {key[:80]!r} is nested deeper than {MAX_ATTRIBUTE_DEPTH}")
    if kind == "array_value":
        if key.endswith(UNREAD_ATTRIBUTE_SUFFIX):
            return None
        return [value_of(item, key, depth + 1) for item in value.array_value.values]
    if kind == "kvlist_value":
        return {pair.key: value_of(pair.value, key, depth + 1) for pair in value.kvlist_value.values}
    return getattr(value, kind)


def _salvage(data: bytes, found: Found) -> None:
    """Take the containers apart by hand, so that each span is parsed, or refused, on its own."""
    blocks: list[bytes] = []
    try:
        blocks.extend(_bodies(data, _RESOURCE_SPANS))
    except WireError as error:
        if not blocks:
            raise MalformedRecord(f"not an OTLP trace message: {error}") from error
        # A file whose writer was killed ends in the middle of one.
        found.spoil(f"not an OTLP trace message from here on: {error}", f"resourceSpans[{len(blocks)}]")
    for r, block in enumerate(blocks):
        where = f"resourceSpans[{r}]"
        resource = {}
        try:
            resource = resource_of(Resource.FromString(b"".join(_bodies(block, _RESOURCE))), where, found)
        except (DecodeError, WireError) as error:
            found.spoil(f"cannot be parsed: {error}", f"{where}.resource")
        try:
            scopes = list(_bodies(block, _SCOPE_SPANS))
        except WireError:
            continue  # already told above: the resource sits in the same block
        for s, body in enumerate(scopes):
            _salvage_scope(body, resource, f"{where}.scopeSpans[{s}]", found)


def _salvage_scope(body: bytes, resource: dict[str, Any], where: str, found: Found) -> None:
    scope = InstrumentationScope()
    try:
        scope = InstrumentationScope.FromString(b"".join(_bodies(body, _SCOPE)))
        bodies = list(_bodies(body, _SPANS))
    except WireError as error:
        found.spoil(f"cannot be parsed: {error}", where)
        return
    except DecodeError as error:
        found.spoil(f"cannot be parsed: {error}", f"{where}.scope")
        bodies = list(_bodies(body, _SPANS))
    messages = []
    for i, span in enumerate(bodies):
        try:
            messages.append((i, trace_pb2.Span.FromString(span)))
        except DecodeError as error:
            found.spoil(f"cannot be parsed: {error}", f"{where}.spans[{i}]")
    _spans(messages, Origin(resource, scope.name, scope.version), where, found)


def _bodies(data: bytes, wanted: int) -> Iterator[bytes]:
    for number, wire, body in fields(data):
        if number == wanted and wire == LENGTH_DELIMITED and body is not None:
            yield body
