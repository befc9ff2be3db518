"""Spans of the GenAI conventions: recorded ones of the official instrumentations, and what frameworks write of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.assembly.messages import Message
from adapters.assembly.view import Reading
from adapters.detect import AdaptOptions, adapt_trace, dialect_of
from adapters.dialects.otel_genai.adapter import OtelGenAI
from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from adapters.dialects.otel_genai.view import OtelGenAIView
from adapters.files.read import read
from adapters.schema import Answer, ToolCall
from adapters.trace import Event, Span, Trace

TRACES = Path(__file__).parents[2] / "golden" / "traces"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
NS = 1_760_000_000_000_000_000
QUESTION = "For how long are books lent?"
ANSWER = "Books are lent for four weeks [1]."
ASKED = [{"role": "user", "parts": [{"type": "text", "content": "How long?"}]}]
SAID = [{"role": "assistant", "parts": [{"type": "text", "content": "Four weeks."}], "finish_reason": "stop"}]


def recorded(name: str) -> list[Answer]:
    records = list(read((TRACES / f"genai-{name}.otlp.pb").read_bytes(), AdaptOptions()))
    assert all(isinstance(record, Answer) for record in records)
    return records


def only(name: str) -> Answer:
    (answer,) = recorded(name)
    return answer


def span(operation: str | None = "chat", attributes: Mapping[str, Any] | None = None, **given: Any) -> Span:
    told = {} if operation is None else {"gen_ai.operation.name": operation}
    number = given.pop("number", 1)
    return Span(
        trace_id=TRACE_ID,
        span_id=f"{number:016x}",
        parent_id=given.pop("parent", None),
        name=given.pop("name", operation or "span"),
        start_ns=NS + number * 1_000_000,
        end_ns=NS + 100_000_000 - number * 1_000_000,
        attributes={**told, **(attributes or {})},
        **given,
    )


def view(operation: str | None = "chat", attributes: Mapping[str, Any] | None = None, **given: Any) -> OtelGenAIView:
    reading = Reading(cap=given.pop("cap", None), json_limit=100_000)
    found = OtelGenAI().view(span(operation, attributes, **given), reading)
    assert isinstance(found, OtelGenAIView)
    return found


def answers(*spans: Span) -> tuple[Answer, ...]:
    return adapt_trace(Trace.of(TRACE_ID, spans), AdaptOptions())


def events(*named: tuple[str, Mapping[str, Any]]) -> tuple[Event, ...]:
    return tuple(Event(name, NS + number, attributes) for number, (name, attributes) in enumerate(named))


# --- recorded applications -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["basic", "both", "events", "chain", "chain-events", "streaming", "cut"])
def test_question_and_answer_are_found_wherever_content_is_captured(name: str) -> None:
    answer = only(name)
    assert (answer.question, answer.answer) == (QUESTION, ANSWER)
    assert (answer.source, answer.llm_calls, answer.status) == ("otel_genai", 1, "ok")
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
    # Content as events holds the messages of models: what the search found is nowhere.
    told = {"cut": {"content_truncated"}, "events": {"evidence_missing"}, "chain-events": {"evidence_missing"}}
    assert answer.flags == told.get(name, set())


@pytest.mark.parametrize("name", ["older-basic", "older-streaming", "older-agent"])
def test_the_instrumentation_that_logged_each_message_is_read_as_well(name: str) -> None:
    answer = only(name)
    assert (answer.question, answer.answer, answer.provider) == (QUESTION, ANSWER, "openai")
    assert [call.name for call in answer.tool_calls] == (["handbook"] if name == "older-agent" else [])
    assert answer.flags == frozenset()


def test_content_in_attributes_and_in_events_is_counted_once() -> None:
    both, single = only("both"), only("basic")
    assert (both.usage.total_tokens, both.history, both.tool_calls) == (single.usage.total_tokens, (), ())


@pytest.mark.parametrize("name", ["off", "chain-off", "older-off"])
def test_content_that_is_switched_off_leaves_a_flagged_answer(name: str) -> None:
    answer = only(name)
    assert (answer.question, answer.answer, answer.passages) == (None, None, None)
    assert answer.flags == {"content_redacted", "answer_missing"}
    assert answer.usage.prompt_tokens
    assert answer.model == "librarian-1-0424"


def test_documents_have_an_id_and_a_score_and_no_text() -> None:
    answer = only("basic")
    assert [(p.id, p.score, p.text, p.metadata) for p in answer.passages] == [
        ("LOAN-1@2", 2.0, None, None),
        ("LOAN-1@1", 2.0, None, None),
    ]
    assert answer.citations[0].passage_id == "LOAN-1@2"
    assert [(stage.kind, stage.query) for stage in answer.stages] == [("retrieve", QUESTION)]


def test_a_text_that_the_prompt_labels_with_an_id_is_the_passages() -> None:
    assert [passage.text for passage in only("labelled").passages] == [
        "Books are lent for four weeks. Films are lent for one week.",
        "Books are lent for three weeks.",
    ]


def test_a_retrieval_whose_content_was_not_captured_is_known_to_have_been() -> None:
    answer = only("events")
    assert answer.passages is None
    assert [(stage.kind, stage.output_ids) for stage in answer.stages] == [("retrieve", None)]


@pytest.mark.parametrize("name", ["model-fails", "chain-fails", "older-model-fails"])
def test_a_failure_has_its_type_and_message(name: str) -> None:
    answer = only(name)
    assert (answer.status, answer.question, answer.answer) == ("error", QUESTION, None)
    assert answer.error.startswith("RateLimitError: Error code: 429 - ")
    assert "too many questions today" in answer.error
    assert answer.flags == frozenset()


def test_a_conversation_has_its_id_its_history_and_the_embedder() -> None:
    answer = only("conversation")
    assert answer.session_id == "visit-7"
    assert [turn.content for turn in answer.history] == ["Do you lend films?", "Yes, for one week."]
    assert answer.question == "And how long are books lent?"
    assert answer.versions["embedder"] == "embed-2"


@pytest.mark.parametrize("name", ["agent", "graph"])
def test_an_agent_gives_the_words_of_its_user_and_the_tools_it_asked_for(name: str) -> None:
    answer = only(name)
    assert (answer.question, answer.answer, answer.llm_calls) == (QUESTION, ANSWER, 2)
    assert answer.tool_calls == (ToolCall(name="handbook", arguments='{"query":"books lent weeks"}', id="call_1"),)
    assert answer.queries == ("books lent weeks",)


@pytest.mark.parametrize("name", ["pydantic-ai", "strands", "strands-now"])
def test_agents_whose_framework_writes_the_conventions_itself_are_read(name: str) -> None:
    answer = only(f"native-{name}")
    assert (answer.question, answer.answer.strip(), answer.llm_calls) == (QUESTION, ANSWER, 2)
    assert [(call.name, json.loads(call.arguments)) for call in answer.tool_calls] == [
        ("handbook", {"query": "books lent weeks"})
    ]
    assert answer.framework == name.removesuffix("-now").replace("-", "")
    assert answer.flags == frozenset()


def test_what_a_framework_redacts_is_not_told() -> None:
    answer = only("native-strands-redacted")
    assert (answer.question, answer.answer, answer.history) == (None, None, ())
    assert answer.flags == {"content_redacted", "answer_missing"}
    assert "[REDACTED]" not in answer.model_dump_json()


def test_an_agent_told_of_by_events_is_read_as_well() -> None:
    answer = only("agent-events")
    assert (answer.question, answer.answer) == (QUESTION, ANSWER)
    assert [call.name for call in answer.tool_calls] == ["handbook"]


def test_an_agent_that_runs_at_its_providers_is_one_model_call() -> None:
    answer = only("remote-agent")
    assert (answer.question, answer.answer, answer.llm_calls) == (QUESTION, ANSWER, 1)
    assert answer.usage.total_tokens == 19


def test_a_stream_tells_when_its_first_words_came() -> None:
    answer = only("streaming")
    assert 0 < answer.usage.first_token_ms <= answer.usage.latency_ms
    assert only("basic").usage.first_token_ms is None


def test_what_a_workflow_is_given_as_a_state_is_read_by_its_keys() -> None:
    answer = only("chain-history")
    assert answer.question == "And how long are books lent?"
    assert only("chain-streams").question == "What does an overdue book cost?"


def test_thoughts_and_pictures_are_no_words_and_a_prompt_has_its_version() -> None:
    answer = only("by-hand")
    assert (answer.question, answer.answer) == (QUESTION, ANSWER)
    assert answer.versions["prompt"] == "2026-11"


def test_a_retrieval_alone_is_no_answer() -> None:
    assert recorded("retriever-only") == []


# --- which spans, and what they are ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("chat", "LLM"),
        ("text_completion", "LLM"),
        ("generate_content", "LLM"),
        ("embeddings", "EMBEDDING"),
        ("retrieval", "RETRIEVER"),
        ("execute_tool", "TOOL"),
        ("invoke_agent", "AGENT"),
        ("invoke_workflow", "CHAIN"),
        ("create_agent", "OTHER"),
        ("execute_event_loop_cycle", "OTHER"),
    ],
)
def test_the_operation_tells_the_kind(operation: str, kind: str) -> None:
    assert view(operation).kind == kind


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({"gen_ai.retrieval.documents": "[]"}, "RETRIEVER"),
        ({"gen_ai.tool.name": "handbook"}, "TOOL"),
        ({"gen_ai.output.messages": "[]"}, "LLM"),
        ({"gen_ai.usage.output_tokens": 3}, "LLM"),
        ({"gen_ai.agent.name": "clerk"}, "OTHER"),
    ],
)
def test_a_span_that_lost_its_operation_is_known_by_its_keys(attributes: Mapping[str, Any], kind: str) -> None:
    assert view(None, attributes).kind == kind


@pytest.mark.parametrize(
    ("scope", "framework"),
    [
        ("opentelemetry.instrumentation.genai.langchain", "langchain"),
        ("opentelemetry.instrumentation.genai.openai", None),
        ("opentelemetry.instrumentation.llama_index", "llamaindex"),
        ("pydantic-ai", "pydanticai"),
        ("", None),
    ],
)
def test_the_framework_is_in_the_name_of_the_scope(scope: str, framework: str | None) -> None:
    assert view(scope_name=scope).framework == framework


def test_spans_are_claimed_by_their_operation_or_their_scope() -> None:
    assert dialect_of(span("chat", scope_name="Microsoft.SemanticKernel")) == "otel_genai"
    assert dialect_of(span(None, scope_name="opentelemetry.util.genai.handler")) == "otel_genai"
    assert dialect_of(span(None, {"http.route": "/"}, scope_name="opentelemetry.instrumentation.asgi")) is None
    assert dialect_of(span("chat", {"openinference.span.kind": "LLM"})) == "openinference"


def test_an_agent_that_is_only_created_is_no_answer() -> None:
    assert answers(span("create_agent", {"gen_ai.agent.name": "clerk", "gen_ai.request.model": "m-1"})) == ()


def test_an_evaluation_is_no_content() -> None:
    assert "gen_ai.evaluation.result" not in CONTENT_EVENTS
    score = ("gen_ai.evaluation.result", {"gen_ai.evaluation.name": "relevance", "gen_ai.evaluation.score.value": 0.5})
    found = view(events=events(score))
    assert (found.inputs, found.outputs, found.redacted) == ((), (), True)


# --- where content stands ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [json.dumps, lambda value: value], ids=["JSON", "structured"])
def test_messages_are_read_as_json_text_and_as_structured_values(written: Any) -> None:
    system = [{"type": "text", "content": "Be brief."}]
    found = view(
        attributes={
            "gen_ai.system_instructions": written(system),
            "gen_ai.input.messages": written(ASKED),
            "gen_ai.output.messages": written(SAID),
        }
    )
    assert found.inputs == (Message("system", "Be brief."), Message("user", "How long?"))
    assert found.outputs == (Message("assistant", "Four weeks."),)
    assert not found.redacted


def test_attributes_without_a_value_are_absent() -> None:
    found = view(attributes={"gen_ai.input.messages": None, "gen_ai.usage.input_tokens": None})
    assert (found.inputs, found.tokens("prompt"), found.redacted) == ((), None, True)


def test_details_come_in_one_event_or_in_several() -> None:
    details = "gen_ai.client.inference.operation.details"
    whole = view(events=events((details, {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID})))
    parts = view(
        events=events(
            (details, {"gen_ai.input.messages": json.dumps(ASKED)}),
            (details, {"body": {"gen_ai.output.messages": SAID}}),
        )
    )
    assert (whole.inputs, whole.outputs) == (parts.inputs, parts.outputs)
    assert whole.outputs == (Message("assistant", "Four weeks."),)


OLDER_CALL = {"id": "c1", "type": "function", "function": {"name": "handbook", "arguments": '{"q": 1}'}}
OLDER = {
    "bodies": (
        ("gen_ai.system.message", {"body": {"content": "Be brief."}}),
        ("gen_ai.user.message", {"body": {"content": "How long?"}}),
        ("gen_ai.assistant.message", {"body": {"tool_calls": [OLDER_CALL]}}),
        ("gen_ai.tool.message", {"body": {"id": "c1", "content": "[1] Four weeks."}}),
        ("gen_ai.choice", {"body": {"index": 0, "message": {"role": "assistant", "content": "Four weeks."}}}),
    ),
    "bodies of JSON text": (
        ("gen_ai.system.message", {"body": '{"role": "system", "content": "Be brief."}'}),
        ("gen_ai.user.message", {"body": '{"role": "user", "content": "How long?"}'}),
        ("gen_ai.assistant.message", {"body": json.dumps({"tool_calls": [OLDER_CALL]})}),
        ("gen_ai.tool.message", {"body": '{"id": "c1", "content": "[1] Four weeks."}'}),
        ("gen_ai.choice", {"body": '{"index": 0, "message": {"role": "assistant", "content": "Four weeks."}}'}),
    ),
    "one attribute of JSON text": (
        ("gen_ai.system.message", {"gen_ai.event.content": '{"content": "Be brief."}'}),
        ("gen_ai.user.message", {"gen_ai.event.content": '{"content": "How long?"}'}),
        ("gen_ai.assistant.message", {"gen_ai.event.content": json.dumps({"tool_calls": [OLDER_CALL]})}),
        ("gen_ai.tool.message", {"gen_ai.event.content": '{"content": "[1] Four weeks."}'}),
        ("gen_ai.choice", {"gen_ai.event.content": '{"message": {"content": "Four weeks."}}'}),
    ),
    "attributes, as Strands Agents": (
        ("gen_ai.system.message", {"content": '[{"text": "Be brief."}]'}),
        ("gen_ai.user.message", {"content": '[{"text": "How long?"}]'}),
        (
            "gen_ai.assistant.message",
            {"content": '[{"toolUse": {"name": "handbook", "input": {"q": 1}, "toolUseId": "c1"}}]'},
        ),
        ("gen_ai.tool.message", {"content": '[{"toolResult": {"content": "[1] Four weeks.", "toolUseId": "c1"}}]'}),
        ("gen_ai.choice", {"message": '[{"text": "Four weeks."}]', "finish_reason": "end_turn"}),
    ),
    "parts, as Google's": (
        ("gen_ai.system.message", {"body": {"content": {"parts": [{"text": "Be brief."}]}}}),
        ("gen_ai.user.message", {"body": {"content": {"parts": [{"text": "How long?"}], "role": "user"}}}),
        (
            "gen_ai.assistant.message",
            {"body": {"content": [{"function_call": {"name": "handbook", "args": {"q": 1}, "id": "c1"}}]}},
        ),
        ("gen_ai.tool.message", {"body": {"content": "[1] Four weeks."}}),
        ("gen_ai.choice", {"body": {"content": {"parts": [{"text": "Four weeks."}], "role": "model"}}}),
    ),
}


@pytest.mark.parametrize("told", OLDER.values(), ids=OLDER)
def test_a_conversation_of_an_event_a_message_is_read(told: Any) -> None:
    found = view(attributes={"gen_ai.system": "openai"}, events=events(*told))
    assert [(message.role, message.content) for message in found.inputs] == [
        ("system", "Be brief."),
        ("user", "How long?"),
        ("assistant", None),
        ("tool", "[1] Four weeks."),
    ]
    (call,) = found.inputs[2].tool_calls
    assert (call.name, json.loads(call.arguments), call.id) == ("handbook", {"q": 1}, "c1")
    assert found.outputs == (Message("assistant", "Four weeks."),)
    assert found.provider == "openai"


def test_events_without_content_show_that_it_was_withheld() -> None:
    told = (("gen_ai.user.message", {"body": {}}), ("gen_ai.choice", {"body": {"message": {"role": "assistant"}}}))
    found = view(events=events(*told))
    assert found.redacted
    assert all(message.content is None for message in (*found.inputs, *found.outputs))


@pytest.mark.parametrize("prompt", ["How long?", '["How long?"]', '[{"role": "user", "content": "How long?"}]'])
@pytest.mark.parametrize("where", ["event", "attribute"])
def test_a_prompt_and_a_completion_of_older_generations_are_read(prompt: str, where: str) -> None:
    given = {"gen_ai.prompt": prompt}, {"gen_ai.completion": "Four weeks."}
    if where == "event":
        found = view(events=events(("gen_ai.content.prompt", given[0]), ("gen_ai.content.completion", given[1])))
    else:
        found = view(attributes=given[0] | given[1])
    assert found.inputs == (Message("user", "How long?"),)
    assert found.outputs == (Message("assistant", "Four weeks."),)


def test_what_strands_agents_redacts_is_withheld() -> None:
    told = (("gen_ai.user.message", {"content": "[REDACTED]"}), ("gen_ai.choice", {"message": "[REDACTED]"}))
    assert view(events=events(*told)).redacted
    assert view(attributes={"gen_ai.input.messages": "[REDACTED]"}).redacted


@pytest.mark.parametrize(
    ("cut", "left"),
    [
        ('[{"role":"assistant","parts":[{"type":"text","content":"Four we', "Four we"),
        ('[{"role":"assistant","parts":[{"type":"text","content":"Four weeks."}],"fin', "Four weeks."),
        ('[{"role":"assistant","parts":[{"type":"text","content":"Four\\u00', None),
        ("Four wee", "Four wee"),
    ],
)
def test_what_is_left_of_an_answer_that_was_cut_is_kept(cut: str, left: str | None) -> None:
    (message,) = view(attributes={"gen_ai.output.messages": cut}, cap=len(cut)).outputs
    assert message.content == left


def test_an_agent_of_pydantic_ai_is_read_by_its_own_names() -> None:
    found = view(
        "invoke_agent", {"pydantic_ai.all_messages": json.dumps([*ASKED, *SAID]), "final_result": "Four weeks."}
    )
    assert found.input["messages"][0] == {"role": "user", "content": "How long?"}
    assert found.output == [{"role": "assistant", "content": "Four weeks."}]


# --- parts -----------------------------------------------------------------------------------------------------------


def test_only_text_is_words() -> None:
    parts = [
        {"type": "reasoning", "content": "Three or four?"},
        {"type": "text", "content": "Four "},
        {"type": "blob", "mime_type": "image/png", "modality": "image", "content": "aGk="},
        {"type": "uri", "modality": "image", "uri": "https://library.example/card.png"},
        {"type": "file", "modality": "document", "file_id": "f-1"},
        {"type": "compaction", "content": "They asked about books."},
        {"type": "of tomorrow", "content": "?"},
        {"text": "a thought", "thought": True},
        {"type": "text", "content": "weeks."},
        7,
        None,
    ]
    found = view(attributes={"gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": parts}])})
    assert found.outputs == (Message("assistant", "Four weeks."),)


def test_a_tools_answer_among_a_users_parts_is_not_the_users() -> None:
    parts = [
        {"type": "tool_call_response", "id": "c1", "response": {"found": ["Four weeks."]}},
        {"type": "text", "content": "How long?"},
    ]
    found = view(attributes={"gen_ai.input.messages": [{"role": "user", "parts": parts}]})
    assert found.inputs == (Message("tool", '{"found":["Four weeks."]}'), Message("user", "How long?"))


def test_calls_of_tools_keep_their_arguments_as_text() -> None:
    parts = [
        {"type": "tool_call", "id": "c1", "name": "handbook", "arguments": '{"q": 1}'},
        {"type": "tool_call", "name": "clock"},
        {"type": "server_tool_call", "name": "web", "server_tool_call": {"type": "search"}},
        {"type": "tool_call", "arguments": {}},
    ]
    (message,) = view(attributes={"gen_ai.output.messages": [{"role": "assistant", "parts": parts}]}).outputs
    assert message.tool_calls == (
        ToolCall(name="handbook", arguments='{"q": 1}', id="c1"),
        ToolCall(name="clock"),
        ToolCall(name="web", arguments='{"type":"search"}'),
    )


def test_one_bad_message_does_not_hide_the_others() -> None:
    given = [7, None, {"role": 5, "parts": "How"}, {"parts": {"type": ["text"]}}, {"a": 1}, *ASKED]
    assert [m.content for m in view(attributes={"gen_ai.input.messages": given}).inputs] == ["How", None, "How long?"]


@pytest.mark.parametrize("bad", [5, True, 1.5, b"\x00", {"a": 1}, [], [[[]]], "", "  ", '{"a":', "[1, 2]"])
def test_bad_values_say_nothing_and_stop_nothing(bad: Any) -> None:
    keys = ("system_instructions", "input.messages", "output.messages", "retrieval.documents", "retrieval.query.text")
    found = view("retrieval", {f"gen_ai.{key}": bad for key in keys})
    assert isinstance(found.inputs, tuple)
    assert isinstance(found.outputs, tuple)
    assert found.documents("retrieved", most=10) in (None, ())


# --- figures and facts -----------------------------------------------------------------------------------------------


def test_figures_are_read_by_their_present_names_first() -> None:
    found = view(
        attributes={
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.prompt_tokens": 99,
            "gen_ai.usage.completion_tokens": 5,
            "gen_ai.request.model": "m",
            "gen_ai.response.model": "m-1",
            "gen_ai.provider.name": "openai",
            "gen_ai.system": "az.ai",
            "gen_ai.response.time_to_first_chunk": 0.25,
            "operation.cost": 0.001,
        }
    )
    assert [found.tokens(which) for which in ("prompt", "completion", "total")] == [10, 5, None]
    assert (found.model, found.provider, found.cost) == ("m-1", "openai", 0.001)
    assert found.first_token_ns == found.span.start_ns + 250_000_000


@pytest.mark.parametrize("seconds", [-1, "soon", None, float("nan")])
def test_a_first_token_before_the_call_is_not_reported(seconds: Any) -> None:
    assert view(attributes={"gen_ai.response.time_to_first_chunk": seconds}).first_token_ns is None


def test_documents_may_say_more_than_the_conventions_have() -> None:
    found = view(
        "retrieval",
        {
            "gen_ai.retrieval.query.text": "long",
            "gen_ai.retrieval.documents": [
                {"id": "a", "score": 0.5, "content": "Four weeks.", "metadata": {"doc_id": "LOAN-1", "raw": b"\x01"}},
                {"id": 7, "text": "Three weeks."},
                "LOAN-1",
            ],
        },
    )
    first, second = found.documents("retrieved", most=10)
    assert (first.id, first.text, first.score, first.metadata) == (
        "a",
        "Four weeks.",
        0.5,
        {"doc_id": "LOAN-1", "raw": "01"},
    )
    assert (second.id, second.text, second.score) == ("7", "Three weeks.", None)
    assert found.query == "long"
    assert found.documents("reranked", most=10) is None


def test_a_retrieval_that_found_nothing_is_empty_not_unknown() -> None:
    assert view("retrieval", {"gen_ai.retrieval.documents": "[]"}).documents("retrieved", most=10) == ()
    assert view("retrieval").documents("retrieved", most=10) is None


@pytest.mark.parametrize(
    ("kind", "message", "told"),
    [
        ("openai.RateLimitError", "too many", ("openai.RateLimitError", "too many")),
        ("_OTHER", "too many", (None, "too many")),
        ("timeout", "", ("timeout", None)),
        (None, "too many", None),
    ],
)
def test_an_error_has_its_type_and_the_message_of_the_status(kind: str | None, message: str, told: Any) -> None:
    found = view(attributes={"error.type": kind}, status_code=2, status_message=message)
    assert found.error == told


def test_variables_of_a_prompt_hold_the_question() -> None:
    call = span(
        attributes={
            "gen_ai.prompt.variable.question": QUESTION,
            "gen_ai.prompt.variable.context": "[1] Four weeks.",
            "gen_ai.input.messages": json.dumps(
                [{"role": "system", "parts": [{"type": "text", "content": "[1] ..."}]}]
            ),
            "gen_ai.output.messages": json.dumps(SAID),
        }
    )
    (answer,) = answers(call)
    assert answer.question == QUESTION


def messages(*said: tuple[str, str]) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in said])


@pytest.mark.parametrize(
    ("given", "question"),
    [
        ((("system", "Make it a question by itself."), ("user", "and films?")), "and films?"),
        ((("user", "History: ...\nMake this a question by itself: and films?"),), "How long are films lent?"),
    ],
)
def test_of_a_question_that_a_model_put_into_other_words_the_users_count(given: Any, question: str) -> None:
    root = span("invoke_workflow")
    said = {"gen_ai.output.messages": messages(("assistant", "How long are films lent?"))}
    rewrite = span("chat", {"gen_ai.input.messages": messages(*given), **said}, number=2, parent=root.span_id)
    rewrite = replace(rewrite, end_ns=rewrite.start_ns + 10)
    query = {"gen_ai.retrieval.query.text": "How long are films lent?"}
    search = span("retrieval", query, number=3, parent=root.span_id)
    asked = {"gen_ai.input.messages": messages(*given), "gen_ai.output.messages": json.dumps(SAID)}
    (answer,) = answers(root, rewrite, search, span("chat", asked, number=4, parent=root.span_id))
    assert (answer.question, answer.queries) == (question, ("How long are films lent?",))


def test_a_call_that_failed_before_one_whose_content_is_off_is_no_failure() -> None:
    failed = replace(span("chat", {"error.type": "timeout"}, status_code=2), end_ns=NS + 2_000_000)
    (answer,) = answers(failed, span("chat", {"gen_ai.usage.output_tokens": 7}, number=2))
    assert (answer.status, answer.llm_calls) == ("ok", 2)


def test_an_agents_own_count_is_not_added_to_that_of_its_calls() -> None:
    agent = span("invoke_agent", {"gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 9})
    counts = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 3}
    content = {"gen_ai.input.messages": json.dumps(ASKED), "gen_ai.output.messages": json.dumps(SAID)}
    calls = [span("chat", counts | content, number=n, parent=agent.span_id) for n in (2, 3, 4)]
    (answer,) = answers(agent, *calls)
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.llm_calls) == (30, 9, 3)


def test_log_records_of_a_span_are_its_content_in_any_order() -> None:
    call = span(attributes={"gen_ai.usage.input_tokens": 10})
    details = {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID}
    told = Span(
        TRACE_ID,
        call.span_id,
        None,
        "",
        0,
        0,
        events=events(("gen_ai.client.inference.operation.details", details)),
    )
    (answer,) = answers(call, told)
    assert (answer.question, answer.answer, answer.flags) == ("How long?", "Four weeks.", frozenset())
    assert answers(told, call) == (answer,)
    assert answers(told) == ()


def test_a_remote_agent_whose_content_is_off_is_flagged_and_a_local_one_is_as_its_calls_are() -> None:
    counts = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 3}
    content = {"gen_ai.input.messages": json.dumps(ASKED), "gen_ai.output.messages": json.dumps(SAID)}
    agent = span("invoke_agent", counts)
    (remote,) = answers(agent)
    assert remote.flags == {"content_redacted", "answer_missing"}
    (local,) = answers(agent, span("chat", counts | content, number=2, parent=agent.span_id))
    assert (local.answer, local.flags) == ("Four weeks.", frozenset())


def test_content_that_another_instrumentation_shows_is_not_withheld() -> None:
    around = {
        "openinference.span.kind": "LLM",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": QUESTION,
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": ANSWER,
    }
    outer = span(None, around, name="ChatOpenAI")
    inner = span("chat", {"gen_ai.usage.output_tokens": 7}, number=2, parent=outer.span_id)
    (answer,) = answers(outer, inner)
    assert (answer.question, answer.answer, answer.llm_calls) == (QUESTION, ANSWER, 1)
    assert answer.usage.completion_tokens == 7
    assert answer.flags == frozenset()


def test_a_choice_whose_message_is_an_object_of_json_is_its_content() -> None:
    message = json.dumps({"role": "assistant", "content": ANSWER})
    event = Event("gen_ai.choice", NS, {"index": 0, "finish_reason": "stop", "message": message})
    assert [each.content for each in view(events=(event,)).outputs] == [ANSWER]


@pytest.mark.parametrize(
    ("said", "question"),
    [("How long may I keep a book?", "How long may I keep a book?"), ("Answer with the context.", "keeping books")],
)
def test_a_question_that_was_made_a_search_of_keywords_stays_the_question(said: str, question: str) -> None:
    asked = json.dumps([{"role": "user", "parts": [{"type": "text", "content": said}]}])
    told = {"gen_ai.input.messages": asked, "gen_ai.output.messages": json.dumps(SAID)}
    documents = json.dumps([{"id": "b", "content": "Books: four weeks."}])
    search = {"gen_ai.retrieval.query.text": "keeping books", "gen_ai.retrieval.documents": documents}
    spans = [
        span(None, {}),
        span("retrieval", search, number=2, parent=f"{1:016x}"),
        span("chat", told, number=3, parent=f"{1:016x}"),
    ]
    (answer,) = adapt_trace(Trace.of(TRACE_ID, spans), AdaptOptions())
    assert answer.question == question
