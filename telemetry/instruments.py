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


ANSWERS = Instrument(
    "rag_answers_total", "counter", "Answers adapted from traces: all traffic eligible for scoring.", sliced=True
)
ANSWERS_SAMPLED = Instrument(
    "rag_answers_sampled_total", "counter", "Answers drawn for scoring by the sampling policy.", sliced=True
)
ANSWERS_SCORED = Instrument(
    "rag_answers_scored_total", "counter", "Answers on which the panel of scorers has run.", sliced=True
)
ANSWERS_FAILED = Instrument(
    "rag_answers_failed_total", "counter", "Answers whose request ended in an error.", sliced=True
)
UNSCORED = Instrument(
    "rag_unscored_total",
    "counter",
    "Sampled answers without a value of a metric, by the reason why there is none. Faults of scoring have no slice.",
    ("metric", "reason"),
    sliced=True,
)
WEIGHTED_SCORES = Instrument(
    "rag_weighted_scores_total",
    "counter",
    "Sum of value over inclusion probability; over rag_weighted_answers_total it is the mean over all traffic.",
    ("metric",),
    sliced=True,
)
WEIGHTED_ANSWERS = Instrument(
    "rag_weighted_answers_total",
    "counter",
    "Sum of one over inclusion probability of scored answers.",
    ("metric",),
    sliced=True,
)
ANSWER_LATENCY = Instrument(
    "rag_answer_duration_seconds",
    "histogram",
    "Time from request to complete answer, of all answers.",
    (),
    False,
    SECONDS,
)
ANSWER_TOKENS = Instrument(
    "rag_answer_tokens", "histogram", "Tokens of all model calls of an answer, where reported.", (), False, TOKENS
)
GATE_STATE = Instrument(
    "groundwire_gate_state",
    "gauge",
    "Verdict of a gate over all its slices: 1 pass, 0 inconclusive, -1 fail.",
    ("gate",),
)
GATE_CANDIDATE_STATE = Instrument(
    "groundwire_gate_candidate_state",
    "gauge",
    "Verdict of a gate over the release it judges, named by its version: 1 pass, 0 inconclusive, -1 fail.",
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
    "groundwire_gate_estimate", "gauge", "Weighted mean a gate judges, in the metric's unit.", ("gate",), sliced=True
)
GATE_LOWER = Instrument(
    "groundwire_gate_lower", "gauge", "Lower confidence bound of the estimate.", ("gate",), sliced=True
)
GATE_UPPER = Instrument(
    "groundwire_gate_upper", "gauge", "Upper confidence bound of the estimate.", ("gate",), sliced=True
)
GATE_ANSWERS = Instrument(
    "groundwire_gate_answers", "gauge", "Scored answers a gate's verdict on a slice stands on.", ("gate",), sliced=True
)
GATE_EVALUATED = Instrument(
    "groundwire_gate_evaluated_timestamp_seconds", "gauge", "When a gate was last judged.", ("gate",)
)
GATE_EVIDENCE = Instrument(
    "groundwire_gate_evidence_timestamp_seconds",
    "gauge",
    "Up to when what arrived has been scored and counted by a gate; nothing older waits.",
    ("gate",),
)
GATE_AHEAD = Instrument(
    "groundwire_gate_ahead_seconds",
    "gauge",
    "How far a gate's newest evidence lies after the clock, because that was set back; until then it counts no more.",
    ("gate",),
)
GATE_REDATED = Instrument(
    "groundwire_gate_redated_total",
    "counter",
    "Evaluations recorded while the clock was ahead; they count as of the newest before them.",
    ("gate",),
)
GATE_DECISIONS = Instrument(
    "groundwire_gate_decisions_total", "counter", "Verdict changes appended to the decision log.", ("gate", "state")
)
VERIFICATIONS = Instrument(
    "groundwire_rollback_verifications_total",
    "counter",
    "Slices looked at after a change was taken back: recovered, not recovered, or not enough answers yet.",
    ("gate", "outcome"),
)
CHANGES = Instrument(
    "groundwire_changes_total",
    "counter",
    "Rows of the change ledger, by what changed and who said it: somebody, an answer, or the catalog.",
    ("kind", "source"),
)
CHANGES_DROPPED = Instrument(
    "groundwire_changes_dropped_total",
    "counter",
    "Changes that answers showed and that were not recorded: more than a minute admits.",
)
BOOSTS = Instrument("groundwire_boosts", "gauge", "Changes for which more answers are sampled now.")
LATE_DRAWN = Instrument(
    "groundwire_late_drawn_total",
    "counter",
    "Stored answers drawn into the sample after a change; gates and rag_* series leave them out.",
)

