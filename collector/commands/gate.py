"""Asks a running agent for a verdict, for pipelines: the answer is the exit code."""

from __future__ import annotations

import json
import time
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TextIO

from pydantic import BaseModel, ValidationError

from collector.commands.asking import ask_agent, one_line, printed
from collector.errors import ConfigError
from gates.duration import parse_duration

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}
POLL_SECONDS = 2.0


class _Slice(BaseModel):
    slice: Mapping[str, str]
    state: str
    reason: str
    n: int


class _Verdict(BaseModel):
    """What is read of a verdict; an agent of another version may say more."""

    gate: str
    state: Literal["pass", "fail", "inconclusive"]
    reason: str
    slices: tuple[_Slice, ...]


def ask(name: str, *, url: str, token_file: Path | None, wait: str | None, as_json: bool, out: TextIO) -> int:
    """Print the verdict of gate ``name`` and return its exit code; with ``wait``, give it that long to conclude.

    Raises `ConfigError` when the agent cannot be asked (nobody there, wrong token, no such gate) or nobody takes the
    verdict.
    """
    try:
        patience = parse_duration(wait).total_seconds() if wait is not None else 0.0
    except ValueError as error:
        raise ConfigError(f"--wait: {error}") from error
    deadline = time.monotonic() + patience
    while True:
        body, verdict = _fetch(url, name, token_file)
        if verdict.state != "inconclusive" or time.monotonic() >= deadline:
            break
        time.sleep(min(POLL_SECONDS, max(0.0, deadline - time.monotonic())))
    printed(json.dumps(body, indent=2) + "\n" if as_json else _text(verdict), out, what="the verdict")
    return EXIT_CODES[verdict.state]


def _text(verdict: _Verdict) -> str:
    lines = [f"{verdict.gate}: {verdict.state} ({one_line(verdict.reason)})"]
    for part in verdict.slices:
        cut = ", ".join(f"{key}={value}" for key, value in part.slice.items()) or "all traffic"
        lines.append(f"  {one_line(cut)}: {part.state} ({one_line(part.reason)}; {part.n} answers)")
    return "\n".join(lines) + "\n"


def _fetch(url: str, name: str, token_file: Path | None) -> tuple[dict[str, Any], _Verdict]:
    path = f"/v1/gates/{urllib.parse.quote(name, safe='')}"
    body = ask_agent(url, path, token_file=token_file)
    try:
        return body, _Verdict.model_validate(body)
    except ValidationError as error:
        raise ConfigError(f"{url.rstrip('/')}{path}: this is not an answer of Groundwire's verdict API") from error
