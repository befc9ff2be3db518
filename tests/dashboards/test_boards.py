import json
import re
from itertools import pairwise
from typing import Any, get_args

import promql_parser
import pytest

from dashboards.agent_health import agent_health
from dashboards.all_metrics import all_metrics
from dashboards.boards import all_boards, drawn
from dashboards.on_call import SCREEN
from dashboards.promql import runnable
from dashboards.rules import expressions
from gates import GATES as REGISTERED
from gates.base.gate import Gate
from telemetry.alerts import RUNBOOK
from telemetry.exposure import Exposure
from telemetry.instruments import all_instruments
from tests.dashboards.sample import DIMENSIONS, GATES, GOLDEN, METRICS, PARTS, golden

BOARDS = {board.name: board for board in all_boards(DIMENSIONS, METRICS, GATES, parts=PARTS)}
DRAWN = {name: json.loads(drawn(board, public_url="https://rag.example.com")) for name, board in BOARDS.items()}
EVERYWHERE = pytest.mark.parametrize("name", sorted(BOARDS))


def panels_of(board: dict[str, Any]) -> list[dict[str, Any]]:
    """The panels of a board, those of closed rows included."""
    rows = [panel for panel in board["panels"] if panel["type"] == "row"]
    inside = [panel for row in rows for panel in row.get("panels") or ()]
    return [panel for panel in board["panels"] if panel["type"] != "row"] + inside


PANELS = [panel for board in DRAWN.values() for panel in panels_of(board)]


def series_of(expression: str) -> set[str]:
    return set(re.findall(r"\b(?:rag|groundwire)_[a-z0-9_]+", expression))


@pytest.mark.parametrize("name", sorted(golden()))
def test_what_is_generated_is_what_was_reviewed(name: str) -> None:
    assert golden()[name] == (GOLDEN / name).read_text(encoding="utf-8"), (
        "regenerate with `python -m tests.dashboards.sample` and read the difference"
    )


def test_the_same_input_gives_the_same_bytes() -> None:
    again = {board.name: drawn(board) for board in all_boards(DIMENSIONS, METRICS, GATES, parts=PARTS)}
    assert again == {name: drawn(board) for name, board in BOARDS.items()}


@pytest.mark.parametrize("dimensions", [(), ("service",), DIMENSIONS])
def test_every_expression_parses(dimensions: tuple[str, ...]) -> None:
    found = expressions(dimensions, METRICS, GATES)
    assert len(found) > 50
    for expression in found:
        assert "$" not in expression.expr, expression.where
        promql_parser.parse(expression.expr)


def test_every_expression_reads_only_series_that_the_agent_exposes() -> None:
    exposed = {instrument.name for instrument in all_instruments(METRICS)}
    exposed |= {
        f"{instrument.name}_bucket" for instrument in all_instruments(METRICS) if instrument.kind == "histogram"
    }
    for expression in expressions(DIMENSIONS, METRICS, GATES, parts=PARTS):
        read = series_of(re.sub(r'"[^"]*"', '""', expression.expr))
        assert read <= exposed, expression.where


def test_every_query_of_the_boards_is_among_the_expressions() -> None:
    listed = {expression.expr for expression in expressions(DIMENSIONS, METRICS, GATES, parts=PARTS)}
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
    panels = {panel.title: panel for panel in all_metrics(DIMENSIONS, METRICS, (gate,)).panels}
    panel = panels["Evidence of registered"]
    assert panel.limit == gate.limit
    assert all('gate="registered"' in query.expr for query in panel.queries)
    assert all(metric in panel.description for metric in gate.metrics)


