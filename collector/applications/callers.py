"""One attempt at asking an application."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from adapters.schema import Answer
from collector.applications.options import HttpApplication, PythonApplication
from collector.errors import ConfigError
from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which it may help to ask again."""
SHOWN = 300
OFFERED = ("id", "history", "session_id", "user_id", "attributes")
"""What a function may take beside the question, by name."""


class AttemptFailed(Exception):  # noqa: N818 - an outcome of an attempt
    """An attempt gave no reply. ``again`` says that another may; ``wait`` is how long the server asked to be left."""

    def __init__(self, reason: str, *, again: bool, wait: float | None = None) -> None:
        super().__init__(reason)
        self.again = again
        self.wait = wait


class Caller(Protocol):
    """Asks an application. One is used by one thread at a time."""

    def ask(self, asked: Answer) -> Any:
        """Return the reply. Raises `AttemptFailed`."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...


class HttpCaller:
    """Asks an endpoint."""

    def __init__(self, options: HttpApplication, environment: Mapping[str, str]) -> None:
        self._options = options
        self._client = HttpClient(
            options.base,
            headers=options.secrets(environment),
            timeout=options.timeout.total_seconds(),
            ca_file=options.ca_file,
        )

    def ask(self, asked: Answer) -> Any:
        """Send one request and return the JSON of its reply, or its text."""
        options = self._options
        words = {"{question}": asked.question or "", "{id}": asked.id}
        params = {name: _filled(value, words) for name, value in options.params.items()}
        try:
            if options.method == "GET":
                reply = self._client.get(options.path, params)
            else:
                reply = self._client.post(options.path, _filled(options.body, words), params=params)
        except Unreachable as error:
            raise AttemptFailed(error.reason, again=True, wait=error.retry_after) from error
        if not reply.ok:
            failure = reply.failure()
            raise AttemptFailed(failure.reason, again=reply.status in RETRIED, wait=failure.retry_after)
        if "json" not in reply.headers.get("content-type", ""):
            return reply.body.decode("utf-8", "replace")
        try:
            return reply.json()
        except Unreachable as error:
            raise AttemptFailed(error.reason, again=False) from error

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


class PythonCaller:
    """Calls a function, each call in a thread of its own that is left behind if it does not end in time."""

    def __init__(self, options: PythonApplication, function: Callable[..., Any]) -> None:
        self._options = options
        self._function = function

    def ask(self, asked: Answer) -> Any:
        """Call the function and return what it returns; an awaitable is awaited."""
        replies: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        thread = threading.Thread(target=self._run, args=(asked, replies), name="application", daemon=True)
        thread.start()
        try:
            fine, reply = replies.get(timeout=self._options.timeout.total_seconds())
        except Empty:
            seconds = self._options.timeout.total_seconds()
            raise AttemptFailed(f"{self._options.entry}: no answer within {seconds:g} s", again=False) from None
        if not fine:
            reason = " ".join(f"{type(reply).__name__}: {reply}".split())[:SHOWN]
            raise AttemptFailed(f"{self._options.entry}: {reason}", again=True)
        return reply

    def close(self) -> None:
        """Nothing is held."""

    def _run(self, asked: Answer, replies: SimpleQueue[tuple[bool, Any]]) -> None:
        offered = {name: getattr(asked, name) for name in _taken(self._function) if name in OFFERED}
        try:
            reply = self._function(asked.question, **{**offered, **self._options.arguments})
            if inspect.isawaitable(reply):
                reply = asyncio.run(_awaited(reply))
        except BaseException as error:  # noqa: BLE001 - a foreign function: whatever it raises is its reply
            replies.put((False, error))
        else:
            replies.put((True, reply))


def function_at(entry: str, directory: Path) -> tuple[Callable[..., Any], Path | None]:
    """Import ``module:function``, from ``directory`` too; return it with its file. Raises `ConfigError`."""
    module_name, _, name = entry.partition(":")
    if str(directory) not in sys.path:
        sys.path.insert(0, str(directory))
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:SHOWN]
        raise ConfigError(f"{entry}: cannot be imported: {reason}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise ConfigError(f"{entry}: {module_name} has no function {name!r}")
    file = inspect.getsourcefile(module)
    return function, None if file is None else Path(file)


async def _awaited(reply: Any) -> Any:
    return await reply


def _taken(function: Callable[..., Any]) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return frozenset()


def _filled(template: Any, words: Mapping[str, str]) -> Any:
    """Return a template with its placeholders filled, all in one pass: a question may hold one too.

    >>> _filled({"q": "{question}", "top_k": 5}, {"{question}": "What is {id}?", "{id}": "q-1"})
    {'q': 'What is {id}?', 'top_k': 5}
    """
    if isinstance(template, str):
        return _one_pass(template, words)
    if isinstance(template, Mapping):
        return {name: _filled(value, words) for name, value in template.items()}
    if isinstance(template, list):
        return [_filled(value, words) for value in template]
    return template


def _one_pass(template: str, words: Mapping[str, str]) -> str:
    for mark, word in words.items():
        if template == mark:
            return word
    parts = [template]
    for mark in words:
        parts = [piece for part in parts for piece in (_cut(part, mark) if part not in words else [part])]
    return "".join(words.get(part, part) for part in parts)


def _cut(text: str, mark: str) -> list[str]:
    pieces: list[str] = []
    for place, piece in enumerate(text.split(mark)):
        pieces += [mark, piece] if place else [piece]
    return pieces