BUILD_INFO = Instrument("groundwire_build_info", "info", "Version of the running agent.", ("version",))
REQUESTS = Instrument(
    "groundwire_receive_requests_total",
    "counter",
    "Export requests by protocol and response code.",
    ("protocol", "code"),
)
RECEIVED_SPANS = Instrument(
    "groundwire_receive_spans_total", "counter", "Spans acknowledged, after they were durable.", ("protocol",)
)
REJECTED_SPANS = Instrument(
    "groundwire_receive_rejected_spans_total",
    "counter",
    "Spans refused or thinned at the door.",
    ("protocol", "reason"),
)
RECEIVED_LOG_RECORDS = Instrument(
    "groundwire_receive_log_records_total",
    "counter",
    "Log records about a model call acknowledged, after they were durable as events of its span.",
    ("protocol",),
)
DROPPED_LOG_RECORDS = Instrument(
    "groundwire_receive_dropped_log_records_total",
    "counter",
    "Log records not stored, by reason: most that an application logs is about no model call.",
    ("protocol", "reason"),
)
RECEIVED_BYTES = Instrument(
    "groundwire_receive_bytes_total", "counter", "Bytes of export requests after decompression.", ("protocol",)
)
QUEUE_BYTES = Instrument("groundwire_receive_queue_bytes", "gauge", "Bytes received and waiting for their commit.")
QUEUE_LIMIT = Instrument(
    "groundwire_receive_queue_limit_bytes", "gauge", "Bytes that may wait before senders are told to retry."
)
COMMIT_SECONDS = Instrument(
    "groundwire_receive_commit_seconds",
    "histogram",
    "Time to append and commit one group of requests.",
    (),
    False,
    SECONDS,
)
SOURCE_REQUESTS = Instrument(
    "groundwire_source_requests_total",
    "counter",
    "Looks at a source, by what came of them: ok, asked to wait, unreachable, or an error of ours.",
    ("source", "outcome"),
)
SOURCE_SPANS = Instrument("groundwire_source_spans_total", "counter", "Spans stored from a source.", ("source",))
SOURCE_ANSWERS = Instrument(
    "groundwire_source_answers_total", "counter", "Answers stored from a source's lines.", ("source",)
)
SOURCE_MALFORMED = Instrument(
    "groundwire_source_malformed_total", "counter", "Records of a source that could not be read.", ("source",)
)
SOURCE_UP = Instrument(
    "groundwire_source_up", "gauge", "Whether the last look at a source worked: 1 yes, 0 no.", ("source",)
)
SOURCE_SUCCESS = Instrument(
    "groundwire_source_success_timestamp_seconds",
    "gauge",
    "When a source was last looked at with success; the start of the agent until then.",
    ("source",),
)
WRITE_BACK_ITEMS = Instrument(
    "groundwire_write_back_items_total",
    "counter",
    "Scores and verdicts for a target: written, of an unknown span, rejected by it, skipped, or failed.",
    ("target", "outcome"),
)
WRITE_BACK_UP = Instrument(
    "groundwire_write_back_up",
    "gauge",
    "Whether the last attempt to write to a target worked: 1 yes, 0 no.",
    ("target",),
)
WRITE_BACK_PENDING = Instrument(
    "groundwire_write_back_pending", "gauge", "Evaluations that wait to be written to a target.", ("target",)
)
WRITE_BACK_LAG = Instrument(
    "groundwire_write_back_lag_seconds",
    "gauge",
    "Age of the oldest evaluation that was not tried on a target yet.",
    ("target",),
)
NOTIFICATIONS = Instrument(
    "groundwire_notifications_total",
    "counter",
    "News for a notifier: sent, rejected by its receiver, expired before it could be sent, or skipped: not asked for.",
    ("target", "outcome"),
)
NOTIFY_UP = Instrument(
    "groundwire_notify_up", "gauge", "Whether the last attempt to notify a receiver worked: 1 yes, 0 no.", ("target",)
)
NOTIFY_LAG = Instrument(
    "groundwire_notify_lag_seconds",
    "gauge",
    "Age of the decision that a notifier is about to tell; 0: none waits.",
    ("target",),
)
ROLLBACKS = Instrument(
    "groundwire_rollback_requests_total",
    "counter",
    "Failures for which a roll-back could be requested: requested, only in a dry run, or why not.",
    ("target", "outcome"),
)
TRACES = Instrument("groundwire_traces_total", "counter", "Traces adapted, by what came of them.", ("outcome",))
TRACES_REOPENED = Instrument(
    "groundwire_traces_reopened_total", "counter", "Traces adapted again because of late spans."
)
DUPLICATE_SPANS = Instrument("groundwire_duplicate_spans_total", "counter", "Copies of spans that were stored already.")
SPANS_READ = Instrument(
    "groundwire_spans_total",
    "counter",
    "Spans of adapted traces, by the dialect that read them; none: the application's own, or of an unknown dialect.",
    ("dialect",),
)
MALFORMED = Instrument("groundwire_malformed_total", "counter", "Records that could not be read.", ("reason",))
PENDING = Instrument("groundwire_pending", "gauge", "Work waiting at a stage of the pipeline.", ("stage",))
LAG = Instrument(
    "groundwire_lag_seconds", "gauge", "Age of the oldest work waiting at a stage of the pipeline.", ("stage",)
)
STEP_SECONDS = Instrument(
    "groundwire_step_seconds",
    "histogram",
    "Time one batch took in a stage of the pipeline.",
    ("stage",),
    False,
    SECONDS,
)
STEP_ERRORS = Instrument(
    "groundwire_step_errors_total",
    "counter",
    "Failures in a stage of the pipeline, by kind of error.",
    ("stage", "kind"),
)
SCORER_SECONDS = Instrument(
    "groundwire_scorer_seconds", "histogram", "Time a scorer took for one answer.", ("metric",), False, SECONDS
)
SLICE_OVERFLOW = Instrument(
    "groundwire_slice_overflow_total",
    "counter",
    "Answers whose value of a dimension went to __other__.",
    ("dimension",),
)
LATE_REVISIONS = Instrument(
    "groundwire_late_revisions_total", "counter", "Evaluations of later revisions, which no gate folds again."
)
CATALOG_DOCUMENTS = Instrument("groundwire_catalog_documents", "gauge", "Documents in the catalog in force.")
CATALOG_LOADED = Instrument(
    "groundwire_catalog_loaded_timestamp_seconds", "gauge", "When the catalog in force was loaded."
)
CATALOG_ERRORS = Instrument("groundwire_catalog_errors_total", "counter", "Catalog files that were refused.")
CATALOG_CHANGES = Instrument(
    "groundwire_catalog_changes_total",
    "counter",
    "Entries of the catalog that were added, removed or changed, and versions that were superseded.",
    ("kind",),
)
CATALOG_LEARNED = Instrument(
    "groundwire_catalog_learned_documents", "gauge", "Entries learned from the metadata of passages."
)
STORE_BYTES = Instrument("groundwire_store_bytes", "gauge", "Size of the store on disk.")
STORE_FREE_BYTES = Instrument(
    "groundwire_store_free_bytes",
    "gauge",
    "Bytes the store can still take: free on its disk, or free within the database.",
    ("kind",),
)
STORE_RESERVE_BYTES = Instrument(
    "groundwire_store_reserve_bytes",
    "gauge",
    "Disk space put aside so that the store can start and prune on a full disk; 0 while it is given up.",
)
STORE_LOG_BYTES = Instrument(
    "groundwire_store_log_bytes", "gauge", "Size of the write-ahead log; a reader that never ends lets it grow."
)
STORE_WRITABLE = Instrument("groundwire_store_writable", "gauge", "Whether the store can be written: 1 yes, 0 no.")
STORE_CORRUPT = Instrument(
    "groundwire_store_corrupt", "gauge", "Whether the database was found corrupt since the agent started: 1 yes, 0 no."
)
STORE_REWOUND = Instrument(
    "groundwire_store_rewound",
    "gauge",
    "Whether rows are missing that the store once had, and nobody has acknowledged that: 1 yes, 0 no.",
)
STORE_CHECKED = Instrument(
    "groundwire_store_checked_timestamp_seconds",
    "gauge",
    "When the whole database was last checked for corruption; 0: not since the agent started.",
)
PRUNED = Instrument("groundwire_pruned_rows_total", "counter", "Rows removed by retention.", ("table",))

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
