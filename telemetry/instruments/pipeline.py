"""The pipeline: traces and spans adapted, work waiting, and what each stage takes."""

from __future__ import annotations

from telemetry.instrument import SCORING_SECONDS, SECONDS, counter, gauge, histogram

TRACES = counter("groundwire_traces_total", "Traces adapted, by outcome.", "outcome")
TRACES_REOPENED = counter("groundwire_traces_reopened_total", "Traces adapted again because late spans arrived.")
DUPLICATE_SPANS = counter("groundwire_duplicate_spans_total", "Duplicate spans discarded.")
SPANS_READ = counter(
    "groundwire_spans_total",
    'Spans of adapted traces, by dialect; "none" for application spans and unknown instrumentations.',
    "dialect",
)
UNREAD_SPANS = counter(
    "groundwire_unread_spans_total",
    "Spans that tell of a model, a search or an agent and that no dialect reads, by instrumentation scope.",
    "scope",
)
MALFORMED = counter("groundwire_malformed_total", "Records that could not be parsed, by reason.", "reason")
PENDING = gauge("groundwire_pending", "Items waiting at a pipeline stage.", "stage")
LAG = gauge("groundwire_lag_seconds", "Age of the oldest item waiting at a pipeline stage.", "stage")
STEP_SECONDS = histogram(
    "groundwire_step_seconds", "Time to process one batch at a pipeline stage.", "stage", buckets=SECONDS
)
STEP_ERRORS = counter(
    "groundwire_step_errors_total", "Failures of a pipeline stage, by kind of error.", "stage", "kind"
)
STEP_FAILED = gauge(
    "groundwire_step_failed_timestamp_seconds",
    "Time at which a pipeline stage last failed, by kind of error.",
    "stage",
    "kind",
)
SCORER_SECONDS = histogram(
    "groundwire_scorer_seconds", "Time to compute one metric for one answer.", "metric", buckets=SCORING_SECONDS
)
SLICE_OVERFLOW = counter(
    "groundwire_slice_overflow_total",
    "Answers whose value for a slice dimension was replaced by __other__ because the dimension has too many values.",
    "dimension",
)
EXPOSED_SLICES = gauge(
    "groundwire_exposed_slices",
    "Slices with rag_* series of their own. At the limit, answers of further slices are counted as __other__.",
)
EXPOSED_SLICES_LIMIT = gauge("groundwire_exposed_slices_limit", "Limit of groundwire_exposed_slices.")
EXPOSED_SERIES = gauge("groundwire_exposed_series", "Series of the agent at this scrape.")
EXTERNAL_SCORES = counter(
    "groundwire_external_scores_total",
    "Scores by other evaluators, by outcome: stored, repeated, conflicting with one stored before, waiting for their "
    "answer, unmatched, undeclared, refused as out of bounds, or this agent's own.",
    "outcome",
)
EXTERNAL_WAITING = gauge(
    "groundwire_external_waiting", "Scores by other evaluators that wait for their answers; given up after a day."
)
LATE_REVISIONS = counter(
    "groundwire_late_revisions_total", "Evaluations of later revisions of an answer, which gates do not count again."
)
