"""What both protocols share: a decoded body becomes chunks, the writer takes them, telemetry hears of it."""

from __future__ import annotations

from dataclasses import dataclass

from collector.clock import Clock
from collector.receivers.base import ReceiveTelemetry
from collector.receivers.settings import Limits
from collector.receivers.signals import Signal
from collector.receivers.split import Split, split
from collector.receivers.writer import Writer


@dataclass(frozen=True, kw_only=True)
class Intake:
    """Where receivers deliver to, and within which limits."""

    writer: Writer
    telemetry: ReceiveTelemetry
    limits: Limits
    clock: Clock

    def split(self, signal: Signal, body: bytes) -> Split:
        """Return the chunks of a protobuf request. Raises `Garbage` and `TooLarge`."""
        limits = self.limits
        return split(
            body,
            signal.read,
            arrived=self.clock(),
            keep=limits.keep,
            max_items=limits.max_spans,
            max_item_bytes=limits.max_span_bytes,
        )
