"""Whether the agent scores what arrives, how late, and what an answer costs from its trace to its scores.

    python benchmarks/pipeline.py                            live: 60 answers/s for 120 s
    python benchmarks/pipeline.py --rate 30 --seconds 60
    python benchmarks/pipeline.py --burst 3000               as fast as they are acknowledged, then drained
    python benchmarks/pipeline.py --agent /elsewhere/bin/groundwire   the agent of another installation, side by side

Method: one sender process sends OpenInference traces over loopback, OTLP/HTTP in protobuf, one answer a request: a
chain, a retriever with five passages of 110 words and a model call, about 10 kB. Passages are drawn from a corpus of
2,000, so that they recur as in production; questions and answers do not. The agent runs on its defaults. How late an
answer was scored is read from the store afterwards: the time from its trace's arrival to its scores, without the time
after which a trace closes (`traces.idle`). CPU is that of the agent's processes, so that it can be compared on a busy
machine; memory is resident, once with shared pages counted for each process, once shared out among them (PSS).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from opentelemetry.proto.trace.v1.trace_pb2 import ScopeSpans, Span, TracesData

CORPUS = 2_000
PASSAGES, PASSAGE_WORDS = 5, 110
IDLE_SECONDS = 5.0
"""`traces.idle` as it is by default."""
READY_SECONDS, STALLED_SECONDS = 120.0, 120.0
SAMPLE_SECONDS = 0.5
CONNECTIONS = 4

_SUBJECTS = """The employee, The line manager, The travel desk, The finance team, A contractor, The department head,
    The supplier, Every traveller, The payroll office, The applicant, A part-time worker, The project lead,
    The data steward, The auditor"""
_VERBS = """must submit, may claim, approves, has to return, reviews, can request, is reimbursed for, records,
    must not exceed, keeps, is charged for, may extend, confirms, has to renew"""
_OBJECTS = """the hotel invoice, up to {n} EUR per night, the rail ticket, an advance of {n} EUR, the signed contract,
    {n} days of leave, the security training, a laptop worth {n} EUR, the expense report, the parental allowance,
    the purchase order above {n} EUR, a parking permit, the mileage of {n} km, the medical certificate, the pass"""
_TAILS = """within {n} days of the trip, before the end of the quarter, unless the budget owner objects,
    in the staff portal, from {month} {year}, for each calendar year, after written approval,
    when the journey is longer than {n} hours, in line with section {n}, without further notice,
    if the receipt is missing, at the regional office"""
_PIECES = tuple([piece.strip() for piece in each.split(",")] for each in (_SUBJECTS, _VERBS, _OBJECTS, _TAILS))
_MONTHS = ("January", "March", "April", "May", "June", "July", "September", "October", "December")


def sentence(rng: random.Random) -> str:
    """Return a sentence as policies have them, most with a number."""
    pieces = [rng.choice(each) for each in _PIECES]
    numbers = {"n": rng.randint(2, 900), "year": rng.randint(2019, 2026), "month": rng.choice(_MONTHS)}
    return " ".join(piece.format(**numbers) for piece in pieces) + "."


@dataclass(frozen=True, slots=True)
class Document:
    """One passage of the corpus."""

    key: str
    sentences: tuple[str, ...]
    metadata: str

    @property
    def text(self) -> str:
        """The whole passage."""
        return " ".join(self.sentences)


def corpus(rng: random.Random, size: int = CORPUS) -> list[Document]:
    """Return passages of about 110 words."""
    documents = []
    for number in range(size):
        sentences: list[str] = []
        words = 0
        while words < PASSAGE_WORDS:
            sentences.append(sentence(rng))
            words += len(sentences[-1].split())
        metadata = {"doc_id": f"POL-{number // 4}", "version": "3", "section": str(number % 4), "domain": "policies"}
        documents.append(Document(f"POL-{number // 4}#{number % 4}", tuple(sentences), json.dumps(metadata)))
    return documents


def request(rng: random.Random, number: int, documents: Sequence[Document]) -> bytes:
    """Return one export request: the trace of one answer, about what was retrieved, that ends now."""
    chosen = rng.sample(documents, PASSAGES)
    question = f"Case {number}: {sentence(rng).rstrip('.')[4:]}, is that right, and what else holds for it?"
    said = []
    for rank in range(rng.randint(3, 5)):
        told = rng.choice(chosen[rank].sentences).rstrip(".")
        said.append(
            f"{told}, as noted for case {number} [{rank + 1}]." if rng.random() < 0.4 else f"{told} [{rank + 1}]."
        )
    answer = " ".join(said)
    ended = time.time_ns()
    data = TracesData()
    group = data.resource_spans.add()
    _fill(group.resource, {"service.name": "policy-assistant", "service.version": "2026.1"})
    scope = group.scope_spans.add()
    scope.scope.name = "openinference.instrumentation.langchain"
    trace_id = rng.randbytes(16)
    root = _span(scope, trace_id, "RunnableSequence", b"", ended, 2_000, rng)
    _fill(root, {"openinference.span.kind": "CHAIN", "input.value": question, "output.value": answer})
    retriever = _span(scope, trace_id, "VectorStoreRetriever", root.span_id, ended, 1_800, rng)
    _fill(retriever, {"openinference.span.kind": "RETRIEVER", "input.value": question})
    for rank, document in enumerate(chosen):
        prefix = f"retrieval.documents.{rank}.document"
        found = {
            f"{prefix}.id": document.key,
            f"{prefix}.content": document.text,
            f"{prefix}.metadata": document.metadata,
        }
        _fill(retriever, found)
    model = _span(scope, trace_id, "ChatModel", root.span_id, ended, 1_500, rng)
    context = "\n\n".join(f"[{rank}] {document.text}" for rank, document in enumerate(chosen, 1))
    told = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "local-7b",
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": f"Answer from this context, with citations.\n\n{context}",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": question,
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": answer,
        "llm.token_count.prompt": 1_100,
        "llm.token_count.completion": 90,
        "llm.token_count.total": 1_190,
    }
    _fill(model, told)
    return data.SerializeToString()


def _span(
    scope: ScopeSpans, trace_id: bytes, name: str, parent: bytes, ended: int, took: int, rng: random.Random
) -> Span:
    return scope.spans.add(
        trace_id=trace_id,
        span_id=rng.randbytes(8),
        parent_span_id=parent,
        name=name,
        start_time_unix_nano=ended - took * 10**6,
        end_time_unix_nano=ended,
    )


def _fill(target: object, values: dict[str, str | int]) -> None:
    attributes = target.attributes  # type: ignore[attr-defined]
    for key, value in values.items():
        field_ = attributes.add(key=key).value
        if isinstance(value, int):
            field_.int_value = value
        else:
            field_.string_value = value


class Sender:
    """Sends answers over a few connections: ``rate`` a second, or as fast as they are acknowledged."""

    def __init__(self, port: int, count: int, rate: float | None) -> None:
        self._port = port
        self._rate = rate
        self._numbers = iter(range(count))
        self._documents = corpus(random.Random(3))
        self._lock = threading.Lock()
        self.bytes = 0
        self.acknowledged = 0
        self.refused = 0

    def run(self) -> float:
        """Return the seconds it took."""
        began = time.perf_counter()
        threads = [threading.Thread(target=self._send, args=(began,)) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began

    def _send(self, began: float) -> None:
        with socket.create_connection(("127.0.0.1", self._port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                with self._lock:
                    number = next(self._numbers, None)
                if number is None:
                    return
                if self._rate is not None:
                    time.sleep(max(0.0, began + number / self._rate - time.perf_counter()))
                self._deliver(connection, request(random.Random(number), number, self._documents))

    def _deliver(self, connection: socket.socket, body: bytes) -> None:
        head = (
            f"POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-protobuf\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode()
        while True:
            connection.sendall(head + body)
            status = answered(connection)
            if status == 200:
                break
            if status != 429:
                raise RuntimeError(f"the agent answered {status}")
            with self._lock:
                self.refused += 1
            time.sleep(0.1)
        with self._lock:
            self.acknowledged += 1
            self.bytes += len(body)


def answered(connection: socket.socket) -> int:
    """Read one response and return its status."""
    text = b""
    while b"\r\n\r\n" not in text:
        piece = connection.recv(65536)
        if not piece:
            raise RuntimeError("the agent closed the connection")
        text += piece
    head, _, rest = text.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    missing = int(fields.get(b"content-length", b"0")) - len(rest)
    while missing > 0:
        missing -= len(connection.recv(missing))
    return int(head.split(b" ", 2)[1])


@dataclass
class Watch:
    """Samples CPU and memory of a process and all of its children."""

    pid: int
    peak_rss: int = 0
    peak_pss: int = 0
    _cpu: dict[int, float] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        """Begin."""
        self._sample()
        self._began = dict(self._cpu)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._sample()
        self._sample()

    def _sample(self) -> None:
        rss = pss = 0
        main = psutil.Process(self.pid)
        for process in (main, *main.children(recursive=True)):
            try:
                memory = process.memory_full_info()
                # Of a process that ended the last sample counts.
                self._cpu[process.pid] = sum(process.cpu_times()[:2])
            except psutil.Error:
                continue
            rss += memory.rss
            pss += getattr(memory, "pss", memory.rss)
        self.peak_rss, self.peak_pss = max(self.peak_rss, rss), max(self.peak_pss, pss)

    def stop(self) -> tuple[float, list[float]]:
        """End; return the CPU seconds of the process and of each child since the beginning."""
        self._stop.set()
        self._thread.join()
        spent = {pid: seconds - self._began.get(pid, 0.0) for pid, seconds in self._cpu.items()}
        return spent.pop(self.pid), sorted(spent.values(), reverse=True)


class Books:
    """What the store of a running agent says, read beside it."""

    def __init__(self, data: Path) -> None:
        self._connection = sqlite3.connect(f"file:{data / 'groundwire.db'}?mode=ro", uri=True)

    def evaluations(self) -> int:
        """Return how many evaluations were recorded."""
        return int(self._connection.execute("SELECT evaluation_seq FROM books").fetchone()[0])

    def lags(self) -> list[float]:
        """Return the seconds from each answer's arrival to its first scores, in order."""
        rows = self._connection.execute(
            "SELECT (e.scored_at - a.arrived) / 1e9 FROM evaluations e JOIN answers a ON a.answer_id = e.answer_id "
            'WHERE e."first" ORDER BY 1'
        )
        return [seconds for (seconds,) in rows]

    def doubled(self) -> int:
        """Return how many answers were scored more than once."""
        rows = self._connection.execute("SELECT count(*) - count(DISTINCT answer_id) FROM evaluations")
        return int(rows.fetchone()[0])

    def close(self) -> None:
        """Close."""
        self._connection.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=60.0, help="answers that arrive in a second")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long they arrive")
    parser.add_argument("--burst", type=int, metavar="N", help="send N answers at once in place of a rate")
    parser.add_argument("--agent", default=default_agent(), help="the groundwire command that is measured")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="an option of the agent")
    parser.add_argument("--data", type=Path, help="parent of the data directory; a temporary one if left out")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.data) as directory:
        measure(options, Path(directory))
    return 0


