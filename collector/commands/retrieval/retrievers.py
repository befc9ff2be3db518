"""Retrievers, asked many questions: several at once, each within its time, again where that may help."""

from __future__ import annotations

import importlib
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import orjson

from adapters.schema import Passage
from collector.commands.retrieval.options import HttpRetriever, PassagePaths, PythonRetriever, RetrieverFile
from collector.commands.retrieval.replies import RetrievalQuery, UnusableReply, filled, passages_in
from collector.errors import ConfigError
from collector.outbound.backoff import Backoff
from collector.outbound.client import HttpClient
from collector.outbound.errors import ReplyTooLarge, Unreachable
from collector.security.text import one_line

MAX_REPLY = 16 * 1024 * 1024
LONGEST_WAIT = 60.0
"""Seconds between two attempts: a server that asks for more is left alone, and its question fails."""
TRIAL = 10
"""Questions after which a retriever that answered none is given up."""
HUNG = 8
"""Calls of a function that may be under way beyond their time: it is given up after that."""

Retrieved = tuple[Passage, ...] | str
"""The passages for a question, or why there are none."""


class Retriever(Protocol):
    """What is asked. Called from several threads at once."""

    def __call__(self, asked: RetrievalQuery) -> tuple[Passage, ...]:
        """Return the passages. Raises `Unreachable` where another attempt may help, else `UnusableReply`."""
        ...

    def close(self) -> None:
        """End what is under way."""
        ...


class _OverHttp:
    """One client a thread: an exchange has its connection to itself."""

    def __init__(self, options: HttpRetriever, *, max_chars: int, where: str) -> None:
        self._options, self._max_chars, self._where = options, max_chars, where
        parts = urlsplit(options.url)
        self._base, self._path = f"{parts.scheme}://{parts.netloc}", parts.path or "/"
        self._local = threading.local()
        self._lock = threading.Lock()
        self._clients: list[HttpClient] = []
        self._client()

    def _client(self) -> HttpClient:
        client: HttpClient | None = getattr(self._local, "client", None)
        if client is None:
            client = self._options.client(self._where, base=self._base, max_bytes=MAX_REPLY)
            self._local.client = client
            with self._lock:
                self._clients.append(client)
        return client

    def __call__(self, asked: RetrievalQuery) -> tuple[Passage, ...]:
        options, client = self._options, self._client()
        params = filled(dict(options.params), asked)
        if options.method == "GET":
            reply = client.get(self._path, params, headers=options.headers)
        else:
            reply = client.post(self._path, filled(options.body, asked), params=params, headers=options.headers)
        if not reply.ok:
            failure = reply.failure()
            if reply.status == HTTPStatus.TOO_MANY_REQUESTS or reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise failure
            raise UnusableReply(failure.reason)
        return passages_in(reply.json(), options.passages, max_chars=self._max_chars)

    def close(self) -> None:
        with self._lock:
            for client in self._clients:
                client.close()


class _InPython:
    def __init__(self, options: PythonRetriever, *, max_chars: int, where: str) -> None:
        self._max_chars, self._seconds, self._hung = max_chars, options.timeout.total_seconds(), 0
        self._function = function_at(options.function, f"{where}.function")

    def __call__(self, asked: RetrievalQuery) -> tuple[Passage, ...]:
        if self._hung >= HUNG:
            raise UnusableReply(f"not called: {self._hung} calls have not ended in their time")
        done: list[Any] = []

        def call() -> None:
            try:
                done.append(("found", self._function(asked.query)))
            except BaseException as error:  # noqa: BLE001 - whatever the function raises is what became of the question
                done.append(("raised", error))

        # No thread can be ended from outside: one that hangs is left behind, and counted.
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        thread.join(self._seconds)
        if not done:
            self._hung += 1
            raise UnusableReply(f"no passages within {self._seconds:g} s")
        [(how, found)] = done
        if how == "raised":
            raise Unreachable(one_line(f"{type(found).__name__}: {found}", 300))
        listed = [_plain(each) for each in found]
        paths = PassagePaths(**{name: name for name in PassagePaths.model_fields if name not in {"at", "text"}})
        return passages_in(listed, paths, max_chars=self._max_chars)

    def close(self) -> None:
        return


