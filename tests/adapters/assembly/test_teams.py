"""Teams of agents, and what clients and providers do by themselves: one answer to each question asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.trace import Span, Trace

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
FIRST_NS = 1_760_000_000_000_000_000
QUESTION, SAID = "For how long are books lent?", "Four weeks."
ROWS = [{"id": "b-1", "content": "Books: four weeks.", "metadata": {"doc_id": "b"}}]


def span(number: int, parent: int | None, scope: str = "desk", **attributes: Any) -> Span:
    start, above = FIRST_NS + number * 10_000_000, None if parent is None else f"{parent:016x}"
    attributes = {key.replace("__", "."): value for key, value in attributes.items()}
    return Span(
        TRACE_ID, f"{number:016x}", above, "step", start, start + 5_000_000, attributes, status_code=1, scope_name=scope
    )


def spoken(role: str, words: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": words}]}])


def call(number: int, parent: int | None, *, asked: str | None, says: str | None, **more: Any) -> Span:
    told = {} if asked is None else {"gen_ai__input__messages": spoken("user", asked)}
    told |= {} if says is None else {"gen_ai__output__messages": spoken("assistant", says)}
    return span(
        number, parent, **{"gen_ai__operation__name": "chat", "gen_ai__usage__output_tokens": 3, **told, **more}
    )


def answers(*spans: Span) -> tuple[Answer, ...]:
    return adapt_trace(Trace.of(TRACE_ID, spans), AdaptOptions())


# --- handing over ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["transfer_to_researcher", "transferToSearchAgent", "handoff_to_knowledge_agent", "delegate_task_to_searcher"],
)
def test_a_tool_that_hands_over_to_an_agent_found_nothing(app: Any, name: str) -> None:
    root = app.span("team", "CHAIN", input=QUESTION, output=SAID)
    app.span(name, "TOOL", root, input={}, output="Successfully transferred")
    app.model(root, ("user", QUESTION), says=SAID)
    answer = app.answer()
    assert (answer.passages, answer.flags) == (None, frozenset())


@pytest.mark.parametrize(("name", "found"), [("ask_researcher", None), ("research_topics", ("Books: 4.",))])
def test_a_researcher_is_an_agent_and_research_a_search(app: Any, name: str, found: Any) -> None:
    root = app.span("desk", "CHAIN", input=QUESTION, output=SAID)
    app.span(name, "TOOL", root, input={}, output="Books: 4.")
    app.model(root, ("user", QUESTION), says=SAID)
    passages = app.answer().passages
    assert (None if passages is None else tuple(passage.text for passage in passages)) == found


@pytest.mark.parametrize("between", [None, "TOOL", "AGENT"])
def test_what_an_agent_does_within_the_call_that_handed_over_to_it_are_calls_of_their_own(
    app: Any, between: str | None
) -> None:
    asked = {"llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "transfer_to_agent"}
    outer = app.model(None, ("user", QUESTION), says=None, tokens=(10, 1), attributes=asked)
    within = outer if between is None else app.span("researcher", between, outer)
    app.model(within, ("user", "For context: transferred."), says=SAID, tokens=(20, 2))
    answer = app.answer()
    assert (answer.question, answer.answer, answer.llm_calls) == (QUESTION, SAID, 2)
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (30, 3)


def test_a_step_around_a_call_that_asks_for_the_same_tool_is_the_same_call(app: Any) -> None:
    asked = {"llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "plot"}
    outer = app.model(None, ("user", QUESTION), says="I plot.", tokens=(10, 1), attributes=asked)
    app.model(outer, ("user", QUESTION), says="I plot.", tokens=(10, 1), attributes=asked)
    assert app.answer().llm_calls == 1


def test_all_searches_that_a_prompt_tells_of_were_made() -> None:
    def part(role: str, **told: Any) -> dict[str, Any]:
        return {"role": role, "parts": [told]}

    def found(number: int, text: str) -> list[dict[str, Any]]:
        call = {"id": f"c-{number}", "name": "search_handbook"}
        response = [{"id": f"b-{number}", "content": text}]
        return [
            part("assistant", type="tool_call", arguments={}, **call),
            part("tool", type="tool_call_response", response=response, **call),
        ]

    prompt = [part("user", type="text", content=QUESTION), *found(1, "Books: 4."), *found(2, "Films: 1.")]
    (answer,) = answers(call(1, None, asked=None, says=SAID, gen_ai__input__messages=json.dumps(prompt)))
    assert [(each.id, each.text) for each in answer.passages] == [("b-1", "Books: 4."), ("b-2", "Films: 1.")]


def test_what_is_said_in_two_conversations_under_one_span_are_two_answers() -> None:
    agent = {"gen_ai__operation__name": "invoke_agent"}
    found = answers(
        span(1, None, http__route="/batch"),
        span(2, 1, gen_ai__conversation__id="s-1", **agent),
        call(3, 2, asked=QUESTION, says=SAID),
        span(4, 1, gen_ai__conversation__id="s-2", **agent),
        call(5, 4, asked="How much?", says="Nothing."),
    )
    told = [(each.session_id, each.question, each.answer, each.llm_calls) for each in found]
    assert told == [("s-1", QUESTION, SAID, 1), ("s-2", "How much?", "Nothing.", 1)]


def test_agents_of_one_conversation_under_one_span_give_one_answer() -> None:
    agent = {"gen_ai__operation__name": "invoke_agent", "gen_ai__conversation__id": "s-1"}
    (answer,) = answers(
        span(1, None, http__route="/ask"),
        span(2, 1, **agent),
        call(3, 2, asked=QUESTION, says="Books: four weeks."),
        span(4, 1, **agent),
        call(5, 4, asked=QUESTION, says=SAID),
    )
    assert (answer.answer, answer.llm_calls) == (SAID, 2)


# --- answers with a schema -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "answer"),
    [({"answer": SAID, "weeks": 4}, SAID), ({"weeks": 4, "films": 1}, '{"weeks": 4, "films": 1}')],
)
def test_an_answer_with_a_schema_beside_the_messages_is_what_the_model_wrote(
    app: Any, written: Any, answer: str
) -> None:
    messages = [{"type": "human", "content": QUESTION}, {"type": "tool", "content": "Returning.", "tool_call_id": "c"}]
    output = {"messages": messages, "structured_response": written}
    root = app.span("agent", "CHAIN", input={"messages": messages[:1]}, output=output)
    asked = "llm.output_messages.0.message.tool_calls.0.tool_call.function."
    search = {f"{asked}name": "shelf", f"{asked}arguments": "{}"}
    app.model(root, ("user", QUESTION), says="Let me look that up.", attributes=search)
    reply = {f"{asked}name": "Reply", f"{asked}arguments": json.dumps(written)}
    app.model(root, ("user", QUESTION), says=None, attributes=reply)
    assert app.answer().answer == answer


def test_the_model_that_answered_is_the_one_that_the_last_message_names(app: Any) -> None:
    told = {"content": SAID, "response_metadata": {"model_name": "m-1-0424"}}
    for message in ({"type": "ai", **told}, {"type": "ai", "data": told}):
        root = app.span("agent", "CHAIN", input=QUESTION, output={"messages": [message]})
        app.model(root, ("user", QUESTION), says=SAID)
        assert app.answer().model == "m-1-0424"
        app.spans.clear()


# --- what a client writes by itself ----------------------------------------------------------------------------------

CLIENT = "com.anthropic.sdk.python"


def test_a_request_that_a_client_wrote_down_without_a_word_is_no_answer() -> None:
    assert answers(call(1, None, asked=None, says=None, scope=CLIENT)) == ()


def test_a_request_that_a_client_wrote_down_with_content_is_an_answer() -> None:
    (answer,) = answers(call(1, None, asked=QUESTION, says=SAID, scope=CLIENT))
    assert (answer.question, answer.answer) == (QUESTION, SAID)


def test_the_requests_of_a_client_count_below_a_step_of_the_application() -> None:
    root = span(1, None, openinference__span__kind="CHAIN", input__value=QUESTION, output__value=SAID)
    (answer,) = answers(root, call(2, 1, asked=None, says=None, scope=CLIENT))
    assert (answer.answer, answer.llm_calls, answer.usage.completion_tokens) == (SAID, 1, 3)


@pytest.mark.parametrize(("identity", "calls"), [("msg-1", 1), ("msg-2", 2)])
def test_calls_whose_completion_has_one_id_are_one_call(identity: str, calls: int) -> None:
    root = span(1, None, openinference__span__kind="CHAIN", input__value=QUESTION, output__value=SAID)
    told = {
        "openinference__span__kind": "LLM",
        "llm__model_name": "m",
        "llm__output_messages__0__message__content": SAID,
    }
    watched = span(2, 1, gen_ai__response__id="msg-1", **told)
    client = call(9, 1, asked=None, says=None, scope=CLIENT, gen_ai__response__id=identity)  # of a stream, later
    (answer,) = answers(root, watched, client)
    assert answer.llm_calls == calls


# --- what is put before the model ------------------------------------------------------------------------------------

DOCUMENTS = [
    {"type": "document", "source": {"type": "text", "data": "Books: four weeks."}, "title": "LOAN-1"},
    {
        "type": "search_result",
        "source": "https://a.example/2",
        "title": "LOAN-2",
        "content": [{"text": "Films: a week."}],
    },
    {"type": "document", "source": {"type": "content", "content": [{"text": "Maps: a day."}]}, "title": "LOAN-3"},
]
PART = "llm.input_messages.0.message.contents.{}.message_content.{}"


def test_documents_among_the_parts_of_a_message_are_passages_and_no_part_of_the_question(app: Any) -> None:
    parts = [*DOCUMENTS, {"type": "text", "text": QUESTION}]
    flat = {PART.format(n, "type"): part["type"] for n, part in enumerate(parts)}
    flat |= {PART.format(n, "text"): part.get("text") or json.dumps(part) for n, part in enumerate(parts)}
    app.model(None, says=SAID, attributes={"llm.input_messages.0.message.role": "user", **flat})
    listed = json.dumps([{"role": "user", "parts": parts}])
    (said,) = answers(call(1, None, asked=None, says=SAID, gen_ai__input__messages=listed))
    for answer in (app.answer(), said):
        assert answer.question == QUESTION
        assert [passage.text for passage in answer.passages] == ["Books: four weeks.", "Films: a week.", "Maps: a day."]
        assert [passage.metadata["title"] for passage in answer.passages] == ["LOAN-1", "LOAN-2", "LOAN-3"]
        assert answer.passages[1].uri == "https://a.example/2"


@pytest.mark.parametrize(
    "part",
    [
        {"type": "document", "source": {"type": "base64", "data": "JVBERi0="}},
        {"type": "document", "source": {"type": "url", "url": "https://a.example/a.pdf"}},
        {"type": "anthropic_search_result"},
        {"type": "search_result", "content": 4},
        {"type": "document"},
    ],
)
def test_a_document_without_its_text_is_evidence_that_is_missing(part: Any) -> None:
    listed = json.dumps([{"role": "user", "parts": [part, {"type": "text", "content": QUESTION}]}])
    (answer,) = answers(call(1, None, asked=None, says=SAID, gen_ai__input__messages=listed))
    assert (answer.question, answer.passages, "evidence_missing" in answer.flags) == (QUESTION, None, True)


def test_a_context_in_a_message_right_before_the_question_is_read() -> None:
    told = [
        {"role": "user", "parts": [{"type": "text", "content": text}]} for text in ("Context:\nBooks: 4.", QUESTION)
    ]
    (answer,) = answers(call(1, None, asked=None, says=SAID, gen_ai__input__messages=json.dumps(told)))
    assert (answer.question, [passage.text for passage in answer.passages]) == (QUESTION, ["Books: 4."])


@pytest.mark.parametrize(
    ("name", "held", "texts"),
    [("context", True, ["Books: 4.", "Films: 1."]), ("context", False, None), ("tone", True, None)],
)
def test_a_template_filled_in_with_a_context_tells_the_passages(app: Any, name: str, held: Any, texts: Any) -> None:
    told = "Books: 4.\n\nFilms: 1."
    variables = json.dumps({"question": QUESTION, name: told})
    root = app.span("RunnableSequence", "CHAIN", input=QUESTION, output=SAID)
    app.span("Prompt", "PROMPT", root, attributes={"llm.prompt_template.variables": variables})
    app.model(root, ("system", f"Answer from the context.\n\n{told if held else ''}"), ("user", QUESTION), says=SAID)
    passages = app.answer().passages
    assert (None if passages is None else [passage.text for passage in passages]) == texts


def test_rows_within_tags_of_references_are_passages(app: Any) -> None:
    root = app.span("desk.run", "AGENT", input=QUESTION, output=SAID)
    known = f"Use the following references if it helps:\n<references>\n{json.dumps(ROWS, indent=2)}\n</references>"
    app.model(root, ("user", f"{QUESTION}\n\n{known}"), says=SAID)
    answer = app.answer()
    assert [(passage.id, passage.text) for passage in answer.passages] == [("b-1", "Books: four weeks.")]


# --- what a provider does within a call ------------------------------------------------------------------------------


def searched(app: Any, results: Any) -> Answer:
    app.scope = "openinference.instrumentation.openai"
    item = {"type": "file_search_call", "queries": ["lending"], "results": results}
    app.model(None, ("user", QUESTION), says=SAID, output={"output": [item]})
    found = app.answer()
    assert isinstance(found, Answer)
    return found


def test_what_a_provider_found_in_its_files_was_retrieved(app: Any) -> None:
    row = {"file_id": "f-1", "text": "Books: four weeks.", "score": 0.75, "attributes": {"doc_id": "b", "version": "2"}}
    answer = searched(app, [row])
    assert [(each.doc_id, each.version, each.text, each.score) for each in answer.passages] == [
        ("b", "2", "Books: four weeks.", 0.75)
    ]
    assert (answer.queries, [stage.name for stage in answer.stages]) == (("lending",), ["file_search"])


def test_a_provider_that_does_not_tell_what_it_found_leaves_evidence_missing(app: Any) -> None:
    answer = searched(app, None)
    assert (answer.passages, "evidence_missing" in answer.flags) == (None, True)


def test_what_a_client_called_by_itself_is_read_from_its_response(app: Any) -> None:
    app.scope = "openinference.instrumentation.google_genai"
    past = [
        {"role": "user", "parts": [{"text": QUESTION}]},
        {"role": "model", "parts": [{"function_call": {"name": "search_handbook", "args": {"query": "lending"}}}]},
        {"role": "user", "parts": [{"function_response": {"name": "search_handbook", "response": {"result": ROWS}}}]},
    ]
    app.model(None, ("user", QUESTION), says=SAID, output={"automatic_function_calling_history": past})
    answer = app.answer()
    assert [(each.id, each.text) for each in answer.passages] == [("b-1", "Books: four weeks.")]
    assert ([each.name for each in answer.tool_calls], answer.llm_calls) == (["search_handbook"], 2)


def test_a_message_of_an_error_is_no_answer(app: Any) -> None:
    root = app.span(
        "desk.run", "AGENT", input=QUESTION, output="too many questions", status=2, message="run status: error"
    )
    app.model(root, ("user", QUESTION), says=None, error=("ModelProviderError", "too many questions"))
    answer = app.answer()
    assert (answer.status, answer.answer, answer.error) == (
        "error",
        None,
        "ModelProviderError: too many questions",
    )


def test_the_messages_that_an_agent_of_haystacks_printed_are_read(haystack: Any) -> None:
    def printed(role: str, content: str, meta: str = "{}") -> str:
        return f"ChatMessage(_role=<ChatRole.{role.upper()}: '{role}'>, _content=[{content}], _name=None, _meta={meta})"

    origin = "ToolCall(tool_name='search_handbook', arguments={'query': 'lending'}, id='c-1', extra=None)"
    usage = "{'model': 'm-1-0424', 'usage': {'completion_tokens': 7, 'prompt_tokens': 10, 'total_tokens': 17}}"
    messages = [
        printed("user", f"TextContent(text='{QUESTION}')"),
        printed("assistant", origin, usage),
        printed("tool", f"ToolCallResult(result='{json.dumps(ROWS)}', origin={origin}, error=False)"),
        printed("assistant", f"TextContent(text='{SAID}')", usage),
    ]
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"agent": {"messages": messages[:1]}}}, output={})
    haystack.span("Agent.run", "CHAIN", root, input={"messages": messages[:1]}, output={"messages": messages})
    answer = haystack.answer()
    assert (answer.question, answer.answer, answer.model) == (QUESTION, SAID, "m-1-0424")
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.usage.completion_tokens) == (2, 20, 14)
    assert [(each.id, each.text) for each in answer.passages] == [("b-1", "Books: four weeks.")]
    assert [each.name for each in answer.tool_calls] == ["search_handbook"]


@pytest.mark.parametrize("kind", [{}, {"block_type": "text"}])
@pytest.mark.parametrize("wrapped", [False, True])
def test_the_blocks_that_a_tool_of_llamaindex_gave_back_are_rows(llamaindex: Any, kind: Any, wrapped: Any) -> None:
    output: dict[str, Any] = {"blocks": [{**kind, "text": json.dumps(ROWS)}], "tool_name": "shelf", "is_error": False}
    output = {"tool_name": "shelf", "tool_kwargs": {}, "tool_output": output} if wrapped else output
    root = llamaindex.span("agent", "CHAIN", input=QUESTION, output=SAID)
    llamaindex.span("FunctionTool.call", "TOOL", root, output=output, attributes={"tool.name": "search_shelf"})
    llamaindex.model(root, ("user", QUESTION), says=SAID)
    assert [(each.id, each.text) for each in llamaindex.answer().passages] == [("b-1", "Books: four weeks.")]


def test_a_call_of_litellms_that_asks_for_a_tool_is_no_answer_and_counts_with_the_one_that_is() -> None:
    silent = json.dumps([{"role": "assistant", "parts": [], "finish_reason": "tool_calls"}])
    asked = {"gen_ai__completion__0__function_call__name": "search_handbook", "gen_ai__output__messages": silent}
    assert answers(call(1, None, asked=QUESTION, says=None, scope="litellm", **asked)) == ()
    (answer,) = answers(
        call(1, None, asked=QUESTION, says=None, scope="litellm", **asked), call(2, None, asked=QUESTION, says=SAID)
    )
    assert ([each.name for each in answer.tool_calls], answer.answer) == (["search_handbook"], SAID)


@pytest.mark.parametrize("kind", [{"openinference__span__kind": "LLM"}, {"langfuse__observation__type": "generation"}])
def test_spans_of_litellms_for_other_tools_name_the_model_that_answered(kind: Any) -> None:
    told = {"llm__model_name": "m-1", "llm__response__model": "m-1-0424", "llm__token_count__completion": 3}
    root = span(1, None, openinference__span__kind="CHAIN", input__value=QUESTION, output__value=SAID)
    said = {"langfuse__observation__output": SAID, "llm__output_messages__0__message__content": SAID}
    (answer,) = answers(root, span(2, 1, "litellm", **kind, **told, **said))
    assert (answer.model, answer.usage.completion_tokens) == ("m-1-0424", 3)


def test_an_empty_list_beside_a_call_of_a_tool_is_no_answer() -> None:
    told = {"gen_ai.completion.0.content": "[]", "gen_ai.completion.0.tool_calls.0.name": "search_handbook"}
    flat = {**told, "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": QUESTION, "llm.request.type": "chat"}
    scope = "opentelemetry.instrumentation.cohere"
    assert answers(span(1, None, scope, **{key.replace(".", "__"): value for key, value in flat.items()})) == ()
