"""Grafana boards, drawn from `dashboards.panel` with Grafana's own schema (grafana-foundation-sdk, Grafana 11.6).

The same input gives the same bytes, so a board can be kept under version control.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from grafana_foundation_sdk.builders import common as common_builders
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.builders import prometheus, stat, statetimeline, table, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

from dashboards.agent_health import agent_health
from dashboards.all_metrics import all_metrics
from dashboards.links import LOCAL, PAGES
from dashboards.on_call import SAID, on_call
from dashboards.panel import NO_PARTS, Board, Panel, PanelRow, PanelUnit, Query
from dashboards.promql import increase, total
from gates.base.gate import Gate
from scorers.base import Metric
from telemetry import instruments
from telemetry.alerts import RUNBOOK
from telemetry.exposure import Exposure, OptionalPart
from telemetry.pages import CATALOG, CHANGES, OVERVIEW

TAG = "groundwire"
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
COLUMNS = dict(zip(SAID, ("What", "Likely cause", "First step"), strict=True))
VERDICT = "Verdict"
"""The column of a table that has the verdict."""

AnyPanel = stat.Panel | statetimeline.Panel | table.Panel | timeseries.Panel


def all_boards(
    dimensions: Sequence[str],
    metrics: Sequence[Metric],
    gates: Sequence[Gate],
    exposure: Exposure | None = None,
    parts: Collection[OptionalPart] = NO_PARTS,
) -> tuple[Board, ...]:
    """Return every board, as data: on call, all metrics, and the agent's health.

    ``dimensions`` are the names of the slice dimensions, ``exposure`` says which metrics are exposed, and
    ``parts`` which parts of the agent are configured.
    """
    return (on_call(dimensions, gates), all_metrics(dimensions, metrics, gates, exposure), agent_health(parts))


def drawn(board: Board, *, public_url: str | None = None) -> str:
    """Return a board as JSON to import into Grafana. Its links lead to pages at ``public_url``, which it lets change.

    >>> import json
    >>> json.loads(drawn(agent_health()))["uid"]
    'groundwire-agent'
    """
    built = (
        builders.Dashboard(board.title)
        # Fixed, so that a new version of the board replaces the old one and links keep working.
        .uid(f"{TAG}-{board.name}")
        .description(board.description)
        .tags([TAG, "rag"])
        .timezone("browser")
        .time(board.since, "now")
        .refresh("1m")
        .tooltip(dashboard.DashboardCursorSync.CROSSHAIR)
        .links([_others(), *_pages()])
        .annotation(_Changes())
        .with_variable(builders.DatasourceVariable("datasource").label("Data source").type("prometheus"))
        .with_variable(builders.TextBoxVariable("agent").label("Pages at").default_value(public_url or LOCAL))
    )
    for dimension in board.dimensions:
        built.with_variable(_variable(dimension))
    number = 0
    for row in board.rows:
        number += 1
        panels = [_panel(panel).id(number + place) for place, panel in enumerate(row.panels, 1)]
        number += len(panels)
        _add(built, row, panels, number - len(panels))
    return JSONEncoder(indent=2, sort_keys=True, allow_nan=False).encode(built.build()) + "\n"


def _add(built: builders.Dashboard, row: PanelRow, panels: Sequence[AnyPanel], number: int) -> None:
    if row.title:
        titled = builders.Row(row.title).id(number)
        if row.collapsed:
            # Grafana keeps the panels of a closed row inside of it.
            titled.collapsed(True)
            for panel in panels:
                titled.with_panel(panel)
        built.with_row(titled)
    for panel in () if row.collapsed else panels:
        built.with_panel(panel)


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


def _link(title: str, url: str) -> builders.DashboardLink:
    link = builders.DashboardLink(title).type(dashboard.DashboardLinkType.LINK)
    return link.url(url).icon("external link").target_blank(True)


def _pages() -> list[builders.DashboardLink]:
    pages = (("Overview", OVERVIEW), ("Changes", CHANGES), ("Catalog", CATALOG))
    return [*(_link(title, PAGES + path) for title, path in pages), _link("Runbook", RUNBOOK)]


def _others() -> builders.DashboardLink:
    return builders.DashboardLink("Boards").type(dashboard.DashboardLinkType.DASHBOARDS).tags([TAG]).keep_time(True)


_SERVING = {"kind": '!="reference"'}
CHANGED = f"{total(['kind', 'source'], increase(instruments.CHANGES, '2m', _SERVING))} > 0"
"""Changes of what serves answers; it returns nothing while nothing changes."""


class _Changes(builders.AnnotationQuery):
    """Changes as vertical lines. The schema lacks what Grafana reads of a query of Prometheus beside its expression."""

    def build(self) -> dashboard.AnnotationQuery:
        return _PrometheusAnnotation(name="Changes", datasource=_source(), enable=True, icon_color="blue", expr=CHANGED)


class _PrometheusAnnotation(dashboard.AnnotationQuery):
    def to_json(self) -> dict[str, object]:
        shown = {"step": "1m", "titleFormat": "{{kind}} changed", "textFormat": "{{source}}", "tagKeys": "kind"}
        return super().to_json() | shown


def _panel(panel: Panel) -> AnyPanel:
    drawn_ = _visualization(panel)
    drawn_.title(panel.title).description(panel.description).datasource(_source())
    drawn_.unit(UNITS[panel.unit]).height(panel.height).span(panel.width).no_value(panel.empty)
    for n, query in enumerate(panel.queries):
        drawn_.with_target(_target(query, chr(ord("A") + n), panel))
    if panel.bounds is not None:
        drawn_.min(panel.bounds[0]).max(panel.bounds[1])
    if panel.min_interval is not None:
        drawn_.interval(panel.min_interval)
    if panel.link is not None:
        drawn_.data_links([_link("Open", panel.link)])
    return drawn_


def _target(query: Query, letter: str, panel: Panel) -> prometheus.Dataquery:
    target = prometheus.Dataquery().expr(query.expr).legend_format(query.legend).ref_id(letter).datasource(_source())
    if panel.visualization in {"slices", "failures"}:
        return target.instant().format(PromQueryFormat.TABLE)
    return target.range() if panel.visualization in {"series", "verdict_history"} else target.instant()


def _visualization(panel: Panel) -> AnyPanel:
    verdicts: list[dashboard.ValueMapping] = [dashboard.ValueMap(options=VERDICTS)]
    last = common_builders.ReduceDataOptions().calcs(["lastNotNull"])
    number = stat.Panel().reduce_options(last).graph_mode(common.BigValueGraphMode.NONE)
    match panel.visualization:
        case "verdict":
            return number.color_mode(common.BigValueColorMode.BACKGROUND).mappings(verdicts)
        case "value":
            return number
        case "share":
            return number.color_mode(common.BigValueColorMode.VALUE).thresholds(
                _steps("red", {0.1: "yellow", 0.5: "green"})
            )
        case "alerts":
            return number.color_mode(common.BigValueColorMode.BACKGROUND).thresholds(_steps("red", {}))
        case "verdict_history":
            return statetimeline.Panel().mappings(verdicts)
        case "slices":
            cell = {"type": "color-background"}
            colour = [dashboard.DynamicConfigValue(id_val="custom.cellOptions", value=cell)]
            shown = table.Panel().mappings(verdicts).override_by_name(VERDICT, colour)
            return shown.with_transformation(_columns({"Time": True}, {"Value": VERDICT}))
        case "failures":
            return table.Panel().with_transformation(_columns({"Time": True, "Value": True}, COLUMNS))
        case "series":
            return _series(panel)


def _columns(without: Mapping[str, bool], names: Mapping[str, str]) -> dashboard.DataTransformerConfig:
    options = {"excludeByName": dict(without), "renameByName": dict(names), "indexByName": {}}
    return dashboard.DataTransformerConfig(id_val="organize", options=options)


def _steps(lowest: str, above: Mapping[float, str]) -> builders.ThresholdsConfig:
    steps = [
        dashboard.Threshold(value=None, color=lowest),
        *(dashboard.Threshold(value, colour) for value, colour in above.items()),
    ]
    return builders.ThresholdsConfig().mode(dashboard.ThresholdsMode.ABSOLUTE).steps(steps)


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
    shown = timeseries.Panel().legend(legend).tooltip(tooltip).line_width(1).fill_opacity(0)
    if panel.limit is not None:
        line = common_builders.GraphThresholdsStyleConfig().mode(common.GraphThresholdsStyleMode.LINE)
        shown.thresholds(_steps("transparent", {panel.limit: "red"})).thresholds_style(line)
    return shown
