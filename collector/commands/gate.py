"""Asks a running agent for a verdict, for pipelines: the answer is the exit code."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TextIO

from pydantic import BaseModel, ValidationError

from collector.errors import ConfigError
from gates.duration import parse_duration

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}
POLL_SECONDS = 2.0
REQUEST_SECONDS = 10.0
MAX_BODY = 16 * 1024 * 1024
SHOWN = 300
"""Characters of a reason that are repeated."""


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
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--url {url}: expected http:// or https://")
    deadline = time.monotonic() + patience
    while True:
        body, verdict = _fetch(url, name, token_file)
        if verdict.state != "inconclusive" or time.monotonic() >= deadline:
            break
        time.sleep(min(POLL_SECONDS, max(0.0, deadline - time.monotonic())))
    _print(json.dumps(body, indent=2) + "\n" if as_json else _text(verdict), out)
    return EXIT_CODES[verdict.state]


def _text(verdict: _Verdict) -> str:
    lines = [f"{verdict.gate}: {verdict.state} ({_line(verdict.reason)})"]
    for part in verdict.slices:
        cut = ", ".join(f"{key}={value}" for key, value in part.slice.items()) or "all traffic"
        lines.append(f"  {_line(cut)}: {part.state} ({_line(part.reason)}; {part.n} answers)")
    return "\n".join(lines) + "\n"


def _print(text: str, out: TextIO) -> None:
    try:
        out.write(text)
        out.flush()
    except OSError as error:
        # What is left in the buffer would be written again at exit, and fail again, with another exit code.
        with Path(os.devnull).open("wb") as devnull:
            os.dup2(devnull.fileno(), out.fileno())
        raise ConfigError(f"the verdict could not be printed: {error.strerror}") from error


def _fetch(url: str, name: str, token_file: Path | None) -> tuple[dict[str, Any], _Verdict]:
    headers = {"Accept": "application/json"}
    if token_file is not None:
        headers["Authorization"] = f"Bearer {_token(token_file)}"
    try:
        where = f"{url.rstrip('/')}/v1/gates/{urllib.parse.quote(name, safe='')}"
        request = urllib.request.Request(where, headers=headers)  # noqa: S310 - the scheme was checked by the caller
        with urllib.request.build_opener(_StayHere).open(request, timeout=REQUEST_SECONDS) as response:
            body = json.loads(response.read(MAX_BODY))
    except urllib.error.HTTPError as error:
        raise ConfigError(f"{where}: {error.code} {_line(_detail(error))}") from error
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        raise ConfigError(f"--url {url}: the agent could not be asked: {_line(str(error))}") from error
    try:
        return body, _Verdict.model_validate(body)
    except ValidationError as error:
        raise ConfigError(f"{where}: this is not an answer of Groundwire's verdict API") from error


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token would go along to wherever it leads."""

    def redirect_request(self, *_: object) -> None:
        """Leave the redirect to be reported as the error it is here."""


def _token(path: Path) -> str:
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--token-file {path}: {error}") from error
    if not (token.isascii() and token.isprintable()):
        # Said here: the error of the HTTP client would repeat the token.
        raise ConfigError(f"--token-file {path}: a token is one line of ASCII characters")
    return token


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(MAX_BODY))["error"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return error.reason


def _line(text: str) -> str:
    """Return ``text`` fit for one line of a terminal: it may come from traffic, or from whoever listens there."""
    shown = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
    return "".join(character if character.isprintable() else " " for character in shown)
