"""`groundwire canary`: which questions of the catalog stand, asking them now, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from collector.clock import ago, parsed_time
from collector.commands.asking import AskedAgent, part_of, rows_of
from collector.commands.objects import object_line
from collector.commands.screen import Terminal
from collector.security.text import one_line

WHY = 400
EXIT_PASS, EXIT_FAIL, EXIT_UNFINISHED = 0, 1, 3
BETWEEN_SECONDS = 0.5
MOST = 10_000


def listed(agent: AskedAgent, *, failing: bool, limit: int, now: datetime, as_json: bool, screen: Terminal) -> int:
    """Print canaries that stand; return 1 if any fails, else 0. Raises `ConfigError`, also where there are none."""
    body = agent.get("/v1/canaries", {"state": "failing" if failing else None, "limit": limit})
    _print(body, now, as_json=as_json, screen=screen)
    return EXIT_FAIL if _count(body, "failing") else EXIT_PASS


def run(
    agent: AskedAgent,
    *,
    wait: float,
    monotonic: Callable[[], float],
    rest: Callable[[float], None],
    now: Callable[[], datetime],
    as_json: bool,
    screen: Terminal,
) -> int:
    """Have every canary asked and print those that fail; return 0, 1 where some fail, 3 where not all were asked."""
    begun = agent.get("/v1/canaries", {"limit": MOST})
    before = {row.get("id"): row.get("asked_at") for row in rows_of(begun, "canaries")}
    agent.post("/v1/canaries/run", {})
    end = monotonic() + wait
    while True:
        body = agent.get("/v1/canaries", {"limit": MOST})
        rows = rows_of(body, "canaries")
        waiting = [row for row in rows if row.get("id") in before and row.get("asked_at") == before[row.get("id")]]
        if not waiting or monotonic() >= end:
            break
        rest(BETWEEN_SECONDS)
    if as_json:
        _print(body, now(), as_json=True, screen=screen)
    else:
        failing = [row for row in rows if row.get("state") == "failing"]
        screen.sentence(f"{len(rows) - len(waiting)} of {len(rows)} canaries asked, {len(failing)} fail")
        if failing:
            _table(failing, now(), screen)
        error = part_of(body, "report").get("last_error")
        if waiting and error and part_of(body, "report").get("state") == "failing":
            screen.sentence(f"the endpoint gives no usable reply: {one_line(str(error), WHY)}")
    if waiting:
        return EXIT_UNFINISHED
    return EXIT_FAIL if _count(body, "failing") else EXIT_PASS


def results(
    agent: AskedAgent,
    *,
    canary: str | None,
    outcome: str | None,
    limit: int,
    now: datetime,
    as_json: bool,
    screen: Terminal,
) -> int:
    """Print what came of canaries, the newest first; return 0. Raises `ConfigError`."""
    body = agent.get("/v1/canaries/results", {"canary": canary, "outcome": outcome, "limit": limit})
    rows = rows_of(body, "results")
    if as_json:
        screen.out.write(object_line(body))
    elif not rows:
        screen.sentence("no results yet: canaries are asked after a change of the catalog, and every so often")
    else:
        heads = ("result", "when", "canary", "outcome", "ms", "trace", "detail")
        cells = [
            (
                str(row.get("seq")),
                ago(parsed_time(row.get("at")), now),
                one_line(str(row.get("canary"))),
                one_line(str(row.get("outcome"))),
                str(row.get("latency_ms")),
                one_line(str(row.get("trace_id"))),
                one_line(str(part_of(row, "check").get("detail") or ""), WHY),
            )
            for row in rows
        ]
        screen.table(heads, cells, states=3, right={0, 4})
    return 0


def _print(body: Mapping[str, Any], now: datetime, *, as_json: bool, screen: Terminal) -> None:
    rows = rows_of(body, "canaries")
    if as_json:
        screen.out.write(object_line(body))
    elif not rows:
        screen.sentence("no canaries: the texts of documents in the catalog write them when it is loaded or changes")
    else:
        _table(rows, now, screen)


def _table(rows: list[Mapping[str, Any]], now: datetime, screen: Terminal) -> None:
    heads = ("canary", "state", "document", "asked", "question", "detail")
    cells = [
        (
            one_line(str(row.get("id"))),
            one_line(str(row.get("outcome") or "waiting")),
            one_line(str(row.get("document"))),
            ago(parsed_time(row["asked_at"]), now) if row.get("asked_at") else "not yet",
            one_line(str(row.get("question")), WHY),
            one_line(str(row.get("detail") or ""), WHY),
        )
        for row in rows
    ]
    screen.table(heads, cells, states=1, right=set())


def _count(body: Mapping[str, Any], name: str) -> int:
    value = part_of(body, "report").get(name)
    return value if isinstance(value, int) else 0
