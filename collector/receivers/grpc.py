"""OTLP over gRPC: https://opentelemetry.io/docs/specs/otlp/#otlpgrpc.

The methods are unary, and served as if a client could send several messages: on the wire both are the same, but a
handler of the latter kind runs before the first message is read, so that nothing is read for who shows no token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NoReturn

import grpc
import structlog

from collector.errors import ConfigError
from collector.receivers import status
from collector.receivers.base import QueueFull, RequestTally, Unavailable
from collector.receivers.guard import bearer
from collector.receivers.intake import LARGE_BYTES, Intake
from collector.receivers.reading import NoMessage, Readers
from collector.receivers.refusals import RefusalLog
from collector.receivers.settings import Listener
from collector.receivers.signals import SIGNALS, Signal
from collector.receivers.split import Split
from collector.receivers.writer import Reservation
from collector.security.decompress import MalformedBody, TooLarge, decompress, encoding_of

log = structlog.get_logger(__name__)

THREADS = 32
"""Requests served at once. Each spends its time waiting for a commit that it shares with the others."""
MAX_WAITING = 256
"""Calls at once, over all connections."""

_Messages = Iterator[bytes]


class _Unauthenticated(Exception):  # noqa: N818 - an answer, made where its reason is found
    pass


class GrpcReceiver:
    """Serves ``Export`` of each signal. ``where`` is the listener's path in the configuration."""

    def __init__(self, intake: Intake, listener: Listener, *, where: str, token: str | None) -> None:
        self._intake = intake
        self._listener = listener
        self._where = where
        self._guard = bearer(token)
        limits = intake.limits
        at_once = max(1, intake.writer.limit_bytes // limits.max_body_bytes)
        self._readers = Readers(at_once, seconds=limits.body_seconds)
        self._server: grpc.Server | None = None
        self._logged: set[type[Exception]] = set()
        self._refused = RefusalLog(where)
        self.port = 0

    def start(self) -> None:
        """Listen; `port` is the one bound. Raises `ConfigError` when the address or the key pair cannot be used."""
        server = grpc.server(
            ThreadPoolExecutor(THREADS, thread_name_prefix="grpc"),
            handlers=[_Handler({signal.method: partial(self._export, signal) for signal in SIGNALS})],
            maximum_concurrent_rpcs=MAX_WAITING,
            options=[
                ("grpc.max_receive_message_length", self._intake.limits.max_body_bytes),
                # What is compressed is unpacked here, within its reservation.
                ("grpc.per_message_decompression", 0),
                # Else what a fast client sends before it is asked for grows to megabytes a call.
                ("grpc.http2.bdp_probe", 0),
                # Beyond, a connection waits for its own requests to end: HTTP/2 has back-pressure built in.
                ("grpc.max_concurrent_streams", THREADS),
                # A second agent on this port is a mistake to be told, not a way to share it.
                ("grpc.so_reuseport", 0),
            ],
        )
        host = f"[{self._listener.host}]" if ":" in self._listener.host else self._listener.host
        address = f"{host}:{self._listener.port}"
        key_pair = self._listener.key_pair(self._where)
        try:
            if key_pair is None:
                self.port = server.add_insecure_port(address)
            else:
                self.port = server.add_secure_port(address, grpc.ssl_server_credentials([key_pair]))
        except RuntimeError as error:
            server.stop(None)
            raise ConfigError(f"{self._where}: cannot listen on {address}: {error}") from error
        server.start()
        self._server = server

    def stop(self, grace: float) -> None:
        """Accept nothing new, let requests under way end for ``grace`` seconds, and close."""
        if self._server is not None:
            self._server.stop(grace).wait()

    def _export(self, signal: Signal, messages: _Messages, context: grpc.ServicerContext) -> bytes:
        tally = RequestTally()
        code = grpc.StatusCode.OK
        message = ""
        try:
            return self._taken(signal, messages, context, tally)
        except NoMessage as error:
            code, message = grpc.StatusCode.CANCELLED, str(error)
        except _Unauthenticated:
            code, message = grpc.StatusCode.UNAUTHENTICATED, self._guard.message
            self._refused.tell(code.name, message, sender=context.peer())
        except QueueFull as error:
            code, message = grpc.StatusCode.RESOURCE_EXHAUSTED, str(error)
        except Unavailable as error:
            code, message = grpc.StatusCode.UNAVAILABLE, str(error)
        except (MalformedBody, TooLarge) as error:
            code, message = grpc.StatusCode.INVALID_ARGUMENT, str(error)
            self._refused.tell(code.name, message, sender=context.peer())
        except Exception as error:
            code, message = grpc.StatusCode.INTERNAL, "internal error"
            if type(error) not in self._logged:
                self._logged.add(type(error))
                log.exception("request failed with an internal error; further ones of this kind are only counted")
        finally:
            self._intake.telemetry.request(
                "grpc",
                code.name,
                signal=signal.name,
                items=tally.items,
                dropped=tally.dropped,
                n_bytes=tally.n_bytes,
            )
        return _fail(context, code, message)

    def _taken(self, signal: Signal, messages: _Messages, context: grpc.ServicerContext, tally: RequestTally) -> bytes:
        """Store what the request holds, and return the answer."""
        if not self._guard.admits(dict(context.invocation_metadata()).get("authorization", "")):
            raise _Unauthenticated
        with self._intake.writer.reserve() as reservation:
            found = self._split(signal, self._readers.read(messages, context), reservation, tally)
            if found.chunks:
                self._intake.writer.submit(found.chunks, reservation).result()
        tally.items, tally.dropped = found.n_items, found.dropped
        return status.success(signal.name, found.dropped, as_json=False)

    def _split(self, signal: Signal, body: bytes, reservation: Reservation, tally: RequestTally) -> Split:
        """Return the chunks of a message; when this returns, nothing holds it any more."""
        reservation.grow(len(body))
        limit = self._intake.limits.max_decompressed_bytes
        if len(body) > limit:
            raise TooLarge(f"message exceeds {limit} bytes")
        body = decompress(body, encoding_of(body), limit=limit, reserve=reservation.grow)
        tally.n_bytes = len(body)
        if len(body) > LARGE_BYTES:
            return self._intake.decoder.submit(self._intake.split, signal, body).result()
        return self._intake.split(signal, body)


class _Handler(grpc.GenericRpcHandler):  # type: ignore[misc]  # grpc is not typed for us
    """Routes the methods; bodies stay bytes, as most of them need never become objects."""

    def __init__(self, methods: Mapping[str, Callable[[_Messages, grpc.ServicerContext], bytes]]) -> None:
        self._handlers = {name: grpc.stream_unary_rpc_method_handler(export) for name, export in methods.items()}

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """Return the handler of a method; ``None`` is answered with UNIMPLEMENTED."""
        return self._handlers.get(handler_call_details.method)


def _fail(context: grpc.ServicerContext, code: grpc.StatusCode, message: str) -> NoReturn:
    """End the call; where trying again helps, say when, in both forms that exporters look for."""
    if code in {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE}:
        context.set_trailing_metadata(
            (
                ("grpc-status-details-bin", status.failure_with_retry(code.value[0], message)),
                ("google.rpc.retryinfo-bin", status.retry_info()),
            )
        )
    context.abort(code, message)
    raise AssertionError("abort() raises")
