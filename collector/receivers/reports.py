"""What receivers report, as instruments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from adapters.wire.otlp_logs import Ignored
from collector.clock import Clock
from collector.receivers.base import Dropped, ReceiveProtocol, Rejection, SignalName
from telemetry import instruments
from telemetry.registry import Telemetry

HTTP_CODES = ("200", "400", "413", "429", "503")
GRPC_CODES = ("OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "UNAVAILABLE")
"""The answers that boards and alerts look at: their series are there from the start."""
TAKEN = ("200", "OK")
"""The answers to requests that were taken."""
DROPPED: tuple[Dropped, ...] = (*get_args(Rejection), *get_args(Ignored))


class ReceiverReports:
    """Implements `collector.receivers.base.ReceiveTelemetry` over the agent's instruments."""

    def __init__(self, telemetry: Telemetry, *, queue_limit: int, clock: Clock) -> None:
        self._telemetry = telemetry
        self._clock = clock
        telemetry.set(instruments.QUEUE_LIMIT, queue_limit)
        telemetry.set(instruments.QUEUE_BYTES, 0)
        for protocol in get_args(ReceiveProtocol):
            for code in GRPC_CODES if protocol == "grpc" else HTTP_CODES:
                telemetry.add(instruments.REQUESTS, 0, protocol, code)
            telemetry.add(instruments.RECEIVED_SPANS, 0, protocol)
            for reason in get_args(Rejection):
                telemetry.add(instruments.REJECTED_SPANS, 0, protocol, reason)
            telemetry.add(instruments.RECEIVED_LOG_RECORDS, 0, protocol)
            for reason in DROPPED:
                telemetry.add(instruments.DROPPED_LOG_RECORDS, 0, protocol, reason)

    def request(
        self,
        protocol: ReceiveProtocol,
        code: str,
        *,
        signal: SignalName,
        items: int,
        dropped: Mapping[Dropped, int],
        n_bytes: int,
    ) -> None:
        """Count a request that was answered."""
        of_spans = signal == "traces"
        self._telemetry.add(instruments.REQUESTS, 1, protocol, code)
        if code not in TAKEN:
            self._telemetry.set(instruments.REFUSED, self._clock() / 1e9, protocol, code)
        self._telemetry.add(
            instruments.RECEIVED_SPANS if of_spans else instruments.RECEIVED_LOG_RECORDS, items, protocol
        )
        self._telemetry.add(instruments.RECEIVED_BYTES, n_bytes, protocol)
        for reason, n in dropped.items():
            instrument = instruments.REJECTED_SPANS if of_spans else instruments.DROPPED_LOG_RECORDS
            self._telemetry.add(instrument, n, protocol, reason)

    def commit(self, seconds: float, *, requests: int, items: int) -> None:  # noqa: ARG002 - the protocol's signature
        """Observe one commit."""
        self._telemetry.observe(instruments.COMMIT_SECONDS, seconds)

    def queue(self, n_bytes: int) -> None:
        """Set the bytes waiting."""
        self._telemetry.set(instruments.QUEUE_BYTES, n_bytes)
