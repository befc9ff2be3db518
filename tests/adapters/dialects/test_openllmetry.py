"""Spans of OpenLLMetry: recorded ones of both generations and of its SDK, and what its instrumentations write."""

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
from adapters.dialects.openllmetry.adapter import OpenLLMetry
from adapters.dialects.openllmetry.view import OpenLLMetryView
from adapters.files.read import read
from adapters.schema import Answer, ToolCall
from adapters.trace import Event, Span, Trace

TRACES = Path(__file__).parents[2] / "golden" / "traces"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
NS = 1_760_000_000_000_000_000
QUESTION = "For how long are books lent?"
ANSWER = "Books are lent for four weeks [1]."
OPTIONS = AdaptOptions(attributes={"tenant": "tenant"})
LANGCHAIN = "opentelemetry.instrumentation.langchain"
LLAMAINDEX = "opentelemetry.instrumentation.llamaindex"


def recorded(name: str) -> list[Answer]:
    records = list(read((TRACES / f"openllmetry-{name}.otlp.pb").read_bytes(), OPTIONS))
    assert all(isinstance(record, Answer) for record in records)
    return records


def only(name: str) -> Answer:
    (answer,) = recorded(name)
    return answer


def span(attributes: Mapping[str, Any] | None = None, *, scope: str = LANGCHAIN, **given: Any) -> Span:
    number = given.pop("number", 1)
    return Span(
        trace_id=TRACE_ID,
        span_id=f"{number:016x}",
        parent_id=given.pop("parent", None),
        name=given.pop("name", "step"),
        start_ns=NS + number * 1_000_000,
        end_ns=NS + 100_000_000 - number * 1_000_000,
        attributes=dict(attributes or {}),
        scope_name=scope,
        **given,
    )


def step(kind: str = "task", taken: Any = None, returned: Any = None, **given: Any) -> Span:
    told: dict[str, Any] = {"traceloop.span.kind": kind}
    for key, value in (("traceloop.entity.input", taken), ("traceloop.entity.output", returned)):
        if value is not None:
            told[key] = json.dumps(value)
    return span(told | given.pop("attributes", {}), **given)


def view(one: Span, *, cap: int | None = None) -> OpenLLMetryView:
    found = OpenLLMetry().view(one, Reading(cap=cap, json_limit=100_000))
    assert isinstance(found, OpenLLMetryView)
    return found


def answers(*spans: Span) -> tuple[Answer, ...]:
    return adapt_trace(Trace.of(TRACE_ID, spans), OPTIONS)


# --- recorded applications -------------------------------------------------------------------------------------------


def test_a_chain_gives_question_answer_evidence_and_whose_visit_it_was() -> None:
    answer = only("basic")
    assert (answer.question, answer.answer) == (QUESTION, ANSWER)
    assert (answer.source, answer.framework, answer.service) == ("openllmetry", "langchain", "library-desk")
    assert (answer.session_id, answer.user_id, answer.attributes) == (
        "visit-7",
        "reader-12",
        {"tenant": "branch-north"},
    )
    assert [passage.id for passage in answer.passages] == ["LOAN-1@2", "LOAN-1@1"]
    assert (answer.passages[0].stage, answer.stages[0].query) == ("Shelf", QUESTION)
    assert answer.citations[0].passage_id == "LOAN-1@2"
    assert (answer.llm_calls, answer.model) == (1, "librarian-1-0424")
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (37, 7, 44)


def test_the_older_generation_gives_the_same_but_for_what_was_retrieved() -> None:
    now, then = only("basic"), only("old-basic")
    assert (then.stages, then.queries) == (None, None)
    # Only the prompt tells what was retrieved: its words, and nothing else of the documents.
    assert [(p.text, p.stage, p.metadata) for p in then.passages] == [(p.text, "prompt", None) for p in now.passages]
    for field in ("question", "answer", "history", "model", "provider", "llm_calls", "session_id", "user_id", "flags"):
        assert getattr(then, field) == getattr(now, field), field
    assert then.usage.total_tokens == now.usage.total_tokens


@pytest.mark.parametrize("name", ["conversation", "old-conversation"])
def test_earlier_turns_are_history(name: str) -> None:
    answer = only(name)
    assert answer.question == "And how long are books lent?"
    assert [turn.content for turn in answer.history] == ["Do you lend films?", "Yes, for one week."]
    assert answer.llm_calls == 2


