"""What governs a question by the catalog, and what of it retrieval missed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env
from scorers.catalog import Catalog, Document
from scorers.catalog.search.hybrid import Hit, search
from scorers.retrieval.governing import governing

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
        ),
        Document(id="TRV", version="4", text="The hotel limit for a trip is 200 EUR.", effective_from=NOW + DAY),
        Document(id="EXC", role="exception", text="In Tokyo the hotel limit for a business trip is 260 EUR."),
        Document(id="IT", text="A laptop is replaced every four years."),
    ]
)
ENV = Env(now=NOW, catalog=CATALOG)


def answer(*passages: Passage, question: str | None = QUESTION) -> Answer:
    return Answer(id="a", question=question, started_at=NOW, passages=passages)


def missed(answered: Answer) -> list[str]:
    return [entry.document.reference for entry in governing(answered, ENV, 10) if not entry.found]


def test_the_governing_passage_that_retrieval_missed_is_found() -> None:
    assert missed(answer(Passage(id="IT"))) == ["TRV@3", "EXC"]


def test_what_was_retrieved_was_not_missed() -> None:
    assert missed(answer(Passage(id="p", doc_id="TRV", version="3"))) == ["EXC"]
    assert missed(answer(Passage(id="EXC"))) == ["TRV@3"]


def test_what_stands_behind_the_first_passages_counts_as_missed() -> None:
    answered = answer(Passage(id="IT"), Passage(id="EXC"), Passage(id="TRV@3"))
    assert [(entry.document.reference, entry.found) for entry in governing(answered, ENV, 2)] == [
        ("TRV@3", False),
        ("EXC", True),
    ]


def test_an_old_version_does_not_stand_in_for_the_one_that_governs() -> None:
    assert missed(answer(Passage(id="TRV@2"))) == ["TRV@3", "EXC"]


def test_without_question_passages_or_catalog_nothing_governs() -> None:
    assert governing(answer(question=None), ENV, 10) == ()
    assert governing(Answer(id="a", question=QUESTION), ENV, 10) == ()
    assert governing(answer(), Env(now=NOW), 10) == ()


def test_a_question_that_several_systems_answer_is_searched_once_for_each_instant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[datetime] = []

    def counted(catalog: Catalog, query: str, **options: Any) -> tuple[Hit, ...]:
        searched.append(options["at"])
        return search(catalog, query, **options)

    monkeypatch.setattr("scorers.retrieval.governing.search", counted)
    catalog = Catalog(CATALOG.documents)
    for at, expected in ((NOW, "TRV@3"), (NOW, "TRV@3"), (NOW - 2 * DAY, "TRV@2"), (NOW, "TRV@3")):
        given = Answer(id="a", question=QUESTION, started_at=at, passages=(Passage(id="IT"),))
        assert governing(given, Env(now=NOW, catalog=catalog), 10)[0].document.reference == expected
    assert searched == [NOW, NOW - 2 * DAY]
