"""The life of a real agent in its own process."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.error import URLError

import psutil
import pytest
import yaml

from collector.store.sqlite import DATABASE, PAGE_BYTES, open_store
from tests.agent import Agent
from tests.command import command
from tests.disk import small_disk
from tests.traffic import merged, policy_trace, rag_trace, spans_of

CATALOG = """
documents:
  - {id: TRV-1, version: "2", effective_from: 2024-01-01, effective_to: 2025-12-31}
  - {id: TRV-1, version: "3", effective_from: 2026-01-01, supersedes: TRV-1@2, text: The limit is 180 EUR.}
"""
GATE = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.2, "by": ["domain"]}


def run(*arguments):
    line = [sys.executable, "-P", "-m", "collector.cli", "run", *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)


def answers(agent, n):
    rows = agent.get("/v1/answers?limit=1000")[1]["answers"]
    return rows if len(rows) >= n and all(row["evaluation"] for row in rows) else None


def test_traffic_becomes_verdict_metrics_and_exit_code(tmp_path):
    with Agent(tmp_path, gates=[GATE | {"min_answers": 10}]) as agent:
        now = time.time_ns()
        traces = [policy_trace(i, stale=True, at=now) for i in range(30)]
        traces += [policy_trace(i, domain="leave", at=now) for i in range(30)]
        assert agent.post(merged(traces).SerializeToString()) == 200
        failing = agent.until(lambda: _over(agent.get("/v1/gates/fresh")[1], {"travel": 30, "leave": 30}))
        assert failing["state"] == "fail"
        assert {part["slice"]["domain"]: part["state"] for part in failing["slices"]} == {
            "travel": "fail",
            "leave": "pass",
        }
        asked = command("gate", "fresh", "--url", f"http://{agent.http}")
        assert asked.returncode == 1
        assert "domain=travel: fail" in asked.stdout
        asked = command("gate", "fresh", "--url", f"http://{agent.http}", "--json")
        assert json.loads(asked.stdout)["code"] == -1
        text = agent.get("/metrics")[1]
        assert 'groundwire_gate_slice_state{domain="travel",gate="fresh"' in text
        assert 'rag_answers_total{domain="leave",service="assistant"} 30.0' in text
        assert agent.terminate() == 0


@pytest.mark.slow
def test_a_gate_without_traffic_is_inconclusive_and_exits_3(tmp_path):
    with Agent(tmp_path, gates=[GATE]) as agent:
        asked = command("gate", "fresh", "--url", f"http://{agent.http}", "--wait", "1s")
        assert (asked.returncode, asked.stdout.splitlines()[0][:19]) == (3, "fresh: inconclusive")
        unknown = command("gate", "frehs", "--url", f"http://{agent.http}")
        assert unknown.returncode == 2
        assert "known: fresh" in unknown.stderr


def test_an_agent_that_is_not_there_is_a_usage_error_not_a_verdict():
    asked = command("gate", "fresh", "--url", "http://127.0.0.1:9")
    assert asked.returncode == 2
    assert "cannot reach the agent" in asked.stderr


def test_sigterm_under_load_loses_nothing_that_was_acknowledged(tmp_path):
    acknowledged, stop = [], threading.Event()
    with Agent(tmp_path) as agent:

        def send():
            for i in range(100_000):
                if stop.is_set():
                    return
                data = policy_trace(i, at=time.time_ns())
                try:
                    if agent.post(data.SerializeToString()) != 200:
                        return
                except (URLError, OSError):
                    return
                acknowledged.append(i)
                enough.set() if len(acknowledged) == 200 else None

        enough = threading.Event()
        sender = threading.Thread(target=send)
        sender.start()
        assert enough.wait(60)
        assert agent.terminate() == 0
        stop.set()
        sender.join(30)
        assert [json.loads(line)["event"] for line in agent.log][-2:] == ["draining", "stopped"]
    store = open_store(tmp_path / "data")
    assert store.totals().accepted >= len(acknowledged) * len(spans_of(policy_trace(0, at=1)))
    store.close()


@pytest.mark.slow
def test_a_second_agent_on_the_same_data_or_port_says_so_and_exits_2(tmp_path):
    with Agent(tmp_path) as agent:
        second = run("--config", str(agent.file))
        assert second.returncode == 2
        assert "in use by another agent" in second.stderr
        port = agent.otlp_http.rpartition(":")[2]
        third = run(
            "--config", str(agent.file), "--data", str(tmp_path / "b"), "--set", f"receive.otlp_http.port={port}"
        )
        assert third.returncode == 2
        assert f"receive.otlp_http: cannot listen on 127.0.0.1 port {port}" in third.stderr


@pytest.mark.slow
def test_a_store_that_is_found_damaged_at_the_start_is_told_in_a_line_and_exits_2(tmp_path):
    data = tmp_path / "data"
    open_store(data).close()
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'seen'").fetchone()
    with (data / DATABASE).open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        file.write(b"x" * PAGE_BYTES)
    config = tmp_path / "groundwire.yaml"
    doors = {"otlp_http": {"port": 0}, "otlp_grpc": {"port": 0}}
    config.write_text(yaml.safe_dump({"data": str(data), "http": {"port": 0}, "receive": doors}))
    ended = run("--config", str(config))
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].endswith(f"{data}: the store cannot be read: database disk image is malformed")
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_a_new_catalog_is_put_in_force_and_a_broken_one_is_refused(tmp_path):
    catalog = tmp_path / "policies.yaml"
    catalog.write_text("documents: []\n")
    old = {"doc_id": "TRV-1", "version": "2"}
    ask = {"question": "What is the hotel limit?", "answer": "The hotel limit is 150 EUR per night [1]."}
    passages = ({"text": "The hotel limit is 150 EUR per night.", "metadata": old},)
    with Agent(tmp_path, catalog={"path": str(catalog), "poll": "100ms"}) as agent:
        catalog.write_text("documents: [{id: TRV-1, version: '3', supersedes: TRV-1@9}]\n")
        refused = agent.wait_for("catalog refused; the previous one stays in force")
        assert "TRV-1@9" in str(refused["problems"])
        assert "groundwire_catalog_errors_total 1.0" in agent.get("/metrics")[1]
        catalog.write_text(CATALOG)
        assert agent.wait_for("catalog loaded")["documents"] == 2
        agent.post(rag_trace("after", **ask, passages=passages, at=time.time_ns()).SerializeToString())
        (row,) = agent.until(lambda: answers(agent, 1))
        (score,) = [score for score in row["evaluation"]["scores"] if score["metric"] == "stale_source_use"]
        assert (score["value"], score["basis"]) == (1.0, "catalog")
        assert any(item.get("version") == "3" for item in score["evidence"])


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_its_work_done(tmp_path):
    with Agent(tmp_path) as agent:
        agent.post(policy_trace(1, at=time.time_ns()).SerializeToString())
        assert agent.until(lambda: answers(agent, 1))
        # What starts workers is among them, and the workers are its children.
        workers = psutil.Process(agent.process.pid).children(recursive=True)
        assert len(workers) > 1
        for worker in workers:
            worker.send_signal(signal.SIGKILL)
        agent.post(policy_trace(2, at=time.time_ns()).SerializeToString())
        assert agent.until(lambda: answers(agent, 2))
        assert agent.get("/healthz")[0] == 200


@pytest.mark.slow
def test_the_log_holds_no_content_and_no_entry_per_answer(tmp_path):
    with Agent(tmp_path) as agent:
        secret = "4111 1111 1111 1111"
        for i in range(30):
            data = rag_trace(f"t{i}", question=f"My card is {secret}?", answer=f"Noted {secret}.", at=time.time_ns())
            agent.post(data.SerializeToString())
        agent.until(lambda: answers(agent, 30))
        agent.terminate()
        log = "".join(agent.log)
        assert "4111" not in log
        assert "Noted" not in log
        assert len(agent.log) < 10


@pytest.mark.slow
def test_workers_end_with_an_agent_that_was_killed(tmp_path):
    with Agent(tmp_path) as agent:
        agent.post(policy_trace(1, at=time.time_ns()).SerializeToString())
        assert agent.until(lambda: answers(agent, 1))
        children = psutil.Process(agent.process.pid).children(recursive=True)
        assert len(children) > 1
        os.kill(agent.process.pid, signal.SIGKILL)
        agent.process.wait(30)
        _, alive = psutil.wait_procs(children, timeout=30)
        assert alive == []


@pytest.mark.slow
def test_it_listens_on_loopback_only_unless_told_otherwise(tmp_path):
    with Agent(tmp_path) as agent:
        process = psutil.Process(agent.process.pid)
        sockets = [item for item in process.net_connections("inet") if item.status == psutil.CONN_LISTEN]
        assert len(sockets) == 3
        assert {item.laddr.ip.removeprefix("::ffff:") for item in sockets} == {"127.0.0.1"}


@pytest.mark.slow
def test_beyond_loopback_a_token_is_asked_for(tmp_path):
    token = tmp_path / "token"
    token.write_text("s3cret\n")
    guard = {"token_file": str(token)}
    with Agent(tmp_path, http=guard, receive={"otlp_http": guard, "otlp_grpc": guard}) as agent:
        body = policy_trace(1, at=time.time_ns()).SerializeToString()
        assert agent.post(body) == 401
        assert agent.post(body, Authorization="Bearer s3cret") == 200
        assert agent.get("/v1/answers")[0] == 401
        assert agent.get("/readyz")[0] == 200
        assert agent.get("/v1/answers", Authorization="Bearer s3cret")[0] == 200
        asked = command("gate", "x", "--url", f"http://{agent.http}", "--token-file", str(token))
        assert "unknown gate 'x'" in asked.stderr


def test_check_names_every_mistake_and_exits_2(tmp_path):
    file = tmp_path / "groundwire.yaml"
    file.write_text(yaml.safe_dump({"gates": [GATE | {"tolerence": 1, "by": []}], "judge": {"tik": "1s"}}))
    checked = command("check", "--config", str(file))
    assert checked.returncode == 2
    assert "gates[0].tolerence: unknown key" in checked.stderr
    assert "judge.tik: unknown key; did you mean 'tick'?" in checked.stderr


@pytest.mark.slow
def test_check_and_the_log_say_where_the_configuration_is_from_and_what_is_unwise(tmp_path):
    assert "configuration: ok, the defaults (no --config is given), " in command("check", cwd=tmp_path).stdout
    gate = {"type": "threshold", "name": "g", "metric": "claim_support", "at_least": 0.9, "window": "7d"}
    with Agent(tmp_path, gates=[gate], retention={"answers": "1d"}) as agent:
        line = next(line for line in agent.log if '"ready"' in line)
        assert json.loads(line)["configuration"] == str(agent.file)
        assert any("retention.answers: 1d is shorter than the window of gate g (7d)" in line for line in agent.log)
    unread = "the defaults (./groundwire.yaml is not read; give --config groundwire.yaml)"
    assert f"configuration: ok, {unread}, " in command("check", cwd=tmp_path).stdout
    told = command("check", "--config", str(agent.file)).stdout
    assert f"configuration: ok, {agent.file}, " in told
    assert "warning: retention.answers: 1d is shorter" in told
    kept = command("check", "--config", str(agent.file), "--set", "retention.answers=7d").stdout
    assert "warning: retention" not in kept


@pytest.mark.slow
def test_a_place_where_no_store_can_be_is_told_by_check_as_by_run(tmp_path):
    (tmp_path / "policies.yaml").write_text("")
    given = ("--data", str(tmp_path / "policies.yaml"))
    for done in (command("check", *given), run(*given)):
        assert (done.returncode, "policies.yaml: not a directory: `data` names the directory" in done.stderr) == (
            2,
            True,
        )
    file = tmp_path / "groundwire.yaml"
    file.write_text("catalog: {path: /nowhere/missing.yaml}\n")
    given = ("--config", str(file), "--data", str(tmp_path / "data"))
    for done in (command("check", *given), run(*given)):
        assert (done.returncode, "/nowhere/missing.yaml: no such file" in done.stderr) == (2, True)


def test_check_warns_of_a_data_directory_on_a_read_only_disk(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        done = command("check", "--data", str(disk / "data"))
    assert done.returncode == 0
    assert f"warning: data: {disk} cannot be written to (its file system is read-only)" in done.stdout


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc")
def test_check_warns_of_a_data_directory_where_nobody_can_keep_a_file():
    done = command("check", "--data", "/proc/groundwire")
    assert "warning: data: /proc cannot be written to (its file system keeps no files)" in done.stdout


def test_check_reads_the_catalog_too_and_prints_what_is_in_force(tmp_path):
    (tmp_path / "policies.yaml").write_text(CATALOG)
    good = command("check", "--set", "catalog.path=policies.yaml", "--print", cwd=tmp_path)
    assert good.returncode == 0
    assert yaml.safe_load(good.stdout)["catalog"]["path"] == "policies.yaml"
    assert "catalog: ok, 2 documents" in good.stderr
    (tmp_path / "policies.yaml").write_text(CATALOG.replace("supersedes", "supersede"))
    bad = command("check", "--set", "catalog.path=policies.yaml", cwd=tmp_path)
    assert bad.returncode == 2
    assert "policies.yaml" in bad.stderr
    assert "supersede" in bad.stderr
    missing = command("check", "--set", "catalog.path=nowhere.yaml", cwd=tmp_path)
    assert "catalog.path: nowhere.yaml: no such file" in missing.stderr


def _over(body, answers):
    """Return the verdict once it is over this many answers of each domain."""
    return body if {part["slice"]["domain"]: part["n"] for part in body["slices"]} == answers else None
