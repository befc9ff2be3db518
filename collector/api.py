"""The HTTP face of the agent: metrics, probes, and the JSON API under ``/v1``."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import structlog
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from collector.announcing import MAX_BODY, read_announcement
from collector.bodies import answer_body, change_body, decision_body, encoded, source_body
from collector.clock import Clock, system_clock
from collector.errors import Transient
from collector.exchange import made, read_body
from collector.flagger import NO
from collector.openapi import document
from collector.receivers.guard import Guard, Tokens
from collector.status import Reporting
from collector.store.base import AnswerRow, Decision, Store
from collector.telemetry import Telemetry
from collector.verdictapi import VerdictApi, Verdicts

log = structlog.get_logger(__name__)

UNAUTHORIZED = 401
MAX_LIMIT = 1000
MAX_DIGITS = 19
"""Of the highest number a row can have; beyond it a number is not even read."""
SCAN_ROWS = 5000
"""How many answers a filter by value looks through for one page."""
PAGE_ROWS = 100
"""How many answers are read, and in memory, at once."""
PAGE_BYTES = 8 * 1024 * 1024
"""A page ends with the row that brings it here: an answer with its passages can be large, and so can a record."""


class Readiness(Protocol):
    """Says whether the agent may be sent traffic."""

    def reasons(self) -> Sequence[str]:
        """Return why not; empty when ready."""
        ...


class Api:
    """Handlers over the store and the newest verdicts.

    It serves before there is a store, so that probes are answered while one is migrated: until `open` is called,
    everything under ``/v1`` answers 503. Bodies are made in threads: the event loop takes in traces as well.

    ``metrics`` are the names answers can be filtered by; without any, every name is taken.
    """

    def __init__(
        self,
        *,
        telemetry: Telemetry,
        readiness: Readiness,
        gates: Sequence[str],
        dimensions: Sequence[str],
        version: str,
        tokens: Tokens,
        metrics: Sequence[str] = (),
        clock: Clock = system_clock,
    ) -> None:
        self._opened: tuple[Store, Verdicts] | None = None
        self._telemetry = telemetry
        self._readiness = readiness
        self._verdicts = VerdictApi(lambda: self._parts()[1], gates=gates, dimensions=dimensions)
        self._dimensions = tuple(dimensions)
        self._version = version
        self._tokens = tokens
        self._metrics = tuple(metrics)
        self._clock = clock
        self._sources: tuple[Reporting, ...] = ()
        self._write_back: tuple[Reporting, ...] = ()
        self._notify: tuple[Reporting, ...] = ()
        self._catalog: Reporting | None = None
        self._seen: set[tuple[str, str]] = set()

    def open(
        self,
        store: Store,
        judge: Verdicts,
        *,
        sources: Sequence[Reporting] = (),
        write_back: Sequence[Reporting] = (),
        notify: Sequence[Reporting] = (),
        catalog: Reporting | None = None,
    ) -> None:
        """Serve from ``store`` and ``judge`` from now on, and tell how what it speaks to is doing."""
        self._catalog = catalog
        self._sources = tuple(sources)
        self._write_back = tuple(write_back)
        self._notify = tuple(notify)
        self._opened = (store, judge)

    def close(self) -> None:
        """Serve probes and metrics only from now on."""
        self._opened = None

    @property
    def _store(self) -> Store:
        return self._parts()[0]

    def _parts(self) -> tuple[Store, Verdicts]:
        if self._opened is None:
            raise HTTPException(
                503, "the store is not open: the agent is starting or stopping", headers={"Retry-After": "1"}
            )
        return self._opened

    def app(self) -> Starlette:
        """Return the ASGI application."""
        verdicts = self._tokens.verdict_guards
        routes = [
            Route("/metrics", self._guarded(self.metrics)),
            # Probes carry no content and need no token: an orchestrator has none.
            Route("/healthz", self._told(self.healthz)),
            Route("/readyz", self._told(self.readyz)),
            Route("/openapi.json", self._guarded(self.openapi)),
            Route("/v1/gates", self._guarded(self._verdicts.gates, verdicts)),
            Route("/v1/gates/{gate}", self._guarded(self._verdicts.gate, verdicts)),
            Route("/v1/flagger/{gate}/{hook}", self._guarded(self._verdicts.flagger, verdicts), methods=["POST"]),
            Route("/v1/decisions", self._guarded(self.decisions)),
            Route("/v1/changes", self._guarded(self.changes)),
            Route("/v1/changes", self._guarded(self.announce), methods=["POST"]),
            Route("/v1/answers", self._guarded(self.answers)),
            Route("/v1/answers/{answer_id:path}", self._guarded(self.answer)),
            Route("/v1/slices", self._guarded(self.slices)),
            Route("/v1/sources", self._guarded(self.sources)),
            Route("/v1/write-back", self._guarded(self.write_back)),
            Route("/v1/notify", self._guarded(self.notify)),
            Route("/v1/catalog", self._guarded(self.catalog)),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _problem})

    def _guarded(
        self, handler: Callable[[Request], Awaitable[Response]], guards: Sequence[Guard] | None = None
    ) -> Callable[[Request], Awaitable[Response]]:
        admitting = self._tokens.guards if guards is None else guards

        @functools.wraps(handler)
        async def guarded(request: Request) -> Response:
            shown = request.headers.get("authorization", "")
            if not any(guard.admits(shown) for guard in admitting):
                raise HTTPException(UNAUTHORIZED, "a bearer token is required", headers={"WWW-Authenticate": "Bearer"})
            return await handler(request)

        return self._told(guarded)

    def _told(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Answer what ``handler`` did not expect as every other error is answered, and log it once per kind."""

        @functools.wraps(handler)
        async def told(request: Request) -> Response:
            try:
                return await handler(request)
            except HTTPException:
                raise
            except Transient as error:
                raise HTTPException(503, str(error), headers={"Retry-After": "1"}) from error
            except Exception as error:
                kind = (handler.__qualname__, type(error).__name__)
                if kind not in self._seen:
                    self._seen.add(kind)
                    log.exception("request failed", handler=handler.__name__, error=str(error))
                raise HTTPException(500, "internal error") from error

        return told

    async def metrics(self, request: Request) -> Response:
        """Expose all instruments, in the format the scraper asks for."""
        body, content_type = await run_in_threadpool(self._telemetry.exposition, request.headers.get("accept", ""))
        return Response(body, headers={"Content-Type": content_type})

    async def healthz(self, _request: Request) -> Response:
        """Say that the process serves requests."""
        return JSONResponse({"status": "ok", "version": self._version})

    async def readyz(self, _request: Request) -> Response:
        """Say whether traffic may be sent here: the store is open and migrated, and the agent is not draining."""
        reasons = list(self._readiness.reasons())
        return JSONResponse({"ready": not reasons, "reasons": reasons}, status_code=503 if reasons else 200)

    async def openapi(self, _request: Request) -> Response:
        """Describe this API."""
        return await made(lambda: document(self._version, self._dimensions))

    async def decisions(self, request: Request) -> Response:
        """List verdict changes in order; ``after`` is the last ``seq`` seen."""
        after = _integer(request, "after", 0, low=0)
        limit = _integer(request, "limit", 100, low=1, high=MAX_LIMIT)
        gate = request.query_params.get("gate")
        store = self._store
        bodies = (decision_body(row) for row in _decided(store, gate, after))
        return Response(await run_in_threadpool(_page, "decisions", bodies, limit), media_type="application/json")

    async def changes(self, request: Request) -> Response:
        """List the change ledger in order; ``after`` is the last ``seq`` seen."""
        after = _integer(request, "after", 0, low=0)
        limit = _integer(request, "limit", 100, low=1, high=MAX_LIMIT)
        store = self._store
        return await made(lambda: {"changes": [change_body(row) for row in store.changes(after=after, limit=limit)]})

    async def announce(self, request: Request) -> Response:
        """Record a change; one that is known by its id is not recorded again."""
        store = self._store
        # A page in a browser can send a form or plain text to any address it likes, but no JSON without being let.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HTTPException(415, "a change is announced as application/json")
        body = await read_body(request, MAX_BODY)
        now = self._clock()
        try:
            announcement = read_announcement(body, dimensions=self._dimensions, now=now)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
        entry = announcement.entry(now=now)
        (row,) = await run_in_threadpool(store.record_changes, [entry])
        if not announcement.says(row):
            raise HTTPException(409, f"there is another change with the id {row.id!r}, recorded as number {row.seq}")
        created = row.recorded_at == entry.recorded_at
        return Response(encoded(change_body(row)), 201 if created else 200, media_type="application/json")

    async def answers(self, request: Request) -> Response:
        """List answers, newest first, by slice and by the value of a metric."""
        limit = _integer(request, "limit", 50, low=1, high=MAX_LIMIT)
        before = _integer(request, "before", 0, low=0) or None
        metric = request.query_params.get("metric")
        low, high = _number(request, "min_value"), _number(request, "max_value")
        if metric is None and (low is not None or high is not None):
            raise HTTPException(400, "min_value and max_value need metric")
        if metric is not None and self._metrics and metric not in self._metrics:
            raise HTTPException(400, f"metric must be one of {', '.join(self._metrics)}, got {metric[:40]!r}")
        cut = {name: request.query_params[name] for name in self._dimensions if name in request.query_params}
        at_once = PAGE_ROWS if low is not None or high is not None else min(limit, PAGE_ROWS)
        rows = _scanned(self._store, at_once=at_once, before=before, metric=metric, slice_=cut or None)
        chosen = (row for row in rows if metric is None or _within(row, metric, low, high))
        bodies = (answer_body(row) for row in chosen)
        return Response(await run_in_threadpool(_page, "answers", bodies, limit), media_type="application/json")

    async def answer(self, request: Request) -> Response:
        """Give one answer with its newest evaluation."""
        answer_id = request.path_params["answer_id"]
        row = await run_in_threadpool(self._store.answer, answer_id)
        if row is None:
            raise HTTPException(404, f"no answer {answer_id!r}: unknown, not closed yet, or past its retention")
        return await made(lambda: answer_body(row))

    async def slices(self, _request: Request) -> Response:
        """List the slice dimensions."""
        return JSONResponse({"dimensions": list(self._dimensions)})

    async def sources(self, _request: Request) -> Response:
        """Tell how each source is doing, and the newest records of it that could not be read."""
        store = self._store
        return await made(lambda: {"sources": [source_body(source.report(), store) for source in self._sources]})

    async def write_back(self, _request: Request) -> Response:
        """Tell how each target of write-back is doing."""
        self._parts()
        return await made(lambda: {"write_back": [target.report() for target in self._write_back]})

    async def notify(self, _request: Request) -> Response:
        """Tell how each notifier is doing."""
        self._parts()
        return await made(lambda: {"notify": [notifier.report() for notifier in self._notify]})

    async def catalog(self, _request: Request) -> Response:
        """Tell which catalog is in force, what was refused, and what changed."""
        self._parts()
        catalog = self._catalog
        if catalog is None:
            raise HTTPException(404, "no catalog is configured")
        return await made(catalog.report)


