"""Looking in a worker process for the keys that the spans of traces carry, while whoever asks waits."""

from __future__ import annotations

import time
from dataclasses import dataclass

from adapters.base import AdaptOptions, MalformedRecord
from adapters.keys import KeyCount
from adapters.trace import Span, Trace
from adapters.wire.otlp import decode_traces

SECONDS = 2.0
"""Of the processor's time after which no further trace is looked at: a worker is there for scoring."""


@dataclass(frozen=True, slots=True)
class KeysRequest:
    """Traces with their chunks, the newest first."""

    traces: tuple[tuple[bytes, tuple[bytes, ...]], ...]


def keys_found(request: KeysRequest, options: AdaptOptions) -> str:
    """Return the keys of the traces as JSON; ``traces`` of it says for how many there was time."""
    count = KeyCount()
    began = time.process_time()
    for trace_id, chunks in request.traces:
        if time.process_time() - began > SECONDS:
            break
        spans: list[Span] = []
        for chunk in chunks:
            try:
                spans += decode_traces(chunk).spans
            except MalformedRecord:
                # It was counted when the trace was adapted.
                continue
        count.add(Trace.of(trace_id.hex(), spans, complete=True), options)
    return count.result().model_dump_json()
