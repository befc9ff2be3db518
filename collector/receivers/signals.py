"""The signals that are received, and where."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.wire import layout
from adapters.wire.layout import Layout
from collector.receivers.base import SignalName


@dataclass(frozen=True, slots=True)
class Signal:
    """A kind of telemetry. ``path`` is where OTLP/HTTP takes it, ``method`` the one of gRPC."""

    name: SignalName
    path: str
    method: str
    layout: Layout


TRACES = Signal(
    name="traces",
    path="/v1/traces",
    method="/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    layout=layout.TRACES,
)
LOGS = Signal(
    name="logs",
    path="/v1/logs",
    method="/opentelemetry.proto.collector.logs.v1.LogsService/Export",
    layout=layout.LOGS,
)
SIGNALS = (TRACES, LOGS)