def function_at(name: str, where: str) -> Callable[[str], Any]:
    """Return a function by MODULE:FUNCTION, from the directory at hand. Raises `ConfigError` for what is none."""
    module, _, function = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), function)
    except Exception as error:
        raise ConfigError(f"{where}: {name}: {type(error).__name__}: {one_line(str(error))}") from error
    if not callable(found):
        raise ConfigError(f"{where}: {name}: is no function")
    called: Callable[[str], Any] = found
    return called


def opened_retriever(file: RetrieverFile, *, max_chars: int, where: str) -> Retriever:
    """Return the retriever of a file. Raises `ConfigError` for what it names and is not there."""
    if file.http is not None:
        return _OverHttp(file.http, max_chars=max_chars, where=f"{where}: http")
    assert file.python is not None
    return _InPython(file.python, max_chars=max_chars, where=f"{where}: python")


def ask_all(
    wanted: Sequence[RetrievalQuery],
    retriever: Retriever,
    file: RetrieverFile,
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[RetrievalQuery, Retrieved]]:
    """Yield what became of each question, as it comes; ``concurrency`` of them are under way, and no more.

    Raises `ConfigError` where the first `TRIAL` questions all fail: a wrong address is not asked ten thousand times.
    """
    waiting = iter(wanted)
    answered, problems = 0, list[str]()
    with ThreadPoolExecutor(max_workers=file.concurrency, thread_name_prefix="retrieve") as calls:
        under_way: dict[Future[Retrieved], RetrievalQuery] = {}
        try:
            while True:
                while len(under_way) < file.concurrency and (following := next(waiting, None)) is not None:
                    under_way[calls.submit(_asked, following, retriever, file, sleep)] = following
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    asked, found = under_way.pop(future), future.result()
                    if isinstance(found, str):
                        problems.append(found)
                    else:
                        answered += 1
                    if not answered and len(problems) >= min(TRIAL, len(wanted)):
                        raise ConfigError(f"the retriever answers none of its first questions: {problems[0]}")
                    yield asked, found
        finally:
            retriever.close()
            calls.shutdown(cancel_futures=True)


def _asked(
    asked: RetrievalQuery, retriever: Retriever, file: RetrieverFile, sleep: Callable[[float], None]
) -> Retrieved:
    backoff = Backoff(random=random.random)
    for attempt in range(file.attempts):
        try:
            return _kept(retriever(asked), file)
        except (UnusableReply, ReplyTooLarge) as error:
            return one_line(str(error), 300)
        except Unreachable as error:
            pause = backoff.failed(error.retry_after)
            if attempt + 1 == file.attempts or pause > LONGEST_WAIT:
                return one_line(error.reason, 300)
            sleep(pause)
    raise AssertionError("at least one attempt")


def _kept(found: tuple[Passage, ...], file: RetrieverFile) -> tuple[Passage, ...]:
    if file.at_least is not None:
        if any(passage.score is None for passage in found):
            raise UnusableReply("a passage has no score, which at_least needs")
        found = tuple(passage for passage in found if passage.score is not None and passage.score >= file.at_least)
    return found if file.max_k is None else found[: file.max_k]


def _plain(item: Any) -> Any:
    """Return what a function gave for a passage as plain data: LangChain's documents too."""
    if isinstance(item, str | Mapping):
        return item
    if isinstance(item, Passage):
        return item.model_dump(exclude_none=True)
    text = getattr(item, "page_content", None) or getattr(item, "text", None)
    told = {name: getattr(item, name) for name in PassagePaths.model_fields if hasattr(item, name)}
    with suppress(TypeError, ValueError):
        told = {**dict(getattr(item, "metadata", None) or {}), **told}
        orjson.dumps(told, default=str)
    return {**told, "text": text}
