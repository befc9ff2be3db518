"""A real agent that gets a model call's content in logs, and its passages by id alone."""

import itertools
import json

import grpc
import pytest
from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from tests.agent import Agent

QUESTION, ANSWER = "What is the hotel limit?", "The hotel limit is 180 EUR per night."
EVENT = "gen_ai.client.inference.operation.details"
NOON = 1_780_000_000_000_000_000
numbers = itertools.count(1)


def request():
    """One request of an application: its spans, and what it logs."""
    number = next(numbers)
    traces, logs = TracesData(), LogsData()
    spans = traces.resource_spans.add().scope_spans.add()
    records = logs.resource_logs.add().scope_logs.add()
    spans.scope.name = records.scope.name = "opentelemetry.instrumentation.genai.openai"
    ids = {"trace_id": number.to_bytes(16, "big"), "start_time_unix_nano": NOON, "end_time_unix_nano": NOON + 10**9}
    for index, operation in enumerate(("invoke_workflow", "retrieval", "chat"), 1):
        parent = (number * 10 + 1).to_bytes(8, "big") if index > 1 else b""
        span = spans.spans.add(span_id=(number * 10 + index).to_bytes(8, "big"), parent_span_id=parent, **ids)
        span.name = operation
        span.attributes.add(key="gen_ai.operation.name").value.string_value = operation
    documents = json.dumps([{"id": "TRV-1@3", "score": 0.8}])
    spans.spans[1].attributes.add(key="gen_ai.retrieval.documents").value.string_value = documents
    record = records.log_records.add(trace_id=ids["trace_id"], span_id=spans.spans[2].span_id, event_name=EVENT)
    for key, role, text in (("input", "user", QUESTION), ("output", "assistant", ANSWER)):
        message = [{"role": role, "parts": [{"type": "text", "content": text}]}]
        record.attributes.add(key=f"gen_ai.{key}.messages").value.string_value = json.dumps(message)
    records.log_records.add().body.string_value = "GET /ask 200"
    return ids["trace_id"].hex(), traces.SerializeToString(), logs.SerializeToString()


@pytest.fixture
def catalog(tmp_path):
    path = tmp_path / "policies.yaml"

    def write(limit):
        text = f"The hotel limit is {limit} EUR."
        path.write_text(f'documents: [{{id: TRV-1, version: "3", text: {text}}}]')
        return text

    write.path = path
    return write


def answered(agent, trace_id):
    def look():
        answers = [row["answer"] for row in agent.get("/v1/answers")[1]["answers"]]
        return [answer for answer in answers if answer["trace_id"] == trace_id and answer.get("answer")]

    return agent.until(look)[0]


def test_logs_make_the_answer_and_the_catalog_its_passages(tmp_path, catalog):
    first = catalog(150)
    with Agent(tmp_path, catalog={"path": str(catalog.path), "poll": "100ms"}) as agent:
        trace_id, traces, logs = request()
        assert agent.post(logs, path="/v1/logs") == 200
        assert agent.post(traces) == 200
        found = answered(agent, trace_id)
        assert (found["question"], found["answer"], found["llm_calls"]) == (QUESTION, ANSWER, 1)
        assert [(p["id"], p["text"], p["doc_id"]) for p in found["passages"]] == [("TRV-1@3", first, "TRV-1")]

        second = catalog(180)
        agent.wait_for("catalog loaded")
        trace_id, traces, logs = request()
        with grpc.insecure_channel(agent.otlp_grpc) as channel:
            for name, body in (("trace.v1.TraceService", traces), ("logs.v1.LogsService", logs)):
                channel.unary_unary(f"/opentelemetry.proto.collector.{name}/Export")(body, timeout=30)
        assert [p["text"] for p in answered(agent, trace_id)["passages"]] == [second]

        series = dict(line.rsplit(" ", 1) for line in agent.get("/metrics")[1].splitlines() if "log_records" in line)
        for protocol in ("http/protobuf", "grpc"):
            assert series[f'groundwire_receive_log_records_total{{protocol="{protocol}"}}'] == "1.0"
            dropped = f'groundwire_receive_dropped_log_records_total{{protocol="{protocol}",reason="not_content"}}'
            assert series[dropped] == "1.0"
