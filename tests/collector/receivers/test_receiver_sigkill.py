"""Receiver and store are killed at random moments under load: what was acknowledged is stored, once."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from collector.store.sqlite import open_store
from tests.collector.receivers.requests import make_request

KILLS = 20
SENDERS = 4

SERVE = """
    import asyncio, sys, time
    import uvloop
    from collector.receivers.http import http_app
    from collector.receivers.server import HttpReceiver
    from collector.receivers.intake import Intake
    from collector.receivers.settings import Limits, OtlpHttp
    from collector.receivers.writer import Writer
    from collector.store.sqlite import open_store

    class Silent:
        def request(self, *_, **__): pass
        def commit(self, *_, **__): pass
        def queue(self, _): pass

    async def serve():
        store = open_store(sys.argv[1])
        writer = Writer(store.append, limit_bytes=1 << 26, telemetry=Silent())
        intake = Intake(writer=writer, telemetry=Silent(), limits=Limits(), clock=time.time_ns)
        receiver = HttpReceiver(http_app(intake, None), OtlpHttp(port=0), where="receive.otlp_http")
        await receiver.start()
        print(receiver.port, flush=True)
        await asyncio.Event().wait()

    uvloop.run(serve())
"""


class Load:
    """Sends new spans from several threads for as long as the receiver lives, and notes which were acknowledged."""

    def __init__(self) -> None:
        self.acknowledged: set[bytes] = set()
        self.sent: set[bytes] = set()
        self._lock = threading.Lock()
        self._progress = threading.Semaphore(0)

    def send_until_killed(self, port: int) -> None:
        with httpx.Client(timeout=30) as client:
            while True:
                request = make_request(n_traces=3, n_spans=4, text="x" * 2000)
                ids = {span.span_id for span in request.resource_spans[0].scope_spans[0].spans}
                with self._lock:
                    self.sent |= ids
                try:
                    response = client.post(
                        f"http://127.0.0.1:{port}/v1/traces",
                        content=request.SerializeToString(),
                        headers={"content-type": "application/x-protobuf"},
                    )
                except httpx.TransportError:
                    return
                assert response.status_code == 200
                with self._lock:
                    self.acknowledged |= ids
                self._progress.release()

    def wait_for(self, answers: int) -> None:
        for _ in range(answers):
            assert self._progress.acquire(timeout=60)


@pytest.mark.slow
def test_killed_twenty_times_under_load_every_acknowledged_span_is_stored_once(tmp_path: Path) -> None:
    load = Load()
    moments = random.Random(7)
    command = [sys.executable, "-c", textwrap.dedent(SERVE), str(tmp_path / "data")]
    for _ in range(KILLS):
        with (
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
            ThreadPoolExecutor(SENDERS) as pool,
        ):
            port = int(server.stdout.readline())
            senders = [pool.submit(load.send_until_killed, port) for _ in range(SENDERS)]
            load.wait_for(moments.randint(1, 120))
            server.kill()
            for sender in senders:
                sender.result(60)
    store = open_store(tmp_path / "data")
    due = store.due(now=1 << 62, idle=0, timeout=0, limit=10**6, limit_bytes=1 << 40)
    stored = Counter(
        span.span_id
        for trace in due
        for chunk in trace.chunks
        for resource in TracesData.FromString(chunk).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    )
    books = store.totals()
    store.close()
    assert len(load.acknowledged) > KILLS * 12
    assert load.acknowledged <= set(stored) <= load.sent
    assert set(stored.values()) == {1}
    assert books.accepted == books.pending == stored.total()
