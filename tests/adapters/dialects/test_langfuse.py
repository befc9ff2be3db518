"""Spans of Langfuse's SDKs: what each kind of observation says, in whichever way it was logged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.assembly.view import Reading
from adapters.detect import AdaptOptions, adapt_trace, dialect_of
from adapters.dialects.langfuse.adapter import Langfuse
from adapters.dialects.langfuse.view import LangfuseView
from adapters.schema import Answer
from adapters.trace import Span, Trace
from adapters.wire.otlp import decode_traces, group

TRACES = Path(__file__).parents[2] / "golden" / "traces"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
O = "langfuse.observation."  # noqa: E741 - the prefix of every key here
OPTIONS = AdaptOptions(attributes={"tenant": "tenant", "floor": "shop.floor"})


def answer_of(name: str) -> Answer:
    (trace,) = group(decode_traces((TRACES / f"{name}.otlp.pb").read_bytes()).spans)
    (answer,) = adapt_trace(trace, OPTIONS)
    return answer


def view(
    kind: str | None = "span", *, name: str = "step", version: str = "5.0.4", error: bool = False, **given: Any
) -> LangfuseView:
    """A view of one observation; ``given`` are attributes, ``input`` and ``output`` as the SDK serializes them."""
    attributes: dict[str, Any] = {} if kind is None else {f"{O}type": kind}
    for key, value in given.items():
        attributes[f"{O}{key}"] = value if isinstance(value, str) else json.dumps(value)
    span = Span(
        TRACE_ID, "1" * 16, None, name, 1, 2, attributes, (), 2 if error else 0, scope_name="langfuse-sdk",
        scope_version=version,
    )  # fmt: skip
    found = Langfuse().view(span, Reading(None, 1_000_000))
    assert isinstance(found, LangfuseView)
    return found


def retrieved(output: Any, **given: Any) -> list[tuple[Any, ...]]:
    found = view("retriever", output=output, **given).documents("retrieved", most=100)
    return None if found is None else [(d.id, d.text, d.score) for d in found]  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("span", "CHAIN"),
        ("chain", "CHAIN"),
        ("agent", "AGENT"),
        ("generation", "LLM"),
        ("GENERATION", "LLM"),
        ("retriever", "RETRIEVER"),
        ("tool", "TOOL"),
        ("embedding", "EMBEDDING"),
        ("guardrail", "GUARDRAIL"),
        ("evaluator", "EVALUATOR"),
        ("event", "OTHER"),
        ("something new", "OTHER"),
        (None, "CHAIN"),
    ],
)
def test_a_type_of_observation_is_a_kind_of_step(kind: str | None, expected: str) -> None:
    assert view(kind).kind == expected


DOCUMENTS = [{"content": "Alpha.", "id": "a"}, {"content": "Beta.", "id": "b"}]


@pytest.mark.parametrize(
    ("kind", "name", "output", "expected"),
    [
        ("span", "retrieve_docs", DOCUMENTS, "RETRIEVER"),
        ("tool", "search_handbook", DOCUMENTS, "RETRIEVER"),
        ("span", "retrieve_docs", [], "RETRIEVER"),
        ("tool", "search_handbook", "Alpha.", "TOOL"),
        ("span", "retrieve_docs", {"count": 2}, "CHAIN"),
        ("span", "format_docs", DOCUMENTS, "CHAIN"),
        ("span", "cohere-rerank", DOCUMENTS, "RERANKER"),
        ("retriever", "Rerank", DOCUMENTS, "RERANKER"),
        ("generation", "rerank", DOCUMENTS, "LLM"),
        ("chain", "rerank_and_answer", "Alpha.", "CHAIN"),
    ],
)
def test_what_code_gave_no_type_is_told_by_its_name_and_what_it_returned(
    kind: str, name: str, output: Any, expected: str
) -> None:
    assert view(kind, name=name, output=output).kind == expected


def test_a_tool_that_asks_an_observed_retriever_stays_a_tool() -> None:
    tool, below = view("tool", name="search", output=DOCUMENTS), view("retriever", output=DOCUMENTS)
    tool.children.append(below)
    assert tool.kind == "TOOL"


def test_a_span_with_a_model_is_a_model_call() -> None:
    assert view("span", **{"model.name": "m-1"}).kind == "LLM"


@pytest.mark.parametrize(
    ("logged", "expected"),
    [
        ("How much?", "How much?"),
        ('"How much?"', '"How much?"'),
        ({"args": ["How much?"], "kwargs": {}}, "How much?"),
        ({"args": [], "kwargs": {"question": "How much?"}}, {"question": "How much?"}),
        ({"args": ["reader-1", "How much is it?"], "kwargs": {}}, "How much is it?"),
        ({"args": [{"question": "How much?"}], "kwargs": {}}, {"question": "How much?"}),
        ({"args": ["How much?"], "kwargs": {"k": 2}}, {"input": "How much?", "k": 2}),
        ({"args": [], "kwargs": {}}, {}),
        ({"args": None, "kwargs": None}, {}),
        ({"args": "odd", "kwargs": {}}, {"args": "odd", "kwargs": {}}),
        ({"messages": []}, {"messages": []}),
        ("{not json", "{not json"),
    ],
)
def test_the_arguments_of_a_decorated_function_are_unwrapped(logged: Any, expected: Any) -> None:
    assert view(input=logged).input == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ([{"id": "a", "page_content": "Alpha.", "metadata": {"n": 1}, "type": "Document"}], ("a", "Alpha.", None)),
        ([{"pageContent": "Alpha.", "metadata": {}}], (None, "Alpha.", None)),
        ([{"chunk_id": 7, "chunk": "Alpha.", "similarity": 0.5}], ("7", "Alpha.", 0.5)),
        ([{"doc_id": "a", "text": "Alpha.", "relevance": "0.5"}], ("a", "Alpha.", 0.5)),
        ([{"doc_id": "a", "version": "2", "text": "Alpha."}], (None, "Alpha.", None)),
        ([{"id": "a", "document": "Alpha.", "distance": 0.2}], ("a", "Alpha.", None)),
        ([[{"page_content": "Alpha.", "id": "a"}, 0.9], [{"page_content": "B", "id": "b"}, 0.4]], ("a", "Alpha.", 0.9)),
        (
            [[{"page_content": "Alpha.", "id": "a"}, 0.1], [{"page_content": "B", "id": "b"}, 0.4]],
            ("a", "Alpha.", None),
        ),
        ([[0.9, "Alpha."], [0.4, "Beta."]], (None, "Alpha.", 0.9)),
        (["Alpha.", "Beta."], (None, "Alpha.", None)),
        ("Alpha.", (None, "Alpha.", None)),
        ({"matches": [{"id": "a", "score": 0.9, "metadata": {"text": "Alpha."}}]}, ("a", "Alpha.", 0.9)),
        ({"points": [{"id": 3, "score": 0.9, "payload": {"page_content": "Alpha."}}]}, ("3", "Alpha.", 0.9)),
        ({"hits": {"hits": [{"_id": "a", "_score": 2.5, "_source": {"body": "Alpha."}}]}}, ("a", "Alpha.", 2.5)),
        ([{"node": {"id_": "a", "text": "Alpha.", "metadata": {}}, "score": 0.7}], ("a", "Alpha.", 0.7)),
        ([{"id": "a", "content": "Alpha.", "meta": {"n": 1}, "score": 0.7}], ("a", "Alpha.", 0.7)),
        ({"ids": [["a"]], "documents": [["Alpha."]], "metadatas": [[{"n": 1}]]}, ("a", "Alpha.", None)),
        (
            {"data": [{"file_id": "f", "score": 0.8, "content": [{"type": "text", "text": "Alpha."}]}]},
            ("f", "Alpha.", 0.8),
        ),
        ({"retrievalResults": [{"content": {"text": "Alpha."}, "score": 0.8}]}, (None, "Alpha.", 0.8)),
        ([{"document": {"id": "a", "content": "Alpha."}, "score": 0.8}], ("a", "Alpha.", 0.8)),
        ([{"type": "constructor", "kwargs": {"page_content": "Alpha.", "metadata": {}}}], (None, "Alpha.", None)),
    ],
)
def test_passages_are_found_whatever_their_author_called_their_parts(output: Any, expected: tuple[Any, ...]) -> None:
    assert retrieved(output)[0] == expected


@pytest.mark.parametrize("output", [{"count": 3}, "<generator object>", [{"n": 1}], [None], {"ids": "a"}])
def test_what_is_no_list_of_documents_says_nothing(output: Any) -> None:
    assert retrieved(output) is None


@pytest.mark.parametrize("output", [[], {"documents": []}, {"ids": [[]], "documents": [[]]}])
def test_a_retrieval_that_found_nothing_is_empty(output: Any) -> None:
    assert retrieved(output) == []


def test_what_stands_beside_the_text_is_metadata_and_a_distance_no_score() -> None:
    (document,) = view(
        "retriever", output=[{"text": "Alpha.", "id": "a", "source": "x", "distance": 0.2, "embedding": [1]}]
    ).documents("retrieved", most=9)
    assert (document.metadata, document.best_score) == ({"source": "x", "distance": 0.2}, None)


def test_metadata_of_its_own_is_kept_as_it_is_and_completed_by_known_facts() -> None:
    (document,) = view(
        "retriever", output=[{"content": "Alpha.", "metadata": {"n": 1}, "url": "https://a", "kind": "odd"}]
    ).documents("retrieved", most=9)
    assert document.metadata == {"n": 1, "url": "https://a"}


def test_a_reranker_tells_what_it_was_given_and_what_it_let_through() -> None:
    reranker = view(
        name="rerank",
        input={"args": ["How much?"], "kwargs": {"documents": DOCUMENTS}},
        output={"results": [{"index": 1, "relevance_score": 0.9}]},
    )
    given, kept = reranker.documents("rerank_input", most=9), reranker.documents("reranked", most=9)
    assert [d.id for d in given] == ["a", "b"]
    assert [(d.id, d.text, d.score) for d in kept] == [("b", "Beta.", 0.9)]
    assert reranker.documents("retrieved", most=9) is None


MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How much?"}]
TOOL = {"type": "function", "function": {"name": "search", "description": "Search.", "parameters": {}}}


@pytest.mark.parametrize(
    "logged",
    [
        MESSAGES,
        [MESSAGES],
        {"messages": MESSAGES, "tools": [TOOL]},
        {"args": [MESSAGES], "kwargs": {}},
        {"args": [], "kwargs": {"messages": MESSAGES}},
        [*MESSAGES, {"role": "tool", "content": TOOL}],
        {"instructions": "Be brief.", "input": [MESSAGES[1]]},
        {"system": "Be brief.", "messages": [{"role": "user", "content": [{"type": "text", "text": "How much?"}]}]},
    ],
)
def test_the_messages_of_a_generation_are_read_in_every_form(logged: Any) -> None:
    found = view("generation", input=logged).inputs
    assert [(m.role, m.content) for m in found] == [("system", "Be brief."), ("user", "How much?")]


def test_the_result_of_a_tool_is_a_message_and_its_definition_is_none() -> None:
    logged = [{"role": "tool", "content": "180 EUR", "tool_call_id": "c"}, {"role": "tool", "content": TOOL}]
    assert [m.content for m in view("generation", input=logged).inputs] == ["180 EUR"]


@pytest.mark.parametrize(
    "output",
    [
        "180 EUR.",
        {"role": "assistant", "content": "180 EUR."},
        {"content": "180 EUR.", "type": "ai", "additional_kwargs": {}, "tool_calls": []},
        {"choices": [{"index": 0, "message": {"role": "assistant", "content": "180 EUR."}}]},
        {"role": "assistant", "content": [{"type": "text", "text": "180 EUR."}], "stop_reason": "end_turn"},
        {"id": "m", "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "180 EUR."}]},
        [{"type": "reasoning"}, {"role": "assistant", "content": [{"type": "output_text", "text": "180 EUR."}]}],
        [{"role": "assistant", "content": "180 EUR."}],
        {"answer": "180 EUR.", "confidence": 0.9},
        ["180 EUR.", {"tokens": 5}],
    ],
)  # fmt: skip
def test_what_a_model_said_is_read_in_every_form(output: Any) -> None:
    found = view("generation", output=output)
    said = next((m.content for m in reversed(found.outputs) if m.content), None) or found.said
    assert said == "180 EUR."


@pytest.mark.parametrize(
    "output",
    [
        {"role": "assistant", "content": "", "tool_calls": [{"name": "search", "args": {"q": "x"}, "id": "c"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "search", "arguments": '{"q":"x"}'}}],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "search", "input": {"q": "x"}}]},
        {"type": "function_call", "call_id": "c", "id": "fc", "name": "search", "arguments": '{"q":"x"}'},
    ],
)
def test_the_tools_a_model_asks_for_are_read_in_every_form(output: Any) -> None:
    (message,) = view("generation", output=output).outputs
    (call,) = message.tool_calls
    assert (call.name, call.arguments, call.id) == ("search", '{"q":"x"}', "c")


def test_the_prompt_of_a_call_with_several_arguments_is_all_of_them() -> None:
    logged = {"args": ["How much is it?", "It is 180 EUR."], "kwargs": {}}
    assert view("generation", input=logged).prompts == (json.dumps(logged),)
    assert view("generation", input={"args": ["How much is it?"], "kwargs": {}}).prompts == ("How much is it?",)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input": 10, "output": 5}, (10, 5, None)),
        ({"input": 10, "output": 5, "total": 15}, (10, 5, 15)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}, (10, 5, 15)),
        ({"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "input_tokens_details": {}}, (10, 5, 15)),
        ({"input": 2, "input_cache_read": 8, "output": 3, "output_reasoning": 2, "total": 15}, (10, 5, 15)),
        ({"input": 10, "input_cached_tokens": 8, "output": 5, "total": 15}, (10, 5, 15)),
        ({"input": 2, "cache_read_input_tokens": 8, "output": 5}, (10, 5, None)),
        ({"input": 10, "input_priority": 10, "output": 5, "total": 15}, (10, 5, 15)),
        ({}, (None, None, None)),
        ({"input": -1, "output": "5"}, (None, 5, None)),
        ("no json", (None, None, None)),
    ],
)
def test_tokens_are_whole_whatever_was_taken_out_of_them(usage: Any, expected: tuple[Any, ...]) -> None:
    found = view("generation", usage_details=usage)
    assert (found.tokens("prompt"), found.tokens("completion"), found.tokens("total")) == expected


@pytest.mark.parametrize(
    ("details", "expected"),
    [({"total": 0.5, "input": 0.1}, 0.5), ({"input": 0.25, "output": 0.5}, 0.75), ({}, None), ("x", None)],
)
def test_the_cost_is_the_total_or_the_sum_of_its_parts(details: Any, expected: float | None) -> None:
    assert view("generation", cost_details=details).cost == expected


def test_the_first_token_came_when_the_completion_started() -> None:
    found = view("generation", completion_start_time='"2026-11-20T10:02:49.417095Z"')
    assert found.first_token_ns == 1_795_168_969_417_095_000
    assert view("generation", completion_start_time='"soon"').first_token_ns is None


@pytest.mark.parametrize(
    ("version", "attributes"),
    [
        ("5.0.4", {"tenant": '"acme"', "build": "123", "shop": '{"floor":2}', "list": "[1,2]"}),
        ("4.14.3", {"tenant": "acme", "build": 123, "shop.floor": 2, "list": "[1, 2]"}),
        ("", {"tenant": '"acme"', "build": 123, "shop": '{"floor":2}', "list": "[1,2]"}),
    ],
)
@pytest.mark.parametrize("prefix", ["langfuse.trace.metadata", "langfuse.observation.metadata"])
def test_metadata_means_the_same_from_every_generation_of_the_sdk(
    version: str, attributes: dict[str, Any], prefix: str
) -> None:
    given = {f"{prefix}.{key}": value for key, value in attributes.items()}
    span = Span(TRACE_ID, "1" * 16, None, "n", 1, 2, given, scope_name="langfuse-sdk", scope_version=version)
    metadata = Langfuse().view(span, Reading(None, 1000)).metadata
    found = {key: metadata[key] for key in ("tenant", "build", "shop.floor", "list")}
    assert found == {"tenant": "acme", "build": 123, "shop.floor": 2, "list": [1, 2]}


def test_a_number_in_a_text_stays_a_text_where_the_sdk_tells_them_apart() -> None:
    older = view(version="4.14.3", **{"metadata.build": "123"}).metadata
    newer = view(version="5.0.4", **{"metadata.build": '"123"'}).metadata
    assert older == newer == {"build": "123"}


def test_metadata_that_is_no_object_is_kept() -> None:
    assert view(metadata='"all of it"').metadata == {"metadata": "all of it"}


@pytest.mark.parametrize("mask", ["[REDACTED]", "***", "<masked>", "<fully masked due to failed mask function>"])
def test_masked_content_is_absent_and_flagged(mask: str) -> None:
    found = view("generation", input=mask, output=mask, **{"metadata.tenant": json.dumps(mask)})
    assert found.redacted
    assert (found.input, found.output, found.inputs, found.prompts, found.said) == (None, None, (), (), None)
    assert found.metadata == {}
    assert mask not in str(found.attributes.get(f"{O}input"))


def test_a_text_with_something_masked_in_it_is_content() -> None:
    found = view("generation", input="Call [REDACTED] now", output="Done.")
    assert not found.redacted
    assert found.input == "Call [REDACTED] now"


def test_a_model_call_without_a_word_of_content_was_hidden_unless_it_failed() -> None:
    assert view("generation", **{"model.name": "m"}).redacted
    assert not view("generation", error=True).redacted
    assert not view("span").redacted


@pytest.mark.parametrize("error", [True, False], ids=["status", "level-only"])
def test_an_error_is_told_by_level_and_status_message(*, error: bool) -> None:
    found = view(level="ERROR", status_message="429 - too many questions", error=error)
    assert found.failed
    assert found.error == (None, "429 - too many questions")


def test_session_and_user_are_found_under_every_name() -> None:
    for key in ("session.id", "langfuse.session.id", f"{O}metadata.langfuse_session_id"):
        span = Span(TRACE_ID, "1" * 16, None, "n", 1, 2, {f"{O}type": "span", key: "visit-7"})
        assert Langfuse().view(span, Reading(None, 1000)).session == "visit-7"


def test_a_status_message_of_what_did_not_fail_is_no_error() -> None:
    found = view(level="WARNING", status_message="slow")
    assert (found.failed, found.error) == (False, None)


def test_spans_that_langfuse_only_forwards_are_of_their_own_dialect() -> None:
    propagated = {"langfuse.trace.name": "desk", "session.id": "s", "openinference.span.kind": "LLM"}
    span = Span(TRACE_ID, "1" * 16, None, "n", 1, 2, propagated, scope_name="openinference.instrumentation.langchain")
    assert dialect_of(span) == "openinference"
    assert dialect_of(Span(TRACE_ID, "1" * 16, None, "n", 1, 2, {f"{O}type": "span"})) == "langfuse"


@pytest.mark.parametrize("sdk", ["langfuse", "langfuse4"])
def test_both_generations_of_the_sdk_give_the_same_answer(sdk: str) -> None:
    answer = answer_of(f"{sdk}-basic")
    assert (answer.source, answer.session_id, answer.user_id) == ("langfuse", "visit-7", "reader-12")
    assert answer.attributes == {"tenant": "branch-north"}
    assert (answer.release, answer.environment) == ("2.1.0", "test")
    assert [p.id for p in answer.passages] == ["LOAN-1@2", "LOAN-1@1"]
    assert answer.context == ("LOAN-1@2", "LOAN-1@1")
    assert (answer.llm_calls, answer.usage.total_tokens, answer.flags) == (1, 44, frozenset())
    assert answer_of(f"{sdk}-by-hand").attributes == {"tenant": "branch-north", "floor": "2"}


def test_a_root_below_a_span_that_is_never_exported_is_whole() -> None:
    assert answer_of("langfuse-below-a-span").flags == frozenset()


def test_steps_without_a_type_give_retrieval_and_reranking() -> None:
    answer = answer_of("langfuse-reranked")
    assert [stage.kind for stage in answer.stages] == ["retrieve", "rerank"]
    assert answer.context == ("LOAN-1@2", "CARD-3@1")
    assert answer.versions["reranker"] == "reranker-1"


def test_what_code_declared_to_be_question_and_answer_is_that_wherever_it_did() -> None:
    root, below = view(input={"request": 7}, output="<done>"), view("generation", input="Prompt.", output="Raw.")
    declared = {**below.span.attributes, "langfuse.trace.input": "How much?", "langfuse.trace.output": "180 EUR."}
    inner = Span(TRACE_ID, "2" * 16, "1" * 16, "model", 1, 2, declared, scope_name="langfuse-sdk")
    (answer,) = adapt_trace(Trace.of(TRACE_ID, [root.span, inner]), OPTIONS)
    assert (answer.question, answer.answer) == ("How much?", "180 EUR.")


def test_the_version_of_a_managed_prompt_is_its_name_and_number() -> None:
    assert answer_of("langfuse-by-hand").versions["prompt"] == "desk-answer@3"


@pytest.mark.parametrize("name", ["langfuse-masked", "langfuse4-masked", "langfuse-without-content"])
def test_withheld_content_gives_a_flagged_answer_not_none(name: str) -> None:
    answer = answer_of(name)
    assert (answer.question, answer.answer) == (None, None)
    assert answer.flags == {"content_redacted", "answer_missing"}
    assert answer.usage.total_tokens


def test_the_langchain_handler_gives_framework_provider_tools_and_history() -> None:
    agent, history = answer_of("langfuse-langchain-agent"), answer_of("langfuse-langchain-history")
    assert (agent.framework, agent.provider, agent.llm_calls) == ("langchain", "librarian", 2)
    assert [call.name for call in agent.tool_calls] == ["handbook"]
    assert agent.question == "For how long are books lent?"
    assert [turn.role for turn in history.history] == ["user", "assistant"]


NAMES = ["args", "kwargs", "messages", "role", "content", "tool_calls", "function", "name", "documents", "ids"]
NAMES += ["id", "text", "score", "metadata", "index", "node", "choices", "message", "input", "hits", "type"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.sampled_from(["***", "{", "["]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
KEYS = ["input", "output", "usage_details", "cost_details", "model.name", "level", "status_message", "metadata"]
KEYS += ["metadata.a", "metadata.a.b", "completion_start_time", "prompt.name", "prompt.version", "type"]


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.sampled_from(KEYS), VALUES | VALUES.map(lambda v: json.dumps(v, default=str)), max_size=8),
    st.sampled_from(["generation", "retriever", "span", "tool", "odd"]),
    st.sampled_from(["5.0.4", "4.14.3", "", "x.y"]),
    st.sampled_from(["rerank", "search", "step", ""]),
)
def test_any_observation_is_read_without_an_error(given_: dict[str, Any], kind: str, version: str, name: str) -> None:
    attributes = {f"{O}type": kind} | {f"{O}{key}": value for key, value in given_.items()}
    spans = [
        Span(TRACE_ID, f"{n:016x}", parent, name, 1, 2, attributes, scope_name="langfuse-sdk", scope_version=version)
        for n, parent in ((1, None), (2, f"{1:016x}"))
    ]
    found = Langfuse().view(spans[0], Reading(None, 10_000))
    for attribute in dir(type(found)):
        if not attribute.startswith("_"):
            getattr(found, attribute)
    for listing in ("retrieved", "reranked", "rerank_input"):
        assert len(found.documents(listing, most=2) or ()) <= 2
    for answer in adapt_trace(Trace.of(TRACE_ID, spans), OPTIONS):
        assert Answer.model_validate_json(answer.model_dump_json()) == answer
