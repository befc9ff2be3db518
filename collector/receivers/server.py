"""An ASGI application on a listener, within bounds that the server library does not set."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import socket
from collections.abc import Callable, Iterator

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from collector.errors import ConfigError
from collector.receivers.hosts import PROBES, HostCheck, refusal
from collector.receivers.protocol import BoundedProtocol
from collector.receivers.settings import HttpListener, Listener
from collector.security.address import is_loopback

MAX_CONNECTIONS = 1024
PORT_TAKEN = "; another program has this port: `ss -ltnp` names it. Stop it, or set another `port`"
"""What to do where a port is in use."""


class _Server(uvicorn.Server):
    """A server that leaves the process's signals to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class HttpReceiver:
    """Serves an ASGI application on a listener, on the running event loop.

    ``where`` is the listener's path in the configuration. ``message_seconds`` bounds how long one request may be in
    coming before its connection is cut. ``refuse`` answers a request that is for another host than the listener's.
    """

    def __init__(
        self,
        app: ASGIApp,
        listener: HttpListener,
        *,
        where: str,
        message_seconds: float = 60.0,
        refuse: Callable[[Request, str], Response] = refusal,
    ) -> None:
        self._app = app
        if (hosts := listener.hosts) is not None:
            # Elsewhere than on loopback an orchestrator asks by address.
            unchecked = frozenset[str]() if is_loopback(listener.host) else PROBES
            self._app = HostCheck(app, hosts, where=where, unchecked=unchecked, refuse=refuse)
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
                raise RuntimeError(f"{self._where}: server stopped during startup")
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
        if error.errno == errno.EADDRINUSE:
            reason += PORT_TAKEN
        raise ConfigError(f"{where}: cannot listen on {listener.host} port {listener.port}: {reason}") from error
    return bound
