"""Spans that were read elsewhere as chunks of the store: one a trace, as if they had been sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from adapters.base import MalformedRecord
from adapters.trace import Nanoseconds, Span
from adapters.wire.otlp_encode import encode_traces
from collector.store.rows import Chunk, UnreadRecord

MAX_CHUNK_BYTES = 4 * 1024 * 1024
"""A longer piece of a trace becomes several chunks, so that no row of the store is larger than a request would be."""
MAX_SPAN_BYTES = 8 * 1024 * 1024
"""As at the receivers, `receive.max_span_bytes`."""


def chunks_of(
    spans: Iterable[Span], *, arrived: Nanoseconds, resource: Mapping[str, str]
) -> tuple[list[Chunk], list[UnreadRecord]]:
    """Return the chunks of ``spans``, and the spans that can be none; ``resource`` is added to each one's own.

    >>> span = Span("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", None, "chat", 1, 2)
    >>> (chunk,), unread = chunks_of([span], arrived=7, resource={"service.name": "desk"})
    >>> chunk.has_root, chunk.n_spans, unread
    (True, 1, [])
    """
    traces: dict[str, list[Span]] = {}
    merged = _Resources(resource)
    for span in spans:
        traces.setdefault(span.trace_id, []).append(merged.given(span))
    chunks: list[Chunk] = []
    unread: list[UnreadRecord] = []
    for same in traces.values():
        try:
            data = encode_traces(same)
        except MalformedRecord:
            data = None
        if data is not None and len(data) <= MAX_CHUNK_BYTES:
            chunks.append(_chunk(same, data, arrived))
        else:
            _piecewise(same, arrived, chunks, unread)
    return chunks, unread


class _Resources:
    """Merges each resource once: spans share them by the thousand, and encoding goes by identity."""

    def __init__(self, added: Mapping[str, str]) -> None:
        self._added = added
        self._merged: dict[int, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}

    def given(self, span: Span) -> Span:
        if not self._added:
            return span
        # The original is kept beside, so that its identity is not given to another meanwhile.
        known = self._merged.get(id(span.resource))
        if known is None:
            known = self._merged[id(span.resource)] = (span.resource, {**span.resource, **self._added})
        return replace(span, resource=known[1])


def _piecewise(spans: Iterable[Span], arrived: Nanoseconds, chunks: list[Chunk], unread: list[UnreadRecord]) -> None:
    """Encode span by span: serialized ``TracesData`` that follow each other are one."""
    held: list[Span] = []
    parts: list[bytes] = []
    size = 0
    for span in spans:
        try:
            part = encode_traces([span])
        except MalformedRecord as error:
            unread.append(UnreadRecord(error.reason, f"span {span.name[:80]!r} of trace {span.trace_id[:64]}"))
            continue
        if len(part) > MAX_SPAN_BYTES:
            unread.append(UnreadRecord(f"larger than {MAX_SPAN_BYTES} bytes", f"span {span.trace_id}/{span.span_id}"))
            continue
        if held and size + len(part) > MAX_CHUNK_BYTES:
            chunks.append(_chunk(held, b"".join(parts), arrived))
            held, parts, size = [], [], 0
        held.append(span)
        parts.append(part)
        size += len(part)
    if held:
        chunks.append(_chunk(held, b"".join(parts), arrived))


def _chunk(spans: list[Span], data: bytes, arrived: Nanoseconds) -> Chunk:
    return Chunk(
        trace_id=bytes.fromhex(spans[0].trace_id),
        arrived=arrived,
        n_spans=len(spans),
        has_root=any(span.end_ns > 0 and span.parent_id is None for span in spans),
        data=data,
    )