def test_a_streaming_chain_tells_its_question_with_its_output() -> None:
    answer = only("streaming")
    assert answer.question == "What does an overdue book cost?"
    assert answer.answer.startswith("An overdue book costs")
    assert (answer.model, answer.usage.total_tokens) == (None, 55)


@pytest.mark.parametrize("name", ["model-fails", "old-model-fails"])
def test_a_failed_model_gives_the_error_as_its_provider_put_it(name: str) -> None:
    answer = only(name)
    assert (answer.status, answer.answer, answer.llm_calls) == ("error", None, 1)
    assert answer.error == "RateLimitError: Error code: 429 - too many questions today"


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


@pytest.mark.parametrize("name", ["agent", "graph"])
def test_an_agent_gives_the_words_of_its_user_and_the_tools_it_asked_for(name: str) -> None:
    answer = only(name)
    assert (answer.question, answer.queries, answer.answer) == (QUESTION, ("books lent weeks",), ANSWER)
    assert [(call.name, json.loads(call.arguments)) for call in answer.tool_calls] == [
        ("handbook", {"query": "books lent weeks"})
    ]
    assert answer.llm_calls == 2


def test_building_an_agent_is_no_answer() -> None:
    assert b"create_agent" in (TRACES / "openllmetry-graph.otlp.pb").read_bytes()
    assert len(recorded("graph")) == 1


@pytest.mark.parametrize("name", ["redacted", "old-redacted"])
def test_content_that_was_switched_off_is_absent_and_flagged_but_tokens_are_counted(name: str) -> None:
    answer = only(name)
    assert (answer.question, answer.answer, answer.passages) == (None, None, None)
    assert answer.flags == {"content_redacted", "answer_missing"}
    assert answer.usage.total_tokens == 111


def test_cut_values_are_flagged() -> None:
    assert "content_truncated" in only("cut").flags


@pytest.mark.parametrize(("name", "questions"), [("batch", 3), ("mapped", 2)])
def test_each_of_many_questions_is_its_own_answer(name: str, questions: int) -> None:
    found = recorded(name)
    assert len({answer.question for answer in found}) == len({answer.id for answer in found}) == questions


def test_a_retriever_by_itself_is_no_answer() -> None:
    assert recorded("retriever-only") == []


def test_the_sdk_tells_of_decorated_functions_a_vector_store_and_a_client() -> None:
    answer = only("sdk-store")
    assert (answer.question, answer.answer, answer.framework) == (QUESTION, ANSWER, None)
    assert (answer.session_id, answer.user_id, answer.attributes) == (
        "visit-7",
        "reader-12",
        {"tenant": "branch-north"},
    )
    assert {passage.id for passage in answer.passages} == {"LOAN-1@1", "LOAN-1@2"}
    assert all(passage.text and passage.doc_id == "LOAN-1" for passage in answer.passages)
    assert [passage.score for passage in answer.passages] == [None, None]
    assert (answer.stages[0].name, answer.model, answer.provider) == ("chroma.query", "librarian-1-0424", "openai")


def test_llamaindex_gives_nodes_with_their_scores() -> None:
    answer = only("llamaindex-basic")
    assert (answer.framework, answer.question) == ("llamaindex", "What does an overdue book cost?")
    assert [(passage.id, passage.score) for passage in answer.passages] == [("FEE-2@1", 2.0), ("CARD-3@1", 0.0)]
    assert all(passage.text and passage.metadata for passage in answer.passages)
    assert [stage.name for stage in answer.stages] == ["Shelf"]
    assert (answer.llm_calls, answer.flags) == (1, frozenset())


def test_llamaindex_fuses_and_reranks() -> None:
    answer = only("llamaindex-reranked")
    assert [stage.kind for stage in answer.stages] == ["retrieve", "retrieve", "retrieve", "rerank"]
    assert answer.passages[0].stage == "QueryFusionRetriever"
    assert answer.context == ("LOAN-1@2",)


