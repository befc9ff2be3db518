"""A real agent whose catalog changes under it."""

import json
import threading
import time

import psutil
import pytest

from tests.agent import Agent
from tests.collector.sources.server import serving
from tests.command import command, one_object
from tests.traffic import rag_trace

TEXT = "The hotel limit is 150 EUR per night."


def ask(agent, name, **metadata):
    trace = rag_trace(
        name,
        question="What is the hotel limit?",
        answer="The hotel limit is 150 EUR per night [1].",
        passages=({"text": TEXT, "metadata": {"doc_id": "TRV-1", "version": "2", **metadata}},),
        at=time.time_ns(),
    )
    assert agent.post(trace.SerializeToString()) == 200


def stale(agent, n):
    """Return the newest values of stale_source_use once ``n`` answers are scored; ``None`` where there is none."""

    def scored():
        rows = agent.get("/v1/answers")[1]["answers"]
        return rows if len(rows) == n and all(row["evaluation"] for row in rows) else None

    rows = agent.until(scored)
    values = [{score["metric"]: score["value"] for score in row["evaluation"]["scores"]} for row in rows]
    return [value.get("stale_source_use") for value in values]


def workers(agent):
    return sorted(child.pid for child in psutil.Process(agent.process.pid).children(recursive=True))


def test_a_directory_is_reloaded_without_stopping_what_scores(tmp_path):
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "old.yaml").write_text("documents: [{id: TRV-1, version: '2'}]")
    with Agent(tmp_path, catalog={"path": str(folder), "poll": "100ms"}) as agent:
        ask(agent, "before")
        assert stale(agent, 1) == [None], "without dates and links nothing could be told to be replaced"
        before = workers(agent)
        (folder / "new.csv").write_text("id,version,supersedes\nTRV-1,3,TRV-1@2\n")
        assert agent.wait_for("catalog loaded")["superseded"] == 1
        ask(agent, "after")
        assert stale(agent, 2) == [1.0, None]
        assert workers(agent) == before, "the same processes, with another catalog"
        status, report = agent.get("/v1/catalog")
        added = report["changes"][0]["added"]["first"]
        assert (status, report["entries"], added[0]["reference"]) == (200, 2, "TRV-1@3")
        metrics = agent.get("/metrics")[1]
        assert 'groundwire_catalog_changes_total{kind="superseded"} 1.0' in metrics


@pytest.mark.slow
def test_status_warns_of_a_catalog_that_is_refused_until_it_is_mended(tmp_path):
    catalog = tmp_path / "policies.jsonl"
    catalog.write_text(entry := '{"id": "TRV-1", "version": "2"}\n')
    with Agent(tmp_path, catalog={"path": str(catalog), "poll": "100ms"}) as agent:
        url = f"http://{agent.http}"
        catalog.write_text(entry + entry)
        agent.wait_for("catalog refused; the previous one stays in force")
        shown = command("status", "--url", url)
        [warned] = one_object(command("status", "--url", url, "--json"))["warnings"]
        catalog.write_text(entry + entry.replace("2", "3"))
        agent.wait_for("catalog loaded")
        quiet = one_object(command("status", "--url", url, "--json"))["warnings"]
    assert shown.stdout.splitlines()[1].startswith("warning  the catalog was refused, an older one stays in force: ")
    assert "policies.jsonl" in warned
    assert "TRV-1@2" in warned
    assert quiet == []


@pytest.mark.slow
def test_answers_are_scored_while_a_large_catalog_is_made(tmp_path):
    catalog = tmp_path / "policies.jsonl"
    catalog.write_text('{"id": "TRV-1", "version": "2"}\n')
    lines = [json.dumps({"id": f"POL-{n}", "text": f"Policy {n} says nothing of note. " * 4}) for n in range(40_000)]
    with Agent(tmp_path, catalog={"path": str(catalog), "poll": "100ms"}) as agent:
        loaded = threading.Event()
        waiting = threading.Thread(target=lambda: (agent.wait_for("catalog loaded", 120), loaded.set()), daemon=True)
        waiting.start()
        catalog.write_text("\n".join(['{"id": "TRV-1", "version": "2"}', *lines]))
        meanwhile = 0
        while not loaded.is_set():
            ask(agent, f"t{meanwhile}")
            meanwhile += 1
            stale(agent, meanwhile)
        assert meanwhile > 0
        waiting.join()
        assert agent.get("/v1/catalog")[1]["entries"] == 40_001


