"""A real agent writes back: what its API says of an answer is what each target got, once, whatever is killed."""

import json
import threading
import time
from collections import Counter
from contextlib import suppress

import pytest
from langfuse.api.scores.types.create_score_request import CreateScoreRequest

from tests.agent import Agent
from tests.collector.sources.server import serving
from tests.collector.writeback.receiver import grpc_receiver, http_receiver
from tests.traffic import policy_trace, span_id_of, trace_id_of

GATE = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.1, "by": ["domain"]}


class Langfuse:
    """Keeps scores as Langfuse does: by id and time. ``hold`` answers nothing until it is set."""

    def __init__(self):
        self.scores = {}
        self.times = Counter()
        self.asked = threading.Event()
        self.hold = threading.Event()
        self.hold.set()

    def __call__(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        for one in body:
            CreateScoreRequest.model_validate(one)
            self.scores[one["id"], one["timestamp"]] = one
            self.times[one["id"]] += 1
        self.asked.set()
        self.hold.wait(60)
        with suppress(OSError):  # the agent may be gone
            handler.give(202, b'{"message": "Accepted"}')


def answers(agent):
    return agent.get("/v1/answers?limit=1000")[1]["answers"]


def expected(rows):
    """What a target must have, from the API: the value of each metric of each answer's span."""
    return {
        (row["answer"]["trace_id"], row["answer"]["span_id"], score["metric"]): score["value"]
        for row in rows
        for score in row["evaluation"]["scores"]
    }


def values(scores):
    return {(one["traceId"], one["observationId"], one["name"]): one["value"] for one in scores}


def report(agent, name):
    [found] = [one for one in agent.get("/v1/write-back")[1]["write_back"] if one["name"] == name]
    return found


def scored(agent, count):
    def all_scored():
        rows = answers(agent)
        return rows if len(rows) == count and all(row["evaluation"] for row in rows) else None

    return agent.until(all_scored)


def plain(record):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in record.attributes}


def test_every_target_gets_what_the_api_says_of_every_answer(tmp_path):
    langfuse = Langfuse()
    with serving(langfuse) as url, http_receiver() as (http, http_url), grpc_receiver() as (grpc, grpc_url):
        targets = [
            {"type": "langfuse", "url": url, "public_key": "pk", "secret_key": "sk", "poll": "100ms"},
            {"type": "otlp", "url": http_url, "poll": "100ms"},
            {"type": "otlp", "name": "grpc", "protocol": "grpc", "url": grpc_url, "poll": "100ms", "verdicts": False},
        ]
        with Agent(tmp_path, write_back=targets, gates=[GATE]) as agent:
            for n in range(5):
                assert agent.post(policy_trace(n, at=time.time_ns()).SerializeToString()) == 200
            rows = scored(agent, 5)
            wanted = expected(rows)
            assert (trace_id_of("policy-travel-0").hex(), span_id_of("policy-travel-0/root").hex()) in {
                key[:2] for key in wanted
            }
            total = len(wanted)
            agent.until(lambda: report(agent, "langfuse")["written"] == total + 5)
            agent.until(lambda: report(agent, "otlp")["written"] == total + 5)
            agent.until(lambda: report(agent, "grpc")["written"] == total)
            assert values(one for one in langfuse.scores.values() if one["dataType"] == "NUMERIC") == wanted
            for received in (http, grpc):
                events = [(record, plain(record)) for record in received.records]
                assert {
                    (record.trace_id.hex(), record.span_id.hex(), told["gen_ai.evaluation.name"]): told[
                        "gen_ai.evaluation.score.value"
                    ]
                    for record, told in events
                    if not told["gen_ai.evaluation.name"].startswith("gate:")
                } == wanted
            verdicts = [one for one in langfuse.scores.values() if one["name"] == "gate:fresh"]
            assert len(verdicts) == 5
            assert {one["value"] for one in verdicts} == {"inconclusive"}
            status, metrics = agent.get("/metrics")
            assert status == 200
            written = f'groundwire_write_back_items_total{{outcome="written",target="langfuse"}} {total + 5}.0'
            assert written in metrics
            assert 'groundwire_write_back_up{target="grpc"} 1.0' in metrics
            # A collector that hands all logs to every backend brings our own events back: they change no answer.
            for request in http.requests:
                assert agent.post(request.SerializeToString(), path="/v1/logs") == 200
            assert agent.post(policy_trace(9, at=time.time_ns()).SerializeToString()) == 200
            assert {row["answer"].get("revision", 0) for row in scored(agent, 6)} == {0}
            assert agent.terminate() == 0
            assert not [line for line in agent.log if "HTTP Request" in line]


@pytest.mark.slow
def test_an_agent_killed_in_the_middle_of_a_write_writes_it_again_and_every_score_once(tmp_path):
    langfuse = Langfuse()
    with serving(langfuse) as url:
        target = {"type": "langfuse", "url": url, "public_key": "pk", "secret_key": "sk", "poll": "100ms"}
        agent = Agent(tmp_path, write_back=[target])
        with agent:
            langfuse.hold.clear()
            assert agent.post(policy_trace(1, at=time.time_ns()).SerializeToString()) == 200
            assert langfuse.asked.wait(60)
            agent.kill()
        first = dict(langfuse.scores)
        assert first
        langfuse.hold.set()
        with agent:
            assert agent.post(policy_trace(2, at=time.time_ns()).SerializeToString()) == 200
            rows = scored(agent, 2)
            agent.until(lambda: report(agent, "langfuse")["written"] == len(expected(rows)))
            found = values(langfuse.scores.values())
            assert found == expected(rows)
            assert len(langfuse.scores) == len(found)
            assert {key: langfuse.scores[key] for key in first} == first
            assert {langfuse.times[score_id] for score_id, _ in first} == {2}
            assert agent.terminate() == 0


@pytest.mark.slow
def test_a_target_that_hangs_holds_up_neither_the_agent_nor_its_stop(tmp_path):
    langfuse = Langfuse()
    langfuse.hold.clear()
    with serving(langfuse) as url:
        target = {"type": "langfuse", "url": url, "public_key": "pk", "secret_key": "sk", "timeout": "5m"}
        with Agent(tmp_path, write_back=[target | {"poll": "100ms"}], drain="2s") as agent:
            for n in range(3):
                assert agent.post(policy_trace(n, at=time.time_ns()).SerializeToString()) == 200
            assert langfuse.asked.wait(60)
            scored(agent, 3)
            assert report(agent, "langfuse")["state"] == "waiting"
            assert agent.terminate() == 0
        langfuse.hold.set()
