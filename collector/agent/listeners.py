"""The listeners that take traces in: OTLP over HTTP and over gRPC, where configured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from collector.configuration.schema import Config
from collector.receivers.grpc import GrpcReceiver
from collector.receivers.http import http_app, misdirected
from collector.receivers.intake import Intake
from collector.receivers.server import HttpReceiver


class Listeners:
    """Receivers that are not open yet. Raises `ConfigError` for a token or key that cannot be read."""

    def __init__(self, config: Config) -> None:
        self._receive = config.receive
        self._tokens = {where: listener.bearer(where) for where, listener in config.listeners.items()}
        self._keys = config.langfuse_keys()

    async def open(self, stack: AsyncExitStack, intake: Intake, *, left: Callable[[], float]) -> dict[str, int]:
        """Open, and return the port of each listener by its path; ``stack`` closes them, in half the time ``left``."""
        ports: dict[str, int] = {}
        if (options := self._receive.otlp_http).enabled:
            where = "receive.otlp_http"
            app = http_app(intake, self._tokens[where], keys=self._keys)
            http = HttpReceiver(app, options, where=where, refuse=misdirected)
            await http.start()
            stack.push_async_callback(lambda: http.stop(left() / 2))
            ports[where] = http.port
        if (grpc_options := self._receive.otlp_grpc).enabled:
            where = "receive.otlp_grpc"
            grpc = GrpcReceiver(intake, grpc_options, where=where, token=self._tokens[where])
            grpc.start()
            stack.push_async_callback(lambda: asyncio.to_thread(grpc.stop, left() / 2))
            ports[where] = grpc.port
        return ports
