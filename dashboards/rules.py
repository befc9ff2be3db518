"""Prometheus rules: recording rules for the means of metrics by slice, and the alerts of `dashboards.alerts`.

Names of recorded series follow level:metric:operations.
Source: https://prometheus.io/docs/practices/rules/
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from dashboards.alert import Alert
from dashboards.alerts import agent_alerts, all_alerts, of_parts, quality_alerts
from dashboards.boards import CHANGED, all_boards
from dashboards.panel import NO_PARTS
from dashboards.promql import mean, rate, runnable, share, total
from gates.base.gate import Gate
from scorers.base import Metric
from telemetry import instruments as i
from telemetry.alerts import RUNBOOK
from telemetry.exposure import Exposure, OptionalPart

WINDOWS = ("5m", "1h")


@dataclass(frozen=True, slots=True)
class RecordingRule:
    """A recording rule: the series ``name`` records the value of ``expr``."""

    name: str
    expr: str


@dataclass(frozen=True, slots=True)
class Expression:
    """A PromQL expression ready to run, and where it is used.

    It returns data from an agent that has scored answers and evaluated its gates, unless it is ``quiet``: an alert
    returns nothing while all is well, and so does what a board has of failures.
    """

    where: str
    expr: str
    quiet: bool = False


def recording_rules(dimensions: Sequence[str]) -> tuple[RecordingRule, ...]:
    """Return the recording rules: the mean of every metric, and coverage, by slice over `WINDOWS`.

    >>> rate = next(rule for rule in recording_rules(["domain"]) if rule.name == "slice:rag_answers:rate5m")
    >>> rate.expr
    'sum by (domain) (rate(rag_answers_total[5m]))'
    """
    by = ["metric", *dimensions]
    return (
        *(RecordingRule(f"slice:rag_score:mean{window}", mean(by, window)) for window in WINDOWS),
        *(
            RecordingRule(f"slice:rag_answers:rate{window}", total(dimensions, rate(i.ANSWERS, window)))
            for window in WINDOWS
        ),
        *(
            RecordingRule(
                f"slice:rag_answers_scored:ratio{window}",
                share(
                    total(dimensions, rate(i.ANSWERS_SCORED, window)),
                    total(dimensions, rate(i.ANSWERS_SAMPLED, window)),
                ),
            )
            for window in WINDOWS
        ),
    )


def rules(
    dimensions: Sequence[str],
    metrics: Sequence[Metric],
    gates: Sequence[Gate],
    *,
    parts: Collection[OptionalPart] = NO_PARTS,
    public_url: str | None = None,
    runbook: str = RUNBOOK,
) -> str:
    """Return a Prometheus rule file as YAML text, the same for the same input.

    ``dimensions`` are the names of the slice dimensions and ``parts`` the parts of the agent that are configured;
    ``public_url`` is where people find the pages of the agent and ``runbook`` the page on alerts, which alerts link to.
    Without metrics there are no recording rules.

    >>> print(rules([], [], []).splitlines()[1])
    groups:
    """
    groups: list[dict[str, Any]] = []
    if metrics:
        recorded = [{"record": rule.name, "expr": rule.expr} for rule in recording_rules(dimensions)]
        groups.append({"name": "groundwire-records", "rules": recorded})
    groups.append(
        {"name": "groundwire-quality", "rules": _alerts(quality_alerts(dimensions, gates, public_url), runbook)}
    )
    groups.append({"name": "groundwire-agent", "rules": _alerts(of_parts(agent_alerts(), parts), runbook)})
    text = yaml.safe_dump({"groups": groups}, sort_keys=False, width=110, allow_unicode=True)
    return "# Written by `groundwire rules` from the configuration; edit that instead.\n" + text


def expressions(
    dimensions: Sequence[str],
    metrics: Sequence[Metric],
    gates: Sequence[Gate],
    exposure: Exposure | None = None,
    parts: Collection[OptionalPart] = NO_PARTS,
) -> tuple[Expression, ...]:
    """Return every expression of the boards and of the rules, with variables filled in.

    An alert has two: its signal, and the whole expression, which returns nothing while all is well.
    """
    alerts = of_parts(all_alerts(dimensions, gates), parts)
    return (
        *(
            Expression(f"board: {board.name}: {panel.title}", runnable(query.expr, dimensions), query.quiet)
            for board in all_boards(dimensions, metrics, gates, exposure, parts)
            for panel in board.panels
            for query in panel.queries
        ),
        Expression("board: changes", CHANGED, quiet=True),
        *(Expression(f"rules: {rule.name}", rule.expr) for rule in recording_rules(dimensions)),
        *(Expression(f"alert: {alert.name}: signal", alert.signal) for alert in alerts),
        *(Expression(f"alert: {alert.name}", alert.expr, quiet=True) for alert in alerts),
    )


def _alerts(alerts: Iterable[Alert], runbook: str) -> list[dict[str, Any]]:
    return [
        {
            "alert": alert.name,
            "expr": alert.expr,
            **({} if alert.wait == "0s" else {"for": alert.wait}),
            **({} if alert.hold is None else {"keep_firing_for": alert.hold}),
            "labels": {"severity": alert.severity},
            "annotations": {
                "summary": alert.summary,
                "description": alert.description,
                **alert.annotations,
                "runbook_url": f"{runbook}#{alert.name.lower()}",
            },
        }
        for alert in alerts
    ]
