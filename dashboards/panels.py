"""What the overview board shows, as data: rows of panels, each with its queries. `dashboards.boards` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dashboards.promql import (
    ANY,
    RATE_INTERVAL,
    age,
    chosen,
    highest,
    increase,
    lowest,
    mean,
    quantile,
    rate,
    share,
    total,
)
from gates.base.gate import Gate
from gates.objective import ObjectiveGate
from gates.units.duration import format_duration
from scorers.base import Metric, Unit
from telemetry import instruments as i
from telemetry.exposure import TRAFFIC, Exposure
from telemetry.instrument import Instrument, exposed_unit, quality_instrument

Visualization = Literal["series", "verdict", "verdict_history", "value"]
PanelUnit = Unit | Literal["bytes", "count", "per_second", "verdict"]

FAMILIES = (
    "composite",
    "diagnosis",
    "retrieval",
    "grounding",
    "freshness",
    "conflict",
    "safety",
    "efficiency",
    "external",
)


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a panel."""

    expr: str
    legend: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel: what it shows, in which ``unit``, and how it is drawn. ``limit`` is drawn as a line.

    An ``optional`` panel is about a part of the agent that need not be configured.
    """

    title: str
    description: str
    unit: PanelUnit
    queries: tuple[Query, ...]
    visualization: Visualization = "series"
    width: int = 12
    limit: float | None = None
    bounds: tuple[float, float] | None = None
    min_interval: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A titled row of panels."""

    title: str
    panels: tuple[Panel, ...] = field(default=())


def overview(
    dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate], exposure: Exposure | None = None
) -> tuple[PanelRow, ...]:
    """Return the rows of the overview board, top to bottom: verdicts, quality, coverage, the agent's own health.

    ``exposure`` says what is exposed; by default every metric, its distribution over all traffic.
    """
    exposed = exposure or Exposure()
    return (
        PanelRow("Verdicts", tuple(_verdicts(dimensions, metrics, gates))),
        *_quality(dimensions, metrics, exposed),
        PanelRow("Coverage", tuple(_coverage(dimensions, exposed))),
        PanelRow("Agent", tuple(_agent())),
    )


def legend(names: Iterable[str], *, none: str = "all traffic") -> str:
    """Return a legend of these labels.

    >>> legend(["domain", "region"]), legend([])
    ('{{domain}} {{region}}', 'all traffic')
    """
    return " ".join(f"{{{{{name}}}}}" for name in names) or none


def _verdicts(dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate]) -> Iterator[Panel]:
    state = (Query(lowest(["gate"], i.GATE_STATE), "{{gate}}"),)
    by_slice = lowest(["gate", *dimensions], i.GATE_SLICE_STATE, chosen(dimensions))
    evaluated = age(highest(["gate"], i.GATE_EVALUATED))
    yield Panel("Gates", "Current verdict of each gate.", "verdict", state, "verdict")
    yield Panel(
        "Last evaluated",
        "Time since each gate was last evaluated. After 5 minutes its verdict is stale.",
        "seconds",
        (Query(evaluated, "{{gate}}"),),
        "value",
    )
    yield Panel("Verdicts", "Verdict of each gate over time.", "verdict", state, "verdict_history")
    yield Panel(
        "Verdicts by slice",
        "Verdict of each gate on each slice that it judges separately.",
        "verdict",
        (Query(by_slice, legend(["gate", *dimensions])),),
        "verdict_history",
    )
    for gate in gates:
        yield _evidence(gate, dimensions, metrics)
        if isinstance(gate, ObjectiveGate):
            yield from _budget(gate, dimensions)
    changes = Query(total(["gate", "state"], increase(i.GATE_DECISIONS, RATE_INTERVAL)), "{{gate}} to {{state}}")
    yield Panel("Verdict changes", i.GATE_DECISIONS.help, "count", (changes,))


