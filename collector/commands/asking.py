"""How commands talk to a running agent, over its API."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, TextIO

from collector.errors import ConfigError
from collector.security.secrets import read_secret
from collector.security.text import one_line

REQUEST_SECONDS = 10.0
MAX_BODY = 16 * 1024 * 1024
NOT_GROUNDWIRE = "the response does not come from a Groundwire agent"
BUSY = frozenset({429, 500, 502, 503, 504})
"""Codes of a server, or of a proxy before it, that is down or overloaded."""


class AgentUnreachable(ConfigError):  # noqa: N818 - an outcome
    """The agent could not be reached, or is overloaded: the same request may succeed a little later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReply:
    """What an agent answered: the body, by how much its clock is ahead of this one, and when to ask again.

    ``skew`` and ``pace`` are in seconds; ``None`` where the answer does not say.
    """

    body: dict[str, Any]
    skew: float | None = None
    pace: float | None = None


def ask_agent(url: str, path: str, *, token_file: Path | None, body: Mapping[str, Any] | None = None) -> AgentReply:
    """Return what the agent at ``url`` answers to a GET of ``path``, or to a POST of ``body``.

    Raises `AgentUnreachable` when it cannot be asked now, and `ConfigError` when it refuses, or answers with anything
    but a JSON object.
    """
    headers = {"Accept": "application/json", **checked(url, token_file)}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    where = f"{url.rstrip('/')}{path}"
    try:
        request = urllib.request.Request(where, data=data, headers=headers)  # noqa: S310 - the scheme was checked
        with urllib.request.build_opener(_StayHere).open(request, timeout=REQUEST_SECONDS) as response:
            received, now = response.headers, time.time()
            content = response.read(MAX_BODY)
            if response.length:
                raise http.client.IncompleteRead(content, response.length)
    except urllib.error.HTTPError as error:
        kind = AgentUnreachable if error.code in BUSY else ConfigError
        raise kind(f"{where}: {error.code} {one_line(_detail(error))}") from error
    except (ValueError, http.client.InvalidURL) as error:
        raise ConfigError(f"--url {url}: {one_line(str(error))}") from error
    except (OSError, http.client.HTTPException) as error:
        raise AgentUnreachable(f"--url {url}: cannot reach the agent: {one_line(_why(error))}") from error
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: {NOT_GROUNDWIRE}: {one_line(str(error))}") from error
    if not isinstance(answer, dict):
        raise ConfigError(f"{where}: {NOT_GROUNDWIRE}")
    return AgentReply(body=answer, skew=_skew(received.get("Date"), now), pace=_seconds(received.get("Retry-After")))


def checked(url: str, token_file: Path | None) -> Mapping[str, str]:
    """Return the headers that the token asks for. Raises `ConfigError` for a URL or a token that cannot be used."""
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--url {url}: expected http:// or https://")
    return {} if token_file is None else {"Authorization": f"Bearer {read_secret(None, token_file, '--token-file')}"}


def _why(error: Exception) -> str:
    """Return what went wrong on the way, without what the HTTP client wraps around it."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, ConnectionRefusedError):
        return "connection refused; is the agent running?"
    return (cause.strerror if isinstance(cause, OSError) else None) or str(cause)


def _skew(date: str | None, now: float) -> float | None:
    try:
        return None if date is None else parsedate_to_datetime(date).timestamp() - now
    except (ValueError, OverflowError):
        return None


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and re.fullmatch(r"[0-9]{1,6}", text, re.ASCII) else None


def scope_of(pairs: Sequence[str]) -> dict[str, str]:
    """Return slice dimensions and values given as ``DIMENSION=VALUE``. Raises `ConfigError` for anything else."""
    scope: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals and value):
            raise ConfigError(f"--scope {one_line(pair)}: expected DIMENSION=VALUE")
        if name in scope:
            raise ConfigError(f"--scope {one_line(pair)}: duplicate dimension {name!r}")
        scope[name] = value
    return scope


def printed(text: str, out: TextIO, *, what: str) -> None:
    """Print ``text``. Raises `ConfigError` where standard output does not take it."""
    try:
        out.write(text)
        out.flush()
    except OSError as error:
        raise ConfigError(f"cannot print {what}: {error.strerror}") from error


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token would go along to wherever it leads."""

    def redirect_request(self, *_: object) -> None:
        """Leave the redirect to be reported as the error it is here."""


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(MAX_BODY))["error"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return error.reason
