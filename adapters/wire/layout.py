"""How the requests of each signal are built.

They hold blocks of one resource each, in them groups of one scope each, in them the items: spans, log records.

Source: opentelemetry-proto 1.x (trace/v1/trace.proto, logs/v1/logs.proto).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

from adapters.wire.otlp_logs import CONTENT_NAMES, Ignored, content_span


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The messages of one signal, the fields that hold them, and what span an item stands for.

    >>> TRACES.place(0, 1, 2)
    'resourceSpans[0].scopeSpans[1].spans[2]'
    """

    name: str
    request: type[Message]
    block: type[Message]
    group: type[Message]
    item: type[Message]
    fields: tuple[str, str, str]
    """The fields that hold blocks, groups and items."""
    names: tuple[str, str, str]
    """What they are called in JSON, and in places."""
    span: Callable[[Any], trace_pb2.Span | Ignored]
    mark: re.Pattern[bytes] | None = None
    """What the bytes of an item must have for it to be of use."""

    def held(self, level: int, container: Any) -> Any:
        """Return what a container, in protobuf or as read from JSON, holds at ``level``."""
        return getattr(container, self.fields[level])

    def place(self, *indexes: int) -> str:
        """Return the path of a block, a group or an item."""
        return ".".join([f"{name}[{index}]" for name, index in zip(self.names, indexes, strict=False)])


def unparsed(kind: type[Message]) -> str:
    """Return the reason for which bytes that should be a message of ``kind`` are refused.

    >>> unparsed(trace_pb2.Span)
    'not a valid protobuf Span'
    """
    return f"not a valid protobuf {kind.DESCRIPTOR.name}"


def _itself(span: trace_pb2.Span) -> trace_pb2.Span:
    return span


TRACES = Layout(
    name="trace",
    request=trace_pb2.TracesData,
    block=trace_pb2.ResourceSpans,
    group=trace_pb2.ScopeSpans,
    item=trace_pb2.Span,
    fields=("resource_spans", "scope_spans", "spans"),
    names=("resourceSpans", "scopeSpans", "spans"),
    span=_itself,
)
LOGS = Layout(
    name="log",
    request=logs_pb2.LogsData,
    block=logs_pb2.ResourceLogs,
    group=logs_pb2.ScopeLogs,
    item=logs_pb2.LogRecord,
    fields=("resource_logs", "scope_logs", "log_records"),
    names=("resourceLogs", "scopeLogs", "logRecords"),
    span=content_span,
    mark=CONTENT_NAMES,
)
LAYOUTS = (TRACES, LOGS)