def _evidence(gate: Gate, dimensions: Sequence[str], metrics: Sequence[Metric]) -> Panel:
    judged = metrics if gate.estimates_metric else ()
    by = gate.dimensions
    pairs = {"gate": f'="{gate.name}"', **chosen(dimensions)}
    shown = ((i.GATE_ESTIMATE, "estimate"), (i.GATE_LOWER, "lower bound"), (i.GATE_UPPER, "upper bound"))
    return Panel(
        f"Evidence of {gate.name}",
        f"Estimate and confidence bounds of {', '.join(sorted(gate.metrics))}, by slice. A slice passes or fails once "
        "both bounds are on the same side of the limit.",
        next((metric.unit for metric in judged if metric.name in gate.metrics), "ratio"),
        tuple(Query(highest(by, instrument, pairs), f"{legend(by)} {name}") for instrument, name in shown),
        limit=gate.limit,
    )


def _budget(gate: ObjectiveGate, dimensions: Sequence[str]) -> Iterator[Panel]:
    pairs = {"gate": f'="{gate.name}"', **chosen(dimensions)}
    by = gate.dimensions
    yield Panel(
        f"Error budget left of {gate.name}",
        f"Share of the error budget that is left of the last {format_duration(gate.period)}, by slice. At 0 it is"
        " spent. Without answers it stays as it was.",
        "ratio",
        (Query(lowest(by, i.BUDGET_LEFT, pairs), legend(by)),),
        limit=0.0,
    )
    yield Panel(
        f"Burn rate of {gate.name}",
        "How fast the error budget of the worst slice burns, by window; at 1 it lasts its period. It pages at 14.4 over"
        " 1h and 5m or at 6 over 6h and 30m, and is a ticket at 3 over 1d and 2h or at 1 over 3d and 6h.",
        "count",
        (Query(highest(["window"], i.BURN_RATE, pairs), "{{window}}"),),
    )


def _quality(dimensions: Sequence[str], metrics: Sequence[Metric], exposure: Exposure) -> Iterator[PanelRow]:
    for family in FAMILIES:
        panels = tuple(
            panel
            for metric in metrics
            if metric.family == family and exposure.metric(metric.name)
            for panel in (
                _mean(dimensions, metric),
                _distribution(dimensions if exposure.distribution(metric.name) else (), metric),
            )
        )
        if panels:
            yield PanelRow(f"Quality: {family}", panels)


ALL_SLICES = "Covers all slices; the slice variables do not apply."
"""Said of a panel whose series are not exposed for each slice."""


def _said(metric: Metric) -> str:
    return metric.name.replace("_", " ").replace(".", ": ")


def _mean(dimensions: Sequence[str], metric: Metric) -> Panel:
    pairs = {"metric": f'="{metric.name}"', **chosen(dimensions)}
    return Panel(
        f"{_said(metric)}: mean",
        f"{metric.help} Mean by slice, weighted by inclusion probability. {metric.better.capitalize()} is better.",
        metric.unit,
        (Query(mean(dimensions, RATE_INTERVAL, pairs), legend(dimensions)),),
        bounds=(metric.lower, metric.upper) if metric.upper is not None else None,
        min_interval="5m",
    )


def _distribution(dimensions: Sequence[str], metric: Metric) -> Panel:
    unit, size = exposed_unit(metric)
    scope = "" if dimensions else f" {ALL_SLICES}"
    return Panel(
        f"{_said(metric)}: distribution",
        f"{metric.help} Quantiles of scored answers, unweighted. {metric.better.capitalize()} is better.{scope}",
        unit,
        _quantiles(quality_instrument(metric), chosen(dimensions), shown=(0.1, 0.5, 0.9)),
        bounds=None if metric.upper is None else (metric.lower * size, metric.upper * size),
        min_interval="5m",
    )


