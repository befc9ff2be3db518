"""`groundwire decisions`: when verdicts turned, the newest first, and what the agent recommends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from collector.clock import ago, parsed_time
from collector.commands.asking import AskedAgent, part_of, rows_of
from collector.commands.objects import object_line
from collector.commands.screen import Terminal
from collector.security.text import one_line

WHY = 400


def decisions(
    agent: AskedAgent, *, gate: str | None, limit: int, now: datetime, as_json: bool, screen: Terminal
) -> int:
    """Print the newest decisions; return 0. Raises `ConfigError`, also for a gate that the agent does not have."""
    body = agent.get("/v1/decisions", {"order": "newest", "gate": gate, "limit": limit})
    rows = rows_of(body, "decisions")
    if not rows and gate is not None:
        agent.get(f"/v1/gates/{quoted(gate)}")  # names the gates there are, where this is none
    if as_json:
        screen.out.write(object_line({"decisions": rows, "next": body.get("next")}))
    elif not rows:
        screen.sentence("no decisions yet: one is written when a verdict turns to pass or to fail")
    else:
        heads = ("decision", "when", "gate", "slice", "state", "why")
        screen.table(heads, [decision_row(row, now) for row in rows], states=4, right={0})
    return 0


def decision_row(row: Mapping[str, Any], now: datetime | None) -> tuple[str, ...]:
    """Return the cells of a decision: number, when, gate, slice, state, and why with what to do."""
    record = part_of(row, "record")
    recommended = part_of(record, "recommended")
    why = record.get("reason") or part_of(row, "verdict").get("reason") or ""
    if recommended.get("action") not in (None, "none"):
        why = f"{str(recommended['action']).replace('_', ' ')}: {recommended.get('reason')}; {why}"
    return (
        str(row.get("seq")),
        ago(parsed_time(row.get("at")), now),
        one_line(str(row.get("gate"))),
        slice_of(row),
        str(row.get("state")),
        one_line(str(why), WHY),
    )


def slice_of(row: Mapping[str, Any]) -> str:
    """Return the slice of a row in words.

    >>> slice_of({"slice": {"domain": "travel"}}), slice_of({"slice": {}})
    ('domain=travel', 'all')
    """
    named = ", ".join(f"{name}={value}" for name, value in part_of(row, "slice").items())
    return one_line(named, 60) or "all"


def quoted(name: str) -> str:
    """Return a name as a part of a path."""
    return quote(name, safe="")
