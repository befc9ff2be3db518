"""OTLP/JSON read into protobuf messages, so that everything behind it knows one form: spans.

Rules where it differs from protobuf's own JSON: ids are hex (base64 is understood too), keys lowerCamelCase, enums
integers (their names are understood too), unknown keys ignored. Integers are numbers or decimal strings, ``null`` is
what is absent, and ``[]`` an object without members, as PHP writes it.

Source: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import msgspec
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from adapters.base import MalformedRecord
from adapters.wire.ids import InvalidId
from adapters.wire.layout import LAYOUTS, Layout
from adapters.wire.otlp_json_spans import fill_attributes, span_of, span_of_record
from adapters.wire.otlp_json_types import (
    JsonAttributed,
    JsonBlock,
    JsonEmpty,
    JsonGroup,
    JsonLogRecord,
    JsonMessage,
    JsonRequest,
    JsonScope,
    JsonSpan,
)
from adapters.wire.otlp_logs import Ignored

T = TypeVar("T")

_FIELD_END = re.compile(r"_([a-z])")


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
            fill_attributes(message.resource, resource)

    def _fill_scope(self, message: Any, raw: Any) -> None:
        scope = self.read_scope(raw)
        if scope is not None:
            message.scope.SetInParent()
        if scope:
            message.scope.name, message.scope.version = scope.name or "", scope.version or ""
            fill_attributes(message.scope, scope)


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
        return MalformedRecord("nested too deeply", where)
    except ValueError as error:
        return MalformedRecord(f"not valid UTF-8: {error}"[:300], where)


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


_READERS: dict[str, tuple[type[JsonMessage], Callable[[Any], Span | Ignored]]] = {
    "trace": (JsonSpan, span_of),
    "log": (JsonLogRecord, span_of_record),
}


def _itself(value: T) -> T:
    return value


def camel_cased(value: Any) -> Any:
    """Return a message that protobuf's JSON wrote with the names of its fields as the .proto file has them.

    All keys of a request are names of fields: those of attributes are values.

    >>> camel_cased({"resource_spans": [{"scope_spans": []}]})
    {'resourceSpans': [{'scopeSpans': []}]}
    """
    if isinstance(value, dict):
        return {_FIELD_END.sub(lambda found: found[1].upper(), key): camel_cased(held) for key, held in value.items()}
    return [camel_cased(each) for each in value] if isinstance(value, list) else value


def _parsed(kind: Any) -> Callable[[Any], Any]:
    return partial(msgspec.convert, type=kind)


def _of_text(layout: Layout) -> JsonRequests:
    kind, span_of = _READERS[layout.name]
    resource, scope = JsonAttributed | JsonEmpty, JsonScope | JsonEmpty
    decode = msgspec.json.Decoder(kind).decode
    request: Any = JsonRequest[JsonBlock[resource, JsonGroup[scope, msgspec.Raw]]]  # type: ignore[valid-type]
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
        read_request=_parsed(JsonRequest[Any]),
        read_block=_parsed(JsonBlock[Any, Any]),
        read_resource=_parsed(JsonAttributed | JsonEmpty | None),
        read_group=_parsed(JsonGroup[Any, Any]),
        read_scope=_parsed(JsonScope | JsonEmpty | None),
        read_item=lambda value: span_of(msgspec.convert(value, kind)),
    )


TEXT = {layout.name: _of_text(layout) for layout in LAYOUTS}
"""Readers of requests as they are sent: of the containers all, of items one at a time is in memory as objects."""
PARSED = {layout.name: _of_parsed(layout) for layout in LAYOUTS}
"""Readers of requests that a parser has made lists and dictionaries of; a broken container hides no other."""
