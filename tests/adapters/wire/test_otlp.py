"""OTLP protobuf and OTLP/JSON, whole and broken."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from adapters.base import MalformedRecord
from adapters.trace import MAX_ATTRIBUTE_DEPTH
from adapters.wire.otlp import Decoded, decode_json, decode_traces, group
from adapters.wire.protobuf import WireError, fields

TRACE, SPAN, PARENT = bytes(range(1, 17)), bytes(range(1, 9)), bytes(range(2, 10))
VALUES = {
    "text": ({"stringValue": "hi"}, AnyValue(string_value="hi"), "hi"),
    "blank": ({"stringValue": ""}, AnyValue(string_value=""), ""),
    "yes": ({"boolValue": True}, AnyValue(bool_value=True), True),
    "no": ({"boolValue": False}, AnyValue(bool_value=False), False),
    "count": ({"intValue": "9007199254740993"}, AnyValue(int_value=9007199254740993), 9007199254740993),
    "zero": ({"intValue": 0}, AnyValue(int_value=0), 0),
    "share": ({"doubleValue": 0.5}, AnyValue(double_value=0.5), 0.5),
    "infinite": ({"doubleValue": "Infinity"}, AnyValue(double_value=float("inf")), float("inf")),
    "raw": ({"bytesValue": base64.b64encode(b"\x00\xff").decode()}, AnyValue(bytes_value=b"\x00\xff"), b"\x00\xff"),
    "empty": ({}, AnyValue(), None),
    "list": (
        {"arrayValue": {"values": [{"stringValue": "a"}, {}]}},
        AnyValue(array_value=ArrayValue(values=[AnyValue(string_value="a"), AnyValue()])),
        ["a", None],
    ),
    "map": (
        {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}},
        AnyValue(kvlist_value=KeyValueList(values=[KeyValue(key="k", value=AnyValue(int_value=1))])),
        {"k": 1},
    ),
}


_VALUES = ".attributes[0].value.arrayValue.values"


def decode_traces_json(data: bytes) -> Decoded:
    try:
        value = json.loads(data)
    except ValueError as error:
        raise MalformedRecord("not JSON") from error
    return decode_json(value)


GOLDEN = Path(__file__).parents[2] / "golden" / "traces" / "langchain-basic.otlp.pb"


def request(*names: str, **changes: object) -> TracesData:
    data = TracesData()
    block = data.resource_spans.add()
    block.resource.attributes.add(key="service.name").value.string_value = "desk"
    scoped = block.scope_spans.add()
    scoped.scope.name, scoped.scope.version = "scope", "1"
    for name in names or ("one",):
        span = scoped.spans.add(trace_id=TRACE, span_id=SPAN, parent_span_id=PARENT, name=name)
        span.start_time_unix_nano, span.end_time_unix_nano = 1_760_000_000_000_000_001, 1_760_000_000_000_000_002
        span.flags, span.dropped_attributes_count = 0x300, 3
        span.status.code, span.status.message = 2, "broken"
        event = span.events.add(name="exception", time_unix_nano=5)
        event.attributes.add(key="exception.type").value.string_value = "E"
        for key, (_, value, _) in VALUES.items():
            span.attributes.append(KeyValue(key=key, value=value))
        for field, value in changes.items():
            setattr(span, field, value)
    return data


def as_json(data: TracesData, **changes: object) -> bytes:
    """OTLP/JSON of the request: protobuf's JSON with hex ids."""
    raw = MessageToDict(data)
    for span in raw["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for key in ("traceId", "spanId", "parentSpanId"):
            span[key] = base64.b64decode(span[key]).hex().upper()
        span["attributes"] = [{"key": key, "value": value} for key, (value, _, _) in VALUES.items()]
        span.update(changes)
    return json.dumps(raw).encode()


def test_every_field_and_kind_of_value_is_read_from_protobuf_and_json_alike() -> None:
    data = request()
    (span,) = decode_traces(data.SerializeToString()).spans
    assert decode_traces_json(as_json(data)).spans == (span,)
    assert (span.trace_id, span.span_id, span.parent_id) == (TRACE.hex(), SPAN.hex(), PARENT.hex())
    assert (span.start_ns, span.end_ns) == (1_760_000_000_000_000_001, 1_760_000_000_000_000_002)
    assert dict(span.attributes) == {key: value for key, (_, _, value) in VALUES.items()}
    assert (span.status_code, span.status_message, span.dropped_attributes) == (2, "broken", 3)
    assert (span.scope_name, span.scope_version, span.resource) == ("scope", "1", {"service.name": "desk"})
    assert span.parent_remote is True
    assert span.failed
    assert span.events[0].attributes == {"exception.type": "E"}


def test_concatenated_requests_are_one_request() -> None:
    assert len(decode_traces(request().SerializeToString() * 3).spans) == 3


def test_embedding_vectors_are_left_out() -> None:
    data = request()
    vector = (
        data.resource_spans[0].scope_spans[0].spans[0].attributes.add(key="embedding.embeddings.0.embedding.vector")
    )
    vector.value.array_value.values.add(double_value=0.5)
    (span,) = decode_traces(data.SerializeToString()).spans
    assert span.attributes[vector.key] is None
    raw = [{"key": vector.key, "value": {"arrayValue": {"values": [{"doubleValue": 0.5}]}}}]
    assert decode_traces_json(as_json(data, attributes=raw)).spans[0].attributes == {vector.key: None}


@pytest.mark.parametrize(("flags", "remote"), [(0, None), (0x100, False), (0x300, True)])
def test_the_exporter_tells_whether_the_parent_is_remote(flags: int, remote: object) -> None:
    assert decode_traces(request(flags=flags).SerializeToString()).spans[0].parent_remote is remote


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"trace_id": b"short"}, "trace id"),
        ({"trace_id": bytes(16)}, "trace id"),
        ({"span_id": b""}, "span id"),
        ({"parent_span_id": b"x"}, "parent span id"),
    ],
)
def test_a_span_with_a_bad_id_is_malformed_and_hides_no_other(changes: dict, reason: str) -> None:
    decoded = decode_traces(request(**changes).SerializeToString() + request("good").SerializeToString())
    assert [span.name for span in decoded.spans] == ["good"]
    (error,) = decoded.malformed
    assert reason in error.reason
    assert error.where == "resourceSpans[0].scopeSpans[0].spans[0]"


