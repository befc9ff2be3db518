"""Reading values that instrumentations wrote, and telling which instrumentation wrote a span."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.assembly.flattened import flattened
from adapters.assembly.messages import Message, content_text, conversation, messages_of
from adapters.detect import dialect_of
from adapters.trace import Span, Trace
from adapters.values import (
    MAX_DEPTH,
    count_of,
    instant_of,
    is_repr,
    number_of,
    parse_json,
    plain,
    salvage_json,
    shallow,
    text_of,
)


@pytest.mark.parametrize(
    ("scope", "attributes", "dialect"),
    [
        ("langfuse-sdk", {}, "langfuse"),
        ("x", {"langfuse.observation.type": "span", "openinference.span.kind": "LLM"}, "langfuse"),
        ("x", {"openinference.span.kind": "LLM", "gen_ai.operation.name": "chat"}, "openinference"),
        ("openinference.instrumentation.langchain", {}, "openinference"),
        ("langsmith", {"langsmith.span.kind": "llm", "gen_ai.operation.name": "chat"}, "langsmith"),
        ("x", {"traceloop.span.kind": "workflow"}, "openllmetry"),
        ("opentelemetry.instrumentation.langchain", {"gen_ai.operation.name": "chat"}, "openllmetry"),
        ("x", {"gen_ai.operation.name": "chat"}, "otel_genai"),
        ("opentelemetry.instrumentation.genai.openai", {}, "otel_genai"),
        ("opentelemetry.util.genai.handler", {}, "otel_genai"),
        ("opentelemetry.instrumentation.fastapi", {"http.route": "/"}, None),
    ],
)
def test_a_span_has_the_dialect_of_what_wrote_it(scope: str, attributes: dict, dialect: str | None) -> None:
    assert dialect_of(Span("t", "s", None, "n", 1, 2, attributes, scope_name=scope)) == dialect


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2025-01-31", datetime(2025, 1, 31, tzinfo=UTC)),
        ("2025/1/31", datetime(2025, 1, 31, tzinfo=UTC)),
        ("20250131", datetime(2025, 1, 31, tzinfo=UTC)),
        ("2025-01-31T10:00:00", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        ("2025-01-31 10:00:00Z", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        (" 2025-01-31T10:00:00-05:00 ", datetime(2025, 1, 31, 15, tzinfo=UTC)),
        (1_738_281_600, datetime(2025, 1, 31, tzinfo=UTC)),
        (1_738_281_600_000, datetime(2025, 1, 31, tzinfo=UTC)),
        ("2025-02-30", None),
        ("31.01.2025", datetime(2025, 1, 31, tzinfo=UTC)),
        ("1. 2. 2025", datetime(2025, 2, 1, tzinfo=UTC)),
        ("01.13.2025", None),
        ("01/02/2025", None),
        ("2025/01/31 10:00:00", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        ("31.01.2025, 10:00", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        ("January 31, 2025 at 10:30 PM", datetime(2025, 1, 31, 22, 30, tzinfo=UTC)),
        ("31 Jan 2025 12:00 am +0100", datetime(2025, 1, 30, 23, tzinfo=UTC)),
        ("01/02/2025 10:00", None),
        ("January 31, 2025 10:30 EST", None),
        ("January 31, 2025 13:30 PM", None),
        ("31.01.2025 25:00", None),
        ("D:20250131100000Z00'00'", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        ("next week", None),
        ("0001-01-01T00:00:00+10:00", None),
        (2025, None),
        (1e300, None),
        (True, None),
        (None, None),
        ("", None),
    ],
)
def test_instants_are_read_in_the_forms_metadata_has_them(value: object, expected: datetime | None) -> None:
    assert instant_of(value) == expected


@pytest.mark.parametrize(
    ("value", "last"),
    [
        ("2024-12-31", datetime(2024, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
        ("20241231", datetime(2024, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
        ("2024-12-31T00:00:00Z", datetime(2024, 12, 31, tzinfo=UTC)),
        ("9999-12-31", datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
    ],
)
def test_a_bare_last_date_lasts_until_its_end_and_an_instant_is_itself(value: str, last: datetime) -> None:
    assert instant_of(value, end_of_day=True) == last


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "b": [1, 2', {"a": 1, "b": [1]}),
        ('{"a": {"b": "c"}, "d', {"a": {"b": "c"}}),
        ('{"a": tru', None),
        ('{"a": 12', None),
        ('[{"id": "x"}, {"id": "y', [{"id": "x"}]),
        ('{"a": "\\u12', None),
        ("{]", None),
        ("plain", None),
        ("", None),
        ('{"a": 1}', {"a": 1}),
    ],
)
def test_of_cut_json_what_is_whole_is_kept(text: str, expected: object) -> None:
    assert salvage_json(text, limit=1000) == expected


_JSON = st.recursive(
    st.integers() | st.text(max_size=3) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(_JSON, st.integers(0, 200))
def test_a_cut_never_invents_a_value(value: object, end: int) -> None:
    def begins(found: object, whole: object) -> bool:
        if isinstance(found, dict) and isinstance(whole, dict):
            return all(key in whole and begins(found[key], whole[key]) for key in found)
        if isinstance(found, list) and isinstance(whole, list):
            return len(found) <= len(whole) and all(map(begins, found, whole))
        return found == whole

    text = json.dumps(value)
    found = salvage_json(text[:end], limit=10_000)
    assert found is None or begins(found, orjson.loads(text))


def test_salvage_stops_at_the_depth_bound() -> None:
    assert salvage_json('{"a": 1, "b": ' + "[" * (MAX_DEPTH + 5), limit=1000) == {"a": 1}


@pytest.mark.parametrize("text", ["{'a': 1}", '{"a": NaN, }', "x" * 101, '{"a": "\\ud800", "b": NaN}'])
def test_what_is_no_json_is_none(text: str) -> None:
    assert parse_json(text, limit=100) is None


def test_python_json_with_no_numbers_in_it_is_read() -> None:
    assert parse_json('{"a": -Infinity, "b": 1}', limit=100) == {"a": None, "b": 1}


def test_deep_values_become_text_below_the_bound() -> None:
    assert shallow([[[1]]], 2) == [["[1]"]]
    assert shallow([b"x", [object()]], 1) == [b"x", None]
    assert plain({1: object()}) is None


@pytest.mark.parametrize(
    ("value", "number", "count"),
    [
        (3, 3.0, 3),
        ("3", 3.0, 3),
        (2.5, 2.5, None),
        (-1, -1.0, None),
        ("x", None, None),
        (10**400, None, None),
        (10**12, 1e12, 10**12),
        (10**12 + 1, 1e12 + 1, None),
        (1e15, 1e15, None),
        (-1e15, -1e15, None),
        (1.001e15, None, None),
        ("-1.7e308", None, None),
        (float("nan"), None, None),
        (float("-inf"), None, None),
        ([], None, None),
    ],
)
def test_numbers_and_counts_are_of_this_world_or_none(value: object, number: float | None, count: int | None) -> None:
    assert (number_of(value), count_of(value)) == (number, count)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[NodeWithScore(node=TextNode(", True),
        ("['a', 'b']", False),
        ("llama_index.core.Response(response='x'", True),
        ("<coroutine object f at 0x7f>", True),
        ("<NodeWithScore(node=...", True),
        ("AgentWorkflowStartEvent()", True),
        ("Call print(x) first.", False),
        ("print(x)", False),
        ("Under <object> storage ...", False),
        ("f(x)=2x", False),
        ("", False),
    ],
)
def test_reprs_are_told_from_sentences(text: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_repr(text) is expected


def test_blank_text_is_no_text() -> None:
    assert (text_of(" \n"), text_of(""), text_of(3), text_of("x")) == (None, None, None, "x")


def test_messages_are_read_in_every_shape_and_nothing_else_is() -> None:
    assert messages_of({"message": {"role": "assistant", "blocks": [{"text": "Hi"}]}}) == (Message("assistant", "Hi"),)
    parts = ["a", {"type": "text", "text": "b"}, {"type": "image"}]
    assert messages_of({"type": "human", "content": parts})[0].content == "a\nb"
    assert messages_of({"type": "ai", "content": parts})[0].content == "ab"
    assert messages_of({"type": "ai", "content": "", "tool_calls": []}) == (Message("assistant"),)
    for other in (
        3,
        "text",
        ["a", "b", "c"],
        {"content": "no role"},
        {"type": "Document"},
        {"role": 7, "content": "x"},
    ):
        assert messages_of(other) == ()
    assert conversation([[{"role": "user", "content": "Hi"}]]) == (Message("user", "Hi"),)
    assert conversation({"role": "user"}) is None
    assert messages_of({"role": "user", "content": "HumanMessage(content='x')"}) == (Message("user"),)
    assert content_text(5, "user") is None


def test_flattened_messages_are_bounded() -> None:
    attributes = {f"m.{i}.message.role": "user" for i in range(2100)} | {"m.x.message.role": "user", "m.1": 2}
    assert len(flattened(attributes, "m.")) == 2000


def test_a_trace_knows_which_spans_lost_their_root() -> None:
    def span(number: int, parent: int | None, *, remote: bool | None = None) -> Span:
        above = None if parent is None else str(parent)
        return Span("t", str(number), above, "n", number, number, parent_remote=remote)

    whole = [span(1, None), span(2, 1), span(8, 9), span(9, 8), span(5, 55, remote=True), span(6, 5)]
    lost = [span(3, 33), span(4, 3), span(7, 4, remote=False)]
    trace = Trace.of("t", whole + lost)
    assert [s.span_id for s in trace.spans if trace.is_uprooted(s)] == ["3", "4", "7"]
