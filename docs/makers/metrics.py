"""The metric catalogue: every series the agent exposes, and every series the rules record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dashboards.all_metrics import FAMILIES
from dashboards.rules import recording_rules
from scorers.base import COSTS, Metric
from scorers.languages import named
from telemetry import instruments
from telemetry.exposure import IN_USE
from telemetry.instrument import Instrument, quality_instrument

OF_METRICS = (instruments.WEIGHTED_SCORES, instruments.WEIGHTED_ANSWERS, instruments.UNSCORED)


def metric_catalogue(metrics: Sequence[Metric], dimensions: Sequence[str]) -> str:
    """Return the metric catalogue as Markdown.

    ``dimensions`` are the names of the slice dimensions that label the sliced series.

    >>> print(metric_catalogue([], ["service"]).splitlines()[0])
    # Metric catalogue
    """
    sliced = ", ".join(f"`{dimension}`" for dimension in dimensions) or "none"
    lines = [
        "# Metric catalogue",
        "",
        "`rag_*` series are about the quality of the monitored system, `groundwire_*` series about the agent itself.",
        f"Series marked *by slice* have a label for each configured dimension, here: {sliced}.",
        "Values beyond a dimension's cap are counted as `__other__`, answers without it as `__none__`.",
        "No series ever holds NaN.",
        "",
        *_by_slice(),
        "",
        "A mean over all traffic is a sum over a sum, which is correct under any sampling:",
        "",
        "```promql",
        f"sum(rate({instruments.WEIGHTED_SCORES.name}[5m])) by (metric)",
        f"  / sum(rate({instruments.WEIGHTED_ANSWERS.name}[5m])) by (metric)",
        "```",
        "",
        "## Quality metrics",
        "",
        "*Basis* is what a value is judged against: gold labels, the catalog, or the passages alone. The best that is",
        "available is used, and each score says which. *Cost* is one of:",
        "",
        *(f"- {cost}: {meaning}" for cost, meaning in COSTS.items()),
        "",
    ]
    for family in FAMILIES:
        for metric in metrics:
            if metric.family == family:
                lines += _metric(metric)
    lines += ["## Traffic and coverage", "", *_table(instruments.QUALITY), ""]
    lines += ["## Gates", "", *_table(instruments.GATES), ""]
    lines += ["## Agent", "", *_table(instruments.HEALTH), ""]
    lines += [
        "## Recorded series",
        "",
        "Recorded by the rules that `groundwire rules` prints.",
        "",
        "| series | expression |",
        "| --- | --- |",
    ]
    lines += [f"| `{record.name}` | `{_cell(record.expr)}` |" for record in recording_rules(dimensions)]
    return "\n".join(lines) + "\n"


def _by_slice() -> Iterator[str]:
    series = ", ".join(f"`{each.name}`" for each in OF_METRICS)
    default = ", ".join(f"`{name}`" for name in IN_USE)
    yield "Exposed are the metrics that gates judge, those of `external`, and those that `exposition.metrics` names (by"
    yield f"default {default}); all others are scored and stored without a series. {series} are by slice. Histograms"
    yield "cover all traffic, except those chosen with `exposition.distributions`. Slices beyond `exposition.slices`"
    yield "are counted together, as `__other__`. `docs/boards.md` says what that comes to."
    yield ""
    yield "A reason for a missing value gets a series when it first occurs. Scoring faults have theirs from the start,"
    yield "over all traffic, so that `increase()` sees the first one."


def _metric(metric: Metric) -> Iterator[str]:
    upper = "no upper bound" if metric.upper is None else f"{metric.upper:g}"
    yield f"### {metric.name}"
    yield ""
    yield metric.help
    yield ""
    yield f"- Series: `{quality_instrument(metric).name}` (histogram)"
    yield f"- Family: {metric.family}. Unit: {metric.unit}, {metric.lower:g} to {upper}. Better when {metric.better}."
    if metric.circumstance:
        yield "- It tells of the circumstances, and not of how well they were used: `compare` and `report` say whether"
        yield "  it is higher or lower, and hold no release for it."
    yield f"- Formula: {metric.formula}"
    alone = "that of the metrics it reads" if metric.cost == "scores" else "none; the answer itself is enough"
    yield f"- Basis: {', else '.join(metric.bases) or alone}."
    if metric.labels:
        labels = ", ".join(f"`{label}`" for label in metric.labels)
        yield f"- Labels: {labels}; a gate may name the good ones as `good`."
    yield f"- Languages: {_languages(metric)}"
    yield f"- Cost: {metric.cost}"
    yield f"- Limits: {metric.limits}"
    yield f"- Source: {metric.source}"
    yield f"- Version: {metric.version}"
    yield ""


def _languages(metric: Metric) -> str:
    parts = [f"the {part}" for part in metric.words]
    together = " or ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
    verb = "are" if parts[1:] or parts == ["the passages"] else "is"
    if not parts:
        return f"{named(metric.languages)}."
    if metric.languages == "any":
        return f"every language; no value where {together.replace(' or ', ' and ')} {verb} in different ones."
    return f"{named(metric.languages)}; no value where {together} {verb} in another."


def _table(instruments_: Iterable[Instrument]) -> Iterator[str]:
    yield "| series | kind | labels | meaning |"
    yield "| --- | --- | --- | --- |"
    for instrument in instruments_:
        labels = [f"`{label}`" for label in instrument.labels] + (["*by slice*"] if instrument.sliced else [])
        yield f"| `{instrument.name}` | {instrument.kind} | {', '.join(labels)} | {_cell(instrument.help)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
