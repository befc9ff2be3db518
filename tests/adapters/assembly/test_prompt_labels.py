"""Texts of passages, found in the prompt by the ids they are labelled with."""

from __future__ import annotations

import pytest

from adapters.assembly.prompt_labels import labelled

IDS = {"LOAN-1@2", "FEE-2@1"}
TEXTS = {"LOAN-1@2": "Books are lent for four weeks.", "FEE-2@1": "Overdue books cost 20 cents a day."}


@pytest.mark.parametrize(
    "prompt",
    [
        "[LOAN-1@2] Books are lent for four weeks.\n[FEE-2@1] Overdue books cost 20 cents a day.",
        (
            "Context:\n[LOAN-1@2]: Books are lent for four weeks.\n\n"
            "[FEE-2@1]:\nOverdue books cost 20 cents a day.\n\nBe brief."
        ),
        "[FEE-2@1] Overdue books cost 20 cents a day.\n[LOAN-1@2] Books are lent for four weeks.\nQuestion: How long?",
        (
            "<context>\n[LOAN-1@2] Books are lent for four weeks.\n"
            "[FEE-2@1] Overdue books cost 20 cents a day.\n</context>"
        ),
    ],
)
def test_a_text_reaches_from_its_id_to_the_next_one_or_to_the_end_of_the_context(prompt: str) -> None:
    assert labelled(IDS, [prompt]) == TEXTS


def test_texts_of_several_paragraphs_are_whole() -> None:
    prompt = "[LOAN-1@2] Books.\n\nFour weeks.\n\n[FEE-2@1] Overdue books.\n\n20 cents.\n\nQuestion: How long?"
    assert labelled(IDS, [prompt]) == {"LOAN-1@2": "Books.\n\nFour weeks.", "FEE-2@1": "Overdue books.\n\n20 cents."}


def test_an_id_that_stands_before_different_texts_labels_none() -> None:
    assert labelled({"LOAN-1"}, ["[LOAN-1] Books.\n[LOAN-1] Films."]) == {}
    assert labelled({"LOAN-1"}, ["[LOAN-1] Books.", "[LOAN-1] Books."]) == {"LOAN-1": "Books."}


def test_a_place_is_no_id() -> None:
    assert labelled({"1", "2"}, ["[1] Books are lent for four weeks.\n[2] Films are lent for one week."]) == {}


def test_an_id_within_a_line_labels_nothing() -> None:
    assert labelled({"LOAN-1"}, ["As [LOAN-1] says, books are lent."]) == {}
    assert labelled(set(), ["[LOAN-1] Books."]) == {}


@pytest.mark.parametrize("text", ["[LOAN-1@2] " * 50_000, "[LOAN-1@2]\n" * 50_000, "[" * 400_000, "\n" * 400_000])
def test_hostile_prompts_label_nothing(text: str) -> None:
    assert labelled(IDS, [text]).get("FEE-2@1") is None
