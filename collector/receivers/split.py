"""One export request becomes one chunk a trace.

This is the hot path: the three outer levels of the protobuf message are walked here, byte by byte, and every span goes
through the protobuf library once, to be checked and to give its ids; its attributes are never looked at. Spans,
resources and scopes are copied as they came. Layout: opentelemetry/proto/trace/v1/trace.proto, and
https://protobuf.dev/programming-guides/encoding/. docs/adr/0004-what-is-checked-at-receipt.md says why it is done so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeVar

from google.protobuf.message import DecodeError, Message
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from collector.receivers.base import Garbage, Rejection, TooLarge
from collector.store.base import Chunk

M = TypeVar("M", bound=Message)

# Field numbers: TracesData.resource_spans; ResourceSpans.resource and .scope_spans; ScopeSpans.scope and .spans;
# schema_url of both.
_OUTER, _HEAD, _INNER, _SCHEMA_URL = 1, 1, 2, 3
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_TRACE_ID_BYTES, _SPAN_ID_BYTES = 16, 8
_NO_TRACE, _NO_SPAN = bytes(_TRACE_ID_BYTES), bytes(_SPAN_ID_BYTES)
_NO_PARENT = frozenset({b"", _NO_SPAN})
_VARINT_BITS, _MORE = 64, 0x80
_MAX_NUMBER = 2**29 - 1
_TOO_MANY = "too many spans, scopes or resources in one request: send smaller ones"
_MAX_GROUPS = 10_000
"""ResourceSpans and ScopeSpans of one request; exporters send a handful, and each costs memory even if it is empty."""
_MAX_FIELDS = 64
"""Fields besides what they hold of a ResourceSpans or ScopeSpans; there are two today."""


@dataclass(slots=True)
class Split:
    """A request by trace. ``rejected`` counts the spans that are in no chunk."""

    chunks: list[Chunk]
    n_spans: int
    rejected: Counter[Rejection]


@dataclass(slots=True)
class _Part:
    """The spans of one trace under one scope, framed as they came."""

    resource: bytes
    scope: bytes
    spans: list[bytes]


@dataclass(slots=True)
class _Gathered:
    parts: list[_Part] = field(default_factory=list)
    of_scope: int = -1
    n_spans: int = 0
    has_root: bool = False


def split(body: bytes, *, arrived: int, keep: float, max_spans: int, max_span_bytes: int) -> Split:
    """Return the chunks of an ``ExportTraceServiceRequest``, and what was rejected.

    Raises `Garbage` if the body is not one in full, attributes included, and `TooLarge` for too many spans.
    """
    found: dict[bytes, _Gathered] = {}
    rejected: Counter[Rejection] = Counter()
    for of_scope, (resource, scope, spans) in enumerate(_scopes(body, max_spans, max_span_bytes)):
        for framed, start, end in spans:
            if end - start > max_span_bytes:
                rejected["too_large"] += 1
                continue
            span = _parse(Span, body, start, end)
            trace_id = span.trace_id
            if flaw := _flaw(trace_id, span.span_id):
                rejected[flaw] += 1
                continue
            gathered = found.get(trace_id)
            if gathered is None:
                gathered = found[trace_id] = _Gathered()
            if gathered.of_scope != of_scope:
                gathered.of_scope = of_scope
                gathered.parts.append(_Part(resource, scope, []))
            gathered.parts[-1].spans.append(body[framed:end])
            gathered.n_spans += 1
            if span.end_time_unix_nano and span.parent_span_id in _NO_PARENT:
                gathered.has_root = True
    chunks = []
    for trace_id, gathered in found.items():
        if kept(trace_id, keep):
            data = b"".join([_resource_spans(part) for part in gathered.parts])
            chunks.append(Chunk(trace_id, arrived, gathered.n_spans, gathered.has_root, data))
        else:
            rejected["thinned"] += gathered.n_spans
    return Split(chunks, sum(chunk.n_spans for chunk in chunks), rejected)


def _parse(kind: type[M], body: bytes, start: int, end: int) -> M:
    """Return the message, which is all checked by being parsed."""
    try:
        return kind.FromString(body[start:end])
    except DecodeError:
        raise Garbage(f"byte {start} of the request does not begin a protobuf {kind.DESCRIPTOR.name}") from None


def _is_text(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _flaw(trace_id: bytes, span_id: bytes) -> Rejection | None:
    """Return what makes a span impossible to place: ids have a fixed length and are not all zero."""
    if len(trace_id) != _TRACE_ID_BYTES or trace_id == _NO_TRACE:
        return "invalid_trace_id"
    if len(span_id) != _SPAN_ID_BYTES or span_id == _NO_SPAN:
        return "invalid_span_id"
    return None


def kept(trace_id: bytes, keep: float) -> bool:
    """Whether a trace is among the share ``keep`` that is taken in; the same for every replica and request.

    The id is hashed because senders that sample do so by the id itself: else we would keep all or nothing of theirs.

    >>> kept(bytes(16), 1.0), sum(kept(n.to_bytes(16, "big"), 0.25) for n in range(1000))
    (True, 242)
    """
    if keep >= 1.0:
        return True
    return int.from_bytes(blake2b(trace_id, digest_size=8, person=b"receive.keep").digest(), "big") < keep * 2.0**64


def _scopes(body: bytes, max_spans: int, max_bytes: int) -> Iterator[tuple[bytes, bytes, list[tuple[int, int, int]]]]:
    """Yield resource and scope, with what else belongs to them, and the bounds of the spans: framed, start, end."""
    groups = n_spans = 0
    for number, _, start, end in _fields(body, 0, len(body)):
        if number != _OUTER:
            continue
        resource, inner = _parts(body, start, end, _MAX_GROUPS - groups, Resource, max_bytes)
        for _, begin, finish in inner:
            scope, spans = _parts(body, begin, finish, max_spans - n_spans, InstrumentationScope, max_bytes)
            n_spans += len(spans)
            yield resource, scope, spans
        groups += 1 + len(inner)
        if groups > _MAX_GROUPS:
            raise TooLarge(_TOO_MANY)


def _parts(
    body: bytes, start: int, end: int, limit: int, head: type[Message], max_bytes: int
) -> tuple[bytes, list[tuple[int, int, int]]]:
    """Take one message apart: what describes it, joined, and the bounds of the messages it holds, ``limit`` at most."""
    described: list[bytes] = []
    held: list[tuple[int, int, int]] = []
    for number, framed, begin, finish in _fields(body, start, end):
        if number == _INNER:
            if len(held) >= limit:
                raise TooLarge(_TOO_MANY)
            held.append((framed, begin, finish))
            continue
        if len(described) >= _MAX_FIELDS or finish - begin > max_bytes:
            raise TooLarge(f"{head.DESCRIPTOR.name} holds too much")
        described.append(body[framed:finish])
        if number == _HEAD:
            _parse(head, body, begin, finish)
        elif number == _SCHEMA_URL and not _is_text(body[begin:finish]):
            raise Garbage(f"byte {begin} of the request does not begin a schema URL in UTF-8")
    return b"".join(described), held


def _fields(body: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the fields of one message: number, where it begins with its tag, where its value begins and ends."""
    at = start
    while at < end:
        framed = at
        tag, at = _varint(body, at, end)
        wire = tag & 7
        if wire == _BYTES:
            size, at = _varint(body, at, end)
        elif wire == _VARINT:
            _, after = _varint(body, at, end)
            size = after - at
        elif wire in {_FIXED64, _FIXED32}:
            size = 8 if wire == _FIXED64 else 4
        else:
            raise Garbage(f"byte {framed} of the request is no protobuf field")
        number = tag >> 3
        if not 0 < number <= _MAX_NUMBER or size > end - at or (number <= _SCHEMA_URL and wire != _BYTES):
            raise Garbage(f"byte {framed} of the request is no OTLP field, or its end is missing")
        yield number, framed, at, at + size
        at += size


def _varint(body: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the variable-length integer at ``at``, and where it ends."""
    value = shift = 0
    while at < end and shift < _VARINT_BITS:
        byte = body[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < _MORE:
            return value, at
        shift += 7
    raise Garbage("the request ends within a number, or holds one that is too long")


def _resource_spans(part: _Part) -> bytes:
    """Return one framed ``ResourceSpans`` with one scope: a piece of a serialized ``TracesData``."""
    scope = len(part.scope) + sum(map(len, part.spans))
    scope_frame = b"\x12" + _encoded(scope)
    inner = len(part.resource) + len(scope_frame) + scope
    return b"".join((b"\x0a", _encoded(inner), part.resource, scope_frame, part.scope, *part.spans))


def _encoded(n: int) -> bytes:
    """Return ``n`` as a variable-length integer."""
    out = bytearray()
    while n >= _MORE:
        out.append(n & 0x7F | _MORE)
        n >>= 7
    out.append(n)
    return bytes(out)
