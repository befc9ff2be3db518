"""Spans encoded as OTLP protobuf: the inverse of `adapters.wire.otlp.decode_traces`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1 import trace_pb2

from adapters.base import MalformedRecord
from adapters.trace import MAX_ATTRIBUTE_DEPTH, Span

_TRACE_ID_BYTES, _SPAN_ID_BYTES = 16, 8
_UINT64_MAX, _UINT32_MAX = 2**64 - 1, 2**32 - 1
_INT64, _INT32 = 2**63, 2**31
_HAS_IS_REMOTE = trace_pb2.SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK
_IS_REMOTE = trace_pb2.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK


def encode_traces(spans: Iterable[Span]) -> bytes:
    """Return ``spans`` as serialized ``TracesData`` that `adapters.wire.otlp.decode_traces` reads back, in order.

    What OTLP has no place for is written as near as it gets: an integer beyond 64 bits as a double, half a surrogate
    pair as a question mark, what is nested too deep as JSON text, any other object as its text. Raises
    `MalformedRecord` for a span whose ids are not hex of the right length.

    >>> from adapters.wire.otlp import decode_traces
    >>> span = Span("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", None, "chat", 1, 2, {"top_k": 5})
    >>> decode_traces(encode_traces([span])).spans == (span,)
    True
    """
    data = trace_pb2.TracesData()
    block: trace_pb2.ResourceSpans | None = None
    scoped: trace_pb2.ScopeSpans | None = None
    resource: Mapping[str, Any] | None = None
    scope: tuple[str, str] | None = None
    for span in spans:
        # By identity: as dictionaries {"a": 1} and {"a": True} are equal.
        if block is None or span.resource is not resource:
            resource, scope = span.resource, None
            block = data.resource_spans.add()
            _put(block.resource.attributes, span.resource)
        if scoped is None or (span.scope_name, span.scope_version) != scope:
            scope = (span.scope_name, span.scope_version)
            scoped = block.scope_spans.add()
            scoped.scope.name, scoped.scope.version = _text(scope[0]), _text(scope[1])
        _add(scoped, span)
    return bytes(data.SerializeToString())


def _add(scoped: trace_pb2.ScopeSpans, span: Span) -> None:
    message = scoped.spans.add(
        trace_id=_id(span.trace_id, _TRACE_ID_BYTES, "trace id"),
        span_id=_id(span.span_id, _SPAN_ID_BYTES, "span id"),
        parent_span_id=b"" if span.parent_id is None else _id(span.parent_id, _SPAN_ID_BYTES, "parent span id"),
        name=_text(span.name),
        start_time_unix_nano=_within(span.start_ns, _UINT64_MAX),
        end_time_unix_nano=_within(span.end_ns, _UINT64_MAX),
        dropped_attributes_count=_within(span.dropped_attributes, _UINT32_MAX),
    )
    if span.parent_remote is not None:
        message.flags = _HAS_IS_REMOTE | (_IS_REMOTE if span.parent_remote else 0)
    if -_INT32 <= span.status_code < _INT32:
        message.status.code = trace_pb2.Status.StatusCode.ValueType(span.status_code)
    message.status.message = _text(span.status_message)
    _put(message.attributes, span.attributes)
    for event in span.events:
        written = message.events.add(name=_text(event.name), time_unix_nano=_within(event.time_ns, _UINT64_MAX))
        _put(written.attributes, event.attributes)


def _id(text: str, length: int, what: str) -> bytes:
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raw = b""
    if len(raw) != length or not any(raw):
        raise MalformedRecord(f"{what} {text[:64]!r} must be {2 * length} hex digits, not all zero")
    return raw


def _put(pairs: RepeatedCompositeFieldContainer[KeyValue], values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        _set(pairs.add(key=_text(key)).value, value, 0)


def _set(target: AnyValue, value: Any, depth: int) -> None:  # noqa: C901 - one case a kind of value
    match value:
        case str():
            target.string_value = _text(value)
        case None:
            pass
        case bool():
            target.bool_value = value
        case int():
            _set_integer(target, value)
        case float():
            target.double_value = value
        case bytes():
            target.bytes_value = value
        case Mapping() | list() | tuple() if depth >= MAX_ATTRIBUTE_DEPTH - 1:
            target.string_value = _json(value)
        case Mapping():
            target.kvlist_value.SetInParent()
            for key, item in value.items():
                _set(target.kvlist_value.values.add(key=_text(str(key))).value, item, depth + 1)
        case list() | tuple():
            target.array_value.SetInParent()
            for item in value:
                _set(target.array_value.values.add(), item, depth + 1)
        case _:
            target.string_value = _text(str(value))


def _set_integer(target: AnyValue, value: int) -> None:
    if -_INT64 <= value < _INT64:
        target.int_value = value
        return
    try:
        target.double_value = float(value)
    except OverflowError:
        target.double_value = float("inf") if value > 0 else float("-inf")


def _json(value: Any) -> str:
    try:
        return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except orjson.JSONEncodeError:
        return ""


def _text(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _within(number: int, highest: int) -> int:
    return min(max(number, 0), highest)
