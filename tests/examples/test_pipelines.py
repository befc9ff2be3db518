"""The pipelines for GitHub and GitLab, line by line in a shell, and Argo's query in a real Prometheus."""

import os
import subprocess
import sys
import threading
import time
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.agent import Agent
from tests.examples.argo import FAILED, INCONCLUSIVE, SUCCESSFUL, Metric
from tests.examples.readme import EXAMPLES
from tests.prometheus import Prometheus
from tests.traffic import merged, policy_trace

pytestmark = pytest.mark.slow
GATE = {
    "type": "release",
    "name": "canary",
    "metric": "stale_source_use",
    "worse": "higher",
    "by": ["service"],
    "margin": 0.3,
    "tick": "1s",
    "grace": "1m",
}
ANSWERS, LENGTH = 240, 3_000_000_000
GITHUB = yaml.safe_load((EXAMPLES / "pipelines" / "github-actions.yaml").read_text())
GITLAB = yaml.safe_load((EXAMPLES / "pipelines" / "gitlab-ci.yml").read_text())


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with Agent(tmp_path_factory.mktemp("agent"), gates=[GATE], scorers=[{"type": "stale_source_use"}]) as running:
        yield running


@pytest.fixture(scope="module")
def route(agent):
    """Sends the traffic of a release: three seconds of it, half of which is routed there, each after the one before."""
    ended = [0]

    def send(release, *, stale):
        start = max(time.time_ns() - LENGTH, ended[0])
        ended[0] = start + LENGTH + 1_000_000_000
        arms = (("candidate", release, stale), ("baseline", "v2.0", False))
        answers = merged(
            policy_trace(
                f"{release}-{i}",
                stale=worse and i % 4 < 2,
                at=start + i * LENGTH // ANSWERS,
                release=version,
                metadata={"groundwire.arm": arm, "groundwire.share": "0.5"},
            )
            for i, (arm, version, worse) in ((i, arms[i % 2]) for i in range(ANSWERS))
        )
        assert agent.post(answers.SerializeToString()) == 200

    return send


