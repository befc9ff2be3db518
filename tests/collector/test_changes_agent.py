"""Changes in the life of a real agent: announced, observed and read from the catalog, across restarts and kills."""

import json
import time

import pytest

from collector.changes.panel import known_panel
from collector.store.sqlite import open_store
from tests.agent import Agent
from tests.command import command
from tests.traffic import merged, passage, rag_trace

GATE = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.2, "by": ["domain"]}
OLD = passage("TRV-1", "2", "The hotel limit is 150 EUR per night.", effective_to="2025-12-31")
NEW = passage("TRV-1", "3", "The hotel limit is 180 EUR per night.", effective_from="2026-01-01", supersedes="TRV-1@2")


def asked(name, n, *, stale, index, **metadata):
    """Return a request of ``n`` answers, from an index of this version."""
    amount, passages = (150, (OLD, NEW)) if stale else (180, (NEW,))
    return merged(
        rag_trace(
            f"{name}-{i}",
            question="What is the hotel limit per night?",
            answer=f"The hotel limit is {amount} EUR per night [1].",
            passages=passages,
            at=time.time_ns(),
            metadata={"domain": "travel", "index": index} | metadata,
        )
        for i in range(n)
    ).SerializeToString()


def scored(agent, n):
    """Return the answers once there are ``n``, and all that are sampled are scored."""
    rows = agent.get("/v1/answers?limit=1000")[1]["answers"]
    return rows if len(rows) == n and all(row["evaluation"] for row in rows if row["sampled"]) else None


def changes(agent):
    return agent.get("/v1/changes")[1]["changes"]


@pytest.mark.slow
def test_a_stale_index_is_observed_fails_the_gate_and_is_to_be_rolled_back(tmp_path):
    agent = Agent(tmp_path, gates=[GATE | {"min_answers": 10}], traces={"versions": {"index": "index"}})
    with agent:
        assert agent.post(asked("before", 30, stale=False, index="7")) == 200
        agent.until(lambda: agent.get("/v1/gates/fresh")[1]["state"] == "pass")
        assert changes(agent) == []
        agent.kill()
        agent.start()
        assert agent.post(asked("after", 60, stale=True, index="8")) == 200
        row, brought = agent.until(lambda: changes(agent))
        told = (row["kind"], row["source"], row["component"], row["version"], row["previous"], row["scope"])
        assert told == ("index", "observed", "index", "8", "7", {"service": "assistant"})
        assert (brought["kind"], brought["documents"], brought["version"]) == ("documents", ["TRV-1"], "2")
        agent.kill()
        agent.start()
        agent.until(lambda: agent.get("/v1/gates/fresh")[1]["state"] == "fail")
        assert changes(agent) == [row, brought]
        rows = agent.get("/v1/decisions")[1]["decisions"]
        whole = next(item for item in reversed(rows) if item["slice"] == {})
        record = whole["record"]
        assert (record["state"], [item["seq"] for item in record["changes"]]) == ("fail", [row["seq"], brought["seq"]])
        recommended = record["recommended"]
        assert (recommended["action"], recommended["component"]) == ("roll_back", "index")
        assert (recommended["version"], recommended["to_version"]) == ("8", "7")
        assert all(item["answer_id"] for item in record["answers"])
        shown = agent.get(f"/v1/answers/{record['answers'][0]['answer_id']}")[1]
        assert shown["answer"]["versions"]["index"] == "8"
        proof = command("audit", "verify", "--data", str(tmp_path / "data"))
        assert (proof.returncode, proof.stderr) == (0, "")
        assert f"{len(rows)} rows, head {rows[-1]['hash']}" in proof.stdout
        assert agent.terminate() == 0


