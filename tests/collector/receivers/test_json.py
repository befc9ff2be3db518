"""OTLP/JSON stands for the same request as its protobuf."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status, TracesData

from collector.receivers.signals import TRACES
from collector.receivers.split import Split
from collector.security.decompress import MalformedBody
from tests.collector.receivers.requests import split_request

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "data" / "traces"

SPAN = {
    "traceId": "5B8EFFF798038103D269B633813FC60C",
    "spanId": "eee19b7ec3c1b174",
    "parentSpanId": "eee19b7ec3c1b173",
    "traceState": "a=b",
    "flags": 257,
    "name": "answer",
    "kind": 2,
    "startTimeUnixNano": "1544712660000000000",
    "endTimeUnixNano": 1544712661000000000,
    "attributes": [
        {"key": "text", "value": {"stringValue": ""}},
        {"key": "big", "value": {"intValue": "-9223372036854775808"}},
        {"key": "small", "value": {"intValue": 3}},
        {"key": "yes", "value": {"boolValue": False}},
        {"key": "half", "value": {"doubleValue": 0.5}},
        {"key": "endless", "value": {"doubleValue": "Infinity"}},
        {"key": "bytes", "value": {"bytesValue": "aGk="}},
        {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "x"}, {}]}}},
        {"key": "map", "value": {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}}},
        {"key": "nothing", "value": None},
    ],
    "droppedAttributesCount": 4,
    "events": [{"timeUnixNano": "5", "name": "e", "attributes": [], "droppedAttributesCount": 1}],
    "links": [{"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174", "flags": 1}],
    "status": {"code": 2, "message": "no"},
    "aFieldOfTheFuture": {"x": [1]},
}


def body(span: dict[str, Any]) -> bytes:
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    scope = {"name": "s", "version": "1", "attributes": None}
    spans = [{"scope": scope, "spans": [span], "schemaUrl": "https://example.org/s"}]
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": spans}]}).encode()


def cut(text: bytes) -> Split:
    return split_request(text, TRACES, as_json=True)


def test_every_field_of_a_span_is_carried_over() -> None:
    [chunk] = cut(body(SPAN)).chunks
    [resource] = TracesData.FromString(chunk.data).resource_spans
    [scope] = resource.scope_spans
    [span] = scope.spans
    assert resource.resource.attributes[0].value.string_value == "shop"
    assert (scope.scope.name, scope.scope.version, scope.schema_url) == ("s", "1", "https://example.org/s")
    assert span.trace_id.hex() == SPAN["traceId"].lower()
    assert (span.span_id.hex(), span.parent_span_id.hex()) == (SPAN["spanId"], SPAN["parentSpanId"])
    assert (span.trace_state, span.flags, span.name, span.kind) == ("a=b", 257, "answer", 2)
    assert (span.start_time_unix_nano, span.end_time_unix_nano) == (1544712660000000000, 1544712661000000000)
    values = {pair.key: pair.value for pair in span.attributes}
    assert values["text"].WhichOneof("value") == "string_value"
    assert values["big"].int_value == -(2**63)
    assert values["small"].int_value == 3
    assert values["yes"].WhichOneof("value") == "bool_value"
    assert values["half"].double_value == 0.5
    assert values["endless"].double_value == float("inf")
    assert values["bytes"].bytes_value == b"hi"
    assert [item.WhichOneof("value") for item in values["list"].array_value.values] == ["string_value", None]
    assert values["map"].kvlist_value.values[0].value.int_value == 1
    assert values["nothing"].WhichOneof("value") is None
    assert (span.dropped_attributes_count, span.events[0].time_unix_nano, span.links[0].flags) == (4, 5, 1)
    assert (span.status.code, span.status.message) == (2, "no")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"nonsense",
        b'{"resourceSpans": {}}',
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"name": 5}]}]}]}',
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"kind": "SPAN_KIND_ODD"}]}]}]}',
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"startTimeUnixNano": "soon"}]}]}]}',
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"startTimeUnixNano": -1}]}]}]}',
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"endTimeUnixNano": "99999999999999999999999"}]}]}]}',
        b'{"resourceSpans": [{"schemaUrl": "\\ud800"}]}',
        b'{"resourceSpans": [{"schemaUrl": "\xff"}]}',
        b'{"resourceSpans":' * 100_000,
        b"[" * 1_000_000,
    ],
)
def test_what_is_not_otlp_json_is_garbage(text: bytes) -> None:
    with pytest.raises(MalformedBody, match="not OTLP/JSON"):
        cut(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            b'{"resource_spans": [{"scope_spans": [{"spans": [{"name": "a"}]}]}]}',
            "resource_spans is written resourceSpans",
        ),
        (b'{"resourceSpans": [{"scope_spans": [{"spans": [{"name": "a"}]}]}]}', "scope_spans is written scopeSpans"),
    ],
)
def test_spans_in_the_notation_of_protobuf_are_not_dropped_in_silence(text: bytes, name: str) -> None:
    with pytest.raises(MalformedBody, match=name):
        cut(text)


@pytest.mark.parametrize("depth", [33, 500, 100_000])
def test_absurd_nesting_is_garbage(depth: int) -> None:
    value = b'{"arrayValue":{"values":[' * depth + b'{"intValue":"1"}' + b"]}}" * depth
    text = b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"k","value":' + value + b"}]}]}]}]}"
    with pytest.raises(MalformedBody):
        cut(text)


def test_nesting_within_the_bound_is_read() -> None:
    value: dict[str, Any] = {"intValue": "1"}
    for _ in range(32):
        value = {"arrayValue": {"values": [value]}}
    [chunk] = cut(body(SPAN | {"attributes": [{"key": "deep", "value": value}]})).chunks
    assert b"deep" in chunk.data


@pytest.mark.parametrize(
    ("ids", "reason"),
    [
        ({"traceId": "not hex"}, "invalid_trace_id"),
        ({"spanId": "é"}, "invalid_span_id"),
        ({"parentSpanId": "a parent"}, "invalid_span_id"),
        ({"parentSpanId": "abcd"}, "invalid_span_id"),
        ({"traceId": None}, "invalid_trace_id"),
    ],
)
def test_a_span_with_an_id_that_is_none_is_rejected_alone(ids: dict[str, Any], reason: str) -> None:
    request = json.loads(body(SPAN))
    request["resourceSpans"][0]["scopeSpans"][0]["spans"].append(SPAN | ids)
    found = cut(json.dumps(request).encode())
    assert (found.n_items, dict(found.dropped)) == (1, {reason: 1})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": 5}, ".name: expected string, got integer"),
        ({"startTimeUnixNano": "soon"}, ".startTimeUnixNano: expected an unsigned 64-bit integer, got 'soon'"),
        ({"events": [{}, {"timeUnixNano": -1}]}, ".events[1].timeUnixNano: expected an unsigned 64-bit integer"),
        ({"attributes": [{"key": "n", "value": {"intValue": "one"}}]}, ": attribute 'n': expected a 64-bit integer"),
    ],
)
def test_a_sender_is_told_which_field_is_wrong(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(MalformedBody) as caught:
        cut(body(SPAN | change))
    assert f"resourceSpans[0].scopeSpans[0].spans[0]{reason}" in str(caught.value)


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded traces are not here")
def test_recorded_json_is_the_recorded_protobuf() -> None:
    pairs = [
        (path, path.with_suffix(".otlp.pb")) for path in sorted(RECORDED.glob("*.json")) if ".logs" not in path.name
    ]
    pairs = [(text, binary) for text, binary in pairs if binary.exists()]
    assert pairs
    for text, binary in pairs:
        expected = split_request(binary.read_bytes(), TRACES)
        assert sorted(_spans(cut(text.read_bytes()))) == sorted(_spans(expected)), text.name


def _spans(found: Split) -> list[str]:
    return [
        f"{resource.resource} {scope.scope} {span}"
        for chunk in found.chunks
        for resource in TracesData.FromString(chunk.data).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=9) | st.sampled_from(
    ['{"a": [{}]}', "\\", '"', "[[{"]
)
scalars = st.one_of(
    texts.map(lambda text: AnyValue(string_value=text)),
    st.booleans().map(lambda value: AnyValue(bool_value=value)),
    st.integers(-(2**63), 2**63 - 1).map(lambda value: AnyValue(int_value=value)),
    st.floats(allow_nan=False).map(lambda value: AnyValue(double_value=value)),
    st.binary(max_size=9).map(lambda value: AnyValue(bytes_value=value)),
    st.just(AnyValue()),
)


def pairs(values: st.SearchStrategy[AnyValue]) -> st.SearchStrategy[list[KeyValue]]:
    return st.lists(st.builds(KeyValue, key=texts, value=st.none() | values), max_size=3)


values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda held: AnyValue(array_value=ArrayValue(values=held))),
        pairs(inner).map(lambda held: AnyValue(kvlist_value=KeyValueList(values=held))),
    ),
    max_leaves=6,
)
counts = st.integers(0, 2**32 - 1)
nanoseconds = st.integers(0, 2**64 - 1)
attributed = {"attributes": pairs(values), "dropped_attributes_count": counts}
trace_ids = st.binary(min_size=16, max_size=16)
span_ids = st.binary(min_size=8, max_size=8)
spans = st.builds(
    Span,
    trace_id=trace_ids,
    span_id=span_ids,
    trace_state=texts,
    parent_span_id=st.just(b"") | span_ids,
    flags=counts,
    name=texts,
    kind=st.integers(0, 5),
    start_time_unix_nano=nanoseconds,
    end_time_unix_nano=nanoseconds,
    events=st.lists(st.builds(Span.Event, time_unix_nano=nanoseconds, name=texts, **attributed), max_size=2),
    dropped_events_count=counts,
    links=st.lists(
        st.builds(Span.Link, trace_id=trace_ids, span_id=span_ids, trace_state=texts, flags=counts, **attributed),
        max_size=2,
    ),
    dropped_links_count=counts,
    status=st.none() | st.builds(Status, message=texts, code=st.integers(0, 2)),
    **attributed,
)
scopes = st.builds(
    ScopeSpans,
    scope=st.none() | st.builds(InstrumentationScope, name=texts, version=texts, **attributed),
    spans=st.lists(spans, max_size=3),
    schema_url=texts,
)
blocks = st.builds(
    ResourceSpans,
    resource=st.none() | st.builds(Resource, **attributed),
    scope_spans=st.lists(scopes, max_size=2),
    schema_url=texts,
)
requests = st.builds(ExportTraceServiceRequest, resource_spans=st.lists(blocks, max_size=2))


def as_otlp(value: Any) -> Any:
    """Protobuf's own JSON with what OTLP has otherwise: ids in hex."""
    if isinstance(value, list):
        return [as_otlp(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = {"traceId", "spanId", "parentSpanId"}
    return {key: b64decode(held).hex() if key in ids else as_otlp(held) for key, held in value.items()}


@given(request=requests)
def test_any_request_is_cut_as_its_protobuf_is(request: ExportTraceServiceRequest) -> None:
    text = json.dumps(as_otlp(MessageToDict(request, use_integers_for_enums=True))).encode()
    assert cut(text) == split_request(request.SerializeToString(), TRACES)