def test_a_span_that_is_no_protobuf_hides_no_other() -> None:
    data = request("first", "second", "third").SerializeToString()
    decoded = decode_traces(data.replace(b"second", b"sec\xffnd"))
    assert [span.name for span in decoded.spans] == ["first", "third"]
    assert decoded.spans[0].resource == {"service.name": "desk"}
    assert [error.where for error in decoded.malformed] == ["resourceSpans[0].scopeSpans[0].spans[1]"]


@pytest.mark.parametrize(("bad", "where"), [(b"desk", "resource"), (b"scope", "scopeSpans[0].scope")])
def test_a_broken_resource_or_scope_hides_no_span(bad: bytes, where: str) -> None:
    decoded = decode_traces(request().SerializeToString().replace(bad, b"\xff" * len(bad)))
    assert len(decoded.spans) == 1
    assert [error.where for error in decoded.malformed] == [f"resourceSpans[0].{where}"]


def test_a_block_or_scope_cut_short_hides_no_other_block() -> None:
    broken_block = b"\x0a\x03\x0a\x7fx"
    broken_scope = b"\x0a\x05\x12\x03\x0a\x7fx"
    decoded = decode_traces(request("good").SerializeToString() + broken_block + broken_scope)
    assert [span.name for span in decoded.spans] == ["good"]
    assert [error.where for error in decoded.malformed] == [
        "resourceSpans[1]",
        "resourceSpans[2].scopeSpans[0]",
    ]


@pytest.mark.parametrize("cut", [1, 40])
def test_a_message_cut_short_gives_the_blocks_before_the_cut(cut: int) -> None:
    whole = request("good").SerializeToString() * 2
    decoded = decode_traces(whole + request("lost").SerializeToString()[:-cut])
    assert [span.name for span in decoded.spans] == ["good", "good"]
    [error] = decoded.malformed
    assert (error.where, "truncated" in error.reason) == ("resourceSpans[2]", True)


