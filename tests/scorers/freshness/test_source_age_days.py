"""Source age: the days from the date of what an answer rests on to when it was asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from adapters.schema import Answer, Citation, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.freshness.source_age_days import CENTURY, SourceAgeDays

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
HOTEL = "The hotel limit is 180 EUR per night."
MEALS = "Meals cost up to 60 EUR per day."


def judge(text: str, *passages: Passage, catalog: Catalog | None = None, **fields: object) -> Score | Unscored:
    answer = Answer(id="a", answer=text, passages=passages, **fields)
    return SourceAgeDays().score(answer, Env(now=NOW, catalog=catalog))


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def test_the_age_is_counted_to_when_it_was_asked() -> None:
    passage = Passage(id="p", text=HOTEL, published_at=NOW - 30 * DAY)
    assert value(judge(HOTEL, passage)) == 30
    assert value(judge(HOTEL, passage, started_at=NOW - 10 * DAY)) == 20


def test_only_what_the_answer_rests_on_counts() -> None:
    hotel, meals = (
        Passage(id="h", text=HOTEL, published_at=NOW - 10 * DAY),
        Passage(id="m", text=MEALS, published_at=NOW - 90 * DAY),
    )
    assert value(judge(HOTEL, hotel, meals)) == 10
    assert value(judge(f"{HOTEL} {MEALS}", hotel, meals)) == 50
    cited = (Citation(start=0, end=0, marker="", passage_id="m"),)
    assert value(judge(HOTEL, hotel, meals, citations=cited)) == 90


def test_the_catalog_dates_a_passage_before_the_passage_does() -> None:
    catalog = Catalog([Document(id="T", effective_from=NOW - 5 * DAY)])
    result = judge(HOTEL, Passage(id="p", doc_id="T", text=HOTEL, published_at=NOW - 99 * DAY), catalog=catalog)
    assert value(result) == 5
    assert isinstance(result, Score)
    assert result.basis == "catalog"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        (f"Last updated 24 April 2026. {HOTEL}", 10),
        (f"{HOTEL} Effective: 2026-05-01", 3),
        (f"As of May 2026: {HOTEL}", 3),
        (f"{HOTEL} Revised on May 2, 2026.", 2),
    ],
)
def test_a_text_may_date_itself(text: str, days: int) -> None:
    assert value(judge(HOTEL, Passage(id="p", text=text))) == days


def test_a_date_in_metadata_is_read_in_the_usual_forms() -> None:
    for written in ("2026-04-24", "Apr 24, 2026", "24 April 2026"):
        assert value(judge(HOTEL, Passage(id="p", text=HOTEL, metadata={"date": written}))) == 10


@pytest.mark.parametrize("written", ["2026-99-99", "31 Feb 2026", "soon", "", "0", "9" * 5_000])
def test_what_is_no_date_dates_nothing(written: str) -> None:
    result = judge(HOTEL, Passage(id="p", text=f"{HOTEL} updated {written}", metadata={"date": written}))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "dates of the passages")


def test_what_is_dated_after_the_question_has_no_age_and_the_very_old_is_a_century_old() -> None:
    assert value(judge(HOTEL, Passage(id="p", text=HOTEL, published_at=NOW + DAY))) == 0
    ancient = datetime(1, 1, 1, tzinfo=UTC)
    assert value(judge(HOTEL, Passage(id="p", text=HOTEL, published_at=ancient))) == CENTURY


def test_an_answer_that_rests_on_nothing_has_no_age() -> None:
    result = judge("The moon is cheese.", Passage(id="p", text=HOTEL, published_at=NOW))
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"
