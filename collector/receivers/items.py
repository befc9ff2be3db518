"""What is taken of a request: its items, span by span, each checked and ready to be stored.

Requests of all signals are built alike (`adapters.wire.layout`). Protobuf is walked byte by byte, so that nothing is
made of what is only passed on; JSON becomes protobuf item by item. A log record that tells of a model call becomes an
event of its span, all others are dropped (OTEP 4430):
docs/adr/0007-what-is-pulled-goes-the-way-of-what-is-pushed.md. Each record kept counts as one span in the books of the
store; a record whose span never comes is part of no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.message import DecodeError, Message
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from adapters.base import MalformedRecord
from adapters.ids import names_a_response
from adapters.wire.ids import NO_SPAN, InvalidId, flaw_of
from adapters.wire.layout import TRACES, Layout, unparsed
from adapters.wire.otlp_json import TEXT, JsonContainer
from adapters.wire.otlp_logs import CONTENT_NAMES, Ignored, content_span
from adapters.wire.protobuf import BLOCKS, HELD, WireError, fields, framed
from collector.receivers.base import Dropped
from collector.security.decompress import MalformedBody, TooLarge

_TOO_MANY = "too many spans, log records, scopes or resources in one request: send smaller batches"
_MAX_GROUPS = 10_000
"""Resources and scopes of one request; exporters send a handful, and each costs memory even if it is empty."""
_MAX_FIELDS = 64
"""Fields of a request, and of a resource's or scope's block, besides what they hold; of a block there are two today."""
MAX_PARTS = 1_000_000
"""Messages within one span, log record, resource or scope: protobuf takes 64 bytes and more for each, even an empty one
of two bytes."""
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r"))
_NO_PARENT = frozenset({b"", NO_SPAN})

SpanItem = tuple[bytes, bytes, bool]
"""What is stored of a span or a log record: its trace id, a span framed as it stands in its scope's group, and whether
that is a root that has ended.

