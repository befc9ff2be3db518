"""Links to other systems: sources, write-back targets and receivers of notifications."""

from __future__ import annotations

from telemetry.instrument import counter, gauge

SOURCE_REQUESTS = counter(
    "groundwire_source_requests_total",
    "Fetches from a source, by outcome: ok, rate limited, unreachable, internal error.",
    "source",
    "outcome",
)
SOURCE_SPANS = counter("groundwire_source_spans_total", "Spans fetched from a source and stored.", "source")
SOURCE_ANSWERS = counter("groundwire_source_answers_total", "Answers read from a source and stored.", "source")
SOURCE_MALFORMED = counter(
    "groundwire_source_malformed_total", "Records of a source that could not be parsed.", "source"
)
SOURCE_UP = gauge("groundwire_source_up", "Whether the last fetch from a source succeeded: 1 yes, 0 no.", "source")
SOURCE_SUCCESS = gauge(
    "groundwire_source_success_timestamp_seconds",
    "Time of the last successful fetch from a source; the start of the agent if there was none.",
    "source",
)
WRITE_BACK_ITEMS = counter(
    "groundwire_write_back_items_total",
    "Scores and verdicts sent to a write-back target, by outcome: written, unknown span, rejected, skipped, failed.",
    "target",
    "outcome",
)
WRITE_BACK_UP = gauge(
    "groundwire_write_back_up", "Whether the last write to a write-back target succeeded: 1 yes, 0 no.", "target"
)
WRITE_BACK_PENDING = gauge(
    "groundwire_write_back_pending", "Evaluations waiting to be written to a write-back target.", "target"
)
WRITE_BACK_LAG = gauge(
    "groundwire_write_back_lag_seconds", "Age of the oldest evaluation not yet sent to a write-back target.", "target"
)
NOTIFICATIONS = counter(
    "groundwire_notifications_total",
    "Notifications, by outcome: sent, rejected by the receiver, expired before delivery, skipped by configuration.",
    "target",
    "outcome",
)
NOTIFY_UP = gauge(
    "groundwire_notify_up", "Whether the last notification to a receiver was delivered: 1 yes, 0 no.", "target"
)
NOTIFY_LAG = gauge(
    "groundwire_notify_lag_seconds", "Age of the oldest decision not yet delivered; 0 if none is waiting.", "target"
)
ROLLBACKS = counter(
    "groundwire_rollback_requests_total",
    "Failures that could trigger a rollback, by outcome: requested, dry run, or the reason it was not requested.",
    "target",
    "outcome",
)
