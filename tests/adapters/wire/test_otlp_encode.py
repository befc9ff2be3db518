"""Spans encoded as OTLP are the same spans when they are decoded."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base import MalformedRecord
from adapters.trace import MAX_ATTRIBUTE_DEPTH, UNREAD_ATTRIBUTE_SUFFIX, Event, Span
from adapters.wire.otlp import decode_traces
from adapters.wire.otlp_encode import encode_traces

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXT | st.binary()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3))
KEYS = TEXT.filter(lambda key: not key.endswith(UNREAD_ATTRIBUTE_SUFFIX))
ATTRIBUTES = st.dictionaries(KEYS, VALUES, max_size=4)
NANOSECONDS = st.integers(0, 2**64 - 1)


def ids(digits: int) -> st.SearchStrategy[str]:
    return st.integers(1, 16**digits - 1).map(lambda number: f"{number:0{digits}x}")


SPANS = st.builds(
    Span,
    trace_id=ids(32),
    span_id=ids(16),
    parent_id=st.none() | ids(16),
    name=TEXT,
    start_ns=NANOSECONDS,
    end_ns=NANOSECONDS,
    attributes=ATTRIBUTES,
    events=st.lists(st.builds(Event, TEXT, NANOSECONDS, ATTRIBUTES), max_size=2).map(tuple),
    status_code=st.integers(0, 2),
    status_message=TEXT,
    dropped_attributes=st.integers(0, 2**32 - 1),
    scope_name=TEXT,
    scope_version=TEXT,
    resource=ATTRIBUTES,
    parent_remote=st.none() | st.booleans(),
)


@pytest.mark.slow
@given(st.lists(SPANS, max_size=5))
def test_decoding_what_was_encoded_gives_the_same_spans_in_the_same_order(spans: list[Span]) -> None:
    decoded = decode_traces(encode_traces(spans))
    assert decoded.spans == tuple(spans)
    # Equality takes True for 1 and 0.0 for -0.0; the text does not.
    assert repr(decoded.spans) == repr(tuple(spans))
    assert not decoded.malformed


def test_spans_that_share_their_resource_and_scope_share_one_block() -> None:
    resource = {"service.name": "desk"}
    one = [Span(TRACE, f"{n:016x}", None, "s", 1, 2, resource=resource, scope_name="a") for n in range(1, 50)]
    apart = [Span(TRACE, f"{n:016x}", None, "s", 1, 2, resource=dict(resource), scope_name="a") for n in range(1, 50)]
    assert len(encode_traces(one)) < len(encode_traces(apart))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2**64, 2.0**64),
        (-(10**400), -math.inf),
        ("a\ud800b", "a?b"),
        ((1, 2), [1, 2]),
        (complex(1, 2), "(1+2j)"),
        ({3: "x"}, {"3": "x"}),
    ],
)
def test_what_otlp_has_no_place_for_is_written_as_near_as_it_gets(value: Any, written: Any) -> None:
    span = Span(TRACE, SPAN, None, "s", 1, 2, {"k": value})
    assert decode_traces(encode_traces([span])).spans[0].attributes == {"k": written}


def test_values_nested_too_deep_are_written_as_json_text_and_can_be_read() -> None:
    for depth in (MAX_ATTRIBUTE_DEPTH, 10_000):
        value: Any = "x"
        for _ in range(depth):
            value = [value]
        decoded = decode_traces(encode_traces([Span(TRACE, SPAN, None, "s", 1, 2, {"k": value, "other": 1})]))
        assert not decoded.malformed
        assert decoded.spans[0].attributes["other"] == 1


def test_times_and_counts_beyond_their_field_are_brought_within_it() -> None:
    span = Span(TRACE, SPAN, None, "s", -5, 2**70, dropped_attributes=2**40, status_code=2**33)
    (read,) = decode_traces(encode_traces([span])).spans
    assert (read.start_ns, read.end_ns, read.dropped_attributes, read.status_code) == (0, 2**64 - 1, 2**32 - 1, 0)


@pytest.mark.parametrize(
    "span",
    [
        Span("abc", SPAN, None, "s", 1, 2),
        Span("0" * 32, SPAN, None, "s", 1, 2),
        Span(TRACE, "no hex at all 16", None, "s", 1, 2),
        Span(TRACE, SPAN, "ff", "s", 1, 2),
    ],
)
def test_a_span_with_an_id_that_is_none_is_refused(span: Span) -> None:
    with pytest.raises(MalformedRecord, match=r"must be .* hex digits"):
        encode_traces([span])
