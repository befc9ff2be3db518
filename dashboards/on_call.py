"""The board of whoever is on call: on one screen, what fails, how much is left, and whether anything is measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dashboards.links import PAGES, gate_link, slice_link
from dashboards.panel import Board, Panel, PanelRow, Query, legend
from dashboards.promql import RATE_INTERVAL, highest, increase, lowest, rate, share, total
from gates.base.gate import Gate
from gates.objective import ObjectiveGate
from telemetry import instruments as i

SCREEN = 20
"""Rows of Grafana's grid, of 38 pixels, that a screen of 1080 lines shows beside browser and menu."""
WORST = 10
"""Slices that are listed."""
SAID = ("summary", "cause", "first_step")
"""Labels of a failure that are columns."""
NOTHING_FAILS = "Nothing is failing"
NO_GATE = "No gate is configured: name one in the section `gates`"


def on_call(dimensions: Sequence[str], gates: Sequence[Gate]) -> Board:
    """Return the board. Changes of what serves answers are its annotations."""
    return Board(
        name="on-call",
        title="Groundwire: on call",
        description="What fails and since when, the error budget left, and whether answers arrive and are scored.",
        rows=(PanelRow("", tuple(_panels(dimensions, gates))),),
    )


def _panels(dimensions: Sequence[str], gates: Sequence[Gate]) -> Iterator[Panel]:
    objectives = any(isinstance(gate, ObjectiveGate) for gate in gates)
    # A dimension by which no gate judges is a label of nothing here.
    judged = [name for name in dimensions if any(name in getattr(gate, "by", ()) for gate in gates)]
    state = Query(lowest(["gate"], i.GATE_STATE), "{{gate}}")
    yield Panel(
        "Gates",
        "Current verdict of each gate. Click one for its page.",
        "verdict",
        (state,),
        "verdict",
        width=8 if objectives else 12,
        height=4,
        link=gate_link(),
        empty=NO_GATE,
    )
    if objectives:
        left = Query(lowest(["gate"], i.BUDGET_LEFT), "{{gate}}")
        yield Panel(
            "Error budget left",
            "Of the worst slice of each objective. At 0 it is spent.",
            "ratio",
            (left,),
            "share",
            width=4,
            height=4,
            link=gate_link(),
        )
    scored, sampled = (total([], rate(each, "15m")) for each in (i.ANSWERS_SCORED, i.ANSWERS_SAMPLED))
    yield Panel(
        "Coverage",
        "Share of the answers sampled in the last 15 minutes that were scored.",
        "ratio",
        (Query(share(scored, sampled), "scored of sampled"),),
        "share",
        width=4,
        height=4,
        bounds=(0.0, 1.0),
        empty="No answer was sampled",
    )
    yield Panel(
        "Answers in 30 minutes",
        "Answers that arrived in the last 30 minutes. At 0 the application is silent, or its exporter does not reach "
        "the agent.",
        "count",
        (Query(total([], increase(i.ANSWERS, "30m")), "answers"),),
        "value",
        width=4,
        height=4,
        link=f"{PAGES}/answers",
        empty="Silent: no answer has arrived yet",
    )
    yield Panel(
        "Firing alerts",
        "Alerts of Groundwire that fire now. Each has its section in the runbook.",
        "count",
        (Query('count by (alertname) (ALERTS{alertname=~"Groundwire.*",alertstate="firing"})', "{{alertname}}", True),),
        "alerts",
        width=4,
        height=4,
        empty="None",
    )
    yield Panel(
        "What fails",
        "Every failing gate and slice in words: how its metric moved, the likely cause, and what to do first.",
        "count",
        (Query(highest(["gate", *dimensions, *SAID], i.FAILURE_INFO), "", True),),
        "failures",
        width=24,
        height=5,
        link=slice_link(judged, of_row=True),
        empty=NOTHING_FAILS,
    )
    yield Panel(
        "Verdicts",
        "Verdict of each gate over time.",
        "verdict",
        (state,),
        "verdict_history",
        width=8,
        height=6,
        link=gate_link(),
        empty=NO_GATE,
    )
    by_slice = lowest(["gate", *dimensions], i.GATE_SLICE_STATE)
    yield Panel(
        "Worst slices",
        f"The {WORST} worst slices, failing ones first. Click one for its page.",
        "verdict",
        (Query(f"bottomk({WORST}, {by_slice})", ""),),
        "slices",
        width=8,
        height=6,
        link=slice_link(judged, of_row=True),
        empty="No slice has been judged yet",
    )
    by = ["gate", *dimensions]
    yield Panel(
        "Estimates",
        "What each gate judges, by slice, in the unit of its metric. Vertical lines are changes.",
        "count",
        (Query(highest(by, i.GATE_ESTIMATE), legend(by)),),
        width=8,
        height=6,
        link=slice_link(judged),
        empty="No slice has been judged yet",
    )
    answers = total([], rate(i.ANSWERS, RATE_INTERVAL))
    failed = total([], rate(i.ANSWERS_FAILED, RATE_INTERVAL))
    yield Panel(
        "Answers",
        "Answers per second, and those whose request failed.",
        "per_second",
        (Query(answers, "all"), Query(failed, "failed requests")),
        width=12,
        height=5,
    )
    yield Panel(
        "Waiting",
        "Age of the oldest item at each stage of the pipeline. What waits is not judged yet.",
        "seconds",
        (Query(highest(["stage"], i.LAG), "{{stage}}"),),
        width=12,
        height=5,
    )
