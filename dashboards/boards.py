"""Grafana boards, drawn from `dashboards.panels` with Grafana's own schema (grafana-foundation-sdk, Grafana 11.6).

The same input gives the same bytes, so a board can be kept under version control.
"""

from __future__ import annotations

from collections.abc import Sequence

from grafana_foundation_sdk.builders import common as common_builders
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.builders import prometheus, stat, statetimeline, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common, dashboard

from dashboards.panels import Panel, PanelUnit, Query, overview
from gates.base.gate import Gate
from scorers.base import Metric
from telemetry import instruments
from telemetry.exposure import Exposure

UID = "groundwire-overview"
"""Fixed, so that a new version of the board replaces the old one and links keep working."""

HEIGHT = 8
UNITS: dict[PanelUnit, str] = {
    "ratio": "percentunit",
    "points": "none",
    "seconds": "s",
    "tokens": "short",
    "days": "d",
    "usd": "currencyUSD",
    "bytes": "bytes",
    "count": "short",
    "per_second": "cps",
    "verdict": "none",
}
"""Grafana's name of each unit."""

VERDICTS = {
    "1": dashboard.ValueMappingResult(text="pass", color="green", index=0),
    "0": dashboard.ValueMappingResult(text="inconclusive", color="yellow", index=1),
    "-1": dashboard.ValueMappingResult(text="fail", color="red", index=2),
}

AnyPanel = stat.Panel | statetimeline.Panel | timeseries.Panel


def overview_board(
    dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate], exposure: Exposure | None = None
) -> str:
    """Return the overview board as JSON to import into Grafana: rows for verdicts, quality, coverage and the agent.

    ``dimensions`` are the names of the slice dimensions; each becomes a variable. Every metric and every gate has its
    panels, by slice where ``exposure`` says so.

    >>> import json
    >>> json.loads(overview_board(["service"], [], []))["title"]
    'Groundwire overview'
    """
    board = (
        builders.Dashboard("Groundwire overview")
        .uid(UID)
        .description("Quality of production RAG answers, gate verdicts, and the health of the agent.")
        .tags(["groundwire", "rag"])
        .timezone("browser")
        .time("now-6h", "now")
        .refresh("1m")
        .tooltip(dashboard.DashboardCursorSync.CROSSHAIR)
        .with_variable(builders.DatasourceVariable("datasource").label("Data source").type("prometheus"))
    )
    for dimension in dimensions:
        board.with_variable(_variable(dimension))
    number = 0
    for row in overview(dimensions, metrics, gates, exposure):
        number += 1
        board.with_row(builders.Row(row.title).id(number))
        for panel in row.panels:
            number += 1
            board.with_panel(_panel(panel).id(number))
    return JSONEncoder(indent=2, sort_keys=True, allow_nan=False).encode(board.build()) + "\n"


def _source() -> dashboard.DataSourceRef:
    return dashboard.DataSourceRef(type_val="prometheus", uid="${datasource}")


def _variable(dimension: str) -> builders.QueryVariable:
    # "All" matches any value, and series without the label.
    return (
        builders.QueryVariable(dimension)
        .label(dimension.replace("_", " "))
        .datasource(_source())
        .query(f"label_values({instruments.ANSWERS.name}, {dimension})")
        .refresh(dashboard.VariableRefresh.ON_TIME_RANGE_CHANGED)
        .sort(dashboard.VariableSort.ALPHABETICAL_ASC)
        .multi(True)
        .include_all(True)
        .all_value(".*")
        .current(dashboard.VariableOption(selected=True, text="All", value="$__all"))
    )


def _panel(panel: Panel) -> AnyPanel:
    drawn = _visualization(panel)
    drawn.title(panel.title).description(panel.description).datasource(_source())
    drawn.unit(UNITS[panel.unit]).height(HEIGHT).span(panel.width)
    for n, query in enumerate(panel.queries):
        drawn.with_target(_target(query, chr(ord("A") + n), instant=panel.visualization in {"verdict", "value"}))
    if panel.bounds is not None:
        drawn.min(panel.bounds[0]).max(panel.bounds[1])
    if panel.min_interval is not None:
        drawn.interval(panel.min_interval)
    return drawn


def _target(query: Query, letter: str, *, instant: bool) -> prometheus.Dataquery:
    target = prometheus.Dataquery().expr(query.expr).legend_format(query.legend).ref_id(letter).datasource(_source())
    return target.instant() if instant else target.range()


def _visualization(panel: Panel) -> AnyPanel:
    match panel.visualization:
        case "verdict":
            last = common_builders.ReduceDataOptions().calcs(["lastNotNull"])
            shown = stat.Panel().reduce_options(last).color_mode(common.BigValueColorMode.BACKGROUND)
            return shown.mappings([dashboard.ValueMap(options=VERDICTS)]).graph_mode(common.BigValueGraphMode.NONE)
        case "value":
            last = common_builders.ReduceDataOptions().calcs(["lastNotNull"])
            return stat.Panel().reduce_options(last).graph_mode(common.BigValueGraphMode.NONE)
        case "verdict_history":
            return statetimeline.Panel().mappings([dashboard.ValueMap(options=VERDICTS)])
        case "series":
            return _series(panel)


def _series(panel: Panel) -> timeseries.Panel:
    legend = (
        common_builders.VizLegendOptions()
        .show_legend(True)
        .display_mode(common.LegendDisplayMode.LIST)
        .placement(common.LegendPlacement.BOTTOM)
    )
    tooltip = (
        common_builders.VizTooltipOptions().mode(common.TooltipDisplayMode.MULTI).sort(common.SortOrder.DESCENDING)
    )
    drawn = timeseries.Panel().legend(legend).tooltip(tooltip).line_width(1).fill_opacity(0)
    if panel.limit is not None:
        steps = [dashboard.Threshold(value=None, color="transparent"), dashboard.Threshold(panel.limit, "red")]
        thresholds = builders.ThresholdsConfig().mode(dashboard.ThresholdsMode.ABSOLUTE).steps(steps)
        line = common_builders.GraphThresholdsStyleConfig().mode(common.GraphThresholdsStyleMode.LINE)
        drawn.thresholds(thresholds).thresholds_style(line)
    return drawn
