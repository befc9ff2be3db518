"""Receivers: which agent runs, and the requests, spans and log records sent to it."""

from __future__ import annotations

from telemetry.instrument import SECONDS, Instrument, counter, gauge, histogram

BUILD_INFO = Instrument("groundwire_build_info", "info", "Version of the running agent.", ("version",))
REQUESTS = counter(
    "groundwire_receive_requests_total", "Export requests, by protocol and response code.", "protocol", "code"
)
REFUSED = gauge(
    "groundwire_receive_refused_timestamp_seconds",
    "Time of the last export request that was refused, by protocol and response code.",
    "protocol",
    "code",
)
RECEIVED_SPANS = counter("groundwire_receive_spans_total", "Spans stored and acknowledged.", "protocol")
REJECTED_SPANS = counter(
    "groundwire_receive_rejected_spans_total",
    "Spans rejected or sampled out on arrival, by reason.",
    "protocol",
    "reason",
)
RECEIVED_LOG_RECORDS = counter(
    "groundwire_receive_log_records_total",
    "Log records of model calls, stored as span events and acknowledged.",
    "protocol",
)
DROPPED_LOG_RECORDS = counter(
    "groundwire_receive_dropped_log_records_total",
    "Log records not stored, by reason. Most log records are not about a model call.",
    "protocol",
    "reason",
)
RECEIVED_BYTES = counter("groundwire_receive_bytes_total", "Bytes of export requests, after decompression.", "protocol")
QUEUE_BYTES = gauge("groundwire_receive_queue_bytes", "Bytes received and not yet committed.")
QUEUE_LIMIT = gauge(
    "groundwire_receive_queue_limit_bytes",
    "Limit of groundwire_receive_queue_bytes; beyond it senders are told to retry.",
)
COMMIT_SECONDS = histogram(
    "groundwire_receive_commit_seconds", "Time to commit one group of requests.", buckets=SECONDS
)
