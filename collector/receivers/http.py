"""The paths of the OTLP/HTTP listener."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from collector.receivers import langfuse, status
from collector.receivers.base import ReceiveProtocol
from collector.receivers.export import JSON, PROTOBUF, Export, media_type, probing
from collector.receivers.guard import basic, bearer
from collector.receivers.hosts import MISDIRECTED
from collector.receivers.intake import Intake
from collector.receivers.refusals import RefusalLog
from collector.receivers.signals import SIGNALS
from collector.security.text import one_line

OTLP = f"{langfuse.PREFIX}/otel"
"""Where Langfuse takes OTLP. Its SDK sends traces only; an exporter that has this for its base URL sends logs too."""


def http_app(intake: Intake, token: str | None, *, keys: tuple[str, str] | None = None) -> ASGIApp:
    """Return the application that receives OTLP/HTTP; clients must show ``token`` unless it is ``None``.

    ``keys`` are the public and the secret key that Langfuse SDKs must show on their paths (see `guard.basic`).
    """
    by_token, by_keys = bearer(token), basic(keys, token=token)
    app = Starlette(
        routes=[
            *(Route(signal.path, _Endpoint(Export(intake, signal, by_token))) for signal in SIGNALS),
            *(Route(f"{OTLP}{signal.path}", _Endpoint(Export(intake, signal, by_keys))) for signal in SIGNALS),
            Route(f"{langfuse.PREFIX}/{{rest:path}}", _Endpoint(langfuse.LangfuseApi(by_keys))),
        ],
        exception_handlers={HTTPStatus.NOT_FOUND: _NotFound(intake)},
    )
    # Exporters do not follow redirects; they would drop their spans.
    app.router.redirect_slashes = False
    return app


def misdirected(request: Request, message: str) -> Response:
    """Answer a request that is for another host."""
    return _failure(request, MISDIRECTED, status.FAILED_PRECONDITION, message)


class _NotFound:
    """Answers what is sent to a path without a receiver, and tells telemetry of it: exporters are set up that way."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._refused = RefusalLog("receive.otlp_http")

    async def __call__(self, request: Request, _error: Exception) -> Response:
        paths = ", ".join(f"send {signal.name} to {signal.path}" for signal in SIGNALS)
        message = f"no receiver at {one_line(request.url.path, 200)}; {paths}"
        if request.method == "POST" and not probing(request):
            code = str(HTTPStatus.NOT_FOUND.value)
            signal = next((each.name for each in SIGNALS if each.name in request.url.path), SIGNALS[0].name)
            protocol: ReceiveProtocol = "http/json" if media_type(request) == JSON else "http/protobuf"
            self._intake.telemetry.request(protocol, code, signal=signal, items=0, dropped={}, n_bytes=0)
            self._refused.tell(code, message, sender=request.client.host if request.client else None)
        return _failure(request, HTTPStatus.NOT_FOUND, status.NOT_FOUND, message)


def _failure(request: Request, code: int, status_code: int, message: str) -> Response:
    as_json = media_type(request) == JSON
    body = status.failure(status_code, message, as_json=as_json)
    return Response(body, code, {"content-type": JSON if as_json else PROTOBUF})


class _Endpoint:
    """Hands every method to the endpoint: the router's own 405 has no Status in its body."""

    def __init__(self, answer: Callable[[Request], Awaitable[Response]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive, send))
        await response(scope, receive, send)
