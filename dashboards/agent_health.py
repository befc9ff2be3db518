"""The board of the agent's own health: receiving, pipeline, store, and what it reads and writes elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dashboards.panel import NO_PARTS, Board, Panel, PanelRow, Query, quantile_queries, rate_query
from dashboards.promql import RATE_INTERVAL, age, highest, increase, lowest, quantile, share, total
from telemetry import instruments as i
from telemetry.exposure import OptionalPart


def agent_health(parts: Collection[OptionalPart] = NO_PARTS) -> Board:
    """Return the board, with panels about the ``parts`` that are configured."""
    rows = (
        PanelRow("Receiving", tuple(_receiving())),
        PanelRow("Pipeline", tuple(_pipeline())),
        PanelRow("Store and series", tuple(_store())),
        PanelRow("Other tools", tuple(_links())),
    )
    drawn = tuple(
        PanelRow(row.title, tuple(panel for panel in row.panels if panel.part is None or panel.part in parts))
        for row in rows
    )
    return Board(
        name="agent",
        title="Groundwire: agent health",
        description="Whether the agent receives, scores, judges and stores, and how far it is behind.",
        rows=tuple(row for row in drawn if row.panels),
    )


def _receiving() -> Iterator[Panel]:
    version = total(["version"], i.BUILD_INFO.name, operator="count")
    yield Panel("Agents", "Running agents, by version.", "count", (Query(version, "{{version}}"),), "value")
    yield Panel(
        "Spans",
        "Spans per second: stored, by protocol; rejected or sampled out, by reason.",
        "per_second",
        (rate_query(i.RECEIVED_SPANS, "protocol"), rate_query(i.REJECTED_SPANS, "reason", prefix="rejected: ")),
    )
    yield Panel("Requests", i.REQUESTS.help, "per_second", (rate_query(i.REQUESTS, "protocol", "code"),))
    fill = total([], share(i.QUEUE_BYTES.name, i.QUEUE_LIMIT.name), operator="max")
    yield Panel(
        "Receive queue",
        "Share of the receive queue in use. When it is full, senders are told to retry.",
        "ratio",
        (Query(fill, "in use"),),
        bounds=(0.0, 1.0),
    )
    yield Panel("Commit time", i.COMMIT_SECONDS.help, "seconds", quantile_queries(i.COMMIT_SECONDS))
    yield Panel(
        "Sources",
        "Spans and answers fetched from sources per second, and records that could not be parsed.",
        "per_second",
        (
            rate_query(i.SOURCE_SPANS, "source", suffix=": spans"),
            rate_query(i.SOURCE_ANSWERS, "source", suffix=": answers"),
            rate_query(i.SOURCE_MALFORMED, "source", suffix=": malformed"),
        ),
        part="sources",
    )
    yield Panel(
        "Last successful fetch",
        "Time since each source was last fetched successfully, even if nothing was new.",
        "seconds",
        (Query(age(lowest(["source"], i.SOURCE_SUCCESS)), "{{source}}"),),
        part="sources",
    )


def _pipeline() -> Iterator[Panel]:
    yield Panel("Backlog", i.PENDING.help, "count", (Query(total(["stage"], i.PENDING.name), "{{stage}}"),))
    yield Panel("Pipeline lag", i.LAG.help, "seconds", (Query(highest(["stage"], i.LAG), "{{stage}}"),))
    batch = Query(quantile(0.95, i.STEP_SECONDS, ["stage"]), "{{stage}}")
    yield Panel("Batch time, p95", i.STEP_SECONDS.help, "seconds", (batch,))
    yield Panel("Stage failures", i.STEP_ERRORS.help, "per_second", (rate_query(i.STEP_ERRORS, "stage", "kind"),))
    scorer = Query(quantile(0.95, i.SCORER_SECONDS, ["metric"]), "{{metric}}")
    yield Panel("Scorer time, p95", i.SCORER_SECONDS.help, "seconds", (scorer,))
    yield Panel(
        "Traces",
        "Traces adapted per second, by outcome, and records that could not be parsed, by reason.",
        "per_second",
        (rate_query(i.TRACES, "outcome"), rate_query(i.MALFORMED, "reason", prefix="malformed: ")),
    )
    yield Panel(
        "Late and duplicate data",
        "Per second: traces reopened by late spans, duplicate spans, and evaluations of later revisions.",
        "per_second",
        (
            rate_query(i.TRACES_REOPENED, suffix="traces reopened"),
            rate_query(i.DUPLICATE_SPANS, suffix="duplicate spans"),
            rate_query(i.LATE_REVISIONS, suffix="late revisions"),
        ),
    )
    yield Panel("Spans by dialect", i.SPANS_READ.help, "per_second", (rate_query(i.SPANS_READ, "dialect"),))
    yield Panel("Unread spans by scope", i.UNREAD_SPANS.help, "per_second", (rate_query(i.UNREAD_SPANS, "scope"),))


def _store() -> Iterator[Panel]:
    yield Panel("Store size", i.STORE_BYTES.help, "bytes", (Query(total([], i.STORE_BYTES.name), "on disk"),))
    slices = Query(highest([], i.EXPOSED_SLICES), "slices")
    limit = Query(highest([], i.EXPOSED_SLICES_LIMIT), "limit of slices")
    series = Query(highest([], i.EXPOSED_SERIES), "series")
    said = "Series that an agent exposes, and slices that have series of their own."
    yield Panel("Series", said, "count", (series, slices, limit))
    documents = highest([], i.CATALOG_DOCUMENTS)
    rejected = total([], increase(i.CATALOG_ERRORS, RATE_INTERVAL))
    yield Panel(
        "Catalog",
        "Documents in the active catalog, and catalog files rejected because of errors.",
        "count",
        (Query(documents, "documents"), Query(rejected, "rejected files")),
    )
    lag = highest(["listing", "kind"], i.INDEX_LAG)
    yield Panel("Index lag", i.INDEX_LAG.help, "count", (Query(lag, "{{listing}}: {{kind}}"),), part="listings")


def _links() -> Iterator[Panel]:
    items = (rate_query(i.WRITE_BACK_ITEMS, "target", "outcome"),)
    yield Panel("Write-back", i.WRITE_BACK_ITEMS.help, "per_second", items, part="write_back")
    waiting = (Query(highest(["target"], i.WRITE_BACK_LAG), "{{target}}"),)
    yield Panel("Write-back lag", i.WRITE_BACK_LAG.help, "seconds", waiting, part="write_back")
    sent = total(["target", "outcome"], increase(i.NOTIFICATIONS, "1h"))
    rollbacks = total(["outcome"], increase(i.ROLLBACKS, "1h"))
    yield Panel(
        "Notifications per hour",
        "Notifications by receiver and outcome, and failures that could trigger a rollback, in the last hour.",
        "count",
        (Query(sent, "{{target}}: {{outcome}}"), Query(rollbacks, "rollback: {{outcome}}", quiet=True)),
        part="notify",
    )
