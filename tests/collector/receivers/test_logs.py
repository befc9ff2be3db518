"""Log records as a sender sees them taken, and as they stand in the store."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from google.rpc.status_pb2 import Status
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry._logs import LogRecord as Record
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GrpcExporter
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter as HttpExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider

from adapters.ids import trace_of_response
from adapters.wire.otlp import decode_logs, decode_traces
from collector.errors import Transient
from collector.receivers.signals import LOGS, TRACES
from collector.receivers.split import Split
from collector.security.decompress import MalformedBody, TooLarge
from tests.collector.receivers.conftest import Agent
from tests.collector.receivers.requests import DETAILS, make_logs, make_request, split_request

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "data" / "traces"
PROTOBUF = {"content-type": "application/x-protobuf"}
JSON = {"content-type": "application/json"}


def cut(body: bytes, **changes: Any) -> Split:
    return split_request(body, LOGS, **changes)


def only(request: ExportLogsServiceRequest) -> LogRecord:
    return request.resource_logs[0].scope_logs[0].log_records[0]


def post(agent: Agent, content: bytes, headers: dict[str, str] = PROTOBUF) -> httpx.Response:
    with httpx.Client(timeout=60) as client:
        return client.post(f"{agent.base}/v1/logs", content=content, headers=headers)


def test_a_record_about_a_model_call_becomes_an_event_of_its_span() -> None:
    request = make_logs(text="Wie hoch?", dropped_attributes_count=2)
    record = only(request)
    record.body.kvlist_value.values.add(key="finish_reason").value.string_value = "stop"
    found = cut(request.SerializeToString())
    [chunk] = found.chunks
    assert (chunk.trace_id, chunk.n_spans, chunk.has_root, chunk.arrived) == (record.trace_id, 1, False, 7)
    [block] = TracesData.FromString(chunk.data).resource_spans
    assert block.resource.attributes[0].value.string_value == "shop"
    assert block.schema_url == "https://example.org/resource"
    [group] = block.scope_spans
    assert (group.scope.name, group.schema_url) == ("tests", "https://example.org/scope")
    [span] = group.spans
    assert (span.span_id, span.name, span.start_time_unix_nano, span.end_time_unix_nano) == (record.span_id, "", 0, 0)
    [event] = span.events
    assert (event.name, event.time_unix_nano) == (DETAILS, record.time_unix_nano)
    assert event.dropped_attributes_count == 2
    assert list(event.attributes)[:-1] == list(record.attributes)
    assert (event.attributes[-1].key, event.attributes[-1].value) == ("body", record.body)


@pytest.mark.parametrize("name", ["gen_ai.user.message", "gen_ai.choice", "gen_ai.assistant.message"])
def test_the_older_events_are_known_by_their_attribute(name: str) -> None:
    request = make_logs(name="")
    only(request).attributes.add(key="event.name").value.string_value = name
    [chunk] = cut(request.SerializeToString()).chunks
    [span] = decode_traces(chunk.data).spans
    assert span.is_fragment
    assert span.events[0].name == name


def test_a_record_without_a_time_has_the_one_it_was_observed_at() -> None:
    request = make_logs(time_unix_nano=0)
    [chunk] = cut(request.SerializeToString()).chunks
    [span] = decode_traces(chunk.data).spans
    assert span.events[0].time_ns == only(request).observed_time_unix_nano


def test_records_of_one_trace_are_one_chunk_and_each_counts() -> None:
    request = make_logs(3)
    for record in request.resource_logs[0].scope_logs[0].log_records:
        record.trace_id = b"t" * 16
    other = request.resource_logs.add().scope_logs.add()
    other.scope.name = "other"
    other.log_records.add().CopyFrom(only(request))
    found = cut(request.SerializeToString())
    assert [chunk.n_spans for chunk in found.chunks] == [found.n_items] == [4]
    assert [span.scope_name for span in decode_traces(found.chunks[0].data).spans] == ["tests"] * 3 + ["other"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"event_name": ""}, "not_content"),
        ({"event_name": "device.app.lifecycle"}, "not_content"),
        ({"event_name": "gen_ai.evaluation.result.more"}, "not_content"),
        ({"event_name": f"{DETAILS}.more"}, "not_content"),
        ({"event_name": "", "severity_text": DETAILS}, "not_content"),
        ({"trace_id": b""}, "no_span"),
        ({"trace_id": bytes(16)}, "no_span"),
        ({"span_id": b""}, "no_span"),
        ({"span_id": bytes(8)}, "no_span"),
        ({"trace_id": b"short"}, "invalid_trace_id"),
        ({"span_id": b"x" * 16}, "invalid_span_id"),
        ({"severity_text": "x" * 100_000}, "too_large"),
    ],
)
def test_a_record_that_is_not_stored_is_counted_by_its_reason(changes: dict[str, Any], reason: str) -> None:
    request = make_logs(3)
    for name, value in changes.items():
        setattr(request.resource_logs[0].scope_logs[0].log_records[1], name, value)
    found = cut(request.SerializeToString())
    assert dict(found.dropped) == {reason: 1}
    assert found.n_items == 2


def test_logs_are_thinned_with_the_spans_of_their_trace() -> None:
    logs = make_logs(200)
    traces = make_request(n_traces=200, n_spans=1)
    records = logs.resource_logs[0].scope_logs[0].log_records
    for record, span in zip(records, traces.resource_spans[0].scope_spans[0].spans, strict=True):
        record.trace_id = span.trace_id
    kept = {chunk.trace_id for chunk in cut(logs.SerializeToString(), keep=0.5).chunks}
    of_traces = split_request(traces.SerializeToString(), TRACES, keep=0.5)
    assert kept == {chunk.trace_id for chunk in of_traces.chunks}
    assert 50 < len(kept) < 150


def test_more_records_than_allowed_are_too_large() -> None:
    with pytest.raises(TooLarge, match="log records"):
        cut(make_logs(3, name="").SerializeToString(), max_items=2)


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_request_is_refused_or_still_holds_readable_chunks(data: st.DataObject) -> None:
    body = bytearray(make_logs(3).SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = cut(bytes(body[: data.draw(st.integers(1, len(body)))]))
    except (MalformedBody, TooLarge):
        return
    for chunk in found.chunks:
        decoded = decode_traces(chunk.data)
        assert len(decoded.spans) + len(decoded.malformed) == chunk.n_spans
        assert all(span.is_fragment for span in decoded.spans)


values = st.recursive(
    st.builds(AnyValue, string_value=st.text(max_size=5))
    | st.builds(AnyValue, int_value=st.integers(-(2**63), 2**63 - 1))
    | st.builds(AnyValue, bool_value=st.booleans())
    | st.builds(AnyValue),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: AnyValue(array_value={"values": items})),
    max_leaves=5,
)


@given(values, values, st.sampled_from([DETAILS, "gen_ai.choice", "other", ""]), st.integers(0, 2**63))
def test_the_door_and_the_reader_of_files_make_the_same_of_a_record(
    body: AnyValue, attribute: AnyValue, name: str, at: int
) -> None:
    request = make_logs(name=name, time_unix_nano=at)
    only(request).body.CopyFrom(body)
    only(request).attributes.add(key="extra", value=attribute)
    data = request.SerializeToString()
    at_the_door = [span for chunk in cut(data).chunks for span in decode_traces(chunk.data).spans]
    assert at_the_door == list(decode_logs(data).spans)


# --- over HTTP -------------------------------------------------------------------------------------------------------


def test_what_was_acknowledged_is_in_the_store(agent: Agent) -> None:
    body = make_logs(4).SerializeToString() + make_logs(2, name="").SerializeToString()
    response = post(agent, gzip.compress(body), PROTOBUF | {"content-encoding": "gzip"})
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-type"] == "application/x-protobuf"
    assert [len(span.events) for span in agent.stored()] == [1] * 4
    assert agent.reports.requests == [("http/protobuf", "200", 4, {"not_content": 2}, len(body))]
    assert agent.reports.signals == ["logs"]
    assert agent.reports.commits == [(1, 4)]


def test_logs_of_no_use_cost_no_commit_and_are_not_told(agent: Agent) -> None:
    response = post(agent, make_logs(5, name="").SerializeToString())
    assert (response.status_code, response.content) == (200, b"")
    assert agent.reports.commits == []


def test_rejected_records_are_told(agent: Agent) -> None:
    request = make_logs(3)
    only(request).trace_id = b"no"
    response = post(agent, request.SerializeToString())
    partial = ExportLogsServiceResponse.FromString(response.content).partial_success
    assert (response.status_code, partial.rejected_log_records) == (200, 1)
    assert "1 log records rejected: trace id" in partial.error_message


JSON_RECORD = {
    "timeUnixNano": "1544712660300000000",
    "observedTimeUnixNano": 1544712660300000001,
    "severityNumber": 10,
    "traceId": "5B8EFFF798038103D269B633813FC60C",
    "spanId": "eee19b7ec3c1b174",
    "eventName": DETAILS,
    "body": {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}},
    "attributes": [{"key": "a", "value": {"arrayValue": {"values": [{"stringValue": "x"}, {}]}}}],
    "aFieldOfTheFuture": {"x": [1]},
}


def as_json(*records: dict[str, Any]) -> bytes:
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    logs = [{"scope": {"name": "s", "version": "1"}, "logRecords": records, "schemaUrl": "https://example.org/s"}]
    return json.dumps({"resourceLogs": [{"resource": resource, "scopeLogs": logs}]}).encode()


def test_json_is_answered_in_json(agent: Agent) -> None:
    plain = {"body": {"stringValue": "started"}, "severityText": "INFO"}
    named = JSON_RECORD | {"eventName": "", "attributes": [{"key": "event.name", "value": {"stringValue": DETAILS}}]}
    response = post(agent, as_json(JSON_RECORD, plain, named, JSON_RECORD | {"spanId": "abcd"}), JSON)
    assert response.headers["content-type"] == "application/json"
    assert response.json()["partialSuccess"]["rejectedLogRecords"] == "1"
    first, second = (span.events[0] for span in agent.stored())
    assert (first.name, first.time_unix_nano, second.name) == (DETAILS, 1544712660300000000, DETAILS)
    assert [pair.key for pair in first.attributes] == ["a", "body"]
    assert first.attributes[0].value.array_value.values[0].string_value == "x"
    assert first.attributes[1].value.kvlist_value.values[0].value.int_value == 1
    assert agent.reports.requests[0][:4] == ("http/json", "200", 2, {"invalid_span_id": 1, "not_content": 1})


@pytest.mark.parametrize(
    "text", [b"", b"[]", b'{"resourceLogs": {}}', b'{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": 5}]}]}]}']
)
def test_what_is_not_otlp_json_is_refused(agent: Agent, text: bytes) -> None:
    response = post(agent, text, JSON)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert "not OTLP/JSON" in response.json()["message"]


def test_absurd_nesting_in_a_record_of_no_use_harms_nobody() -> None:
    value: dict[str, Any] = {"intValue": "1"}
    for _ in range(40):
        value = {"arrayValue": {"values": [value]}}
    assert cut(as_json({"body": value}, JSON_RECORD), as_json=True, max_items=2).n_items == 1
    with pytest.raises(MalformedBody, match="nested"):
        cut(as_json(JSON_RECORD | {"body": value}), as_json=True)


@pytest.mark.parametrize(
    ("content", "headers", "code"),
    [
        (b"garbage", {}, 400),
        (b"x" * 99, {"content-encoding": "gzip"}, 400),
        (b"", {"content-type": "text/plain"}, 415),
        (b"", {"content-encoding": "br"}, 415),
        (gzip.compress(bytes(100 * 1024 * 1024)), {"content-encoding": "gzip"}, 413),
    ],
)
def test_what_cannot_be_read_is_refused(agent: Agent, content: bytes, headers: dict[str, str], code: int) -> None:
    response = post(agent, content, PROTOBUF | headers)
    assert response.status_code == code
    assert Status.FromString(response.content).message
    assert agent.writer.queued_bytes == 0


def test_a_token_guards_logs_too(start: Callable[..., Agent]) -> None:
    agent = start(token="s3cret")
    body = make_logs().SerializeToString()
    assert post(agent, body).status_code == 401
    assert post(agent, body, PROTOBUF | {"authorization": "Bearer s3cret"}).status_code == 200


def test_a_store_that_cannot_be_written_is_never_acknowledged(agent: Agent) -> None:
    agent.gate.error = Transient("the store cannot be written: disk full")
    response = post(agent, make_logs().SerializeToString())
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.binary(max_size=500), kind=st.sampled_from(["application/x-protobuf", "application/json"]))
def test_random_requests_get_an_answer_of_the_protocol(agent: Agent, content: bytes, kind: str) -> None:
    assert post(agent, content, {"content-type": kind}).status_code in {200, 400}


# --- over gRPC -------------------------------------------------------------------------------------------------------


def call(agent: Agent, body: bytes, **options: Any) -> ExportLogsServiceResponse:
    with grpc.insecure_channel(agent.target) as channel:
        return ExportLogsServiceResponse.FromString(channel.unary_unary(LOGS.method)(body, timeout=60, **options))


def test_grpc_takes_logs(agent: Agent) -> None:
    request = make_logs(3)
    only(request).span_id = b"no"
    partial = call(agent, request.SerializeToString(), compression=grpc.Compression.Gzip).partial_success
    assert partial.rejected_log_records == 1
    assert len(agent.stored()) == 2
    assert agent.reports.requests[0][:4] == ("grpc", "OK", 2, {"invalid_span_id": 1})
    assert agent.reports.signals == ["logs"]


def test_grpc_asks_for_the_token_and_refuses_garbage(start: Callable[..., Agent]) -> None:
    agent = start(token="s3cret")
    for metadata, code in (
        ((), grpc.StatusCode.UNAUTHENTICATED),
        ((("authorization", "Bearer s3cret"),), grpc.StatusCode.INVALID_ARGUMENT),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            call(agent, b"garbage", metadata=metadata)
        assert caught.value.code() == code


# --- exporters as they come ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda agent: HttpExporter(f"{agent.base}/v1/logs"),
        lambda agent: HttpExporter(f"{agent.base}/v1/logs", compression=Compression.Gzip),
        lambda agent: HttpExporter(f"{agent.base}/v1/logs", compression=Compression.Deflate),
        lambda agent: GrpcExporter(agent.target, insecure=True),
        lambda agent: GrpcExporter(agent.target, insecure=True, compression=grpc.Compression.Gzip),
    ],
    ids=["http", "http-gzip", "http-deflate", "grpc", "grpc-gzip"],
)
def test_the_sdk_delivers_the_events_of_its_calls_among_other_logs(agent: Agent, make: Callable[..., Any]) -> None:
    provider = LoggerProvider(resource=Resource({"service.name": "shop"}))
    provider.add_log_record_processor(BatchLogRecordProcessor(make(agent), max_export_batch_size=4))
    logger = provider.get_logger("tests")
    tracer = TracerProvider().get_tracer("tests")
    sent = set()
    for number in range(5):
        with tracer.start_as_current_span("chat") as span:
            sent.add(span.get_span_context().span_id.to_bytes(8, "big"))
            messages = [{"role": "user", "parts": [{"type": "text", "content": f"Frage {number}"}]}]
            logger.emit(Record(event_name=DETAILS, attributes={"gen_ai.input.messages": messages}))
            logger.emit(Record(body=f"request {number}", severity_text="INFO"))
        logger.emit(Record(event_name=DETAILS, attributes={"gen_ai.input.messages": messages}))
    provider.shutdown()
    stored = agent.stored()
    assert {span.span_id for span in stored} == sent
    assert len(stored) == 5
    texts = {span.events[0].attributes[0].value.array_value.values[0].kvlist_value.values[0].key for span in stored}
    assert texts == {"role"}
    dropped = [counts for _, _, _, counts, _ in agent.reports.requests]
    assert {name: sum(counts.get(name, 0) for counts in dropped) for name in ("not_content", "no_span")} == {
        "not_content": 5,
        "no_span": 5,
    }


def test_a_result_that_the_sdk_emits_outside_any_span_is_taken_if_it_names_a_response(agent: Agent) -> None:
    provider = LoggerProvider(resource=Resource({"service.name": "judge"}))
    provider.add_log_record_processor(BatchLogRecordProcessor(HttpExporter(f"{agent.base}/v1/logs")))
    logger = provider.get_logger("my-judge")
    said = {"gen_ai.evaluation.name": "tone", "gen_ai.evaluation.score.value": 4.0}
    for more in ({"gen_ai.response.id": "chatcmpl-1"}, {}):
        logger.emit(Record(event_name="gen_ai.evaluation.result", attributes=said | more))
    provider.shutdown()
    [span] = agent.stored()
    assert span.trace_id == trace_of_response("chatcmpl-1")
    assert {pair.key for pair in span.events[0].attributes} == {*said, "gen_ai.response.id"}
    assert [counts["no_span"] for _, _, _, counts, _ in agent.reports.requests] == [1]


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded logs are not here")
def test_recorded_json_is_the_recorded_protobuf() -> None:
    pairs = [(path, path.with_suffix(".otlp.pb")) for path in sorted(RECORDED.glob("*.logs.json"))]
    assert pairs
    for text, binary in pairs:
        expected, found = cut(binary.read_bytes()), cut(text.read_bytes(), as_json=True)
        assert expected.n_items > 0
        assert [decode_traces(chunk.data) for chunk in found.chunks] == [
            decode_traces(chunk.data) for chunk in expected.chunks
        ]
