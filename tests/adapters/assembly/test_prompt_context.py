"""What an answer rests on where no step of its trace searched: what its prompt announces, or its run handed back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from adapters.assembly import prompt_context
from adapters.assembly.calls import Call
from adapters.assembly.messages import Message
from adapters.assembly.prompt_context import context_in
from adapters.assembly.view import Reading, View
from adapters.trace import Span
from tests.scorers import regexes

QUESTION = "For how long are books lent?"
BOOKS, FILMS = "Books are lent for four weeks.", "Films are lent for one week."


def texts(app: Any, *prompt: tuple[str, str], question: str | None = QUESTION) -> list[str] | None:
    root = None if question is None else app.span("ask", "CHAIN", input=question, output="Four weeks.")
    app.model(root, *prompt, says="Four weeks.")
    answer = app.answer()
    assert answer.stages is None
    assert answer.flags == frozenset()
    if answer.passages is None:
        return None
    assert {passage.stage for passage in answer.passages} <= {"prompt"}
    assert answer.context == tuple(passage.id for passage in answer.passages)
    return [passage.text or "" for passage in answer.passages]


@pytest.mark.parametrize(
    "announced",
    [
        f"Context:\n{BOOKS}\n{FILMS}",
        f"Context:\n- {BOOKS}\n- {FILMS}",
        f"Answer from:\n{BOOKS}\n{FILMS}",
        f"Answer only from these passages:\n\n{BOOKS}\n\n{FILMS}",
        f"You help readers. Use the following documents to answer:\n1. {BOOKS}\n2. {FILMS}",
        f"Use the following pieces of retrieved context to answer the question.\n\nContext:\n[1] {BOOKS}\n[2] {FILMS}",
        f"<context>\n{BOOKS}\n\n{FILMS}\n</context>\nCite what you use.",
        f"## Retrieved context\n{BOOKS}\n{FILMS}",
        f"Context:\n---\n{BOOKS}\n{FILMS}\n---\nAnswer in one sentence.",
        f"Relevant information:\n{BOOKS}\n{FILMS}\n\nIf the answer is not there, say that you do not know.",
        f'Retrieved documents: [{{"text": "{BOOKS}"}}, {{"text": "{FILMS}"}}]',
    ],
)
def test_passages_that_instructions_announce_are_read_word_for_word(app: Any, announced: str) -> None:
    assert texts(app, ("system", announced), ("user", QUESTION)) == [BOOKS, FILMS]


@pytest.mark.parametrize(
    "prompt",
    [
        f"Context:\n{BOOKS}\n{FILMS}\n\nQuestion: {QUESTION}\nAnswer:",
        f"Context:\n{BOOKS}\n{FILMS}\n\n{QUESTION}",
        f"{QUESTION}\n\nSources:\n{BOOKS}\n{FILMS}",
        f"<documents>\n{BOOKS}\n\n{FILMS}\n</documents>\n\n{QUESTION}",
        f"[[ ## context ## ]]\n[1] «{BOOKS}»\n[2] «{FILMS}»\n\n[[ ## question ## ]]\n{QUESTION}\n\nRespond.",
    ],
)
def test_a_context_beside_the_question_in_one_message_is_read(app: Any, prompt: str) -> None:
    assert texts(app, ("user", prompt)) == [BOOKS, FILMS]


def test_a_context_of_an_earlier_turn_is_not_what_this_answer_rests_on(app: Any) -> None:
    earlier = f"Context:\n{FILMS}\n\nQuestion: And films?"
    asked = (("user", earlier), ("assistant", "One week."), ("user", f"Context:\n{BOOKS}\n\nQuestion: {QUESTION}"))
    assert texts(app, *asked) == [BOOKS]


def test_an_announced_context_without_a_word_is_an_empty_one(app: Any) -> None:
    assert texts(app, ("user", f"Context:\n\nQuestion: {QUESTION}")) == []


@pytest.mark.parametrize(
    "said",
    [
        "You are the desk of a library. Books are lent for four weeks.",
        "Reply in JSON with sources and text fields:\n{}",
        "Answer with one of the following:\nyes\nno",
        "Extract the following information:\nName. Age.",
        "You have access to the following tools:\nsearch",
        "Note: the library is closed.",
        "[[ ## context ## ]]\n{context}\n\n[[ ## question ## ]]\n{question}",
    ],
)
def test_a_prompt_that_announces_nothing_has_no_passages(app: Any, said: str) -> None:
    assert texts(app, ("system", said), ("user", QUESTION)) is None


def test_a_context_that_cannot_be_told_from_the_question_is_flagged(app: Any) -> None:
    app.model(None, ("user", f"Use this context:\n{BOOKS}\nfor how long, then"), says="Four weeks.")
    found = app.answer()
    assert (found.passages, found.flags) == (None, {"evidence_missing"})


def test_a_search_that_does_not_tell_is_not_made_up_for_by_the_prompt(app: Any) -> None:
    root = app.span("ask", "CHAIN", input=QUESTION, output="Four weeks.")
    app.span("search_books", "TOOL", root, input={"query": "lent"})
    app.model(root, ("system", f"Context:\n{BOOKS}"), ("user", QUESTION), says="Four weeks.")
    found = app.answer()
    assert (found.passages, found.flags) == (None, {"evidence_missing"})


ROWS = [{"id": "b-1", "text": BOOKS, "score": 0.8, "metadata": {"doc_id": "b", "version": "2"}}]


@pytest.mark.parametrize(
    "output",
    [
        {"answer": "Four weeks.", "contexts": ROWS},
        {"answer": "Four weeks.", "source_documents": ROWS},
        ["Four weeks.", ROWS],
        ["Four weeks.", [["b-1", BOOKS, {"doc_id": "b", "version": "2"}, 0.8]]],
    ],
)
def test_documents_handed_back_beside_the_answer_were_retrieved(app: Any, output: Any) -> None:
    root = app.span("ask", "CHAIN", input=QUESTION, output=output)
    app.model(root, ("system", f"Answer from:\n{BOOKS}"), ("user", QUESTION), says="Four weeks.")
    found = app.answer()
    assert [(p.id, p.text, p.score, p.doc_id, p.version) for p in found.passages] == [("b-1", BOOKS, 0.8, "b", "2")]
    assert (found.context, found.flags, found.answer) == (("b-1",), frozenset(), "Four weeks.")


def test_what_was_handed_back_and_never_shown_to_the_model_is_no_evidence(app: Any) -> None:
    root = app.span("ask", "CHAIN", input=QUESTION, output={"answer": "Four weeks.", "results": [{"text": FILMS}]})
    app.model(root, ("system", "You help readers."), ("user", QUESTION), says="Four weeks.")
    assert app.answer().passages is None


def asked(text: str) -> Call:
    view = View(Span("t", "s", None, "chat", 1, 2), Reading(None, 1))
    view.inputs = (Message("system", text),)
    return Call(view)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["Context:", "Context:\n", "<context>", "# docs\n", "\n\n", "---\n", "Question: ", "."]
)
def test_hostile_prompts_are_read_in_linear_time(piece: str) -> None:
    assert len(context_in(asked(piece * (390_000 // len(piece))), None, most=9)) == 2


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "name", sorted(name for name, held in vars(prompt_context).items() if isinstance(held, re.Pattern))
)
def test_no_expression_that_reads_prompts_can_blow_up(name: str) -> None:
    regexes.check(vars(prompt_context)[name])
