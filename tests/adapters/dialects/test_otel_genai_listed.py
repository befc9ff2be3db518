"""Spans beside the GenAI conventions: Pydantic AI's events, Logfire's clients and agents, and Spring AI's steps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.trace import Event, Span, Trace

QUESTION, SAID = "For how long are books lent?", "Books are lent for four weeks."
ROWS = [
    {
        "id": "b-1",
        "content": "Books are lent for four weeks.",
        "score": 0.8,
        "metadata": {"doc_id": "b", "version": "2"},
    },
    {"id": "f-1", "content": "Films are lent for one week.", "score": 0.4, "metadata": {"doc_id": "f", "version": "1"}},
]
FOUND = [(row["id"], row["content"], row["score"], row["metadata"]) for row in ROWS]
PROMPT = f"Answer from:\n{ROWS[0]['content']}\n{ROWS[1]['content']}"
CALL = {"id": "c1", "type": "function", "function": {"name": "search_books", "arguments": '{"query": "lent"}'}}
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
SOUGHT = {"role": "assistant", "tool_calls": [CALL]}
HANDED = {"role": "tool", "id": "c1", "name": "search_books", "content": ROWS}
ANSWERED = {"role": "assistant", "content": SAID}
MODEL = {"gen_ai.request.model": "m-1", "gen_ai.response.model": "m-1-2026"}
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", **MODEL}


def usage(given: int, said: int) -> dict[str, int]:
    return {"gen_ai.usage.input_tokens": given, "gen_ai.usage.output_tokens": said}


def answers(scope: str, *spans: tuple[str, dict[str, Any]]) -> tuple[Answer, ...]:
    """The answers of spans one after the other, all but the first below that one."""
    built = [
        Span("t", str(n), "0" if n else None, name, 10 * n + 1, 10 * n + 9 if n else 999, told, scope_name=scope)
        for n, (name, told) in enumerate(spans)
    ]
    return adapt_trace(Trace.of("t", built), AdaptOptions())


def only(scope: str, *spans: tuple[str, dict[str, Any]]) -> Answer:
    (answer,) = answers(scope, *spans)
    return answer


def passages(answer: Answer) -> list[tuple[Any, ...]]:
    return [(each.id, each.text, each.score, each.metadata) for each in answer.passages or ()]


def events(*messages: dict[str, Any]) -> str:
    """Messages as events in one attribute; the last one is the choice."""
    *asked, said = messages
    return json.dumps([*asked, {"index": 0, "message": said, "event.name": "gen_ai.choice"}])


TOOL = {"gen_ai.tool.name": "search_books", "tool_arguments": '{"query": "lent"}', "tool_response": json.dumps(ROWS)}


@pytest.mark.parametrize("with_tool", [True, False])
def test_an_agent_of_pydantic_ai_may_list_events_in_one_attribute(*, with_tool: bool) -> None:
    whole = [*ASKED, SOUGHT, HANDED, ANSWERED]
    agent = {"model_name": "m-1", "all_messages_events": json.dumps(whole), "final_result": SAID, **usage(110, 12)}
    found = only(
        "pydantic-ai",
        ("agent run", agent),
        ("chat m-1", {**CHAT, "events": events(*ASKED, SOUGHT), **usage(10, 5)}),
        *([("running tool", TOOL)] if with_tool else ()),
        ("chat m-1", {**CHAT, "events": events(*whole), **usage(100, 7)}),
    )
    assert (found.question, found.answer, found.framework) == (QUESTION, SAID, "pydanticai")
    assert (found.model, found.llm_calls, found.usage.prompt_tokens, found.usage.completion_tokens) == (
        "m-1-2026",
        2,
        110,
        12,
    )
    assert [call.name for call in found.tool_calls] == ["search_books"]
    assert passages(found) == FOUND


def logged(*, stream: bool, **told: Any) -> dict[str, Any]:
    request = {"model": "m-1", "messages": [{"role": "system", "content": PROMPT}, ASKED[1]]}
    if stream:
        request["stream"] = True
    known = {"gen_ai.request.model": "m-1", "gen_ai.operation.name": "chat", "request_data": json.dumps(request)}
    return {**known, **{key: json.dumps(value) for key, value in told.items()}}


def test_what_a_client_under_logfire_sent_and_received_is_the_call() -> None:
    response = {"message": ANSWERED, "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}}
    found = only("logfire.openai", ("Chat Completion with", logged(stream=False, response_data=response)))
    assert (found.question, found.answer, found.llm_calls) == (QUESTION, SAID, 1)
    assert (found.usage.prompt_tokens, found.usage.completion_tokens, found.usage.total_tokens) == (100, 7, 107)
    assert [each.text for each in found.passages or ()] == [row["content"] for row in ROWS]


@pytest.mark.parametrize("response", [{"message": ANSWERED}, {"combined_chunk_content": SAID, "chunk_count": 4}])
def test_a_stream_under_logfire_is_one_call_though_it_has_two_spans(response: dict[str, Any]) -> None:
    found = only(
        "logfire.openai",
        ("ask", {"http.route": "/ask"}),
        ("Chat Completion with", logged(stream=True)),
        ("streaming response from", logged(stream=True, response_data=response)),
    )
    assert (found.question, found.answer, found.llm_calls) == (QUESTION, SAID, 1)


def agents(*calls: tuple[str, dict[str, Any]]) -> Answer:
    return only(
        "logfire.openai_agents",
        ("OpenAI Agents trace: {name}", {"name": "Agent workflow", "group_id": "g-1"}),
        ("Agent run: {name!r}", {"name": "desk"}),
        calls[0],
        ("Function: {name}", {"name": "search_books", "input": '{"query": "lent"}', "output": json.dumps(ROWS)}),
        calls[1],
    )


def generation(asked: list[Any], said: Any) -> tuple[str, dict[str, Any]]:
    told = {"request_data": json.dumps({"messages": [*asked, said], "model": "m-1"})}
    return "Chat completion with {gen_ai.request.model!r}", {**MODEL, **told, **usage(50, 6)}


def response(asked: list[Any], said: Any) -> tuple[str, dict[str, Any]]:
    return "Responses API with {gen_ai.request.model!r}", {**CHAT, "events": json.dumps([*asked, said]), **usage(50, 6)}


@pytest.mark.parametrize("call", [generation, response])
def test_agents_of_openai_under_logfire_answer(call: Any) -> None:
    found = agents(call(ASKED, SOUGHT), call([*ASKED, SOUGHT, HANDED], ANSWERED))
    assert (found.question, found.answer, found.session_id, found.model) == (QUESTION, SAID, "g-1", "m-1-2026")
    assert (found.llm_calls, found.usage.prompt_tokens, found.usage.completion_tokens) == (2, 100, 12)
    assert [call.name for call in found.tool_calls] == ["search_books"]
    assert (passages(found), found.queries) == (FOUND, ("lent",))


@pytest.mark.parametrize(
    "told",
    [
        {"events": '[1, {}, {"message": 3}]'},
        {"events": "no JSON"},
        {"events": 5},
        {"request_data": "[]"},
        {"request_data": "{}", "response_data": "[3]"},
        {"request_data": "{}", "response_data": '{"usage": 3}'},
    ],
)
def test_what_lists_nothing_tells_nothing(told: dict[str, Any]) -> None:
    found = only("logfire.openai", ("chat", {**CHAT, **told}))
    assert (found.question, found.answer, found.usage.prompt_tokens) == (None, None, None)
    assert "content_redacted" in found.flags


def joined(*texts: str) -> str:
    """Texts as Spring AI puts them together: line breaks and quotes stay as they are."""
    return '["' + '", "'.join(texts) + '"]'


def test_a_client_of_spring_ai_searches_a_store_and_answers() -> None:
    chat = {**CHAT, "gen_ai.prompt": joined("Be brief.", f"{QUESTION}\n\n{PROMPT}"), "gen_ai.completion": joined(SAID)}
    store = {"spring.ai.kind": "vector_store", "db.operation.name": "query", "db.vector.query.content": QUESTION}
    found = only(
        "org.springframework.boot",
        (
            "spring_ai chat_client",
            {
                "gen_ai.operation.name": "framework",
                "spring.ai.kind": "chat_client",
                "spring.ai.chat.client.user.text": QUESTION,
                "spring.ai.chat.client.conversation.id": "s-1",
            },
        ),
        ("query", {**store, "db.vector.query.response.documents": joined(*(row["content"] for row in ROWS))}),
        ("chat m-1", {**chat, "gen_ai.usage.input_tokens": "100", "gen_ai.usage.output_tokens": "7"}),
    )
    assert (found.question, found.answer, found.session_id, found.framework) == (QUESTION, SAID, "s-1", "springai")
    assert (found.usage.prompt_tokens, found.usage.completion_tokens, found.queries) == (100, 7, (QUESTION,))
    assert [each.text for each in found.passages] == [row["content"] for row in ROWS]
    assert len(found.context) == 2


def test_a_tool_of_spring_ai_that_searches_found_what_it_gave_back() -> None:
    tool = {
        "gen_ai.operation.name": "framework",
        "spring.ai.kind": "tool_call",
        "spring.ai.tool.definition.name": "searchBooks",
        "spring.ai.tool.call.arguments": '{"query": "lent"}',
        "spring.ai.tool.call.result": json.dumps(ROWS),
    }
    found = only(
        "org.springframework.boot",
        ("spring_ai chat_client", {"spring.ai.kind": "chat_client", "spring.ai.chat.client.user.text": QUESTION}),
        ("tool_call searchBooks", tool),
        ("add", {"spring.ai.kind": "vector_store", "db.operation.name": "add"}),
        ("chat m-1", {**CHAT, "gen_ai.completion": joined(SAID)}),
    )
    assert (found.question, found.answer, passages(found)) == (QUESTION, SAID, FOUND)
    assert [call.name for call in found.tool_calls] == ["searchBooks"]


def thread(*said: tuple[str, Any]) -> Answer:
    told = {"gen_ai.operation.name": "process_thread_run", "gen_ai.thread.id": "th-1", **MODEL, **usage(110, 12)}
    events_ = tuple(
        Event(f"gen_ai.{role}.message", n, {"gen_ai.event.content": json.dumps({"role": role, "content": content})})
        for n, (role, content) in enumerate(said, start=1)
    )
    span = Span("t", "1", None, "process_thread_run", 1, 99, told, events=events_, scope_name="azure.ai.agents")
    (answer,) = adapt_trace(Trace.of("t", [span]), AdaptOptions())
    return answer


@pytest.mark.parametrize("content", [SAID, {"text": {"value": SAID}}, [{"type": "text", "text": {"value": SAID}}]])
def test_where_no_event_is_a_choice_the_last_messages_are_the_answer(content: Any) -> None:
    found = thread(("system", "Be brief."), ("user", QUESTION), ("assistant", content))
    assert (found.question, found.answer, found.session_id, found.llm_calls) == (QUESTION, SAID, "th-1", 1)
    assert found.flags == frozenset()


def test_a_run_that_did_not_answer_yet_has_only_the_question() -> None:
    found = thread(("assistant", "Welcome."), ("user", QUESTION))
    assert (found.question, found.answer) == (QUESTION, None)


@pytest.mark.parametrize("key", ["ai.operationId", "lmnr.span.type", "mlflow.spanType"])
def test_a_session_and_a_user_that_a_processor_sets_on_spans_are_theirs(key: str) -> None:
    kinds = {"ai.operationId": "ai.generateText.doGenerate", "lmnr.span.type": "LLM", "mlflow.spanType": '"LLM"'}
    told = {
        key: kinds[key],
        "ai.prompt.messages": json.dumps(ASKED),
        "ai.response.text": SAID,
        "lmnr.span.input": json.dumps(ASKED),
        "lmnr.span.output": SAID,
        "mlflow.spanInputs": json.dumps({"messages": ASKED}),
        "mlflow.spanOutputs": json.dumps(SAID),
        "session.id": "s-1",
        "user.id": 7,
    }
    found = only("any", ("chat", told))
    assert (found.question, found.session_id, found.user_id) == (QUESTION, "s-1", "7")
