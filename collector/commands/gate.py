"""Asks a running agent for a verdict, for pipelines: the answer is the exit code."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, TextIO

from collector.errors import ConfigError
from gates.duration import parse_duration

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}
POLL_SECONDS = 2.0
REQUEST_SECONDS = 10.0
MAX_BODY = 16 * 1024 * 1024


def ask(name: str, *, url: str, token_file: Path | None, wait: str | None, as_json: bool, out: TextIO) -> int:
    """Print the verdict of gate ``name`` and return its exit code; with ``wait``, give it that long to conclude.

    Raises `ConfigError` when the agent cannot be asked: nobody there, wrong token, no such gate.
    """
    try:
        patience = parse_duration(wait).total_seconds() if wait is not None else 0.0
    except ValueError as error:
        raise ConfigError(f"--wait: {error}") from error
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--url {url}: expected http:// or https://")
    deadline = time.monotonic() + patience
    while True:
        body = _fetch(f"{url.rstrip('/')}/v1/gates/{urllib.parse.quote(name, safe='')}", token_file)
        if body["state"] != "inconclusive" or time.monotonic() >= deadline:
            break
        time.sleep(min(POLL_SECONDS, max(0.0, deadline - time.monotonic())))
    out.write(json.dumps(body, indent=2) + "\n" if as_json else _text(body))
    return EXIT_CODES[body["state"]]


def _text(body: dict[str, Any]) -> str:
    lines = [f"{body['gate']}: {body['state']} ({body['reason']})"]
    for part in body["slices"]:
        cut = ", ".join(f"{key}={value}" for key, value in part["slice"].items()) or "all traffic"
        lines.append(f"  {cut}: {part['state']} ({part['reason']}; {part['n']} answers)")
    return "\n".join(lines) + "\n"


def _fetch(url: str, token_file: Path | None) -> dict[str, Any]:
    headers = {"Accept": "application/json"}
    if token_file is not None:
        try:
            headers["Authorization"] = f"Bearer {token_file.read_text(encoding='utf-8').strip()}"
        except OSError as error:
            raise ConfigError(f"--token-file {token_file}: {error}") from error
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the scheme was checked by the caller
    try:
        with urllib.request.urlopen(request, timeout=REQUEST_SECONDS) as response:  # noqa: S310
            body = json.loads(response.read(MAX_BODY))
    except urllib.error.HTTPError as error:
        raise ConfigError(f"{url}: {error.code} {_detail(error)}") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{url}: the agent could not be asked: {error}") from error
    if not isinstance(body, dict) or body.get("state") not in EXIT_CODES:
        raise ConfigError(f"{url}: this is not an answer of Groundwire's verdict API")
    return body


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(MAX_BODY))["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return error.reason