def test_each_turn_of_a_llamaindex_chat_is_an_answer_from_the_condensed_question() -> None:
    first, second = recorded("llamaindex-conversation")
    assert (first.question, first.llm_calls) == ("What does an overdue book cost?", 1)
    assert (second.question, second.queries) == ("And an overdue film?", ("What does an overdue film cost?",))
    assert second.llm_calls == 2


def test_an_agent_of_llamaindex_names_its_users_question_and_the_tool_it_called() -> None:
    answer = only("llamaindex-agent")
    assert (answer.question, answer.queries) == ("What does an overdue book cost?", ("overdue cost",))
    (call,) = answer.tool_calls
    assert (call.name, json.loads(call.arguments)) == ("handbook", {"query": "overdue cost"})


# --- which spans, and what they are ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "dialect"),
    [
        (LANGCHAIN, "openllmetry"),
        ("opentelemetry.instrumentation.openai.v1", "openllmetry"),
        ("opentelemetry.instrumentation.qdrant", "openllmetry"),
        ("traceloop.tracer", "openllmetry"),
        ("opentelemetry.instrumentation.openai_v2", "otel_genai"),
        ("opentelemetry.instrumentation.requests", None),
        ("desk", None),
    ],
)
def test_a_span_is_claimed_by_its_scope(scope: str, dialect: str | None) -> None:
    assert dialect_of(span(scope=scope)) == dialect


def test_the_workflow_name_that_the_sdk_puts_on_every_span_claims_none() -> None:
    assert dialect_of(span({"traceloop.workflow.name": "ask"}, scope="opentelemetry.instrumentation.requests")) is None


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({"traceloop.span.kind": "workflow", "gen_ai.operation.name": "invoke_agent"}, "CHAIN"),
        ({"traceloop.span.kind": "agent"}, "AGENT"),
        ({"traceloop.span.kind": "tool"}, "TOOL"),
        ({"traceloop.span.kind": "task", "gen_ai.operation.name": "execute_task"}, "CHAIN"),
        ({"traceloop.span.kind": "task", "gen_ai.operation.name": "vector_db_retrieve"}, "RETRIEVER"),
        ({"traceloop.span.kind": "task", "gen_ai.operation.name": "chat"}, "LLM"),
        ({"traceloop.span.kind": "task", "traceloop.entity.name": "ChatPromptTemplate"}, "PROMPT"),
        ({"traceloop.span.kind": "mystery"}, "OTHER"),
        ({"gen_ai.operation.name": "text_completion"}, "LLM"),
        ({"gen_ai.operation.name": "create_agent"}, "OTHER"),
        ({"gen_ai.operation.name": "invoke_agent"}, "AGENT"),
        ({"gen_ai.operation.name": "execute_task"}, "OTHER"),
        ({"llm.request.type": "chat"}, "LLM"),
        ({"llm.request.type": "rerank"}, "RERANKER"),
        ({"gen_ai.completion.0.content": "Four weeks."}, "LLM"),
        ({"db.system": "Qdrant"}, "OTHER"),
        ({"db.system": "chroma", "db.operation": "query"}, "RETRIEVER"),
        ({}, "OTHER"),
    ],
)
def test_the_kind_of_a_step(attributes: Mapping[str, Any], kind: str) -> None:
    assert view(span(attributes)).kind == kind


@pytest.mark.parametrize(("name", "kind"), [("qdrant.query_points", "RETRIEVER"), ("qdrant.upsert", "OTHER")])
def test_a_vector_store_without_an_operation_goes_by_the_spans_name(name: str, kind: str) -> None:
    found = view(span({"db.system": "Qdrant"}, name=name, scope="opentelemetry.instrumentation.qdrant"))
    assert (found.kind, found.documents("retrieved", most=10)) == (kind, None)


def decorated(kind: str, name: str, taken: Any, returned: Any, number: int, parent: str | None = None) -> Span:
    named = {"traceloop.entity.name": name}
    given = {"args": taken, "kwargs": {}}
    return step(kind, given, returned, attributes=named, scope="traceloop.tracer", number=number, parent=parent)


