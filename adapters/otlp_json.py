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
from adapters.decoded import Decoded, Found, Origin
from adapters.trace import MAX_ATTRIBUTE_DEPTH, UNREAD_ATTRIBUTE_SUFFIX, Event, Span

_TRACE_ID = re.compile(r"[0-9a-fA-F]{32}")
_SPAN_ID = re.compile(r"[0-9a-fA-F]{16}")
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
        with _noting(found, where):
            resource = _resource(block, found, where)
            for s, scoped in enumerate(_list(block, "scopeSpans")):
                _scope_spans(scoped, resource, found, f"{where}.scopeSpans[{s}]")
    return found.decoded()


@contextmanager
def _noting(found: Found, where: str) -> Iterator[None]:
    try:
        yield
    except MalformedRecord as error:
        found.spoil(error.reason, where + (error.where or ""))


def _resource(block: Any, found: Found, where: str) -> dict[str, Any]:
    try:
        return _attributes(_object(_object(block).get("resource") or {}, ".resource"), ".resource")
    except MalformedRecord as error:
        found.spoil(error.reason, where + (error.where or ""))
        return {}


def _scope_spans(scoped: Any, resource: dict[str, Any], found: Found, where: str) -> None:
    with _noting(found, where):
        scope = _object(_object(scoped).get("scope") or {}, ".scope")
        origin = Origin(resource, _text(scope, "name"), _text(scope, "version"))
        for i, span in enumerate(_list(scoped, "spans")):
            with _noting(found, f"{where}.spans[{i}]"):
                found.spans.append(_span(span, origin))


def _object(value: Any, where: str = "") -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise MalformedRecord("expected an object", where)
    return value


def _list(holder: Any, key: str) -> list[Any]:
    value = _object(holder).get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise MalformedRecord("expected an array", f".{key}")
    return value


def _text(holder: Mapping[str, Any], key: str) -> str:
    value = holder.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MalformedRecord("expected a string", f".{key}")
    return value


def _count(holder: Mapping[str, Any], key: str) -> int:
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


def _id(holder: Mapping[str, Any], key: str, pattern: re.Pattern[str]) -> str | None:
    value = _text(holder, key)
    if not value:
        return None
    if not pattern.fullmatch(value):
        raise MalformedRecord(f"{value[:64]!r} is not {16 if pattern is _SPAN_ID else 32} hex digits", f".{key}")
    return value.lower() if value.strip("0") else None


def _span(raw: Any, origin: Origin) -> Span:
    span = _object(raw)
    trace_id = _id(span, "traceId", _TRACE_ID)
    span_id = _id(span, "spanId", _SPAN_ID)
    if trace_id is None or span_id is None:
        raise MalformedRecord("missing or all zero", ".traceId" if trace_id is None else ".spanId")
    status = _object(span.get("status") or {}, ".status")
    flags = _count(span, "flags")
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=_id(span, "parentSpanId", _SPAN_ID),
        name=_text(span, "name"),
        start_ns=_count(span, "startTimeUnixNano"),
        end_ns=_count(span, "endTimeUnixNano"),
        attributes=_attributes(span),
        events=tuple(_event(event, i) for i, event in enumerate(_list(span, "events"))),
        status_code=_status_code(status),
        status_message=_text(status, "message"),
        dropped_attributes=_count(span, "droppedAttributesCount"),
        scope_name=origin.scope_name,
        scope_version=origin.scope_version,
        resource=origin.resource,
        parent_remote=bool(flags & _IS_REMOTE) if flags & _HAS_IS_REMOTE else None,
    )


def _event(raw: Any, index: int) -> Event:
    where = f".events[{index}]"
    event = _object(raw, where)
    return Event(_text(event, "name"), _count(event, "timeUnixNano"), _attributes(event, where))


def _status_code(status: Mapping[str, Any]) -> int:
    code = status.get("code")
    if isinstance(code, str) and code in _STATUS_CODES:
        return _STATUS_CODES[code]
    number = 0 if code is None else _integer(code)
    if number is None:
        raise MalformedRecord(f"unknown status code {str(code)[:40]!r}", ".status.code")
    return number


def _attributes(holder: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for i, raw in enumerate(_list(holder, "attributes")):
        pair = _object(raw, f"{where}.attributes[{i}]")
        key = _text(pair, "key")
        value = pair.get("value")
        text = value.get("stringValue") if isinstance(value, dict) else None
        found[key] = text if isinstance(text, str) else _value(value, key, 0)
    return found


def _value(raw: Any, key: str, depth: int) -> Any:
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
        return [_value(item, key, depth + 1) for item in _list(value, "values")]
    if kind == "kvlistValue":
        pairs = [_object(pair) for pair in _list(value, "values")]
        return {_text(pair, "key"): _value(pair.get("value"), key, depth + 1) for pair in pairs}
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
