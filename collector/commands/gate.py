"""`groundwire gate`: asks a running agent for a verdict; the exit code is the answer, for pipelines."""

from __future__ import annotations

import random
import time
import urllib.parse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from collector.commands import verdictfiles
from collector.commands.asking import NOT_GROUNDWIRE, AgentReply, AgentUnreachable, ask_agent, printed, scope_of
from collector.commands.objects import object_line
from collector.commands.progress import Progress, watched
from collector.commands.verdictfiles import AgentVerdict
from collector.errors import ConfigError
from collector.outbound.backoff import Backoff
from collector.security.text import one_line
from gates.units.duration import format_duration, parse_duration

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}
PACE_SECONDS, SLOWEST_SECONDS = 2.0, 30.0
"""How soon a verdict is asked for again, at first and at last; an agent with another pace gets up to twice the last."""
OUTAGE_SECONDS = 300.0
"""How long an agent may be away while its verdict is waited for: a restart, a node that is replaced."""
SKEW_SECONDS = 60.0
"""A larger difference of clocks is reported: times in verdicts and of announced changes are then not those here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateQuestion:
    """Where to ask, what the verdict has to be over, how long to wait for it, and what to write it to."""

    url: str
    token_file: Path | None = None
    release: str | None = None
    baseline: str | None = None
    scope: Sequence[str] = ()
    wait: str | None = None
    junit: Path | None = None
    markdown: Path | None = None
    as_json: bool = False


def ask(name: str, options: GateQuestion, *, out: TextIO, err: TextIO) -> int:
    """Print the verdict of gate ``name`` and return its exit code; with ``wait``, give it that long to conclude.

    Raises `ConfigError` when the agent cannot be asked (not running, wrong token, no such gate) or the verdict cannot
    be printed.
    """
    try:
        patience = parse_duration(options.wait).total_seconds() if options.wait is not None else 0.0
    except ValueError as error:
        raise ConfigError(f"--wait: {error}") from error
    asked = scope_of(options.scope) | {
        key: value
        for key, value in (("candidate", options.release), ("baseline", options.baseline))
        if value is not None
    }
    query = urllib.parse.urlencode(asked)
    path = f"/v1/gates/{urllib.parse.quote(name, safe='')}" + (f"?{query}" if query else "")
    verdictfiles.writable(options.junit, options.markdown)
    with watched(out, err, at_end=True) as progress:
        try:
            reply, verdict = _waited(lambda: _fetch(path, options), name, patience, progress)
        except ConfigError as error:
            verdictfiles.write_unasked(name, error, junit=options.junit, markdown=options.markdown)
            raise
    if reply.skew is not None and abs(reply.skew) > SKEW_SECONDS:
        way = "ahead of" if reply.skew > 0 else "behind"
        length = format_duration(timedelta(seconds=round(abs(reply.skew))))
        err.write(f"groundwire: the clock of the agent is {length} {way} the one here\n")
    verdictfiles.write(verdict, junit=options.junit, markdown=options.markdown)
    text = object_line(reply.body) if options.as_json else _text(verdict)
    printed(text, out, what="the verdict")
    return EXIT_CODES[verdict.state]


def _waited(
    fetch: Callable[[], tuple[AgentReply, AgentVerdict]], name: str, patience: float, progress: Progress
) -> tuple[AgentReply, AgentVerdict]:
    """Fetch until the verdict concludes or ``patience`` seconds are over; an agent that is away may come back."""
    deadline = time.monotonic() + patience
    pace, backoff, away = PACE_SECONDS, Backoff(random=random.random), deadline
    while True:
        try:
            reply, verdict = fetch()
        except AgentUnreachable as error:
            now = time.monotonic()
            away = min(away, now)
            if now >= deadline or now - away >= OUTAGE_SECONDS:
                raise
            pause, why = min(backoff.failed(), SLOWEST_SECONDS), one_line(str(error))
        else:
            now = time.monotonic()
            if verdict.state != "inconclusive" or now >= deadline:
                return reply, verdict
            away = deadline
            backoff.succeeded()
            pause = max(pace, min(reply.pace or 0.0, 2 * SLOWEST_SECONDS))
            pace, why = min(1.5 * pace, SLOWEST_SECONDS), one_line(verdict.reason)
        left = format_duration(timedelta(seconds=round(deadline - now)))
        progress.tell(f"{name}: no verdict yet, {left} left; {why}")
        time.sleep(min(pause, deadline - now))


def _text(verdict: AgentVerdict) -> str:
    over = f" over {one_line(verdict.candidate)}" if verdict.candidate else ""
    lines = [f"{verdict.gate}: {verdict.state}{over} ({one_line(verdict.reason)})"]
    lines += [f"  {verdict.waiting}"] if verdict.waiting else []
    for part in verdict.slices:
        state = f"{part.state} {one_line(part.over(verdict))}".strip()
        lines.append(f"  {one_line(part.title)}: {state} ({one_line(part.reason)}; {part.n} answers)")
    return "\n".join(lines) + "\n"


def _fetch(path: str, options: GateQuestion) -> tuple[AgentReply, AgentVerdict]:
    reply = ask_agent(options.url, path, token_file=options.token_file)
    where = f"{options.url.rstrip('/')}{path}"
    try:
        verdict = AgentVerdict.model_validate(reply.body)
    except ValidationError as error:
        raise ConfigError(f"{where}: {NOT_GROUNDWIRE}") from error
    asked: tuple[tuple[str, str | None, Any], ...] = (
        ("--release", options.release, verdict.candidate),
        ("--baseline", options.baseline, verdict.baseline),
    )
    for option, wanted, judged in asked:
        # An agent that does not know the question answers another one.
        if wanted is not None and verdict.state != "inconclusive" and judged != wanted:
            raise ConfigError(f"{option} {wanted}: the agent returned a verdict over {one_line(repr(judged))}")
    return reply, verdict
