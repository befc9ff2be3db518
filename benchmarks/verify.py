"""How long whoever asks before answering waits: verifications beside ingest, with the agent on one core.

    python benchmarks/verify.py                              50 verifications/s beside 10 answers/s for 60 s
    python benchmarks/verify.py --rate 20 --ingest 0

Method: the agent runs on its defaults, held to one core with all of its processes; senders run on the others. Each
verification has a question, an answer of three to five sentences and five passages of 110 words. They are sent when
they are due, over a few kept connections, and the time is counted from when each was due, so that one that waits behind
another counts its wait. CPU is that of the agent's processes; the processor's time of one verification is measured
first, with nothing beside it, so that it can be compared on a busy machine.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import queue
import random
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.pipeline import PASSAGES, Document, Sender, Watch, awaited, corpus, default_agent, processor, sentence

CONNECTIONS = 4
ALONE = 100
"""Verifications, one after the other, by which the processor's time of one is measured."""
WARM = 30
"""Verifications before anything is counted: the first starts the worker."""
HEADERS = {"Content-Type": "application/json"}


def body(number: int, documents: Sequence[Document]) -> bytes:
    """Return one request: an answer about what was retrieved, most of it right."""
    rng = random.Random(f"verify {number}")
    chosen = rng.sample(documents, PASSAGES)
    said = [
        sentence(rng) if rng.random() < 0.1 else rng.choice(chosen[rank].sentences) for rank in range(rng.randint(3, 5))
    ]
    passages = [{"text": each.text, "metadata": json.loads(each.metadata)} for each in chosen]
    question = f"Case {number}: {sentence(rng).rstrip('.')[4:]}, is that right?"
    return json.dumps({"question": question, "answer": " ".join(said), "passages": passages}).encode()


class Asker:
    """Sends verifications when they are due."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._documents = corpus(random.Random(3))
        self.waits: list[float] = []
        self.said: Counter[str] = Counter()

    def alone(self, count: int) -> None:
        """Send some, one after the other."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        for number in range(count):
            self._ask(connection, body(-1 - number, self._documents))
        connection.close()
        self.said.clear()

    def run(self, count: int, rate: float) -> None:
        """Send ``count``, ``rate`` a second."""
        due: queue.Queue[tuple[float, bytes] | None] = queue.Queue()
        bodies = [body(number, self._documents) for number in range(count)]
        threads = [threading.Thread(target=self._serve, args=(due,)) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        began = time.perf_counter() + 0.5
        for number, each in enumerate(bodies):
            at = began + number / rate
            time.sleep(max(0.0, at - time.perf_counter()))
            due.put((at, each))
        for _ in threads:
            due.put(None)
        for thread in threads:
            thread.join()

    def _serve(self, due: queue.Queue[tuple[float, bytes] | None]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        while (job := due.get()) is not None:
            at, content = job
            self._ask(connection, content)
            self.waits.append(time.perf_counter() - at)
        connection.close()

    def _ask(self, connection: http.client.HTTPConnection, content: bytes) -> None:
        connection.request("POST", "/v1/verify", content, HEADERS)
        with connection.getresponse() as response:
            reply = json.loads(response.read())
        self.said[reply.get("verdict", f"status {response.status}")] += 1


def measure(options: argparse.Namespace, directory: Path) -> None:
    settings = ["receive.otlp_http.port=0", "receive.otlp_grpc.port=0", "http.port=0"]
    command = ["taskset", "-c", str(options.core), options.agent, "run", "--data", str(directory / "data")]
    for setting in settings:
        command += ["--set", setting]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores - {options.core} or cores)
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=directory
    ) as agent:
        try:
            ready = awaited(agent)
            threading.Thread(target=lambda: [None for _ in agent.stderr or ()], daemon=True).start()
            asker = Asker(int(ready["http"].rpartition(":")[2]))
            asker.alone(WARM)
            watch = Watch(agent.pid)
            asker.alone(ALONE)
            one = _total(watch.stop()) / ALONE
            watch = Watch(agent.pid)
            ingest = None
            if options.ingest:
                port = int(ready["otlp_http"].rpartition(":")[2])
                sender = Sender(port, int(options.ingest * options.seconds), options.ingest)
                ingest = threading.Thread(target=sender.run)
                ingest.start()
            asker.run(int(options.rate * options.seconds), options.rate)
            if ingest is not None:
                ingest.join()
            spent = _total(watch.stop())
        finally:
            agent.send_signal(signal.SIGTERM)
            agent.wait(60)
    waits = sorted(each * 1000 for each in asker.waits)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"machine  {os.cpu_count()} cores, {processor()}; load {load}")
    print(f"CPU      {one * 1000:.1f} ms a verification alone, all processes of the agent")
    print(
        f"asked    {len(waits):,} at {options.rate:g}/s beside {options.ingest:g} answers/s, the agent on one core: "
        f"p50 {waits[len(waits) // 2]:.1f} ms, p99 {waits[int(len(waits) * 0.99)]:.1f} ms, max {waits[-1]:.1f} ms"
    )
    print(f"busy     {spent / options.seconds:.2f} of the core")
    print(f"said     {', '.join(f'{name} {n:,}' for name, n in asker.said.most_common())}")


def _total(spent: tuple[float, list[float]]) -> float:
    return spent[0] + sum(spent[1])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=50.0, help="verifications in a second")
    parser.add_argument("--ingest", type=float, default=10.0, help="answers that arrive in a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long both are sent")
    parser.add_argument("--core", type=int, default=0, help="the core that the agent is held to")
    parser.add_argument("--agent", default=default_agent(), help="the groundwire command that is measured")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as directory:
        measure(options, Path(directory))


if __name__ == "__main__":
    main()