def _coverage(dimensions: Sequence[str], exposure: Exposure) -> Iterator[Panel]:
    pairs = chosen(dimensions)
    answers, sampled, scored, failed = (
        total([], rate(instrument, RATE_INTERVAL, pairs))
        for instrument in (i.ANSWERS, i.ANSWERS_SAMPLED, i.ANSWERS_SCORED, i.ANSWERS_FAILED)
    )
    yield Panel(
        "Answers",
        "Answers per second: all, sampled for scoring, scored, and those whose request failed.",
        "per_second",
        (Query(answers, "all"), Query(sampled, "sampled"), Query(scored, "scored"), Query(failed, "failed requests")),
    )
    yield Panel(
        "Coverage",
        "Share of answers that were sampled, and share of sampled answers that were scored.",
        "ratio",
        (Query(share(sampled, answers), "sampled"), Query(share(scored, sampled), "scored of sampled")),
        bounds=(0.0, 1.0),
        min_interval="5m",
    )
    yield Panel(
        "Unscored by reason", i.UNSCORED.help, "per_second", (_rate(i.UNSCORED, "metric", "reason", pairs=pairs),)
    )
    by_slice = total(dimensions, rate(i.ANSWERS, RATE_INTERVAL, pairs))
    yield Panel("Answers by slice", i.ANSWERS.help, "per_second", (Query(by_slice, legend(dimensions)),))
    distributions: tuple[tuple[str, str, PanelUnit], ...] = (
        ("Answer latency", TRAFFIC[0], "seconds"),
        ("Answer tokens", TRAFFIC[1], "tokens"),
    )
    for title, name, unit in distributions:
        instrument, sliced = i.DISTRIBUTIONS[name], exposure.distribution(name)
        description = instrument.help if sliced or not dimensions else f"{instrument.help} {ALL_SLICES}"
        yield Panel(title, description, unit, _quantiles(instrument, pairs if sliced else ANY), min_interval="5m")
    yield Panel("Slice overflow", i.SLICE_OVERFLOW.help, "per_second", (_rate(i.SLICE_OVERFLOW, "dimension"),))
    yield Panel("Pipeline lag", i.LAG.help, "seconds", (Query(highest(["stage"], i.LAG), "{{stage}}"),))


