"""A receiver on a real port over a real store, in this process."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvloop
from opentelemetry.proto.trace.v1.trace_pb2 import Span, TracesData

from collector.receivers.grpc import GrpcReceiver
from collector.receivers.http import http_app, misdirected
from collector.receivers.intake import Intake
from collector.receivers.server import HttpReceiver
from collector.receivers.settings import Limits, OtlpGrpc, OtlpHttp
from collector.receivers.writer import Writer
from collector.store.rows import Chunk
from collector.store.sqlite import open_store
from collector.store.store import Store

QUEUE_BYTES = 64 * 1024 * 1024


@dataclass
class Reports:
    """Telemetry that remembers."""

    requests: list[tuple[str, str, int, dict[str, int], int]] = field(default_factory=list)
    signals: list[str] = field(default_factory=list)
    commits: list[tuple[int, int]] = field(default_factory=list)
    queued: int = 0

    def request(
        self, protocol: str, code: str, *, signal: str, items: int, dropped: dict[str, int], n_bytes: int
    ) -> None:
        self.signals.append(signal)
        self.requests.append((protocol, code, items, {k: n for k, n in dropped.items() if n}, n_bytes))

    def commit(self, seconds: float, *, requests: int, items: int) -> None:
        assert seconds >= 0
        self.commits.append((requests, items))

    def queue(self, n_bytes: int) -> None:
        self.queued = n_bytes


@dataclass
class Gate:
    """Stands before the store: holds appends back, or makes them fail."""

    store: Store
    error: Exception | None = None
    open: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def __post_init__(self) -> None:
        self.open.set()

    def append(self, chunks: Sequence[Chunk]) -> None:
        self.arrived.release()
        assert self.open.wait(60)
        if self.error is not None:
            raise self.error
        self.store.append(chunks)


@dataclass
class Agent:
    """What a test sees of the running receivers."""

    store: Store
    gate: Gate
    writer: Writer
    reports: Reports
    http_port: int
    grpc_port: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.http_port}"

    @property
    def url(self) -> str:
        return f"{self.base}/v1/traces"

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self.grpc_port}"

    def stored(self) -> list[Span]:
        due = self.store.due(now=1 << 62, idle=0, timeout=0, limit=10**6, limit_bytes=1 << 40)
        data = [TracesData.FromString(chunk) for trace in due for chunk in trace.chunks]
        return [
            span
            for request in data
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class Loop:
    """An event loop on a thread."""

    def __init__(self) -> None:
        self.loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()

    def run(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def close(self) -> None:
        self.run(self.loop.shutdown_default_executor())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


@pytest.fixture
def loop() -> Iterator[Loop]:
    running = Loop()
    yield running
    running.close()


@pytest.fixture
def start(tmp_path: Path, loop: Loop) -> Iterator[Callable[..., Agent]]:
    """Starts receivers; keyword arguments are limits, besides those of `begin` itself."""
    stops: list[Callable[[], object]] = []
    numbers = itertools.count()

    def begin(
        *,
        token: str | None = None,
        keys: tuple[str, str] | None = None,
        queue_bytes: int = QUEUE_BYTES,
        message_seconds: float = 60,
        allowed_hosts: Sequence[str] = (),
        **limits: Any,
    ) -> Agent:
        store = open_store(tmp_path / f"data-{next(numbers)}")
        gate = Gate(store)
        reports = Reports()
        writer = Writer(gate.append, limit_bytes=queue_bytes, telemetry=reports)
        intake = Intake(writer=writer, telemetry=reports, limits=Limits(**limits), clock=time.time_ns)
        http = HttpReceiver(
            http_app(intake, token, keys=keys),
            OtlpHttp(port=0, token=token, allowed_hosts=allowed_hosts),
            where="receive.otlp_http",
            message_seconds=message_seconds,
            refuse=misdirected,
        )
        grpc = GrpcReceiver(intake, OtlpGrpc(port=0), where="receive.otlp_grpc", token=token)
        loop.run(http.start())
        grpc.start()
        stops.extend(
            [
                gate.open.set,
                lambda: loop.run(http.stop(1)),
                lambda: grpc.stop(1),
                lambda: writer.drain(30),
                store.close,
            ]
        )
        return Agent(store, gate, writer, reports, http.port, grpc.port)

    yield begin
    for stop in stops:
        stop()


@pytest.fixture
def agent(start: Callable[..., Agent]) -> Agent:
    return start()