Here and for `ItemPlace` a plain tuple: one with names costs a fifth of the receiver's speed.
"""
ItemPlace = tuple[int, int, int]
"""Where an item stands in a request: where its tag begins, where its value begins, where it ends."""


@dataclass(frozen=True, slots=True)
class ScopeItems:
    """The items of one scope, or why they are dropped; resource and scope as they came, without what they hold."""

    resource: bytes
    scope: bytes
    items: list[SpanItem | Dropped]


@dataclass(slots=True)
class ItemLimits:
    """How many items a request may have, and how large each; counts what there is of them."""

    max_items: int
    max_item_bytes: int
    n_items: int = 0
    n_groups: int = 0

    def count(self, *, groups: int = 0, items: int = 0) -> None:
        """Count resources and scopes together, or items. Raises `TooLarge` where there are too many."""
        self.n_groups += groups
        self.n_items += items
        if self.n_groups > _MAX_GROUPS or self.n_items > self.max_items:
            raise TooLarge(_TOO_MANY)


def protobuf_items(body: bytes, layout: Layout, limits: ItemLimits) -> Iterator[ScopeItems]:
    """Yield the items of a protobuf request, scope by scope. Raises `MalformedBody` and `TooLarge`."""
    read = _read_span if layout is TRACES else _read_record
    n_blocks = others = 0
    try:
        for number, _, start, end in fields(body, 0, len(body)):
            if number != BLOCKS:
                others += 1
                if others > _MAX_FIELDS:
                    raise TooLarge(f"more than {_MAX_FIELDS} unknown fields in the request")
                continue
            where = layout.place(n_blocks)
            n_blocks += 1
            room = _MAX_GROUPS - limits.n_groups
            resource, groups = _taken_apart(body, (start, end), layout.block, f"{where}.resource", limits, room)
            limits.count(groups=1 + len(groups))
            for number_of_group, (_, group, end_of_group) in enumerate(groups):
                where = layout.place(n_blocks - 1, number_of_group)
                room = limits.max_items - limits.n_items
                scope, places = _taken_apart(body, (group, end_of_group), layout.group, f"{where}.scope", limits, room)
                limits.count(items=len(places))
                items: list[SpanItem | Dropped] = []
                try:
                    items.extend(read(body, place, limits.max_item_bytes) for place in places)
                except DecodeError:
                    place = f"{where}.{layout.names[2]}[{len(items)}]"
                    raise MalformedBody(f"{place}: {unparsed(layout.item)}") from None
                yield ScopeItems(resource, scope, items)
    except WireError as error:
        raise MalformedBody(f"not an OTLP {layout.name} message: {error}") from None


def json_items(body: bytes, layout: Layout, limits: ItemLimits) -> Iterator[ScopeItems]:
    """Yield the items of a JSON request, scope by scope. Raises `MalformedBody` and `TooLarge`.

    One item at a time is in memory as objects. What cannot be read refuses the request, unless it is an id.
    """
    requests = TEXT[layout.name]
    some = False
    try:
        for block in requests.blocks(body):
            resource = _container(block)
            limits.count(groups=1 + len(resource.held))
            for group in requests.groups(resource):
                scope = _container(group)
                limits.count(items=len(scope.held))
                items = [_read_json(span, limits.max_item_bytes) for span in requests.spans(scope)]
                some = some or bool(items)
                yield ScopeItems(resource.message.SerializeToString(), scope.message.SerializeToString(), items)
    except MalformedRecord as error:
        raise MalformedBody(f"not OTLP/JSON: {error}") from None
    # Other names are to be ignored, but whoever writes all of them in the notation of protobuf means to send something.
    for field, name in zip(layout.fields, layout.names, strict=True) if not some else ():
        if field != name and f'"{field}"'.encode() in body:
            raise MalformedBody(
                f"not OTLP/JSON: {field} is written {name} there, and so are all names: in lowerCamelCase"
            )


def crowded(body: bytes, start: int, end: int) -> bool:
    """Whether more than `MAX_PARTS` messages could stand here, by the control characters.

    A message of less than 32 bytes has one for its length, however that is written, unless that is 9, 10 or 13; of
    these and of longer ones there are not many. Text has none, and 8 MiB of random bytes less than a million.
    """
    return end - start > MAX_PARTS and end - start - len(body[start:end].translate(None, _CONTROL)) > MAX_PARTS


def _taken_apart(
    body: bytes, where: tuple[int, int], kind: type[Message], name: str, limits: ItemLimits, room: int
) -> tuple[bytes, list[ItemPlace]]:
    """Take one container apart: what describes it, joined, and where the messages it holds stand, ``room`` at most."""
    described: list[bytes] = []
    held: list[ItemPlace] = []
    for number, begin, start, end in fields(body, *where):
        if number == HELD:
            if len(held) >= room:
                raise TooLarge(_TOO_MANY)
            held.append((begin, start, end))
        elif len(described) >= _MAX_FIELDS or end - start > limits.max_item_bytes:
            raise TooLarge(f"{name} is too large")
        else:
            described.append(body[begin:end])
    head = b"".join(described)
    if crowded(head, 0, len(head)):
        raise TooLarge(f"{name} is too large")
    try:
        kind.FromString(head)
    except DecodeError:
        raise MalformedBody(f"{name}: {unparsed(kind)}") from None
    return head, held


def _read_span(body: bytes, place: ItemPlace, max_bytes: int) -> SpanItem | Dropped:
    """Return the span at ``place``, as it came."""
    begin, start, end = place
    if end - start > max_bytes or crowded(body, start, end):
        return "too_large"
    span = Span.FromString(body[start:end])
    trace_id, parent_id = span.trace_id, span.parent_span_id
    if flaw := flaw_of(trace_id, span.span_id, parent_id):
        return flaw
    return trace_id, body[begin:end], bool(span.end_time_unix_nano) and parent_id in _NO_PARENT


def _read_record(body: bytes, place: ItemPlace, max_bytes: int) -> SpanItem | Dropped:
    """Return the log record at ``place`` as a span that has nothing but ids and one event."""
    _, start, end = place
    if end - start > max_bytes or crowded(body, start, end):
        return "too_large"
    if CONTENT_NAMES.search(body, start, end) is None:
        return "not_content"
    return _item(content_span(LogRecord.FromString(body[start:end])))


def _read_json(span: Span | Ignored | MalformedRecord, max_bytes: int) -> SpanItem | Dropped:
    if isinstance(span, InvalidId):
        return span.flaw
    if isinstance(span, MalformedRecord):
        raise span
    item = _item(span)
    if isinstance(item, str):
        return item
    framed_span = item[1]
    return "too_large" if len(framed_span) > max_bytes or crowded(framed_span, 0, len(framed_span)) else item


def _item(span: Span | Ignored) -> SpanItem | Dropped:
    if isinstance(span, str):
        return span
    trace_id, parent_id = span.trace_id, span.parent_span_id
    if flaw := flaw_of(trace_id, span.span_id, parent_id):
        return flaw
    ended = (bool(span.end_time_unix_nano) and parent_id in _NO_PARENT) or names_a_response(trace_id)
    return trace_id, framed(HELD, span.SerializeToString()), ended


def _container(container: JsonContainer | MalformedRecord) -> JsonContainer:
    if isinstance(container, MalformedRecord):
        raise container
    return container
