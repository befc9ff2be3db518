"""Where the passages of one answer stand, from the catalog and from each other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env
from scorers.catalog import Catalog, Document
from scorers.lineage import MAX_PASSAGES, PassageStatus, lineage_of

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)


def status(*passages: Passage, catalog: Catalog | None = None) -> PassageStatus:
    """Return the status of the first passage."""
    found = lineage_of(Answer(id="a", passages=passages), Env(now=NOW, catalog=catalog)).status(passages[0])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("start", "end", "validity"),
    [
        (-2, None, "in_force"),
        (None, 2, "in_force"),
        (-2, -1, "expired"),
        (1, None, "not_yet"),
        (None, None, "unknown"),
    ],
)
def test_a_passage_speaks_for_itself(start: int | None, end: int | None, validity: str) -> None:
    passage = Passage(
        id="p",
        effective_from=None if start is None else NOW + start * DAY,
        effective_to=None if end is None else NOW + end * DAY,
    )
    assert status(passage).validity == validity
    assert status(passage).basis == "passages"


def test_a_passage_that_supersedes_another_says_something_of_both() -> None:
    old, new = Passage(id="T@1"), Passage(id="T@2", supersedes=("T@1",))
    assert status(old, new).validity == "superseded"
    assert status(new, old).validity == "in_force"


def test_an_expired_passage_with_a_successor_was_superseded() -> None:
    old = Passage(id="T@1", effective_from=NOW - 9 * DAY, effective_to=NOW - DAY)
    new = Passage(id="T@2", effective_from=NOW - DAY)
    assert status(old, new).validity == "superseded"
    assert status(old, new).stale


def test_the_catalog_wins_over_the_passage() -> None:
    catalog = Catalog([Document(id="T", version="1", effective_to=NOW - DAY)])
    claims_otherwise = Passage(id="p", doc_id="T", version="1", effective_from=NOW - 9 * DAY)
    found = status(claims_otherwise, catalog=catalog)
    assert (found.validity, found.basis) == ("expired", "catalog")


def test_a_version_the_catalog_lacks_is_placed_by_its_own_dates_among_those_it_lists() -> None:
    catalog = Catalog([Document(id="T", version="3", effective_from=NOW - DAY)])
    older = Passage(id="p", doc_id="T", version="2", effective_from=NOW - 9 * DAY)
    found = status(older, catalog=catalog)
    assert (found.validity, found.basis) == ("superseded", "catalog")
    assert found.replacement is not None
    assert found.replacement.key.version == "3"


def test_a_passage_of_another_answer_has_no_standing() -> None:
    assert lineage_of(Answer(id="a"), Env(now=NOW)).status(Passage(id="x")) is None


def test_passages_past_the_bound_have_no_standing() -> None:
    passages = tuple(Passage(id=str(i), effective_from=NOW) for i in range(MAX_PASSAGES + 1))
    lineage = lineage_of(Answer(id="a", passages=passages), Env(now=NOW))
    assert lineage.status(passages[0]) is not None
    assert lineage.status(passages[-1]) is None


def test_the_passages_of_an_edition_are_those_that_come_from_it() -> None:
    old, new = Passage(id="T@1"), Passage(id="chunk", doc_id="T", version="2", supersedes=("1",))
    lineage = lineage_of(Answer(id="a", passages=(old, new)), Env(now=NOW))
    found = lineage.status(old)
    assert found is not None
    assert found.replacement is not None
    assert lineage.retrieved(found.replacement) == [new]


def test_the_same_passages_stand_elsewhere_at_another_time_and_by_another_catalog() -> None:
    answer = Answer(id="a", passages=(Passage(id="T@1", effective_to=NOW),))
    later, listed = NOW + DAY, Catalog([Document(id="T", version="1"), Document(id="U", effective_from=NOW)])
    envs = (Env(now=NOW - DAY), Env(now=later), Env(now=later, catalog=listed), Env(now=later))
    found = [lineage_of(answer, env).status(Passage(id="T@1")) for env in envs]
    assert [one and one.validity for one in found] == ["in_force", "expired", "in_force", "expired"]
