"""Rules for reading OpenInference traces, each on the smallest trace that shows it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.assembly.calls import Call, total
from adapters.assembly.view import Reading
from adapters.dialects.openinference.view import OpenInferenceView
from adapters.trace import Event, Span

A = {"id": "a", "content": "Alpha holds."}
B = {"id": "b", "content": "Beta holds."}
C = {"id": "c", "content": "Gamma holds."}
REDACTED = "__REDACTED__"


def ids(passages: Any) -> list[str]:
    return [passage.id for passage in passages]


# Model calls


def test_of_nested_model_spans_the_innermost_is_the_call(llamaindex) -> None:
    root = llamaindex.span("Engine.query", "CHAIN", input="Q?", output="A.")
    predict = llamaindex.span("M.predict", "LLM", root, input={"prompt": "P"}, output="A.")
    chat = llamaindex.model(predict, ("user", "Q?"), tokens=(10, 2))
    llamaindex.model(chat, ("user", "Q?"), tokens=(10, 2))
    answer = llamaindex.answer()
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.usage.total_tokens) == (1, 10, 12)


@pytest.mark.parametrize("name", ["PromptBuilder.run", "OpenAI._prepare_chat_with_tools"])
def test_filling_a_template_or_preparing_a_request_is_no_model_call(haystack, name: str) -> None:
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"r": {"query": "Q?"}}})
    haystack.span(name, "LLM", root, input={"messages": []}, output="Context ...", attributes={"llm.prompts": ["x"]})
    haystack.model(root, ("user", "Q?"))
    assert haystack.answer().llm_calls == 1


def test_a_model_that_shows_its_name_and_output_only_is_a_call(llamaindex) -> None:
    root = llamaindex.span("Engine.query", "CHAIN", input="Q?", output="A.")
    llamaindex.retriever(root, A)
    named = {"llm.model_name": "m-2"}
    predict = llamaindex.span("M.predict", "LLM", root, output="A.", attributes=named)
    llamaindex.span("M.complete", "LLM", predict, output={"text": "A."}, attributes=named)
    answer = llamaindex.answer()
    assert (answer.llm_calls, answer.model) == (1, "m-2")


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"writer": {"replies": ["A."], "meta": [{}]}}, "A."),
        ({"writer": {"replies": ["A."]}, "checker": {"replies": ["yes"]}}, None),
        ({"writer": {"replies": ["ChatMessage(role='assistant')"]}}, None),
        ({"writer": {"replies": []}}, None),
    ],
)
def test_a_component_that_is_no_known_generator_answers_in_text(haystack, output, expected) -> None:
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"r": {"query": "Q?"}}}, output=output)
    haystack.retriever(root, A)
    haystack.span("Writer.run", "CHAIN", root, output={"replies": ["A."]})
    assert [answer.answer for answer in haystack.answers()] == ([] if expected is None else [expected])


def test_messages_on_a_chain_span_are_no_model_call(app) -> None:
    root = app.span("LangGraph", "CHAIN", input={"messages": [{"type": "human", "content": "Q?"}]})
    app.span("node", "CHAIN", root, attributes={"llm.input_messages.0.message.role": "user"}, input="x", output="y")
    app.model(root, ("user", "Q?"))
    assert app.answer().llm_calls == 1


def test_a_failed_call_counts_and_missing_tokens_stay_unknown(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.model(root, ("user", "Q?"), says=None, error=("x.RateLimitError", "slow down"))
    app.model(root, ("user", "Q?"), tokens=(5, 1))
    answer = app.answer()
    assert (answer.llm_calls, answer.usage.total_tokens, answer.status, answer.error) == (2, 6, "ok", None)


def test_no_token_counts_are_none_not_zero(app) -> None:
    app.model(None, ("user", "Q?"))
    assert app.answer().usage.model_dump(exclude={"latency_ms"}, exclude_none=True) == {}


def test_a_model_under_a_name_with_agent_is_still_a_model(app) -> None:
    root = app.span("my_agent", "AGENT", input="Q?", output="A.")
    app.model(root, ("user", "Q?"), kind="AGENT", name="agent_model")
    assert app.answer().llm_calls == 1


def test_a_judge_in_the_trace_gives_no_answer_of_its_own(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output={"unknown": 1})
    app.model(root, ("user", "Q?"), says="A.")
    judge = app.span("judge", "EVALUATOR", root)
    app.model(judge, ("user", "Is it true?"), says="yes")
    assert app.answer().answer == "A."


def test_a_trace_of_a_judge_alone_is_no_answer(app) -> None:
    judge = app.span("judge", "EVALUATOR")
    app.model(judge, ("user", "Is it true?"), says="yes")
    assert app.answers() == ()


def test_the_price_of_all_calls_is_summed(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.model(root, attributes={"llm.cost.total": 0.25})
    app.model(root, attributes={"llm.cost.total": 0.5})
    assert app.answer().usage.cost_usd == 0.75


@pytest.mark.parametrize("hostile", [1.7e308, "1e300", 10**18, 10**12 + 1, float("inf")])
def test_a_token_count_that_no_model_call_has_is_not_reported(app, hostile: object) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.model(root, ("user", "Q?"), tokens=(hostile, 2), attributes={"llm.token_count.total": hostile})
    app.model(root, ("user", "Q?"), tokens=(hostile, 3), attributes={"llm.token_count.total": hostile})
    usage = app.answer().usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (None, 5, None)


@pytest.mark.parametrize("hostile", [1.7e308, "1e16", float("inf")])
def test_a_price_that_no_model_call_has_is_not_reported(app, hostile: object) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.model(root, attributes={"llm.cost.total": hostile})
    app.model(root, attributes={"llm.cost.total": hostile})
    assert app.answer().usage.cost_usd is None


def test_the_largest_counts_and_prices_sum_to_what_the_schema_holds_or_to_nothing(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    for _ in range(2):
        app.model(root, ("user", "Q?"), tokens=(10**12, 0), attributes={"llm.cost.total": 1e15})
    usage = app.answer().usage
    assert (usage.prompt_tokens, usage.total_tokens, usage.cost_usd) == (2 * 10**12, 2 * 10**12, None)


def test_token_counts_that_sum_beyond_the_schema_are_not_reported() -> None:
    attributes = {"llm.token_count.prompt": 10**12, "llm.token_count.completion": 1}
    call = Call(OpenInferenceView(Span("t", "s", None, "chat", 1, 2, attributes), Reading(None, 100)))
    assert total([call] * 9007, "prompt") == 9007 * 10**12
    assert total([call] * 9008, "prompt") is None
    assert total([call] * 9008, "completion") == 9008


def test_time_to_the_first_token_counts_from_the_question(llamaindex) -> None:
    root = llamaindex.span("Engine.query", "CHAIN", input="Q?")
    first = Event("First Token Stream Event", 1_760_000_000_000_000_000 + 9_000_000)
    llamaindex.model(root, ("user", "Q?"), events=(first,))
    assert llamaindex.answer().usage.first_token_ms == 8.0


# Retrieval


def test_the_outermost_of_nested_retrievers_is_what_was_retrieved(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    outer = app.retriever(root, C, A, name="Rerank")
    app.retriever(outer, A, B, C, name="Vector")
    app.model(root, ("system", "Alpha holds. Beta holds. Gamma holds."))
    answer = app.answer()
    assert ids(answer.passages) == ["c", "a"]
    assert [stage.output_ids for stage in answer.stages] == [("a", "b", "c"), ("c", "a")]
    assert answer.context == ("c", "a")


def test_an_outer_retriever_that_tells_nothing_is_represented_by_the_inner_ones(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    outer = app.retriever(root, name="Silent")
    app.retriever(outer, A, B)
    app.model(root, ("user", "Q?"))
    assert ids(app.answer().passages) == ["a", "b"]


def test_parallel_retrievers_are_joined_and_keep_their_own_scores(haystack) -> None:
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"r": {"query": "Q?"}}})
    haystack.retriever(root, A | {"score": 12.5}, B | {"score": 3.0}, name="BM25.run")
    haystack.retriever(root, B | {"score": 0.4}, C | {"score": 0.3}, name="Dense.run")
    haystack.model(root, ("user", "Q?"))
    answer = haystack.answer()
    assert [(p.id, p.score, p.stage, p.rank) for p in answer.passages] == [
        ("a", 12.5, "BM25.run", 0),
        ("b", 3.0, "BM25.run", 1),
        ("c", 0.3, "Dense.run", 2),
    ]
    assert [stage.scores for stage in answer.stages] == [(12.5, 3.0), (0.4, 0.3)]


def test_a_reranker_selects_the_context_and_its_documents_get_their_metadata_back(haystack, reranked) -> None:
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"r": {"query": "Q?"}}})
    haystack.retriever(root, A | {"metadata": {"version": "7"}}, B, name="BM25.run")
    haystack.span("Ranker.run", "RERANKER", root, attributes=reranked((A, B), (B | {"score": 0.9}, A | {"score": 0.1})))
    haystack.model(root, ("user", "Beta holds."))
    answer = haystack.answer()
    assert (ids(answer.passages), answer.context) == (["a", "b"], ("b", "a"))
    assert (answer.stages[-1].kind, answer.stages[-1].input_ids, answer.stages[-1].scores) == (
        "rerank",
        ("a", "b"),
        (0.9, 0.1),
    )


def test_of_a_cascade_of_rerankers_the_last_selects(app, reranked) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, A, B, C)
    app.span("first", "RERANKER", root, attributes=reranked((A, B, C), (C, B)))
    app.span("second", "RERANKER", root, attributes=reranked((C, B), (B,)))
    app.model(root)
    assert app.answer().context == ("b",)


def test_rerankers_of_separate_retrievals_select_together(app, reranked) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, A, B)
    app.span("first", "RERANKER", root, attributes=reranked((A, B), (A,)))
    app.retriever(root, C)
    app.span("second", "RERANKER", root, attributes=reranked((C,), (C,)))
    app.model(root)
    assert app.answer().context == ("a", "c")


def test_what_a_reranker_rewrites_is_a_passage_of_its_own(llamaindex, reranked) -> None:
    root = llamaindex.span("Engine.query", "CHAIN", input="Q?", output="A.")
    llamaindex.retriever(root, A)
    wider = A | {"content": "Before. Alpha holds. After."}
    llamaindex.span("Window", "RERANKER", root, attributes=reranked((A,), (wider,)))
    llamaindex.model(root)
    answer = llamaindex.answer()
    assert answer.context_passages()[0].text == "Before. Alpha holds. After."
    assert ids(answer.passages)[0] == "a"


def test_without_a_retriever_span_the_reranker_tells_what_was_retrieved(app, reranked) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.span("Ranker", "RERANKER", root, attributes=reranked((A, B), (B,)))
    app.model(root)
    answer = app.answer()
    assert (ids(answer.passages), answer.context) == (["a", "b"], ("b",))


def test_the_prompt_shows_which_passages_the_generator_saw_and_in_which_order(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="See [1].")
    app.retriever(root, A, B, C)
    app.model(root, ("system", "[1] Gamma holds.\n[2] Alpha holds."), ("user", "Q?"), says="See [1].")
    answer = app.answer()
    assert answer.context == ("c", "a")
    assert answer.citations[0].passage_id == "c"


@pytest.mark.parametrize("dump", [json.dumps, repr])
def test_passages_are_found_in_a_dumped_tool_result(app, dump) -> None:
    text = 'First "line"\nsecond line'
    root = app.span("LangGraph", "CHAIN", input={"messages": [["user", "Q?"]]})
    app.retriever(root, {"id": "a", "content": text}, B)
    app.model(root, ("user", "Q?"), ("tool", dump({"page_content": text})))
    assert app.answer().context == ("a",)


def test_a_prompt_without_any_passage_says_nothing_about_the_selection(haystack) -> None:
    root = haystack.span("Pipeline.run", "CHAIN")
    haystack.retriever(root, A, B)
    haystack.model(root, ("user", "Q?"))
    assert haystack.answer().context == ("a", "b")


def test_a_prompt_that_lost_messages_says_nothing_about_the_selection(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, A, B)
    app.model(root, ("user", "Beta holds."), dropped=3)
    answer = app.answer()
    assert answer.context == ("a", "b")
    assert "attributes_dropped" in answer.flags


def test_a_retriever_under_a_name_with_agent_is_still_a_retriever(app) -> None:
    root = app.span("my_agent", "AGENT", input="Q?", output="A.")
    app.retriever(root, A, kind="AGENT", name="agent_search")
    app.model(root)
    assert ids(app.answer().passages) == ["a"]


def test_a_span_that_lost_its_kind_is_known_by_its_keys(haystack) -> None:
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"r": {"query": "Q?"}}})
    haystack.retriever(root, A | {"index": 4}, B | {"index": 5}, kind=None, dropped=20)
    haystack.model(root, ("user", "Q?"))
    answer = haystack.answer()
    assert [(p.id, p.rank) for p in answer.passages] == [("a", 4), ("b", 5)]


def test_reported_holes_are_filled_from_the_output(llamaindex) -> None:
    root = llamaindex.span("Engine.query", "CHAIN", input="Q?", output="A.")
    reprs = [f"<NodeWithScore(node=TextNode(id_={i}), score={s})>" for i, s in (("a", 3.5), ("b", 2.0))]
    llamaindex.retriever(root, B | {"index": 1, "score": 2.0}, output=reprs, dropped=4)
    llamaindex.model(root)
    assert [(p.id, p.rank, p.score, p.text) for p in llamaindex.answer().passages] == [
        ("a", 0, 3.5, None),
        ("b", 1, 2.0, "Beta holds."),
    ]


def test_a_retriever_that_found_nothing_reports_an_empty_list(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="I cannot say.")
    app.retriever(root, output={"documents": []})
    answer = app.answer()
    assert (answer.passages, answer.context, answer.llm_calls) == ((), (), 0)


def test_a_redacted_text_is_not_taken_from_elsewhere(app) -> None:
    dumped = {"documents": [{"id": "a", "page_content": "Secret.", "metadata": {"v": 1}}]}
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, {"content": REDACTED, "metadata": REDACTED}, output=dumped)
    app.model(root)
    (passage,) = app.answer().passages
    assert (passage.id, passage.text, passage.metadata) == ("a", None, None)


# Passages


@pytest.mark.parametrize(
    ("document", "identity"),
    [
        ({"id": "x", "metadata": {"doc_id": "D", "version": "2"}}, "x"),
        ({"content": "T", "metadata": {"doc_id": "D", "version": 2}}, "D@2"),
        ({"content": "T", "metadata": {"document_id": "D"}}, "D#e632b7095b0bf32c"),
        ({"content": "T"}, "text-e632b7095b0bf32c"),
    ],
)
def test_a_passage_is_known_by_its_id_else_its_document_else_its_text(app, document, identity) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, document)
    app.model(root)
    assert ids(app.answer().passages) == [identity]


def test_two_chunks_under_one_document_id_stay_two_passages(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    metadata = {"doc_id": "D", "version": "2"}
    app.retriever(root, {"content": "One.", "metadata": metadata}, {"content": "Two.", "metadata": metadata})
    app.model(root)
    first, second = ids(app.answer().passages)
    assert first == "D@2"
    assert second.startswith("D@2#")


def test_metadata_becomes_fields_and_stays_as_it_came(app) -> None:
    metadata = {
        "doc_id": "D",
        "version": 3,
        "section": "4.2",
        "source": "https://x.example/d",
        "effective_from": "2025-01-01",
        "effective_to": "2025-12-31",
        "published_at": 1_735_689_600,
        "authority": 0.75,
        "role": "policy",
        "supersedes": ["D@2", "D@1"],
        "permitted": "staff",
        "checksum": "abc",
        "nested": {"a": [1, 2]},
        "nothing": None,
    }
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, {"id": "d", "content": "T", "metadata": metadata})
    app.model(root)
    (passage,) = app.answer().passages
    assert (passage.doc_id, passage.version, passage.section, passage.uri) == ("D", "3", "4.2", "https://x.example/d")
    assert passage.effective_from == passage.published_at == datetime(2025, 1, 1, tzinfo=UTC)
    assert passage.effective_to == datetime(2025, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert (passage.authority, passage.role, passage.checksum) == (0.75, "policy", "abc")
    assert (passage.supersedes, passage.permitted) == (("D@2", "D@1"), ("staff",))
    assert passage.metadata == metadata


@pytest.mark.parametrize("authority", ["Finance", 7, -0.5, True, None])
def test_an_authority_that_is_no_share_stays_in_metadata(app, authority) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, {"id": "d", "metadata": {"authority": authority}})
    app.model(root)
    (passage,) = app.answer().passages
    assert passage.authority is None
    assert passage.metadata == {"authority": authority}


def test_scores_come_from_metadata_where_the_framework_reports_none(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, A | {"metadata": {"score": 3.0, "relevance_score": 0.9}}, B | {"metadata": '{"score": NaN}'})
    app.model(root)
    assert [passage.score for passage in app.answer().passages] == [0.9, None]


# Question, history, answer


@pytest.mark.parametrize(
    "given",
    [
        "Q?",
        {"input": "Q?", "chat_history": []},
        {"question": "Q?", "language": "en"},
        {"messages": [{"type": "human", "data": {"content": "Q?"}}]},
        {"messages": [["user", "Hi"], ["assistant", "Hello"], ["user", "Q?"]]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Q?"}]}]},
        {"messages": [{"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": {"content": "Q?"}}]},
        {"input": {"question": "Q?"}},
        {"message": "Q?"},
        {"query_bundle": {"query_str": "Q?"}},
        {"data": {"r": {"query": "Q?", "top_k": 3}, "p": {"question": "Q?"}, "e": {"text": "Other"}}},
        [["system", "Be kind."], ["user", "Q?"]],
    ],
)
def test_the_question_is_what_the_user_gave_the_root(app, given) -> None:
    root = app.span("chain", "CHAIN", input=given, output="A.")
    app.retriever(root, A, query="rewritten query")
    app.model(root, ("user", "Context: Alpha holds. Question: Q?"))
    answer = app.answer()
    assert (answer.question, answer.queries) == ("Q?", ("rewritten query",))


def test_without_a_root_input_the_retriever_was_asked_the_question(app) -> None:
    root = app.span("chain", "CHAIN", output="A.")
    app.retriever(root, A, query="Q?")
    app.model(root, ("user", "Context: Alpha holds. Question: Q?"))
    assert app.answer().question == "Q?"


def test_a_query_that_a_model_wrote_is_not_the_question(llamaindex) -> None:
    root = llamaindex.span("FunctionAgent.run", "CHAIN")
    call = {"llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "search"}
    llamaindex.model(root, ("user", "Q?"), says=None, attributes=call)
    llamaindex.retriever(root, A, query="alpha")
    llamaindex.model(root, ("user", "Q?"), ("tool", "Alpha holds."), says="A.")
    answer = llamaindex.answer()
    assert (answer.question, answer.queries, answer.answer) == ("Q?", ("alpha",), "A.")
    assert [call.name for call in answer.tool_calls] == ["search"]


def test_the_variables_of_a_template_tell_the_question_unless_something_was_redacted(llamaindex) -> None:
    variables = {"llm.prompt_template.variables": json.dumps({"context_str": "C", "query_str": "Q?"})}
    for hidden, question in ((None, "Q?"), (REDACTED, None)):
        llamaindex.spans.clear()
        root = llamaindex.span("Engine.query", "CHAIN", input=hidden)
        predict = llamaindex.span("M.predict", "LLM", root, attributes=variables)
        llamaindex.model(predict)
        assert llamaindex.answer().question == question


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("From the root.", "From the root."),
        ({"answer": "From the root.", "context": []}, "From the root."),
        ({"output": {"content": "From the root.", "type": "ai"}}, "From the root."),
        ({"messages": [["user", "Q?"], ["ai", "From the root."]]}, "From the root."),
        ({"response": "From the root.", "source_nodes": []}, "From the root."),
        ({"response_gen": "<generator object>"}, "From the model."),
        ({"messages": [["user", "Q?"]]}, "From the model."),
        ("<async_generator object x at 0x7f>", "From the model."),
        ("StopEvent(result=AgentOutput(response=...", "From the model."),
        ("assistant: From the root.", "From the model."),
        ({"llm": {"replies": ["ChatMessage(_role='x')"]}}, "From the model."),
        ({"answer": ""}, "From the model."),
        (None, "From the model."),
    ],
)
def test_the_answer_is_the_roots_where_it_is_text_else_the_models(app, output, expected) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output=output)
    app.model(root, ("user", "Q?"), says="From the model.")
    assert app.answer().answer == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Said.", "Said."),
        ({"text": "Said."}, "Said."),
        ({"generations": [[{"text": "Said."}]]}, "Said."),
        ({"replies": ["Said."]}, "Said."),
        ({"message": {"role": "assistant", "blocks": [{"text": "Said."}]}}, "Said."),
        ("assistant: Said.", None),
        ({"replies": []}, None),
    ],
)
def test_a_completion_without_messages_is_read_from_its_output(llamaindex, output, expected) -> None:
    llamaindex.span("M.complete", "LLM", None, output=output, attributes={"llm.prompts": ["Question: Q?"]})
    answer = llamaindex.answer()
    assert (answer.answer, answer.llm_calls) == (expected, 1)
    assert ("answer_missing" in answer.flags) == (expected is None)


def test_a_failed_run_has_no_answer_whatever_a_model_said_before(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", error=("a.b.ParserError", "cannot\n  parse"))
    app.model(root, ("user", "Rewrite"), says="Rewritten.")
    app.model(
        root, ("user", "Alpha"), says=None, error=("a.b.TimeoutError", "late"), attributes={"llm.model_name": "m-2"}
    )
    answer = app.answer()
    assert (answer.answer, answer.status, answer.model) == (None, "error", "m-2")
    assert answer.error == "TimeoutError: late (raised as ParserError)"
    assert "answer_missing" not in answer.flags


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("ValueError: no such index", "ValueError: no such index"),
        ("RateLimitError('slow down')Traceback (most recent call last):\n\n File", "RateLimitError: slow down"),
        ("the wire broke", "the wire broke"),
        ("", "failed without a message"),
    ],
)
def test_without_an_exception_event_the_status_tells_the_error(app, message, expected) -> None:
    root = app.span("chain", "CHAIN", input="Q?", status=2, message=message)
    app.model(root)
    assert app.answer().error == expected


def test_a_graph_that_gives_back_its_question_has_not_answered(app) -> None:
    root = app.span("LangGraph", "CHAIN", input="Q?", output="Q?")
    app.model(root, ("user", "Q?"), says="A.")
    assert app.answer().answer == "A."


def test_an_answer_with_a_schema_is_the_json_that_the_model_passed_to_its_tool(app) -> None:
    call = "llm.output_messages.0.message.tool_calls.0.tool_call.function"
    asked = {f"{call}.name": "Limit", f"{call}.arguments": '{"amount": 180, "currency": "EUR"}'}
    root = app.span("chain", "CHAIN", input="Q?", output={"currency": "EUR", "amount": 180})
    app.model(root, ("user", "Q?"), says=None, attributes=asked)
    answer = app.answer()
    assert json.loads(answer.answer) == {"amount": 180, "currency": "EUR"}
    assert answer.flags == frozenset()


@pytest.mark.parametrize(("data", "answers"), [({"text": "Q?"}, 1), ({"documents": ["Document(id=1)"]}, 0)])
def test_a_question_that_could_not_be_embedded_is_a_failed_answer_and_a_document_is_none(
    haystack, data, answers
) -> None:
    failure = {"error": ("x.TimeoutError", "embedding timed out")}
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"embedder": data}}, **failure)
    haystack.span("TextEmbedder.run", "EMBEDDING", root, **failure)
    found = haystack.answers()
    assert [(a.status, a.error, a.passages) for a in found] == [
        ("error", "TimeoutError: embedding timed out", None)
    ] * answers


def test_the_parts_of_an_answer_go_on_where_the_last_one_ended(app) -> None:
    prefix = "llm.output_messages.0.message.contents"
    texts = {f"{prefix}.{i}.message_content.text": text for i, text in enumerate(("The limit is ", "180 EUR", "."))}
    root = app.span("chain", "CHAIN", input="Q?")
    app.model(root, ("user", "Q?"), says=None, attributes=texts)
    assert app.answer().answer == "The limit is 180 EUR."


def test_a_history_of_question_and_answer_pairs_is_read(app) -> None:
    app.span("chain", "CHAIN", input={"question": "Two?", "chat_history": [["One?", "Yes."]]}, output="A.")
    app.model(app.spans[0]["span_id"])
    assert [(turn.role, turn.content) for turn in app.answer().history] == [("user", "One?"), ("assistant", "Yes.")]


def test_a_history_that_cannot_be_read_at_the_root_is_read_from_the_prompt(llamaindex) -> None:
    reprs = ["ChatMessage(role=<MessageRole.USER: 'user'>, blocks=[])"]
    root = llamaindex.span("Chat.chat", "CHAIN", input={"message": "Two?", "chat_history": reprs}, output="A.")
    llamaindex.model(root, ("system", "S"), ("user", "One?"), ("assistant", "Yes."), ("user", "Two?"))
    assert [turn.content for turn in llamaindex.answer().history] == ["One?", "Yes."]


def test_the_history_is_what_came_before_the_question(app) -> None:
    root = app.span("LangGraph", "CHAIN", input={"messages": [["user", "And now?"]]}, output="A.")
    app.model(root, ("system", "S"), ("user", "One?"), ("assistant", "Yes."), ("user", "And now?"))
    assert [(turn.role, turn.content) for turn in app.answer().history] == [("user", "One?"), ("assistant", "Yes.")]


def test_what_a_tool_searched_for_is_not_the_users_question(llamaindex) -> None:
    root = llamaindex.span("FunctionAgent.run", "CHAIN")
    llamaindex.model(root, ("user", "How long?"), says=None)
    tool = llamaindex.span("Tool.acall", "TOOL", root, attributes={"tool.name": "search"})
    llamaindex.retriever(tool, {"id": "a", "content": "Alpha holds."}, query="{'query': 'lent'}")
    llamaindex.model(root, ("user", "How long?"), ("tool", "Alpha holds."), says="A.")
    answer = llamaindex.answer()
    assert (answer.question, answer.queries) == ("How long?", ("{'query': 'lent'}",))


def test_a_tool_that_asks_a_model_of_its_own_first_searches_for_the_question(llamaindex) -> None:
    tool = llamaindex.span("Tool.acall", "TOOL", None, attributes={"tool.name": "search"})
    llamaindex.retriever(tool, {"id": "a", "content": "Alpha holds."}, query="How long?")
    llamaindex.model(tool, ("user", "Alpha holds. Now answer."), says="A.")
    assert llamaindex.answer().question == "How long?"


def test_the_prompt_of_a_completion_by_itself_is_the_question(llamaindex) -> None:
    llamaindex.span("complete", "LLM", output="A.", attributes={"llm.prompts": ["How long?"], "llm.model_name": "m"})
    assert (llamaindex.answer().question, llamaindex.answer().answer) == ("How long?", "A.")


def test_tools_that_ran_stand_in_for_calls_that_models_do_not_report(llamaindex) -> None:
    root = llamaindex.span("Agent.run", "CHAIN", input="Q?", output="A.")
    llamaindex.model(root)
    llamaindex.span("Tool.acall", "TOOL", root, input={"kwargs": {"query": "x"}}, attributes={"tool.name": "search"})
    (call,) = llamaindex.answer().tool_calls
    assert (call.name, call.arguments) == ("search", '{"query":"x"}')


# Which traces are answers


def test_a_bare_retriever_an_agent_being_built_and_a_health_check_are_no_answers(app) -> None:
    for name, kind in (("Retriever", "RETRIEVER"), ("create_agent", "AGENT"), ("GET /healthz", None)):
        app.spans.clear()
        app.span(name, kind, input="Q?", output="ok", scope="" if kind is None else app.scope)
        assert app.answers() == ()


def test_a_chain_that_prints_what_it_found_is_no_answer_and_one_that_answers_is(app) -> None:
    for output, count in (("[1] Alpha holds.", 0), ("It holds.", 1)):
        app.spans.clear()
        root = app.span("chain", "CHAIN", input="Q?", output=output)
        app.retriever(root, A)
        assert len(app.answers()) == count


def test_a_failed_retrieval_is_a_failed_answer(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", error=("ConnectionError", "down"))
    app.retriever(root, error=("ConnectionError", "down"))
    answer = app.answer()
    assert (answer.error, answer.llm_calls, answer.passages) == ("ConnectionError: down", 0, None)


def test_a_plain_span_above_the_chain_changes_nothing(app) -> None:
    top = app.span("POST /ask", None, scope="opentelemetry.instrumentation.fastapi")
    root = app.span("chain", "CHAIN", top, input="Q?", output="A.")
    app.model(root)
    answer = app.answer()
    assert (answer.question, answer.answer, answer.flags) == ("Q?", "A.", frozenset())


def test_hand_written_steps_under_a_plain_span_are_one_answer(app) -> None:
    top = app.span("POST /ask", None, scope="app")
    app.retriever(top, A, query="Q?")
    app.model(top, ("system", "Alpha holds."), ("user", "Q?"), says="It holds.")
    answer = app.answer()
    assert (answer.question, answer.answer, ids(answer.passages)) == ("Q?", "It holds.", ["a"])


def test_what_parses_a_models_words_was_not_asked_them(app) -> None:
    top = app.span("POST /ask", None, scope="app")
    app.retriever(top, A, query="Q?")
    app.model(top, ("user", "Alpha holds. Q?"), says="It holds.")
    app.span("StrOutputParser", "CHAIN", top, input="It holds.", output="It holds.")
    assert (app.answer().question, app.answer().answer) == ("Q?", "It holds.")


def test_several_chains_that_each_retrieve_and_answer_are_several_answers(app) -> None:
    top = app.span("batch", None, scope="app")
    for question in ("One?", "Two?"):
        root = app.span("chain", "CHAIN", top, input=question, output=f"{question} Yes.")
        app.retriever(root, A, query=question)
        app.model(root)
    first, second = app.answers()
    assert (first.question, second.question) == ("One?", "Two?")
    assert first.id == first.trace_id
    assert second.id.startswith(f"{first.trace_id}-")


def test_a_chain_mapped_over_questions_gives_an_answer_to_each(app) -> None:
    root = app.span("RunnableEach", "CHAIN", input=["One?", "Two?"], output=["Yes.", "No."])
    for question, reply in (("One?", "Yes."), ("Two?", "No.")):
        each = app.span("chain", "CHAIN", root, input=question, output=reply)
        app.retriever(each, A, query=question)
        app.model(each, ("user", question), says=reply)
    assert [(a.question, a.answer, a.llm_calls) for a in app.answers()] == [("One?", "Yes.", 1), ("Two?", "No.", 1)]


def test_a_stream_that_was_abandoned_did_not_answer_null(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="null")
    app.model(root, ("user", "Q?"), says=None)
    assert app.answer().answer is None


def test_a_trace_whose_root_never_came_is_flagged_and_read_from_what_came(app) -> None:
    lost = "00000000000000aa"
    app.span("RunnableParallel", "CHAIN", lost, input="Q?", output={"context": "Alpha holds."})
    app.model(lost, ("user", "Q?"), says="A.")
    app.span("StrOutputParser", "CHAIN", lost, input={"type": "ai", "data": {"content": "A."}}, output="A.")
    answer = app.answer()
    assert (answer.question, answer.answer, answer.flags) == ("Q?", "A.", {"incomplete_trace"})
    assert answer.usage.latency_ms == 2.5


def test_of_a_rootless_trace_that_failed_the_error_is_told(app) -> None:
    lost = "00000000000000aa"
    app.span("RunnableParallel", "CHAIN", lost, input="Q?", output={"context": ""})
    app.model(lost, ("user", "Q?"), says=None, error=("x.RateLimitError", "slow"))
    answer = app.answer()
    assert (answer.status, answer.error, answer.answer) == ("error", "RateLimitError: slow", None)


def test_a_parent_in_another_process_is_not_waited_for(app) -> None:
    root = app.span("chain", "CHAIN", "00000000000000aa", input="Q?", output="A.", parent_remote=True)
    app.model(root)
    assert app.answer().flags == frozenset()


def test_a_trace_closed_by_timeout_is_incomplete(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.model(root)
    assert "incomplete_trace" in app.answer(complete=False).flags


def test_spans_that_are_their_own_ancestors_are_read_all_the_same(app) -> None:
    app.span("one", "CHAIN", "0000000000000002", input="Q?", output="A.")
    app.span("two", "CHAIN", "0000000000000001")
    app.model("0000000000000002", ("user", "Q?"))
    assert app.answer().answer == "A."


# Facts


def test_slice_attributes_come_from_metadata_then_attributes_then_the_resource(app) -> None:
    app.resource |= {"region": "eu", "tenant": "from-resource"}
    root = app.span(
        "chain", "CHAIN", input="Q?", output="A.", attributes={"metadata": '{"tenant": "acme", "vip": true}'}
    )
    app.model(root, attributes={"metadata": '{"tenant": "inner", "tier": 2}', "llm.x": "y" * 400})
    answer = app.answer(
        attributes={"tenant": "tenant", "tier": "tier", "vip": "vip", "region": "region", "x": "llm.x", "none": "no"},
        versions={"index": "region"},
    )
    assert answer.attributes == {"tenant": "acme", "tier": "2", "vip": "true", "region": "eu", "x": "y" * 256}
    assert answer.versions["index"] == "eu"


@pytest.mark.parametrize(
    ("told", "arm"),
    [("candidate", "candidate"), ("Canary", "candidate"), ("stable", "baseline"), ("primary", "baseline"), ("b", None)],
)
def test_the_side_of_a_split_of_traffic_is_read_in_the_words_of_who_splits(app, told, arm) -> None:
    app.resource |= {"groundwire.arm": told}
    app.model(app.span("chain", "CHAIN", input="Q?", output="A."))
    assert app.answer().arm == arm


@pytest.mark.parametrize(
    ("told", "share"),
    [("0.1", 0.1), (0.25, 0.25), ("0", None), (1, None), ("nan", None), ("inf", None), ("10%", None), (True, None)],
)
def test_the_share_of_the_candidate_is_a_probability_or_nothing(app, told, share) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.", attributes={"weight": told})
    app.model(root)
    assert app.answer(share="weight").share == share
    assert app.answer().share is None


def test_session_and_user_come_from_attributes_else_from_metadata(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.model(root, attributes={"metadata": '{"thread_id": "t-1", "user_id": 7}'})
    answer = app.answer()
    assert (answer.session_id, answer.user_id) == ("t-1", "7")


def test_the_version_of_a_prompt_is_its_own_else_a_hash_of_its_template(app) -> None:
    versions = []
    for extra in ({}, {"llm.prompt_template.version": "v9"}):
        app.spans.clear()
        root = app.span("chain", "CHAIN", input="Q?", output="A.")
        app.span("Prompt", "PROMPT", root, attributes={"llm.prompt_template.template": "Use {context}"} | extra)
        app.span("Embedder", "EMBEDDING", root, attributes={"embedding.model_name": "e-1"})
        app.model(root)
        versions.append(app.answer().versions)
    assert versions[0]["prompt"].startswith("sha256:")
    assert versions[1] == {"prompt": "v9", "embedder": "e-1", "model": "m-1"}


def test_the_conversation_inside_a_llamaindex_template_does_not_change_its_version(llamaindex) -> None:
    found = set()
    for tail in ("", "\nuser: One?\nassistant: Yes."):
        llamaindex.spans.clear()
        root = llamaindex.span("Engine.chat", "CHAIN", input={"message": "Q?"}, output="A.")
        template = {"llm.prompt_template.template": "system: Be kind." + tail}
        predict = llamaindex.span("M.predict", "LLM", root, attributes=template)
        llamaindex.model(predict)
        found.add(llamaindex.answer().versions["prompt"])
    assert len(found) == 1


def test_the_model_that_answered_is_told_by_the_generation_while_streaming(app) -> None:
    output = {"generations": [[{"text": "A.", "generation_info": {"model_name": "m-1-2025"}}]]}
    app.model(None, ("user", "Q?"), output=output)
    assert app.answer().model == "m-1-2025"


# Limits


def test_texts_beyond_the_bound_are_cut_and_flagged(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A" * 50)
    app.retriever(root, {"id": "a", "content": "B" * 50})
    app.model(root)
    answer = app.answer(max_text_chars=20)
    assert (answer.answer, answer.passages[0].text) == ("A" * 20, "B" * 20)
    assert "content_truncated" in answer.flags


def test_passages_beyond_the_bound_are_left_out_and_flagged(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, A, B, C)
    app.model(root)
    answer = app.answer(max_passages=2)
    assert ids(answer.passages) == ["a", "b"]
    assert "content_truncated" in answer.flags


def test_json_beyond_the_bound_is_not_parsed(app) -> None:
    root = app.span("chain", "CHAIN", input={"question": "Q?"}, output="A.")
    app.retriever(root, A, query="fallback")
    app.model(root)
    assert app.answer(max_json_chars=5).question == "fallback"


def test_values_cut_by_the_exporter_are_recognized_by_their_common_length(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    cut = json.dumps({"doc_id": "D", "version": "2", "title": "x" * 80})[:60]
    app.retriever(root, {"content": "T" * 60, "metadata": cut})
    app.model(root, ("system", "S" * 60), ("user", "Q?"))
    answer = app.answer()
    (passage,) = answer.passages
    assert (passage.id, passage.doc_id, passage.metadata) == ("D@2", "D", None)
    assert "content_truncated" in answer.flags


def test_values_of_one_length_that_are_whole_json_were_not_cut(app) -> None:
    root = app.span("batch", "CHAIN", input="Q?", output="A.")
    app.retriever(root, A)
    for identity in ("1", "2"):
        app.model(root, ("user", "Q?"), output={"generations": [["..." * 40]], "id": identity})
    assert app.answer().flags == frozenset()


def test_json_whose_type_the_sdk_dropped_is_still_json(haystack) -> None:
    root = haystack.span("Pipeline.run", "CHAIN")
    haystack.retriever(root, A, query='{"query": "Q?"}', dropped=1)
    haystack.model(root, ("user", "Q?"))
    assert haystack.answer().question == "Q?"


def test_what_is_left_of_a_conversation_that_was_cut_is_not_taken_for_its_end(app) -> None:
    said = [
        {"type": "human", "content": "Hi"},
        {"type": "ai", "content": "Hello"},
        {"type": "human", "content": "Q" * 80},
    ]
    cut = {"messages": json.dumps({"messages": said})[:120], "answers": json.dumps({"messages": said * 2})[:120]}
    json_type = {"input.mime_type": "application/json", "output.mime_type": "application/json"}
    root = app.span("LangGraph", "CHAIN", input=cut["messages"], output=cut["answers"], attributes=json_type)
    app.model(root, ("user", "Hi"), ("assistant", "Hello"), ("user", "Q?"), says="A.")
    answer = app.answer()
    assert (answer.question, answer.answer) == ("Q?", "A.")
    assert "content_truncated" in answer.flags


@pytest.mark.parametrize(
    ("written", "answer"), [("Four weeks.", "Four weeks."), ("Run(content='a')", "A."), ("{", "A.")]
)
def test_words_that_are_said_to_be_json_are_words(app, written, answer) -> None:
    mime = {"output.mime_type": "application/json"}
    root = app.span("Desk.run", "AGENT", input="How long?", output=written, attributes=mime)
    app.model(root, ("user", "How long?"), says="A.")
    assert app.answer().answer == answer


@pytest.mark.parametrize(
    "scope", ["openinference.instrumentation.langchain", "@arizeai/openinference-instrumentation-langchain"]
)
@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize("name", ["model_name", "model"])
def test_the_model_that_responded_to_langchain_is_that_of_its_message(app, scope, wrapped, name) -> None:
    app.scope = scope
    message = {"content": "A.", "type": "ai", "response_metadata": {name: "m-1-2026"}}
    dumped = {"lc": 1, "type": "constructor", "kwargs": message} if wrapped else message
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.model(root, ("user", "Q?"), says="A.", output={"generations": [[{"text": "A.", "message": dumped}]]})
    assert (app.answer().model, app.answer().framework) == ("m-1-2026", "langchain")
