"""OTLP decoded to spans: protobuf, and JSON by way of it.

A span that cannot be read never hides one that can: the malformed ones are returned beside the good ones, each with its
reason and place. Only a container that cannot be taken apart raises.

Source: opentelemetry-proto 1.x (trace/v1/trace.proto, logs/v1/logs.proto, common/v1/common.proto).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1 import trace_pb2

from adapters.base import MalformedRecord
from adapters.trace import MAX_ATTRIBUTE_DEPTH, UNREAD_ATTRIBUTE_SUFFIX, Event, Nanoseconds, Span, Trace
from adapters.wire.decoded import Decoded, Decoding, SpanOrigin
from adapters.wire.ids import NO_SPAN, flaw_of, refuse_ids
from adapters.wire.layout import LAYOUTS, LOGS, TRACES, Layout, unparsed
from adapters.wire.otlp_json import PARSED, JsonContainer, JsonRequests
from adapters.wire.otlp_logs import Ignored
from adapters.wire.protobuf import BLOCKS, HELD, CutFieldError, WireError, fields

__all__ = ["Decoded", "decode_json", "decode_logs", "decode_traces", "group"]

_HAS_IS_REMOTE = trace_pb2.SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK
_IS_REMOTE = trace_pb2.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK


def decode_traces(data: bytes) -> Decoded:
    """Decode an ExportTraceServiceRequest or TracesData; several concatenated messages are one valid message.

    Raises `MalformedRecord` where ``data`` is no such message at all. A message of which only some spans are broken
    (invalid UTF-8, absurd nesting, wrong id lengths) gives the others, and a `MalformedRecord` for each broken one.

    >>> decode_traces(b"")
    Decoded(spans=(), malformed=())
    """
    return _decode(data, TRACES)


def decode_logs(data: bytes) -> Decoded:
    """Decode an ExportLogsServiceRequest or LogsData, in the same way: each record of content gives a span.

    >>> decode_logs(b"")
    Decoded(spans=(), malformed=())
    """
    return _decode(data, LOGS)


def decode_json(request: Any) -> Decoded:
    """Decode a parsed OTLP/JSON request of traces, of logs, or of both, in the same way.

    Raises `MalformedRecord` where it is no such object.

    >>> decode_json({"resourceSpans": []})
    Decoded(spans=(), malformed=())
    """
    decoding = Decoding()
    layouts = [layout for layout in LAYOUTS if isinstance(request, dict) and layout.names[0] in request]
    if not layouts:
        raise MalformedRecord("not an OTLP/JSON request: neither resourceSpans nor resourceLogs")
    for layout in layouts:
        requests = PARSED[layout.name]
        for block in requests.blocks(request):
            if isinstance(block, MalformedRecord):
                decoding.malformed.append(block)
            else:
                _decode_json_block(block, requests, decoding)
    return decoding.decoded()


def group(spans: Iterable[Span], *, complete: bool = True) -> Iterator[Trace]:
    """Yield one trace per trace id, in order of first appearance."""
    members: defaultdict[str, list[Span]] = defaultdict(list)
    for span in spans:
        members[span.trace_id].append(span)
    for trace_id, same in members.items():
        yield Trace.of(trace_id, same, complete=complete)


def _decode(data: bytes, layout: Layout) -> Decoded:
    decoding = Decoding()
    try:
        message = layout.request.FromString(data)
    except DecodeError:
        _salvage(data, layout, decoding)
        return decoding.decoded()
    blocks = layout.held(0, message)
    if data and not blocks:
        raise MalformedRecord(f"not an OTLP {layout.name} message: no {layout.names[0]} in {len(data)} bytes")
    span_of, (of_blocks, of_groups, of_items) = layout.span, layout.names
    for r, block in enumerate(blocks):
        outer = f"{of_blocks}[{r}]"
        resource = _resource(block.resource, outer, decoding)
        for s, scoped in enumerate(layout.held(1, block)):
            scope, where = scoped.scope, f"{outer}.{of_groups}[{s}]"
            origin = SpanOrigin(resource, scope.name, scope.version)
            for i, item in enumerate(layout.held(2, scoped)):
                _add(span_of(item), origin, (where, of_items, i), decoding)
    return decoding.decoded()


def _decode_json_block(block: JsonContainer, requests: JsonRequests, decoding: Decoding) -> None:
    resource = _resource(block.message.resource, block.where, decoding)
    for scoped in requests.groups(block):
        if isinstance(scoped, MalformedRecord):
            decoding.malformed.append(scoped)
            continue
        origin = SpanOrigin(resource, scoped.message.scope.name, scoped.message.scope.version)
        for i, span in enumerate(requests.spans(scoped)):
            if isinstance(span, MalformedRecord):
                decoding.malformed.append(span)
            else:
                _add(span, origin, (scoped.where, requests.layout.names[2], i), decoding)


def _salvage(data: bytes, layout: Layout, decoding: Decoding) -> None:
    """Take the containers apart by hand, so that each span is parsed, or refused, on its own."""
    blocks: list[bytes] = []
    broken: WireError | None = None
    cut: CutFieldError | None = None
    try:
        for number, _, begin, end in fields(data, 0, len(data)):
            if number == BLOCKS:
                blocks.append(data[begin:end])  # one by one: what precedes an error is kept
    except CutFieldError as error:
        # A file whose writer was killed ends in the middle of a block.
        broken, cut = error, error if error.number == BLOCKS else None
    except WireError as error:
        broken = error
    for r, block in enumerate(blocks):
        _salvage_block(block, layout, r, decoding)
    if broken is None:
        return
    read, place = len(decoding.spans), layout.place(len(blocks))
    if cut is not None:
        lost = _salvage_block(data[cut.begin :], layout, len(blocks), decoding, cut=True)
    if not blocks and len(decoding.spans) == read:
        raise MalformedRecord(f"not an OTLP {layout.name} message: {broken}") from broken
    if cut is None:
        decoding.refuse(f"not an OTLP {layout.name} message from this point: {broken}", place)
    else:
        decoding.refuse(f"truncated at byte {len(data)}, {cut.missing} bytes are missing: {lost} is lost", place)


def _salvage_block(data: bytes, layout: Layout, r: int, decoding: Decoding, *, cut: bool = False) -> str:
    """Take apart one resource's block; return what is lost of one that is ``cut``."""
    opened = _taken_apart(data, layout.block, layout.place(r), "resource", decoding, cut=cut)
    block, groups = opened.message, opened.held
    lost = f"{layout.names[1]}[{len(groups)}]"
    if opened.rest is not None:
        groups.append(opened.rest)
    resource = _resource(block.resource, layout.place(r), decoding)
    for s, data_of_group in enumerate(groups):
        where = layout.place(r, s)
        cut_group = opened.rest is not None and s == len(groups) - 1
        inner = _taken_apart(data_of_group, layout.group, where, "scope", decoding, cut=cut_group)
        origin = SpanOrigin(resource, inner.message.scope.name, inner.message.scope.version)
        for i, item in enumerate(inner.held):
            if layout.mark is not None and layout.mark.search(item) is None:
                continue
            place = where, layout.names[2], i
            try:
                span = layout.span(layout.item.FromString(item))
            except DecodeError:
                decoding.refuse(unparsed(layout.item), _written(place))
            else:
                _add(span, origin, place, decoding)
        if cut_group:
            lost = f"{layout.names[1]}[{s}].{layout.names[2]}[{len(inner.held)}]"
    return lost


