"""A real agent finds an index behind its catalog, tells of it, and keeps its questions out of users' figures."""

from __future__ import annotations

import json
import subprocess
import time

import pytest

from tests import forking
from tests.agent import Agent
from tests.collector.notify.bench import SECRET
from tests.collector.sources.server import serving
from tests.traffic import rag_trace

pytestmark = pytest.mark.slow

NEW, OLD = "Hotels are reimbursed up to 200 EUR per night.", "Hotels are reimbursed up to 180 EUR per night."


class Application:
    """Answers from an index of one passage, and traces to the agent what it did, as an application does."""

    def __init__(self) -> None:
        self.text, self.agent, self.traced = OLD, None, 0

    def __call__(self, handler) -> None:
        if handler.path == "/hook":
            self.told.append(json.loads(handler.rfile.read(int(handler.headers["content-length"]))))
            handler.give(200)
            return
        asked = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        trace = rag_trace(
            f"canary-{self.traced}",
            question=asked["question"],
            answer=self.text,
            passages=({"text": self.text, "metadata": {"doc_id": "TRV"}},),
            at=time.time_ns(),
            metadata={"groundwire.canary": handler.headers["x-groundwire-canary"]},
        )
        self.traced += 1
        assert self.agent.post(trace.SerializeToString()) == 200
        passage = {"id": "TRV#0", "text": self.text, "metadata": {"doc_id": "TRV"}}
        handler.give(200, json.dumps({"answer": self.text, "sources": [passage]}).encode())

    told: list


def cli(agent, *arguments):
    command = [*forking.words(), *arguments, "--url", f"http://{agent.http}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_stale_index_is_told_of_and_no_canary_is_counted_as_a_user(tmp_path) -> None:
    application = Application()
    application.told = []
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    hook = {"type": "webhook", "secret_file": str(secret), "poll": "100ms", "gates": ["canaries"]}
    catalog = tmp_path / "catalog.yaml"
    catalog.write_text(f"documents: [{{id: TRV, title: Travel, text: '{OLD}'}}]")
    with serving(application) as url:
        agent = Agent(
            tmp_path,
            catalog={"path": str(catalog), "poll": "100ms"},
            canaries={
                "url": url,
                "path": "/ask",
                "body": {"question": "{question}"},
                "reply": {"passages": "sources", "answer": "answer"},
                "settle": "1ms",
                "retry": "1s",
            },
            notify=[hook | {"url": f"{url}/hook"}],
        )
        application.agent = agent
        with agent:
            agent.until(lambda: agent.get("/v1/canaries")[1]["report"]["asked"])
            assert cli(agent, "canary", "list").returncode == 0
            catalog.write_text(f"documents: [{{id: TRV, title: Travel, text: '{NEW}'}}]")
            failed = agent.wait_for("canary failed")
            assert failed["outcome"] == "stale"
            agent.until(lambda: application.told)
            listed = cli(agent, "canary", "list", "--failing")
            assert listed.returncode == 1
            assert "stale" in listed.stdout
            assert "how much EUR per night?" in listed.stdout
            page = agent.get("/canaries")[1]
            assert "In force: Hotels are reimbursed up to 200 EUR" in page
            application.text = NEW
            agent.until(lambda: agent.get("/v1/decisions")[1]["decisions"][-1]["state"] == "pass")
            done = cli(agent, "canary", "run")
            assert (done.returncode, done.stdout) == (0, "1 of 1 canaries asked, 0 fail\n"), done.stderr
            results = json.loads(cli(agent, "canary", "results", "--json").stdout)["results"]
            assert {one["outcome"] for one in results} == {"ok", "stale"}
            counted = f"groundwire_canary_traces_total {application.traced}.0"
            agent.until(lambda: counted in agent.get("/metrics")[1])
            assert "rag_answers_total{" not in agent.get("/metrics")[1]
            assert agent.get("/v1/answers")[1]["answers"] == []
            assert agent.get("/canaries")[0] == 200
            assert cli(agent, "doctor").returncode in (0, 1)


def test_the_doctor_names_an_endpoint_that_gives_nothing_usable(tmp_path) -> None:
    catalog = tmp_path / "catalog.yaml"
    catalog.write_text(f"documents: [{{id: TRV, title: Travel, text: '{OLD}'}}]")
    with serving(lambda handler: handler.give(200, b'{"hits": {}}')) as url:
        canaries = {"url": url, "params": {"q": "{question}"}, "reply": {"passages": "results"}, "settle": "1ms"}
        with Agent(tmp_path, catalog={"path": str(catalog)}, canaries=canaries) as agent:
            agent.until(lambda: agent.get("/v1/canaries")[1]["report"]["last_error"])
            found = cli(agent, "doctor")
            assert "Canaries cannot be asked" in found.stdout
            assert "it has the members hits" in found.stdout


def test_the_doctor_says_that_a_catalog_without_texts_writes_no_canary(tmp_path) -> None:
    catalog = tmp_path / "catalog.yaml"
    catalog.write_text("documents: [{id: TRV, title: Travel}]")
    canaries = {"url": "http://127.0.0.1:9", "params": {"q": "{question}"}}
    with Agent(tmp_path, catalog={"path": str(catalog)}, canaries=canaries) as agent:
        agent.until(lambda: agent.get("/v1/canaries")[1]["report"]["position"]["catalog"])
        found = cli(agent, "doctor")
        assert "There is no canary to ask" in found.stdout
        assert found.returncode == 1