def test_decorated_functions_that_retrieve_and_rerank_are_told_by_their_names_and_results() -> None:
    rows = [{"id": f"b-{i}", "text": f"Passage {i}.", "score": 0.5 - i / 10, "metadata": {"i": i}} for i in range(3)]
    root = decorated("workflow", "desk", [QUESTION], ANSWER, 1)
    search = decorated("task", "search_books", ["books lent"], rows, 2, root.span_id)
    rerank = decorated("task", "rerank_books", ["books lent", rows], rows[:0:-1], 3, root.span_id)
    called = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": QUESTION,
        "gen_ai.completion.0.content": ANSWER,
    }
    call = span(called | {"llm.request.type": "chat"}, scope="opentelemetry.instrumentation.openai", number=4)
    (answer,) = answers(root, search, rerank, replace(call, parent_id=root.span_id))
    assert [(p.id, p.text, p.score) for p in answer.passages] == [(r["id"], r["text"], r["score"]) for r in rows]
    assert (answer.queries, answer.context) == (("books lent",), ("b-2", "b-1"))
    assert [(stage.kind, stage.name) for stage in answer.stages] == [
        ("rerank", "rerank_books"),
        ("retrieve", "search_books"),
    ]


def test_a_decorated_search_that_found_nothing_is_an_empty_retrieval() -> None:
    found = view(decorated("task", "search_books", [QUESTION], [], 1))
    assert (found.kind, found.documents("retrieved", most=10)) == ("RETRIEVER", ())


@pytest.mark.parametrize(("told", "names"), [(True, ["chroma.query"]), (False, ["chroma.query", "search_books"])])
def test_a_store_below_a_decorated_search_tells_more_of_its_matches(*, told: bool, names: list[str]) -> None:
    root = decorated("workflow", "desk", [QUESTION], ANSWER, 1)
    search = decorated("task", "search_books", ["lent"], [{"text": "Passage.", "id": "b-1"}], 2, root.span_id)
    match = Event("db.query.result", NS, {"db.query.result.id": "b-1", "db.query.result.document": "Passage."})
    store = span(
        {"db.system": "chroma"}, name="chroma.query", number=3, parent=search.span_id, events=(match,) if told else ()
    )
    (answer,) = answers(root, search, replace(store, scope_name="opentelemetry.instrumentation.chromadb"))
    assert [stage.name for stage in answer.stages] == names
    assert [(passage.id, passage.text) for passage in answer.passages] == [("b-1", "Passage.")]


@pytest.mark.parametrize(
    ("kind", "name", "returned"),
    [
        ("task", "search_books", "no list"),
        ("task", "load_books", [{"text": "A."}]),
        ("workflow", "search", [{"text": "A."}]),
    ],
)
def test_other_decorated_functions_are_what_they_are_called(kind: str, name: str, returned: Any) -> None:
    assert view(decorated(kind, name, [QUESTION], returned, 1)).kind == "CHAIN"


