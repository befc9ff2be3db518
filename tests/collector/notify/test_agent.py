"""A real agent tells of a release that broke something, asks for it to be rolled back, and hears that it was."""

import json
import subprocess
import threading
import time
from contextlib import suppress

import pytest

from tests import forking
from tests.agent import Agent
from tests.collector.notify.bench import SECRET
from tests.collector.sources.server import serving
from tests.traffic import merged, passage, rag_trace

pytestmark = pytest.mark.slow

GATE = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.2, "by": ["domain"]}
OLD = passage("TRV-1", "2", "The hotel limit is 150 EUR per night.", effective_to="2025-12-31")
NEW = passage("TRV-1", "3", "The hotel limit is 180 EUR per night.", effective_from="2026-01-01", supersedes="TRV-1@2")


class Receiver:
    """Keeps messages. ``hold`` answers nothing until it is set."""

    def __init__(self):
        self.notifications = []
        self.asked, self.hold = threading.Event(), threading.Event()
        self.hold.set()

    def __call__(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        self.notifications.append((handler.headers["webhook-id"] or handler.headers["ce-id"], body))
        self.asked.set()
        self.hold.wait(60)
        with suppress(OSError):  # the agent may be gone
            handler.give(200)

    def of_type(self, name):
        return [body for _, body in self.notifications if body.get("type", body.get("context", {}).get("type")) == name]


def announce(agent, version, previous):
    command = [*forking.words(), "change", "deploy", "--version", version]
    options = ["--previous", previous, "--scope", "service=assistant", "--url", f"http://{agent.http}"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def asked(name, count, *, stale):
    amount, passages = (150, (OLD, NEW)) if stale else (180, (NEW,))
    return merged(
        rag_trace(
            f"{name}-{number}",
            question="What is the hotel limit per night?",
            answer=f"The hotel limit is {amount} EUR per night [1].",
            passages=passages,
            at=time.time_ns(),
            metadata={"domain": "travel"},
        )
        for number in range(count)
    ).SerializeToString()


def report(agent, name):
    [found] = [one for one in agent.get("/v1/notify")[1]["notify"] if one["name"] == name]
    return found


def settled(agent, name):
    """Return how a notifier is doing once it has told of every decision."""
    newest = agent.get("/v1/decisions?limit=1000")[1]["decisions"][-1]["seq"]
    found = report(agent, name)
    return found if found["position"].get("decision") == newest else None


def test_a_release_that_breaks_something_is_told_and_asked_back_once_whatever_is_killed(tmp_path):
    hook, events = Receiver(), Receiver()
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    with serving(hook) as hook_url, serving(events) as events_url:
        agent = Agent(
            tmp_path,
            gates=[GATE | {"min_answers": 10}],
            notify=[
                {
                    "type": "webhook",
                    "url": f"{hook_url}/hook",
                    "secret_file": str(secret),
                    "poll": "100ms",
                    "rollback": {"dry_run": False},
                },
                {"type": "cdevents", "url": events_url, "environment": "production", "poll": "100ms"},
            ],
        )
        with agent:
            assert agent.post(asked("before", 30, stale=False)) == 200
            agent.until(lambda: agent.get("/v1/gates/fresh")[1]["state"] == "pass")
            announce(agent, "2.1", "2.0")
            hook.hold.clear()
            assert agent.post(asked("after", 60, stale=True)) == 200
            assert hook.asked.wait(60)
            # Killed while the receiver has the message and has not said so.
            agent.kill()
            hook.hold.set()
            agent.start()
            agent.until(lambda: len(hook.of_type("rollback.requested")) == 1 and settled(agent, "webhook"))
            agent.until(lambda: settled(agent, "cdevents"))
            [request] = hook.of_type("rollback.requested")
            wanted = {"service": "assistant", "component": "release", "version": "2.1", "to_version": "2.0"}
            assert request["data"] | wanted == request["data"]
            first, again = hook.notifications[0], hook.notifications[1]
            assert first[0] == again[0]
            rows = agent.get("/v1/decisions?limit=1000")[1]["decisions"]
            failed = {row["seq"]: row for row in rows if row["state"] == "fail"}
            told = {body["data"]["seq"]: body["data"] for body in hook.of_type("decision")}
            assert told.keys() == failed.keys()
            assert all(data["record"] == failed[seq]["record"] for seq, data in told.items())
            detected = events.of_type("dev.cdevents.incident.detected.0.3.0")
            assert len({event["context"]["id"] for event in detected}) == len(failed)
            assert events.of_type("dev.cdevents.service.rolledback.0.3.0") == []
            announce(agent, "2.0", "2.1")
            [back] = agent.until(lambda: events.of_type("dev.cdevents.service.rolledback.0.3.0"))
            assert {event["context"]["chainId"] for event in (*detected, back)} == {back["context"]["chainId"]}
            assert back["subject"]["content"]["artifactId"] == "pkg:generic/assistant@2.0"
            text = agent.get("/metrics")[1]
            assert 'groundwire_rollback_requests_total{outcome="requested",target="webhook"} 1.0' in text
            assert report(agent, "webhook")["state"] == "ok"
            assert agent.terminate() == 0
    ids = [id_ for id_, body in hook.notifications if body["type"] == "rollback.requested"]
    assert len(set(ids)) == 1
    assert SECRET.removeprefix("whsec_") not in "".join(agent.log)


def test_a_receiver_that_hangs_holds_up_neither_the_agent_nor_its_stop(tmp_path):
    hook = Receiver()
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    with serving(hook) as url:
        target = {"type": "webhook", "url": url, "secret_file": str(secret), "poll": "100ms", "timeout": "5m"}
        with Agent(tmp_path, gates=[GATE | {"min_answers": 10}], notify=[target], drain="1s") as agent:
            hook.hold.clear()
            assert agent.post(asked("stale", 60, stale=True)) == 200
            assert hook.asked.wait(60)
            assert agent.get("/v1/gates/fresh")[0] == 200
            assert agent.terminate() == 0
            hook.hold.set()
            agent.start()
            agent.until(lambda: settled(agent, "webhook"))
            seqs = [body["data"]["seq"] for body in hook.of_type("decision")]
            assert seqs[0] == seqs[1]
            assert agent.terminate() == 0
