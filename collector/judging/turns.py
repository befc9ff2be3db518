"""What the agent logs of verdicts: those at the start, and each one that changes."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
import structlog

from collector.clock import instant
from collector.security.text import one_line
from collector.store.rows import Decision
from gates.base.gate import Gate

log = structlog.get_logger(__name__)

MAX_SLICES = 20
"""Slices of one gate that are logged in one tick, those that fail first; the gate as a whole is always logged."""
MAX_REASON = 300
"""Characters of a reason."""


def log_turns(rows: Sequence[Decision]) -> None:
    """Log the verdicts of one gate that changed in one tick, a line each."""
    ranked = sorted(rows, key=lambda row: (bool(row.slice), row.state != "fail"))
    shown = ranked[: MAX_SLICES + sum(not row.slice for row in rows)]
    for row in shown:
        write = log.warning if row.state == "fail" else log.info
        # A slice that nobody has judged yet is inconclusive.
        turned = {"from": row.previous_state or "inconclusive", "to": row.state}
        write("verdict changed", gate=row.gate, slice=dict(row.slice), **turned, reason=_reason(row))
    if len(rows) > len(shown):
        log.info("more slices changed", gate=rows[0].gate, slices=len(rows) - len(shown), see="GET /v1/decisions")


def log_advice(rows: Sequence[Decision]) -> None:
    """Log what failures are found to come from now, and what is recommended, a line each."""
    for row in rows:
        record = orjson.loads(row.record or "{}")
        asked, found = record["recommended"], record["attribution"]
        log.info(
            "advice changed",
            gate=row.gate,
            slice=dict(row.slice),
            recommended=asked["action"],
            reason=one_line(asked["reason"], MAX_REASON),
            attribution=None if found is None else one_line(found["summary"], MAX_REASON),
        )


def log_newest(gates: Sequence[Gate], newest: Sequence[Decision]) -> None:
    """Log the verdict of each gate by the ``newest`` decisions, a line each."""
    for gate in gates:
        mine = [row for row in newest if row.gate == gate.name]
        whole = next((row for row in mine if not row.slice), None)
        failing = [dict(row.slice) for row in mine if row.slice and row.state == "fail"]
        write = log.info if whole is None or whole.state != "fail" else log.warning
        write(
            "verdict at start",
            gate=gate.name,
            state="inconclusive" if whole is None else whole.state,
            since=None if whole is None else instant(whole.at).isoformat(timespec="seconds"),
            failing_slices=len(failing),
            **({"failing": failing[:MAX_SLICES]} if failing else {}),
        )


def _reason(row: Decision) -> str:
    """Return the reason, fit for one line: versions and slices in it come from traffic."""
    text: str = orjson.loads(row.record or row.verdict)["reason"]
    return one_line(text, MAX_REASON)
