"""OTLP/JSON read into protobuf messages, so that everything behind it knows one form: spans.

Rules where it differs from protobuf's own JSON: ids are hex, keys lowerCamelCase, enums integers (their names are
understood too), unknown keys ignored. Integers are numbers or decimal strings, ``null`` is what is absent, and ``[]``
an object without members, as PHP writes it.

Source: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from adapters.base import MalformedRecord
from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from adapters.trace import MAX_ATTRIBUTE_DEPTH
from adapters.wire.ids import IdFlaw, InvalidId
from adapters.wire.layout import LAYOUTS, Layout
from adapters.wire.otlp_logs import BODY, NAME_KEY, Ignored, content_span

T = TypeVar("T")
R = TypeVar("R")

_Number = int | float | str
_Empty = tuple[()]
_UINT64 = 0, 2**64, "an unsigned 64-bit integer"
_UINT32 = 0, 2**32, "an unsigned 32-bit integer"
_INT64 = -(2**63), 2**63, "a 64-bit integer"
_INT32 = -(2**31), 2**31, "a 32-bit integer"
_MAX_DIGITS = 20
_KINDS: Mapping[str, int] = dict(Span.SpanKind.items())
_STATUS_CODES: Mapping[str, int] = dict(Status.StatusCode.items())


class _Json(msgspec.Struct, rename="camel", gc=False):
    """Base of the messages. They are trees and never part of a cycle: the garbage collector need not look at them."""


class _Value(_Json):
    string_value: str | None = None
    bool_value: bool | None = None
    int_value: _Number | None = None
    double_value: _Number | None = None
    array_value: _Array | None = None
    kvlist_value: _Map | None = None
    bytes_value: str | None = None


class _Pair(_Json):
    key: str | None = None
    value: _Value | _Empty | None = None


class _Array(_Json):
    values: list[_Value | _Empty | None] | None = None


class _Map(_Json):
    values: list[_Pair] | None = None


class _Attributed(_Json):
    """What has attributes; by itself it is a ``Resource``."""

    attributes: list[_Pair] | None = None
    dropped_attributes_count: _Number | None = None


class _Scope(_Attributed):
    name: str | None = None
    version: str | None = None


class _Event(_Attributed):
    time_unix_nano: _Number | None = None
    name: str | None = None


class _Link(_Attributed):
    trace_id: str | None = None
    span_id: str | None = None
    trace_state: str | None = None
    flags: _Number | None = None


class _Status(_Json):
    message: str | None = None
    code: _Number | None = None


class _Span(_Attributed):
    trace_id: str | None = None
    span_id: str | None = None
    trace_state: str | None = None
    parent_span_id: str | None = None
    flags: _Number | None = None
    name: str | None = None
    kind: _Number | None = None
    start_time_unix_nano: _Number | None = None
    end_time_unix_nano: _Number | None = None
    events: list[_Event] | None = None
    dropped_events_count: _Number | None = None
    links: list[_Link] | None = None
    dropped_links_count: _Number | None = None
    status: _Status | _Empty | None = None


class _LogRecord(_Attributed):
    time_unix_nano: _Number | None = None
    observed_time_unix_nano: _Number | None = None
    body: _Value | _Empty | None = None
    trace_id: str | None = None
    span_id: str | None = None
    event_name: str | None = None


class _Group(_Json, Generic[R, T]):
    scope: R | None = None
    spans: list[T] | None = None
    log_records: list[T] | None = None
    schema_url: str | None = None


class _Block(_Json, Generic[R, T]):
    resource: R | None = None
    scope_spans: list[T] | None = None
    scope_logs: list[T] | None = None
    schema_url: str | None = None


class _Request(_Json, Generic[T]):
    resource_spans: list[T] | None = None
    resource_logs: list[T] | None = None


@dataclass(frozen=True, slots=True)
class JsonContainer:
    """A resource's block or a scope's group: its message without what it holds, and that as it was given."""

    where: str
    message: Any
    held: Sequence[Any]


@dataclass(frozen=True, slots=True)
class JsonRequests:
    """Reads the requests of one signal level by level, and each item by itself: one that is malformed hides no other.

    What cannot be read is yielded as a `MalformedRecord` in its place.
    """

    layout: Layout
    read_request: Callable[[Any], Any]
    read_block: Callable[[Any], Any]
    read_resource: Callable[[Any], Any]
    read_group: Callable[[Any], Any]
    read_scope: Callable[[Any], Any]
    read_item: Callable[[Any], Any]

    def blocks(self, request: Any) -> Iterator[JsonContainer | MalformedRecord]:
        """Yield the resources' blocks of a request. Raises `MalformedRecord` for what is no request."""
        top = _read("", self.read_request, request)
        if isinstance(top, MalformedRecord):
            raise top
        for r, raw in enumerate(self.layout.held(0, top) or ()):
            where = self.layout.place(r)
            block = _read(where, self.read_block, raw)
            if isinstance(block, MalformedRecord):
                yield block
                continue
            message = self.layout.block(schema_url=block.schema_url or "")
            broken = _read(f"{where}.resource", self._fill_resource, message, block.resource)
            if broken is not None:
                message.ClearField("resource")
                yield broken
            yield JsonContainer(where, message, self.layout.held(1, block) or ())

    def groups(self, block: JsonContainer) -> Iterator[JsonContainer | MalformedRecord]:
        """Yield the scopes' groups of a block."""
        for s, raw in enumerate(block.held):
            where = f"{block.where}.{self.layout.names[1]}[{s}]"
            group = _read(where, self.read_group, raw)
            if isinstance(group, MalformedRecord):
                yield group
                continue
            message = self.layout.group(schema_url=group.schema_url or "")
            broken = _read(f"{where}.scope", self._fill_scope, message, group.scope)
            if broken is not None:
                message.ClearField("scope")
                yield broken
            yield JsonContainer(where, message, self.layout.held(2, group) or ())

    def spans(self, group: JsonContainer) -> Iterator[Span | Ignored | MalformedRecord]:
        """Yield the span that each item of a group stands for."""
        read, where = self.read_item, f"{group.where}.{self.layout.names[2]}"
        for i, raw in enumerate(group.held):
            yield _read(f"{where}[{i}]", read, raw)

    def _fill_resource(self, message: Any, raw: Any) -> None:
        resource = self.read_resource(raw)
        if resource is not None:
            message.resource.SetInParent()
        if resource:
            _fill_attributes(message.resource, resource)

    def _fill_scope(self, message: Any, raw: Any) -> None:
        scope = self.read_scope(raw)
        if scope is not None:
            message.scope.SetInParent()
        if scope:
            message.scope.name, message.scope.version = scope.name or "", scope.version or ""
            _fill_attributes(message.scope, scope)