def _scanned(
    store: Store, *, at_once: int, before: int | None, metric: str | None, slice_: Mapping[str, str] | None
) -> Iterator[AnswerRow]:
    """Yield answers, newest first, ``at_once`` of them in memory at a time, until about `SCAN_ROWS` were seen."""
    for _ in range(0, SCAN_ROWS, at_once):
        rows = store.answers(limit=at_once, before=before, metric=metric, slice_=slice_)
        yield from rows
        if len(rows) < at_once:
            return
        before = rows[-1].seq


def _decided(store: Store, gate: str | None, after: int) -> Iterator[Decision]:
    """Yield decisions, oldest first, `PAGE_ROWS` of them in memory at a time."""
    while rows := store.decisions(gate=gate, after=after, limit=PAGE_ROWS):
        yield from rows
        after = rows[-1].seq


def _page(name: str, bodies: Iterator[Mapping[str, Any]], limit: int) -> bytes:
    """Return up to ``limit`` bodies as one, under ``name``; at `PAGE_BYTES` it ends early."""
    parts: list[bytes] = []
    size = 0
    for body in itertools.islice(bodies, limit):
        parts.append(encoded(body))
        size += len(parts[-1])
        if size >= PAGE_BYTES:
            break
    return b'{"' + name.encode() + b'": [' + b", ".join(parts) + b"]}"


def _within(row: AnswerRow, metric: str, low: float | None, high: float | None) -> bool:
    if row.evaluation is None:
        return False
    for score in row.evaluation.scores:
        if score.metric == metric:
            return (low is None or score.value >= low) and (high is None or score.value <= high)
    return False


def _integer(request: Request, name: str, default: int, *, low: int, high: int = 2**63 - 1) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    number = int(text) if len(text) <= MAX_DIGITS and text.isascii() and text.isdigit() else None
    if number is None or not low <= number <= high:
        raise HTTPException(400, f"{name} must be a whole number from {low} to {high}, got {text[:40]!r}")
    return number


def _number(request: Request, name: str) -> float | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise HTTPException(400, f"{name} must be a finite number, got {text[:40]!r}")
    return value


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/v1/flagger/"):
        # Flagger drops the body of 429 and 5xx. Whatever hinders an answer is a refusal there, with its reason.
        status = NO if error.status_code != UNAUTHORIZED else UNAUTHORIZED
        return PlainTextResponse(f"{error.detail}\n", status, headers=error.headers)
    return JSONResponse({"error": error.detail}, status_code=error.status_code, headers=error.headers)
