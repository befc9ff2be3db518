"""Runs of LangSmith's OTel mode: recorded ones of LangChain and of decorated functions, and the shapes they hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adapters.assembly.exchanges import messages_answered, messages_asked, text_answered
from adapters.assembly.messages import Message
from adapters.assembly.view import Reading
from adapters.detect import AdaptOptions, adapt_trace, dialect_of
from adapters.dialects.langsmith import LangSmith, LangSmithView
from adapters.files.read import read
from adapters.schema import Answer, ToolCall
from adapters.trace import Event, Span, Trace

TRACES = Path(__file__).parents[2] / "golden" / "traces"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
NS = 1_760_000_000_000_000_000
QUESTION = "For how long are books lent?"
ANSWER = "Books are lent for four weeks [1]."
OPTIONS = AdaptOptions(attributes={"tenant": "tenant", "leaked": "LANGSMITH_TRACING"})


def recorded(name: str) -> list[Answer]:
    records = list(read((TRACES / f"langsmith-{name}.otlp.pb").read_bytes(), OPTIONS))
    assert all(isinstance(record, Answer) for record in records)
    return records


def only(name: str) -> Answer:
    (answer,) = recorded(name)
    return answer


def run(kind: str, inputs: Any = None, outputs: Any = None, **given: Any) -> Span:
    number = given.pop("number", 1)
    told: dict[str, Any] = {"langsmith.span.kind": kind}
    for key, value in (("gen_ai.prompt", inputs), ("gen_ai.completion", outputs)):
        if value is not None:
            told[key] = value if isinstance(value, str) else json.dumps(value)
    return Span(
        trace_id=TRACE_ID,
        span_id=f"{number:016x}",
        parent_id=given.pop("parent", None),
        name=given.pop("name", kind),
        start_ns=NS + number * 1_000_000,
        end_ns=NS + 100_000_000 - number * 1_000_000,
        attributes={**told, **given.pop("attributes", {})},
        scope_name="langsmith",
        **given,
    )


def view(kind: str, inputs: Any = None, outputs: Any = None, **given: Any) -> LangSmithView:
    reading = Reading(cap=given.pop("cap", None), json_limit=100_000)
    found = LangSmith().view(run(kind, inputs, outputs, **given), reading)
    assert isinstance(found, LangSmithView)
    return found


def answers(*spans: Span) -> tuple[Answer, ...]:
    return adapt_trace(Trace.of(TRACE_ID, spans), OPTIONS)


# --- recorded applications -------------------------------------------------------------------------------------------


def test_a_chain_gives_question_answer_evidence_and_whose_visit_it_was() -> None:
    answer = only("basic")
    assert (answer.question, answer.answer) == (QUESTION, ANSWER)
    assert (answer.source, answer.framework, answer.service) == ("langsmith", "langchain", "library-desk")
    assert (answer.session_id, answer.user_id) == ("visit-7", "reader-12")
    assert [passage.id for passage in answer.passages] == ["LOAN-1@2", "LOAN-1@1"]
    assert answer.citations[0].passage_id == "LOAN-1@2"
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.usage.completion_tokens) == (1, 37, 7)
    assert answer.usage.total_tokens == 44
    assert (answer.model, answer.provider) == ("librarian-1", "librarian")


def test_the_environment_of_the_process_is_no_metadata_of_a_run() -> None:
    data = (TRACES / "langsmith-basic.otlp.pb").read_bytes()
    assert b"langsmith.metadata.LANGSMITH_TRACING" in data
    assert only("basic").attributes == {"tenant": "branch-north"}


def test_earlier_turns_are_history_and_a_rewritten_question_is_the_query() -> None:
    answer = only("conversation")
    assert answer.question == "And how long are books lent?"
    assert [turn.content for turn in answer.history] == ["Do you lend films?", "Yes, for one week."]
    assert answer.queries == ("For how long are films and books lent?",)
    assert answer.llm_calls == 2


@pytest.mark.parametrize("name", ["streaming", "traceable-streams"])
def test_a_streamed_answer_is_as_whole_as_any(name: str) -> None:
    answer = only(name)
    assert answer.answer.endswith("].")
    assert answer.usage.total_tokens > answer.usage.prompt_tokens


@pytest.mark.parametrize("name", ["agent", "graph"])
def test_an_agent_gives_the_words_of_its_user_and_the_tools_it_asked_for(name: str) -> None:
    answer = only(name)
    assert (answer.question, answer.queries, answer.answer) == (QUESTION, ("books lent weeks",), ANSWER)
    (call,) = answer.tool_calls
    assert (call.name, json.loads(call.arguments), call.id) == ("handbook", {"query": "books lent weeks"}, "call_1")


@pytest.mark.parametrize("name", ["model-fails", "traceable-fails"])
def test_a_failed_model_gives_the_error_as_its_provider_put_it(name: str) -> None:
    answer = only(name)
    assert (answer.status, answer.answer) == ("error", None)
    assert answer.error == "RateLimitError: Error code: 429 - too many questions today"
    assert answer.passages


def test_a_failed_retriever_leaves_no_passages_and_no_call() -> None:
    answer = only("retriever-fails")
    assert (answer.error, answer.passages, answer.llm_calls) == ("ConnectionError: index unreachable", None, 0)


def test_a_retriever_that_fell_back_leaves_a_good_answer() -> None:
    answer = only("retriever-falls-back")
    assert (answer.status, answer.error) == ("ok", None)
    assert [stage.output_ids for stage in answer.stages] == [None, ("LOAN-1@2",)]


def test_a_retrieval_that_found_nothing_is_empty_not_unknown() -> None:
    answer = only("nothing-found")
    assert (answer.passages, answer.context) == ((), ())


def test_what_the_sdk_was_told_to_hide_is_absent_and_flagged_but_tokens_are_counted() -> None:
    answer = only("redacted")
    assert (answer.question, answer.answer, answer.passages) == (None, None, None)
    assert answer.flags == {"content_redacted", "answer_missing"}
    assert answer.usage.total_tokens == 111


def test_cut_values_are_flagged() -> None:
    assert "content_truncated" in only("cut").flags


@pytest.mark.parametrize(("name", "questions"), [("batch", 3), ("mapped", 2)])
def test_each_of_many_questions_is_its_own_answer(name: str, questions: int) -> None:
    found = recorded(name)
    assert len({answer.question for answer in found}) == len({answer.id for answer in found}) == questions


def test_decorated_functions_and_a_wrapped_client_are_no_framework() -> None:
    answer = only("traceable")
    assert (answer.framework, answer.question, answer.answer) == (None, QUESTION, ANSWER)
    assert (answer.model, answer.provider) == ("librarian-1-0424", "openai")
    assert [passage.score for passage in answer.passages] == [2.0, 2.0]


@pytest.mark.parametrize(("name", "questions"), [("basic", 1), ("agent", 1), ("batch", 3)])
def test_an_application_that_openinference_watches_too_is_counted_once(name: str, questions: int) -> None:
    records = list(read((TRACES / f"mixed-langsmith-{name}.otlp.pb").read_bytes(), OPTIONS))
    assert [record.source for record in records] == ["openinference"] * questions
    told = {(r.question, r.answer, r.llm_calls, r.usage.total_tokens, r.context) for r in records}
    alone = {(r.question, r.answer, r.llm_calls, r.usage.total_tokens, r.context) for r in recorded(name)}
    assert told == alone


def test_a_retriever_by_itself_is_no_answer() -> None:
    assert recorded("retriever-only") == []


# --- single runs -----------------------------------------------------------------------------------------------------


def test_the_sdk_scope_is_enough_to_claim_a_span() -> None:
    assert dialect_of(Span(TRACE_ID, "1" * 16, None, "x", 1, 2, {}, scope_name="langsmith")) == "langsmith"


@pytest.mark.parametrize(
    ("told", "kind"),
    [("llm", "LLM"), ("retriever", "RETRIEVER"), ("tool", "TOOL"), ("prompt", "PROMPT"), ("parser", "OTHER")],
)
def test_the_kind_is_the_runs_type_and_not_its_operation(told: str, kind: str) -> None:
    assert view(told, attributes={"gen_ai.operation.name": "embeddings"}).kind == kind


def test_the_only_argument_of_a_function_is_its_input_whatever_its_name() -> None:
    assert view("chain", {"q": "How long?"}).input == "How long?"
    assert view("chain", {"q": "How long?", "k": 3}).input == {"q": "How long?", "k": 3}
    assert view("tool", {"query": "lent"}).input == {"query": "lent"}


def test_hidden_is_what_no_model_is_asked_and_no_chain_has_to_be() -> None:
    assert view("llm", {}, {"generations": []}).redacted
    assert view("retriever", {"query": "lent"}, {}).redacted
    assert not view("chain", {}, {}).redacted
    assert not view("llm", {"messages": []}, {}, status_code=2).redacted


def test_a_provider_guessed_from_the_models_name_is_second_to_the_one_told() -> None:
    guessed = {"gen_ai.system": "openai"}
    assert view("llm", attributes=guessed).provider == "openai"
    assert view("llm", attributes=guessed | {"langsmith.metadata.ls_provider": "azure"}).provider == "azure"
    assert view("llm", attributes={"gen_ai.system": "langchain"}).provider is None


def test_a_price_and_the_commit_of_a_prompt_are_read_from_metadata() -> None:
    usage = json.dumps({"input_tokens": 3, "output_tokens": 4, "total_tokens": 7, "total_cost": 0.002})
    model = view("llm", attributes={"langsmith.metadata.usage_metadata": usage})
    assert (model.cost, model.tokens("prompt"), model.tokens("total")) == (0.002, 3, 7)
    prompt = view("prompt", {"question": "How long?"}, attributes={"langsmith.metadata.lc_hub_commit_hash": "a1b2"})
    assert (prompt.template_version, prompt.variables) == ("a1b2", {"question": "How long?"})


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("ValueError('no')Traceback (most recent call last):\n  ...", ("ValueError", "no")),
        ('KeyError("it\'s gone")\n\nTraceback (most recent call last):', ("KeyError", "it's gone")),
        ("KeyboardInterrupt()", ("KeyboardInterrupt", None)),
        ("something went wrong", (None, "something went wrong")),
    ],
)
def test_an_error_is_divided_into_type_and_message(said: str, told: tuple[str | None, str | None]) -> None:
    failed = view("chain", events=(Event("exception", NS, {"exception.message": said}),), status_code=2)
    assert failed.error == told


def test_an_answer_with_a_schema_is_what_the_model_passed_to_its_tool_without_the_runs_wrapping() -> None:
    weeks = '{"weeks": 4}'
    call = {"id": "c-1", "type": "function", "function": {"name": "Loan", "arguments": weeks}}
    said = {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}
    root = run("chain", {"question": QUESTION}, {"output": {"weeks": 4}})
    asked = {"messages": [{"role": "user", "content": QUESTION}]}
    (answer,) = answers(root, run("llm", asked, said, number=2, parent=root.span_id))
    assert (answer.question, answer.answer) == (QUESTION, weeks)


def test_a_run_that_was_sent_before_it_failed_says_ok_beside_its_exception() -> None:
    said = "ValueError('no JSON')Traceback (most recent call last):"
    lost = run("chain", QUESTION, events=(Event("exception", NS, {"exception.message": said}),), status_code=1)
    asked = {"messages": [{"role": "user", "content": QUESTION}]}
    (answer,) = answers(lost, run("llm", asked, {"content": ANSWER}, number=2, parent=lost.span_id))
    assert (answer.status, answer.error, answer.answer) == ("error", "ValueError: no JSON", None)


def test_the_revision_of_a_checkout_is_the_release_where_no_version_is_told() -> None:
    revision = {"langsmith.metadata.revision_id": "v2-3-gabc-dirty"}
    assert view("chain", attributes=revision).release == "v2-3-gabc-dirty"
    assert view("chain", attributes=revision, resource={"service.version": "2.1.0"}).release is None


def test_a_prompt_with_neither_messages_nor_framework_is_still_a_prompt() -> None:
    assert view("llm", {"prompts": ["Context: ... How long?"]}).prompts == ["Context: ... How long?"]
    assert view("llm", {"text": "How long?"}, {"output": "Four weeks."}).prompts == ["How long?"]
    assert view("llm", {"text": "How long?"}, {"output": "Four weeks."}).said == "Four weeks."


def test_documents_stand_in_an_object_or_in_a_bare_list() -> None:
    item = {"page_content": "Books are lent.", "metadata": {"score": 0.5}, "type": "Document"}
    for outputs in ({"documents": [item]}, {"output": [item]}):
        (document,) = view("retriever", {"query": "lent"}, outputs).documents("retrieved", most=10)
        assert (document.text, document.best_score) == ("Books are lent.", 0.5)
    assert view("retriever", {"query": "lent"}, {"output": None}).documents("retrieved", most=10) is None


@pytest.mark.parametrize("row", ["Books are lent.", {"chunk": "Books are lent.", "chunk_id": "b-1", "similarity": 0.5}])
def test_documents_of_a_decorated_function_are_rows_of_its_own(row: Any) -> None:
    (document,) = view("retriever", {"query": "lent"}, {"output": [row]}).documents("retrieved", most=10)
    assert document.text == "Books are lent."
    assert (document.id, document.score) == (("b-1", 0.5) if isinstance(row, dict) else (None, None))


def test_tokens_of_a_chain_that_hands_on_a_message_are_not_counted_again() -> None:
    counted = {"gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 2}
    root = run("chain", {"question": "How long?"}, {"output": "Four weeks."}, attributes=counted, number=1)
    said = {"choices": [{"message": {"role": "assistant", "content": "Four weeks."}}]}
    asked = {"messages": [{"role": "user", "content": "How long?"}], "model": "m-1"}
    (answer,) = answers(root, run("llm", asked, said, attributes=counted, number=2, parent=root.span_id))
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.usage.total_tokens) == (1, 5, 7)


# --- what a model was given and answered -----------------------------------------------------------------------------

PART = {"type": "output_text", "text": "Four weeks."}
SAID = Message(role="assistant", content="Four weeks.")


@pytest.mark.parametrize(
    "outputs",
    [
        {"generations": [[{"text": "Four weeks.", "message": {"type": "ai", "data": {"content": "Four weeks."}}}]]},
        {"generations": [{"text": "Four weeks."}]},
        {"choices": [{"text": "Four weeks."}]},
        {"output": [{"type": "reasoning"}, {"role": "assistant", "content": [PART]}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Four weeks."}]},
        {"messages": [["ai", "Four weeks."]]},
    ],
)
def test_an_answer_is_found_in_every_shape(outputs: Any) -> None:
    assert messages_answered(outputs) == (SAID,)


@pytest.mark.parametrize("outputs", [{"output": "Four weeks."}, "Four weeks."])
def test_an_answer_in_bare_text_is_no_message(outputs: Any) -> None:
    assert (messages_answered(outputs), text_answered(outputs)) == ((), "Four weeks.")


@pytest.mark.parametrize(
    "call",
    [
        {"name": "handbook", "args": {"query": "lent"}, "id": "c1"},
        {"id": "c1", "type": "function", "function": {"name": "handbook", "arguments": '{"query":"lent"}'}},
    ],
)
def test_tool_calls_are_read_as_langchain_and_as_openai_write_them(call: Mapping[str, Any]) -> None:
    asked = (ToolCall(name="handbook", arguments='{"query":"lent"}', id="c1"),)
    constructor = {"type": "constructor", "id": ["x", "AIMessage"], "kwargs": {"content": "", "tool_calls": [call]}}
    older = {"type": "ai", "data": {"content": "", "additional_kwargs": {"tool_calls": [call]}}}
    for message in (constructor, older):
        (found,) = messages_answered({"generations": [[{"message": message}]]})
        assert (found.content, found.tool_calls) == (None, asked)
    if "function" in call:
        (found,) = messages_answered(
            {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}
        )
        assert found.tool_calls == asked


def test_a_response_with_a_function_call_is_read() -> None:
    item = {"type": "function_call", "name": "handbook", "arguments": "{}", "call_id": "c1"}
    (message,) = messages_answered({"output": [item]})
    assert message.tool_calls == (ToolCall(name="handbook", arguments="{}", id="c1"),)


def test_a_system_text_beside_the_messages_is_a_message() -> None:
    found = messages_asked({"system": "Be brief.", "messages": [{"role": "user", "content": "How long?"}]})
    assert [(message.role, message.content) for message in found] == [("system", "Be brief."), ("user", "How long?")]


@pytest.mark.parametrize("value", [None, 7, [], {"messages": 7}, {"generations": [[7]]}, {"choices": [None]}, "[[["])
def test_what_is_no_conversation_has_no_messages(value: Any) -> None:
    assert [
        message
        for message in (*messages_asked(value), *messages_answered(value))
        if message.content not in (None, "[[[")
    ] == []
