"""Prometheus rules: recording rules for the means of metrics by slice, and the alerts of `dashboards.alerts`.

Names of recorded series follow level:metric:operations.
Source: https://prometheus.io/docs/practices/rules/
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from dashboards.alerts import Alert, agent_alerts, all_alerts, quality_alerts
from dashboards.panels import overview
from dashboards.promql import mean, rate, runnable, share, total
from gates.base.gate import Gate
from scorers.base import Metric
from telemetry import instruments as i
from telemetry.exposure import Exposure

RUNBOOK = "https://github.com/groundwire/groundwire/blob/main/docs/runbook.md"
WINDOWS = ("5m", "1h")


@dataclass(frozen=True, slots=True)
class Record:
    """A recording rule: the series ``name`` holds what ``expr`` gives."""

    name: str
    expr: str


@dataclass(frozen=True, slots=True)
class Expression:
    """A PromQL expression as it can be run, and where it stands.

    It returns data from an agent that has scored answers and judged its gates, unless ``quiet``: a whole alert returns
    nothing while all is well, and what is about sources and write-back where none are configured.
    """

    where: str
    expr: str
    quiet: bool = False


def records(dimensions: Sequence[str]) -> tuple[Record, ...]:
    """Return the recording rules: mean of every metric, and coverage, by slice over `WINDOWS`.

    >>> rate = next(record for record in records(["domain"]) if record.name == "slice:rag_answers:rate5m")
    >>> rate.expr
    'sum by (domain) (rate(rag_answers_total[5m]))'
    """
    by = ["metric", *dimensions]
    return (
        *(Record(f"slice:rag_score:mean{window}", mean(by, {}, window)) for window in WINDOWS),
        *(
            Record(f"slice:rag_answers:rate{window}", total(dimensions, rate(i.ANSWERS, {}, window)))
            for window in WINDOWS
        ),
        *(
            Record(
                f"slice:rag_answers_scored:ratio{window}",
                share(
                    total(dimensions, rate(i.ANSWERS_SCORED, {}, window)),
                    total(dimensions, rate(i.ANSWERS_SAMPLED, {}, window)),
                ),
            )
            for window in WINDOWS
        ),
    )


def rules(
    dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate], *, runbook: str = RUNBOOK
) -> str:
    """Return a Prometheus rule file as YAML text, the same for the same input.

    ``dimensions`` are the names of the slice dimensions; ``runbook`` is the page that alerts link to. Rules read every
    metric there is, so a panel without metrics only needs no recording rules.

    >>> print(rules([], [], []).splitlines()[1])
    groups:
    """
    groups: list[dict[str, Any]] = []
    if metrics:
        groups.append({"name": "groundwire-records", "rules": [_record(record) for record in records(dimensions)]})
    groups.append({"name": "groundwire-quality", "rules": _alerts(quality_alerts(dimensions, gates), runbook)})
    groups.append({"name": "groundwire-agent", "rules": _alerts(agent_alerts(), runbook)})
    text = yaml.safe_dump({"groups": groups}, sort_keys=False, width=110, allow_unicode=True)
    return "# Written by `groundwire rules` from the configuration; edit that instead.\n" + text


def expressions(
    dimensions: Sequence[str], metrics: Sequence[Metric], gates: Sequence[Gate], exposure: Exposure | None = None
) -> tuple[Expression, ...]:
    """Return every expression of the board and of the rules, with variables filled in, ready to be run.

    Of an alert both are there: the signal, and the whole expression, which returns nothing while all is well.
    """
    found: list[Expression] = []
    for row in overview(dimensions, metrics, gates, exposure):
        for panel in row.panels:
            found += [
                Expression(f"board: {row.title}: {panel.title}", runnable(target.expr, dimensions), panel.optional)
                for target in panel.targets
            ]
    found += [Expression(f"rules: {record.name}", record.expr) for record in records(dimensions)]
    for alert in all_alerts(dimensions, gates):
        found.append(Expression(f"alert: {alert.name}: signal", alert.signal, alert.optional))
        found.append(Expression(f"alert: {alert.name}", alert.expr, quiet=True))
    return tuple(found)


def _record(record: Record) -> dict[str, Any]:
    return {"record": record.name, "expr": record.expr}


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
                "runbook_url": f"{runbook}#{alert.name.lower()}",
            },
        }
        for alert in alerts
    ]
