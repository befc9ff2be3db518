"""Tools that search a store themselves: what they hand on beside their text is what was retrieved."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.schema import Answer

QUESTION = "For how long are books lent?"
ROWS = [{"id": "b-1", "page_content": "Books: four weeks.", "metadata": {"doc_id": "b"}, "type": "Document"}]
BUILT = [{"lc": 1, "type": "constructor", "id": ["langchain", "Document"], "kwargs": ROWS[0]}]


def answer(app: Any, output: Any, *, below: bool = False, name: str = "search_books") -> Answer:
    root = app.span("agent", "CHAIN", input=QUESTION, output="Four weeks.")
    tool = app.span(name, "TOOL", root, input={"query": "lent"}, output=output)
    if below:
        app.retriever(tool, {"id": "b-9", "content": "Films: one week."}, query="lent")
    app.model(root, ("user", QUESTION), ("tool", "Source: b. Books: four weeks."), says="Four weeks.")
    return app.answer()


@pytest.mark.parametrize(
    "output",
    [
        {"type": "tool", "data": {"content": "Source: b.", "artifact": ROWS}},
        {"lc": 1, "type": "constructor", "kwargs": {"content": "Source: b.", "artifact": BUILT}},
        {"type": "tool", "content": "Source: b.", "artifact": ROWS},
    ],
)
def test_documents_that_a_tool_hands_on_were_retrieved(app: Any, output: Any) -> None:
    found = answer(app, output)
    assert [(p.id, p.text, p.metadata) for p in found.passages] == [("b-1", "Books: four weeks.", {"doc_id": "b"})]
    assert (found.queries, found.context) == (("lent",), ("b-1",))
    assert [(stage.kind, stage.name, stage.output_ids) for stage in found.stages] == [
        ("retrieve", "search_books", ("b-1",))
    ]


def test_a_tool_that_asked_a_retriever_hands_on_what_that_one_tells(app: Any) -> None:
    found = answer(app, {"type": "tool", "content": "Source: b.", "artifact": ROWS}, below=True)
    assert [(passage.id, passage.stage) for passage in found.passages] == [("b-9", "Retriever")]


@pytest.mark.parametrize(("name", "passages"), [("search_books", ()), ("plot", None)])
def test_a_search_that_handed_on_nothing_found_nothing(app: Any, name: str, passages: Any) -> None:
    assert answer(app, {"type": "tool", "content": "", "artifact": []}, name=name).passages == passages


@pytest.mark.parametrize("artifact", [None, "a", {"id": 1}, [1], [{"image": "a"}], [*ROWS, {"image": "a"}]])
def test_an_artifact_that_is_no_list_of_documents_was_not_retrieved(app: Any, artifact: Any) -> None:
    output = {"type": "tool", "content": "A.", "artifact": artifact}
    assert answer(app, output, name="shelve_books").passages is None
    assert [p.text for p in answer(app, output).passages or ()] == ["A."]


ROWS_OF_TEXT = "[b-1] Books: four weeks.\n\n[b-2] Films: one week."


def test_passages_in_a_tools_text_are_told_apart_by_their_labels(app: Any) -> None:
    found = answer(app, ROWS_OF_TEXT)
    assert [(p.id, p.text) for p in found.passages or ()] == [
        ("b-1", "Books: four weeks."),
        ("b-2", "Films: one week."),
    ]


def test_a_tool_that_does_not_search_gives_no_evidence(app: Any) -> None:
    found = answer(app, ROWS_OF_TEXT, name="lend_book")
    assert (found.passages, found.flags) == (None, frozenset())


def test_a_search_whose_result_is_not_written_down_is_flagged(app: Any) -> None:
    root = app.span("agent", "CHAIN", input=QUESTION, output="Four weeks.")
    app.span("search_books", "TOOL", root, input={"query": "lent"})
    app.model(root, ("user", QUESTION), says="Four weeks.")
    assert app.answer().flags == {"evidence_missing"}


def test_what_a_tool_found_is_read_from_the_prompt_where_it_has_no_span(app: Any) -> None:
    root = app.span("agent", "CHAIN", input=QUESTION, output="Four weeks.")
    named = {"llm.input_messages.1.message.name": "search_books"}
    app.model(root, ("user", QUESTION), ("tool", ROWS_OF_TEXT), says="Four weeks.", attributes=named)
    assert [p.id for p in app.answer().passages or ()] == ["b-1", "b-2"]


def test_a_call_that_only_asks_for_a_tool_is_no_answer(app: Any) -> None:
    call = {"llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "search_books"}
    app.model(None, ("user", QUESTION), says=None, attributes=call)
    assert app.answers() == ()


@pytest.mark.parametrize(
    "output",
    [
        {"id": "c-1", "name": "search_books", "response": {"results": ROWS}},
        [{"json": {"results": ROWS}}],
        [{"json": ROWS[0]}],
    ],
)
def test_what_an_api_puts_around_a_result_is_taken_off(app: Any, output: Any) -> None:
    assert [(p.id, p.text, p.doc_id) for p in answer(app, output).passages] == [("b-1", "Books: four weeks.", "b")]


def test_two_spans_of_one_tool_are_one_search_of_which_one_tells(app: Any) -> None:
    root = app.span("agent", "CHAIN", input=QUESTION, output="Four weeks.")
    tool = app.span("desk.search_books", "TOOL", root, input={"query": "lent"}, output=ROWS_OF_TEXT)
    app.span("search_books", "TOOL", tool)
    app.model(root, ("user", QUESTION), says="Four weeks.")
    found = app.answer()
    assert ([passage.id for passage in found.passages], found.flags) == (["b-1", "b-2"], frozenset())


def test_a_call_that_stands_in_the_prompt_and_in_the_answer_is_one(app: Any) -> None:
    root = app.span("agent", "CHAIN", input=QUESTION, output="Four weeks.")
    call = {"tool_call.id": "c-1", "tool_call.function.name": "search_books"}
    asked = {f"llm.input_messages.1.message.tool_calls.0.{key}": value for key, value in call.items()}
    left = {f"llm.output_messages.0.message.tool_calls.0.{key}": value for key, value in call.items()}
    attributes = {**asked, **left, "llm.input_messages.1.message.role": "assistant"}
    app.model(root, ("user", QUESTION), says="Four weeks.", attributes=attributes)
    assert [each.name for each in app.answer().tool_calls] == ["search_books"]


@pytest.mark.parametrize("given", [ROWS, {"results": ROWS}, "Books: four weeks."])
def test_what_users_hand_on_of_a_tool_are_not_their_words(app: Any, given: Any) -> None:
    """Anthropic's and Bedrock's messages name the call that a user's message answers."""
    told = "llm.input_messages"
    call = f"{told}.1.message.tool_calls.0.tool_call"
    asked = {
        f"{told}.0.message.role": "user",
        f"{told}.0.message.content": QUESTION,
        f"{told}.1.message.role": "assistant",
        f"{call}.id": "c1",
        f"{call}.function.name": "search_books",
        f"{call}.function.arguments": '{"query": "lent"}',
        f"{told}.2.message.role": "user",
        f"{told}.2.message.tool_call_id": "c1",
        f"{told}.2.message.content": given if isinstance(given, str) else json.dumps(given),
    }
    app.model(None, says="Four weeks.", attributes=asked)
    found = app.answer()
    assert (found.question, found.answer, found.queries) == (QUESTION, "Four weeks.", ("lent",))
    assert [passage.text for passage in found.passages] == ["Books: four weeks."]
    assert [each.name for each in found.tool_calls] == ["search_books"]
