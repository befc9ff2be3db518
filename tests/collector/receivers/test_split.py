"""A request is cut by trace without losing or changing anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from google.protobuf.message import DecodeError, Message
from hypothesis import example, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from adapters.wire.protobuf import HELD
from adapters.wire.protobuf import framed as framed_field
from collector.receivers import items
from collector.receivers.signals import TRACES
from collector.receivers.split import Split, framed_block
from collector.security.decompress import MalformedBody, TooLarge
from tests.collector.receivers.requests import make_request, split_request

ItemPlace = tuple[bytes, bytes, bytes]


def cut(body: bytes, **changes: Any) -> Split:
    return split_request(body, TRACES, **changes)


def framed_item(span: bytes) -> bytes:
    return framed_field(HELD, span)


def placed(data: bytes) -> Counter[ItemPlace]:
    """Every span with its resource and scope, all as bytes."""
    return Counter(
        (resource.resource.SerializeToString(), scope.scope.SerializeToString(), span.SerializeToString())
        for resource in TracesData.FromString(data).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    )


ids = st.sampled_from([bytes([n]) * 16 for n in range(1, 5)])
spans = st.tuples(ids, st.binary(min_size=8, max_size=8).filter(any), st.sampled_from([b"", bytes(8), b"parent-1"]))


@given(st.lists(st.lists(st.lists(spans, max_size=5), max_size=3), max_size=3), st.integers(0, 1))
def test_every_span_lands_in_the_chunk_of_its_trace_under_its_own_resource_and_scope(
    layout: list[list[list[tuple[bytes, bytes, bytes]]]], end: int
) -> None:
    request = ExportTraceServiceRequest()
    roots = set()
    for number, scopes in enumerate(layout):
        resource = request.resource_spans.add(schema_url=f"https://example.org/{number}")
        resource.resource.attributes.add(key="n").value.int_value = number
        for index, members in enumerate(scopes):
            scope = resource.scope_spans.add()
            scope.scope.name = f"scope {index}"
            for trace_id, span_id, parent in members:
                scope.spans.add(trace_id=trace_id, span_id=span_id, parent_span_id=parent, end_time_unix_nano=end)
                if end and parent != b"parent-1":
                    roots.add(trace_id)
    found = cut(request.SerializeToString())
    everything = sum((placed(chunk.data) for chunk in found.chunks), Counter())
    assert everything == placed(request.SerializeToString())
    assert found.n_items == everything.total() == sum(chunk.n_spans for chunk in found.chunks)
    assert len({chunk.trace_id for chunk in found.chunks}) == len(found.chunks)
    for chunk in found.chunks:
        assert chunk.n_spans == placed(chunk.data).total()
        members = [
            span.trace_id
            for resource in TracesData.FromString(chunk.data).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
        assert set(members) == {chunk.trace_id}
        assert chunk.has_root == (chunk.trace_id in roots)
        assert chunk.arrived == 7
    assert found.dropped.total() == 0


def test_schema_urls_and_fields_of_later_protocol_versions_are_kept() -> None:
    request = make_request().resource_spans[0]
    unknown = b"\x9a\x06\x03new"
    scope = request.scope_spans[0].SerializeToString() + unknown
    del request.scope_spans[:]
    outer = request.SerializeToString() + unknown + b"\x12" + _length(scope) + scope
    body = b"\x0a" + _length(outer) + outer
    [chunk] = cut(body).chunks
    data = TracesData.FromString(chunk.data)
    assert data.resource_spans[0].schema_url == "https://example.org/resource"
    assert data.resource_spans[0].scope_spans[0].schema_url == "https://example.org/scope"
    assert chunk.data.count(unknown) == 2


def _length(value: bytes) -> bytes:
    n, out = len(value), b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"trace_id": b""}, "invalid_trace_id"),
        ({"trace_id": b"short"}, "invalid_trace_id"),
        ({"trace_id": bytes(16)}, "invalid_trace_id"),
        ({"trace_id": b"x" * 17}, "invalid_trace_id"),
        ({"span_id": b""}, "invalid_span_id"),
        ({"span_id": bytes(8)}, "invalid_span_id"),
        ({"span_id": b"x" * 16}, "invalid_span_id"),
        ({"name": "x" * 100_000}, "too_large"),
    ],
)
def test_a_span_that_cannot_be_placed_is_rejected_alone(change: dict[str, Any], reason: str) -> None:
    request = make_request(n_spans=3)
    for name, value in change.items():
        setattr(request.resource_spans[0].scope_spans[0].spans[1], name, value)
    found = cut(request.SerializeToString())
    assert dict(found.dropped) == {reason: 1}
    assert found.n_items == 2


def test_more_spans_or_scopes_than_allowed_are_too_large() -> None:
    body = make_request(n_spans=3).SerializeToString()
    assert cut(body, max_items=3).n_items == 3
    with pytest.raises(TooLarge):
        cut(body, max_items=2)
    with pytest.raises(TooLarge):
        cut(b"\x0a\x00" * 20_000)
    with pytest.raises(TooLarge):
        cut(_nested(b"\x12\x00" * 20_000))
    with pytest.raises(TooLarge):
        cut(_nested(b"\x1a\x00" * 100))


def _nested(inner: bytes) -> bytes:
    return b"\x0a" + _length(inner) + inner


def test_fields_that_otlp_does_not_know_are_bounded_like_those_it_knows() -> None:
    later = b"\x22\x00\x28\x01"
    assert cut(make_request().SerializeToString() + later * 32).n_items == 3
    with pytest.raises(TooLarge, match="unknown fields"):
        cut(later * 33)


@pytest.mark.parametrize("part", [b"\x4a\x00", b"\x4a\x02\x12\x00", b"\xca\x00\x80\x00"])
def test_a_span_of_millions_of_empty_messages_is_rejected_alone(part: bytes) -> None:
    span = make_request(n_spans=1).resource_spans[0].scope_spans[0].spans[0].SerializeToString()
    crowd = framed_block(b"", b"", [framed_item(span + part * (items.MAX_PARTS + 1))])
    found = cut(crowd + make_request(n_spans=1).SerializeToString(), max_item_bytes=10**8)
    assert (found.n_items, found.dropped) == (1, Counter(too_large=1))


def test_a_resource_of_millions_of_empty_messages_is_too_large() -> None:
    crowd = b"\x0a\x00" * (items.MAX_PARTS + 1)
    with pytest.raises(TooLarge, match=r"resourceSpans\[0\].resource is too large"):
        cut(framed_block(b"\x0a" + framed_item(crowd)[1:], b"", []), max_item_bytes=10**8)


@pytest.mark.parametrize("text", ["line of code();\n", "\tif x:\n\t\treturn 0\n", "é😀", '{"page": "text"}'])
def test_a_large_span_of_text_is_no_crowd(text: str) -> None:
    body = make_request(n_spans=1, text=text * (8_000_000 // len(text.encode()))).SerializeToString()
    assert cut(body, max_item_bytes=10**8).n_items == 1


@given(st.lists(st.text(max_size=40), max_size=20))
def test_every_short_message_has_a_byte_by_which_it_is_counted(texts: list[str]) -> None:
    span = make_request(n_spans=1).resource_spans[0].scope_spans[0].spans[0]
    for text in texts:
        span.events.add().attributes.add(key=text).value.array_value.values.add().string_value = text
    data = span.SerializeToString()
    with patch.object(items, "MAX_PARTS", short_messages(span) - 1):
        assert items.crowded(data, 0, len(data))


def short_messages(message: Message) -> int:
    held = [value for field, value in message.ListFields() if field.message_type]
    inner = [each for value in held for each in (value if isinstance(value, Sequence) else [value])]
    sizes = [len(each.SerializeToString()) for each in inner]
    return sum(size < 32 and size not in {9, 10, 13} for size in sizes) + sum(map(short_messages, inner))


def test_thinning_keeps_whole_traces_and_counts_the_rest() -> None:
    body = make_request(n_traces=300, n_spans=3).SerializeToString()
    found = cut(body, keep=0.5)
    again = cut(body, keep=0.5)
    assert [chunk.trace_id for chunk in found.chunks] == [chunk.trace_id for chunk in again.chunks]
    assert found.n_items + found.dropped["thinned"] == 900
    assert all(chunk.n_spans == 3 for chunk in found.chunks)
    assert 100 < len(found.chunks) < 200
    fewer = {chunk.trace_id for chunk in cut(body, keep=0.25).chunks}
    assert fewer < {chunk.trace_id for chunk in found.chunks}


@settings(max_examples=300)
@given(st.binary(max_size=300))
@example(b"\x0a")
@example(b"\x0a\x05abc")
@example(b"\xff" * 11)
@example(b"\x00\x00")
@example(b"\x0b\x0c")
def test_random_bytes_are_garbage_or_a_request_that_protobuf_reads_too(body: bytes) -> None:
    try:
        found = cut(body)
    except (MalformedBody, TooLarge):
        return
    request = ExportTraceServiceRequest.FromString(body)
    spans = [s for r in request.resource_spans for scope in r.scope_spans for s in scope.spans]
    assert found.n_items + found.dropped.total() == len(spans)


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_request_is_refused_or_still_holds_readable_chunks(data: st.DataObject) -> None:
    body = bytearray(make_request(n_traces=2).SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    cut_off = bytes(body[: data.draw(st.integers(1, len(body)))])
    try:
        found = cut(cut_off)
    except (MalformedBody, TooLarge):
        return
    for chunk in found.chunks:
        assert placed(chunk.data).total() == chunk.n_spans


@settings(max_examples=200)
@given(st.data())
def test_what_protobuf_refuses_is_garbage(data: st.DataObject) -> None:
    body = make_request().SerializeToString()
    cut_off = body[: data.draw(st.integers(1, len(body) - 1))]
    try:
        ExportTraceServiceRequest.FromString(cut_off)
    except DecodeError:
        with pytest.raises(MalformedBody):
            cut(cut_off)
