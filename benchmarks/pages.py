"""How long the agent takes for each of its pages, with a million scored answers in its store.

    python benchmarks/pages.py                        a million answers: about 14 GB of disk
    python benchmarks/pages.py --answers 50000
    python benchmarks/pages.py --store /var/tmp/gw    keeps the store there, and takes it if it is there already

Method: an agent reads and scores a thousand traces of `pipeline.py`. Their answers and evaluations are then copied,
each copy with ids, numbers and times of its own, over 28 days and 50 slices. The agent is started again and each page
is asked for nine times, one after the other, over loopback. Seconds are those on the clock from the request to the last
byte, in the median and at most; CPU is that of the agent's processes for one request, which another load on the machine
changes less. Pages are made in the agent, before a browser draws them. The last row is no page: a page asks for it by
itself, again and again until the trial is done. Memory is what is resident of the agent's own process, which makes the
pages, before the first page, at most while they are read, and afterwards; hold it against a run with `--answers 20000`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil

from benchmarks.pipeline import Sender, awaited, default_agent
from collector.store.sqlite import DATABASE

SCORED, SLICES, DAYS, ASKED = 1_000, 50, 28, 9
SAMPLED = 0.02
"""Seconds between two looks at the memory."""
CONFIG = """
data: {data}
http: {{port: 0}}
receive: {{otlp_http: {{port: 0}}, otlp_grpc: {{enabled: false}}}}
traces: {{attributes: {{domain: domain}}}}
slices: [{{name: service}}, {{name: domain}}]
retention: {{chunks: 3650d, answers: 3650d}}
gates:
  - {{type: threshold, name: grounded, metric: faithfulness, at_least: 0.8, by: [domain], window: 28d}}
  - {{type: drift, name: support, metric: claim_support, worse: lower, by: [domain]}}