@dataclass(frozen=True, slots=True)
class _Container:
    """A container taken apart: itself without what it holds, what it holds, and the part of what is cut off in it."""

    message: Any
    held: list[bytes]
    rest: bytes | None = None


def _taken_apart(data: bytes, kind: type[Any], where: str, head: str, decoding: Decoding, *, cut: bool) -> _Container:
    """Take a container apart; its message is empty where that cannot be read. That one is ``cut`` is told elsewhere."""
    described: list[bytes] = []
    held: list[bytes] = []
    rest = None
    try:
        for number, framed, begin, end in fields(data, 0, len(data)):
            if number == HELD:
                held.append(data[begin:end])
            elif cut and number == BLOCKS and described:
                # It has one head: what begins anew belongs to another, of which this one has swallowed a part.
                break
            else:
                described.append(data[framed:end])
    except WireError as error:
        if not cut:
            decoding.refuse(f"cannot be parsed: {error}", where)
        elif isinstance(error, CutFieldError) and error.number == HELD:
            rest = data[error.begin :]
    try:
        return _Container(kind.FromString(b"".join(described)), held, rest)
    except DecodeError:
        decoding.refuse(unparsed(kind), f"{where}.{head}")
        return _Container(kind(), held, rest)


def _resource(message: Resource, where: str, decoding: Decoding) -> dict[str, Any]:
    """Return the attributes of a resource; what is broken is noted, and none are returned."""
    try:
        return _attributes(message.attributes)
    except MalformedRecord as error:
        decoding.refuse(error.reason, f"{where}.resource")
        return {}


