"""What both protocols share: a decoded body becomes chunks, the writer takes them, telemetry hears of it."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from collector.clock import Clock
from collector.receivers.base import ReceiveTelemetry
from collector.receivers.items import ItemLimits, ScopeItems, json_items, protobuf_items
from collector.receivers.settings import Limits
from collector.receivers.signals import Signal
from collector.receivers.split import Split, split
from collector.receivers.writer import Writer
from collector.security.decompress import TooLarge
from collector.security.jsonbounds import has_more_objects, most_objects

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

    def split(self, signal: Signal, body: bytes, *, max_items: int | None = None) -> Split:
        """Return the chunks of a protobuf request; ``max_items`` may limit it further.

        Raises `MalformedBody` if the body is not one in full, attributes included, and `TooLarge`.
        """
        return self._split(protobuf_items(body, signal.layout, self._item_limits(max_items)))

    def split_json(self, signal: Signal, body: bytes) -> Split:
        """Return the chunks of a JSON request. Raises `MalformedBody` and `TooLarge`."""
        limit = most_objects(self.limits.max_json_bytes)
        if has_more_objects(body, limit):
            raise TooLarge(f"request has more than {limit} JSON objects and arrays; send smaller batches")
        return self._split(json_items(body, signal.layout, self._item_limits()))

    def _split(self, scopes: Iterable[ScopeItems]) -> Split:
        return split(scopes, arrived=self.clock(), keep=self.limits.keep)

    def _item_limits(self, max_items: int | None = None) -> ItemLimits:
        most = self.limits.max_spans
        return ItemLimits(most if max_items is None else min(max_items, most), self.limits.max_span_bytes)