def _agent() -> Iterator[Panel]:
    yield Panel(
        "Spans",
        "Spans per second: stored, by protocol; rejected or sampled out, by reason.",
        "per_second",
        (_rate(i.RECEIVED_SPANS, "protocol"), _rate(i.REJECTED_SPANS, "reason", prefix="rejected: ")),
    )
    yield Panel("Requests", i.REQUESTS.help, "per_second", (_rate(i.REQUESTS, "protocol", "code"),))
    yield Panel(
        "Sources",
        "Spans and answers fetched from sources per second, and records that could not be parsed.",
        "per_second",
        (
            _rate(i.SOURCE_SPANS, "source", suffix=": spans"),
            _rate(i.SOURCE_ANSWERS, "source", suffix=": answers"),
            _rate(i.SOURCE_MALFORMED, "source", suffix=": malformed"),
        ),
        optional=True,
    )
    yield Panel(
        "Last successful fetch",
        "Time since each source was last fetched successfully, even if nothing was new.",
        "seconds",
        (Query(age(lowest(["source"], i.SOURCE_SUCCESS)), "{{source}}"),),
        optional=True,
    )
    fill = total([], share(i.QUEUE_BYTES.name, i.QUEUE_LIMIT.name), operator="max")
    yield Panel(
        "Receive queue",
        "Share of the receive queue in use. When it is full, senders are told to retry.",
        "ratio",
        (Query(fill, "in use"),),
        bounds=(0.0, 1.0),
    )
    yield Panel("Commit time", i.COMMIT_SECONDS.help, "seconds", _quantiles(i.COMMIT_SECONDS))
    yield Panel(
        "Traces",
        "Traces adapted per second, by outcome, and records that could not be parsed, by reason.",
        "per_second",
        (_rate(i.TRACES, "outcome"), _rate(i.MALFORMED, "reason", prefix="malformed: ")),
    )
    yield Panel(
        "Late and duplicate data",
        "Per second: traces reopened by late spans, duplicate spans, and evaluations of later revisions.",
        "per_second",
        (
            _rate(i.TRACES_REOPENED, suffix="traces reopened"),
            _rate(i.DUPLICATE_SPANS, suffix="duplicate spans"),
            _rate(i.LATE_REVISIONS, suffix="late revisions"),
        ),
    )
    yield Panel("Spans by dialect", i.SPANS_READ.help, "per_second", (_rate(i.SPANS_READ, "dialect"),))
    yield Panel("Unread spans by scope", i.UNREAD_SPANS.help, "per_second", (_rate(i.UNREAD_SPANS, "scope"),))
    yield Panel("Backlog", i.PENDING.help, "count", (Query(total(["stage"], i.PENDING.name), "{{stage}}"),))
    batch = Query(quantile(0.95, i.STEP_SECONDS, ["stage"]), "{{stage}}")
    yield Panel("Batch time, p95", i.STEP_SECONDS.help, "seconds", (batch,))
    yield Panel("Stage failures", i.STEP_ERRORS.help, "per_second", (_rate(i.STEP_ERRORS, "stage", "kind"),))
    scorer = Query(quantile(0.95, i.SCORER_SECONDS, ["metric"]), "{{metric}}")
    yield Panel("Scorer time, p95", i.SCORER_SECONDS.help, "seconds", (scorer,))
    yield Panel("Store size", i.STORE_BYTES.help, "bytes", (Query(total([], i.STORE_BYTES.name), "on disk"),))
    documents = highest([], i.CATALOG_DOCUMENTS)
    rejected = total([], increase(i.CATALOG_ERRORS, RATE_INTERVAL))
    yield Panel(
        "Catalog",
        "Documents in the active catalog, and catalog files rejected because of errors.",
        "count",
        (Query(documents, "documents"), Query(rejected, "rejected files")),
    )
    lag = highest(["listing", "kind"], i.INDEX_LAG)
    yield Panel("Index lag", i.INDEX_LAG.help, "count", (Query(lag, "{{listing}}: {{kind}}"),), optional=True)
    items = (_rate(i.WRITE_BACK_ITEMS, "target", "outcome"),)
    yield Panel("Write-back", i.WRITE_BACK_ITEMS.help, "per_second", items, optional=True)
    waiting = (Query(highest(["target"], i.WRITE_BACK_LAG), "{{target}}"),)
    yield Panel("Write-back lag", i.WRITE_BACK_LAG.help, "seconds", waiting, optional=True)
    sent = total(["target", "outcome"], increase(i.NOTIFICATIONS, "1h"))
    rollbacks = total(["outcome"], increase(i.ROLLBACKS, "1h"))
    yield Panel(
        "Notifications per hour",
        "Notifications by receiver and outcome, and failures that could trigger a rollback, in the last hour.",
        "count",
        (Query(sent, "{{target}}: {{outcome}}"), Query(rollbacks, "rollback: {{outcome}}")),
        optional=True,
    )
    version = total(["version"], i.BUILD_INFO.name, operator="count")
    yield Panel("Agents", "Running agents, by version.", "count", (Query(version, "{{version}}"),), "value")


def _rate(counter: Instrument, *by: str, pairs: Mapping[str, str] = ANY, prefix: str = "", suffix: str = "") -> Query:
    """Return the rate of a counter by these labels, and the legend that they make."""
    labels = ": ".join(f"{{{{{name}}}}}" for name in by)
    return Query(total(by, rate(counter, RATE_INTERVAL, pairs)), f"{prefix}{labels}{suffix}")


def _quantiles(
    histogram: Instrument, pairs: Mapping[str, str] = ANY, shown: Sequence[float] = (0.5, 0.95, 0.99)
) -> tuple[Query, ...]:
    """Return quantiles of a histogram, with ``p95`` and its like as legends."""
    return tuple(Query(quantile(q, histogram, pairs=pairs), f"p{q * 100:g}") for q in shown)
