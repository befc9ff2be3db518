"""The question within a filled-in prompt, and what is left alone."""

from __future__ import annotations

import pytest

from adapters.assembly.prompt_question import question_in

QUESTION = "How long are books lent?"
PASSAGES = "[1] Books are lent for four weeks.\n[2] Films are lent for one week."

PROMPTS = {
    "labels": f"Context:\n{PASSAGES}\nQuestion: {QUESTION}",
    "an empty answer to fill in": f"Context:\n{PASSAGES}\n\nQuestion: {QUESTION}\nHelpful Answer:",
    "the question first": f"Question: {QUESTION} \nContext: {PASSAGES} \nAnswer:",
    "the question on its own line": f"Documents:\n{PASSAGES}\n\nUser question:\n{QUESTION}\n\nAnswer:\n",
    "instructions before": (
        "Context information is below.\n---------------------\nBooks are lent for four weeks.\n---------------------\n"
        f"Given the context information and not prior knowledge, answer the query.\nQuery: {QUESTION}\nAnswer: "
    ),
    "pieces of context without a label": (
        "Use the following pieces of context to answer the question at the end.\n\n"
        f"Books are lent for four weeks.\n\nQuestion: {QUESTION}\nHelpful Answer:"
    ),
    "numbered passages without a label": f"{PASSAGES}\n\nQuestion: {QUESTION}",
    "headings": f"## Context\n{PASSAGES}\n\n## Question\n{QUESTION}\n\n## Answer\n",
    "bold type": f"**Context:**\n{PASSAGES}\n\n**Question:** {QUESTION}",
    "tags": f"<documents>\n{PASSAGES}\n</documents>\n<question>\n{QUESTION}\n</question>",
    "another language": f"Kontext:\n{PASSAGES}\nFrage: {QUESTION}\nAntwort:",
    "questions in the context": (
        f"Context:\nQuestion: Do you lend films?\nAnswer: Yes.\n\nQuestion: {QUESTION}\nAnswer:"
    ),
    "answered examples": (
        f"Question: Do you lend films?\nAnswer: Yes.\nContext:\n{PASSAGES}\nQuestion: {QUESTION}\nAnswer:"
    ),
}


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_the_question_is_what_the_prompt_labels_as_such(prompt: str) -> None:
    assert question_in(prompt) == QUESTION


@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        "",
        "Question: and what about films?",
        "My order is late.\nQuestion: where is it?",
        "I have a question: may I bring a dog?",
        f"Context:\n{PASSAGES}",
        f"Context:\n{PASSAGES}\nQuestion:\nAnswer:",
        "Context:\nQuestion: Do you lend films?\nAnswer: Yes.",
        "<question>Do you lend films?</question>",
    ],
)
def test_words_of_a_user_are_left_alone(text: str) -> None:
    assert question_in(text) == text


def test_a_question_of_several_lines_is_whole() -> None:
    assert question_in(f"Context:\n{PASSAGES}\nQuestion: Two things:\n- books?\n- films?") == (
        "Two things:\n- books?\n- films?"
    )


@pytest.mark.parametrize(
    "text", ["Question: " * 40_000, "\n" * 400_000, "# " * 200_000, "given " * 60_000, "<query>" * 50_000]
)
def test_hostile_prompts_take_no_time_to_speak_of(text: str) -> None:
    assert question_in(text) == text
