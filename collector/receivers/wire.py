"""The outer levels of an export request, walked byte by byte so that nothing is made of what is only passed on.

Requests of all signals are built alike: blocks of one resource each, in them groups of one scope each, in them the
items (spans, log records). Layout: opentelemetry/proto/trace/v1/trace.proto and logs/v1/logs.proto, and
https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from google.protobuf.message import DecodeError, Message
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from collector.security.decompress import Garbage, TooLarge

M = TypeVar("M", bound=Message)

# Field numbers: TracesData.resource_spans; ResourceSpans.resource and .scope_spans; ScopeSpans.scope and .spans;
# schema_url of both; and the same of LogsData.
_OUTER, _HEAD, _INNER, _SCHEMA_URL = 1, 1, 2, 3
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_VARINT_BITS, _MORE = 64, 0x80
_MAX_NUMBER = 2**29 - 1
_TOO_MANY = "too many spans, log records, scopes or resources in one request: send smaller ones"
_MAX_GROUPS = 10_000
"""Resources and scopes of one request; exporters send a handful, and each costs memory even if it is empty."""
_MAX_FIELDS = 64
"""Fields of a request, and of a resource's or scope's block, besides what they hold; of a block there are two today."""
MAX_PARTS = 1_000_000
"""Messages within one span, log record, resource or scope: protobuf takes 64 bytes and more for each, even an empty one
of two bytes."""
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r"))

Place = tuple[int, int, int]
"""Where an item stands in the request: where its tag begins, where its value begins, where it ends.

Here and for `collector.receivers.split.Item` a plain tuple: one with names costs a fifth of the receiver's speed.
"""


def scopes(body: bytes, *, max_items: int, max_bytes: int) -> Iterator[tuple[bytes, bytes, list[Place]]]:
    """Yield resource and scope, with what else belongs to them, and where their items stand.

    Raises `Garbage` and `TooLarge`; the items themselves are not looked at.
    """
    groups = n_items = others = 0
    for number, framed, start, end in _fields(body, 0, len(body)):
        if number != _OUTER:
            others += 1
            if others > _MAX_FIELDS:
                raise TooLarge(f"byte {framed} of the request begins one field too many that OTLP does not know")
            continue
        resource, inner = _parts(body, start, end, _MAX_GROUPS - groups, Resource, max_bytes)
        for _, begin, finish in inner:
            scope, items = _parts(body, begin, finish, max_items - n_items, InstrumentationScope, max_bytes)
            n_items += len(items)
            yield resource, scope, items
        groups += 1 + len(inner)
        check_counts(groups, n_items, max_items=max_items)


def check_counts(groups: int, n_items: int, *, max_items: int) -> None:
    """Raise `TooLarge` for too many ``groups``, resources and scopes together, or too many spans or log records."""
    if groups > _MAX_GROUPS or n_items > max_items:
        raise TooLarge(_TOO_MANY)


def crowded(body: bytes, start: int, end: int) -> bool:
    """Whether more than `MAX_PARTS` messages could stand here, by the control characters.

    A message of less than 32 bytes has one for its length, however that is written, unless that is 9, 10 or 13; of
    these and of longer ones there are not many. Text has none, and 8 MiB of random bytes less than a million.
    """
    return end - start > MAX_PARTS and end - start - len(body[start:end].translate(None, _CONTROL)) > MAX_PARTS


def parse(kind: type[M], body: bytes, start: int, end: int) -> M:
    """Return the message, which is all checked by being parsed. Raises `Garbage`."""
    try:
        return kind.FromString(body[start:end])
    except DecodeError:
        raise Garbage(f"byte {start} of the request does not begin a protobuf {kind.DESCRIPTOR.name}") from None


def framed_item(value: bytes) -> bytes:
    """Return an item as it stands in its scope's group."""
    return b"".join((b"\x12", _encoded(len(value)), value))


def framed_block(resource: bytes, scope: bytes, items: list[bytes]) -> bytes:
    """Return one resource's block with one scope: a piece of a serialized ``TracesData``."""
    group = len(scope) + sum(map(len, items))
    group_frame = b"\x12" + _encoded(group)
    inner = len(resource) + len(group_frame) + group
    return b"".join((b"\x0a", _encoded(inner), resource, group_frame, scope, *items))


def _is_text(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _parts(
    body: bytes, start: int, end: int, limit: int, head: type[Message], max_bytes: int
) -> tuple[bytes, list[Place]]:
    """Take one message apart: what describes it, joined, and where the messages it holds stand, ``limit`` at most."""
    described: list[bytes] = []
    held: list[Place] = []
    for number, framed, begin, finish in _fields(body, start, end):
        if number == _INNER:
            if len(held) >= limit:
                raise TooLarge(_TOO_MANY)
            held.append((framed, begin, finish))
            continue
        if len(described) >= _MAX_FIELDS or finish - begin > max_bytes or crowded(body, begin, finish):
            raise TooLarge(f"{head.DESCRIPTOR.name} holds too much")
        described.append(body[framed:finish])
        if number == _HEAD:
            parse(head, body, begin, finish)
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


def _encoded(n: int) -> bytes:
    """Return ``n`` as a variable-length integer."""
    out = bytearray()
    while n >= _MORE:
        out.append(n & 0x7F | _MORE)
        n >>= 7
    out.append(n)
    return bytes(out)
