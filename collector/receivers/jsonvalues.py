"""What the messages of OTLP/JSON share: attributes, resources, scopes, ids.

Rules where it differs from protobuf's own JSON (ids in hex, enums as integers, unknown keys ignored):
https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import TypeVar

import msgspec
from google.protobuf.message import Message
from opentelemetry.proto.common.v1 import common_pb2
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from collector.receivers.base import Garbage

R = TypeVar("R")

MAX_DEPTH = 32
"""Levels of arrays and maps in an attribute; protobuf stops reading at 100 messages, and each level is two."""

Int = int | str
"""64-bit integers come as decimal strings, but numbers are to be understood too."""


class Json(msgspec.Struct, rename="camel"):
    """Base of the messages: keys in lowerCamelCase, anything unknown ignored."""


class JsonValue(Json):
    """An ``AnyValue``."""

    string_value: str | None = None
    bool_value: bool | None = None
    int_value: Int | None = None
    double_value: float | str | None = None
    array_value: _JsonArray | None = None
    kvlist_value: _JsonMap | None = None
    bytes_value: str | None = None


class _JsonPair(Json):
    key: str = ""
    value: JsonValue | None = None


class _JsonArray(Json):
    values: list[JsonValue] | None = None


class _JsonMap(Json):
    values: list[_JsonPair] | None = None


class JsonAttributed(Json):
    """What has attributes; by itself it is a ``Resource``."""

    attributes: list[_JsonPair] | None = None
    dropped_attributes_count: int = 0


class JsonScope(JsonAttributed):
    """An ``InstrumentationScope``."""

    name: str = ""
    version: str = ""


def converted(body: bytes, decoder: msgspec.json.Decoder[R], convert: Callable[[R], Message]) -> bytes:
    """Return the serialized message that ``convert`` makes of a JSON request. Raises `Garbage`."""
    try:
        return convert(decoder.decode(body)).SerializeToString()
    except (msgspec.DecodeError, RecursionError) as error:
        raise Garbage(f"not OTLP/JSON: {error}") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise Garbage(f"not OTLP/JSON: a value is out of its range or not text: {error}"[:300]) from None


def resource_of(resource: JsonAttributed | None) -> Resource | None:
    """Return the resource, if there is one."""
    if resource is None:
        return None
    return Resource(attributes=attributes_of(resource), dropped_attributes_count=resource.dropped_attributes_count)


def scope_of(scope: JsonScope | None) -> common_pb2.InstrumentationScope | None:
    """Return the scope, if there is one."""
    if scope is None:
        return None
    return common_pb2.InstrumentationScope(
        name=scope.name,
        version=scope.version,
        attributes=attributes_of(scope),
        dropped_attributes_count=scope.dropped_attributes_count,
    )


def id_of(text: str) -> bytes:
    """Return the bytes of an id; what is not hex becomes an empty id, for which its item is dropped by itself."""
    try:
        return binascii.unhexlify(text)
    except ValueError:
        return b""


def attributes_of(item: JsonAttributed) -> list[common_pb2.KeyValue]:
    """Return the attributes. Raises `Garbage` for absurd nesting."""
    return [_pair(pair, 0) for pair in item.attributes or ()]


def _pair(pair: _JsonPair, depth: int) -> common_pb2.KeyValue:
    return common_pb2.KeyValue(key=pair.key, value=None if pair.value is None else value_of(pair.value, depth))


def value_of(value: JsonValue, depth: int = 0) -> common_pb2.AnyValue:
    """Return a value that stands ``depth`` levels deep. Raises `Garbage` for absurd nesting."""
    if value.string_value is not None:
        return common_pb2.AnyValue(string_value=value.string_value)
    if value.int_value is not None:
        return common_pb2.AnyValue(int_value=int(value.int_value))
    if value.bool_value is not None:
        return common_pb2.AnyValue(bool_value=value.bool_value)
    if value.double_value is not None:
        return common_pb2.AnyValue(double_value=float(value.double_value))
    if value.bytes_value is not None:
        return common_pb2.AnyValue(bytes_value=base64.b64decode(value.bytes_value))
    if depth >= MAX_DEPTH:
        raise Garbage(f"an attribute is nested more than {MAX_DEPTH} deep")
    if value.array_value is not None:
        values = [value_of(item, depth + 1) for item in value.array_value.values or ()]
        return common_pb2.AnyValue(array_value=common_pb2.ArrayValue(values=values))
    if value.kvlist_value is not None:
        pairs = [_pair(item, depth + 1) for item in value.kvlist_value.values or ()]
        return common_pb2.AnyValue(kvlist_value=common_pb2.KeyValueList(values=pairs))
    return common_pb2.AnyValue()
