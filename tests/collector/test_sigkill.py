"""The agent is killed at random moments under load: what it acknowledged is adapted and scored once, all of it."""

import random
import threading
import time
from collections import Counter
from urllib.error import URLError

import pytest

from collector.store.log import verify
from collector.store.sqlite import open_store
from tests.agent import Agent
from tests.traffic import policy_trace, spans_of, trace_id_of, without

KILLS = 20
ROOT, REST = ("RunnableSequence",), ("Retriever", "ChatModel")


class Sender:
    """Sends traces in two requests each, children first, and repeats what was not acknowledged, as exporters do."""

    def __init__(self, agent):
        self.agent = agent
        self.sent = 0
        self.acknowledged = 0
        self.stop = threading.Event()
        self.up = threading.Event()
        self.progress = threading.Condition()
        self.thread = threading.Thread(target=self._run)

    def _run(self):
        while not self.stop.is_set():
            data = policy_trace(self.sent, stale=self.sent % 3 == 0, at=time.time_ns())
            for part in (without(data, *ROOT), without(data, *REST)):
                self._deliver(part.SerializeToString())
            self.sent += 1

    def _deliver(self, body):
        while True:
            self.up.wait()
            try:
                accepted = self.agent.post(body) == 200
            except (URLError, OSError):
                accepted = False
            if accepted:
                with self.progress:
                    self.acknowledged += 1
                    self.progress.notify_all()
                return

    def wait_for(self, more):
        with self.progress:
            goal = self.acknowledged + more
            assert self.progress.wait_for(lambda: self.acknowledged >= goal, timeout=60)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_twenty_times_under_load_every_acknowledged_span_is_adapted_once(tmp_path):
    gate = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.2, "min_answers": 10}
    agent = Agent(tmp_path, gates=[gate])
    sender = Sender(agent)
    moments = random.Random(20)
    agent.start()
    sender.up.set()
    sender.thread.start()
    for _ in range(KILLS):
        sender.wait_for(moments.randint(1, 150))
        agent.kill()
        sender.up.clear()
        agent.start()
        sender.up.set()
    sender.wait_for(50)
    sender.stop.set()
    sender.thread.join(60)
    assert not sender.thread.is_alive()
    answers = agent.until(lambda: _settled(agent, sender.sent), seconds=120)
    assert agent.terminate() == 0

    assert Counter(row["answer"]["trace_id"] for row in answers) == Counter(
        trace_id_of(f"policy-travel-{i}").hex() for i in range(sender.sent)
    )
    assert not [row for row in answers if "incomplete_trace" in row["answer"].get("flags", [])]
    store = open_store(tmp_path / "data")
    totals = store.totals()
    per_trace = len(spans_of(policy_trace(0, at=1)))
    assert totals.pending == 0
    assert totals.adapted == sender.sent * per_trace
    assert totals.accepted == totals.adapted + totals.duplicate
    evaluations = store.evaluations_after(0, limit=10**6)
    assert Counter(row.evaluation.answer_id for row in evaluations if row.first) == Counter(
        row["answer"]["id"] for row in answers
    )
    runs = Counter((row.evaluation.answer_id, row.evaluation.revision) for row in evaluations)
    assert set(runs.values()) == {1}
    assert verify(store.decisions(limit=10**6)).problem is None
    store.close()


def _settled(agent, n):
    """Return all answers once there are ``n`` and each is scored at its newest revision."""
    rows, before = [], ""
    while page := agent.get(f"/v1/answers?limit=1000{before}")[1]["answers"]:
        rows += page
        before = f"&before={page[-1]['seq']}"
    scored = [row for row in rows if row["evaluation"] is not None]
    complete = [row for row in scored if "incomplete_trace" not in row["answer"].get("flags", [])]
    return rows if len(complete) == n else None
