"""One path of OTLP over HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Protocol

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from collector.receivers import status
from collector.receivers.base import RETRY_SECONDS, QueueFull, RequestTally, Unavailable
from collector.receivers.guard import Guard
from collector.receivers.intake import LARGE_BYTES, Intake
from collector.receivers.refusals import PROBE_AGENT, RefusalLog
from collector.receivers.signals import Signal
from collector.receivers.split import Split
from collector.receivers.writer import Reservation
from collector.security.decompress import ENCODINGS, MalformedBody, TooLarge, decompress

log = structlog.get_logger(__name__)

PROTOBUF, JSON = "application/x-protobuf", "application/json"
GZIP = b"\x1f\x8b"
"""How a body begins that gzip compressed."""
INLINE_ITEMS = 2500
"""Plain protobuf that is not large and has no more is split on the event loop, within 10 ms; the rest in a thread."""

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


class _Decode(Protocol):
    def __call__(self, body: bytes, *, max_items: int | None = None) -> Split: ...


class _Failure(Exception):  # noqa: N818 - an answer, made where its reason is found
    def __init__(self, code: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.headers = headers


class Export:
    """Takes the export requests of one signal from those whom the guard admits."""

    def __init__(self, intake: Intake, signal: Signal, guard: Guard) -> None:
        self._intake = intake
        self._signal = signal
        self._guard = guard
        self._logged: set[type[Exception]] = set()
        self._refused = RefusalLog(signal.path)

    async def __call__(self, request: Request) -> Response:
        """Answer one request, and tell telemetry of it."""
        tally = RequestTally()
        as_json = media_type(request) == JSON
        headers: dict[str, str] = {}
        try:
            body = await self._taken(request, tally, as_json=as_json)
            code = 200
        except _Failure as failure:
            code, headers = failure.code, failure.headers
            body = status.failure(_CODES[code], failure.message, as_json=as_json)
            if not probing(request):
                self._refused.tell(str(code), failure.message, sender=request.client.host if request.client else None)
        except ClientDisconnect:
            # Nobody is left to read the answer; it is made for telemetry.
            code, body = 408, b""
        except Exception as error:
            code = 500
            body = status.failure(_CODES[code], "internal error", as_json=as_json)
            if type(error) not in self._logged:
                self._logged.add(type(error))
                log.exception("request failed with an internal error; further ones of this kind are only counted")
        if not probing(request):
            self._intake.telemetry.request(
                "http/json" if as_json else "http/protobuf",
                str(code),
                signal=self._signal.name,
                items=tally.items,
                dropped=tally.dropped,
                n_bytes=tally.n_bytes,
            )
        return Response(body, code, {"content-type": JSON if as_json else PROTOBUF} | headers)

    async def _taken(self, request: Request, tally: RequestTally, *, as_json: bool) -> bytes:
        """Store what the request holds, and return the body of the answer."""
        encoding = self._admitted(request)
        try:
            with self._intake.writer.reserve() as reservation:
                decode = partial(self._decode, encoding, reservation, tally, as_json=as_json)
                found = await self._decoded(decode, await self._read(request, reservation), encoding, as_json=as_json)
                if found.chunks:
                    await asyncio.wrap_future(self._intake.writer.submit(found.chunks, reservation))
        except QueueFull as error:
            raise _Failure(429, str(error), **{"retry-after": str(RETRY_SECONDS)}) from None
        except Unavailable as error:
            raise _Failure(503, str(error), **{"retry-after": str(RETRY_SECONDS)}) from None
        except TooLarge as error:
            raise _Failure(413, str(error)) from None
        except MalformedBody as error:
            raise _Failure(400, str(error)) from None
        tally.items, tally.dropped = found.n_items, found.dropped
        return status.success(self._signal.name, found.dropped, as_json=as_json)

    def _admitted(self, request: Request) -> str:
        """Check everything that can be known before the body is read; return its encoding."""
        if request.method != "POST":
            raise _Failure(405, f"method {request.method} not allowed; use POST", allow="POST")
        if not self._guard.admits(request.headers.get("authorization", "")):
            raise _Failure(401, self._guard.message, **{"www-authenticate": self._guard.challenge})
        if media_type(request) not in {PROTOBUF, JSON}:
            raise _Failure(415, f"unsupported content type {media_type(request)[:100]!r}; use {PROTOBUF} or {JSON}")
        encoding = request.headers.get("content-encoding", "identity").strip().lower() or "identity"
        if encoding not in ENCODINGS:
            raise _Failure(
                415, f"unsupported content encoding {encoding[:100]!r}; use one of {', '.join(sorted(ENCODINGS))}"
            )
        limit = self._intake.limits.max_body_bytes
        length = request.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > limit:
            raise _Failure(413, f"request body exceeds {limit} bytes")
        return encoding

    async def _read(self, request: Request, reservation: Reservation) -> bytes:
        limits = self._intake.limits
        pieces: list[bytes] = []
        try:
            async with asyncio.timeout(limits.body_seconds):
                async for piece in request.stream():
                    reservation.grow(len(piece))
                    pieces.append(piece)
                    if reservation.n_bytes > limits.max_body_bytes:
                        raise TooLarge(f"request body exceeds {limits.max_body_bytes} bytes")
        except TimeoutError:
            raise _Failure(
                408, f"request body not received within {limits.body_seconds:g} s", connection="close"
            ) from None
        return b"".join(pieces)

    async def _decoded(self, decode: _Decode, body: bytes, encoding: str, *, as_json: bool) -> Split:
        """Decode on the event loop or in a thread; when this returns, nothing holds the body any more."""
        if as_json:
            return await asyncio.get_running_loop().run_in_executor(self._intake.decoder, decode, body)
        if encoding == "identity" and len(body) <= LARGE_BYTES:
            # Where there are more, this is found before the first of them is read.
            with suppress(TooLarge):
                return decode(body, max_items=INLINE_ITEMS)
        return await asyncio.to_thread(decode, body)

    def _decode(
        self,
        encoding: str,
        reservation: Reservation,
        tally: RequestTally,
        body: bytes,
        *,
        as_json: bool,
        max_items: int | None = None,
    ) -> Split:
        limits = self._intake.limits
        limit = min(limits.max_decompressed_bytes, limits.max_json_bytes) if as_json else limits.max_decompressed_bytes
        if len(body) > limit:
            raise TooLarge(f"request body exceeds {limit} bytes")
        body = decompress(body, encoding, limit=limit, reserve=reservation.grow)
        tally.n_bytes = len(body)
        try:
            if as_json:
                return self._intake.split_json(self._signal, body)
            return self._intake.split(self._signal, body, max_items=max_items)
        except MalformedBody as error:
            raise MalformedBody(f"{error}{_instead(body, as_json=as_json)}") from None


def _instead(body: bytes, *, as_json: bool) -> str:
    r"""Return what a body is that its headers do not name, with the header to send; nothing where it is not known.

    >>> _instead(b'{"resourceSpans": []}', as_json=False)
    '; this is JSON: send content-type application/json'
    >>> _instead(b"\x1f\x8b\x08", as_json=True), _instead(b"\n\x10", as_json=False)
    ('; this is compressed: send content-encoding gzip', '')
    """
    if body.startswith(GZIP):
        return "; this is compressed: send content-encoding gzip"
    looks_like_json = body.lstrip()[:1] in {b"{", b"["}
    if looks_like_json and not as_json:
        return f"; this is JSON: send content-type {JSON}"
    if as_json and body and not looks_like_json:
        return f"; this does not begin as JSON: send protobuf with content-type {PROTOBUF}"
    return ""


def probing(request: Request) -> bool:
    """Whether `groundwire doctor` asks who answers here, which is neither counted nor logged."""
    return request.headers.get("user-agent") == PROBE_AGENT


def media_type(request: Request) -> str:
    """Return the content type without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
