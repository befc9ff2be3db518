"""The HTTP face of the agent: metrics, probes, and the JSON API under ``/v1``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from collector.api.agent import AgentApi
from collector.api.canaries import CanaryApi
from collector.api.catalog import CatalogApi
from collector.api.evaluations import EvaluationApi
from collector.api.exchange import made
from collector.api.flagger import NO
from collector.api.gates import VerdictApi
from collector.api.openapi import document
from collector.api.operations import Endpoint, Operation, declared, parameters_of
from collector.api.pages.answers import AnswerPages
from collector.api.pages.gates import GatePages
from collector.api.pages.overview import OverviewPage
from collector.api.pages.records import RecordPages
from collector.api.pages.reports import ReportPages
from collector.api.pages.site import REALM, closed_page, page
from collector.api.pages.sources import SourcePages
from collector.api.parameters import Parameters, WrongParameter
from collector.api.prefix import Prefixed, prefix_of
from collector.api.reports import ReportApi
from collector.api.rows import RowApi
from collector.api.serving import Parts, Serving
from collector.api.verification import VerificationApi
from collector.clock import instant
from collector.errors import Transient
from collector.receivers.guard import GROUNDWIRE_USER

log = structlog.get_logger(__name__)

MOVED = 307
UNAUTHORIZED = 401
NOT_ALLOWED = 405
OTLP_PATHS = frozenset({"/v1/traces", "/v1/logs", "/v1/metrics"})
"""Where exporters send to that were given this port."""
TITLES = {400: "This cannot be shown", 404: "There is no such page", 503: "The agent cannot answer now"}
PAGES = (OverviewPage, GatePages, AnswerPages, RecordPages, ReportPages, SourcePages)
APIS: tuple[type[Any], ...] = (
    AgentApi,
    CatalogApi,
    CanaryApi,
    VerdictApi,
    ReportApi,
    RowApi,
    EvaluationApi,
    VerificationApi,
    *PAGES,
)
"""The parts of the API. What their handlers declare is routed and documented."""


class Api(Serving):
    """Handlers over the store and the newest verdicts.

    It serves before there is a store, so that probes are answered while one is migrated: until `open` is called,
    everything under ``/v1`` answers 503. Bodies are made in threads: the event loop takes in traces as well.
    """

    def open(self, parts: Parts) -> None:
        """Serve from ``parts`` from now on."""
        self.opened = parts

    def close(self) -> None:
        """Serve probes and metrics only from now on."""
        self.opened = None

    def app(self) -> Starlette:
        """Return the ASGI application."""
        paths: dict[str, dict[str, Endpoint]] = {}
        for api in (*(api(self) for api in APIS), self):
            for operation, handler in declared(api):
                paths.setdefault(operation.path, {})[operation.method] = self._endpoint(operation, handler)
        routes = [
            # The id of an answer may hold slashes.
            Route(path.replace("{answer_id}", "{answer_id:path}"), _by_method(endpoints), methods=[*endpoints])
            for path, endpoints in paths.items()
        ]
        below = Middleware(Prefixed, public_url=self.public_url)
        return Starlette(routes=routes, middleware=[below], exception_handlers={HTTPException: self._problem})

    def _endpoint(self, operation: Operation, handler: Endpoint) -> Endpoint:
        """Return what admits a request, reads its parameters and has it handled.

        What the handler did not expect is answered as every other error is, and logged once per kind.
        """
        tokens = self.tokens
        guards = {
            "open": (),
            "token": tokens.guards,
            "verdicts": tokens.verdict_guards,
            "page": tokens.page_guards,
        }[operation.access]
        parameters = parameters_of(handler)

        async def answer(request: Request) -> Response:
            shown = request.headers.get("authorization", "")
            if guards and not any(guard.admits(shown) for guard in guards):
                if operation.is_page:
                    return closed_page(GROUNDWIRE_USER, now=instant(self.clock()), prefix=prefix_of(request))
                # Of what a page loads or links a browser is told that what it was given for the page opens it too.
                challenge = {"WWW-Authenticate": f"Bearer, {REALM}" if operation.access == "page" else "Bearer"}
                raise HTTPException(UNAUTHORIZED, "a bearer token is required", headers=challenge)
            try:
                return await self._handled(operation, handler, parameters, request)
            except HTTPException:
                raise
            except WrongParameter as error:
                raise HTTPException(400, str(error)) from error
            except Transient as error:
                raise HTTPException(503, str(error), headers={"Retry-After": "1"}) from error
            except Exception as error:
                kind = (handler.__qualname__, type(error).__name__)
                if kind not in self.logged:
                    self.logged.add(kind)
                    log.exception("request failed", handler=handler.__name__, error=str(error))
                raise HTTPException(500, "internal error") from error

        return answer

    async def _handled(
        self, operation: Operation, handler: Endpoint, parameters: type[Parameters] | None, request: Request
    ) -> Response:
        if parameters is None:
            return await handler(request)
        query = request.query_params.multi_items()
        if operation.is_page and "" in dict(query).values():
            return _without_empty(request)
        return await handler(request, parameters.read(query, self.dimensions, request.path_params))

    @Operation("/openapi.json", {200: "This document."}, stored=False)
    async def openapi(self, _request: Request) -> Response:
        """Describe this API; the description leaves itself out."""
        return await made(lambda: document(self.version, self.dimensions, APIS))

    async def _problem(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.url.path.startswith("/v1/flagger/"):
            # Flagger drops the body of 429 and 5xx. Whatever hinders an answer is a refusal there, with its reason.
            status = NO if error.status_code != UNAUTHORIZED else UNAUTHORIZED
            return PlainTextResponse(f"{error.detail}\n", status, headers=error.headers)
        detail = error.detail
        if error.status_code == NOT_ALLOWED:
            allowed = sorted((error.headers or {}).get("Allow", "").split(", "))
            detail = f"method {request.method[:20]} not allowed; use {', '.join(allowed)}"
        if detail == "Not Found" and request.url.path in OTLP_PATHS:
            detail = f"no traces are received here; send them to {self.receiving}"
        if _for_people(request):
            title = TITLES.get(error.status_code, "This page cannot be shown")
            if detail == "Not Found":
                detail = "No page of the agent has this address."
            shown = {"title": title, "text": detail, "step": "", "prefix": prefix_of(request)}
            return page("message.html", now=instant(self.clock()), status=error.status_code, **shown)
        return JSONResponse({"error": detail}, status_code=error.status_code, headers=error.headers)


def _without_empty(request: Request) -> Response:
    """Lead to the address without what was left empty, as forms send it and boards link it: that one is passed on."""
    query = [(name, value) for name, value in request.query_params.multi_items() if value]
    path = prefix_of(request) + quote(request.scope["path"], safe="/")
    headers = {"Location": f"{path}?{urlencode(query)}" if query else path, "Cache-Control": "no-store"}
    return Response(status_code=MOVED, headers=headers)


def _for_people(request: Request) -> bool:
    """Whether a browser asks for a page: what programs ask for is answered as JSON."""
    return not request.url.path.startswith("/v1/") and "text/html" in request.headers.get("accept", "")


def _by_method(endpoints: Mapping[str, Endpoint]) -> Endpoint:
    async def answer(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return answer
