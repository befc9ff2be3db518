"""Laws of adapting that hold for any spans: it is total, and does not depend on order, batching or repetition."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters import ADAPTERS
from adapters.base import MalformedRecord
from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.trace import Event, Span, Trace
from adapters.wire.otlp import decode_traces, group
from tests.adapters.odd_values import with_odd_values

RECORDED = sorted((Path(__file__).parents[1] / "golden" / "traces").glob("*.otlp.pb"))
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
KINDS = ("CHAIN", "RETRIEVER", "RERANKER", "LLM", "EMBEDDING", "TOOL", "AGENT", "PROMPT", "EVALUATOR", "odd")
SCOPES = ("langchain", "llama_index", "haystack", "")
KEYS = (
    "input.value",
    "output.value",
    "input.mime_type",
    "output.mime_type",
    "session.id",
    "metadata",
    "llm.model_name",
    "llm.token_count.prompt",
    "llm.token_count.total",
    "llm.cost.total",
    "llm.prompts",
    "llm.prompt_template.template",
    "llm.prompt_template.variables",
    "llm.input_messages.0.message.role",
    "llm.input_messages.0.message.content",
    "llm.input_messages.1.message.contents.0.message_content.text",
    "llm.output_messages.0.message.content",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name",
    "llm.output_messages.9999999.message.content",
    "retrieval.documents.0.document.id",
    "retrieval.documents.0.document.content",
    "retrieval.documents.3.document.score",
    "retrieval.documents.3.document.metadata",
    "reranker.input_documents.0.document.content",
    "reranker.output_documents.0.document.id",
    "reranker.query",
    "tool.name",
)
TEXTS = st.sampled_from(
    [
        "__REDACTED__",
        "application/json",
        "Is it so?",
        "It is so [1].",
        "user",
        "assistant",
        "tool",
        "<generator object>",
        "Document(id=a, content: 'x...', score: 1.0)",
        '{"question": "Is it so?"}',
        '{"messages": [{"type": "human", "data": {"content": "Is it so?"}}]}',
        '{"answer": {"answer": {"answer": {"answer": {"answer": 1}}}}}',
        '{"documents": [{"id": 1, "page_content": "x", "metadata": {"score": 1e999}}]}',
        '{"documents": ["Document(id=", "NodeWithScore(id_=", 7]}',
        '{"doc_id": "D", "version": "2", "effective_from": "2025-13-45", "effective_to": 1e300, "supersedes": [1]}',
        '{"doc_id": "D", "vers',
        "[" * 3000,
        '{"a":' * 300 + "1" + "}" * 300,
        "x" * 64,
        "y" * 64,
    ]
)
VALUES = (
    TEXTS
    | st.text(max_size=30)
    | st.integers()
    | st.floats()
    | st.booleans()
    | st.none()
    | st.binary(max_size=5)
    | st.lists(st.text(max_size=5) | st.integers() | st.none(), max_size=3)
    | st.dictionaries(st.text(max_size=5), st.floats() | st.binary(max_size=3), max_size=3)
)


@st.composite
def spans(draw: st.DrawFn) -> list[Span]:
    found = []
    for number in range(draw(st.integers(1, 7))):
        kind = draw(st.none() | st.sampled_from(KINDS))
        attributes: dict[str, Any] = draw(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=10))
        if kind is not None:
            attributes["openinference.span.kind"] = kind
        scope = draw(st.sampled_from(SCOPES))
        start = draw(st.integers(0, 2**64 - 1) | st.just(1_760_000_000_000_000_000))
        found.append(
            Span(
                trace_id=TRACE_ID,
                span_id=f"{number:016x}",
                parent_id=draw(st.none() | st.integers(0, 8).map(lambda n: f"{n:016x}")),
                name=draw(st.sampled_from(["X._retrieve", "X.retrieve", "DocumentJoiner.run", "agent", ""])),
                start_ns=start,
                end_ns=draw(st.integers(0, 2**64 - 1) | st.just(start)),
                attributes=attributes,
                events=(Event("exception", 1, {"exception.type": draw(VALUES), "exception.message": draw(VALUES)}),),
                status_code=draw(st.integers(0, 3)),
                status_message=draw(st.text(max_size=20) | st.just("E('x')Traceback (most recent call last)")),
                scope_name=f"openinference.instrumentation.{scope}" if scope else "app",
                resource=draw(
                    st.dictionaries(st.sampled_from(["service.name", "service.version"]), VALUES, max_size=2)
                ),
            )
        )
    return found


OPTIONS = AdaptOptions(attributes={"session": "session.id", "doc": "doc_id"}, max_text_chars=500, max_passages=3)


def adapted(found: list[Span]) -> tuple[Answer, ...] | str:
    try:
        return adapt_trace(Trace.of(TRACE_ID, found), OPTIONS)
    except MalformedRecord as error:
        return error.reason


@settings(max_examples=100, deadline=None)
@given(spans())
def test_any_spans_give_answers_that_can_be_written_or_are_malformed(found: list[Span]) -> None:
    answers = adapted(found)
    if isinstance(answers, str):
        return
    assert len({answer.id for answer in answers}) == len(answers)
    for answer in answers:
        assert "__REDACTED__" not in (answer.question, answer.answer)
        assert Answer.model_validate_json(answer.model_dump_json()) == answer
        json.loads(answer.model_dump_json())
        assert {*(answer.context or ())} <= {passage.id for passage in answer.passages or ()}


@settings(max_examples=50, deadline=None)
@given(spans(), st.randoms(use_true_random=False))
def test_order_and_repetition_of_spans_change_nothing(found: list[Span], random: Any) -> None:
    shuffled = [*found, *found[:2]]
    random.shuffle(shuffled)
    assert repr(adapted(shuffled)) == repr(adapted(found))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(RECORDED), st.integers(0, 2**32))
def test_a_recorded_trace_with_values_of_other_types_gives_answers_or_is_malformed(path: Path, seed: int) -> None:
    """A compiled function checks the types that its source only states: here it meets what a trace may hold."""
    for trace in group(decode_traces(path.read_bytes()).spans):
        answers = adapted(with_odd_values(trace.spans, Random(seed)))
        written = [answer.model_dump_json() for answer in answers if isinstance(answer, Answer)]
        assert isinstance(answers, str) or tuple(map(Answer.model_validate_json, written)) == answers


def test_structured_metadata_is_kept_as_json_would_hold_it(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(
        root, {"id": "a"}, attributes={"retrieval.documents.0.document.metadata": {"x": b"\xff", "y": math.nan}}
    )
    app.model(root)
    (passage,) = app.answer().passages
    assert passage.metadata == {"x": "ff", "y": None}


def test_an_answer_that_breaks_the_schema_is_a_malformed_record(monkeypatch) -> None:
    def broken(*_: Any) -> Any:
        yield Answer(id="a", llm_calls=-1)

    monkeypatch.setattr("adapters.detect.answers_of", broken)
    span = Span(TRACE_ID, "1", None, "n", 1, 2, {"openinference.span.kind": "LLM"})
    assert "llm_calls" in adapted([span])


def test_every_adapter_has_a_dialect_of_its_own() -> None:
    assert len({adapter.dialect for adapter in ADAPTERS}) == len(ADAPTERS)


def test_an_empty_trace_has_no_answer() -> None:
    assert adapt_trace(Trace.of(TRACE_ID, []), OPTIONS) == ()
