"""Spans become one chunk a trace, bounded, and what can be no chunk hides no other."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.trace import Span
from adapters.wire.otlp import decode_traces
from collector.sources import chunks
from collector.sources.chunks import chunks_of
from tests.adapters.wire.test_otlp_encode import SPANS

TRACE = "0af7651916cd43dd8448eb211c80319c"


def span(number: int, trace_id: str = TRACE, size: int = 0, **fields: Any) -> Span:
    given = {"parent_id": None, "name": "s", "start_ns": 1, "end_ns": 2, "attributes": {"text": "x" * size}, **fields}
    return Span(trace_id, f"{number:016x}", **given)


@settings(max_examples=50)
@given(st.lists(SPANS, max_size=6))
def test_every_span_is_in_the_chunk_of_its_trace(spans: list[Span]) -> None:
    made, unread = chunks_of(spans, arrived=5, resource={})
    assert not unread
    assert len(made) == len({span.trace_id for span in spans})
    read = [read for chunk in made for read in decode_traces(chunk.data).spans]
    assert sorted(map(repr, read)) == sorted(map(repr, spans))
    for chunk in made:
        held = decode_traces(chunk.data).spans
        assert {span.trace_id for span in held} == {chunk.trace_id.hex()}
        assert chunk.n_spans == len(held)
        assert chunk.arrived == 5


def test_a_root_that_has_ended_is_noted() -> None:
    for parent, end, root in ((None, 2, True), ("b" * 16, 2, False), (None, 0, False)):
        (chunk,), _ = chunks_of([span(1, parent_id=parent, end_ns=end)], arrived=0, resource={})
        assert chunk.has_root is root


def test_a_long_trace_is_several_chunks_and_a_span_without_end_is_none(monkeypatch) -> None:
    monkeypatch.setattr(chunks, "MAX_CHUNK_BYTES", 4000)
    monkeypatch.setattr(chunks, "MAX_SPAN_BYTES", 6000)
    spans = [*(span(n, size=1500) for n in range(1, 6)), span(6, size=5000), span(7, size=9000)]
    made, unread = chunks_of(spans, arrived=0, resource={"a": "b"})
    assert [chunk.n_spans for chunk in made] == [2, 2, 1, 1]
    assert {span.resource["a"] for chunk in made for span in decode_traces(chunk.data).spans} == {"b"}
    assert [(record.reason, record.place) for record in unread] == [
        ("larger than 6000 bytes", f"span {TRACE}/{7:016x}")
    ]


def test_spans_with_ids_that_are_none_are_told_and_hide_no_other() -> None:
    spans = [span(1), Span(TRACE, "short", None, "bad", 1, 2), span(1, trace_id="no hex"), span(2)]
    made, unread = chunks_of(spans, arrived=0, resource={})
    assert [chunk.n_spans for chunk in made] == [2]
    assert len(unread) == 2
    assert unread[0].place == f"span 'bad' of trace {TRACE}"


def test_spans_that_share_a_resource_share_it_when_more_is_added_to_it() -> None:
    shared = {"service.name": "desk"}
    spans = [span(n, resource=shared) for n in range(1, 50)]
    (together,), _ = chunks_of(spans, arrived=0, resource={"team": "x"})
    apart = chunks_of([span(n, resource=dict(shared)) for n in range(1, 50)], arrived=0, resource={"team": "x"})[0][0]
    assert len(together.data) < len(apart.data)
