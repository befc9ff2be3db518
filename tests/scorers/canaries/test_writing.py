"""Which questions entries write about themselves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scorers.canaries.canary import Canary
from scorers.canaries.pairs import changed_pairs
from scorers.canaries.phrasing import question_of
from scorers.canaries.writing import still_holds, write_canaries
from scorers.catalog import Catalog, Document
from scorers.catalog.packed import Packed
from scorers.catalog.packing import Packer
from scorers.catalog.place import EntryPlace

NOW = datetime(2026, 6, 1, tzinfo=UTC)
HOTEL = "Hotels are reimbursed up to {} EUR per night. Receipts are handed in with the claim."


def packed(*documents: Document) -> Packed:
    packer = Packer()
    for place, document in enumerate(documents, 1):
        packer.add(document, EntryPlace("catalog", place))
    return packer.packed()


def canaries(before: list[Document] | None, after: list[Document], *, per_entry: int = 1) -> list[Canary]:
    pairs = changed_pairs(None if before is None else packed(*before), packed(*after), most=100)
    return list(write_canaries(pairs, Catalog(after), NOW, per_entry=per_entry, within=3))


def travel(amount: int, version: str | None = None, **more: object) -> Document:
    return Document(id="TRV-1", version=version, title="Travel", text=HOTEL.format(amount), **more)


def test_a_changed_figure_is_asked_about_and_not_given_away() -> None:
    [canary] = canaries([travel(180)], [travel(200)])
    assert canary.kind == "changed"
    assert canary.question == "Travel: hotels are reimbursed up to how much EUR per night?"
    assert (canary.statement, canary.former) == (
        "Hotels are reimbursed up to 200 EUR per night.",
        ("Hotels are reimbursed up to 180 EUR per night.",),
    )


def test_a_version_that_replaces_another_asks_about_what_it_changes() -> None:
    old, new = travel(180, "1"), travel(200, "2", supersedes=("1",))
    [canary] = canaries([old], [old, new])
    assert (canary.kind, canary.reference) == ("superseded", "TRV-1@2")
    assert canary.former == ("Hotels are reimbursed up to 180 EUR per night.",)


def test_a_catalog_of_what_is_in_force_alone_knows_the_version_before_from_the_last_one() -> None:
    [canary] = canaries([travel(180, "1")], [travel(200, "2")])
    assert (canary.kind, canary.former[0]) == ("superseded", "Hotels are reimbursed up to 180 EUR per night.")


def test_a_new_entry_asks_about_a_statement_of_its_own() -> None:
    other = Document(id="IT-1", title="Laptops", text="Laptops are replaced every 4 years.")
    [canary] = canaries([travel(180)], [travel(180), other])
    assert (canary.kind, canary.question) == ("added", "Laptops: laptops are replaced every how many years?")


def test_what_did_not_change_writes_nothing() -> None:
    assert canaries([travel(180)], [travel(180)]) == []


def test_an_entry_that_not_everyone_may_see_is_also_asked_for_by_somebody_who_may_not() -> None:
    found = canaries(None, [travel(180, permitted=("managers",))])
    assert [(one.kind, one.permitted) for one in found] == [
        ("added", ("managers",)),
        ("permission", ("managers",)),
    ]
    assert found[0].id != found[1].id


def test_what_is_past_or_replaced_writes_nothing() -> None:
    expired = travel(180, "1", effective_to=datetime(2026, 1, 1, tzinfo=UTC))
    replaced = [travel(180, "1"), travel(200, "2", supersedes=("1",))]
    assert canaries(None, [expired]) == []
    assert [one.version for one in canaries(None, replaced)] == ["2"]


def test_a_question_that_the_catalog_itself_does_not_find_is_not_asked() -> None:
    twins = [Document(id=f"T-{n}", title="Travel", text=HOTEL.format(100 + n)) for n in range(20)]
    pairs = changed_pairs(None, packed(*twins), most=100)
    found = list(write_canaries(pairs, Catalog(twins), NOW, per_entry=1, within=3))
    assert len(found) <= 3, "twenty entries that say the same cannot all be found first"


def test_a_canary_stands_while_the_catalog_says_what_it_asks_about() -> None:
    [canary] = canaries([travel(180)], [travel(200)])
    assert still_holds(canary, Catalog([travel(200)]), NOW)
    assert not still_holds(canary, Catalog([travel(210)]), NOW)
    assert not still_holds(canary, Catalog([travel(200, permitted=("managers",))]), NOW)
    assert not still_holds(canary, Catalog([]), NOW)


@pytest.mark.parametrize(
    ("statement", "former", "question"),
    [
        (
            "Leave is 20 weeks after birth.",
            "Leave is 16 weeks after birth.",
            "T: leave is how many weeks after birth?",
        ),
        (
            "Interns may not book flights themselves.",
            "Interns may book flights themselves.",
            "T: what is the rule where interns may book flights themselves?",
        ),
        (
            "Return laptops to the service desk in Oslo.",
            None,
            "T: is it right that return laptops to the service desk in Oslo?",
        ),
        ("The rate is 5 %.", "The rate is 4 %.", None),
    ],
)
def test_questions_leave_out_what_matters(statement: str, former: str | None, question: str | None) -> None:
    assert question_of("T", statement, former) == question
