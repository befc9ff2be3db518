"""Haystack's own tracing: pipelines and agents without any instrumentation beside it."""

from __future__ import annotations

import json

from adapters.base import AdaptOptions
from adapters.detect import adapt_trace
from adapters.schema import Answer
from adapters.trace import Span, Trace
from tests.adapters.test_golden import only

QUESTION, ANSWER = "For how long are books lent?", "Books are lent for four weeks [1]."


def run(span_id: str, parent: str | None, kind: str, given: object, back: object) -> Span:
    attributes = {
        "haystack.component.name": kind.lower(),
        "haystack.component.type": kind,
        "haystack.component.input": json.dumps(given),
        "haystack.component.output": json.dumps(back),
    }
    return Span("t", span_id, parent, "haystack.component.run", 1, 2, attributes)


def answered(*spans: Span) -> Answer:
    (answer,) = adapt_trace(Trace.of("t", spans), AdaptOptions())
    return answer


def test_a_pipeline_gives_question_answer_passages_model_and_tokens() -> None:
    answer = only("ownhaystack-basic")
    assert (answer.source, answer.framework, answer.service) == ("haystack", "haystack", "library-desk")
    assert (answer.question, answer.answer, answer.model) == (QUESTION, ANSWER, "words-1")
    assert [passage.id for passage in answer.passages or ()] == ["LOAN-1@2", "LOAN-1@1"]
    assert [(passage.doc_id, passage.version) for passage in answer.passages or ()] == [
        ("LOAN-1", "2"),
        ("LOAN-1", "1"),
    ]
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.usage.completion_tokens) == (1, 28, 7)


def test_a_ranker_between_retrievers_and_model_is_a_stage() -> None:
    stages = only("ownhaystack-hybrid").stages or ()
    assert [(stage.kind, stage.name) for stage in stages if stage.kind == "rerank"] == [("rerank", "ranker")]
    assert {stage.name for stage in stages if stage.kind == "retrieve"} == {"words", "more", "DocumentJoiner"}


def test_what_a_tool_of_an_agent_found_is_a_passage() -> None:
    answer = only("ownhaystack-agent")
    assert (answer.question, answer.answer, answer.llm_calls) == (QUESTION, ANSWER, 2)
    assert [call.name for call in answer.tool_calls or ()] == ["handbook"]
    assert [passage.stage for passage in answer.passages or ()] == ["handbook"]


def test_without_contents_an_answer_says_that_they_are_withheld() -> None:
    answer = only("ownhaystack-redacted")
    assert "content_redacted" in answer.flags
    assert (answer.answer, answer.passages) == (None, None)


def test_a_component_of_any_name_is_what_it_gives_back() -> None:
    shelf = run("a", None, "Shelf", {"query": QUESTION}, {"documents": [{"id": "B-1", "content": "Four weeks."}]})
    voice = run(
        "b",
        None,
        "Voice",
        {"messages": [{"role": "user", "content": [{"text": QUESTION}]}]},
        {"replies": [{"role": "assistant", "content": [{"text": ANSWER}], "meta": {"model": "m-1"}}]},
    )
    pipeline = Span("t", "p", None, "haystack.pipeline.run", 1, 9, {"haystack.pipeline.metadata": "{}"})
    steps = [Span("t", each.span_id, "p", each.name, 2, 3, each.attributes) for each in (shelf, voice)]
    answer = answered(pipeline, *steps)
    assert (answer.question, answer.answer, answer.model) == (QUESTION, ANSWER, "m-1")
    assert [passage.id for passage in answer.passages or ()] == ["B-1"]


def test_the_name_of_a_socket_is_no_answer() -> None:
    attributes = {
        "gen_ai.system": "OpenAI",
        "llm.request.type": "chat",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "replies",
    }
    scope = "opentelemetry.instrumentation.haystack"
    call = Span("t", "c", "b", "haystack.openai.chat", 1, 2, attributes, scope_name=scope)
    said = {"replies": [{"role": "assistant", "content": [{"text": ANSWER}], "meta": {"model": "m-1"}}]}
    assert answered(run("b", None, "OpenAIChatGenerator", {"messages": []}, said), call).answer == ANSWER
