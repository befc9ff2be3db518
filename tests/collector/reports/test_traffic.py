"""A report of what a running agent scored, and its checksum in the decision log."""

from __future__ import annotations

import hashlib
import json
import subprocess
import time

import pytest

from tests import forking
from tests.agent import Agent
from tests.traffic import rag_trace

pytest.importorskip("scipy")
pytestmark = pytest.mark.slow


def cli(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*forking.words(), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_traffic_is_reported_and_the_report_is_chained(tmp_path) -> None:
    with Agent(tmp_path) as agent:
        for number, amount in enumerate((180, 180, 250)):
            trace = rag_trace(
                f"t{number}",
                question="What may a hotel cost?",
                answer=f"A hotel may cost up to {amount} EUR a night.",
                passages=({"text": "A hotel may cost up to 180 EUR a night.", "metadata": {"doc_id": "TRV"}},),
                at=time.time_ns(),
                metadata={"domain": "travel"},
            )
            assert agent.post(trace.SerializeToString()) == 200

        def scored():
            rows = agent.get("/v1/answers")[1]["answers"]
            return len(rows) == 3 and all(row["evaluation"] for row in rows)

        agent.until(scored)
        to = tmp_path / "week.json"
        done = cli("report", "--since", "7d", "--to", str(to), "--record", "--url", f"http://{agent.http}")
        assert done.returncode == 0, done.stderr
        content = json.loads(to.read_text())
        assert (content["kind"], content["runs"][0]["answers"]) == ("traffic", 3)
        assert content["runs"][0]["faults"]["count"] >= 1
        row = agent.get("/v1/decisions?order=newest&limit=1")[1]["decisions"][0]
        assert row["gate"] == "reports"
        assert hashlib.sha256(to.read_bytes()).hexdigest() in row["record"]["reason"]
        assert cli("audit", "verify", "--data", str(tmp_path / "data")).returncode == 0


def test_a_stretch_of_time_that_is_none_is_named_with_its_option(tmp_path):
    ended = cli("report", "--since", "5x", "--to", str(tmp_path / "report.html"))
    assert ended.returncode == 2
    assert ended.stderr.startswith("groundwire: --since: '5x' is not a duration; write it like 30s")
