"""OTLP/JSON decoded to spans.

Ids are hex, keys lowerCamelCase, 64-bit integers strings or numbers, enums integers (their names are accepted too).

Source: the OTLP specification, section JSON Protobuf Encoding.

>>> decode_traces_json(b'{"resourceSpans": []}')
Decoded(spans=(), malformed=())
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import orjson

from adapters.base import MalformedRecord
from adapters.trace import MAX_ATTRIBUTE_DEPTH, UNREAD_ATTRIBUTE_SUFFIX, Event, Nanoseconds, Span
from adapters.wire.decoded import Decoded, Found, Origin

TRACE_ID = re.compile(r"[0-9a-fA-F]{32}")
SPAN_ID = re.compile(r"[0-9a-fA-F]{16}")
_STATUS_CODES = {"STATUS_CODE_UNSET": 0, "STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2}
_HAS_IS_REMOTE, _IS_REMOTE = 0x100, 0x200
_UINT64 = 2**64


def decode_traces_json(data: bytes) -> Decoded:
    """Decode one OTLP/JSON trace request. Raises `MalformedRecord` where ``data`` is no such object."""
    try:
        request = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise MalformedRecord(f"not JSON: {error}") from error
    return spans_of(request)


def spans_of(request: Any) -> Decoded:
    """Decode a parsed OTLP/JSON trace request. Raises `MalformedRecord` where it is no such object."""
    if not isinstance(request, dict) or not isinstance(request.get("resourceSpans"), list):
        raise MalformedRecord("not an OTLP/JSON trace request: no array resourceSpans")
    found = Found()
    for r, block in enumerate(request["resourceSpans"]):
        where = f"resourceSpans[{r}]"
        with noting(found, where):
            resource = resource_in(block, found, where)
            for s, scoped in enumerate(list_in(block, "scopeSpans")):
                _scope_spans(scoped, resource, found, f"{where}.scopeSpans[{s}]")
    return found.decoded()


@contextmanager
def noting(found: Found, where: str) -> Iterator[None]:
    """Note what is malformed inside the block, at its place below ``where``, and go on."""
    try:
        yield
    except MalformedRecord as error:
        found.spoil(error.reason, where + (error.where or ""))


def resource_in(block: Any, found: Found, where: str) -> dict[str, Any]:
    """Return the attributes of a block's resource; what is broken is noted, and none are returned."""
    try:
        return attributes_in(object_in(object_in(block).get("resource") or {}, ".resource"), ".resource")
    except MalformedRecord as error:
        found.spoil(error.reason, where + (error.where or ""))
        return {}


def _scope_spans(scoped: Any, resource: dict[str, Any], found: Found, where: str) -> None:
    with noting(found, where):
        scope = object_in(object_in(scoped).get("scope") or {}, ".scope")
        origin = Origin(resource, text_in(scope, "name"), text_in(scope, "version"))
        for i, span in enumerate(list_in(scoped, "spans")):
            with noting(found, f"{where}.spans[{i}]"):
                found.spans.append(_span(span, origin))


def object_in(value: Any, where: str = "") -> Mapping[str, Any]:
    """Return ``value``, an object. This and the others here raise `MalformedRecord` for anything else."""
    if not isinstance(value, dict):
        raise MalformedRecord("expected an object", where)
    return value


def list_in(holder: Any, key: str) -> list[Any]:
    """Return the array under ``key``; an absent one is empty."""
    value = object_in(holder).get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise MalformedRecord("expected an array", f".{key}")
    return value


def text_in(holder: Mapping[str, Any], key: str) -> str:
    """Return the string under ``key``; an absent one is empty."""
    value = holder.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MalformedRecord("expected a string", f".{key}")
    return value


def count_in(holder: Mapping[str, Any], key: str) -> int:
    """Read an unsigned 64-bit integer, given as a number or as a string."""
    value = holder.get(key)
    if value is None or value == "":
        return 0
    number = _integer(value)
    if number is None or not 0 <= number < _UINT64:
        raise MalformedRecord("expected an unsigned 64-bit integer", f".{key}")
    return number


