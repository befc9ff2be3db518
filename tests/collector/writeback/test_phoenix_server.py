"""Write-back to a real Phoenix server, read back with Phoenix's own client."""

import time

import pytest
from phoenix.client import Client

from tests.agent import Agent
from tests.phoenix.server import ADMIN_SECRET, phoenix_server
from tests.traffic import merged, policy_trace, span_id_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

GATE = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.1, "by": ["domain"]}


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory):
    with phoenix_server(tmp_path_factory.mktemp("phoenix")) as server:
        yield server


def annotations(client, rows):
    """What Phoenix shows of these answers, by span and name; every annotation of these spans must be there once."""
    found = client.spans.get_span_annotations(
        span_ids=[row["answer"]["span_id"] for row in rows], project_identifier="default", timeout=30
    )
    keyed = {(one["span_id"], one["name"]): one for one in found}
    assert len(keyed) == len(found)
    return keyed


def values(rows):
    return {
        (row["answer"]["span_id"], score["metric"]): score["value"]
        for row in rows
        for score in row["evaluation"]["scores"]
    }


def scored(agent, count):
    def all_scored():
        rows = agent.get("/v1/answers?limit=1000")[1]["answers"]
        return rows if len(rows) == count and all(row["evaluation"] for row in rows) else None

    return agent.until(all_scored)


def report(agent, name="phoenix"):
    [found] = [one for one in agent.get("/v1/write-back")[1]["write_back"] if one["name"] == name]
    return found


def traces(name, count):
    return [policy_trace(f"{name}-{n}", stale=n == 0, at=time.time_ns()) for n in range(count)]


def test_scores_and_verdicts_are_seen_in_phoenix_and_a_second_run_replaces_them(phoenix, tmp_path):
    client = Client(base_url=phoenix.url)
    target = {"type": "phoenix", "url": phoenix.url, "poll": "100ms"}
    data = merged(traces("seen", 4)).SerializeToString()
    phoenix.send(data)
    with Agent(tmp_path, write_back=[target], gates=[GATE]) as agent:
        assert agent.post(data) == 200
        rows = scored(agent, 4)
        wanted = values(rows)
        agent.until(lambda: report(agent)["written"] == len(wanted) + 4, seconds=90)
        assert agent.terminate() == 0
    found = annotations(client, rows)
    assert {key: one["result"]["score"] for key, one in found.items() if not key[1].startswith("gate:")} == wanted
    verdicts = [one for (_, name), one in found.items() if name == "gate:fresh"]
    assert {one["result"]["label"] for one in verdicts} == {"inconclusive"}
    assert len(verdicts) == 4
    assert {(one["annotator_kind"], one["identifier"], one["source"]) for one in found.values()} == {
        ("CODE", "groundwire", "API")
    }
    stale = found[span_id_of("policy-travel-seen-0/root").hex(), "stale_source_use"]
    assert stale["result"]["score"] == 1.0
    assert "TRV-1@2" in stale["result"]["explanation"]
    assert stale["metadata"]["answer_id"] in {row["answer"]["id"] for row in rows}
    # The same store, under another name and from the beginning: everything is written once more.
    with Agent(tmp_path, write_back=[target | {"name": "again", "backfill": True}], gates=[GATE]) as agent:
        agent.until(lambda: report(agent, "again")["written"] == len(wanted) + 4)
        assert agent.terminate() == 0
    again = annotations(client, rows)
    assert again.keys() == found.keys()
    assert {key: one["id"] for key, one in again.items()} == {key: one["id"] for key, one in found.items()}


def test_a_span_that_phoenix_gets_later_is_annotated_then_and_holds_up_no_other(phoenix, tmp_path):
    client = Client(base_url=phoenix.url)
    early, late = traces("early", 1)[0].SerializeToString(), traces("late", 2)
    phoenix.send(early)
    with Agent(tmp_path, write_back=[{"type": "phoenix", "url": phoenix.url, "poll": "100ms"}]) as agent:
        for data in (late[0].SerializeToString(), early, late[1].SerializeToString()):
            assert agent.post(data) == 200
        rows = scored(agent, 3)
        wanted = values(rows)
        agent.until(lambda: report(agent)["position"].get("waiting_for_spans") == 2)
        known = span_id_of("policy-travel-early-0/root").hex()
        agent.until(lambda: report(agent)["written"] == sum(span == known for span, _ in wanted))
        agent.kill()
        phoenix.send(merged(late).SerializeToString())
        agent.start()
        agent.until(lambda: len(annotations(client, rows)) == len(wanted))
        assert report(agent)["unknown"] == 0
        assert agent.terminate() == 0
    assert {key: one["result"]["score"] for key, one in annotations(client, rows).items()} == wanted


def test_a_wrong_key_is_a_status_that_says_so_and_the_right_one_writes_what_waited(tmp_path_factory, tmp_path):
    key = tmp_path / "key"
    key.write_text("wrong")
    target = {"type": "phoenix", "poll": "100ms", "api_key_file": str(key)}
    data = traces("guarded", 1)[0].SerializeToString()
    with phoenix_server(tmp_path_factory.mktemp("guarded"), auth=True) as server:
        server.send(data, token=ADMIN_SECRET)
        agent = Agent(tmp_path, write_back=[target | {"url": server.url}])
        with agent:
            assert agent.post(data) == 200
            agent.until(lambda: report(agent)["state"] == "failing")
            assert "401" in report(agent)["last_error"]
            assert report(agent)["written"] == 0
            assert agent.terminate() == 0
            key.write_text(ADMIN_SECRET)
            agent.start()
            rows = scored(agent, 1)
            agent.until(lambda: report(agent)["written"] == len(values(rows)))
            assert agent.terminate() == 0
        client = Client(base_url=server.url, api_key=ADMIN_SECRET)
        assert {key: one["result"]["score"] for key, one in annotations(client, rows).items()} == values(rows)


def test_an_answer_that_was_pulled_from_phoenix_is_annotated_there(phoenix, tmp_path):
    client = Client(base_url=phoenix.url)
    server = {"url": phoenix.url, "poll": "100ms"}
    source = {"type": "phoenix", "projects": ["default"], **server}
    target = {"type": "phoenix", **server, "metrics": ["stale_source_use"]}
    pulled = {span_id_of(f"policy-travel-pulled-{n}/root").hex() for n in range(2)}
    with Agent(tmp_path, sources=[source], write_back=[target]) as agent:
        phoenix.send(merged(traces("pulled", 2)).SerializeToString())

        def annotated():
            rows = agent.get("/v1/answers?limit=1000")[1]["answers"]
            mine = [row for row in rows if row["answer"]["span_id"] in pulled and row["evaluation"]]
            return len(mine) == 2 and len(annotations(client, mine)) == 2

        agent.until(annotated)
        assert agent.terminate() == 0
