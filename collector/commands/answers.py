"""`groundwire answers`: the newest answers of a running agent, or the worst by a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from collector.clock import ago, parsed_time
from collector.commands.asking import AskedAgent, part_of, rows_of
from collector.commands.decisions import slice_of
from collector.commands.objects import object_line
from collector.commands.screen import Terminal
from collector.commands.status import urgent
from collector.commands.worst import listed, score_of, worst
from collector.errors import ConfigError
from collector.security.text import one_line
from gates.units.names import suggestion
from gates.verdicts.summary import counted

QUESTION = 200
NEWEST = 100
"""Answers that are looked through for those without text."""


def answers(
    agent: AskedAgent,
    *,
    metric: str | None,
    worst_first: bool,
    scope: Mapping[str, str],
    limit: int,
    now: datetime,
    as_json: bool,
    screen: Terminal,
) -> int:
    """Print answers, the newest or the worst first; return 0. Raises `ConfigError`.

    Without a metric, the worst are those by the metric that the gate judges which fails, or else the first gate.
    """
    _known(agent, scope)
    if worst_first:
        return _worst(agent, metric or _judged(agent), scope, limit, now, as_json=as_json, screen=screen)
    found = list(listed(agent, {**scope, "metric": metric}, limit))
    if as_json:
        screen.out.write(object_line({"answers": found}))
    elif not found:
        screen.sentence("no answers: `groundwire doctor` looks for the reason")
    else:
        heads = ("when", "id", *((metric,) if metric else ()), "slice", "status", "question")
        screen.table(heads, [_row(body, now, [score_of(body, metric)] if metric else []) for body in found])
    return 0


def _worst(
    agent: AskedAgent,
    metric: str,
    scope: Mapping[str, str],
    limit: int,
    now: datetime,
    *,
    as_json: bool,
    screen: Terminal,
) -> int:
    found = worst(agent, metric, scope, limit)
    better = "higher" if found.higher_is_better else "lower"
    if as_json:
        shown = [{**body, "value": score["value"], "times": times} for score, body, times in found.answers]
        screen.out.write(object_line({"metric": metric, "searched": found.searched, "answers": shown}))
    elif not found.answers and any(listed(agent, {**scope, "metric": metric}, 1)):
        screen.sentence(f"no answer is bad by {metric} ({better} is better), of {found.searched}")
    elif not found.answers:
        screen.sentence(f"no answer has a value of {metric}: `groundwire doctor` looks for the reason")
    else:
        screen.sentence(
            f"the worst by {metric} ({better} is better), of {found.searched}; `groundwire explain ID` says why"
        )
        rows = [(str(times), *_row(body, now, [score])) for score, body, times in found.answers]
        screen.table(("times", "when", "id", metric, "slice", "status", "question"), rows, right={0, 3})
    if not as_json:
        _without_value(agent, metric, scope, screen)
    return 0


def _row(body: Mapping[str, Any], now: datetime, scores: Sequence[Mapping[str, Any] | None]) -> tuple[str, ...]:
    answer = part_of(body, "answer")
    return (
        ago(parsed_time(body.get("arrived_at")), now),
        one_line(str(answer.get("id")), 64),
        *(f"{score['value']:.3g}" if score else "-" for score in scores),
        slice_of(body),
        _status(answer),
        one_line(str(answer.get("question") or "-"), QUESTION),
    )


def _status(answer: Mapping[str, Any]) -> str:
    """Return how an answer ended; one that ended well and says nothing is told as such."""
    status = one_line(str(answer.get("status")), 20)
    return "no text" if status == "ok" and _textless(answer) else status


def _textless(answer: Mapping[str, Any]) -> bool:
    return not str(answer.get("answer") or "").strip()


def _without_value(agent: AskedAgent, metric: str, scope: Mapping[str, str], screen: Terminal) -> None:
    """Say how many of the newest answers have no text, and so no value to be the worst by."""
    newest = list(listed(agent, scope, NEWEST))
    bare = sum(_textless(part_of(body, "answer")) and score_of(body, metric) is None for body in newest)
    if bare:
        have = "has" if bare == 1 else "have"
        told = f"{bare} of the newest {counted(len(newest))} {have} no text, and so no value of {metric}"
        screen.sentence(f"{told}: `groundwire answers` lists them")


def _judged(agent: AskedAgent) -> str:
    """Return the metric that says what is worst here. Raises `ConfigError` without gates."""
    judged = {str(each.get("name")): each.get("metrics") for each in rows_of(agent.get("/v1/agent"), "gates")}
    for row in urgent(rows_of(agent.get("/v1/gates"), "gates")):
        metrics = judged.get(str(row.get("gate")))
        if metrics:
            return str(metrics[0])
    raise ConfigError("--worst: no gate is configured that says by which metric; give one with --metric NAME")


def _known(agent: AskedAgent, scope: Mapping[str, str]) -> None:
    """Raise `ConfigError` for a slice dimension that the agent does not have: it would ignore it."""
    if not scope:
        return
    known = agent.get("/v1/slices").get("dimensions")
    for name in scope:
        if isinstance(known, list) and name not in known:
            near = suggestion(name, known)
            raise ConfigError(f"--scope {one_line(name)}: no such slice dimension{near}; known: {', '.join(known)}")
