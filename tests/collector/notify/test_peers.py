"""Real peers: what we send reaches people through a real Alertmanager, by our push and by our Prometheus rules."""

import subprocess
import time
from dataclasses import asdict

import pytest
import yaml

from collector.configuration.file import load
from dashboards.rules import rules
from gates.decisions.record import DecisionRecord
from gates.decisions.words import failure_words
from tests.agent import Agent
from tests.alertmanager import documented, paging, until
from tests.collector.notify.bench import ROLL_BACK, SECOND, rated
from tests.peers import require
from tests.prometheus import Prometheus
from tests.traffic import merged, passage, rag_trace

GATE = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.2, "by": ["domain"]}
WHOLE, PART = ("GroundwireGateFailing", None), ("GroundwireSliceFailing", "travel")
SLICE = {"service": "helpdesk", "domain": "travel"}


def held_back(alertmanager):
    """Return what holds the alert about the slice back."""
    return alertmanager.alerts().get(PART, {}).get("status", {}).get("inhibitedBy")


def test_the_documented_routing_is_one_alertmanager_accepts(tmp_path):
    amtool = require("amtool")
    file = tmp_path / "alertmanager.yaml"
    file.write_text(yaml.safe_dump(documented()))
    checked = subprocess.run([amtool, "check-config", str(file)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "SUCCESS" in checked.stdout
    assert "1 inhibit rules" in checked.stdout


def test_what_is_silenced_pages_nobody_and_the_rest_does(make, tmp_path):
    with paging(tmp_path) as (alertmanager, pages):
        alertmanager.silence(gate="fresh")
        bench = make(type="alertmanager", url=f"http://{alertmanager.address}")
        bench.now = time.time_ns()
        bench.decide()
        bench.decide(gate="grounded")
        bench.run()
        alert = pages.await_alert(WHOLE[0], "firing")
        assert alert["labels"]["gate"] == "grounded"
        found = until(alertmanager.silenced, "one is silenced")
        assert [each["labels"]["gate"] for each in found] == ["fresh"]
        told = {row["labels"]["gate"] for page in pages.notifications for row in page["alerts"]}
        assert told == {"grounded"}


def test_an_objective_that_pages_holds_back_its_slices(make, tmp_path):
    with paging(tmp_path) as (alertmanager, pages):
        bench = make(type="alertmanager", url=f"http://{alertmanager.address}")
        bench.now = time.time_ns()
        bench.append(rated("page", previous=None, at=bench.now))
        bench.decide(slice_=SLICE)
        bench.run()
        alert = pages.await_alert("GroundwireObjectivePage", "firing")
        assert alert["labels"]["severity"] == "page"
        until(lambda: held_back(alertmanager), "the slice is held back")


def test_what_is_pushed_is_routed_with_its_slices_held_back_and_is_over_when_the_gate_recovers(make, tmp_path):
    with paging(tmp_path) as (alertmanager, pages):
        bench = make(type="alertmanager", url=f"http://{alertmanager.address}")
        bench.now = time.time_ns() - 60 * SECOND
        bench.decide(recommended=ROLL_BACK)
        bench.decide(slice_=SLICE, recommended=ROLL_BACK)
        bench.now = time.time_ns()
        bench.run()
        alert = pages.await_alert(WHOLE[0], "firing")
        assert alert["labels"] == {"alertname": WHOLE[0], "gate": "fresh", "severity": "page"}
        assert alert["annotations"]["recommended"] == "roll_back: release from 2.0 to 2.1"
        assert alert["generatorURL"] == "https://groundwire.example.com/gates/fresh"
        known = until(lambda: len(found := alertmanager.alerts()) == 2 and found, "both are known")
        assert known[WHOLE]["status"]["state"] == "active"
        part = until(
            lambda: (found := alertmanager.alerts()[PART])["status"]["inhibitedBy"] and found, "it is held back"
        )
        assert part["status"]["inhibitedBy"] == [known[WHOLE]["fingerprint"]]
        bench.run(60)
        assert len(alertmanager.alerts()) == 2
        bench.now = time.time_ns()
        bench.decide(state="pass", previous="fail")
        bench.decide(state="pass", previous="fail", slice_=SLICE)
        bench.run(10)
        pages.await_alert(WHOLE[0], "resolved")
        until(lambda: alertmanager.alerts() == {}, "nothing fails any more")


def test_an_alertmanager_that_was_away_is_told_of_what_still_fails(make, tmp_path):
    with paging(tmp_path) as (alertmanager, _):
        bench = make(type="alertmanager", url=f"http://{alertmanager.address}")
        bench.now = time.time_ns()
        bench.decide()
        bench.run()
        assert set(alertmanager.alerts()) == {WHOLE}
        with alertmanager.away():
            bench.run(60)
            assert bench.step.status.state == "failing"
        bench.now = time.time_ns()
        bench.run(2)
        assert set(alertmanager.alerts()) == {WHOLE}
        assert bench.step.status.state == "ok"


@pytest.mark.slow
def test_prometheus_scrapes_a_rule_fires_and_alertmanager_pages_once_for_the_gate(tmp_path):
    old = passage("TRV-1", "2", "The hotel limit is 150 EUR per night.", effective_to="2025-12-31")
    new = passage(
        "TRV-1", "3", "The hotel limit is 180 EUR per night.", effective_from="2026-01-01", supersedes="TRV-1@2"
    )
    stale = merged(
        rag_trace(
            f"stale-{number}",
            question="What is the hotel limit per night?",
            answer="The hotel limit is 150 EUR per night [1].",
            passages=(old, new),
            at=time.time_ns(),
            metadata={"domain": "travel"},
        )
        for number in range(60)
    )
    agent = Agent(tmp_path, gates=[GATE | {"min_answers": 10}])
    config = load(agent.file.read_text(), where="the agent's configuration")
    names = [dimension.name for dimension in config.slices]
    text = rules(names, config.metrics, config.gates, public_url="https://groundwire.example.com")
    with (
        paging(tmp_path) as (alertmanager, pages),
        agent,
        Prometheus(tmp_path, agent.http, text, alertmanager=alertmanager.address) as prometheus,
    ):
        assert agent.post(stale.SerializeToString()) == 200
        agent.until(lambda: agent.get("/v1/gates/fresh")[1]["state"] == "fail")
        prometheus.until(lambda: {WHOLE[0], PART[0]} <= prometheus.alerts(), "both rules fire")
        alert = pages.await_alert(WHOLE[0], "firing")
        assert alert["labels"] == {"alertname": WHOLE[0], "gate": "fresh", "severity": "page"}
        annotations = alert["annotations"]
        assert "domain=travel" in annotations["description"]
        _, found = agent.get("/v1/decisions?gate=fresh")
        whole = next(row for row in found["decisions"] if not row["slice"] and row["state"] == "fail")
        words = asdict(failure_words(DecisionRecord.model_validate(whole["record"])))
        assert annotations["description"].startswith(f"{words.pop('description')} Slices that failed in the last 30m: ")
        example = words.pop("example")
        assert {name: annotations[name] for name in words} == words
        assert annotations["example"] == f"https://groundwire.example.com/answers/{example}"
        assert annotations["decision"] == f"https://groundwire.example.com/decisions/{whole['seq']}"
        assert annotations["link"] == "https://groundwire.example.com/gates/fresh"
        assert alert["annotations"]["runbook_url"].endswith("#groundwiregatefailing")
        until(lambda: held_back(alertmanager), "the slice is held back")
