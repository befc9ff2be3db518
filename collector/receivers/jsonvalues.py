"""What the messages of OTLP/JSON share: attributes, resources, scopes, ids.

Rules where it differs from protobuf's own JSON (ids in hex, enums as integers, unknown keys ignored):
https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
"""

from __future__ import annotations

import base64
import binascii
import gc
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

import msgspec
from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from google.protobuf.message import Message
from opentelemetry.proto.common.v1 import common_pb2
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from collector.security.decompress import Garbage

R = TypeVar("R")
M = TypeVar("M", bound=Message)

Pairs = RepeatedCompositeFieldContainer[common_pb2.KeyValue]

MAX_DEPTH = 32
"""Levels of arrays and maps in an attribute; protobuf stops reading at 100 messages, and each level is two."""

Int = int | str
"""64-bit integers come as decimal strings, but numbers are to be understood too."""


class Json(msgspec.Struct, rename="camel", gc=False):
    """Base of the messages: keys in lowerCamelCase, anything unknown ignored.

    They are trees and never part of a cycle, so the garbage collector need not look at them, a million at a time.
    """


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


def _decoded(body: bytes, decoder: msgspec.json.Decoder[R]) -> R:
    """Return what ``body`` holds. The garbage collector waits: it would hold up every thread to look at all arrays."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        return decoder.decode(body)
    finally:
        if enabled:
            gc.enable()


class Attributed(Protocol):
    """A protobuf message that has attributes."""

    dropped_attributes_count: int

    @property
    def attributes(self) -> Pairs:
        """The attributes, to be added to."""
        ...


def converted(body: bytes, decoder: msgspec.json.Decoder[R], fill: Callable[[M, R], None], message: M) -> bytes:
    """Return ``message`` serialized, after ``fill`` put into it what a JSON request holds.

    Messages are made in the place where they belong: one that is made by itself and copied takes a kilobyte.
    Raises `Garbage`, and `TooLarge` where ``fill`` does.
    """
    try:
        fill(message, _decoded(body, decoder))
        return message.SerializeToString()
    except (msgspec.DecodeError, RecursionError) as error:
        raise Garbage(f"not OTLP/JSON: {error}") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise Garbage(f"not OTLP/JSON: a value is out of its range or not text: {error}"[:300]) from None


def fill_resource(target: Resource, resource: JsonAttributed | None) -> None:
    """Set the resource, if there is one."""
    if resource is not None:
        target.SetInParent()
        fill_attributes(target, resource)


def fill_scope(target: common_pb2.InstrumentationScope, scope: JsonScope | None) -> None:
    """Set the scope, if there is one."""
    if scope is not None:
        target.SetInParent()
        target.name = scope.name
        target.version = scope.version
        fill_attributes(target, scope)


def id_of(text: str) -> bytes:
    """Return the bytes of an id; what is not hex becomes an empty id, for which its item is dropped by itself."""
    try:
        return binascii.unhexlify(text)
    except ValueError:
        return b""


def fill_attributes(target: Attributed, item: JsonAttributed) -> None:
    """Set the attributes. Raises `Garbage` for absurd nesting."""
    target.dropped_attributes_count = item.dropped_attributes_count
    if item.attributes:
        _fill_pairs(target.attributes, item.attributes, 0)


def _fill_pairs(target: Pairs, pairs: Iterable[_JsonPair], depth: int) -> None:
    for pair in pairs:
        added = target.add(key=pair.key)
        if pair.value is not None:
            fill_value(added.value, pair.value, depth)


def fill_value(target: common_pb2.AnyValue, value: JsonValue, depth: int = 0) -> None:
    """Set a value that stands ``depth`` levels deep. Raises `Garbage` for absurd nesting."""
    if value.string_value is not None:
        target.string_value = value.string_value
    elif value.int_value is not None:
        target.int_value = int(value.int_value)
    elif value.bool_value is not None:
        target.bool_value = value.bool_value
    elif value.double_value is not None:
        target.double_value = float(value.double_value)
    elif value.bytes_value is not None:
        target.bytes_value = base64.b64decode(value.bytes_value)
    elif depth >= MAX_DEPTH:
        raise Garbage(f"an attribute is nested more than {MAX_DEPTH} deep")
    elif value.array_value is not None:
        array = target.array_value
        array.SetInParent()
        for item in value.array_value.values or ():
            fill_value(array.values.add(), item, depth + 1)
    elif value.kvlist_value is not None:
        target.kvlist_value.SetInParent()
        _fill_pairs(target.kvlist_value.values, value.kvlist_value.values or (), depth + 1)
    else:
        target.SetInParent()
