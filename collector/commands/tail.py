"""`groundwire tail`: answers and decisions of a running agent as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from collector.clock import parsed_time
from collector.commands.asking import AgentUnreachable, AskedAgent, part_of, rows_of
from collector.commands.decisions import slice_of
from collector.commands.objects import object_line
from collector.commands.screen import Terminal
from collector.security.text import one_line

PAGE = 200
"""Answers and decisions that are looked at in one round."""
PATIENCE = timedelta(seconds=60)
"""How long an answer is held back for its scores; then it is shown without."""
QUESTION = 120


@dataclass
class Tail:
    """What was shown already. ``metrics`` are those whose values are shown."""

    agent: AskedAgent
    metrics: Sequence[str]
    screen: Terminal
    as_json: bool
    answered: int = 0
    decided: int = 0
    _held: set[int] = field(default_factory=set)

    def begin(self, count: int) -> None:
        """Show the newest ``count`` answers, and take all older ones for shown."""
        now = parsed_time(self.agent.get("/v1/agent").get("at"))
        rows = [row for row in self._answers(PAGE) if not _waits(row, now)]
        decisions = rows_of(self.agent.get("/v1/decisions", {"order": "newest", "limit": 1}), "decisions")
        self.decided = int(decisions[0]["seq"]) if decisions else 0
        self.answered = int(rows[-1]["seq"]) if rows else 0
        for row in rows[max(0, len(rows) - count) :]:
            self._show(row)

    def round(self) -> None:
        """Show what came since the last round, the oldest first. Raises `ConfigError`."""
        now = parsed_time(self.agent.get("/v1/agent").get("at"))
        newest = self._answers(PAGE)
        fresh = [row for row in newest if int(row["seq"]) > self.answered or int(row["seq"]) in self._held]
        if fresh and (missed := int(newest[0]["seq"]) - self.answered - 1) > 0 and self.answered:
            self._note(f"{missed:,} answers between were not shown: more came than are looked at in one round")
        self.answered = max([self.answered, *(int(row["seq"]) for row in fresh)])
        for row in fresh:
            if _waits(row, now):
                self._held.add(int(row["seq"]))
            else:
                self._held.discard(int(row["seq"]))
                self._show(row)
        # What left the page is shown no more.
        self._held &= {int(row["seq"]) for row in newest}
        body = self.agent.get("/v1/decisions", {"after": self.decided, "limit": PAGE})
        for row in rows_of(body, "decisions"):
            self.decided = int(row["seq"])
            self._decision(row)
        self.screen.out.flush()

    def _answers(self, limit: int) -> list[Mapping[str, Any]]:
        return rows_of(self.agent.get("/v1/answers", {"limit": limit}), "answers")[::-1]

    def _show(self, row: Mapping[str, Any]) -> None:
        if self.as_json:
            self.screen.out.write(object_line({"answer": row}))
            return
        answer = part_of(row, "answer")
        scores = {each.get("metric"): each for each in rows_of(part_of(row, "evaluation"), "scores")}
        values = [f"{name}={scores[name]['value']:.3g}" for name in self.metrics if name in scores]
        cells = (
            _time(row.get("arrived_at")),
            one_line(str(answer.get("id")), 64),
            *values,
            one_line("/".join(map(str, part_of(row, "slice").values())), 60) or "all",
            *([one_line(str(answer["status"]), 20)] if answer.get("status") != "ok" else []),
            one_line(str(answer.get("question") or "-"), QUESTION),
        )
        self.screen.line("  ".join(cells))

    def _decision(self, row: Mapping[str, Any]) -> None:
        if self.as_json:
            self.screen.out.write(object_line({"decision": row}))
            return
        state = str(row.get("state"))
        before = f"{_time(row.get('at'))}  "
        what = f"decision {row.get('seq')}: {one_line(str(row.get('gate')))} over {slice_of(row)}"
        reason = one_line(str(part_of(row, "record").get("reason") or part_of(row, "verdict").get("reason") or ""))
        self.screen.line(f"{before}{state}  {what}: {reason}", state=(len(before), state))

    def _note(self, text: str) -> None:
        if not self.as_json:
            self.screen.line(f"... {text}")


def tail(
    agent: AskedAgent,
    *,
    count: int,
    as_json: bool,
    screen: Terminal,
    rounds: Iterator[None],
    complain: Callable[[str], None],
) -> int:
    """Show the newest ``count`` answers, then what comes, as often as ``rounds`` says; return 0 when these end.

    An agent that goes away is told once to ``complain``, and asked again. Raises `ConfigError` at the start.
    """
    judged = rows_of(agent.get("/v1/agent"), "gates")
    metrics = list(dict.fromkeys(str(name) for gate in judged for name in gate.get("metrics") or ()))
    shown = Tail(agent, metrics, screen, as_json)
    shown.begin(count)
    screen.out.flush()
    away = False
    for _ in rounds:
        try:
            shown.round()
        except AgentUnreachable as error:
            if not away:
                complain(f"{error}; asking again")
            away = True
        else:
            away = False
    return 0


def _waits(row: Mapping[str, Any], now: datetime | None) -> bool:
    """Return whether an answer will have scores soon."""
    at = parsed_time(row.get("arrived_at"))
    recent = at is not None and now is not None and now - at < PATIENCE
    return bool(row.get("sampled")) and row.get("evaluation") is None and recent


def _time(text: Any) -> str:
    at: datetime | None = parsed_time(text)
    return "--:--:--" if at is None else f"{at.astimezone():%H:%M:%S}"