def default_agent() -> str:
    """Return the command beside this interpreter."""
    return str(Path(sys.executable).parent / "groundwire")


def measure(options: argparse.Namespace, directory: Path) -> None:
    data = directory / "data"
    settings = ["receive.otlp_http.port=0", "receive.otlp_grpc.port=0", "http.port=0", *options.set]
    command = [options.agent, "run", "--data", str(data)]
    for setting in settings:
        command += ["--set", setting]
    live = options.burst is None
    count = math.ceil(options.rate * options.seconds) if live else options.burst
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=directory
    ) as agent:
        try:
            ready = awaited(agent)
            threading.Thread(target=lambda: [None for _ in agent.stderr or ()], daemon=True).start()
            sender = Sender(int(ready["otlp_http"].rpartition(":")[2]), count, options.rate if live else None)
            books = Books(data)
            watch = Watch(agent.pid)
            began = time.perf_counter()
            seconds = sender.run()
            left = count - books.evaluations()
            drain(books, count)
            whole = time.perf_counter() - began
            cpu, workers = watch.stop()
            lags, doubled = books.lags(), books.doubled()
            books.close()
        finally:
            agent.send_signal(signal.SIGTERM)
            agent.wait(60)
    if len(lags) != count or doubled:
        raise SystemExit(f"lost or doubled: {count} acknowledged, {len(lags)} scored, {doubled} scored again")
    print(f"machine  {os.cpu_count()} cores, {processor()}, Python {platform.python_version()}, {platform.system()}")
    print(
        f"sent     {count:,} answers of {sender.bytes / count / 1000:.1f} kB in {seconds:.1f} s: "
        f"{count / seconds:.1f}/s acknowledged, refused to retry {sender.refused}"
    )
    print(f"scored   all in {whole:.1f} s; {left:,} were left when the last was sent")
    if live:
        late = [lag - IDLE_SECONDS for lag in lags]
        print(
            f"lag      beyond the {IDLE_SECONDS:g} s after which a trace closes: median {late[count // 2]:.1f} s, "
            f"p95 {late[int(count * 0.95)]:.1f} s, max {late[-1]:.1f} s"
        )
    # Of a burst the traces must close first: nothing can be scored until then.
    busy = whole if live else max(whole - IDLE_SECONDS, 1e-9)
    print(f"rate     {count / busy:.1f} answers/s{'' if live else ' drained, once traces had closed'}")
    told = ", ".join(f"{each / count * 1000:.1f}" for each in workers)
    total = cpu + sum(workers)
    print(
        f"CPU      {total / count * 1000:.1f} ms an answer: main {cpu / count * 1000:.1f}, workers {told}; "
        f"{total / whole:.2f} cores"
    )
    print(
        f"memory   at most {watch.peak_rss / 1e6:.0f} MB resident, all processes; {watch.peak_pss / 1e6:.0f} MB with "
        f"shared pages counted once"
    )


def awaited(agent: subprocess.Popen[str]) -> dict[str, str]:
    """Return what the agent says when it is ready."""
    timer = threading.Timer(READY_SECONDS, agent.kill)
    timer.start()
    told = []
    for line in agent.stderr or ():
        told.append(line)
        if '"ready"' in line:
            timer.cancel()
            found: dict[str, str] = json.loads(line)
            return found
    raise SystemExit(f"the agent did not start:\n{''.join(told)}")


def drain(books: Books, count: int) -> None:
    """Wait until ``count`` evaluations are recorded."""
    newest, at = -1, time.monotonic()
    while (now := books.evaluations()) < count:
        if now != newest:
            newest, at = now, time.monotonic()
        elif time.monotonic() - at > STALLED_SECONDS:
            raise SystemExit(f"{now} of {count} answers were scored, and no more for {STALLED_SECONDS:g} s")
        time.sleep(0.1)


def processor() -> str:
    """Return the name of the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    raise SystemExit(main())