_Place = tuple[str, str, int]
"""The path of a container, what it holds, and which of it: written out only where it is told."""


def _written(place: _Place) -> str:
    return "{}.{}[{}]".format(*place)


def _add(span: trace_pb2.Span | Ignored, origin: SpanOrigin, place: _Place, decoding: Decoding) -> None:
    if isinstance(span, str):
        return
    try:
        decoding.spans.append(_span(span, origin))
    except MalformedRecord as error:
        decoding.refuse(error.reason, _written(place))


def _span(message: trace_pb2.Span, origin: SpanOrigin) -> Span:
    trace_id, span_id, parent_id = message.trace_id, message.span_id, message.parent_span_id
    if flaw := flaw_of(trace_id, span_id, parent_id):
        refuse_ids(flaw, trace_id, span_id, parent_id)
    flags, status, events = message.flags, message.status, message.events
    return Span(  # by position: by name takes as long again as the rest of it
        trace_id.hex(),
        span_id.hex(),
        parent_id.hex() if parent_id and parent_id != NO_SPAN else None,
        message.name,
        Nanoseconds(message.start_time_unix_nano),
        Nanoseconds(message.end_time_unix_nano),
        _attributes(message.attributes),
        _events(events) if events else (),
        status.code,
        status.message,
        message.dropped_attributes_count,
        origin.scope_name,
        origin.scope_version,
        origin.resource,
        bool(flags & _IS_REMOTE) if flags & _HAS_IS_REMOTE else None,
    )


def _events(messages: Iterable[trace_pb2.Span.Event]) -> tuple[Event, ...]:
    return tuple(
        [Event(each.name, Nanoseconds(each.time_unix_nano), _attributes(each.attributes)) for each in messages]
    )


def _attributes(pairs: Iterable[KeyValue]) -> dict[str, Any]:
    """Return the attributes of a span, an event, a resource. Raises `MalformedRecord` for absurd nesting."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, value = pair.key, pair.value
        # Nearly every attribute is a string, and most others are numbers: that spares the slower look-up of the kind.
        found[key] = value.string_value or value.int_value or _value(value, key, 0)
    return found


def _value(value: AnyValue, key: str, depth: int) -> Any:
    """Return an ``AnyValue`` as a plain value; ``key`` is the attribute it is of, in errors."""
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if depth >= MAX_ATTRIBUTE_DEPTH:
        raise MalformedRecord(f"attribute {key[:80]!r} is nested deeper than {MAX_ATTRIBUTE_DEPTH}")
    if kind == "array_value":
        if key.endswith(UNREAD_ATTRIBUTE_SUFFIX):
            return None
        return [_value(item, key, depth + 1) for item in value.array_value.values]
    if kind == "kvlist_value":
        return {pair.key: _value(pair.value, key, depth + 1) for pair in value.kvlist_value.values}
    return getattr(value, kind)
