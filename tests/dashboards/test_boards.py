import json
import re
from itertools import pairwise
from typing import get_args

import promql_parser
import pytest

from dashboards.boards import overview_board
from dashboards.panels import overview
from dashboards.promql import runnable
from dashboards.rules import expressions
from gates import GATES as REGISTERED
from gates.base.gate import Gate
from telemetry.exposure import Exposure
from telemetry.instruments import all_instruments
from tests.dashboards.sample import DIMENSIONS, GATES, GOLDEN, METRICS, golden

BOARD = json.loads(overview_board(DIMENSIONS, METRICS, GATES))
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]


def series_of(expression: str) -> set[str]:
    return set(re.findall(r"\b(?:rag|groundwire)_[a-z0-9_]+", expression))


@pytest.mark.parametrize("name", sorted(golden()))
def test_what_is_generated_is_what_was_reviewed(name: str) -> None:
    assert golden()[name] == (GOLDEN / name).read_text(encoding="utf-8"), (
        "regenerate with `python -m tests.dashboards.sample` and read the difference"
    )


def test_the_same_input_gives_the_same_bytes() -> None:
    assert overview_board(DIMENSIONS, METRICS, GATES) == overview_board(DIMENSIONS, METRICS, GATES)


@pytest.mark.parametrize("dimensions", [(), ("service",), DIMENSIONS])
def test_every_expression_parses(dimensions: tuple[str, ...]) -> None:
    found = expressions(dimensions, METRICS, GATES)
    assert len(found) > 60
    for expression in found:
        assert "$" not in expression.expr, expression.where
        promql_parser.parse(expression.expr)


def test_every_expression_reads_only_series_that_the_agent_exposes() -> None:
    exposed = {instrument.name for instrument in all_instruments(METRICS)}
    exposed |= {
        f"{instrument.name}_bucket" for instrument in all_instruments(METRICS) if instrument.kind == "histogram"
    }
    for expression in expressions(DIMENSIONS, METRICS, GATES):
        read = series_of(re.sub(r'"[^"]*"', '""', expression.expr))
        assert read <= exposed, expression.where


def test_every_query_of_the_board_is_among_the_expressions() -> None:
    listed = {expression.expr for expression in expressions(DIMENSIONS, METRICS, GATES)}
    drawn = {runnable(target["expr"], DIMENSIONS) for panel in PANELS for target in panel["targets"]}
    assert drawn <= listed


def test_the_board_shows_each_metric_and_the_evidence_of_each_gate() -> None:
    queries = " ".join(target["expr"] for panel in PANELS for target in panel["targets"])
    for metric in METRICS:
        assert f'metric="{metric.name}"' in queries
        assert f"rag_{metric.name}_{metric.unit}_bucket" in queries
    titles = {panel["title"] for panel in PANELS}
    assert {f"Evidence of {gate.name}" for gate in GATES} <= titles


@pytest.mark.parametrize("kind", REGISTERED, ids=lambda kind: kind.__name__)
def test_a_gate_is_on_the_board_with_its_limit_by_being_registered(kind: type[Gate]) -> None:
    tag = get_args(kind.model_fields["type"].annotation)[0]
    gate = kind.model_validate({"type": tag, "name": "registered", "metric": METRICS[0].name, **kind.example})
    panels = {panel.title: panel for row in overview(DIMENSIONS, METRICS, (gate,)) for panel in row.panels}
    panel = panels["Evidence of registered"]
    assert panel.limit == gate.limit
    assert all('gate="registered"' in query.expr for query in panel.queries)
    assert all(metric in panel.description for metric in gate.metrics)


def test_what_is_not_exposed_by_slice_is_drawn_over_all_traffic_and_says_so() -> None:
    chosen = Exposure.of(GATES, metrics=("latency",), distributions=("claim_support",))
    panels = {
        panel.title: panel
        for row in overview(DIMENSIONS, METRICS, GATES, chosen)
        for panel in row.panels
        if row.title.startswith(("Quality", "Coverage"))
    }
    by_slice = {
        title
        for title in ("latency: mean", "latency: distribution", "claim support: mean", "claim support: distribution")
        if "$domain" in panels[title].queries[0].expr
    }
    assert by_slice == {"latency: mean", "claim support: mean", "claim support: distribution"}
    for title in ("latency: distribution", "Answer latency", "Answer tokens"):
        assert "Covers all slices" in panels[title].description


def test_the_limit_of_a_gate_is_drawn_where_it_is_judged() -> None:
    panel = next(panel for panel in PANELS if panel["title"] == "Evidence of stale-sources")
    assert [step["value"] for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"]] == [None, 0.1]


def test_every_dimension_is_a_variable_and_every_sliced_query_obeys_it() -> None:
    variables = {variable["name"]: variable for variable in BOARD["templating"]["list"]}
    assert list(variables) == ["datasource", *DIMENSIONS]
    assert all(variables[name]["allValue"] == ".*" for name in DIMENSIONS)
    sliced = {instrument.name for instrument in all_instruments(METRICS) if instrument.sliced}
    for panel in PANELS:
        for target in panel["targets"]:
            if {name.removesuffix("_bucket") for name in series_of(target["expr"])} & sliced:
                for dimension in DIMENSIONS:
                    assert f'{dimension}=~"${dimension}"' in target["expr"], panel["title"]


def test_panels_have_their_own_numbers_and_do_not_overlap() -> None:
    numbers = [panel["id"] for panel in BOARD["panels"]]
    assert len(set(numbers)) == len(numbers)
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        box = panel["gridPos"]
        assert box["x"] + box["w"] <= 24
        cells = {(x, y) for x in range(box["x"], box["x"] + box["w"]) for y in range(box["y"], box["y"] + box["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


def test_rows_stand_in_the_order_of_reading() -> None:
    titles = [row.title for row in overview(DIMENSIONS, METRICS, GATES)]
    assert titles == [
        "Verdicts",
        "Quality: grounding",
        "Quality: freshness",
        "Quality: efficiency",
        "Coverage",
        "Agent",
    ]
    positions = [panel["gridPos"]["y"] for panel in BOARD["panels"] if panel["type"] == "row"]
    assert all(before < after for before, after in pairwise(positions))


def test_every_panel_says_what_it_shows() -> None:
    assert all(panel["description"] and panel["title"] for panel in PANELS)
    assert all(panel["datasource"]["uid"] == "${datasource}" for panel in PANELS)


def test_a_board_without_gates_metrics_or_dimensions_is_still_a_board() -> None:
    board = json.loads(overview_board([], [], []))
    assert [variable["name"] for variable in board["templating"]["list"]] == ["datasource"]
    assert "NaN" not in overview_board([], [], [])
