"""What both protocols share: a decoded body becomes chunks, the writer takes them, telemetry hears of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from collector.clock import Clock
from collector.receivers.base import ReceiveTelemetry
from collector.receivers.settings import Limits
from collector.receivers.signals import Signal
from collector.receivers.split import Split, split
from collector.receivers.writer import Writer
from collector.security.decompress import TooLarge
from collector.security.jsonbounds import count_objects, most_objects

LARGE_BYTES = 4 * 1024 * 1024
"""A request beyond is rare, and not handled where it would hold up many others, or many times at once."""


@dataclass(frozen=True, kw_only=True)
class Intake:
    """Where receivers deliver to, and within which limits.

    ``decoder`` is where one request at a time is decoded that may take a hundred megabytes: JSON, large ones over gRPC.
    """

    writer: Writer
    telemetry: ReceiveTelemetry
    limits: Limits
    clock: Clock
    decoder: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="decode"))

    def close(self) -> None:
        """End the decoder's thread."""
        self.decoder.shutdown(cancel_futures=True)

    def to_protobuf(self, signal: Signal, body: bytes) -> bytes:
        """Return the protobuf request that a JSON request stands for. Raises `Garbage` and `TooLarge`."""
        limit = most_objects(self.limits.max_json_bytes)
        if count_objects(body, limit=limit) > limit:
            raise TooLarge(f"the request holds more than {limit} JSON objects and arrays: send smaller ones")
        return signal.to_protobuf(body, max_items=self.limits.max_spans)

    def split(self, signal: Signal, body: bytes, *, max_items: int | None = None) -> Split:
        """Return the chunks of a protobuf request; ``max_items`` may bound it further. Raises `Garbage`, `TooLarge`."""
        limits = self.limits
        return split(
            body,
            signal.read,
            arrived=self.clock(),
            keep=limits.keep,
            max_items=limits.max_spans if max_items is None else min(max_items, limits.max_spans),
            max_item_bytes=limits.max_span_bytes,
        )
