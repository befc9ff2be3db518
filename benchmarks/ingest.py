"""How many spans a second the agent takes in from one sender, acknowledged and durable, and what memory it then holds.

    python benchmarks/ingest.py                   the whole agent, a million spans
    python benchmarks/ingest.py --receiver-only   receiver and store alone

Method: one sender process keeps a few requests in flight over loopback, OTLP/HTTP in protobuf, uncompressed, 512 spans
a request in traces of 12, about 2.3 kB a span, every id new. The clock runs from the first byte sent to the last
answer; an answer comes after fsync. Afterwards the agent is stopped, its store is opened, and its spans are counted.
Memory is that of the agent and its workers, four times a second: resident, where pages that processes share count for
each, and proportional (PSS), where they count once. What an hour of 1,000 spans a second leaves: --spans 3600000.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import platform
import random
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector.store.sqlite import open_store

AGENT = (
    "groundwire run --data {data} --set receive.otlp_http.port={port} --set receive.otlp_grpc.port=0 --set http.port=0"
)
REQUEST_SPANS, TRACE_SPANS, PASSAGES = 512, 12, 4
_WORDS = (
    "allowance approval booking card claim country daily expense fare flight hotel invoice ledger limit manager meal "
    "night order payment policy portal rail rate receipt refund request review sum tax team train travel voucher week"
)


class Body:
    """A request whose ids can be renewed in place, which costs the sender next to nothing."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        words = _WORDS.split()
        request = ExportTraceServiceRequest()
        resource = request.resource_spans.add()
        _attribute(resource.resource.attributes, "service.name", "policy-assistant")
        scope = resource.scope_spans.add()
        scope.scope.name = "openinference.instrumentation.langchain"
        traces: list[bytes] = []
        spans: list[bytes] = []
        for index in range(REQUEST_SPANS):
            place = index % TRACE_SPANS
            if not place:
                traces.append(chance.randbytes(16))
            spans.append(chance.randbytes(8))
            span = scope.spans.add(
                trace_id=traces[-1],
                span_id=spans[-1],
                name="RunnableSequence" if not place else "VectorStoreRetriever",
                start_time_unix_nano=time.time_ns(),
                end_time_unix_nano=time.time_ns() + 10**9,
            )
            if place:
                span.parent_span_id = spans[index - place]
            _attribute(span.attributes, "openinference.span.kind", "RETRIEVER" if place else "CHAIN")
            _attribute(span.attributes, "input.value", " ".join(chance.choices(words, k=12)))
            for passage in range(PASSAGES):
                prefix = f"retrieval.documents.{passage}.document"
                _attribute(span.attributes, f"{prefix}.content", " ".join(chance.choices(words, k=53)))
                _attribute(span.attributes, f"{prefix}.metadata", '{"doc_id":"travel-policy","version":"3"}')
            _attribute(span.attributes, "output.value", " ".join(chance.choices(words, k=20)))
        self.data = bytearray(request.SerializeToString())
        self._traces = [list(_positions(self.data, trace)) for trace in traces]
        self._spans = [list(_positions(self.data, span)) for span in spans]

    def renew(self) -> None:
        """Give every trace and span a new id."""
        for size, ids in ((16, self._traces), (8, self._spans)):
            fresh = os.urandom(size * len(ids))
            for number, places in enumerate(ids):
                value = fresh[number * size : (number + 1) * size]
                for at in places:
                    self.data[at : at + size] = value


def _attribute(attributes: Any, key: str, value: str) -> None:
    attributes.add(key=key).value.string_value = value


def _positions(data: bytearray, value: bytes) -> Iterator[int]:
    at = data.find(value)
    while at >= 0:
        yield at
        at = data.find(value, at + 1)


