"""The few answers OTLP knows, in both encodings: success, partial success, and ``google.rpc.Status``.

https://opentelemetry.io/docs/specs/otlp/#otlphttp-response; the messages of google.rpc are written by hand, as three
fields do not need a dependency: https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsPartialSuccess, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceResponse,
)

from adapters.wire.protobuf import framed, varint
from collector.receivers.base import RETRY_SECONDS, Dropped, Rejection, SignalName
from collector.receivers.items import MAX_PARTS

INVALID_ARGUMENT, RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, UNAUTHENTICATED = 3, 8, 12, 13, 14, 16
DEADLINE_EXCEEDED, NOT_FOUND, FAILED_PRECONDITION = 4, 5, 9
"""Codes of google.rpc.Code, the same as gRPC's."""

_EXPLAINED: Mapping[Rejection, str] = {
    "invalid_trace_id": "trace id is not 16 bytes, or all zero",
    "invalid_span_id": "span id or parent span id is not 8 bytes, or span id is all zero",
    "too_large": f"larger than receive.max_span_bytes, or more than {MAX_PARTS} nested messages",
}


def success(signal: SignalName, dropped: Counter[Dropped], *, as_json: bool) -> bytes:
    """Return the response to a request that was taken, with how many spans or log records were not and why.

    What is thinned or of no use to us is not told: the sender did nothing wrong and must not report it as lost.
    """
    told = {reason: dropped[reason] for reason in _EXPLAINED if dropped[reason]}
    count = sum(told.values())
    items = "spans" if signal == "traces" else "log records"
    message = "; ".join(f"{n} {items} rejected: {_EXPLAINED[reason]}" for reason, n in told.items())
    if as_json:
        if not count:
            return b"{}"
        rejected = "rejectedSpans" if signal == "traces" else "rejectedLogRecords"
        return json.dumps({"partialSuccess": {rejected: str(count), "errorMessage": message}}).encode()
    if not count:
        return b""
    if signal == "traces":
        of_spans = ExportTracePartialSuccess(rejected_spans=count, error_message=message)
        return ExportTraceServiceResponse(partial_success=of_spans).SerializeToString()
    of_records = ExportLogsPartialSuccess(rejected_log_records=count, error_message=message)
    return ExportLogsServiceResponse(partial_success=of_records).SerializeToString()


def failure(code: int, message: str, *, as_json: bool) -> bytes:
    """Return a ``google.rpc.Status``."""
    if as_json:
        return json.dumps({"code": code, "message": message}).encode()
    return _varint_field(1, code) + framed(2, message.encode())


def failure_with_retry(code: int, message: str) -> bytes:
    """Return a protobuf ``google.rpc.Status`` that says in its details when to come back."""
    detail = framed(1, b"type.googleapis.com/google.rpc.RetryInfo") + framed(2, retry_info())
    return failure(code, message, as_json=False) + framed(3, detail)


def retry_info() -> bytes:
    """Return a ``google.rpc.RetryInfo``: one Duration, of `RETRY_SECONDS`."""
    return framed(1, _varint_field(1, RETRY_SECONDS))


def _varint_field(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)
