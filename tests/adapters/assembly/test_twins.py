"""Applications that two instrumentations watch: every step is counted once, and neither hides what the other tells."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.files.read import read
from adapters.schema import Answer
from adapters.trace import Span, Trace

TRACES = Path(__file__).parents[2] / "golden" / "traces"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
OPTIONS = AdaptOptions()


def told(name: str) -> list[tuple[Any, ...]]:
    """What must not depend on how many instrumentations watched."""
    found = []
    for answer in read((TRACES / f"{name}.otlp.pb").read_bytes(), OPTIONS):
        assert isinstance(answer, Answer)
        usage = answer.usage
        passages = [(passage.id, passage.text, passage.metadata) for passage in answer.passages or ()]
        found.append(
            (
                answer.question,
                answer.answer,
                passages,
                answer.context,
                answer.llm_calls,
                (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens),
                [tool.name for tool in answer.tool_calls or ()],
            )
        )
    return sorted(found, key=lambda row: row[0])


@pytest.mark.parametrize("other", ["langfuse", "openllmetry"])
@pytest.mark.parametrize("scenario", ["basic", "agent", "batch"])
def test_two_instrumentations_give_the_answers_that_one_gives(other: str, scenario: str) -> None:
    assert told(f"mixed-{other}-{scenario}") == told(f"langchain-{scenario}")


def span(number: int, parent: int | None, start: int, end: int, **attributes: Any) -> Span:
    return Span(
        TRACE_ID,
        f"{number:016x}",
        None if parent is None else f"{parent:016x}",
        f"step {number}",
        1_760_000_000_000_000_000 + start * 1_000_000,
        1_760_000_000_000_000_000 + end * 1_000_000,
        attributes,
    )


def root(**attributes: Any) -> Span:
    io = {"input.value": "How long?", "output.value": "Four weeks."}
    return span(1, None, 0, 100, **{"openinference.span.kind": "CHAIN"}, **io, **attributes)


def openinference_call(number: int, start: int, end: int, says: str | None, parent: int = 1, **more: Any) -> Span:
    attributes = {"openinference.span.kind": "LLM", "llm.model_name": "m-1", "llm.token_count.completion": 3}
    if says is not None:
        attributes["llm.output_messages.0.message.content"] = says
    return span(number, parent, start, end, **attributes, **more)


def genai_call(number: int, start: int, end: int, says: str | None, parent: int = 1, **more: Any) -> Span:
    attributes: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.usage.output_tokens": 3}
    if says is not None:
        message = {"role": "assistant", "parts": [{"type": "text", "content": says}]}
        attributes["gen_ai.output.messages"] = json.dumps([message])
    return span(number, parent, start, end, **attributes, **more)


def only(*spans: Span) -> Answer:
    (answer,) = adapt_trace(Trace.of(TRACE_ID, spans), OPTIONS)
    return answer


def test_a_client_seen_within_its_framework_is_one_call() -> None:
    inner = genai_call(3, 20, 80, "Four weeks.", parent=2, **{"gen_ai.response.model": "m-1-0424"})
    answer = only(root(), openinference_call(2, 10, 90, "Four weeks."), inner)
    assert (answer.llm_calls, answer.usage.completion_tokens, answer.model) == (1, 3, "m-1-0424")


def test_what_the_inner_span_hides_the_outer_one_tells() -> None:
    prompt = {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "How long?"}
    outer = openinference_call(2, 10, 90, "Four weeks.", **prompt)
    bare = span(1, None, 0, 100, **{"openinference.span.kind": "CHAIN"})
    answer = only(bare, outer, genai_call(3, 20, 80, None, parent=2))
    assert (answer.llm_calls, answer.question, answer.answer) == (1, "How long?", "Four weeks.")


def test_two_calls_side_by_side_that_say_the_same_are_one() -> None:
    answer = only(root(), openinference_call(2, 10, 90, "Four weeks."), genai_call(3, 11, 89, "Four weeks."))
    assert (answer.llm_calls, answer.usage.completion_tokens) == (1, 3)


def test_two_calls_side_by_side_that_say_different_things_are_two() -> None:
    answer = only(root(), openinference_call(2, 10, 90, "Four weeks."), genai_call(3, 11, 89, "Six weeks."))
    assert answer.llm_calls == 2


def test_two_calls_one_after_the_other_are_two_though_they_say_the_same() -> None:
    answer = only(root(), openinference_call(2, 10, 40, "Four weeks."), genai_call(3, 50, 90, "Four weeks."))
    assert (answer.llm_calls, answer.usage.completion_tokens) == (2, 6)


def asked(words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    message = {"role": "user", "parts": [{"type": "text", "content": words}]}
    return {"llm.input_messages.0.message.content": words}, {"gen_ai.input.messages": json.dumps([message])}


@pytest.mark.parametrize(
    ("words", "later", "calls"),
    [("How long?", 41, 1), ("How long?", 2_000, 2), ("How much?", 41, 2)],
)
def test_a_stream_that_a_framework_handed_over_is_the_clients_that_follows(words: str, later: int, calls: int) -> None:
    stream = openinference_call(2, 10, 40, "Four weeks.", **asked("How long?")[0])
    nested = openinference_call(3, 11, 39, "Four weeks.", parent=2, **asked("How long?")[0])
    client = genai_call(4, later, later + 20, "Four weeks.", **asked(words)[1])
    assert only(root(), stream, nested, client).llm_calls == calls


def test_each_of_two_streams_that_say_the_same_is_one_call() -> None:
    ours, theirs = asked("How long?")
    streams = [openinference_call(number, start, start + 10, "Four.", **ours) for number, start in ((2, 10), (4, 50))]
    clients = [genai_call(number, start, start + 10, "Four.", **theirs) for number, start in ((3, 21), (5, 61))]
    assert only(root(), *streams, *clients).llm_calls == 2


def test_one_call_has_one_twin_of_a_dialect() -> None:
    twice = [genai_call(number, 11, 89, "Four weeks.") for number in (3, 4)]
    assert only(root(), openinference_call(2, 10, 90, "Four weeks."), *twice).llm_calls == 2


def documents(*ids: str) -> str:
    return json.dumps([{"id": identity, "text": f"Text of {identity}."} for identity in ids])


def search(number: int, parent: int | None, start: int, end: int, *ids: str) -> Span:
    told = {"langfuse.observation.type": "span", "langfuse.observation.output": documents(*ids)}
    return replace(span(number, parent, start, end, **told), name="search")


def test_a_search_and_the_store_it_asks_are_one_retrieval() -> None:
    store = span(3, 2, 20, 30, **{"db.system": "chroma", "db.operation": "query"})
    store = replace(store, scope_name="opentelemetry.instrumentation.chromadb")
    answer = only(root(), search(2, 1, 10, 40, "a", "b"), store, openinference_call(4, 50, 90, "Four weeks."))
    assert [stage.kind for stage in answer.stages or ()] == ["retrieve"]
    assert [passage.id for passage in answer.passages or ()] == ["a", "b"]


def test_of_searches_within_each_other_the_innermost_is_the_retriever() -> None:
    nested = [search(2 + n, 1 + n, 10 + n, 2_000 - n, "a") for n in range(1_500)]
    answer = only(root(), *nested, openinference_call(2_000, 50, 90, "Four weeks."))
    assert [stage.name for stage in answer.stages or ()] == ["search"]
