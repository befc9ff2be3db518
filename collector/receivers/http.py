"""OTLP over HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import math
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus

import structlog
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from collector.errors import ConfigError
from collector.receivers import status
from collector.receivers.base import (
    RETRY_SECONDS,
    Full,
    Garbage,
    ReceiveProtocol,
    Rejection,
    TooLarge,
    Unavailable,
)
from collector.receivers.body import ENCODINGS, decompress
from collector.receivers.intake import Intake
from collector.receivers.otlpjson import to_protobuf
from collector.receivers.protocol import BoundedProtocol
from collector.receivers.settings import Listener
from collector.receivers.split import Split
from collector.receivers.writer import Claim

log = structlog.get_logger(__name__)

PROTOBUF, JSON = "application/x-protobuf", "application/json"
INLINE_BYTES = 4 * 1024 * 1024
"""Plain protobuf up to here is split on the event loop, within 10 ms; anything slower goes to a thread."""
MAX_CONNECTIONS = 1024

_CODES = {
    400: status.INVALID_ARGUMENT,
    401: status.UNAUTHENTICATED,
    404: status.NOT_FOUND,
    405: status.UNIMPLEMENTED,
    408: status.DEADLINE_EXCEEDED,
    413: status.INVALID_ARGUMENT,
    415: status.INVALID_ARGUMENT,
    429: status.RESOURCE_EXHAUSTED,
    500: status.INTERNAL,
    503: status.UNAVAILABLE,
}


class _Failure(Exception):  # noqa: N818 - an answer, made where its reason is found
    def __init__(self, code: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.headers = headers


@dataclass(slots=True)
class _Exchange:
    """What becomes of one request, for telemetry."""

    protocol: ReceiveProtocol = "http/protobuf"
    n_bytes: int = 0
    spans: int = 0
    rejected: Counter[Rejection] = field(default_factory=Counter)


class _Traces:
    """The endpoint for traces."""

    def __init__(self, intake: Intake, token: str | None) -> None:
        self._intake = intake
        self._bearer = None if token is None else f"Bearer {token}".encode()
        self._logged: set[type[Exception]] = set()

    async def __call__(self, request: Request) -> Response:
        exchange = _Exchange()
        if _media_type(request) == JSON:
            exchange.protocol = "http/json"
        as_json = exchange.protocol == "http/json"
        headers: dict[str, str] = {}
        try:
            body = await self._taken(request, exchange)
            code = 200
        except _Failure as failure:
            code, headers = failure.code, failure.headers
            body = status.failure(_CODES[code], failure.message, as_json=as_json)
        except ClientDisconnect:
            # Nobody is left to read the answer; it is made for telemetry.
            code, body = 408, b""
        except Exception as error:
            code = 500
            body = status.failure(_CODES[code], "internal error", as_json=as_json)
            if type(error) not in self._logged:
                self._logged.add(type(error))
                log.exception("a request failed for a fault of ours; further ones of this kind are only counted")
        self._intake.telemetry.request(
            exchange.protocol, str(code), spans=exchange.spans, rejected=exchange.rejected, n_bytes=exchange.n_bytes
        )
        return Response(body, code, {"content-type": JSON if as_json else PROTOBUF} | headers)

    async def _taken(self, request: Request, exchange: _Exchange) -> bytes:
        """Store what the request holds, and return the body of the answer."""
        encoding = self._admitted(request)
        try:
            with self._intake.writer.claim() as claim:
                found = await self._decoded(await self._read(request, claim), encoding, claim, exchange)
                if found.chunks:
                    await asyncio.wrap_future(self._intake.writer.submit(found.chunks, claim))
        except Full as error:
            raise _Failure(429, str(error), **{"retry-after": str(RETRY_SECONDS)}) from None
        except Unavailable as error:
            raise _Failure(503, str(error), **{"retry-after": str(RETRY_SECONDS)}) from None
        except TooLarge as error:
            raise _Failure(413, str(error)) from None
        except Garbage as error:
            raise _Failure(400, str(error)) from None
        exchange.spans, exchange.rejected = found.n_spans, found.rejected
        return status.success(found.rejected, as_json=exchange.protocol == "http/json")

    def _admitted(self, request: Request) -> str:
        """Check everything that can be known before the body is read; return its encoding."""
        if request.method != "POST":
            raise _Failure(405, f"{request.method} is not for this path: POST", allow="POST")
        shown = request.headers.get("authorization", "").encode()
        if self._bearer is not None and not hmac.compare_digest(shown, self._bearer):
            raise _Failure(401, "a bearer token is needed", **{"www-authenticate": "Bearer"})
        if _media_type(request) not in {PROTOBUF, JSON}:
            raise _Failure(415, f"content type {_media_type(request)[:100]!r} is not one of {PROTOBUF}, {JSON}")
        encoding = request.headers.get("content-encoding", "identity").strip().lower() or "identity"
        if encoding not in ENCODINGS:
            raise _Failure(415, f"content encoding {encoding[:100]!r} is not one of {', '.join(sorted(ENCODINGS))}")
        limit = self._intake.limits.max_body_bytes
        length = request.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > limit:
            raise _Failure(413, f"the request is larger than {limit} bytes")
        return encoding

    async def _read(self, request: Request, claim: Claim) -> bytes:
        limits = self._intake.limits
        pieces: list[bytes] = []
        try:
            async with asyncio.timeout(limits.body_seconds):
                async for piece in request.stream():
                    claim.grow(len(piece))
                    pieces.append(piece)
                    if claim.n_bytes > limits.max_body_bytes:
                        raise TooLarge(f"the request is larger than {limits.max_body_bytes} bytes")
        except TimeoutError:
            raise _Failure(408, f"the request took longer than {limits.body_seconds:g} s", connection="close") from None
        return b"".join(pieces)

    async def _decoded(self, body: bytes, encoding: str, claim: Claim, exchange: _Exchange) -> Split:
        plain = encoding == "identity" and exchange.protocol == "http/protobuf" and len(body) <= INLINE_BYTES
        if plain:
            return self._decode(body, encoding, claim, exchange)
        return await asyncio.to_thread(self._decode, body, encoding, claim, exchange)

    def _decode(self, body: bytes, encoding: str, claim: Claim, exchange: _Exchange) -> Split:
        limits = self._intake.limits
        as_json = exchange.protocol == "http/json"
        limit = min(limits.max_decompressed_bytes, limits.max_json_bytes) if as_json else limits.max_decompressed_bytes
        if len(body) > limit:
            raise TooLarge(f"the request is larger than {limit} bytes")
        body = decompress(body, encoding, limit=limit, claim=claim.grow)
        exchange.n_bytes = len(body)
        return self._intake.split(to_protobuf(body) if as_json else body)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def http_app(intake: Intake, token: str | None) -> ASGIApp:
    """Return the application that receives OTLP/HTTP; clients must show ``token`` unless it is ``None``."""

    async def not_found(request: Request, _error: Exception) -> Response:
        as_json = _media_type(request) == JSON
        message = f"nothing is received at {request.url.path[:200]}: traces go to /v1/traces"
        body = status.failure(status.NOT_FOUND, message, as_json=as_json)
        return Response(body, 404, {"content-type": JSON if as_json else PROTOBUF})

    app = Starlette(
        routes=[Route("/v1/traces", _Endpoint(_Traces(intake, token)))],
        exception_handlers={HTTPStatus.NOT_FOUND: not_found},
    )
    # Exporters do not follow redirects; they would drop their spans.
    app.router.redirect_slashes = False
    return app


class _Endpoint:
    """Hands every method to the endpoint: the router's own 405 has no Status in its body."""

    def __init__(self, answer: _Traces) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive, send))
        await response(scope, receive, send)


