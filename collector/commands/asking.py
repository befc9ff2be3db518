"""How commands talk to a running agent, over its API."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from collector.commands import tls
from collector.errors import ConfigError
from collector.security.secrets import read_secret
from collector.security.text import one_line

REQUEST_SECONDS = 10.0
MAX_BODY = 16 * 1024 * 1024
NOT_GROUNDWIRE = "the response does not come from a Groundwire agent"
BUSY = frozenset({429, 500, 502, 503, 504})
"""Codes of a server, or of a proxy before it, that is down or overloaded."""


MAX_DETAIL = 2_000
"""Characters of an error of the agent: the list of the metrics that it knows fits."""
UNAUTHORIZED = 401
NOT_FOUND = frozenset({404, 405, 501})
"""Codes by which another server says that it has no such path or method; the agent says why in JSON."""


class AgentRefused(ConfigError):  # noqa: N818 - an outcome
    """The agent, or what answers in its place, refuses the request with this ``status`` of HTTP."""

    def __init__(self, problem: str, *, status: int) -> None:
        super().__init__(problem)
        self.status = status


class AgentUnreachable(ConfigError):  # noqa: N818 - an outcome
    """The agent could not be reached, or is overloaded: the same request may succeed a little later."""


class AgentTls(ConfigError):  # noqa: N818 - an outcome
    """The agent is there, and TLS keeps it from being asked: the address has the other scheme, or trust is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReply:
    """What an agent answered: the body, by how much its clock is ahead of this one, and when to ask again.

    ``skew`` and ``pace`` are in seconds; ``None`` where the answer does not say.
    """

    body: dict[str, Any]
    skew: float | None = None
    pace: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAgent:
    """The agent at ``url``, for those who ask it for several things. Methods raise as `ask_agent` does.

    ``seconds`` is how long it may take for an answer.
    """

    url: str
    token_file: Path | None = None
    seconds: float = REQUEST_SECONDS

    def get(
        self, path: str, parameters: Mapping[str, Any] = MappingProxyType({}), *, also: int | None = None
    ) -> dict[str, Any]:
        """Return what a GET of ``path`` says; parameters that are ``None`` are left out.

        ``also`` is a status of an error whose body is an answer too, as that of a probe is.
        """
        return self.reply(path, parameters, also=also).body

    def reply(
        self, path: str, parameters: Mapping[str, Any] = MappingProxyType({}), *, also: int | None = None
    ) -> AgentReply:
        """Return what a GET of ``path`` says, with what its headers tell."""
        query = urllib.parse.urlencode({name: value for name, value in parameters.items() if value is not None})
        where = f"{path}?{query}" if query else path
        return ask_agent(self.url, where, token_file=self.token_file, also=also, seconds=self.seconds)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a POST of ``body`` says."""
        return ask_agent(self.url, path, token_file=self.token_file, body=body).body

    def text(self, path: str) -> str:
        """Return the text of ``path``."""
        return ask_text(self.url, path, token_file=self.token_file)

    def unlike(self, why: str = "or from one of another version") -> ConfigError:
        """Return the error for an answer that is no body of the API."""
        return ConfigError(f"{self.url}: {NOT_GROUNDWIRE}, {why}")


def rows_of(body: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the objects in a list of a body; none where there is no such list."""
    rows = body.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def part_of(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an object in a body; an empty one where there is none."""
    part = body.get(name)
    return part if isinstance(part, dict) else {}


def ask_agent(
    url: str,
    path: str,
    *,
    token_file: Path | None,
    body: Mapping[str, Any] | None = None,
    also: int | None = None,
    seconds: float = REQUEST_SECONDS,
) -> AgentReply:
    """Return what the agent at ``url`` answers to a GET of ``path``, or to a POST of ``body``.

    ``also`` is a status of an error whose body is an answer too, ``seconds`` how long it may take.

    Raises `AgentUnreachable` when it cannot be asked now, `AgentTls` when TLS prevents it, and `ConfigError` when it
    refuses, or answers with anything but a JSON object.
    """
    where = f"{url.rstrip('/')}{path}"
    content, received, now = _exchanged(url, where, token_file, body, also, seconds)
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: {NOT_GROUNDWIRE}: {one_line(str(error))}") from error
    if not isinstance(answer, dict):
        raise ConfigError(f"{where}: {NOT_GROUNDWIRE}")
    return AgentReply(body=answer, skew=_skew(received.get("Date"), now), pace=_seconds(received.get("Retry-After")))


def ask_text(url: str, path: str, *, token_file: Path | None) -> str:
    """Return the text that the agent at ``url`` answers to a GET of ``path``. Raises as `ask_agent` does."""
    return _exchanged(url, f"{url.rstrip('/')}{path}", token_file)[0].decode("utf-8", "replace")


def _exchanged(
    url: str,
    where: str,
    token_file: Path | None,
    body: Mapping[str, Any] | None = None,
    also: int | None = None,
    seconds: float = REQUEST_SECONDS,
) -> tuple[bytes, Message, float]:
    """Return the body of an answer, its headers, and when they came here."""
    headers = {"Accept": "application/json, text/plain", **checked(url, token_file)}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    try:
        request = urllib.request.Request(where, data=data, headers=headers)  # noqa: S310 - the scheme was checked
        with urllib.request.build_opener(_StayHere).open(request, timeout=seconds) as response:
            received, now = response.headers, time.time()
            content: bytes = response.read(MAX_BODY)
            if response.length:
                raise http.client.IncompleteRead(content, response.length)
    except urllib.error.HTTPError as error:
        if error.code == also:
            return error.read(MAX_BODY), error.headers, time.time()
        problem = f"{where}: {error.code} {one_line(_detail(error), MAX_DETAIL)}{_hint(error, token_file)}"
        if error.code in BUSY:
            raise AgentUnreachable(problem) from error
        raise AgentRefused(problem, status=error.code) from error
    except (ValueError, http.client.InvalidURL) as error:
        raise ConfigError(f"--url {url}: {one_line(str(error))}") from error
    except TimeoutError as error:
        raise AgentUnreachable(f"{where}: no answer within {seconds:g} s; try again") from error
    except (OSError, http.client.HTTPException) as error:
        advice = tls.advice(url, _cause(error))
        if advice is not None:
            raise AgentTls(f"--url {url}: cannot reach the agent: {one_line(advice)}") from error
        raise AgentUnreachable(f"--url {url}: cannot reach the agent: {one_line(_why(error))}") from error
    return content, received, now


def _hint(error: urllib.error.HTTPError, token_file: Path | None) -> str:
    """Return what to do about a token that is missing or wrong, or about another server at the address."""
    if error.code in NOT_FOUND and error.headers.get_content_type() != "application/json":
        return f"; {NOT_GROUNDWIRE}: give its address with --url"
    if error.code != UNAUTHORIZED:
        return ""
    if token_file is None:
        return "; give the file that `http.token_file` of the agent names with --token-file"
    return f"; {token_file} does not hold the token of this agent (`http.token_file` of its configuration)"


def checked(url: str, token_file: Path | None) -> Mapping[str, str]:
    """Return the headers that the token asks for. Raises `ConfigError` for a URL or a token that cannot be used."""
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--url {url}: expected http:// or https://")
    return {} if token_file is None else {"Authorization": f"Bearer {read_secret(None, token_file, '--token-file')}"}


def _cause(error: Exception) -> BaseException:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    return cause if isinstance(cause, BaseException) else error


def _why(error: Exception) -> str:
    """Return what went wrong on the way, without what the HTTP client wraps around it."""
    cause = _cause(error)
    if isinstance(cause, ConnectionRefusedError):
        return "connection refused; start one with `groundwire run`, or give its address with --url"
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
