"""An agent is killed amid a scheduled run: after the restart the run ends once, with no answer lost or doubled."""

import json
import os
import signal
import threading

import pytest
from pyarrow import parquet

from tests.agent import Agent
from tests.collector.test_applications import served, suite
from tests.command import command

pytestmark = pytest.mark.slow
DUE = "20260101T000000Z"
N = 12


def scheduled(tmp_path, url):
    """Return an agent with a run that an earlier one left as it began."""
    (tmp_path / "runs" / DUE).mkdir(parents=True)
    told = {"name": "yearly", "schedule": "0 0 1 1 *", "suite": [suite(tmp_path, N)], "application": url}
    # The metrics of the configuration are those of the run.
    (tmp_path / "scores.yaml").write_text(json.dumps({"scorers": [{"type": "claim_support"}]}))
    return Agent(tmp_path, evaluations=[told | {"to": str(tmp_path / "runs"), "config": str(tmp_path / "scores.yaml")}])


def ended(tmp_path):
    manifest = tmp_path / "runs" / DUE / "manifest.json"
    return manifest.exists() and json.loads(manifest.read_text()).get("tables")


def check_whole(tmp_path, desk):
    folder = tmp_path / "runs" / DUE
    for table in ("answers", "scores"):
        rows = parquet.read_table(folder / f"{table}.parquet").to_pylist()
        assert [row["answer_id"] for row in rows] == [f"q{i}" for i in range(N)]
    assert desk.asked["Question 0?"] == 1
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [DUE, f"{DUE}.log", f"{DUE}.xml"]
    assert command("report", str(folder), "--to", str(tmp_path / "report.html")).returncode == 0


class Held:
    """Answers all questions but one, which waits until it is let go."""

    def __init__(self):
        self.stuck, self.go_on = threading.Event(), threading.Event()

    def __call__(self, question):
        if question == f"Question {N - 2}?" and not self.go_on.is_set():
            self.stuck.set()
            self.go_on.wait(120)


def test_a_run_whose_agent_alone_was_killed_goes_on_and_is_not_begun_again(tmp_path):
    hold = Held()
    with served(hold=hold) as (desk, url):
        agent = scheduled(tmp_path, url)
        with agent:
            assert hold.stuck.wait(120)
            os.kill(agent.process.pid, signal.SIGKILL)
            agent.process.wait(60)
            mine = ("--application", url, "--config", str(tmp_path / "scores.yaml"), "--workers", "1")
            second = command("evaluate", suite(tmp_path, N), "--to", f"{tmp_path}/runs/{DUE}", *mine)
            assert (second.returncode, "another process is writing this run" in second.stderr) == (2, True)
            agent.start()
            agent.until(lambda: [line for line in agent.log if "scheduled run of an earlier process goes on" in line])
            hold.go_on.set()
            agent.until(lambda: ended(tmp_path))
            assert not [line for line in agent.log if "scheduled run begins" in line or "failed" in line]
            assert agent.terminate() == 0
        check_whole(tmp_path, desk)


def test_a_run_that_was_killed_with_its_agent_goes_on_after_the_restart(tmp_path):
    hold = Held()
    with served(hold=hold) as (desk, url):
        agent = scheduled(tmp_path, url)
        with agent:
            assert hold.stuck.wait(120)
            os.killpg(agent.process.pid, signal.SIGKILL)
            agent.process.wait(60)
            hold.go_on.set()
            agent.start()
            agent.wait_for("scheduled run ended")
            assert ended(tmp_path)
            assert agent.terminate() == 0
        check_whole(tmp_path, desk)
        assert "of them before it was interrupted" in (tmp_path / "runs" / f"{DUE}.log").read_text()
