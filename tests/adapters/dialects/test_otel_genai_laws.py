"""Laws of the GenAI dialect that hold for any values: it is total, and a bad value costs what it stands for only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.base import MalformedRecord
from adapters.detect import AdaptOptions, adapt_trace
from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from adapters.schema import Answer
from adapters.trace import Event, Span, Trace

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
NS = 1_760_000_000_000_000_000
OPERATIONS = ("chat", "retrieval", "invoke_agent", "invoke_workflow", "execute_tool", "embeddings", "create_agent", "?")
KEYS = (
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.system_instructions",
    "gen_ai.retrieval.documents",
    "gen_ai.retrieval.query.text",
    "gen_ai.prompt",
    "gen_ai.completion",
    "gen_ai.prompt.variable.question",
    "gen_ai.prompt.version",
    "gen_ai.conversation.id",
    "gen_ai.request.model",
    "gen_ai.provider.name",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.cost",
    "gen_ai.response.time_to_first_chunk",
    "gen_ai.tool.name",
    "gen_ai.tool.call.arguments",
    "error.type",
    "final_result",
)
WORDS = st.sampled_from(
    ["user", "assistant", "tool", "text", "tool_call", "tool_call_response", "Is it so?", "[1]", ""]
)
FIELDS = st.sampled_from(
    ["role", "parts", "content", "type", "text", "name", "arguments", "response", "id", "score", "metadata", "function"]
)
JSON = st.recursive(
    WORDS | st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)
VALUES = JSON | JSON.map(lambda value: json.dumps(value, default=str)) | st.sampled_from(['{"a', "[" * 3000, "x" * 64])
BODIES = st.dictionaries(st.sampled_from(["body", "content", "message", "role", "gen_ai.event.content", *KEYS]), VALUES)
EVENTS = st.tuples(st.sampled_from([*sorted(CONTENT_EVENTS), "exception"]), BODIES)


@st.composite
def spans(draw: st.DrawFn) -> list[Span]:
    return [
        Span(
            trace_id=TRACE_ID,
            span_id=f"{number:016x}",
            parent_id=draw(st.none() | st.integers(0, 5).map(lambda n: f"{n:016x}")),
            name="span",
            start_ns=NS + number,
            end_ns=NS + draw(st.integers(0, 10**9)),
            attributes={
                "gen_ai.operation.name": draw(st.sampled_from(OPERATIONS)),
                **draw(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6)),
            },
            events=tuple(Event(name, 1, body) for name, body in draw(st.lists(EVENTS, max_size=3))),
            status_code=draw(st.integers(0, 2)),
        )
        for number in range(draw(st.integers(1, 5)))
    ]


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(spans())
def test_any_values_give_answers_that_can_be_written_or_are_malformed(found: list[Span]) -> None:
    try:
        answers = adapt_trace(Trace.of(TRACE_ID, found), AdaptOptions(max_passages=3))
    except MalformedRecord:
        return
    for answer in answers:
        assert Answer.model_validate_json(answer.model_dump_json()) == answer


def application(**bad: Any) -> list[Span]:
    """A question, a retrieval and an answer; ``bad`` values take the place of good ones."""
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "Four weeks [1]."}]}]
    asked = [{"role": "user", "parts": [{"type": "text", "content": "How long?"}]}]
    good = {
        "query": "how long",
        "documents": json.dumps([{"id": "a", "score": 0.5}]),
        "instructions": json.dumps([{"type": "text", "content": "Be brief."}]),
        "asked": json.dumps(asked),
        "said": json.dumps(said),
        "tokens": 10,
    } | bad
    retrieval = {"gen_ai.retrieval.query.text": good["query"], "gen_ai.retrieval.documents": good["documents"]}
    chat = {
        "gen_ai.system_instructions": good["instructions"],
        "gen_ai.input.messages": good["asked"],
        "gen_ai.output.messages": good["said"],
        "gen_ai.usage.input_tokens": good["tokens"],
        "gen_ai.usage.output_tokens": 5,
    }
    steps = (("invoke_workflow", None, {}), ("retrieval", 0, retrieval), ("chat", 0, chat))
    return [
        Span(
            trace_id=TRACE_ID,
            span_id=f"{number:016x}",
            parent_id=None if parent is None else f"{parent:016x}",
            name=operation,
            start_ns=NS + number,
            end_ns=NS + 1_000_000 - number,
            attributes={"gen_ai.operation.name": operation, **attributes},
        )
        for number, (operation, parent, attributes) in enumerate(steps)
    ]


FACTS = {
    "query": lambda answer: answer.queries == ("how long",),
    "documents": lambda answer: [passage.id for passage in answer.passages] == ["a"],
    "asked": lambda answer: bool(answer.question),
    "said": lambda answer: answer.answer == "Four weeks [1].",
    "tokens": lambda answer: answer.usage.prompt_tokens == 10,
}


@pytest.mark.parametrize("place", ["query", "documents", "instructions", "asked", "said", "tokens"])
@settings(max_examples=30, deadline=None)
@given(
    bad=st.none() | st.integers() | st.floats() | st.binary(max_size=3) | st.sampled_from(["{", "[[", "[7]", '"', ""])
)
def test_one_bad_value_costs_only_what_stood_in_its_place(place: str, bad: Any) -> None:
    (answer,) = adapt_trace(Trace.of(TRACE_ID, application(**{place: bad})), AdaptOptions())
    assert answer.llm_calls == 1
    assert [fact for fact, holds in FACTS.items() if fact != place and not holds(answer)] == []
