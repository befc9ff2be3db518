"""The board of all metrics: every gate and every exposed metric, in rows that are opened by a click."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dashboards.links import answers_link, gate_link, slice_link
from dashboards.panel import Board, Panel, PanelRow, PanelUnit, Query, legend, quantile_queries, rate_query
from dashboards.promql import ANY, RATE_INTERVAL, age, chosen, highest, increase, lowest, mean, rate, share, total
from gates.base.gate import Gate
from gates.objective import ObjectiveGate
from gates.units.duration import format_duration
from scorers.base import Metric
from telemetry import instruments as i
from telemetry.exposure import TRAFFIC, Exposure
from telemetry.instrument import exposed_unit, quality_instrument

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


def all_metrics(
    dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate], exposure: Exposure | None = None
) -> Board:
    """Return the board: verdicts with their evidence, the metrics of each family, coverage.

    ``exposure`` says what is exposed; by default every metric, its distribution over all traffic.
    """
    exposed = exposure or Exposure()
    return Board(
        name="metrics",
        title="Groundwire: all metrics",
        description="Every gate with its evidence, and every exposed metric by slice. Open a row to see its panels.",
        rows=(
            PanelRow("Verdicts", tuple(_verdicts(dimensions, metrics, gates)), collapsed=True),
            *_families(dimensions, metrics, exposed),
            PanelRow("Coverage", tuple(_coverage(dimensions, exposed)), collapsed=True),
        ),
        dimensions=dimensions,
    )


def _verdicts(dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate]) -> Iterator[Panel]:
    state = (Query(lowest(["gate"], i.GATE_STATE), "{{gate}}"),)
    by_slice = lowest(["gate", *dimensions], i.GATE_SLICE_STATE, chosen(dimensions))
    evaluated = age(highest(["gate"], i.GATE_EVALUATED))
    yield Panel("Gates", "Current verdict of each gate.", "verdict", state, "verdict", link=gate_link())
    yield Panel(
        "Last evaluated",
        "Time since each gate was last evaluated. After 5 minutes its verdict is stale.",
        "seconds",
        (Query(evaluated, "{{gate}}"),),
        "value",
        link=gate_link(),
    )
    yield Panel("Verdicts", "Verdict of each gate over time.", "verdict", state, "verdict_history", link=gate_link())
    yield Panel(
        "Verdicts by slice",
        "Verdict of each gate on each slice that it judges separately.",
        "verdict",
        (Query(by_slice, legend(["gate", *dimensions])),),
        "verdict_history",
        link=slice_link(dimensions),
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
        link=slice_link(by, gate.name),
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
        link=slice_link(by, gate.name),
    )
    yield Panel(
        f"Burn rate of {gate.name}",
        "How fast the error budget of the worst slice burns, by window; at 1 it lasts its period. It pages at 14.4 over"
        " 1h and 5m or at 6 over 6h and 30m, and is a ticket at 3 over 1d and 2h or at 1 over 3d and 6h.",
        "count",
        (Query(highest(["window"], i.BURN_RATE, pairs), "{{window}}"),),
    )


def _families(dimensions: Sequence[str], metrics: Sequence[Metric], exposure: Exposure) -> Iterator[PanelRow]:
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
            yield PanelRow(f"Quality: {family}", panels, collapsed=True)


WITHOUT_VALUE = "No scored answer had a value in this time; the panel of missing values says why"
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
        link=answers_link(metric.name),
        empty=WITHOUT_VALUE,
    )


def _distribution(dimensions: Sequence[str], metric: Metric) -> Panel:
    unit, size = exposed_unit(metric)
    scope = "" if dimensions else f" {ALL_SLICES}"
    return Panel(
        f"{_said(metric)}: distribution",
        f"{metric.help} Quantiles of scored answers, unweighted. {metric.better.capitalize()} is better.{scope}",
        unit,
        quantile_queries(quality_instrument(metric), chosen(dimensions), shown=(0.1, 0.5, 0.9)),
        bounds=None if metric.upper is None else (metric.lower * size, metric.upper * size),
        min_interval="5m",
        empty=WITHOUT_VALUE,
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
        "Missing values", i.UNSCORED.help, "per_second", (rate_query(i.UNSCORED, "metric", "reason", pairs=pairs),)
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
        yield Panel(title, description, unit, quantile_queries(instrument, pairs if sliced else ANY), min_interval="5m")
    yield Panel("Slice overflow", i.SLICE_OVERFLOW.help, "per_second", (rate_query(i.SLICE_OVERFLOW, "dimension"),))
