"""Every Prometheus instrument of the agent, described once.

The collector instantiates them, the metric catalogue page documents them, boards and rules refer to them. Names follow
the Prometheus conventions (base units, ``_total`` on counters): https://prometheus.io/docs/practices/naming/
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from scorers.base import Metric, Unit
from telemetry.exposure import TRAFFIC, Exposure

Kind = Literal["counter", "gauge", "histogram", "info"]

FAILURES = "error|timeout|over_budget|judge_unavailable|judge_unparseable"
"""Reasons for a missing value that are failures of scoring, not facts about the answer."""

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
TOKENS = (64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0)


@dataclass(frozen=True, slots=True)
class Instrument:
    """One instrument. ``sliced`` adds a label per configured slice dimension after ``labels``.

    ``name`` is the name as exposed, ``_total`` included.
    """

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()
    sliced: bool = False
    buckets: tuple[float, ...] | None = None


SECONDS_A_DAY = 86_400.0


def exposed_unit(metric: Metric) -> tuple[Unit, float]:
    """Return the unit in which a metric's histogram is exposed, and how many of it are one of the metric's.

    Prometheus has base units: times are seconds there, whatever a metric counts in.
    """
    return ("seconds", SECONDS_A_DAY) if metric.unit == "days" else (metric.unit, 1.0)


def quality_instrument(metric: Metric, *, sliced: bool = False) -> Instrument:
    """Return the histogram that exposes the values of ``metric``, one observation a scored answer.

    A name that ends with its unit (``source_age_days``) does not get it twice.
    """
    unit, size = exposed_unit(metric)
    return Instrument(
        f"rag_{metric.name.removesuffix(f'_{metric.unit}')}_{unit}",
        "histogram",
        metric.help,
        (),
        sliced,
        tuple(bound * size for bound in metric.buckets),
    )


ANSWERS = Instrument("rag_answers_total", "counter", "Answers found in traces, before sampling.", sliced=True)
ANSWERS_SAMPLED = Instrument(
    "rag_answers_sampled_total", "counter", "Answers selected for scoring by the sampling policy.", sliced=True
)
ANSWERS_SCORED = Instrument("rag_answers_scored_total", "counter", "Answers that have been scored.", sliced=True)
ANSWERS_FAILED = Instrument("rag_answers_failed_total", "counter", "Answers whose request failed.", sliced=True)
UNSCORED = Instrument(
    "rag_unscored_total",
    "counter",
    "Scored answers without a value for a metric, by reason. Scoring failures carry no slice labels.",
    ("metric", "reason"),
    sliced=True,
)
WEIGHTED_SCORES = Instrument(
    "rag_weighted_scores_total",
    "counter",
    "Sum of value / inclusion probability. Divided by rag_weighted_answers_total it is the mean over all traffic.",
    ("metric",),
    sliced=True,
)
WEIGHTED_ANSWERS = Instrument(
    "rag_weighted_answers_total",
    "counter",
    "Sum of 1 / inclusion probability over scored answers.",
    ("metric",),
    sliced=True,
)
ANSWER_LATENCY = Instrument(
    "rag_answer_duration_seconds",
    "histogram",
    "Time from request to complete answer.",
    (),
    False,
    SECONDS,
)
ANSWER_TOKENS = Instrument(
    "rag_answer_tokens", "histogram", "Tokens used by all model calls of an answer, where reported.", (), False, TOKENS
)
GATE_STATE = Instrument(
    "groundwire_gate_state",
    "gauge",
    "Verdict of a gate across all its slices: 1 pass, 0 inconclusive, -1 fail.",
    ("gate",),
)
GATE_CANDIDATE_STATE = Instrument(
    "groundwire_gate_candidate_state",
    "gauge",
    "Verdict of a gate on a candidate release, by version: 1 pass, 0 inconclusive, -1 fail.",
    ("gate", "candidate"),
)
GATE_SLICE_STATE = Instrument(
    "groundwire_gate_slice_state",
    "gauge",
    "Verdict of a gate on one slice: 1 pass, 0 inconclusive, -1 fail.",
    ("gate",),
    sliced=True,
)
GATE_ESTIMATE = Instrument(
    "groundwire_gate_estimate",
    "gauge",
    "Weighted mean that a gate judges, in the metric's unit.",
    ("gate",),
    sliced=True,
)
GATE_LOWER = Instrument(
    "groundwire_gate_lower", "gauge", "Lower confidence bound of the estimate.", ("gate",), sliced=True
)
GATE_UPPER = Instrument(
    "groundwire_gate_upper", "gauge", "Upper confidence bound of the estimate.", ("gate",), sliced=True
)
GATE_ANSWERS = Instrument(
    "groundwire_gate_answers", "gauge", "Scored answers behind a gate's verdict on a slice.", ("gate",), sliced=True
)
GATE_EVALUATED = Instrument(
    "groundwire_gate_evaluated_timestamp_seconds", "gauge", "Time of the last evaluation of a gate.", ("gate",)
)
GATE_EVIDENCE = Instrument(
    "groundwire_gate_evidence_timestamp_seconds",
    "gauge",
    "Everything that arrived before this time has been scored and counted by the gate.",
    ("gate",),
)
GATE_AHEAD = Instrument(
    "groundwire_gate_ahead_seconds",
    "gauge",
    "How far a gate's newest evidence is ahead of the system clock; new answers do not count until it catches up.",
    ("gate",),
)
GATE_REDATED = Instrument(
    "groundwire_gate_redated_total",
    "counter",
    "Evaluations recorded while the system clock was ahead; they count at the time of the newest one before them.",
    ("gate",),
)
GATE_DECISIONS = Instrument(
    "groundwire_gate_decisions_total", "counter", "Verdict changes written to the decision log.", ("gate", "state")
)
VERIFICATIONS = Instrument(
    "groundwire_rollback_verifications_total",
    "counter",
    "Slices checked after a rollback, by outcome: recovered, not recovered, not enough answers yet.",
    ("gate", "outcome"),
)
CHANGES = Instrument(
    "groundwire_changes_total",
    "counter",
    "Changes recorded in the ledger, by kind and source: announced, observed in answers, or read from the catalog.",
    ("kind", "source"),
)
CHANGES_DROPPED = Instrument(
    "groundwire_changes_dropped_total",
    "counter",
    "Changes observed in answers and dropped because too many were observed within a minute.",
)
BOOSTS = Instrument("groundwire_boosts", "gauge", "Recent changes for which sampling is currently raised.")
LATE_DRAWN = Instrument(
    "groundwire_late_drawn_total",
    "counter",
    "Stored answers added to the sample after a change. Gates and rag_* series exclude them.",
)

BUILD_INFO = Instrument("groundwire_build_info", "info", "Version of the running agent.", ("version",))
REQUESTS = Instrument(
    "groundwire_receive_requests_total",
    "counter",
    "Export requests, by protocol and response code.",
    ("protocol", "code"),
)
RECEIVED_SPANS = Instrument(
    "groundwire_receive_spans_total", "counter", "Spans stored and acknowledged.", ("protocol",)
)
REJECTED_SPANS = Instrument(
    "groundwire_receive_rejected_spans_total",
    "counter",
    "Spans rejected or sampled out on arrival, by reason.",
    ("protocol", "reason"),
)
RECEIVED_LOG_RECORDS = Instrument(
    "groundwire_receive_log_records_total",
    "counter",
    "Log records of model calls, stored as span events and acknowledged.",
    ("protocol",),
)
DROPPED_LOG_RECORDS = Instrument(
    "groundwire_receive_dropped_log_records_total",
    "counter",
    "Log records not stored, by reason. Most log records are not about a model call.",
    ("protocol", "reason"),
)
RECEIVED_BYTES = Instrument(
    "groundwire_receive_bytes_total", "counter", "Bytes of export requests, after decompression.", ("protocol",)
)
QUEUE_BYTES = Instrument("groundwire_receive_queue_bytes", "gauge", "Bytes received and not yet committed.")
QUEUE_LIMIT = Instrument(
    "groundwire_receive_queue_limit_bytes",
    "gauge",
    "Limit of groundwire_receive_queue_bytes; beyond it senders are told to retry.",
)
COMMIT_SECONDS = Instrument(
    "groundwire_receive_commit_seconds",
    "histogram",
    "Time to commit one group of requests.",
    (),
    False,
    SECONDS,
)
SOURCE_REQUESTS = Instrument(
    "groundwire_source_requests_total",
    "counter",
    "Fetches from a source, by outcome: ok, rate limited, unreachable, internal error.",
    ("source", "outcome"),
)
SOURCE_SPANS = Instrument(
    "groundwire_source_spans_total", "counter", "Spans fetched from a source and stored.", ("source",)
)
SOURCE_ANSWERS = Instrument(
    "groundwire_source_answers_total", "counter", "Answers read from a source and stored.", ("source",)
)
SOURCE_MALFORMED = Instrument(
    "groundwire_source_malformed_total", "counter", "Records of a source that could not be parsed.", ("source",)
)
SOURCE_UP = Instrument(
    "groundwire_source_up", "gauge", "Whether the last fetch from a source succeeded: 1 yes, 0 no.", ("source",)
)
SOURCE_SUCCESS = Instrument(
    "groundwire_source_success_timestamp_seconds",
    "gauge",
    "Time of the last successful fetch from a source; the start of the agent if there was none.",
    ("source",),
)
WRITE_BACK_ITEMS = Instrument(
    "groundwire_write_back_items_total",
    "counter",
    "Scores and verdicts sent to a write-back target, by outcome: written, unknown span, rejected, skipped, failed.",
    ("target", "outcome"),
)
WRITE_BACK_UP = Instrument(
    "groundwire_write_back_up",
    "gauge",
    "Whether the last write to a write-back target succeeded: 1 yes, 0 no.",
    ("target",),
)
WRITE_BACK_PENDING = Instrument(
    "groundwire_write_back_pending", "gauge", "Evaluations waiting to be written to a write-back target.", ("target",)
)
WRITE_BACK_LAG = Instrument(
    "groundwire_write_back_lag_seconds",
    "gauge",
    "Age of the oldest evaluation not yet sent to a write-back target.",
    ("target",),
)
NOTIFICATIONS = Instrument(
    "groundwire_notifications_total",
    "counter",
    "Notifications, by outcome: sent, rejected by the receiver, expired before delivery, skipped by configuration.",
    ("target", "outcome"),
)
NOTIFY_UP = Instrument(
    "groundwire_notify_up",
    "gauge",
    "Whether the last notification to a receiver was delivered: 1 yes, 0 no.",
    ("target",),
)
NOTIFY_LAG = Instrument(
    "groundwire_notify_lag_seconds",
    "gauge",
    "Age of the oldest decision not yet delivered; 0 if none is waiting.",
    ("target",),
)
ROLLBACKS = Instrument(
    "groundwire_rollback_requests_total",
    "counter",
    "Failures that could trigger a rollback, by outcome: requested, dry run, or the reason it was not requested.",
    ("target", "outcome"),
)
TRACES = Instrument("groundwire_traces_total", "counter", "Traces adapted, by outcome.", ("outcome",))
TRACES_REOPENED = Instrument(
    "groundwire_traces_reopened_total", "counter", "Traces adapted again because late spans arrived."
)
DUPLICATE_SPANS = Instrument("groundwire_duplicate_spans_total", "counter", "Duplicate spans discarded.")
SPANS_READ = Instrument(
    "groundwire_spans_total",
    "counter",
    'Spans of adapted traces, by dialect; "none" for application spans and unknown instrumentations.',
    ("dialect",),
)
MALFORMED = Instrument(
    "groundwire_malformed_total", "counter", "Records that could not be parsed, by reason.", ("reason",)
)
PENDING = Instrument("groundwire_pending", "gauge", "Items waiting at a pipeline stage.", ("stage",))
LAG = Instrument("groundwire_lag_seconds", "gauge", "Age of the oldest item waiting at a pipeline stage.", ("stage",))
STEP_SECONDS = Instrument(
    "groundwire_step_seconds",
    "histogram",
    "Time to process one batch at a pipeline stage.",
    ("stage",),
    False,
    SECONDS,
)
STEP_ERRORS = Instrument(
    "groundwire_step_errors_total",
    "counter",
    "Failures of a pipeline stage, by kind of error.",
    ("stage", "kind"),
)
SCORER_SECONDS = Instrument(
    "groundwire_scorer_seconds", "histogram", "Time to compute one metric for one answer.", ("metric",), False, SECONDS
)
SLICE_OVERFLOW = Instrument(
    "groundwire_slice_overflow_total",
    "counter",
    "Answers whose value for a slice dimension was replaced by __other__ because the dimension has too many values.",
    ("dimension",),
)
LATE_REVISIONS = Instrument(
    "groundwire_late_revisions_total",
    "counter",
    "Evaluations of later revisions of an answer, which gates do not count again.",
)
CATALOG_DOCUMENTS = Instrument("groundwire_catalog_documents", "gauge", "Documents in the active catalog.")
CATALOG_LOADED = Instrument(
    "groundwire_catalog_loaded_timestamp_seconds", "gauge", "Time at which the active catalog was loaded."
)
CATALOG_ERRORS = Instrument("groundwire_catalog_errors_total", "counter", "Catalog files rejected because of errors.")
CATALOG_CHANGES = Instrument(
    "groundwire_catalog_changes_total",
    "counter",
    "Catalog changes, by kind: entries added, removed or changed, and versions superseded.",
    ("kind",),
)
CATALOG_LEARNED = Instrument(
    "groundwire_catalog_learned_documents", "gauge", "Catalog entries learned from passage metadata."
)
STORE_BYTES = Instrument("groundwire_store_bytes", "gauge", "Size of the store on disk.")
STORE_FREE_BYTES = Instrument(
    "groundwire_store_free_bytes",
    "gauge",
    "Bytes the store can still use: free on disk, or free within the database.",
    ("kind",),
)
STORE_RESERVE_BYTES = Instrument(
    "groundwire_store_reserve_bytes",
    "gauge",
    "Disk space reserved so that the store can start and prune on a full disk; 0 while the reserve is in use.",
)
STORE_LOG_BYTES = Instrument(
    "groundwire_store_log_bytes", "gauge", "Size of the write-ahead log. It grows while a reader stays open."
)
STORE_WRITABLE = Instrument("groundwire_store_writable", "gauge", "Whether the store is writable: 1 yes, 0 no.")
STORE_CORRUPT = Instrument(
    "groundwire_store_corrupt",
    "gauge",
    "Whether corruption was found in the database since the agent started: 1 yes, 0 no.",
)
STORE_REWOUND = Instrument(
    "groundwire_store_rewound",
    "gauge",
    "Whether the store has lost rows and the loss has not been acknowledged: 1 yes, 0 no.",
)
STORE_CHECKED = Instrument(
    "groundwire_store_checked_timestamp_seconds",
    "gauge",
    "Time of the last full integrity check of the database; 0 if there was none since the agent started.",
)
PRUNED = Instrument("groundwire_pruned_rows_total", "counter", "Rows deleted by retention.", ("table",))

QUALITY: tuple[Instrument, ...] = (
    ANSWERS,
    ANSWERS_SAMPLED,
    ANSWERS_SCORED,
    ANSWERS_FAILED,
    UNSCORED,
    WEIGHTED_SCORES,
    WEIGHTED_ANSWERS,
    ANSWER_LATENCY,
    ANSWER_TOKENS,
)
GATES: tuple[Instrument, ...] = (
    GATE_STATE,
    GATE_CANDIDATE_STATE,
    GATE_SLICE_STATE,
    GATE_ESTIMATE,
    GATE_LOWER,
    GATE_UPPER,
    GATE_ANSWERS,
    GATE_EVALUATED,
    GATE_EVIDENCE,
    GATE_AHEAD,
    GATE_REDATED,
    GATE_DECISIONS,
    VERIFICATIONS,
    CHANGES,
    CHANGES_DROPPED,
    BOOSTS,
    LATE_DRAWN,
)
HEALTH: tuple[Instrument, ...] = (
    BUILD_INFO,
    REQUESTS,
    RECEIVED_SPANS,
    REJECTED_SPANS,
    RECEIVED_LOG_RECORDS,
    DROPPED_LOG_RECORDS,
    RECEIVED_BYTES,
    QUEUE_BYTES,
    QUEUE_LIMIT,
    COMMIT_SECONDS,
    SOURCE_REQUESTS,
    SOURCE_SPANS,
    SOURCE_ANSWERS,
    SOURCE_MALFORMED,
    SOURCE_UP,
    SOURCE_SUCCESS,
    WRITE_BACK_ITEMS,
    WRITE_BACK_UP,
    WRITE_BACK_PENDING,
    WRITE_BACK_LAG,
    NOTIFICATIONS,
    NOTIFY_UP,
    NOTIFY_LAG,
    ROLLBACKS,
    TRACES,
    TRACES_REOPENED,
    DUPLICATE_SPANS,
    SPANS_READ,
    MALFORMED,
    PENDING,
    LAG,
    STEP_SECONDS,
    STEP_ERRORS,
    SCORER_SECONDS,
    SLICE_OVERFLOW,
    LATE_REVISIONS,
    CATALOG_DOCUMENTS,
    CATALOG_LOADED,
    CATALOG_ERRORS,
    CATALOG_CHANGES,
    CATALOG_LEARNED,
    STORE_BYTES,
    STORE_FREE_BYTES,
    STORE_RESERVE_BYTES,
    STORE_LOG_BYTES,
    STORE_WRITABLE,
    STORE_CORRUPT,
    STORE_REWOUND,
    STORE_CHECKED,
    PRUNED,
)


DISTRIBUTIONS = dict(zip(TRAFFIC, (ANSWER_LATENCY, ANSWER_TOKENS), strict=True))
"""Of all answers, by the name under which the configuration chooses them."""


def all_instruments(metrics: Iterable[Metric], exposure: Exposure | None = None) -> tuple[Instrument, ...]:
    """Return every instrument the agent exposes when these metrics are scored, by default without choices."""
    chosen = exposure or Exposure()
    by_slice = {each for name, each in DISTRIBUTIONS.items() if chosen.distribution(name)}
    return (
        *(replace(each, sliced=True) if each in by_slice else each for each in QUALITY),
        *(quality_instrument(metric, sliced=chosen.distribution(metric.name)) for metric in metrics),
        *GATES,
        *HEALTH,
    )
