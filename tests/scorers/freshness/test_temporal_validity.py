"""Temporal validity: was what the answer rests on in force when it was asked?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from adapters.schema import Answer, Citation, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.freshness.temporal_validity import TemporalValidity

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
ENV = Env(now=NOW)
HOTEL = "The hotel limit is 180 EUR per night."
MEALS = "Meals are reimbursed up to 40 EUR per day."


def passage(name: str, text: str, start: datetime | None = None, end: datetime | None = None) -> Passage:
    return Passage(id=name, doc_id=name, text=text, effective_from=start, effective_to=end)


def judge(answer: str, *passages: Passage, env: Env = ENV, **fields: object) -> Score | Unscored:
    return TemporalValidity().score(
        Answer.model_validate({"id": "a", "answer": answer, "passages": passages, **fields}), env
    )


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (NOW - DAY, None, 1),
        (NOW - DAY, NOW + DAY, 1),
        (NOW, None, 1),
        (None, NOW + DAY, 1),
        (NOW - DAY, NOW, 0),
        (None, NOW - DAY, 0),
        (NOW + DAY, None, 0),
    ],
)
def test_a_window_holds_its_start_and_not_its_end(
    start: datetime | None, end: datetime | None, expected: float
) -> None:
    assert value(judge(HOTEL, passage("T", HOTEL, start, end))) == expected


def test_the_time_asked_counts_not_the_time_scored() -> None:
    expired = passage("T", HOTEL, None, NOW - DAY)
    assert value(judge(HOTEL, expired, started_at=NOW - 2 * DAY)) == 1


def test_claims_weigh_by_their_support() -> None:
    current, expired = passage("T", HOTEL, NOW - DAY), passage("M", MEALS, None, NOW - DAY)
    both = value(judge(f"{HOTEL} {MEALS}", current, expired))
    assert 0.45 < both < 0.55
    # The claim on the expired passage is a loose paraphrase, so less of the answer rests on it.
    assert value(judge(f"{HOTEL} Meals cost up to 40 EUR on weekdays.", current, expired)) > both


def test_a_claim_rests_on_the_passage_it_cites() -> None:
    current, expired = passage("T", HOTEL, NOW - DAY), passage("X", HOTEL, None, NOW - DAY)
    text = "The hotel limit is 180 EUR per night [1]."
    cited = (Citation(start=37, end=40, marker="[1]", passage_id="X"),)
    assert value(judge(HOTEL, current, expired)) == 1
    assert value(judge(text, current, expired, citations=cited)) == 0


def test_one_expired_of_two_passages_cited_is_a_half() -> None:
    current, expired = passage("T", HOTEL, NOW - DAY), passage("X", HOTEL, None, NOW - DAY)
    text = "The hotel limit is 180 EUR per night [1][2]."
    cited = (
        Citation(start=37, end=40, marker="[1]", passage_id="T"),
        Citation(start=40, end=43, marker="[2]", passage_id="X"),
    )
    assert value(judge(text, current, expired, citations=cited)) == 0.5


def test_a_superseded_passage_with_an_open_window_is_not_in_force() -> None:
    first = passage("T", HOTEL, NOW - 9 * DAY).model_copy(update={"version": "1"})
    second = Passage(id="n", doc_id="T", version="2", text="Other.", effective_from=NOW - DAY)
    result = judge(HOTEL, first, second)
    assert value(result) == 0
    assert isinstance(result, Score)
    assert result.evidence[0].detail == "T@1 was superseded by T@2"


def test_the_catalog_overrules_what_the_passage_says() -> None:
    listed = Catalog([Document(id="T", effective_to=NOW - DAY)])
    result = judge(HOTEL, passage("T", HOTEL, NOW - 9 * DAY), env=Env(now=NOW, catalog=listed))
    assert value(result) == 0
    assert isinstance(result, Score)
    assert (result.basis, result.evidence[0].detail) == ("catalog", "T had expired")


DATED = Document(id="M", version="1", effective_from=NOW - DAY)


def test_a_document_listed_without_dates_says_nothing_of_the_copy_that_an_index_has() -> None:
    for entries in ([Document(id="T")], [Document(id="T", text=HOTEL)], [Document(id="T"), DATED]):
        result = judge(HOTEL, passage("T", HOTEL), env=Env(now=NOW, catalog=Catalog(entries)))
        assert isinstance(result, Unscored), entries
        assert result.detail == (
            "effective dates or supersession: the catalog lists T without; see index_copy_outdated"
        )


@pytest.mark.parametrize("same", [{"text": HOTEL}, {"checksum": "c1"}, {"version": "1"}])
def test_a_passage_of_the_very_version_that_is_listed_is_in_force_where_the_catalog_tells_of_time(same) -> None:
    env = Env(now=NOW, catalog=Catalog([Document(id="T", **same), DATED]))
    mine = passage("T", HOTEL).model_copy(update={name: value for name, value in same.items() if name != "text"})
    assert value(judge(HOTEL, mine, env=env)) == 1


def test_a_copy_with_another_figure_than_the_entry_in_force_is_not_known_to_be_in_force() -> None:
    entry = Document(id="T", text=HOTEL.replace("180", "160"), effective_from=NOW - DAY)
    assert isinstance(judge(HOTEL, passage("T", HOTEL), env=Env(now=NOW, catalog=Catalog([entry]))), Unscored)
    same = entry.model_copy(update={"text": HOTEL})
    assert value(judge(HOTEL, passage("T", HOTEL), env=Env(now=NOW, catalog=Catalog([same])))) == 1


def test_the_window_of_a_passage_counts_where_its_entry_says_nothing_of_time() -> None:
    env = Env(now=NOW, catalog=Catalog([Document(id="T")]))
    assert value(judge(HOTEL, passage("T", HOTEL, NOW - DAY), env=env)) == 1
    assert value(judge(HOTEL, passage("T", HOTEL, end=NOW - DAY), env=env)) == 0


def test_claims_on_passages_without_a_window_are_left_out() -> None:
    result = judge(f"{HOTEL} {MEALS}", passage("T", HOTEL, NOW - DAY), passage("M", MEALS))
    assert value(result) == 1
    assert isinstance(result, Score)
    assert (result.explanation or "").startswith("1 of 2 claims")


def test_no_window_anywhere_is_missing_input() -> None:
    result = judge(HOTEL, passage("T", HOTEL))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "effective dates or supersession")


def test_an_answer_that_rests_on_nothing_is_not_applicable() -> None:
    result = judge("The moon is made of cheese.", passage("T", HOTEL, NOW))
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


def test_a_withheld_text_is_missing_input() -> None:
    result = judge(HOTEL, Passage(id="T", effective_from=NOW))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "text of a context passage")


def test_a_passage_not_yet_in_force_is_named_as_such() -> None:
    result = judge(HOTEL, passage("T", HOTEL, NOW + DAY))
    assert isinstance(result, Score)
    assert result.evidence[0].detail == "T was not yet in force"
