"""What the overview board shows, as data: rows of panels, each with its queries. `dashboards.boards` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dashboards.promql import (
    RATE_INTERVAL,
    chosen,
    increase,
    matchers,
    mean,
    quantile,
    rate,
    score_quantile,
    share,
    total,
)
from gates.base.gate import Gate
from scorers.base import Metric
from telemetry import instruments as i
from telemetry.exposure import TRAFFIC, Exposure
from telemetry.instrument import Instrument, exposed_unit

View = Literal["series", "verdict", "verdict_history", "value"]
Unit = Literal["ratio", "points", "seconds", "tokens", "days", "usd", "bytes", "count", "per_second", "verdict"]

FAMILIES = ("composite", "diagnosis", "retrieval", "grounding", "freshness", "conflict", "safety", "efficiency")


@dataclass(frozen=True, slots=True)
class Target:
    """One query of a panel."""

    expr: str
    legend: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel: what it shows, in which ``unit``, and how it reads. ``limit`` is drawn as a line.

    An ``optional`` panel is about a part of the agent that need not be configured.
    """

    title: str
    description: str
    unit: Unit
    targets: tuple[Target, ...]
    view: View = "series"
    width: int = 12
    limit: float | None = None
    bounds: tuple[float, float] | None = None
    min_interval: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A titled row of panels."""

    title: str
    panels: tuple[Panel, ...] = field(default=())


def overview(
    dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate], exposure: Exposure | None = None
) -> tuple[Row, ...]:
    """Return the rows of the overview board, top to bottom: verdicts, quality, coverage, the agent's own health.

    ``exposure`` says what has a series for each slice; by default nothing is chosen beyond what gates judge.
    """
    exposed = exposure or Exposure.of(gates)
    return (
        Row("Verdicts", tuple(_verdicts(dimensions, metrics, gates))),
        *_quality(dimensions, metrics, exposed),
        Row("Coverage", tuple(_coverage(dimensions, exposed))),
        Row("Agent", tuple(_agent())),
    )


def legend(names: Iterable[str], *, none: str = "all traffic") -> str:
    """Return a legend of these labels.

    >>> legend(["domain", "region"]), legend([])
    ('{{domain}} {{region}}', 'all traffic')
    """
    return " ".join(f"{{{{{name}}}}}" for name in names) or none


def _verdicts(dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate]) -> Iterator[Panel]:
    state = total(["gate"], i.GATE_STATE.name, operator="min")
    age = f"time() - {total(['gate'], i.GATE_EVALUATED.name, operator='max')}"
    slices = total(["gate", *dimensions], i.GATE_SLICE_STATE.name + matchers(chosen(dimensions)), operator="min")
    yield Panel("Gates", "The verdict of each gate now.", "verdict", (Target(state, "{{gate}}"),), "verdict", 12)
    yield Panel("Since last judged", "Time since each gate was judged.", "seconds", (Target(age, "{{gate}}"),), "value")
    yield Panel(
        "Verdicts", "The verdict of each gate over time.", "verdict", (Target(state, "{{gate}}"),), "verdict_history"
    )
    yield Panel(
        "Verdicts by slice",
        "The verdict of each gate on each slice it judges apart.",
        "verdict",
        (Target(slices, legend(["gate", *dimensions])),),
        "verdict_history",
    )
    for gate in gates:
        yield _evidence(gate, dimensions, metrics)
    decisions = total(["gate", "state"], f"increase({i.GATE_DECISIONS.name}[{RATE_INTERVAL}])")
    yield Panel(
        "Verdict changes",
        i.GATE_DECISIONS.help,
        "count",
        (Target(decisions, "{{gate}} to {{state}}"),),
    )


def _evidence(gate: Gate, dimensions: Sequence[str], metrics: Sequence[Metric]) -> Panel:
    judged = metrics if gate.estimates_metric else ()
    by = gate.dimensions
    pairs = {"gate": f'="{gate.name}"', **chosen(dimensions)}
    shown = ((i.GATE_ESTIMATE, "estimate"), (i.GATE_LOWER, "lower bound"), (i.GATE_UPPER, "upper bound"))
    targets = tuple(
        Target(total(by, instrument.name + matchers(pairs), operator="max"), f"{legend(by)} {name}")
        for instrument, name in shown
    )
    return Panel(
        f"Evidence of {gate.name}",
        f"Estimate and confidence bounds of {', '.join(sorted(gate.metrics))}, by slice. A slice passes or fails when "
        "both bounds are on one side of the limit.",
        next((metric.unit for metric in judged if metric.name in gate.metrics), "ratio"),
        targets,
        limit=gate.limit,
    )


def _quality(dimensions: Sequence[str], metrics: Sequence[Metric], exposure: Exposure) -> Iterator[Row]:
    for family in FAMILIES:
        panels = tuple(
            panel
            for metric in metrics
            if metric.family == family
            for panel in (
                _mean(dimensions if exposure.mean(metric.name) else (), metric),
                _spread(dimensions if exposure.distribution(metric.name) else (), metric),
            )
        )
        if panels:
            yield Row(f"Quality: {family}", panels)


ALL_SLICES = "All slices together, whichever are chosen above."
"""What is said of a panel whose series are not exposed for each slice."""


def _mean(dimensions: Sequence[str], metric: Metric) -> Panel:
    pairs = {"metric": f'="{metric.name}"', **chosen(dimensions)}
    weighted = "Mean by slice" if dimensions else "Mean over all traffic"
    return Panel(
        f"{metric.name.replace('_', ' ')}: mean",
        f"{metric.help} {weighted}, weighted by inclusion probability. Better when {metric.better}.",
        metric.unit,
        (Target(mean(dimensions, pairs, RATE_INTERVAL), legend(dimensions)),),
        bounds=(metric.lower, metric.upper) if metric.upper is not None else None,
        min_interval="5m",
    )


def _spread(dimensions: Sequence[str], metric: Metric) -> Panel:
    unit, size = exposed_unit(metric)
    told = "" if dimensions else f" {ALL_SLICES}"
    return Panel(
        f"{metric.name.replace('_', ' ')}: spread",
        f"{metric.help} Quantiles of scored answers, each counted once. Better when {metric.better}.{told}",
        unit,
        tuple(
            Target(score_quantile(q, metric, chosen(dimensions)), name)
            for q, name in ((0.1, "10 %"), (0.5, "median"), (0.9, "90 %"))
        ),
        bounds=None if metric.upper is None else (metric.lower * size, metric.upper * size),
        min_interval="5m",
    )


def _coverage(dimensions: Sequence[str], exposure: Exposure) -> Iterator[Panel]:
    pairs = chosen(dimensions)
    counted = (
        (i.ANSWERS, "eligible"),
        (i.ANSWERS_SAMPLED, "sampled"),
        (i.ANSWERS_SCORED, "scored"),
        (i.ANSWERS_FAILED, "failed requests"),
    )
    yield Panel(
        "Answers",
        "Answers per second: all there were, drawn for scoring, scored, and those whose request failed.",
        "per_second",
        tuple(Target(total([], rate(instrument, pairs, RATE_INTERVAL)), name) for instrument, name in counted),
    )
    eligible = total([], rate(i.ANSWERS, pairs, RATE_INTERVAL))
    sampled = total([], rate(i.ANSWERS_SAMPLED, pairs, RATE_INTERVAL))
    scored = total([], rate(i.ANSWERS_SCORED, pairs, RATE_INTERVAL))
    yield Panel(
        "Coverage",
        "Share of eligible answers that was sampled, and share of sampled answers that was scored.",
        "ratio",
        (Target(share(sampled, eligible), "sampled of eligible"), Target(share(scored, sampled), "scored of sampled")),
        bounds=(0.0, 1.0),
        min_interval="5m",
    )
    unscored = total(["metric", "reason"], rate(i.UNSCORED, pairs, RATE_INTERVAL))
    yield Panel(
        "Unscored by reason",
        i.UNSCORED.help,
        "per_second",
        (Target(unscored, "{{metric}}: {{reason}}"),),
    )
    by_slice = total(dimensions, rate(i.ANSWERS, pairs, RATE_INTERVAL))
    yield Panel("Answers by slice", i.ANSWERS.help, "per_second", (Target(by_slice, legend(dimensions)),))
    distributions: tuple[tuple[str, str, Unit], ...] = (
        ("Answer latency", TRAFFIC[0], "seconds"),
        ("Answer tokens", TRAFFIC[1], "tokens"),
    )
    for title, name, unit in distributions:
        instrument, sliced = i.DISTRIBUTIONS[name], exposure.distribution(name)
        told = instrument.help if sliced or not dimensions else f"{instrument.help} {ALL_SLICES}"
        yield Panel(title, told, unit, _quantiles(instrument, pairs if sliced else {}), min_interval="5m")
    overflow = total(["dimension"], rate(i.SLICE_OVERFLOW, {}, RATE_INTERVAL))
    yield Panel(
        "Beyond the caps of slices",
        i.SLICE_OVERFLOW.help,
        "per_second",
        (Target(overflow, "{{dimension}}"),),
    )
    lag = total(["stage"], i.LAG.name, operator="max")
    yield Panel("Lag", i.LAG.help, "seconds", (Target(lag, "{{stage}}"),))


def _agent() -> Iterator[Panel]:
    spans = total(["protocol"], rate(i.RECEIVED_SPANS, {}, RATE_INTERVAL))
    rejected = total(["reason"], rate(i.REJECTED_SPANS, {}, RATE_INTERVAL))
    yield Panel(
        "Spans",
        "Spans per second: acknowledged by protocol, and refused or thinned by reason.",
        "per_second",
        (Target(spans, "{{protocol}}"), Target(rejected, "refused: {{reason}}")),
    )
    requests = total(["protocol", "code"], rate(i.REQUESTS, {}, RATE_INTERVAL))
    yield Panel("Requests", i.REQUESTS.help, "per_second", (Target(requests, "{{protocol}} {{code}}"),))
    pulled = total(["source"], rate(i.SOURCE_SPANS, {}, RATE_INTERVAL))
    lines = total(["source"], rate(i.SOURCE_ANSWERS, {}, RATE_INTERVAL))
    unread = total(["source"], rate(i.SOURCE_MALFORMED, {}, RATE_INTERVAL))
    yield Panel(
        "Sources",
        "Spans and answers per second that the agent read by itself, and records that could not be read.",
        "per_second",
        (
            Target(pulled, "{{source}}: spans"),
            Target(lines, "{{source}}: answers"),
            Target(unread, "{{source}}: malformed"),
        ),
        optional=True,
    )
    looked = f"time() - {total(['source'], i.SOURCE_SUCCESS.name, operator='min')}"
    yield Panel(
        "Since the last look at a source",
        "Time since a source was last read with success, whether or not there was anything new.",
        "seconds",
        (Target(looked, "{{source}}"),),
        optional=True,
    )
    filled = share(i.QUEUE_BYTES.name, i.QUEUE_LIMIT.name)
    yield Panel(
        "Receive queue",
        "Share of the bytes that may wait for their commit. Senders are told to retry at 1.",
        "ratio",
        (Target(total([], filled, operator="max"), "filled"),),
        bounds=(0.0, 1.0),
    )
    yield Panel("Commit time", i.COMMIT_SECONDS.help, "seconds", _quantiles(i.COMMIT_SECONDS, {}))
    traces = total(["outcome"], rate(i.TRACES, {}, RATE_INTERVAL))
    malformed = total(["reason"], rate(i.MALFORMED, {}, RATE_INTERVAL))
    yield Panel(
        "Traces",
        "Traces per second by what came of them, and records that could not be read by reason.",
        "per_second",
        (Target(traces, "{{outcome}}"), Target(malformed, "malformed: {{reason}}")),
    )
    yield Panel(
        "Late and repeated",
        "Traces reopened by late spans, copies of spans, and evaluations of later revisions, per second.",
        "per_second",
        tuple(
            Target(total([], rate(instrument, {}, RATE_INTERVAL)), name)
            for instrument, name in (
                (i.TRACES_REOPENED, "traces reopened"),
                (i.DUPLICATE_SPANS, "duplicate spans"),
                (i.LATE_REVISIONS, "late revisions"),
            )
        ),
    )
    read = total(["dialect"], rate(i.SPANS_READ, {}, RATE_INTERVAL))
    yield Panel("Spans read", i.SPANS_READ.help, "per_second", (Target(read, "{{dialect}}"),))
    pending = total(["stage"], i.PENDING.name)
    yield Panel("Waiting work", i.PENDING.help, "count", (Target(pending, "{{stage}}"),))
    step = quantile(0.95, i.STEP_SECONDS, {}, RATE_INTERVAL, by=["stage"])
    yield Panel("Step time, 95 %", i.STEP_SECONDS.help, "seconds", (Target(step, "{{stage}}"),))
    errors = total(["stage", "kind"], rate(i.STEP_ERRORS, {}, RATE_INTERVAL))
    yield Panel("Step errors", i.STEP_ERRORS.help, "per_second", (Target(errors, "{{stage}}: {{kind}}"),))
    scorer = quantile(0.95, i.SCORER_SECONDS, {}, RATE_INTERVAL, by=["metric"])
    yield Panel("Scorer time, 95 %", i.SCORER_SECONDS.help, "seconds", (Target(scorer, "{{metric}}"),))
    store = total([], i.STORE_BYTES.name)
    yield Panel("Store", i.STORE_BYTES.help, "bytes", (Target(store, "on disk"),))
    documents = total([], i.CATALOG_DOCUMENTS.name, operator="max")
    refused = total([], f"increase({i.CATALOG_ERRORS.name}[{RATE_INTERVAL}])")
    yield Panel(
        "Catalog",
        "Documents in the catalog in force, and catalog files refused.",
        "count",
        (Target(documents, "documents"), Target(refused, "refused files")),
    )
    items = total(["target", "outcome"], rate(i.WRITE_BACK_ITEMS, {}, RATE_INTERVAL))
    shown = (Target(items, "{{target}}: {{outcome}}"),)
    yield Panel("Written back", i.WRITE_BACK_ITEMS.help, "per_second", shown, optional=True)
    waiting = total(["target"], i.WRITE_BACK_LAG.name, operator="max")
    yield Panel("Write-back lag", i.WRITE_BACK_LAG.help, "seconds", (Target(waiting, "{{target}}"),), optional=True)
    told = total(["target", "outcome"], increase(i.NOTIFICATIONS, {}, "1h"))
    asked = total(["outcome"], increase(i.ROLLBACKS, {}, "1h"))
    both = (Target(told, "{{target}}: {{outcome}}"), Target(asked, "roll-back: {{outcome}}"))
    yield Panel("Told of decisions, in an hour", i.NOTIFICATIONS.help, "count", both, optional=True)
    version = total(["version"], i.BUILD_INFO.name, operator="count")
    yield Panel("Agents", "Running agents by version.", "count", (Target(version, "{{version}}"),), "value")


def _quantiles(instrument: Instrument, pairs: Mapping[str, str]) -> tuple[Target, ...]:
    return tuple(
        Target(quantile(q, instrument, pairs, RATE_INTERVAL), name)
        for q, name in ((0.5, "median"), (0.95, "95 %"), (0.99, "99 %"))
    )
