"""Index lag: days that what was retrieved had been replaced."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from adapters.schema import Answer, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.freshness.index_lag_days import IndexLagDays

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
CATALOG = Catalog(
    [
        Document(id="T", version="1", effective_to=NOW - 90 * DAY),
        Document(id="T", version="2", effective_from=NOW - 90 * DAY, effective_to=NOW - 10 * DAY),
        Document(id="T", version="3", effective_from=NOW - 10 * DAY),
        Document(id="T", version="4", effective_from=NOW + 10 * DAY),
        Document(id="U", version="1"),
        Document(id="U", version="2", supersedes=("1",)),
    ]
)


def judge(*versions: str, doc_id: str = "T", at: datetime = NOW, catalog: Catalog | None = CATALOG) -> Score | Unscored:
    passages = tuple(Passage(id=f"p{version}", doc_id=doc_id, version=version) for version in versions)
    return IndexLagDays().score(Answer(id="a", passages=passages, started_at=at), Env(now=NOW, catalog=catalog))


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def test_the_version_that_governs_is_not_late() -> None:
    assert value(judge("3")) == 0


def test_the_lag_runs_from_the_end_of_what_was_retrieved() -> None:
    result = judge("3", "2")
    assert value(result) == 10
    assert isinstance(result, Score)
    assert result.evidence[0].detail == "T@2 was replaced by T@3 10 days before the question"


def test_the_largest_lag_counts() -> None:
    assert value(judge("2", "1")) == value(judge("1")) == 90


def test_what_was_current_when_it_was_asked_is_not_late() -> None:
    assert value(judge("2", at=NOW - 20 * DAY)) == 0
    assert value(judge("1", at=NOW - 60 * DAY)) == 30


def test_without_an_end_it_runs_from_the_start_of_what_governs() -> None:
    old, new = Document(id="W", version="1"), Document(id="W", version="2", effective_from=NOW - DAY, supersedes=("1",))
    assert value(judge("1", doc_id="W", catalog=Catalog([old, new]))) == 1


def test_a_replacement_without_a_date_has_no_length() -> None:
    assert value(judge("1", doc_id="U")) == 0


def test_without_a_catalog_or_an_entry_nothing_can_be_said() -> None:
    for result, detail in (
        (judge("3", catalog=None), "catalog"),
        (judge("3", doc_id="X"), "passages whose version the catalog tells"),
    ):
        assert isinstance(result, Unscored)
        assert (result.reason, result.detail) == ("missing_input", detail)


def test_nothing_retrieved_is_not_late() -> None:
    result = judge()
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"
