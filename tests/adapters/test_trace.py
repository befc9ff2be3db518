"""Copies and fragments of a span become one span."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapters.trace import Event, Span, Trace

EVENTS = st.builds(Event, st.sampled_from(["a", "b"]), st.integers(0, 2), st.just({}))


def whole(*events: Event, end: int = 2) -> Span:
    return Span("t", "s", None, "chat", 1, end, events=events)


def fragment(*events: Event) -> Span:
    return Span("t", "s", None, "", 0, 0, events=events)


@given(st.lists(EVENTS, max_size=3), st.lists(EVENTS, min_size=1, max_size=4), st.randoms())
def test_a_span_has_the_events_of_all_its_fragments_in_any_order(own: list[Event], told: list[Event], random) -> None:
    parts = [whole(*own), *(fragment(event) for event in told)]
    expected = Trace.of("t", parts)
    [span] = expected.spans
    assert span.name == "chat"
    assert set(map(repr, span.events)) == set(map(repr, [*own, *told]))
    shuffled = [*parts, random.choice(parts)]
    random.shuffle(shuffled)
    assert Trace.of("t", shuffled) == expected


def test_an_event_that_a_span_has_twice_hides_none_of_a_fragment() -> None:
    [span] = Trace.of("t", [whole(Event("e", 1), Event("e", 1)), fragment(Event("f", 2))]).spans
    assert [event.name for event in span.events] == ["e", "f"]


def test_a_fragment_whose_span_never_came_is_left_out() -> None:
    assert Trace.of("t", [fragment(Event("a", 1)), fragment(Event("b", 1))]).spans == ()
