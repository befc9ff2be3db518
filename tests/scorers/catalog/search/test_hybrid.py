"""Search by words and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.catalog import Catalog, Document
from scorers.catalog.search.hybrid import search
from scorers.catalog.search.weights import RELEVANCE_SHARES, SearchWeights
from scorers.ports.embedding import Vectors

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
QUESTION = "What is the hotel limit for a business trip?"

CATALOG = Catalog(
    [
        Document(id="TRV", version="2", text="The hotel limit for a business trip is 150 EUR.", effective_to=NOW - DAY),
        Document(
            id="TRV",
            version="3",
            text="The hotel limit for a business trip is 180 EUR.",
            effective_from=NOW - DAY,
            supersedes=("2",),
            permitted=("staff",),
        ),
        Document(id="TRV", version="4", text="The hotel limit for a trip is 200 EUR.", effective_from=NOW + DAY),
        Document(id="EXC", role="exception", text="In Tokyo the limit for a hotel is 260 EUR."),
        Document(id="IT", text="A laptop is replaced every four years."),
    ]
)


class Meanings:
    """A model of three meanings: lodging, machines, and the rest."""

    name = "meanings"

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        rows = [
            [sum(w in t.lower() for w in ("hotel", "lodging", "room")), sum(w in t.lower() for w in ("laptop",)), 0.1]
            for t in texts
        ]
        table = np.array(rows, np.float32)
        return table / np.linalg.norm(table, axis=1, keepdims=True)


def references(*arguments, **options) -> list[str]:
    return [hit.document.reference for hit in search(*arguments, **options)]


def test_the_entry_that_answers_comes_first() -> None:
    assert references(CATALOG, "How often is a laptop replaced?", k=1) == ["IT"]


def test_only_what_governs_is_found_where_an_instant_is_given() -> None:
    assert set(references(CATALOG, QUESTION)) == {"TRV@2", "TRV@3", "TRV@4", "EXC"}
    assert references(CATALOG, QUESTION, at=NOW) == ["TRV@3", "EXC"]
    assert references(CATALOG, QUESTION, at=NOW - 2 * DAY)[0] == "TRV@2"
    assert references(CATALOG, QUESTION, at=NOW + 2 * DAY)[0] == "TRV@4"


def test_what_a_group_may_not_see_is_not_shown_to_it() -> None:
    assert "TRV@3" not in references(CATALOG, QUESTION, groups=["guests"])
    assert "TRV@3" in references(CATALOG, QUESTION, groups=["guests", "staff"])


def test_scores_are_the_mixture_of_words_and_meaning() -> None:
    for hit in search(CATALOG, QUESTION, embedder=Meanings()):
        assert hit.dense is not None
        assert hit.score == pytest.approx(0.5 * hit.sparse + 0.5 * hit.dense)
        assert 0 <= hit.score <= 1
    best = search(CATALOG, QUESTION)[0]
    assert (best.score, best.sparse, best.dense) == (1, 1, None)


@pytest.mark.parametrize("sparse", [0.4, 0.6])
def test_the_mixture_is_by_the_weight_of_the_catalog(sparse: float) -> None:
    catalog = Catalog(CATALOG.documents)
    catalog.weights = SearchWeights(sparse=sparse)
    for hit in search(catalog, QUESTION, embedder=Meanings()):
        assert hit.dense is not None
        assert hit.score == pytest.approx(sparse * hit.sparse + (1 - sparse) * hit.dense)


def test_less_weight_on_relevance_puts_what_is_new_before_what_repeats() -> None:
    texts = {
        "A": "Hotel rooms cost 180 EUR.",
        "B": "Hotel rooms cost 180 EUR today.",
        "C": "Rooms and hotel: cleaned daily by contracted staff each morning early.",
    }
    catalog = Catalog([Document(id=name, text=text) for name, text in texts.items()])
    orders = {}
    for relevance in RELEVANCE_SHARES:
        catalog.weights = SearchWeights(relevance=relevance)
        orders[relevance] = references(catalog, "hotel rooms")
    assert orders == {0.6: ["A", "C", "B"], 0.8: ["A", "B", "C"]}


def test_vectors_of_the_catalog_find_what_shares_no_word_with_the_question() -> None:
    model = Meanings()
    with_vectors = Catalog.of(CATALOG._listing, vectors=model.encode([d.text or "" for d in CATALOG.documents]))
    model.encoded.clear()
    assert references(with_vectors, "Lodging?", embedder=model)[0] in {"TRV@2", "TRV@3", "TRV@4", "EXC"}
    assert model.encoded == ["Lodging?"], "the catalog is not encoded again"
    assert references(with_vectors, "Lodging?") == [], "words alone"


def test_the_same_thing_twice_yields_to_something_else() -> None:
    text = "The hotel limit for a business trip is 180 EUR."
    twins = Catalog(
        [
            Document(id="A", text=text),
            Document(id="B", text=text),
            Document(id="C", text="On a business trip to Tokyo a hotel has another limit."),
        ]
    )
    assert references(twins, QUESTION) == ["A", "C", "B"]


def test_nothing_is_found_by_no_words() -> None:
    assert search(CATALOG, "") == ()
    assert search(CATALOG, "zebra") == ()
    assert search(Catalog(), QUESTION) == ()


@settings(deadline=None)
@given(st.lists(st.text("ab ", max_size=12), max_size=8), st.text("ab ", max_size=6), st.integers(0, 9), st.booleans())
def test_hits_are_distinct_bounded_and_the_same_each_time(
    texts: list[str],
    query: str,
    k: int,
    with_model: bool,  # noqa: FBT001
) -> None:
    catalog = Catalog([Document(id=str(n), text=text) for n, text in enumerate(texts)])
    model = Meanings() if with_model else None
    hits = search(catalog, query, k=k, embedder=model)
    assert hits == search(catalog, query, k=k, embedder=model)
    assert len({hit.document.id for hit in hits}) == len(hits) <= k
    assert all(0 <= hit.score <= 1.0001 and 0 <= hit.coverage <= 1.0001 for hit in hits)
    if hits and not with_model:
        assert hits[0].score == 1
