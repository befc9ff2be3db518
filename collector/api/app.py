"""The HTTP face of the agent: metrics, probes, and the JSON API under ``/v1``."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import structlog
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from collector.api.bodies import encoded, source_body
from collector.api.exchange import made
from collector.api.flagger import NO
from collector.api.gates import VerdictApi, Verdicts
from collector.api.openapi import document
from collector.api.queries import Patience
from collector.api.rows import RowsApi
from collector.clock import Clock, system_clock
from collector.errors import Transient
from collector.outbound.status import Reporting
from collector.receivers.guard import Guard, Tokens
from collector.store.store import Store
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)

UNAUTHORIZED = 401
NOT_ALLOWED = 405


class Readiness(Protocol):
    """Says whether the agent may be sent traffic."""

    def reasons(self) -> Sequence[str]:
        """Return why not; empty when ready."""
        ...

    def warnings(self) -> Sequence[str]:
        """Return what a person should know, whether ready or not."""
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
        self._rows = RowsApi(lambda: self._parts()[0], dimensions=dimensions, metrics=metrics, clock=clock)
        self._sources: tuple[Reporting, ...] = ()
        self._write_back: tuple[Reporting, ...] = ()
        self._notify: tuple[Reporting, ...] = ()
        self._catalog: Reporting | None = None
        self._seen: set[tuple[str, str]] = set()
        # One exposition is made at a time, beside what other requests run in threads: it takes the processor, and many
        # at once would end no sooner.
        self._scrapes = CapacityLimiter(1)

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
            Route("/v1/decisions", self._guarded(self._rows.decisions)),
            Route("/v1/decisions/{seq}", self._guarded(self._rows.decision)),
            Route("/v1/changes", self._guarded(self._rows.ledger), methods=["GET", "POST"]),
            Route("/v1/answers", self._guarded(self._rows.answers)),
            Route("/v1/answers/{answer_id:path}", self._guarded(self._rows.answer)),
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
        """Expose all instruments, in the format and the encoding the scraper asks for."""
        accept, encoding = (request.headers.get(name, "") for name in ("accept", "accept-encoding"))
        body, headers = await to_thread.run_sync(self._telemetry.scrape, accept, encoding, limiter=self._scrapes)
        return Response(body, headers=headers)

    async def healthz(self, _request: Request) -> Response:
        """Say that the process serves requests."""
        return JSONResponse({"status": "ok", "version": self._version})

    async def readyz(self, _request: Request) -> Response:
        """Say whether traffic may be sent here: the store is open and can be written, and the agent is not draining."""
        reasons, warnings = list(self._readiness.reasons()), list(self._readiness.warnings())
        body = {"ready": not reasons, "reasons": reasons, "warnings": warnings}
        return JSONResponse(body, status_code=503 if reasons else 200)

    async def openapi(self, _request: Request) -> Response:
        """Describe this API."""
        return await made(lambda: document(self._version, self._dimensions))

    async def slices(self, _request: Request) -> Response:
        """List the slice dimensions."""
        return JSONResponse({"dimensions": list(self._dimensions)})

    async def sources(self, request: Request) -> Response:
        """Tell how each source is doing, and the newest records of it that could not be read."""
        store, sources = self._parts()[0], self._sources

        def told(patience: Patience) -> bytes:
            asked = store.asked(patience.over)
            return encoded({"sources": [source_body(source.report(), asked) for source in sources]})

        return await self._rows.looked_up(request, told)

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


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/v1/flagger/"):
        # Flagger drops the body of 429 and 5xx. Whatever hinders an answer is a refusal there, with its reason.
        status = NO if error.status_code != UNAUTHORIZED else UNAUTHORIZED
        return PlainTextResponse(f"{error.detail}\n", status, headers=error.headers)
    detail = error.detail
    if error.status_code == NOT_ALLOWED:
        allowed = sorted((error.headers or {}).get("Allow", "").split(", "))
        detail = f"method {request.method[:20]} not allowed; use {', '.join(allowed)}"
    return JSONResponse({"error": detail}, status_code=error.status_code, headers=error.headers)
