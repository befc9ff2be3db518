"""Words to entries: what a text is made of, and how entries are ranked by it."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.catalog import Document
from scorers.catalog.search import index as index_module
from scorers.catalog.search.index import K1, B, IndexDraft, SearchIndex, best
from scorers.catalog.search.terms import terms


def numbers(text: str) -> set[int]:
    return set(terms([text]).numbers.tolist())


def index(*texts: str) -> SearchIndex:
    return SearchIndex.of([Document(id=str(n), text=text) for n, text in enumerate(texts)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Limits", "limit"),
        ("policies", "policy"),
        ("boxes", "box"),
        ("\u00c9TAGE", "\u00e9tage"),
        ("e\u0301tage", "\u00e9tage"),
        ("\uff28\uff32", "HR"),
        ("STRASSE", "strasse"),
        ("x" * 64, "x" * 900),
    ],
)
def test_words_that_are_one_have_one_number(one: str, other: str) -> None:
    assert numbers(one) == numbers(other)


@pytest.mark.parametrize(
    ("one", "other"), [("gas", "ga"), ("bus", "bu"), ("class", "clas"), ("150", "180"), ("is", "i")]
)
def test_words_that_are_two_have_two(one: str, other: str) -> None:
    assert numbers(one) != numbers(other)


def test_a_script_without_spaces_is_found_by_pairs() -> None:
    whole = numbers("\u51fa\u5f35\u65c5\u8cbb\u898f\u7a0b")
    assert len(whole) == 5
    assert numbers("\u65c5\u8cbb") < whole
    assert len(numbers("\u8cbb")) == 1
    assert len(numbers("\u0939\u093f\u0928\u094d\u0926\u0940")) == 1, "vowel signs belong to their word"


def reference(query: str, texts: list[str]) -> list[float]:
    """BM25 by the book, over lower-cased words."""
    bags = [re.findall(r"[b-r]+", text) for text in texts]
    mean = sum(map(len, bags)) / len(bags)
    scores = []
    for bag in bags:
        score = 0.0
        for word in set(re.findall(r"[b-r]+", query)):
            df = sum(word in other for other in bags)
            count = bag.count(word)
            if count:
                idf = math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
                score += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * len(bag) / mean))
        scores.append(score)
    return scores


words = st.text("bcd", min_size=1, max_size=3)
texts = st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=12)


@settings(deadline=None)
@given(texts, st.lists(words, max_size=5).map(" ".join), st.integers(1, 40))
def test_scores_are_bm25_by_the_book_whatever_the_batches(corpus: list[str], query: str, batch: int) -> None:
    before = index_module._BATCH_CHARACTERS
    index_module._BATCH_CHARACTERS = batch
    try:
        made = index(*corpus)
    finally:
        index_module._BATCH_CHARACTERS = before
    assert made.scores(query).tolist() == pytest.approx(reference(query, corpus), rel=1e-4)


@settings(deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=6), st.text(max_size=30))
def test_any_text_is_indexed_and_found_by_its_own_words(corpus: list[str], query: str) -> None:
    made = index(*corpus)
    scores = made.scores(query)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    for place, text in enumerate(corpus):
        assert bool(numbers(text)) == (made.scores(text)[place] > 0)
        assert scores[place] == 0 or numbers(text) & numbers(query)


def test_hostile_texts_are_indexed() -> None:
    made = index("a" * 1_000_000, "\0" * 1000, "\U0001f600" * 1000, "\u202e\u202d", "\u0e01" * 100_000, "a " * 300_000)
    assert made.scores("a")[5] > 0


def test_the_best_come_in_order_and_equals_as_listed() -> None:
    assert best(np.array([0, 3, 1, 3, 2], np.float32), 3).tolist() == [1, 3, 4]
    assert best(np.zeros(3, np.float32), 3).tolist() == []


def test_words_without_content_count_where_there_are_no_others() -> None:
    made = index("what is it", "the hotel")
    assert made.scores("what is the hotel").tolist()[0] == 0
    assert made.scores("what is it?").tolist()[0] > 0


def test_coverage_counts_what_the_catalog_never_speaks_of_as_missing() -> None:
    made = index("hotel limit", "taxi fare", "hotel breakfast")
    full, half, none = made.coverage("hotel limit", ["the hotel limit", "hotel", "taxi"])
    assert (full, none) == (pytest.approx(1), 0)
    assert 0 < half < 0.5, "the rarer word weighs more"
    assert made.coverage("hotel spaceship", ["hotel spaceship"])[0] == pytest.approx(1)
    assert made.coverage("hotel spaceship", ["hotel"])[0] < 0.5
    assert made.coverage("", ["hotel"]) == [0.0]


def test_an_index_of_nothing_finds_nothing() -> None:
    made = SearchIndex(IndexDraft().arrays())
    assert made.scores("x").tolist() == []
    assert made.coverage("x", ["y"]) == [0.0]