@pytest.mark.slow
def test_a_catalog_is_learned_from_passages_and_fetched_and_outlives_the_agent(tmp_path):
    body = b'{"id": "HR-1", "version": "1"}\n'
    with serving(lambda request: request.give(200, body, Content_Type="application/x-ndjson")) as url:
        options = {"http": {"url": f"{url}/c"}, "learn": {"poll": "100ms"}}
        with Agent(tmp_path, catalog=options) as agent:
            assert agent.get("/v1/catalog")[1]["entries"] == 1
            ask(agent, "one")
            assert agent.wait_for("catalog loaded")["added"] == 1
            newer = {"version": "3", "supersedes": "TRV-1@2"}
            ask(agent, "two", **newer)
            assert agent.wait_for("catalog loaded")["superseded"] == 1
            ask(agent, "three")
            assert stale(agent, 3)[0] == 1.0
            assert agent.terminate() == 0
    with Agent(tmp_path, catalog=options) as agent:
        report = agent.get("/v1/catalog")[1]
        assert (report["entries"], report["learned"], report["http"]["state"]) == (3, 2, "failing")
        ask(agent, "four")
        assert stale(agent, 4)[0] == 1.0


@pytest.mark.slow
def test_without_a_catalog_there_is_nothing_to_tell(tmp_path):
    with Agent(tmp_path) as agent:
        assert agent.get("/v1/catalog") == (404, {"error": "no catalog is configured"})


@pytest.mark.slow
def test_an_agent_lists_a_source_and_an_index_and_tells_what_lags_and_is_retrieved(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in "ab":
        (docs / f"{name}.md").write_text(f"{TEXT} It is paid for stays that {name} has approved in writing.")
    rows = [
        {"id": file.name, "text": file.read_text(), "metadata": {"source": str(file)}}
        for file in sorted(docs.iterdir())
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    catalog = {
        "poll": "100ms",
        "sources": [{"type": "directory", "name": "handbook", "path": str(docs), "poll": "1s"}],
        "indexes": [{"type": "rows", "name": "index", "path": str(tmp_path / "rows.jsonl"), "poll": "1s"}],
    }
    with Agent(tmp_path, catalog=catalog) as agent:

        def lag():
            found = agent.get("/v1/catalog/lag")[1]["indexes"]
            return found and {kind: found[0][kind] for kind in ("same", "outdated", "removed", "missing")}

        assert agent.until(lag) == {"same": 2, "outdated": 0, "removed": 0, "missing": 0}
        agent.until(lambda: agent.get("/v1/catalog")[1]["entries"] == 2)
        ask(agent, "one", doc_id=str(docs / "a.md"), source=str(docs / "a.md"), version=None)
        stale(agent, 1)
        (docs / "a.md").write_text(f"The limit is 200 EUR now. {'x ' * 20}")
        (docs / "b.md").unlink()
        agent.until(lambda: lag() == {"same": 0, "outdated": 1, "removed": 1, "missing": 0})
        (index,) = agent.get("/v1/catalog/lag")[1]["indexes"]
        assert [(row["document"]["kind"], row["passages"]) for row in index["worst"]] == [
            ("outdated", 1),
            ("removed", 0),
        ]
        assert 'groundwire_index_lag_documents{kind="outdated",listing="index"} 1.0' in agent.get("/metrics")[1]
        covered = agent.get("/v1/catalog/coverage")[1]
        assert (covered["passages"], covered["share"]) == (1, 1.0)
        status, page = agent.get("/catalog")
        assert status == 200
        assert str(docs / "a.md") in page
        assert agent.terminate() == 0
