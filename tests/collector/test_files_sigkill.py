"""A file grows and is rotated while the agent that reads it is killed: every line is stored once, all of them."""

import json
import os
import random
import shutil
import threading
import time

import pytest

from adapters.wire.otlp import decode_traces
from collector.store.sqlite import open_store
from tests.adapters.files.test_files import as_json
from tests.agent import Agent
from tests.traffic import policy_trace


class Writer:
    """Writes traces and answers in turn, some lines in two pieces, and rotates its file both ways."""

    def __init__(self, log, seed):
        self.log = log
        self.random = random.Random(seed)
        self.written = self.spans = self.rotations = self.goal = 0
        self.progress = threading.Condition()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self):
        while True:
            with self.progress:
                self.progress.wait_for(lambda: self.written < self.goal or self.stop.is_set())
                if self.written >= self.goal:
                    return
            self._line()
            if self.random.random() < 0.05:
                self._rotate()
            with self.progress:
                self.written += 1
                self.progress.notify_all()

    def _line(self):
        if self.written % 2:
            line = json.dumps({"id": f"line-{self.written}", "question": "q", "answer": "a"}).encode() + b"\n"
        else:
            spans = decode_traces(policy_trace(self.written, at=time.time_ns()).SerializeToString()).spans
            self.spans += len(spans)
            line = json.dumps(as_json(spans)).encode() + b"\n"
        cut = self.random.randrange(len(line)) if self.random.random() < 0.3 else 0
        for part in (line[:cut], line[cut:]):
            with self.log.open("ab") as file:
                file.write(part)

    def _rotate(self):
        self.rotations += 1
        older = self.log.with_name(f"{self.log.name}.{self.rotations}")
        if self.random.random() < 0.5:
            self.log.rename(older)
        else:
            shutil.copy(self.log, older)
            os.truncate(self.log, 0)

    def write(self, more, *, upto=0):
        """Let it write ``more`` lines, and wait until all of them but ``upto`` stand there."""
        with self.progress:
            self.goal += more
            self.progress.notify_all()
            assert self.progress.wait_for(lambda: self.written >= self.goal - upto, timeout=60)

    def end(self):
        with self.progress:
            self.stop.set()
            self.progress.notify_all()
        self.thread.join(60)
        assert not self.thread.is_alive()


@pytest.mark.parametrize("kills", [3, pytest.param(15, marks=[pytest.mark.slow, pytest.mark.timeout(600)])])
def test_killed_while_a_file_grows_and_rotates_every_line_is_stored_once(tmp_path, kills):
    log = tmp_path / "app.log"
    source = {"type": "files", "paths": [f"{log}*"], "poll": "50ms", "batch_bytes": 20_000}
    agent = Agent(tmp_path, sources=[source])
    writer = Writer(log, seed=kills)
    moments = random.Random(kills)
    agent.start()
    writer.thread.start()
    for _ in range(kills):
        writer.write(moments.randint(10, 100), upto=5)
        agent.kill()
        writer.write(10)
        agent.start()
    writer.write(50)
    writer.end()

    def answered():
        found, before = set(), None
        while True:
            page = agent.get(f"/v1/answers?limit=1000{f'&before={before}' if before else ''}")[1]["answers"]
            if not page:
                return len(found) == writer.written
            found |= {row["answer"]["id"] for row in page}
            before = page[-1]["seq"]

    agent.until(answered, seconds=120)
    (told,) = agent.get("/v1/sources")[1]["sources"]
    assert (told["state"], told["malformed"], told["last_malformed"]) == ("ok", 0, [])
    assert agent.terminate() == 0
    store = open_store(tmp_path / "data")
    books = store.totals()
    store.close()
    assert (books.accepted, books.adapted, books.duplicate) == (writer.spans, writer.spans, 0)
    assert books.records_by == {"answer": writer.written // 2, "repeated": 0, "malformed": 0}
