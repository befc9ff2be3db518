"""A real agent whose disk is full."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from collector.clock import parsed_time
from collector.commands.asking import AskedAgent
from collector.commands.doctor import findings
from collector.commands.doctor.facts import gathered
from tests.agent import STOP_SECONDS, Agent
from tests.command import command
from tests.disk import fill_up, small_disk
from tests.traffic import policy_trace


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk") as place:
        yield place


def post(agent, n):
    return agent.post(policy_trace(n, at=time.time_ns()).SerializeToString())


def refused(agent):
    """Send until the agent takes nothing any more; return how many it took."""
    for n in range(100_000):
        if post(agent, n) != 200:
            return n
    raise AssertionError("the disk is never full")


def named(agent, minutes):
    """Return the rules of the doctor that find something, so many minutes from now."""
    facts = gathered(AskedAgent(url=f"http://{agent.http}", token_file=None), exporter=None, scraped=None)
    at = parsed_time(facts.about.at) + timedelta(minutes=minutes)
    return {
        each.rule.name for each in findings(replace(facts, about=facts.about.model_copy(update={"at": at.isoformat()})))
    }


def unready(agent):
    status, body = agent.get("/readyz")
    return body if status == 503 else None


@pytest.mark.slow
def test_a_full_disk_is_told_by_readiness_and_metrics_and_is_over_when_there_is_room(tmp_path, disk):
    gate = {"type": "threshold", "name": "kept", "metric": "stale_source_use", "at_most": 0.5, "min_answers": 10}
    with Agent(tmp_path, data=str(disk / "data"), gates=[gate]) as agent:
        for n in range(30):
            post(agent, 300_000 + n)
        agent.until(lambda: agent.get("/v1/gates/kept")[1]["state"] == "pass")
        fill_up(disk)
        taken = refused(agent)
        body = agent.until(lambda: unready(agent))
        body = agent.until(lambda: (found := unready(agent)) and "free on its disk" in str(found) and found)
        [reason] = body["reasons"]
        assert reason.startswith("the store cannot be written to: ")
        assert "nothing is left to prune; free disk space" in reason
        assert "groundwire_store_writable 0.0" in agent.get("/metrics")[1]
        assert agent.get("/healthz")[0] == 200
        verdict = agent.get("/v1/gates/kept")[1]
        assert verdict["state"] == "inconclusive"
        assert verdict["reason"].startswith("the store cannot be written to: ")
        # One fault: what follows from it is no other.
        doctor = command("doctor", "--url", f"http://{agent.http}", "--json")
        assert [each["rule"] for each in json.loads(doctor.stdout)["findings"]] == ["not-ready"]
        assert agent.wait_for("store not writable")["level"] == "error"
        (disk / "others").unlink()
        agent.until(lambda: agent.get("/readyz")[0] == 200)
        assert post(agent, 200_000) == 200
        agent.wait_for("store writable again")
        agent.until(lambda: agent.get("/v1/gates/kept")[1]["state"] == "pass")
        lately, later = (named(agent, minutes) for minutes in (0, 6))
        assert {"receiver-full"} <= lately, "what failed a moment ago may fail again"
        assert not {"not-ready", "step-failures", "receiver-full"} & later
        assert agent.terminate() == 0
    with Agent(tmp_path, data=str(disk / "data")) as agent:
        rows = agent.until(lambda: len(agent.get("/v1/answers?limit=1000")[1]["answers"]) >= min(taken + 1, 1000))
        assert rows


@pytest.mark.slow
def test_an_agent_that_finds_no_room_at_its_start_says_so_and_can_be_stopped(tmp_path, disk):
    agent = Agent(tmp_path, data=str(disk / "data"))
    with agent:
        assert agent.terminate() == 0
    fill_up(disk)
    command = [sys.executable, "-P", "-m", "collector.cli", "run", "--config", str(agent.file)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        said = json.loads(process.stderr.readline())
        assert said["event"] == "store not writable"
        process.terminate()
        assert process.wait(STOP_SECONDS) == 0
    finally:
        process.kill()
        process.communicate()