def _integer(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and len(value) <= 20 and value.lstrip("-").isascii() and value.lstrip("-").isdigit():  # noqa: PLR2004 - digits of 2**64
        return int(value)
    return None


def id_in(holder: Mapping[str, Any], key: str, pattern: re.Pattern[str]) -> str | None:
    """Return the id under ``key`` in lower case; ``None`` where it is absent or all zero."""
    value = text_in(holder, key)
    if not value:
        return None
    if not pattern.fullmatch(value):
        raise MalformedRecord(f"{value[:64]!r} is not {16 if pattern is SPAN_ID else 32} hex digits", f".{key}")
    return value.lower() if value.strip("0") else None


def _span(raw: Any, origin: Origin) -> Span:
    span = object_in(raw)
    trace_id = id_in(span, "traceId", TRACE_ID)
    span_id = id_in(span, "spanId", SPAN_ID)
    if trace_id is None or span_id is None:
        raise MalformedRecord("missing or all zero", ".traceId" if trace_id is None else ".spanId")
    status = object_in(span.get("status") or {}, ".status")
    flags = count_in(span, "flags")
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=id_in(span, "parentSpanId", SPAN_ID),
        name=text_in(span, "name"),
        start_ns=Nanoseconds(count_in(span, "startTimeUnixNano")),
        end_ns=Nanoseconds(count_in(span, "endTimeUnixNano")),
        attributes=attributes_in(span),
        events=tuple(_event(event, i) for i, event in enumerate(list_in(span, "events"))),
        status_code=_status_code(status),
        status_message=text_in(status, "message"),
        dropped_attributes=count_in(span, "droppedAttributesCount"),
        scope_name=origin.scope_name,
        scope_version=origin.scope_version,
        resource=origin.resource,
        parent_remote=bool(flags & _IS_REMOTE) if flags & _HAS_IS_REMOTE else None,
    )


def _event(raw: Any, index: int) -> Event:
    where = f".events[{index}]"
    event = object_in(raw, where)
    return Event(text_in(event, "name"), Nanoseconds(count_in(event, "timeUnixNano")), attributes_in(event, where))


def _status_code(status: Mapping[str, Any]) -> int:
    code = status.get("code")
    if isinstance(code, str) and code in _STATUS_CODES:
        return _STATUS_CODES[code]
    number = 0 if code is None else _integer(code)
    if number is None:
        raise MalformedRecord(f"unknown status code {str(code)[:40]!r}", ".status.code")
    return number


def attributes_in(holder: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """Return the attributes of a span, an event, a resource."""
    found: dict[str, Any] = {}
    for i, raw in enumerate(list_in(holder, "attributes")):
        pair = object_in(raw, f"{where}.attributes[{i}]")
        key = text_in(pair, "key")
        value = pair.get("value")
        text = value.get("stringValue") if isinstance(value, dict) else None
        found[key] = text if isinstance(text, str) else value_in(value, key, 0)
    return found


def value_in(raw: Any, key: str, depth: int) -> Any:
    """Return an ``AnyValue`` as a plain value; ``key`` is the attribute it is of, in errors."""
    if not raw:  # absent, null or {}: an empty AnyValue
        return None
    if depth >= MAX_ATTRIBUTE_DEPTH:
        raise MalformedRecord(f"attribute {key[:80]!r} is nested deeper than {MAX_ATTRIBUTE_DEPTH}")
    if not isinstance(raw, dict) or len(raw) != 1:
        raise MalformedRecord(f"attribute {key[:80]!r} is not one AnyValue")
    ((kind, value),) = raw.items()
    if value is None:
        return None
    if kind == "arrayValue":
        if key.endswith(UNREAD_ATTRIBUTE_SUFFIX):
            return None
        return [value_in(item, key, depth + 1) for item in list_in(value, "values")]
    if kind == "kvlistValue":
        pairs = [object_in(pair) for pair in list_in(value, "values")]
        return {text_in(pair, "key"): value_in(pair.get("value"), key, depth + 1) for pair in pairs}
    read = _SCALARS.get(kind)
    scalar = None if read is None else read(value)
    if scalar is None:
        raise MalformedRecord(f"attribute {key[:80]!r} is not a readable {kind[:40]}")
    return scalar


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _boolean(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _double(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _bytes(value: Any) -> bytes | None:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        return None


_SCALARS: dict[str, Callable[[Any], Any]] = {
    "stringValue": _string,
    "boolValue": _boolean,
    "intValue": _integer,
    "doubleValue": _double,
    "bytesValue": _bytes,
}