def test_what_is_not_exposed_by_slice_is_drawn_over_all_traffic_and_says_so() -> None:
    chosen = Exposure.of(GATES, metrics=("latency",), distributions=("claim_support",))
    panels = {
        panel.title: panel
        for row in all_metrics(DIMENSIONS, METRICS, GATES, chosen).rows
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


def test_every_dimension_is_a_variable_of_all_metrics_and_every_sliced_query_obeys_it() -> None:
    board = DRAWN["metrics"]
    variables = {variable["name"]: variable for variable in board["templating"]["list"]}
    assert list(variables) == ["datasource", "agent", *DIMENSIONS]
    assert all(variables[name]["allValue"] == ".*" for name in DIMENSIONS)
    sliced = {instrument.name for instrument in all_instruments(METRICS) if instrument.sliced}
    for panel in panels_of(board):
        for target in panel["targets"]:
            if {name.removesuffix("_bucket") for name in series_of(target["expr"])} & sliced:
                for dimension in DIMENSIONS:
                    assert f'{dimension}=~"${dimension}"' in target["expr"], panel["title"]


@EVERYWHERE
def test_panels_have_their_own_numbers_and_do_not_overlap(name: str) -> None:
    board = DRAWN[name]
    rows = [panel for panel in board["panels"] if panel["type"] == "row"]
    numbers = [panel["id"] for panel in [*rows, *panels_of(board)]]
    assert len(set(numbers)) == len(numbers)
    taken: set[tuple[int, int]] = set()
    for panel in panels_of(board):
        box = panel["gridPos"]
        assert box["x"] + box["w"] <= 24
        cells = {(x, y) for x in range(box["x"], box["x"] + box["w"]) for y in range(box["y"], box["y"] + box["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


def test_on_call_is_one_screen_without_rows() -> None:
    panels = DRAWN["on-call"]["panels"]
    assert all(panel["type"] != "row" for panel in panels)
    assert max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels) <= SCREEN
    titles = [panel["title"] for panel in panels]
    assert titles[:5] == ["Gates", "Error budget left", "Coverage", "Answers in 30 minutes", "Firing alerts"]
    assert {"What fails", "Worst slices"} < set(titles)


def test_rows_of_all_metrics_are_closed_and_stand_in_the_order_of_reading() -> None:
    rows = [panel for panel in DRAWN["metrics"]["panels"] if panel["type"] == "row"]
    assert [row["title"] for row in rows] == [
        "Verdicts",
        "Quality: grounding",
        "Quality: freshness",
        "Quality: efficiency",
        "Coverage",
    ]
    assert all(row["collapsed"] and row["panels"] for row in rows)
    assert all(before["gridPos"]["y"] < after["gridPos"]["y"] for before, after in pairwise(rows))
    assert len(rows) == len(DRAWN["metrics"]["panels"])


@EVERYWHERE
def test_changes_are_vertical_lines_and_links_lead_to_pages_boards_and_runbook(name: str) -> None:
    [changes] = DRAWN[name]["annotations"]["list"]
    assert (changes["name"], changes["titleFormat"]) == ("Changes", "{{kind}} changed")
    assert "groundwire_changes_total" in changes["expr"]
    links = {link["title"]: link.get("url") for link in DRAWN[name]["links"]}
    assert links["Overview"] == "${agent}/"
    assert links["Changes"] == "${agent}/changes"
    assert links["Runbook"] == RUNBOOK
    [pages] = [each for each in DRAWN[name]["templating"]["list"] if each["name"] == "agent"]
    assert pages["query"] == "https://rag.example.com"


def links_of(board: str, title: str) -> list[str]:
    panel = next(panel for panel in panels_of(DRAWN[board]) if panel["title"] == title)
    return [link["url"] for link in panel["fieldConfig"]["defaults"]["links"]]


def test_values_lead_to_the_page_of_their_gate_and_slice() -> None:
    labels, fields = "${__field.labels.%s:percentencode}", "${__data.fields.%s:percentencode}"
    assert links_of("on-call", "Gates") == [f"${{agent}}/gates/{labels % 'gate'}"]
    for title in ("Worst slices", "What fails"):
        assert links_of("on-call", title) == [f"${{agent}}/slices/{fields % 'gate'}?domain={fields % 'domain'}"], (
            "no gate judges by service"
        )
    evidence = f"${{agent}}/slices/stale-sources?domain={labels % 'domain'}"
    assert links_of("metrics", "Evidence of stale-sources") == [evidence]
    assert links_of("metrics", "Evidence of grounded") == ["${agent}/gates/grounded"]
    assert links_of("metrics", "claim support: mean") == ["${agent}/answers?metric=claim_support"]


def test_what_is_not_configured_has_no_panel() -> None:
    titles = {panel.title for panel in agent_health().panels}
    assert not titles & {"Sources", "Last successful fetch", "Index lag", "Write-back", "Notifications per hour"}
    assert "Sources" in {panel.title for panel in agent_health(("sources",)).panels}
    exposed = Exposure.of((), metrics=("latency",))
    assert [row.title for row in all_metrics(DIMENSIONS, METRICS, (), exposed).rows] == [
        "Verdicts",
        "Quality: efficiency",
        "Coverage",
    ]


def test_every_panel_says_what_it_shows_and_what_it_means_that_there_is_nothing() -> None:
    assert all(panel["description"] and panel["title"] for panel in PANELS)
    assert all(panel["datasource"]["uid"] == "${datasource}" for panel in PANELS)
    assert all(panel["fieldConfig"]["defaults"]["noValue"] for panel in PANELS)


def test_boards_without_gates_metrics_or_dimensions_are_still_boards() -> None:
    for board in all_boards([], [], []):
        text = drawn(board)
        names = [variable["name"] for variable in json.loads(text)["templating"]["list"]]
        assert names == ["datasource", "agent"]
        assert "NaN" not in text