class Runner:
    """Where the lines of a pipeline are run: `groundwire` is ours, `pip` and `./deploy` write down their calls."""

    def __init__(self, directory, agent, **env):
        self.directory, self.agent = directory, agent
        tools = directory / "bin"
        tools.mkdir(parents=True)
        self.calls = directory / "calls"
        self.calls.touch()
        noting = f'#!/bin/sh\necho "$(basename "$0") $*" >> {self.calls}\n'
        for file, text in (
            (tools / "groundwire", f'#!/bin/sh\nexec {sys.executable} -P -m collector.cli "$@"\n'),
            (tools / "pip", noting),
            (directory / "deploy", noting),
        ):
            file.write_text(text)
            file.chmod(0o755)
        (directory / "token").write_text("s3cret")
        self.env = {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": os.environ.get("PYTHONPATH", "")} | env

    def run(self, script, env=()):
        """Run lines as both do, until one fails; return the exit code."""
        command = ["bash", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=self.directory, env=self.env | dict(env), timeout=240, check=False
        ).returncode

    def said(self):
        return [line for line in self.calls.read_text().splitlines() if not line.startswith("pip")]


def github(runner):
    """Run the job; return whether it succeeded. A step whose condition is failure() runs only after one has failed."""
    (job,) = GITHUB["jobs"].values()
    failed = False
    for step in job["steps"]:
        if "run" in step and failed == (step.get("if") == "failure()"):
            env = {} if "env" not in step else {"TOKEN": "s3cret"}
            failed = runner.run(step["run"], env) != 0 or failed
    return not failed


def gitlab(runner, **replaced):
    """Run all jobs, stage by stage; return the jobs that ran, by what became of them."""
    found, failed = {}, False
    for stage in GITLAB["stages"]:
        jobs = {name: job for name, job in GITLAB.items() if isinstance(job, dict) and job.get("stage") == stage}
        codes = {}
        for name, job in jobs.items():
            if failed == (job["rules"][0].get("when") == "on_failure"):
                script = "\n".join(job["script"])
                for old, new in replaced.get(name, {}).items():
                    assert old in script
                    script = script.replace(old, new)
                codes[name] = runner.run(script)
        for name, code in codes.items():
            allowed = code in jobs[name].get("allow_failure", {}).get("exit_codes", ())
            found[name] = "success" if code == 0 else "warning" if allowed else "failed"
            failed = failed or found[name] == "failed"
    return found


def test_a_release_that_is_as_good_is_promoted_by_github_once_its_traffic_has_shown_it(agent, route, tmp_path):
    summary = tmp_path / "summary.md"
    runner = Runner(
        tmp_path,
        agent,
        AGENT=f"http://{agent.http}",
        RELEASE="v2.1",
        RUN="github-1-1",
        RUNNER_TEMP=str(tmp_path),
        GITHUB_STEP_SUMMARY=str(summary),
    )
    done = []
    pipeline = threading.Thread(target=lambda: done.append(github(runner)))
    pipeline.start()
    agent.until(lambda: [row for row in agent.get("/v1/changes")[1]["changes"] if row["id"] == "github-1-1"])
    assert agent.get("/v1/gates/canary?candidate=v2.1")[1]["state"] == "inconclusive"
    route("v2.1", stale=False)
    pipeline.join(130)
    assert done == [True]
    assert runner.said() == ["deploy canary v2.1", "deploy promote v2.1"]
    assert summary.read_text().startswith("### Gate canary: pass over v2.1\n")
    body = agent.get("/v1/gates/canary?candidate=v2.1&baseline=v2.0&service=assistant")[1]
    assert (body["state"], body["candidate"], body["baseline"]) == ("pass", "v2.1", "v2.0")
    assert body["n_candidate"] > 30
    assert body["log_e_promote"] > 2.9


def prepared(tmp_path, agent, release):
    variables = {"CI_COMMIT_TAG": release, "CI_PIPELINE_ID": release, "TOKEN_FILE": str(tmp_path / "token")}
    return Runner(tmp_path, agent, GROUNDWIRE_URL=f"http://{agent.http}", **variables)


def test_a_release_that_is_worse_is_rolled_back_by_gitlab(agent, route, tmp_path):
    route("v2.2", stale=True)
    runner = prepared(tmp_path, agent, "v2.2")
    assert gitlab(runner) == {"canary": "success", "verdict": "failed", "rollback": "success"}
    assert runner.said() == ["deploy canary v2.2", "deploy rollback v2.2"]
    (suite,) = ET.parse(tmp_path / "gate.xml").getroot()
    assert int(suite.get("failures")) == 2
    assert "worse" in suite[0][0].text


def test_a_release_without_answers_is_neither_promoted_nor_rolled_back_by_gitlab(agent, tmp_path):
    runner = prepared(tmp_path, agent, "v2.3")
    found = gitlab(runner, verdict={"--wait 30m": "--wait 1s"})
    assert found == {"canary": "success", "verdict": "warning", "promote": "failed"}
    assert runner.said() == ["deploy canary v2.3"]


def test_prometheus_gives_argo_the_verdict_over_the_candidate_and_nothing_else(agent, route, tmp_path):
    route("v2.4", stale=True)
    agent.until(lambda: agent.get("/v1/gates/canary?candidate=v2.4")[1]["state"] == "fail")
    metric = {
        name: Metric(EXAMPLES / "rollouts" / "argo-prometheus.yaml", gate="canary", candidate=name)
        for name in ("v2.4", "v2.5", "v9")
    }
    with Prometheus(tmp_path, agent.http, "groups: []") as prometheus:
        measured = lambda name: metric[name].measure_prometheus(prometheus)  # noqa: E731
        prometheus.until(lambda: measured("v2.4") == (FAILED, [-1.0]), "the verdict is scraped")
        assert measured("v9") == (INCONCLUSIVE, [0.0])
        route("v2.5", stale=False)
        prometheus.until(lambda: measured("v2.5") == (SUCCESSFUL, [1.0]), "the next candidate passes")
        # The release before it is judged no more.
        assert measured("v2.4") == (INCONCLUSIVE, [0.0])
        query = metric["v2.5"].spec["provider"]["prometheus"]
        query["query"] = query["query"].replace("< 900", "< 0")
        assert measured("v2.5") == (INCONCLUSIVE, [0.0]), "a verdict that is too old is none"
        query["query"] = query["query"].replace("< 0", "< 900")
        assert measured("v2.5") == (SUCCESSFUL, [1.0])
        agent.kill()
        prometheus.until(lambda: measured("v2.5") == (INCONCLUSIVE, [0.0]), "an agent that is gone says nothing")
    agent.start()
