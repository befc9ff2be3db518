"""What became of a catalog."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.catalog import Document
from scorers.catalog.change import CatalogChange, compare
from scorers.catalog.packed import Packed
from scorers.catalog.packing import Packer
from scorers.catalog.place import EntryPlace


def packed(*documents: Document) -> Packed:
    packer = Packer()
    for number, document in enumerate(documents):
        packer.add(document, EntryPlace("c", number))
    return packer.packed()


ONE = Document(id="T", version="1", section="a", text="old", effective_from=datetime(2025, 1, 1, tzinfo=UTC))
TWO = Document(id="T", version="2", section="a", text="new", effective_from=datetime(2026, 1, 1, tzinfo=UTC))


def test_a_change_says_what_was_added_removed_changed_and_superseded() -> None:
    other, gone = Document(id="U", authority=0.5), Document(id="V", section="s")
    change = compare(
        packed(ONE, other, gone), packed(other.model_copy(update={"authority": 0.9, "role": "memo"}), TWO, ONE)
    )
    assert [(entry.reference, entry.section) for entry in change.added.first] == [("T@2", "a")]
    assert [(entry.reference, entry.section) for entry in change.removed.first] == [("V", "s")]
    assert [(entry.reference, entry.detail) for entry in change.changed.first] == [("U", "authority, role")]
    assert [(entry.reference, entry.detail) for entry in change.superseded.first] == [("T@1", "by T@2")]
    assert not change.empty
    assert CatalogChange.model_validate_json(change.model_dump_json()) == change


def test_the_same_entries_in_another_order_are_no_change() -> None:
    change = compare(packed(ONE, TWO), packed(TWO, ONE))
    assert change.empty
    assert change.before == change.after
    assert change.superseded.count == 0


def test_a_first_catalog_is_all_added_and_names_a_few() -> None:
    change = compare(None, packed(*(Document(id=str(n)) for n in range(50))), named=3)
    assert (change.added.count, [entry.reference for entry in change.added.first]) == (50, ["0", "1", "2"])
    assert change.before is None


def test_what_loses_its_successor_is_not_superseded_again() -> None:
    assert compare(packed(ONE, TWO), packed(ONE)).superseded.count == 0
    assert compare(packed(ONE, TWO), packed(ONE, TWO, Document(id="X"))).superseded.count == 0


entries = st.dictionaries(st.sampled_from("ABCDE"), st.sampled_from("xyz"), max_size=5)


@settings(deadline=None)
@given(entries, entries)
def test_counts_are_those_of_sets(before: dict[str, str], after: dict[str, str]) -> None:
    change = compare(*(packed(*(Document(id=k, text=v) for k, v in side.items())) for side in (before, after)))
    assert change.added.count == len(after.keys() - before.keys())
    assert change.removed.count == len(before.keys() - after.keys())
    assert change.changed.count == sum(before[key] != after[key] for key in before.keys() & after.keys())
    assert change.empty == (before == after)