@pytest.mark.parametrize(
    "data", [b"not a trace", b"\x0a", b"\x08\x01", b"\xff" * 40, b"\x00\x01", b"\x0f", b"\x0d\x01"]
)
def test_what_is_no_trace_request_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedRecord, match="not an OTLP trace message"):
        decode_traces(data)


def test_nesting_beyond_the_bound_spoils_its_span_only() -> None:
    deep = AnyValue(string_value="x")
    for _ in range(MAX_ATTRIBUTE_DEPTH + 1):
        deep = AnyValue(array_value=ArrayValue(values=[deep]))
    data = request("deep", "good")
    data.resource_spans[0].scope_spans[0].spans[0].attributes.add(key="well").value.CopyFrom(deep)
    decoded = decode_traces(data.SerializeToString())
    assert [span.name for span in decoded.spans] == ["good"]
    assert "'well'" in decoded.malformed[0].reason
    data.resource_spans[0].resource.attributes.add(key="well").value.CopyFrom(deep)
    assert decode_traces(data.SerializeToString()).malformed[0].where == "resourceSpans[0].resource"


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"traceId": "xyz"}, ""),
        ({"traceId": "0" * 32}, ""),
        ({"spanId": None}, ""),
        ({"parentSpanId": 7}, ".parentSpanId"),
        ({"name": 3}, ".name"),
        ({"startTimeUnixNano": "soon"}, ".startTimeUnixNano"),
        ({"endTimeUnixNano": -1}, ".endTimeUnixNano"),
        ({"droppedAttributesCount": True}, ".droppedAttributesCount"),
        ({"status": []}, None),
        ({"status": {"code": "STATUS_CODE_ODD"}}, ".status.code"),
        ({"events": [3]}, ".events[0]"),
        ({"attributes": {}}, ".attributes"),
        ({"attributes": [1]}, ".attributes[0]"),
        ({"attributes": [{"key": "k", "value": 1}]}, ".attributes[0].value"),
        ({"attributes": [{"key": "k", "value": {"intValue": "one"}}]}, ""),
        ({"attributes": [{"key": "k", "value": {"boolValue": 1}}]}, ".attributes[0].value.boolValue"),
        ({"attributes": [{"key": "k", "value": {"stringValue": 1}}]}, ".attributes[0].value.stringValue"),
        ({"attributes": [{"key": "k", "value": {"doubleValue": True}}]}, ".attributes[0].value.doubleValue"),
        ({"attributes": [{"key": "k", "value": {"doubleValue": []}}]}, ".attributes[0].value.doubleValue"),
        ({"attributes": [{"key": "k", "value": {"bytesValue": "?"}}]}, ""),
        ({"attributes": [{"key": "k", "value": {"oddValue": 1}}]}, None),
        ({"attributes": [{"key": "k", "value": {"arrayValue": {"values": 1}}}]}, _VALUES),
    ],
)
def test_a_broken_json_span_is_malformed_with_its_place_and_hides_no_other(changes: dict, where: str | None) -> None:
    raw = json.loads(as_json(request("first", "second")))
    spans = raw["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans[0] |= changes
    decoded = decode_traces_json(json.dumps(raw).encode())
    if where is None:
        assert len(decoded.spans) == 2
        return
    assert [span.name for span in decoded.spans] == ["second"]
    assert [error.where for error in decoded.malformed] == [f"resourceSpans[0].scopeSpans[0].spans[0]{where}"]


@pytest.mark.parametrize("code", [2, "2", 2.0, "STATUS_CODE_ERROR"])
def test_a_json_status_is_a_number_or_a_name(code: object) -> None:
    assert decode_traces_json(as_json(request(), status={"code": code})).spans[0].failed


@pytest.mark.parametrize("missing", [None, "", 0])
def test_a_json_time_may_be_absent(missing: object) -> None:
    assert decode_traces_json(as_json(request(), startTimeUnixNano=missing)).spans[0].start_ns == 0


def test_a_json_attribute_may_be_null_and_not_too_deep() -> None:
    deep: dict = {"stringValue": "x"}
    for _ in range(MAX_ATTRIBUTE_DEPTH + 1):
        deep = {"arrayValue": {"values": [deep]}}
    null = [{"key": "k", "value": {"stringValue": None}}, {"key": "n"}]
    assert decode_traces_json(as_json(request(), attributes=null)).spans[0].attributes == {"k": None, "n": None}
    decoded = decode_traces_json(as_json(request(), attributes=[{"key": "well", "value": deep}]))
    assert "nested deeper" in decoded.malformed[0].reason


def test_broken_json_containers_are_told_by_place() -> None:
    raw = {
        "resourceSpans": [
            3,
            {"resource": 1, "scopeSpans": [{"spans": []}]},
            {"scopeSpans": [{"scope": [1]}, {"spans": 2}]},
            {"scopeSpans": 5},
        ]
    }
    decoded = decode_traces_json(json.dumps(raw).encode())
    assert [error.where for error in decoded.malformed] == [
        "resourceSpans[0]",
        "resourceSpans[1].resource",
        "resourceSpans[2].scopeSpans[0].scope",
        "resourceSpans[2].scopeSpans[1].spans",
        "resourceSpans[3].scopeSpans",
    ]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"resourceSpans": {}}', b"\xff"])
