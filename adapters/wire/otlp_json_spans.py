"""One span or log record of OTLP/JSON as a protobuf span."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from adapters.base import MalformedRecord
from adapters.trace import MAX_ATTRIBUTE_DEPTH
from adapters.wire.ids import IdFlaw, InvalidId
from adapters.wire.otlp_json_types import (
    JsonAttributed,
    JsonEvent,
    JsonLink,
    JsonLogRecord,
    JsonNumber,
    JsonPair,
    JsonSpan,
    JsonValue,
)
from adapters.wire.otlp_logs import BODY, NAME_KEY, TAKEN, Ignored, content_span

_UINT64 = 0, 2**64, "an unsigned 64-bit integer"
_UINT32 = 0, 2**32, "an unsigned 32-bit integer"
_INT64 = -(2**63), 2**63, "a 64-bit integer"
_INT32 = -(2**31), 2**31, "a 32-bit integer"
_MAX_DIGITS = 20
_KINDS: Mapping[str, int] = dict(Span.SpanKind.items())
_STATUS_CODES: Mapping[str, int] = dict(Status.StatusCode.items())


_STANDARD = str.maketrans("-_", "+/")


def span_of(raw: JsonSpan) -> Span:
    """Return a span. Raises `MalformedRecord` for a field of the wrong type, `InvalidId` for an id."""
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
    fill_attributes(span, raw)
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


def _fill_event(event: Span.Event, raw: JsonEvent) -> None:
    event.name = raw.name or ""
    event.time_unix_nano = _integer(raw.time_unix_nano, _UINT64, ".timeUnixNano")
    fill_attributes(event, raw)


def _fill_link(link: Span.Link, raw: JsonLink) -> None:
    # A link that leads nowhere makes nothing of its span unreadable.
    link.trace_id, link.span_id = _hex(raw.trace_id) or b"", _hex(raw.span_id) or b""
    link.trace_state = raw.trace_state or ""
    link.flags = _integer(raw.flags, _UINT32, ".flags")
    fill_attributes(link, raw)


def span_of_record(raw: JsonLogRecord) -> Span | Ignored:
    """Return the span of a record about a model call or a result; the others, which are most, need no messages."""
    name = raw.event_name or next((_text(pair) for pair in raw.attributes or () if pair.key == NAME_KEY), "")
    if name not in TAKEN:
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
    fill_attributes(record, raw)
    return content_span(record)


_BASE64_LENGTHS = (24, 12)
"""Characters of the id of a trace and of a span in base64, which no id in hexadecimal has."""


def _text(pair: JsonPair) -> str:
    return (pair.value.string_value or "") if isinstance(pair.value, JsonValue) else ""


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


def _base64(text: str) -> bytes | None:
    """Read an id as protobuf's own JSON writes bytes: what programs dump that convert a message with its library."""
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        return None


def _id(text: str | None, what: str) -> bytes:
    """Return the bytes of an id; whether they are an id at all is for whoever reads protobuf too."""
    found = _hex(text)
    if found is None and text is not None and len(text) == _BASE64_LENGTHS[what != "trace id"]:
        found = _base64(text)
    if found is None:
        flaw: IdFlaw = "invalid_trace_id" if what == "trace id" else "invalid_span_id"
        raise InvalidId(flaw, f"{what} {(text or '')[:64]!r} is not hexadecimal")
    return found


def _integer(value: JsonNumber | None, kind: tuple[int, int, str], where: str) -> int:
    """Return an integer given as a number or in decimal digits; one that is absent or empty is 0."""
    if value is None or value == "":
        return 0
    number = _whole(value)
    lowest, end, name = kind
    if number is None or not lowest <= number < end:
        raise MalformedRecord(f"expected {name}, got {str(value)[:40]!r}", where)
    return number


def _whole(value: JsonNumber) -> int | None:
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    digits = value.removeprefix("-")
    return int(value) if len(digits) <= _MAX_DIGITS and digits.isascii() and digits.isdigit() else None


def _enum(value: JsonNumber | None, names: Mapping[str, int], where: str) -> Any:
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


def fill_attributes(target: _HasAttributes, raw: JsonAttributed) -> None:
    """Fill in the attributes of a message."""
    if raw.dropped_attributes_count is not None:
        target.dropped_attributes_count = _integer(raw.dropped_attributes_count, _UINT32, ".droppedAttributesCount")
    if raw.attributes:
        _fill_pairs(target.attributes, raw.attributes, None, 0)


def _fill_pairs(target: _Pairs, pairs: list[JsonPair], attribute: str | None, depth: int) -> None:
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


def _fill_value(target: AnyValue, value: JsonValue, key: str, depth: int) -> None:
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


def _fill_nested(target: AnyValue, value: JsonValue, key: str, depth: int) -> None:
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


def _double(value: JsonNumber, key: str) -> float:
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