def test_a_store_below_a_retriever_is_not_another_retrieval() -> None:
    root = step("workflow", {"inputs": QUESTION}, {"outputs": ANSWER}, number=1)
    found = {"documents": [{"page_content": "Books are lent for four weeks.", "metadata": {}}]}
    retriever = step(
        taken={"query": QUESTION},
        returned=found,
        attributes={"gen_ai.operation.name": "vector_db_retrieve", "traceloop.entity.name": "Chroma"},
        number=2,
        parent=root.span_id,
    )
    store = span(
        {"db.system": "chroma", "db.operation": "query"},
        scope="opentelemetry.instrumentation.chromadb",
        events=(Event("db.query.result", NS, {"db.query.result.id": "a"}),),
        number=3,
        parent=retriever.span_id,
    )
    model = span({"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 3}, number=4, parent=root.span_id)
    (answer,) = answers(root, retriever, store, model)
    assert [stage.name for stage in answer.stages] == ["Chroma"]


# --- what went in and out --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("taken", "found"),
    [
        ({"inputs": "How long?", "tags": []}, "How long?"),
        ({"inputs": {"question": "How long?"}}, {"question": "How long?"}),
        ({"input_str": "{'q': 1}", "inputs": {"q": 1}}, {"q": 1}),
        ({"input_str": "lent", "inputs": None}, "lent"),
        ({"query": "lent", "tags": []}, {"query": "lent", "tags": []}),
        ({"args": ["How long?"], "kwargs": {}}, "How long?"),
        ({"args": ["<desk.Desk object at 0x7f>", "How long?"], "kwargs": {}}, "How long?"),
        ({"args": [{"question": "How long?"}], "kwargs": {}}, {"question": "How long?"}),
        ({"args": [], "kwargs": {"question": "How long?"}}, {"question": "How long?"}),
        ({"args": 7, "kwargs": None}, None),
        ([1], [1]),
    ],
)
def test_what_went_in_is_taken_out_of_its_wrapping(taken: Any, found: Any) -> None:
    assert view(step(taken=taken)).input == found


def test_the_arguments_of_a_haystack_pipeline_are_its_components() -> None:
    taken = {"args": [], "kwargs": {"retriever": {"query": "How long?"}}}
    pipeline = step("workflow", taken, scope="opentelemetry.instrumentation.haystack")
    assert view(pipeline).input == {"data": {"retriever": {"query": "How long?"}}}


def test_the_span_of_a_graph_speaks_through_the_chain_below_it() -> None:
    graph = span({"gen_ai.operation.name": "invoke_agent"}, number=1)
    chain = step("workflow", {"inputs": "How long?"}, {"outputs": "Four weeks."}, number=2, parent=graph.span_id)
    model = span({"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 3}, number=3, parent=chain.span_id)
    (answer,) = answers(graph, chain, model)
    assert (answer.question, answer.answer, answer.span_id) == ("How long?", "Four weeks.", graph.span_id)


def test_a_thread_is_the_session_only_where_no_session_is_told() -> None:
    thread = {"gen_ai.conversation.id": "t-1"}
    assert view(span(thread)).session == "t-1"
    assert view(span(thread | {"traceloop.association.properties.session_id": "s-1"})).session is None


def test_an_unknown_model_and_a_framework_for_a_provider_are_none() -> None:
    names = {"gen_ai.response.model": "unknown", "gen_ai.request.model": "unknown", "gen_ai.provider.name": "langchain"}
    assert (view(span(names)).model, view(span(names)).provider) == (None, None)
    named = names | {
        "traceloop.association.properties.ls_model_name": "m-1",
        "traceloop.association.properties.ls_provider": "acme",
    }
    assert (view(span(named)).model, view(span(named)).provider) == ("m-1", "acme")


def test_a_managed_prompt_has_its_version_template_and_variables() -> None:
    managed = {
        "traceloop.prompt.template": "Answer {question}",
        "traceloop.prompt.version": 3,
        "traceloop.prompt.template_variables": '{"question": "How long?"}',
    }
    found = view(span(managed))
    assert (found.template, found.template_version) == ("Answer {question}", "3")
    assert found.variables == {"question": "How long?"}


def test_the_first_chunk_of_a_stream_is_the_first_token() -> None:
    chunks = tuple(Event("gen_ai.content.completion.chunk", NS + at) for at in (9, 5, 7))
    assert view(span(events=chunks)).first_token_ns == NS + 5


# --- flattened messages ----------------------------------------------------------------------------------------------


def flat(prefix: str, *messages: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{prefix}.{i}.{key}": value for i, message in enumerate(messages) for key, value in message.items()}


def test_flattened_messages_are_read_in_order_of_their_index() -> None:
    told = flat("gen_ai.prompt", {"role": "system", "content": "Be brief."}, {"role": "user", "content": "How long?"})
    backwards = dict(reversed(told.items()))
    assert [message.content for message in view(span(backwards)).inputs] == ["Be brief.", "How long?"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('""', None),
        ("", None),
        ('[{"type": "text", "text": "How"}, {"type": "text", "text": "long?"}]', "How\nlong?"),
        ('[{"a": 1}]', '[{"a": 1}]'),
        ("[1] is enough", "[1] is enough"),
        (["How", "long?"], "How\nlong?"),
        (7, None),
    ],
)
def test_the_content_of_a_flattened_message(content: Any, text: str | None) -> None:
    (message,) = view(span(flat("gen_ai.prompt", {"role": "user", "content": content}))).inputs
    assert message.content == text


def test_tool_calls_are_flattened_too() -> None:
    call = {"tool_calls.0.id": "c1", "tool_calls.0.name": "handbook", "tool_calls.0.arguments": "{}"}
    nameless = {"tool_calls.1.id": "c2"}
    (message,) = view(span(flat("gen_ai.completion", {"role": "assistant", **call, **nameless}))).outputs
    assert message.tool_calls == (ToolCall(name="handbook", arguments="{}", id="c1"),)


def test_haystacks_prompt_is_the_texts_of_all_its_messages() -> None:
    (message,) = view(span({"gen_ai.prompt.0.user": ["Be brief.", "How long?"]})).inputs
    assert message == Message(role="user", content="Be brief.\nHow long?")


def test_what_was_streamed_has_no_role_and_is_the_assistants() -> None:
    said = json.dumps([{"role": "unknown", "parts": [{"type": "text", "content": "Four weeks."}]}])
    assert view(span({"gen_ai.output.messages": said})).outputs == (Message(role="assistant", content="Four weeks."),)


def test_messages_that_went_out_as_events_are_the_calls() -> None:
    told = (
        Event("gen_ai.user.message", NS, {"body": {"content": "How long?"}}),
        Event("gen_ai.choice", NS + 1, {"body": {"index": 0, "message": {"content": "Four weeks."}}}),
    )
    found = view(span({"gen_ai.operation.name": "chat"}, events=told))
    assert [message.content for message in (*found.inputs, *found.outputs)] == ["How long?", "Four weeks."]
    assert not found.redacted


def test_a_cut_flattened_prompt_says_nothing_about_the_selection() -> None:
    told = flat("gen_ai.prompt", {"role": "user", "content": "x" * 64})
    assert view(span(told), cap=64).prompt_is_cut
    assert not view(span(told), cap=65).prompt_is_cut


# --- matches of vector stores ----------------------------------------------------------------------------------------


def matches(*told: Mapping[str, Any], event: str = "db.query.result") -> OpenLLMetryView:
    events = tuple(Event(event, NS, {f"{event}.{key}": value for key, value in each.items()}) for each in told)
    return view(span({"db.system": "x"}, scope="opentelemetry.instrumentation.pinecone", events=events))


def test_a_match_has_a_score_but_a_distance_is_none() -> None:
    found = matches({"id": "a", "score": 0.9}, {"id": "b", "distance": 0.2}).documents("retrieved", most=10)
    assert [(document.id, document.score) for document in found] == [("a", 0.9), ("b", None)]


@pytest.mark.parametrize("written", [json.dumps, str])
def test_the_text_of_a_store_without_documents_stands_in_the_metadata(written: Any) -> None:
    metadata = {"text": "Books are lent.", "doc_id": "LOAN-1", "page": 3}
    (document,) = matches({"id": "a", "metadata": written(metadata)}).documents("retrieved", most=10)
    assert (document.text, document.metadata) == ("Books are lent.", {"doc_id": "LOAN-1", "page": 3})


def test_the_entity_of_a_milvus_match_is_its_metadata() -> None:
    entity = {"text": "Books are lent."}
    (document,) = matches({"id": 7, "entity": str(entity)}, event="db.search.result").documents("retrieved", most=10)
    assert (document.id, document.text) == ("7", "Books are lent.")


@pytest.mark.parametrize("metadata", ["{'a': open('x')}", "{'a': " * 500, "None", "{'a': b'x', 'b': {1}}", 7, None])
def test_metadata_that_is_no_object_is_none(metadata: Any) -> None:
    told = {"id": "a"} if metadata is None else {"id": "a", "metadata": metadata}
    (document,) = matches(told).documents("retrieved", most=10)
    assert document.metadata is None


def test_no_more_matches_are_read_than_asked_for() -> None:
    assert len(matches(*({"id": str(n)} for n in range(9))).documents("retrieved", most=3)) == 3
    assert matches().documents("retrieved", most=3) is None


# --- LlamaIndex ------------------------------------------------------------------------------------------------------

NODE = json.dumps({"node": {"id_": "n-1", "text": "Books are lent.", "metadata": {"page": 3}}, "score": 0.5})


@pytest.mark.parametrize(
    ("taken", "returned", "entity", "kind"),
    [
        ({"str_or_query_bundle": "lent"}, [NODE], "Shelf.task", "RETRIEVER"),
        ({"str_or_query_bundle": "lent"}, [], "BM25Retriever.task", "RETRIEVER"),
        ({"str_or_query_bundle": "lent"}, {"response": "Four weeks."}, "RetrieverQueryEngine.workflow", "CHAIN"),
        ({"nodes": [NODE], "query_bundle": None}, [NODE], "Newest.task", "RERANKER"),
        ({"args": ["Context..."]}, {"text": "Four weeks.", "additional_kwargs": {}}, "Completer.task", "LLM"),
        ({"text": "Books"}, ["Books"], "TokenTextSplitter.task", "CHAIN"),
    ],
)
def test_a_step_of_llamaindex_is_told_by_what_it_takes_and_gives_back(
    taken: Any, returned: Any, entity: str, kind: str
) -> None:
    one = step(taken=taken, returned=returned, attributes={"traceloop.entity.name": entity}, scope=LLAMAINDEX)
    assert view(one).kind == kind


def test_a_node_is_a_passage_with_its_score() -> None:
    one = step(taken={"query_bundle": {"query_str": "lent"}}, returned=[NODE], scope=LLAMAINDEX)
    (document,) = view(one).documents("retrieved", most=10)
    assert (document.id, document.text, document.score) == ("n-1", "Books are lent.", 0.5)
    assert document.metadata == {"page": 3}


def test_a_completion_of_llamaindex_has_its_prompt_and_what_it_said() -> None:
    one = step(
        taken={"args": ["How long?"]}, returned={"text": "Four weeks.", "additional_kwargs": {}}, scope=LLAMAINDEX
    )
    assert (list(view(one).prompts), view(one).said, view(one).redacted) == (["How long?"], "Four weeks.", False)


def test_spans_nested_without_end_are_read_without_recursion() -> None:
    scope = "opentelemetry.instrumentation.chromadb"
    told = {"db.system": "chroma", "db.operation": "query"}
    chain = [
        span(told, scope=scope, number=n, parent=f"{n - 1:016x}" if n > 1 else None, name="chroma.query")
        for n in range(1, 3_001)
    ]
    assert answers(*chain) == ()


def test_what_users_hand_on_of_a_tool_is_not_what_they_ask() -> None:
    """As Anthropic's messages stood before 0.55: parts, dumped to JSON."""
    result = [{"type": "tool_result", "tool_use_id": "c1", "content": '[{"id": "b-1", "text": "Books: four weeks."}]'}]
    told = {
        "llm.request.type": "completion",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "For how long are books lent?",
        "gen_ai.prompt.1.role": "assistant",
        "gen_ai.prompt.1.tool_calls.0.id": "c1",
        "gen_ai.prompt.1.tool_calls.0.name": "search_books",
        "gen_ai.prompt.1.tool_calls.0.arguments": '{"query": "lent"}',
        "gen_ai.prompt.2.role": "user",
        "gen_ai.prompt.2.content": json.dumps(result),
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "Four weeks.",
    }
    span = Span("t", "1", None, "anthropic.chat", 1, 9, told, scope_name="opentelemetry.instrumentation.anthropic")
    (answer,) = adapt_trace(Trace.of("t", [span]), AdaptOptions())
    assert (answer.question, answer.answer, answer.queries) == (
        "For how long are books lent?",
        "Four weeks.",
        ("lent",),
    )
    assert [(each.id, each.text) for each in answer.passages] == [("b-1", "Books: four weeks.")]


def test_a_store_that_is_watched_in_javascript_tells_what_it_found() -> None:
    found = {"db.query.result.id": "b-1", "db.query.result.document": "Books: four weeks."}
    spans = [
        Span("t", "1", None, "ask", 1, 90, {"traceloop.span.kind": "workflow", "traceloop.entity.output": '"A."'}),
        Span(
            "t",
            "2",
            "1",
            "chroma.query",
            2,
            9,
            {"db.system": "chroma", "db.operation": "query"},
            events=(Event("db.query.result", 3, found),),
            scope_name="@traceloop/instrumentation-chromadb",
        ),
        Span("t", "3", "1", "chat", 10, 20, {"llm.request.type": "chat", "gen_ai.completion.0.content": "A."}),
    ]
    (answer,) = adapt_trace(Trace.of("t", spans), AdaptOptions())
    assert [(each.id, each.text) for each in answer.passages] == [("b-1", "Books: four weeks.")]
