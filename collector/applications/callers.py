"""One attempt at asking an application."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol

from pydantic import BaseModel

from adapters.schema import Answer
from collector.applications.options import HttpApplication, PythonApplication
from collector.errors import ConfigError
from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable
from collector.outbound.template import filled

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which it may help to ask again."""
STREAMED = (
    "replied with a stream of parts, not with a whole answer; ask for the whole, often by `stream: false` in `body`, "
    "or join the parts in a function (`type: python`)"
)
SHOWN = 300
OFFERED = ("id", "history", "session_id", "user_id", "attributes")
"""What a function may take beside the question and its ``query``, by name."""
MAX_DEPTH = 16


class World(NamedTuple):
    """What asking takes from outside: clocks, randomness, the environment, and where modules are."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    random: Callable[[], float]
    environment: Mapping[str, str]
    directory: Path


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
        values: dict[str, str | int] = {
            "question": asked.question or "",
            "query": query_of(asked),
            "id": asked.id,
            "repeat": repeat_of(asked),
        }
        params = filled(options.params, values)
        try:
            if options.method == "GET":
                reply = self._client.get(options.path, params)
            else:
                reply = self._client.post(options.path, filled(options.body, values), params=params)
        except Unreachable as error:
            raise AttemptFailed(error.reason, again=True, wait=error.retry_after) from error
        if not reply.ok:
            failure = reply.failure()
            raise AttemptFailed(failure.reason, again=reply.status in RETRIED, wait=failure.retry_after)
        media = reply.headers.get("content-type", "")
        if "html" in media:
            raise AttemptFailed(
                f"{options.url}: replied with a page (text/html), not with an answer; is a login or a proxy before it?",
                again=False,
            )
        if _streamed(media, reply.body):
            raise AttemptFailed(f"{options.url}: {STREAMED}", again=False)
        declared = "json" in media
        if not declared and not reply.body.lstrip().startswith((b"{", b"[")):
            return reply.body.decode("utf-8", "replace")
        try:
            return reply.json()
        except Unreachable as error:
            if not declared:  # a text may begin with a bracket too
                return reply.body.decode("utf-8", "replace")
            raise AttemptFailed(error.reason, again=False) from error

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def _streamed(media: str, body: bytes) -> bool:
    r"""Return whether a reply is events, or a JSON object a line: its parts are no answer, nor is their wrapping.

    >>> _streamed("text/event-stream", b""), _streamed("", b'data: {"delta": "14"}'), _streamed("", b'{"a": 1}')
    (True, True, False)
    >>> _streamed("text/plain", b'{"response": "14"}\n{"response": " days"}'), _streamed("", b"14 days")
    (True, False)
    """
    lines = [line for line in body.splitlines() if line.strip()][:2]
    return (
        any(kind in media for kind in ("event-stream", "ndjson", "jsonl", "json-seq"))
        or any(line.startswith(b"data:") for line in lines)
        or (len(lines) > 1 and all(line[:1] == b"{" and line.rstrip()[-1:] == b"}" for line in lines))
    )


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
        first, *others = _taken(self._function) or ("",)
        offered = {name: getattr(asked, name) for name in OFFERED if name in others}
        if "query" in others:
            offered["query"] = query_of(asked)
        if "repeat" in others:
            offered["repeat"] = repeat_of(asked)
        words = query_of(asked) if first == "query" else asked.question
        try:
            reply = self._function(words, **{**offered, **self._options.arguments})
            if inspect.isawaitable(reply):
                reply = asyncio.run(_awaited(reply))
            reply = _plain(reply, 0)
        except BaseException as error:  # noqa: BLE001 - a foreign function: whatever it raises is its reply
            replies.put((False, error))
        else:
            replies.put((True, reply))


def repeat_of(asked: Answer) -> int:
    """Return which time a question is asked, from 1: a seed for what should not answer alike.

    >>> repeat_of(Answer(id="q", question="How long?"))
    1
    """
    said = asked.attributes.get("repeat", "1")
    return int(said) if said.isdecimal() else 1


def query_of(asked: Answer) -> str:
    """Return what an application asked its retriever: the last query that is known, else the question.

    >>> query_of(Answer(id="q", question="And in Lisbon?", queries=("hotel allowance Lisbon",)))
    'hotel allowance Lisbon'
    """
    queries = [query for query in asked.queries or () if query.strip()]
    return queries[-1] if queries else asked.question or ""


def caller_of(
    application: HttpApplication | PythonApplication, world: World
) -> tuple[Callable[[], Caller], Path | None]:
    """Return what makes callers of an application, and the file of its function.

    Raises `ConfigError` for a function that cannot be imported and a secret that is not set.
    """
    if isinstance(application, HttpApplication):
        application.secrets(world.environment)
        return lambda: HttpCaller(application, world.environment), None
    function, file = function_at(application.entry, world.directory)
    return lambda: PythonCaller(application, function), file


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


def _plain(value: Any, depth: int) -> Any:
    """Return what a function returned as plain data: documents of LangChain, LlamaIndex and Haystack too."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if depth >= MAX_DEPTH:
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(part, depth + 1) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part, depth + 1) for part in value]
    to_dict = getattr(value, "to_dict", None)
    return to_dict() if callable(to_dict) else value


def _taken(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of what a function takes, in order."""
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()
