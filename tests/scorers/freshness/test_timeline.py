"""Timelines: dated passages that answer a question differently, and which of them holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Citation, Passage
from scorers.base import Env, Score, Unscored
from scorers.freshness.stale_source_use import StaleSourceUse
from scorers.freshness.temporal_validity import TemporalValidity
from scorers.freshness.timeline import Timeline, timeline
from scorers.memory import Memory

NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUESTION = "What is the newest version of the tool?"


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def laid(answer: Answer, settled: frozenset[int] = frozenset()) -> Timeline:
    return timeline(answer, Memory(), NOW, settled)


def told(answer: str, *statements: tuple[str, int], question: str = QUESTION, asked: datetime | None = None) -> Answer:
    passages = tuple(
        Passage(id=str(place), text=text, published_at=year(when)) for place, (text, when) in enumerate(statements)
    )
    return Answer(id="a", question=question, answer=answer, passages=passages, started_at=asked)


def verdict(answer: Answer) -> tuple[str | None, float]:
    stale = StaleSourceUse().score(answer, Env(now=NOW))
    valid = TemporalValidity().score(answer, Env(now=NOW))
    assert isinstance(stale, Score), stale
    assert isinstance(valid, Score), valid
    return stale.label, valid.value


ENTRIES = ((f"{QUESTION} Tool 9.", 2015), (f"{QUESTION} Tool 9.3.6.", 2019))


def test_an_answer_that_equals_the_newest_statement_is_current_and_another_is_stale() -> None:
    assert verdict(told("Tool 9.3.6", *ENTRIES)) == ("current", 1.0)
    assert verdict(told("Tool 9", *ENTRIES)) == ("stale", 0.0)


def test_the_order_of_passages_does_not_matter() -> None:
    assert verdict(told("Tool 9", *reversed(ENTRIES))) == ("stale", 0.0)
    assert verdict(told("Tool 9.3.6", *reversed(ENTRIES))) == ("current", 1.0)


def test_a_claim_that_says_what_the_newer_says_is_current_though_it_cites_the_older() -> None:
    old, new = (
        f"Hotels are paid up to {rate} EUR a night including breakfast. In Oslo and Rome the limit is {more} EUR."
        for rate, more in ((110, 170), (140, 210))
    )
    for more, label in ((210, "current"), (170, "stale")):
        said = f"In Oslo the limit is {more} EUR a night, including breakfast."
        answer = told(f"{said} [1]", (old, 2019), (new, 2024), question="What hotel can I book in Oslo?")
        mark = Citation(start=len(said) + 1, end=len(said) + 4, marker="[1]", passage_id="0")
        result = StaleSourceUse().score(answer.model_copy(update={"citations": (mark,)}), Env(now=NOW))
        assert isinstance(result, Score)
        assert result.label == label


def test_what_came_after_the_question_replaces_nothing() -> None:
    result = StaleSourceUse().score(told("Tool 9", *ENTRIES, asked=year(2017)), Env(now=NOW))
    assert isinstance(result, Unscored)


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("Who coaches the team?", "Ann Roe", "Carl Doe"),
        ("who coaches the team", "ann roe", "carl doe"),
        ("How many titles does the club have?", "5", "6"),
        ("Is the mayor a red or a blue?", "red", "blue"),
        ("When is the next part due?", "01-06-2021", "06-04-2021"),
    ],
)
def test_a_statement_of_any_kind_is_replaced_by_a_later_one(question: str, old: str, new: str) -> None:
    statements = ((f"{question} {old}.", 2012), (f"{question} {new}.", 2020))
    if not question.endswith("?"):
        statements = ((f"{question}? {old}.", 2012), (f"{question}? {new}.", 2020))
    assert verdict(told(old, *statements, question=question)) == ("stale", 0.0)
    assert verdict(told(new, *statements, question=question)) == ("current", 1.0)


def test_prose_is_a_timeline_where_the_passages_disagree() -> None:
    question = "What is the hotel limit?"
    old, new = ("The hotel limit is 150 EUR per night.", 2020), ("The hotel limit is 180 EUR per night.", 2024)
    assert verdict(told("The hotel limit is 150 EUR per night.", old, new, question=question)) == ("stale", 0.0)
    assert verdict(told("The hotel limit is 180 EUR per night.", old, new, question=question)) == ("current", 1.0)


def test_the_same_said_later_in_other_words_replaces_nothing() -> None:
    question = "What is the hotel limit?"
    found = laid(
        told(
            "180 EUR",
            ("The hotel limit is 180 EUR.", 2020),
            ("Hotel limit: 180 EUR per night.", 2024),
            question=question,
        )
    )
    assert not found.replaced


def test_later_passages_of_other_things_replace_nothing() -> None:
    question = "What is the hotel limit?"
    statements = (("The hotel limit is 150 EUR per night.", 2020), ("Parking is free for employees.", 2024))
    assert not laid(told("150 EUR", *statements, question=question)).replaced


def test_two_documents_that_both_name_a_price_are_no_timeline() -> None:
    question = "What do lost locker keys cost?"
    statements = (("Lost locker keys cost 20 euros.", 2020), ("Tickets cost 4 euros for children.", 2024))
    assert not laid(told("Lost locker keys cost 20 euros.", *statements, question=question)).replaced


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How many days carry over?", "In Munich up to 5 days carry over.", "In Berlin up to 8 days carry over."),
        ("What is the hotel limit?", "The hotel limit in Rome is 150 EUR.", "The hotel limit in Paris is 180 EUR."),
    ],
)
def test_the_same_rule_for_two_places_is_no_timeline(question: str, one: str, other: str) -> None:
    assert not laid(told(one, (one, 2020), (other, 2024), question=question)).replaced


def test_where_the_catalog_says_of_all_whether_they_hold_dates_tell_nothing() -> None:
    answer = told("Tool 9", *ENTRIES)
    assert laid(answer, frozenset({0})).replaced == {0: 1}
    assert not laid(answer, frozenset({0, 1})).replaced


def test_dates_in_the_texts_make_a_timeline_too() -> None:
    passages = (
        Passage(id="o", text="Effective 1 March 2020. The hotel limit is 150 EUR per night."),
        Passage(id="n", text="Effective 1 March 2024. The hotel limit is 180 EUR per night."),
    )
    answer = Answer(id="a", question="What is the hotel limit?", answer="It is 150 EUR per night.", passages=passages)
    assert verdict(answer) == ("stale", 0.0)