class _Server(uvicorn.Server):
    """A server that leaves the process's signals to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class HttpReceiver:
    """Serves an ASGI application on a listener, on the running event loop.

    ``where`` is the listener's path in the configuration. ``message_seconds`` bounds how long one request may be in
    coming before its connection is cut.
    """

    def __init__(self, app: ASGIApp, listener: Listener, *, where: str, message_seconds: float = 60.0) -> None:
        self._app = app
        self._listener = listener
        self._where = where
        self._message_seconds = message_seconds
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None
        self.port = 0

    async def start(self) -> None:
        """Listen; `port` is the one bound. Raises `ConfigError` when the address or the key pair cannot be used."""
        protocol = type("Protocol", (BoundedProtocol,), {"message_seconds": self._message_seconds})
        self._listener.key_pair(self._where)
        config = uvicorn.Config(
            self._app,
            http=protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_keep_alive=75,
            ssl_certfile=self._listener.tls_cert,
            ssl_keyfile=self._listener.tls_key,
        )
        bound = bind(self._listener, self._where)
        self.port = bound.getsockname()[1]
        self._server = _Server(config)
        self._task = asyncio.create_task(self._server.serve(sockets=[bound]))
        while not self._server.started:
            if self._task.done():
                self._task.result()
                raise RuntimeError(f"{self._where}: the server ended as it began")
            await asyncio.sleep(0.01)

    async def stop(self, grace: float) -> None:
        """Accept nothing new, let requests under way end for ``grace`` seconds, and close."""
        if self._server is None or self._task is None:
            return
        self._server.config.timeout_graceful_shutdown = math.ceil(grace)
        self._server.should_exit = True
        await self._task


def bind(listener: Listener, where: str) -> socket.socket:
    """Return a socket bound to the listener's address. Raises `ConfigError` that names it."""
    try:
        [(family, kind, number, _, address), *_] = socket.getaddrinfo(
            listener.host, listener.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        bound = socket.socket(family, kind, number)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except BaseException:
            bound.close()
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"{where}: cannot listen on {listener.host} port {listener.port}: {reason}") from error
    return bound