def test_what_is_no_json_request_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedRecord):
        decode_traces_json(data)


def test_spans_are_grouped_by_trace_in_order_of_appearance() -> None:
    other = request("other", trace_id=b"\x09" * 16)
    spans = decode_traces(request("a").SerializeToString() + other.SerializeToString()).spans
    assert [trace.trace_id for trace in group(spans)] == [TRACE.hex(), "09" * 16]
    assert not next(group(spans, complete=False)).complete


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_decode_or_are_malformed(data: bytes) -> None:
    for decode in (decode_traces, decode_traces_json):
        with suppress(MalformedRecord):
            decode(data)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 600), st.binary(min_size=1, max_size=4))
def test_a_damaged_request_decodes_or_is_malformed(at: int, damage: bytes) -> None:
    good = request("first", "second").SerializeToString()
    with suppress(MalformedRecord):
        decode_traces(good[:at] + damage + good[at + len(damage) :])


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["spans", "scopeSpans", "attributes", "key", "value", "stringValue", "traceId", "status"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(_JSON)
def test_any_json_decodes_or_is_malformed(value: object) -> None:
    for raw in ({"resourceSpans": value}, {"resourceSpans": [{"scopeSpans": [{"spans": [value]}]}]}):
        with suppress(MalformedRecord):
            decode_traces_json(json.dumps(raw).encode("utf-8", "replace"))


def test_wire_fields_of_every_type_are_stepped_over() -> None:
    data = bytes([0x20, 1, 0x29, *range(8), 0x1A, 1, 7, 0x25, *range(4)])
    found = [(number, data[start:end]) for number, _, start, end in fields(data, 0, len(data))]
    assert found == [(4, b"\x01"), (5, bytes(range(8))), (3, b"\x07"), (4, bytes(range(4)))]
    with pytest.raises(WireError, match="wire type 3"):
        list(fields(b"\x0b", 0, 1))
    with pytest.raises(WireError, match="field 1 of wire type 0"):
        list(fields(b"\x08\x01", 0, 2))


def test_a_message_cut_short_gives_the_whole_spans_of_its_last_block() -> None:
    data = GOLDEN.read_bytes()
    spans = decode_traces(data).spans
    for cut in range(len(data) // 2, len(data), 61):
        decoded = decode_traces(data[:cut])
        assert decoded.spans == spans[: len(decoded.spans)]
        (error,) = decoded.malformed
        assert error.where == "resourceSpans[0]"
        assert error.reason == (
            f"truncated at byte {cut}, {len(data) - cut} bytes are missing: "
            f"scopeSpans[0].spans[{len(decoded.spans)}] is lost"
        )


def test_a_block_with_a_length_beyond_the_end_swallows_no_other_resource() -> None:
    first, second = request("good").SerializeToString(), request("other").SerializeToString()
    damaged = b"\x0a\xff\x7f" + first[3 if first[1] > 0x7F else 2 :] + second
    decoded = decode_traces(damaged)
    assert [span.name for span in decoded.spans] == ["good"]
    assert decoded.spans[0].resource == decode_traces(first).spans[0].resource