"""
COPIED = (
    """INSERT INTO contexts SELECT :most + id * :slices + d.n, randomblob(16),
       CAST(replace(CAST(body AS TEXT), '["domain","__none__"]', '["domain","d' || d.n || '"]') AS BLOB), last
       FROM contexts, (WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n + 1 < :slices)
       SELECT n FROM c) AS d WHERE id <= :most""",
)
ANSWERS = """INSERT INTO answers (seq, answer_id, trace_id, revision, arrived, slice, probability, sampled, pending,
    evaluation_seq, body, late)
    SELECT seq + :seqs, printf('%08d', :copy) || substr(answer_id, 9), trace_id, revision, arrived - :ns,
    json_set(slice, '$.domain', 'd' || (seq % :slices)), probability, sampled, pending, evaluation_seq + :evals,
    CAST(replace(CAST(body AS TEXT), answer_id, printf('%08d', :copy) || substr(answer_id, 9)) AS BLOB), late
    FROM first_answers"""
EVALUATIONS = """INSERT INTO evaluations (seq, answer_id, revision, at, scored_at, first, slice, probability, cluster,
    versions, "values", body, late, arm, share, document)
    SELECT seq + :evals, printf('%08d', :copy) || substr(answer_id, 9), revision, at - :ns, scored_at - :ns, first,
    json_set(slice, '$.domain', 'd' || (seq % :slices)), probability, cluster, versions, "values", body, late, arm,
    share, document FROM first_evaluations"""
FOLDED = """INSERT INTO scored (seq, at, context, probability, cluster, arm, share, "values")
    SELECT seq + :evals, at - :ns, :most + context * :slices + (seq % :slices), probability, cluster, arm, share,
    "values" FROM first_scored"""


@contextmanager
def running(directory: Path) -> Iterator[tuple[psutil.Process, dict[str, str]]]:
    """Yield an agent over the store in ``directory``, and where it listens."""
    file = directory / "groundwire.yaml"
    file.write_text(CONFIG.format(data=directory / "data"))
    words = [default_agent(), "run", "--config", str(file)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as agent:
        try:
            yield psutil.Process(agent.pid), awaited(agent)
        finally:
            agent.terminate()


def ask(address: str, path: str) -> tuple[float, int, bytes]:
    """Return the seconds until the last byte, the status, and the body."""
    host, _, port = address.rpartition(":")
    began = time.perf_counter()
    with closing(http.client.HTTPConnection(host, int(port), timeout=120)) as connection:
        connection.request("GET", path, headers={"Accept": "text/html, application/json"})
        reply = connection.getresponse()
        body = reply.read()
    return time.perf_counter() - began, reply.status, body


def fill(directory: Path, answers: int) -> None:
    """Have an agent score the first answers, and copy them."""
    with running(directory) as (_, where):
        sender = Sender(int(where["otlp_http"].rpartition(":")[2]), SCORED, None)
        sender.run()
        while True:
            body = json.loads(ask(where["http"], "/v1/gates/grounded")[2])
            if sum(part["n"] for part in body["slices"]) >= SCORED:
                break
            time.sleep(1.0)
    copies = answers // SCORED
    step = DAYS * 86_400 * 10**9 // copies
    with closing(sqlite3.connect(directory / "data" / DATABASE)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -400000")
        for name in ("answers", "evaluations", "scored"):
            database.execute(f"CREATE TEMP TABLE first_{name} AS SELECT * FROM {name}")
        upto, evaluated, most = (
            database.execute(f"SELECT max({column}) FROM {table}").fetchone()[0]
            for column, table in (("seq", "answers"), ("seq", "evaluations"), ("id", "contexts"))
        )
        database.executescript("DELETE FROM answers; DELETE FROM evaluations; DELETE FROM scored;")
        shared = {"slices": SLICES, "most": most}
        for statement in COPIED:
            database.execute(statement, shared)
        for copy in range(copies):
            moved = {
                "seqs": copy * upto,
                "evals": copy * evaluated,
                "copy": copy,
                "ns": (copies - copy) * step,
                **shared,
            }
            for statement in (ANSWERS, EVALUATIONS, FOLDED):
                database.execute(statement, {key: value for key, value in moved.items() if f":{key}" in statement})
            if copy % 50 == 49 or copy == copies - 1:
                database.commit()
                print(f"{(copy + 1) * SCORED:,} answers", file=sys.stderr)
        books = {"answers": upto * copies, "evals": evaluated * copies}
        database.execute("UPDATE books SET answer_seq = :answers, evaluation_seq = :evals", books)
        database.execute("UPDATE contexts SET last = :evals", {"evals": evaluated * copies})
        database.execute("DELETE FROM checkpoints")
        database.commit()


def paths(address: str) -> list[str]:
    """Return the pages, with one answer, one slice and one decision."""
    rows = json.loads(ask(address, "/v1/answers?limit=1&domain=d7")[2])["answers"]
    answer = urllib.parse.quote(rows[0]["answer"]["id"], safe="")
    decisions = json.loads(ask(address, "/v1/decisions?limit=1")[2])["decisions"]
    return [
        "/",
        "/gates/grounded",
        "/gates/grounded/trial",
        "/slices/grounded?domain=d7",
        "/slices/grounded?domain=d7&window=7d",
        "/v1/gates/grounded/timeline?domain=d7",
        "/v1/gates/grounded/timeline?domain=d7&window=7d",
        "/v1/gates/grounded/timeline",
        "/v1/gates/support/timeline?domain=d7",
        "/answers",
        "/answers?metric=faithfulness&max_value=0.5",
        "/answers?domain=d7&metric=claim_support",
        "/answers?text=medical+certificate",
        "/answers?text=nothing+is+like+this",
        f"/answers/{answer}",
        "/decisions",
        *(f"/decisions/{row['seq']}" for row in decisions),
        "/changes",
        "/documents",
        "/catalog",
        "/sources",
        "/configuration",
        "/gates/grounded/trial?run=yes",
    ]


def measure(directory: Path) -> None:
    """Print a row for each page."""
    with running(directory) as (agent, where):
        address = where["http"]
        while json.loads(ask(address, "/v1/gates/grounded")[2])["no_data"]:
            time.sleep(1.0)
        first = _resident(agent)
        with watched(agent) as memory:
            print(f"{'page':55} {'median':>8} {'most':>8} {'CPU':>8} {'kB':>7}")
            for path in paths(address):
                ask(address, path)
                before, took = _worked(agent), []
                for _ in range(ASKED):
                    seconds, status, body = ask(address, path)
                    assert status == 200, (path, status, body[:300])
                    took.append(seconds * 1000)
                cpu = (_worked(agent) - before) * 1000 / ASKED
                middle, most = statistics.median(took), max(took)
                print(f"{path:55.55} {middle:5.0f} ms {most:5.0f} ms {cpu:5.0f} ms {len(body) / 1000:7.1f}", flush=True)
        print(f"memory: {first:.0f} MB before, {max(memory):.0f} MB at most, {_resident(agent):.0f} MB afterwards")


@contextmanager
def watched(agent: psutil.Process) -> Iterator[list[float]]:
    """Yield what is resident of a process, sampled until the end."""
    samples, done = [_resident(agent)], threading.Event()

    def sample() -> None:
        while not done.wait(SAMPLED):
            samples.append(_resident(agent))

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield samples
    finally:
        done.set()
        thread.join()


def _resident(agent: psutil.Process) -> float:
    """Return the megabytes of the agent's own process that are in memory."""
    return float(agent.memory_info().rss) / 1e6


def _worked(agent: psutil.Process) -> float:
    """Return the seconds of a processor that an agent and its workers have taken."""
    times = [each.cpu_times() for each in (agent, *agent.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def main() -> None:
    """Fill a store, unless it is there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--store", type=Path, help="directory that keeps the store")
    options = parser.parse_args()
    directory = options.store or Path(tempfile.mkdtemp())
    try:
        if not (directory / "data" / DATABASE).exists():
            (directory / "data").mkdir(parents=True)
            fill(directory, options.answers)
        measure(directory)
    finally:
        if options.store is None:
            shutil.rmtree(directory)


if __name__ == "__main__":
    main()
