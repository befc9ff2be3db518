"""Traces as a tracking server of MLflow returns them: what is known of the trace, and its spans as OTLP messages.

Ids are base64 as protobuf's own JSON has them, and values structured instead of JSON text. What describes the trace
(session, user, tags) stands beside the spans, and is put on the root for the dialect to find.

Source: mlflow/protos/service.proto (`BatchGetTraces`, `TraceInfoV3`), mlflow/server/handlers.py (3.17).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError
from opentelemetry.proto.trace.v1 import trace_pb2

from adapters.base import MalformedRecord
from adapters.wire.decoded import Decoded
from adapters.wire.otlp import decode_traces
from adapters.wire.protobuf import framed

LOST_BY_API: Mapping[str, str] = {
    "service": "MLflow does not store the resource; the source's `resource` option can supply one",
    "release": "MLflow does not store the resource; the source's `resource` option can supply one",
    "environment": "MLflow does not store the resource; the source's `resource` option can supply one",
}
"""Fields of an answer that do not come through MLflow, with the reason."""

SCOPE = "mlflow.tracing.provider"
_OF_TRACE = ("mlflow.trace.session", "mlflow.trace.user")
_OWN = "mlflow."
_MOST_TAGS = 100
_LONGEST_TAG = 2_000
_DEEPEST = 64
"""Levels of a span's JSON, far beyond those of any value in an attribute; protobuf reads a hundred."""
_RESOURCE_SPANS, _SCOPE_SPANS, _SCOPE, _SPANS = 1, 2, 1, 2
"""Numbers of the fields of a request (opentelemetry/proto/trace/v1/trace.proto)."""


def spans_of_traces(traces: Iterable[Any]) -> Decoded:
    """Return the spans of traces; one that cannot be read hides no other.

    >>> span = {"trace_id": "x96RNdz2XskOM7kHVSz0vw==", "span_id": "cpc7YNoU9T8=", "name": "ask",
    ...         "start_time_unix_nano": 1, "end_time_unix_nano": 2}
    >>> info = {"trace_id": "tr-1", "trace_metadata": {"mlflow.trace.session": "s-1"}, "tags": {"tenant": "acme"}}
    >>> decoded = spans_of_traces([{"trace_info": info, "spans": [span]}])
    >>> decoded.spans[0].name, dict(decoded.spans[0].attributes)
    ('ask', {'mlflow.trace.session': 's-1', 'tenant': 'acme'})
    """
    messages: list[bytes] = []
    malformed: list[MalformedRecord] = []
    for trace in traces:
        info = trace.get("trace_info") if isinstance(trace, dict) else None
        spans = trace.get("spans") if isinstance(trace, dict) else None
        where = f"trace {str(info.get('trace_id'))[:80]}" if isinstance(info, dict) else "trace"
        if not isinstance(spans, list) or not isinstance(info, dict):
            malformed.append(MalformedRecord("no trace of MLflow", where))
            continue
        told = _told(info)
        for number, span in enumerate(spans):
            try:
                messages.append(_message(span, told))
            except (ParseError, ValueError, TypeError, RecursionError) as error:
                malformed.append(MalformedRecord(_reason(error), f"{where}, span {number}"))
    scope = framed(_SCOPE, framed(1, SCOPE.encode()))
    held = b"".join(framed(_SPANS, message) for message in messages)
    decoded = decode_traces(framed(_RESOURCE_SPANS, framed(_SCOPE_SPANS, scope + held))) if messages else Decoded(())
    return Decoded(decoded.spans, (*malformed, *decoded.malformed))


def _told(info: Mapping[str, Any]) -> dict[str, str]:
    """Return what describes a trace, as attributes of its root: session, user, and the application's own tags."""
    metadata, tags = (held if isinstance(held := info.get(key), dict) else {} for key in ("trace_metadata", "tags"))
    told = {key: metadata.get(key) for key in _OF_TRACE}
    own = [(key, value) for place in (metadata, tags) for key, value in place.items() if not key.startswith(_OWN)]
    told |= dict(own[:_MOST_TAGS])
    return {key: value for key, value in told.items() if isinstance(value, str) and len(value) <= _LONGEST_TAG}


def _message(span: Any, told: Mapping[str, str]) -> bytes:
    message = trace_pb2.Span()
    ParseDict(span, message, ignore_unknown_fields=True, max_recursion_depth=_DEEPEST)
    if not any(message.parent_span_id):
        present = {pair.key for pair in message.attributes}
        for key, value in told.items():
            if key not in present:
                message.attributes.add(key=key).value.string_value = value
    return message.SerializeToString(deterministic=True)


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else f"no span: {str(error)[:200]}"