def _read(where: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what ``function`` does, or why what stands at ``where`` cannot be read."""
    try:
        return function(*arguments)
    except InvalidId as error:
        return InvalidId(error.flaw, error.reason, where)
    except MalformedRecord as error:
        return MalformedRecord(error.reason, where + (error.where or ""))
    except msgspec.ValidationError as error:
        return _mismatch(str(error), where)
    except msgspec.DecodeError as error:
        return MalformedRecord(f"not JSON: {error}", where)
    except RecursionError:
        return MalformedRecord("nested too deep", where)
    except ValueError as error:
        return MalformedRecord(f"not text in UTF-8: {error}"[:300], where)


_MISMATCH = re.compile(r"(?P<reason>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_JSON_WORDS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


def _mismatch(text: str, where: str) -> MalformedRecord:
    """Return a wrong type as an error in the words of JSON, at its place.

    >>> str(_mismatch("Expected `str | null`, got `int` - at `$.name`", "spans[0]"))
    'spans[0].name: expected string, got integer'
    """
    parts = _MISMATCH.fullmatch(text)
    reason, path = (parts["reason"], parts["path"] or "") if parts else (text, "")
    if "of length 0" in reason:
        reason = "expected object, got array"
    words = re.sub(r"\w+", lambda word: _JSON_WORDS.get(word[0], word[0]), reason.replace(" | null", ""))
    words = words.replace("`", "").replace("object | array", "object")
    return MalformedRecord(words[:1].lower() + words[1:], (where + path).removeprefix("."))


def _span(raw: _Span) -> Span:
    span = Span(
        trace_id=_id(raw.trace_id, "trace id"),
        span_id=_id(raw.span_id, "span id"),
        trace_state=raw.trace_state or "",
        parent_span_id=_id(raw.parent_span_id, "parent span id"),
        name=raw.name or "",
        start_time_unix_nano=_integer(raw.start_time_unix_nano, _UINT64, ".startTimeUnixNano"),
        end_time_unix_nano=_integer(raw.end_time_unix_nano, _UINT64, ".endTimeUnixNano"),
        flags=_integer(raw.flags, _UINT32, ".flags"),
        kind=_enum(raw.kind, _KINDS, ".kind"),
        dropped_events_count=_integer(raw.dropped_events_count, _UINT32, ".droppedEventsCount"),
        dropped_links_count=_integer(raw.dropped_links_count, _UINT32, ".droppedLinksCount"),
    )
    _fill_attributes(span, raw)
    for i, event in enumerate(raw.events or ()):
        _within(f".events[{i}]", _fill_event, span.events.add(), event)
    for i, link in enumerate(raw.links or ()):
        _within(f".links[{i}]", _fill_link, span.links.add(), link)
    if raw.status is not None:
        status = span.status
        status.SetInParent()
        if raw.status:
            status.message = raw.status.message or ""
            status.code = _enum(raw.status.code, _STATUS_CODES, ".status.code")
    return span


def _fill_event(event: Span.Event, raw: _Event) -> None:
    event.name = raw.name or ""
    event.time_unix_nano = _integer(raw.time_unix_nano, _UINT64, ".timeUnixNano")
    _fill_attributes(event, raw)


def _fill_link(link: Span.Link, raw: _Link) -> None:
    # A link that leads nowhere makes nothing of its span unreadable.
    link.trace_id, link.span_id = _hex(raw.trace_id) or b"", _hex(raw.span_id) or b""
    link.trace_state = raw.trace_state or ""
    link.flags = _integer(raw.flags, _UINT32, ".flags")
    _fill_attributes(link, raw)


def _record(raw: _LogRecord) -> Span | Ignored:
    """Return the span of a record about a model call; the others, which are most, need not become messages."""
    name = raw.event_name or next((_text(pair) for pair in raw.attributes or () if pair.key == NAME_KEY), "")
    if name not in CONTENT_EVENTS:
        return "not_content"
    record = LogRecord(
        time_unix_nano=_integer(raw.time_unix_nano, _UINT64, ".timeUnixNano"),
        observed_time_unix_nano=_integer(raw.observed_time_unix_nano, _UINT64, ".observedTimeUnixNano"),
        trace_id=_id(raw.trace_id, "trace id"),
        span_id=_id(raw.span_id, "span id"),
        event_name=raw.event_name or "",
    )
    if raw.body:
        _fill_value(record.body, raw.body, BODY, 0)
    _fill_attributes(record, raw)
    return content_span(record)


def _text(pair: _Pair) -> str:
    return (pair.value.string_value or "") if isinstance(pair.value, _Value) else ""


def _within(where: str, fill: Callable[[Any, Any], None], message: Any, raw: Any) -> None:
    try:
        fill(message, raw)
    except MalformedRecord as error:
        raise MalformedRecord(error.reason, where + (error.where or "")) from None


def _hex(text: str | None) -> bytes | None:
    try:
        return binascii.unhexlify(text or "")
    except ValueError:
        return None


def _id(text: str | None, what: str) -> bytes:
    """Return the bytes of an id; whether they are an id at all is for whoever reads protobuf too."""
    found = _hex(text)
    if found is None:
        flaw: IdFlaw = "invalid_trace_id" if what == "trace id" else "invalid_span_id"
        raise InvalidId(flaw, f"{what} {(text or '')[:64]!r} is not hex")
    return found


def _integer(value: _Number | None, kind: tuple[int, int, str], where: str) -> int:
    """Return an integer given as a number or in decimal digits; one that is absent or empty is 0."""
    if value is None or value == "":
        return 0
    number = _whole(value)
    lowest, end, name = kind
    if number is None or not lowest <= number < end:
        raise MalformedRecord(f"expected {name}, got {str(value)[:40]!r}", where)
    return number


def _whole(value: _Number) -> int | None:
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    digits = value.removeprefix("-")
    return int(value) if len(digits) <= _MAX_DIGITS and digits.isascii() and digits.isdigit() else None


def _enum(value: _Number | None, names: Mapping[str, int], where: str) -> Any:
    """Return the number of a kind or code, given as one or by its name; unknown numbers pass through."""
    named = names.get(value) if isinstance(value, str) else None
    return _integer(value, _INT32, where) if named is None else named


_Pairs = RepeatedCompositeFieldContainer[KeyValue]


class _HasAttributes(Protocol):
    """A protobuf message that has attributes."""

    dropped_attributes_count: int

    @property
    def attributes(self) -> _Pairs:
        """The attributes, to be added to."""
        ...


def _fill_attributes(target: _HasAttributes, raw: _Attributed) -> None:
    if raw.dropped_attributes_count is not None:
        target.dropped_attributes_count = _integer(raw.dropped_attributes_count, _UINT32, ".droppedAttributesCount")
    if raw.attributes:
        _fill_pairs(target.attributes, raw.attributes, None, 0)


def _fill_pairs(target: _Pairs, pairs: list[_Pair], attribute: str | None, depth: int) -> None:
    """Add key and value of each pair; ``attribute`` is the one they are nested in, if any."""
    add = target.add
    for pair in pairs:
        added, value = add(), pair.value
        key = added.key = pair.key or ""
        if not value:
            continue
        # Nearly every value is a string.
        if value.string_value is not None:
            added.value.string_value = value.string_value
        else:
            _fill_value(added.value, value, attribute or key, depth)


def _fill_value(target: AnyValue, value: _Value, key: str, depth: int) -> None:
    """Set a value that stands ``depth`` levels deep in the attribute ``key``; where several are given, the first."""
    if value.string_value is not None:
        target.string_value = value.string_value
    elif value.int_value is not None:
        number = _whole(value.int_value)
        if number is None or not _INT64[0] <= number < _INT64[1]:
            raise MalformedRecord(f"attribute {key[:80]!r}: expected {_INT64[2]}, got {str(value.int_value)[:40]!r}")
        target.int_value = number
    elif value.bool_value is not None:
        target.bool_value = value.bool_value
    elif value.double_value is not None:
        target.double_value = _double(value.double_value, key)
    elif value.bytes_value is not None:
        target.bytes_value = _bytes(value.bytes_value, key)
    else:
        _fill_nested(target, value, key, depth)


def _fill_nested(target: AnyValue, value: _Value, key: str, depth: int) -> None:
    if value.array_value is None and value.kvlist_value is None:
        target.SetInParent()
        return
    if depth >= MAX_ATTRIBUTE_DEPTH:
        raise MalformedRecord(f"attribute {key[:80]!r} is nested deeper than {MAX_ATTRIBUTE_DEPTH}")
    if value.array_value is not None:
        target.array_value.SetInParent()
        for item in value.array_value.values or ():
            added = target.array_value.values.add()
            if item:
                _fill_value(added, item, key, depth + 1)
    elif value.kvlist_value is not None:
        target.kvlist_value.SetInParent()
        _fill_pairs(target.kvlist_value.values, value.kvlist_value.values or [], key, depth + 1)


def _double(value: _Number, key: str) -> float:
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise MalformedRecord(f"attribute {key[:80]!r}: expected a number, got {str(value)[:40]!r}") from None


def _bytes(text: str, key: str) -> bytes:
    """Return what base64 says, in either alphabet, padded or not, as protobuf's JSON has it."""
    standard = text.rstrip("=").translate(_STANDARD)
    try:
        return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except ValueError:
        raise MalformedRecord(f"attribute {key[:80]!r}: expected base64") from None


_STANDARD = str.maketrans("-_", "+/")
_READERS: dict[str, tuple[type[_Json], Callable[[Any], Span | Ignored]]] = {
    "trace": (_Span, _span),
    "log": (_LogRecord, _record),
}


def _itself(value: T) -> T:
    return value


def _parsed(kind: Any) -> Callable[[Any], Any]:
    return partial(msgspec.convert, type=kind)


def _of_text(layout: Layout) -> JsonRequests:
    kind, span_of = _READERS[layout.name]
    resource, scope = _Attributed | _Empty, _Scope | _Empty
    decode = msgspec.json.Decoder(kind).decode
    request: Any = _Request[_Block[resource, _Group[scope, msgspec.Raw]]]  # type: ignore[valid-type]
    return JsonRequests(
        layout=layout,
        read_request=msgspec.json.Decoder(request).decode,
        read_block=_itself,
        read_resource=_itself,
        read_group=_itself,
        read_scope=_itself,
        read_item=lambda raw: span_of(decode(raw)),
    )


def _of_parsed(layout: Layout) -> JsonRequests:
    kind, span_of = _READERS[layout.name]
    return JsonRequests(
        layout=layout,
        read_request=_parsed(_Request[Any]),
        read_block=_parsed(_Block[Any, Any]),
        read_resource=_parsed(_Attributed | _Empty | None),
        read_group=_parsed(_Group[Any, Any]),
        read_scope=_parsed(_Scope | _Empty | None),
        read_item=lambda value: span_of(msgspec.convert(value, kind)),
    )


TEXT = {layout.name: _of_text(layout) for layout in LAYOUTS}
"""Readers of requests as they are sent: of the containers all, of items one at a time is in memory as objects."""
PARSED = {layout.name: _of_parsed(layout) for layout in LAYOUTS}
"""Readers of requests that a parser has made lists and dictionaries of; a broken container hides no other."""