def test_an_announced_change_boosts_what_comes_after_it_and_draws_what_came_before(tmp_path):
    agent = Agent(tmp_path, sampling={"probability": 0.01, "boost": {"max_per_minute": 1000}})
    with agent:
        assert agent.post(asked("before", 40, stale=False, index="7")) == 200
        agent.until(lambda: scored(agent, 40))
        announce = ("change", "deploy", "--version", "2.1", "--scope", "service=assistant", "--id", "ci-7")
        where = ("--url", f"http://{agent.http}")
        done = command(*announce, "--note", "by the pipeline", *where)
        assert (done.returncode, done.stderr) == (0, "")
        assert "release to 2.1 (deploy)" in done.stdout
        again = command(*announce, "--note", "by the pipeline", *where, "--json")
        assert json.loads(again.stdout) == changes(agent)[0]
        conflict = command(*announce, *where)
        assert conflict.returncode == 2
        assert "409 there is another change with the id 'ci-7'" in conflict.stderr
        assert len(changes(agent)) == 1
        assert agent.post(asked("after", 40, stale=False, index="7")) == 200
        rows = agent.until(lambda: all(row["sampled"] for row in scored(agent, 80) or [{"sampled": False}]))
        rows = scored(agent, 80)
        before = [row for row in rows if row["answer"]["trace_id"] and row["late"]]
        assert {round(row["probability"], 3) for row in before} == {0.99}
        assert {row["probability"] for row in rows if not row["late"]} <= {0.01, 1.0}
        assert len([row for row in rows if row["probability"] == 1.0]) == 40
        text = agent.get("/metrics")[1]
        assert 'groundwire_changes_total{kind="deploy",source="explicit"} 1.0' in text
        assert agent.terminate() == 0


@pytest.mark.slow
def test_a_catalog_that_changes_is_a_change_of_its_documents_and_the_arms_of_a_split_are_read(tmp_path):
    catalog = tmp_path / "policies.yaml"
    catalog.write_text("documents: [{id: TRV-1, version: '2'}, {id: HR-1, version: '1'}]")
    with Agent(tmp_path, catalog={"path": str(catalog), "poll": "100ms"}) as agent:
        split = {"groundwire.arm": "canary", "groundwire.share": "0.1"}
        assert agent.post(asked("one", 1, stale=False, index="7", **split)) == 200
        (row,) = agent.until(lambda: scored(agent, 1))
        assert (row["answer"]["arm"], row["answer"]["share"]) == ("candidate", 0.1)
        catalog.write_text("documents: [{id: TRV-1, version: '2'}, {id: HR-1, version: '2'}]")
        (row,) = agent.until(lambda: changes(agent))
        assert (row["kind"], row["source"], row["component"]) == ("documents", "catalog", "catalog")
        assert (row["documents"], row["note"]) == (["HR-1"], "1 added: HR-1@2; 1 removed: HR-1@1")
        assert row["version"] == agent.get("/v1/catalog")[1]["digest"]
        assert agent.terminate() == 0
    store = open_store(tmp_path / "data")
    (scored_one,) = store.evaluations_after(0, limit=9)
    versions = dict(scored_one.versions)
    panel = known_panel(store, versions.pop("scorers"))
    assert versions == {"model": "local-1", "catalog": row["previous"]}
    assert {"claim_support", "stale_source_use", "judge"} <= set(panel)
    assert (scored_one.arm, scored_one.share) == ("candidate", 0.1)
    store.close()


V2 = ("--version", "2")


def test_what_cannot_be_announced_is_a_usage_error(tmp_path):
    for arguments, said in [
        (("deploy", "--scope", "service"), "--scope service: expected DIMENSION=VALUE"),
        (("deploy", "--scope", "a=1", "--scope", "a=2"), "duplicate dimension 'a'"),
        (("deploy", "--at", "soon"), "--at: "),
        (("deploy", *V2, "--url", "ftp://x"), "expected http:// or https://"),
        (("deploy", *V2, "--url", "http://127.0.0.1:9"), "cannot reach the agent: connection refused"),
        (("deploy", *V2, "--token-file", str(tmp_path / "none")), "--token-file"),
        (("deploy",), "change deploy: neither version nor scope is given: give --version VERSION, or --scope DIM"),
        (("deploy",), "If it has no version and affects all traffic, say --everywhere; then every gate"),
        (("index", "--version", "", "--previous", "1"), "change index: neither version nor scope is given"),
        (
            ("documents", "--note", "x"),
            "give --version VERSION, or --scope DIMENSION=VALUE, or --document ID. If",
        ),
    ]:
        done = command("change", *arguments)
        assert done.returncode == 2, arguments
        assert said in done.stderr
        assert done.stdout == ""
