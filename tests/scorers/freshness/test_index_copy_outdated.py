"""Outdated index copies: what the index holds in an older state than its source, without dates of policies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.catalog.copies import older
from scorers.catalog.history import SourceHistory
from scorers.freshness.index_copy_outdated import IndexCopyOutdated
from scorers.freshness.stale_source_use import StaleSourceUse
from scorers.freshness.temporal_validity import TemporalValidity

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
CHANGED = NOW - 10 * DAY
OLD = "Refunds are paid within 30 days of the purchase to the card that was used."
NEW = "Refunds are paid within 14 days of the purchase to the card that was used."
KEPT = "Whoever lost the receipt may ask the shop for a copy of it at any time."
PATH = "/srv/docs/refunds.md"


def judge(*passages: Passage, entries: tuple[Document, ...], at: datetime = NOW) -> Score | Unscored:
    answer = Answer(id="a", passages=passages, started_at=at)
    return IndexCopyOutdated().score(answer, Env(now=NOW, catalog=Catalog(entries)))


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def copy(text: str | None = None, modified_at: datetime | None = None, **more: object) -> Passage:
    return Passage(id="p", uri=PATH, doc_id=PATH, text=text, modified_at=modified_at, **more)


SOURCE = Document(id="refunds.md", uri=PATH, modified_at=CHANGED)


def test_a_copy_from_before_the_last_modification_is_outdated_and_says_both_dates() -> None:
    result = judge(copy(modified_at=CHANGED - 20 * DAY), entries=(SOURCE,))
    assert value(result) == 1
    assert isinstance(result, Score)
    assert result.evidence[0].detail == "refunds.md was modified on 2026-04-24, the copy on 2026-04-04"
    assert result.explanation == "1 of 1 passages are older copies than the source has: refunds.md"


def test_a_copy_of_the_last_modification_or_a_later_one_is_current() -> None:
    assert value(judge(copy(modified_at=CHANGED), entries=(SOURCE,))) == 0
    assert value(judge(copy(modified_at=CHANGED + DAY), entries=(SOURCE,))) == 0


def test_what_was_written_again_unchanged_is_current() -> None:
    source = SOURCE.model_copy(update={"text": f"{NEW}\n\n{KEPT}"})
    assert value(judge(copy(KEPT, CHANGED - 20 * DAY), entries=(source,))) == 0
    marked = SOURCE.model_copy(update={"checksum": "c1"})
    assert value(judge(copy(None, CHANGED - 20 * DAY, checksum="c1"), entries=(marked,))) == 0


def test_an_answer_from_before_the_modification_is_not_held_against_it() -> None:
    result = judge(copy(modified_at=CHANGED - 20 * DAY), entries=(SOURCE,), at=CHANGED - DAY)
    assert isinstance(result, Unscored)


def test_nothing_to_compare_is_unscored_and_is_not_taken_for_current() -> None:
    result = judge(copy("Something else that the source does not say anywhere in its text."), entries=(SOURCE,))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == (
        "missing_input",
        "versions, texts, checksums or dates of modification to compare with the catalog",
    )


def test_versions_at_places_of_their_own_are_no_copies_of_each_other() -> None:
    entries = (
        Document(id="T", version="1", uri="/v1.md", effective_to=CHANGED),
        Document(id="T", version="2", uri="/v2.md", effective_from=CHANGED),
    )
    result = judge(Passage(id="p", doc_id="T", version="1"), entries=entries)
    assert isinstance(result, Unscored), "version 1 is superseded, and its file is still what it was"


VERSIONS = (
    Document(id="refunds.md", version="a1", uri=PATH, text=f"{OLD}\n{KEPT}", effective_to=CHANGED),
    Document(id="refunds.md", version="b2", uri=PATH, text=f"{NEW}\n{KEPT}", effective_from=CHANGED),
)


@pytest.mark.parametrize(("text", "outdated"), [(OLD, 1), (NEW, 0), (KEPT, 0)])
def test_two_versions_at_one_path_are_told_apart_in_every_order(text: str, outdated: int) -> None:
    """The third text stands in both: it is as the source has it, whichever version it was cut from."""
    for entries in permutations(VERSIONS):
        assert value(judge(copy(text), entries=entries)) == outdated
        env = Env(now=NOW, catalog=Catalog(entries))
        answer = Answer(id="a", question="When are refunds paid?", answer=text, passages=(copy(text),))
        assert value(StaleSourceUse().score(answer, env)) == outdated
        assert value(TemporalValidity().score(answer, env)) == 1 - outdated


PAGE = "https://wiki.test/pages/48210011"
LISTED = Document(id="48210011", version="7", uri=PAGE, text=f"{NEW} {KEPT}", modified_at=CHANGED)


def page(text: str, version: str, modified_at: datetime | None, **more: object) -> Passage:
    return Passage(id="48210011", uri=PAGE, text=text, version=version, modified_at=modified_at, **more)


def test_a_copy_of_a_version_that_is_not_listed_is_compared_with_the_version_that_is() -> None:
    assert value(judge(page(OLD, "6", CHANGED - 700 * DAY), entries=(LISTED,))) == 1
    assert value(judge(page(KEPT, "6", CHANGED - 700 * DAY), entries=(LISTED,))) == 0, "what did not change"
    dated = judge(page(OLD, "6", CHANGED - 700 * DAY), entries=(*CHECKOUT, LISTED))
    assert value(dated) == 1, "another figure and an older date"


@pytest.mark.parametrize(
    ("passage", "why"),
    [
        (page("Refunds take a while.", "8", CHANGED + DAY), "48210011@8 is not in the catalog, 48210011@7 is, and no"),
        (page("Refunds take a while.", "6", None), "48210011@6 is not in the catalog, 48210011@7 is, and no date"),
        (page(OLD, "8", CHANGED + DAY), "the copy 'are paid within 30 days of the', and no date tells"),
    ],
)
def test_a_version_that_is_not_listed_and_no_older_is_unknown_and_named(passage: Passage, why: str) -> None:
    result = judge(passage, entries=(LISTED,))
    assert isinstance(result, Unscored)
    assert why in (result.detail or "")


def test_a_version_that_is_not_listed_at_another_place_is_no_copy() -> None:
    passage = page(OLD, "6", CHANGED - 700 * DAY).model_copy(update={"uri": "https://wiki.test/archive/48210011"})
    assert isinstance(judge(passage, entries=(LISTED,)), Unscored)


def test_of_two_versions_without_windows_at_one_uri_the_one_modified_earlier_is_outdated() -> None:
    before = LISTED.model_copy(update={"version": "6", "text": OLD, "modified_at": CHANGED - 700 * DAY})
    for entries in permutations((before, LISTED)):
        result = judge(page(OLD, "6", before.modified_at), entries=entries)
        assert value(result) == 1
        assert isinstance(result, Score)
        assert result.evidence[0].detail == "48210011@6 is now 48210011@7"
        assert value(judge(page(NEW, "7", CHANGED), entries=entries)) == 0
        assert value(judge(page(NEW, "6", before.modified_at), entries=entries)) == 0, "what did not change"
        assert value(judge(page(OLD, "6", before.modified_at), entries=entries, at=CHANGED - DAY)) == 0
    elsewhere = before.model_copy(update={"uri": "https://wiki.test/archive/48210011"})
    kept = page(OLD, "6", before.modified_at).model_copy(update={"uri": elsewhere.uri})
    assert value(judge(kept, entries=(elsewhere, LISTED))) == 0, "both are there, each at a place of its own"


@given(st.permutations(["old", "new", "kept"]), st.permutations(VERSIONS))
def test_the_share_counts_passages_in_every_order(order: list[str], entries: list[Document]) -> None:
    texts = {"old": OLD, "new": NEW, "kept": KEPT}
    passages = [Passage(id=name, uri=PATH, text=texts[name]) for name in order]
    assert value(judge(*passages, entries=tuple(entries))) == pytest.approx(1 / 3)


@given(st.integers(-14 * 4, 14 * 4), st.integers(0, 59))
def test_a_local_time_without_its_zone_is_the_same_instant(quarters: int, second: int) -> None:
    source = datetime(2026, 3, 1, 9, 7, second, tzinfo=UTC)
    local = source.astimezone(timezone(quarters * timedelta(minutes=15))).replace(tzinfo=UTC)
    assert not older(local, source)


def test_a_date_alone_is_older_only_where_no_zone_makes_it_the_day_of_the_modification() -> None:
    source = datetime(2026, 3, 2, 3, 0, tzinfo=UTC)
    assert not older(datetime(2026, 3, 1, tzinfo=UTC), source)
    assert older(datetime(2026, 2, 28, tzinfo=UTC), source)


HOTELS_NOW = "# Hotels\n\nA hotel may cost up to 160 EUR a night. Breakfast is paid."
CHECKOUT = tuple(Document(id=f"{n}.md", text=f"Page {n}.", modified_at=CHANGED) for n in range(20))
TRAVEL = Document(id="travel.md", uri="/srv/docs/travel.md", text=HOTELS_NOW, modified_at=CHANGED)


def hotel(text: str, modified_at: datetime | None) -> Passage:
    return Passage(id="p", doc_id="travel.md", text=text, modified_at=modified_at)


def test_another_figure_tells_an_old_copy_though_all_files_have_the_date_of_a_checkout() -> None:
    old = hotel("A hotel may cost up to 120 EUR a night.", CHANGED - 700 * DAY)
    result = judge(old, entries=(*CHECKOUT, TRAVEL))
    assert value(result) == 1
    assert isinstance(result, Score)
    assert result.evidence[0].detail == (
        "travel.md says 'cost up to 160 eur a night', the copy of 2024-05-24 'cost up to 120 eur a night'"
    )
    reworded = hotel("Hotels: at most EUR 120 a night are reimbursed.", CHANGED - 700 * DAY)
    assert isinstance(judge(reworded, entries=(*CHECKOUT, TRAVEL)), Unscored), "a loader may have changed it"


@pytest.mark.parametrize("modified_at", [None, CHANGED, CHANGED + DAY])
def test_a_copy_with_another_figure_and_no_older_date_is_not_taken_for_current(modified_at: datetime | None) -> None:
    result = judge(hotel("A hotel may cost up to 120 EUR a night.", modified_at), entries=(TRAVEL,))
    assert isinstance(result, Unscored)
    assert str(result.detail).endswith("and no date tells which is older")


@pytest.mark.parametrize("text", ["Hotels", "# Hotels", "Breakfast is paid."])
def test_a_short_copy_that_stands_whole_in_the_entry_is_current(text: str) -> None:
    assert value(judge(hotel(text, CHANGED - 20 * DAY), entries=(TRAVEL,))) == 0


@pytest.mark.parametrize(
    "text",
    [
        "Page 3 of 7. A hotel may cost up to 160 EUR a night.",
        "1. A hotel may cost up to 160 EUR a night.\n2. Breakfast is paid for 2 guests.",
        "A hotel may cost | 160 | EUR",
        "A hotel may cost up to 160.00 EUR a night",
    ],
)
def test_what_a_loader_adds_is_no_other_figure(text: str) -> None:
    assert value(judge(hotel(text, CHANGED), entries=(TRAVEL,))) == 0


def test_a_figure_that_another_section_has_between_the_same_words_was_not_changed() -> None:
    sections = [
        Document(id="F", section=name, modified_at=CHANGED, text=f"The fee for members is {fee} EUR a year.")
        for name, fee in (("adults", 80), ("children", 30))
    ]
    passage = Passage(id="p", doc_id="F", text="Page 9. The fee for members is 30 EUR a year.")
    dated = passage.model_copy(update={"modified_at": CHANGED})
    assert value(judge(dated, entries=tuple(sections))) == 0


def test_a_copy_whose_words_tell_no_version_is_outdated_by_its_date_alone() -> None:
    old = SOURCE.model_copy(
        update={"version": "1", "text": OLD, "modified_at": CHANGED - 90 * DAY, "effective_to": CHANGED}
    )
    new = SOURCE.model_copy(update={"version": "2", "text": NEW, "effective_from": CHANGED})
    raw = "<p>Refunds</p><td>14</td><td>30</td>"
    assert value(judge(copy(raw, CHANGED - 20 * DAY), entries=(old, new))) == 1
    assert isinstance(judge(copy(raw, CHANGED + DAY), entries=(old, new)), Unscored)
    assert isinstance(judge(copy(raw), entries=(old, new)), Unscored)


def moved(at: datetime) -> tuple[Document, ...]:
    """Return what a listing has of a file that was moved, and changed ten days later."""
    history = SourceHistory()
    history.listed(Document(id="a.md", version="1", checksum="1", text=OLD, uri="/srv/a.md"), at - 50 * DAY)
    history.listed(Document(id="b/a.md", version="1", checksum="1", text=OLD, uri="/srv/b/a.md"), at, moved_from="a.md")
    history.listed(Document(id="b/a.md", version="2", checksum="2", text=NEW, uri="/srv/b/a.md"), at + 10 * DAY)
    return history.documents()


@pytest.mark.parametrize(
    ("days", "valid", "copied"), [(-5, 1, 0), (5, 1, 0), (15, 0, 1)], ids=["before", "moved", "moved and changed"]
)
def test_a_document_that_was_moved_is_what_it_was_until_its_words_change(days: int, valid: int, copied: int) -> None:
    at = CHANGED + days * DAY
    passage = Passage(id="p", uri="/srv/a.md", doc_id="/srv/a.md", text=OLD)
    answer = Answer(id="a", question="When are refunds paid?", answer=OLD, passages=(passage,), started_at=at)
    env = Env(now=NOW + 30 * DAY, catalog=Catalog(moved(CHANGED)))
    scores = [scorer().score(answer, env) for scorer in (TemporalValidity, StaleSourceUse, IndexCopyOutdated)]
    assert [value(each) for each in scores] == [valid, 1 - valid, copied]
