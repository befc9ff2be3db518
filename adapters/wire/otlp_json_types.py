"""The messages of OTLP/JSON as they are parsed: a type for each object, all of its fields optional."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")
R = TypeVar("R")

JsonNumber = int | float | str
JsonEmpty = tuple[()]


class JsonMessage(msgspec.Struct, rename="camel", gc=False):
    """Base of the messages. They are trees and never part of a cycle: the garbage collector need not look at them."""


class JsonValue(JsonMessage):
    """An ``AnyValue``: at most one of the fields is there."""

    string_value: str | None = None
    bool_value: bool | None = None
    int_value: JsonNumber | None = None
    double_value: JsonNumber | None = None
    array_value: JsonArray | None = None
    kvlist_value: JsonMap | None = None
    bytes_value: str | None = None


class JsonPair(JsonMessage):
    """A ``KeyValue``."""

    key: str | None = None
    value: JsonValue | JsonEmpty | None = None


class JsonArray(JsonMessage):
    """An ``ArrayValue``."""

    values: list[JsonValue | JsonEmpty | None] | None = None


class JsonMap(JsonMessage):
    """A ``KeyValueList``."""

    values: list[JsonPair] | None = None


class JsonAttributed(JsonMessage):
    """What has attributes; by itself it is a ``Resource``."""

    attributes: list[JsonPair] | None = None
    dropped_attributes_count: JsonNumber | None = None


class JsonScope(JsonAttributed):
    """An ``InstrumentationScope``."""

    name: str | None = None
    version: str | None = None


class JsonEvent(JsonAttributed):
    """A ``Span.Event``."""

    time_unix_nano: JsonNumber | None = None
    name: str | None = None


class JsonLink(JsonAttributed):
    """A ``Span.Link``."""

    trace_id: str | None = None
    span_id: str | None = None
    trace_state: str | None = None
    flags: JsonNumber | None = None


class JsonStatus(JsonMessage):
    """A ``Status``."""

    message: str | None = None
    code: JsonNumber | None = None


class JsonSpan(JsonAttributed):
    """A ``Span``."""

    trace_id: str | None = None
    span_id: str | None = None
    trace_state: str | None = None
    parent_span_id: str | None = None
    flags: JsonNumber | None = None
    name: str | None = None
    kind: JsonNumber | None = None
    start_time_unix_nano: JsonNumber | None = None
    end_time_unix_nano: JsonNumber | None = None
    events: list[JsonEvent] | None = None
    dropped_events_count: JsonNumber | None = None
    links: list[JsonLink] | None = None
    dropped_links_count: JsonNumber | None = None
    status: JsonStatus | JsonEmpty | None = None


class JsonLogRecord(JsonAttributed):
    """A ``LogRecord``."""

    time_unix_nano: JsonNumber | None = None
    observed_time_unix_nano: JsonNumber | None = None
    body: JsonValue | JsonEmpty | None = None
    trace_id: str | None = None
    span_id: str | None = None
    event_name: str | None = None


class JsonGroup(JsonMessage, Generic[R, T]):
    """``ScopeSpans`` or ``ScopeLogs``."""

    scope: R | None = None
    spans: list[T] | None = None
    log_records: list[T] | None = None
    schema_url: str | None = None


class JsonBlock(JsonMessage, Generic[R, T]):
    """``ResourceSpans`` or ``ResourceLogs``."""

    resource: R | None = None
    scope_spans: list[T] | None = None
    scope_logs: list[T] | None = None
    schema_url: str | None = None


class JsonRequest(JsonMessage, Generic[T]):
    """A request to export traces or logs."""

    resource_spans: list[T] | None = None
    resource_logs: list[T] | None = None
