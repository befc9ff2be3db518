"""What is kept of passages takes little memory, and says the same as they do."""

from __future__ import annotations

import pytest

from adapters.caching import forget, text_caches
from scorers.disagreement.cases import limited_apart
from scorers.disagreement.disagreement import disagreements
from scorers.support.contraries.reading import marks_of, word_keys

PASSAGES = tuple(
    " ".join(f"The {thing} of hall {number} must be {said} by the warden of floor {floor}." for number in range(12))
    for floor, (thing, said) in enumerate((("door", "locked"), ("lamp", "cleaned"), ("stove", "heated")))
)


@pytest.mark.parametrize("question", ["May I enter?", "How many are there?", "What does the warden lock?"])
def test_what_is_kept_of_passages_leaves_room_for_a_corpus(question: str) -> None:
    forget()
    disagreements(question, PASSAGES)
    kept = sum(cache.size(inputs) for cache in text_caches() for inputs, _ in cache.entries())
    assert kept < 135 * sum(map(len, PASSAGES))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A dog may bark.",
        "(A) Pets are free.",
        "Block A is free.",
        "E-mails, at 5 p.m., don\u2019t help.",
        "Caf\u00e9: 3 \u20ac",
    ],
)
def test_the_words_of_a_text_are_found_by_what_its_marks_are_found_by(text: str) -> None:
    assert word_keys(text) == [mark.keys for mark in marks_of(text) if mark.keys]


@pytest.mark.parametrize(
    "limit", ["from 50 EUR", "FROM 50 EUR", "From 50 \u20ac", "if you\u2019re a member", "IF YOU ARE A MEMBER"]
)
def test_a_limit_is_one_in_whatever_letters(limit: str) -> None:
    assert limited_apart("Delivery costs 3.99 EUR.", f"Delivery is free {limit}.")
