"""The signals that are received: how a request of each is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from collector.receivers.base import SignalName
from collector.receivers.jsonlogs import logs_to_protobuf
from collector.receivers.jsontraces import traces_to_protobuf
from collector.receivers.records import read_record
from collector.receivers.spans import read_span
from collector.receivers.split import Reader


class Converter(Protocol):
    """Turns a JSON request into the protobuf that it stands for. Raises `Garbage` and `TooLarge`."""

    def __call__(self, body: bytes, *, max_items: int) -> bytes:
        """Return the serialized request."""
        ...


@dataclass(frozen=True, slots=True)
class Signal:
    """A kind of telemetry. ``path`` is where OTLP/HTTP takes it, ``method`` the one of gRPC."""

    name: SignalName
    path: str
    method: str
    read: Reader
    to_protobuf: Converter


TRACES = Signal(
    name="traces",
    path="/v1/traces",
    method="/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    read=read_span,
    to_protobuf=traces_to_protobuf,
)
LOGS = Signal(
    name="logs",
    path="/v1/logs",
    method="/opentelemetry.proto.collector.logs.v1.LogsService/Export",
    read=read_record,
    to_protobuf=logs_to_protobuf,
)
SIGNALS = (TRACES, LOGS)