class Sender:
    """Sends until enough spans are acknowledged, over ``connections`` connections that share one process."""

    def __init__(self, port: int, n_requests: int, connections: int) -> None:
        self._port = port
        self._left = n_requests
        self._connections = connections
        self._lock = threading.Lock()
        self.refused = 0

    def run(self) -> float:
        """Return the seconds it took."""
        threads = [threading.Thread(target=self._send, args=(seed,)) for seed in range(self._connections)]
        self._ready = threading.Barrier(self._connections + 1)
        for thread in threads:
            thread.start()
        self._ready.wait()
        began = time.perf_counter()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began

    def _take(self) -> bool:
        with self._lock:
            self._left -= 1
            return self._left >= 0

    def _send(self, seed: int) -> None:
        body = Body(seed)
        head = (
            f"POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-protobuf\r\n"
            f"Content-Length: {len(body.data)}\r\n\r\n"
        ).encode()
        with socket.create_connection(("127.0.0.1", self._port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._ready.wait()
            while self._take():
                body.renew()
                while True:
                    connection.sendall(head)
                    connection.sendall(body.data)
                    status = _status(connection)
                    if status == 200:
                        break
                    if status != 429:
                        raise RuntimeError(f"the agent answered {status}")
                    self.refused += 1
                    time.sleep(0.05)


def _status(connection: socket.socket) -> int:
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = connection.recv(65536)
        if not piece:
            raise RuntimeError("the agent closed the connection")
        answer += piece
    head, _, rest = answer.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    missing = int(fields.get(b"content-length", b"0")) - len(rest)
    while missing > 0:
        missing -= len(connection.recv(missing))
    return int(head.split(b" ", 2)[1])


class Memory:
    """Samples the resident memory of a process and all of its children."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.peak, self.peak_own = self.now()
        self._once = [self.peak_own]
        self._thread.start()

    def now(self) -> tuple[int, int]:
        """Return bytes resident now: with pages that processes share counted for each of them, and counted once."""
        each = once = 0
        for process in (self._process, *self._process.children(recursive=True)):
            try:
                memory = process.memory_full_info()
            except psutil.NoSuchProcess:
                continue
            each += memory.rss
            once += getattr(memory, "pss", memory.rss)
        return each, once

    def _watch(self) -> None:
        while not self._stop.wait(0.25):
            each, once = self.now()
            self.peak, self.peak_own = max(self.peak, each), max(self.peak_own, once)
            self._once.append(once)

    def course(self, parts: int = 10) -> list[int]:
        """Return the bytes resident over time, shared pages counted once: the most in each of so many equal parts."""
        ends = [len(self._once) * part // parts for part in range(parts + 1)]
        return [max(self._once[start:end]) for start, end in itertools.pairwise(ends) if start < end]

    def stop(self) -> None:
        """End sampling."""
        self._stop.set()
        self._thread.join()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spans", type=int, default=1_000_000, help="spans to send")
    parser.add_argument("--connections", type=int, default=4, help="requests the sender keeps in flight")
    parser.add_argument(
        "--server", default=AGENT, help="command that starts the agent; {data} and {port} are filled in"
    )
    parser.add_argument("--receiver-only", action="store_true", help="receiver and store alone, in place of the agent")
    parser.add_argument("--data", type=Path, help="parent of the data directory; a temporary one if left out")
    parser.add_argument("--serve", nargs=2, metavar=("DATA", "PORT"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        return serve(options.serve[0], int(options.serve[1]))
    with tempfile.TemporaryDirectory(dir=options.data) as directory:
        measure(options, Path(directory) / "data")
    return 0


def measure(options: argparse.Namespace, data: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    if options.receiver_only:
        command = [sys.executable, __file__, "--serve", str(data), str(port)]
    else:
        command = shlex.split(options.server.format(data=shlex.quote(str(data)), port=port))
    n_requests = -(-options.spans // REQUEST_SPANS)
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=_environment()) as server:
        try:
            _wait(server, port)
            memory = Memory(server.pid)
            sender = Sender(port, n_requests, options.connections)
            seconds = sender.run()
            settled, _ = memory.now()
            memory.stop()
            cpu = sum(psutil.Process(server.pid).cpu_times()[:2])
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)
    store = open_store(data)
    books = store.totals()
    size = store.size()
    store.close()
    spans = n_requests * REQUEST_SPANS
    per_span = len(Body(0).data) / REQUEST_SPANS
    print(
        f"machine      {os.cpu_count()} cores, {_processor()}, Python {platform.python_version()}, {platform.system()}"
    )
    print(
        f"method       {'receiver and store alone' if options.receiver_only else 'whole agent'}; one sender process, "
        f"{options.connections} connections, {REQUEST_SPANS} spans a request, {TRACE_SPANS} a trace, {per_span:.0f} B "
        f"a span, commit and fsync before each answer"
    )
    print(
        f"acknowledged {spans:,} spans in {seconds:.1f} s: {spans / seconds:,.0f} spans/s; refused to retry "
        f"{sender.refused}; server CPU {cpu:.1f} s"
    )
    print(
        f"durable      {books.accepted:,} spans in the store, {size / 1e9:.2f} GB; adapted meanwhile "
        f"{books.accepted - books.pending:,}"
    )
    print(
        f"memory       {settled / 1e6:.0f} MB resident at the end, {memory.peak / 1e6:.0f} MB at most, all processes; "
        f"{memory.peak_own / 1e6:.0f} MB at most with shared pages counted once"
    )
    course = " ".join(f"{size / 1e6:.0f}" for size in memory.course())
    print(f"over time    {course} MB at most in each tenth of that time, shared pages counted once")
    if books.accepted != spans:
        raise SystemExit(f"lost or doubled: {spans} spans were acknowledged")


def _environment() -> Mapping[str, str]:
    here = str(Path(__file__).resolve().parent.parent)
    return {**os.environ, "PYTHONPATH": here, "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"}


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        if server.poll() is not None:
            raise SystemExit(f"the agent ended with code {server.returncode} before it listened")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the agent does not listen")


class _Silent:
    """Telemetry that nobody reads."""

    def request(self, *_: object, **__: object) -> None:
        pass

    def commit(self, *_: object, **__: object) -> None:
        pass

    def queue(self, _: int) -> None:
        pass


def serve(data: str, port: int) -> int:
    """Run receiver and store until SIGTERM."""
    import uvloop

    from collector.receivers.http import http_app
    from collector.receivers.intake import Intake
    from collector.receivers.server import HttpReceiver
    from collector.receivers.settings import OtlpHttp, Receive
    from collector.receivers.writer import Writer

    async def run() -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        store = open_store(data)
        settings = Receive(otlp_http=OtlpHttp(port=port))
        telemetry = _Silent()
        writer = Writer(store.append, limit_bytes=settings.queue_bytes, telemetry=telemetry)
        intake = Intake(writer=writer, telemetry=telemetry, limits=settings, clock=time.time_ns)
        receiver = HttpReceiver(http_app(intake, None), settings.otlp_http, where="receive.otlp_http")
        await receiver.start()
        await stop.wait()
        await asyncio.to_thread(writer.drain, 30)
        await receiver.stop(1)
        store.close()

    uvloop.run(run())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
