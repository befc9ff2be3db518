"""Which passages the generator was shown, where the prompt is not the passages pasted one after the other."""

from __future__ import annotations

import json
from typing import Any

import pytest

A = {"id": "a", "content": "Alpha holds,\nsince «May»."}
B = {"id": "b", "content": "Beta holds."}
C = {"id": "c", "content": "Gamma holds."}


@pytest.mark.parametrize(
    "written",
    [
        lambda text: " ".join(text.split()),
        lambda text: text.replace(" ", "  ").replace("\n", "\r\n"),
        lambda text: json.dumps([{"text": text}]),
        lambda text: json.dumps([{"text": text}], ensure_ascii=False),
        lambda text: repr([text]),
    ],
)
def test_a_passage_is_found_however_its_line_breaks_and_letters_are_written(app, written: Any) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, B, A, C)
    app.model(root, ("system", f"Gamma holds. {written(A['content'])}"), ("user", "Q?"))
    assert app.answer().context == ("c", "a")


def test_a_refined_answer_was_made_from_the_passages_of_all_its_calls(llamaindex) -> None:
    first, second = "The first draft of the answer.", "The second draft of the answer."
    root = llamaindex.span("Engine.query", "CHAIN", input="Q?", output="The final answer.")
    llamaindex.retriever(root, A, B, C)
    llamaindex.model(root, ("user", A["content"]), says=first)
    llamaindex.model(root, ("user", f"We have: {first} New context: Beta holds."), says=second)
    llamaindex.model(root, ("user", f"We have: {second} New context: Gamma holds."), says="The final answer.")
    assert llamaindex.answer().context == ("a", "b", "c")


def test_collected_answers_were_made_from_the_passages_of_all_calls(llamaindex) -> None:
    said = ["Of alpha there is much to say.", "Of beta there is much to say."]
    root = llamaindex.span("Engine.query", "CHAIN", input="Q?", output="\n---\n".join(said))
    llamaindex.retriever(root, A, B, C)
    llamaindex.model(root, ("user", A["content"]), says=said[0])
    llamaindex.model(root, ("user", "Beta holds."), says=said[1])
    assert llamaindex.answer().context == ("a", "b")


def test_a_passage_that_was_graded_and_left_out_was_not_shown(app) -> None:
    root = app.span("chain", "CHAIN", input="Q?", output="Yes, alpha holds.")
    app.retriever(root, A, B)
    app.model(root, ("user", f"Relevant? {A['content']}"), says="yes")
    app.model(root, ("user", "Relevant? Beta holds."), says='{"relevant": "no", "reason": "off topic"}')
    app.model(root, ("system", A["content"]), ("user", "Q? Answer yes or no."), says="Yes, alpha holds.")
    assert app.answer().context == ("a",)


def test_the_best_passages_lost_to_the_attribute_limit_are_found_where_they_were_handed_on(app) -> None:
    documents = [
        {"id": d["id"], "page_content": d["content"], "metadata": {"n": n}, "type": "Document"}
        for n, d in enumerate((A, B, C))
    ]
    root = app.span("chain", "CHAIN", input="Q?", output="A.")
    app.retriever(root, {"content": C["content"], "index": 2}, dropped=4)
    app.span("other", "CHAIN", root, input=documents[::-1], output="...")
    app.span("format", "CHAIN", root, input=documents, output="...")
    app.model(root)
    answer = app.answer()
    assert [(p.id, p.rank, p.text) for p in answer.passages] == [
        ("a", 0, A["content"]),
        ("b", 1, B["content"]),
        ("c", 2, C["content"]),
    ]
    assert answer.passages[0].metadata == {"n": 0}
    assert "attributes_dropped" in answer.flags


def test_reprs_that_were_handed_on_tell_which_passages_were_lost_but_not_their_texts(haystack) -> None:
    reprs = [f"Document(id={i}, content: 'Beta holds ...', meta: {{}}, score: {s})" for i, s in (("a", 3.5), ("b", 2))]
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"r": {"query": "Q?"}}})
    haystack.retriever(root, B | {"index": 1, "score": 2.0}, dropped=4)
    haystack.span("PromptBuilder.run", "LLM", root, input={"kwargs": {"documents": reprs}}, output="...")
    haystack.model(root, ("user", "Q?"))
    assert [(p.id, p.score, p.text) for p in haystack.answer().passages] == [
        ("a", 3.5, None),
        ("b", 2.0, "Beta holds."),
    ]


@pytest.mark.parametrize(
    "handed", [["x", "y", "z"], [{"id": "a"}, {"id": "b"}], [{"id": "a"}, {"id": "x"}, {"id": "y"}]]
)
def test_a_list_that_does_not_agree_fills_no_holes(haystack, handed: list[Any]) -> None:
    root = haystack.span("Pipeline.run", "CHAIN", input={"data": {"r": {"query": "Q?"}}})
    haystack.retriever(root, C | {"index": 2}, dropped=8)
    haystack.span("Builder.run", "CHAIN", root, input={"documents": handed}, output="...")
    haystack.model(root, ("user", "Q?"))
    assert [(p.id, p.rank) for p in haystack.answer().passages] == [("c", 2)]
