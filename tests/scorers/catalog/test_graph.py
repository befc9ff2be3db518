"""The catalog: which version governs when, and what superseded what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from scorers.catalog import Catalog, Document, EditionKey

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)


def doc(
    version: str,
    start: int | None = None,
    end: int | None = None,
    supersedes: tuple[str, ...] = (),
    name: str = "T",
    section: str | None = None,
) -> Document:
    """Build a version whose window is given in days from now."""
    return Document(
        id=name,
        version=version,
        section=section,
        effective_from=None if start is None else NOW + start * DAY,
        effective_to=None if end is None else NOW + end * DAY,
        supersedes=supersedes,
    )


def current(*documents: Document, at: datetime = NOW, name: str = "T") -> str | None:
    found = Catalog(documents).current(name, at)
    return None if found is None else found.reference


def test_the_version_in_force_is_current() -> None:
    versions = doc("1", -20, -10), doc("2", -10, 10), doc("3", 10)
    assert current(*versions) == "T@2"
    assert current(*versions, at=NOW - 15 * DAY) == "T@1"
    assert current(*versions, at=NOW + 10 * DAY) == "T@3"
    assert current(*versions, at=NOW - 30 * DAY) is None


def test_of_open_windows_the_latest_start_governs() -> None:
    assert current(doc("9", -5), doc("10", -9)) == "T@9"


def test_without_dates_the_link_decides_whatever_the_version_strings() -> None:
    assert current(doc("9", supersedes=("10",)), doc("10")) == "T@9"


def test_a_rollback_overrules_the_dates() -> None:
    assert current(doc("2", -9, supersedes=("3",)), doc("3", -5)) == "T@2"


def test_a_document_replaced_by_another_is_governed_by_that_one() -> None:
    assert current(doc("1", supersedes=()), doc("5", supersedes=("T@1",), name="N")) == "N@5"
    assert current(doc("1"), doc("5", supersedes=("T",), name="N")) == "N@5"


def test_the_order_of_versions_is_not_guessed() -> None:
    assert current(doc("1"), doc("2")) is None


def test_an_unknown_document_has_no_current_version() -> None:
    assert current(doc("1"), name="X") is None


def test_supersession_follows_the_chain_nearest_first() -> None:
    catalog = Catalog([doc("1"), doc("2", supersedes=("1",)), doc("3", supersedes=("T@2",))])
    assert [d.reference for d in catalog.supersession("T", "1")] == ["T@2", "T@3"]
    assert catalog.supersession("T", "3") == ()
    assert catalog.supersession("X", None) == ()


def test_replacement_steps_over_what_is_not_in_force() -> None:
    catalog = Catalog([doc("1"), doc("2", end=-1, supersedes=("1",)), doc("3", supersedes=("2",)), doc("4", 5)])
    first = catalog.edition("T", "1")
    assert first is not None
    found = catalog.replacement(first, NOW)
    assert found is not None
    assert found.key == EditionKey("T", "3")


def test_an_expired_version_is_replaced_by_the_one_in_force() -> None:
    catalog = Catalog([doc("1", end=-1), doc("2")])
    first = catalog.edition("T", "1")
    assert first is not None
    found = catalog.replacement(first, NOW)
    assert found is not None
    assert found.key.version == "2"
    assert catalog.replacement(first, NOW - 2 * DAY) is None, "it was in force itself"


def test_a_cycle_replaces_nothing_and_comes_to_an_end() -> None:
    catalog = Catalog([doc("1", supersedes=("2",)), doc("2", supersedes=("1",))])
    assert catalog.current("T", NOW) is None
    assert [d.reference for d in catalog.supersession("T", "1")] == ["T@2"]


def test_a_reference_is_a_version_of_the_same_document_before_it_is_another_document() -> None:
    catalog = Catalog([doc("N"), doc("2", supersedes=("N",)), doc("1", name="N"), doc("2", name="N")])
    assert catalog.resolve("T", "N") == (EditionKey("T", "N"),)
    assert catalog.resolve("X", "N") == (EditionKey("N", "1"), EditionKey("N", "2"))
    assert catalog.resolve("T", "gone@1") == ()


def test_sections_share_their_version() -> None:
    catalog = Catalog([doc("1", -9, -1, section="a"), doc("1", -9, section="b"), doc("2", -1, section="b")])
    edition = catalog.edition("T", "1")
    assert edition is not None
    assert edition.effective_to is None, "a version is in force while any of its sections is"
    found = catalog.current("T", NOW, section="b")
    assert found is not None
    assert (found.version, found.section) == ("2", "b")
    assert edition.section("b").section == "b"
    assert edition.section("zzz").section == "a"


def test_versions_come_in_the_order_of_their_windows() -> None:
    catalog = Catalog([doc("3", 5), doc("1", -5), doc("0")])
    assert [edition.key.version for edition in catalog.editions("T")] == ["0", "1", "3"]


def test_an_edition_is_found_by_id_and_version_by_joined_reference_and_where_it_is_the_only_one() -> None:
    catalog = Catalog([doc("1"), doc("2"), doc("4", name="U")])
    assert [found and found.key.reference for found in map(catalog.named, ("T@1", "U", "U@4", "T", "X"))] == [
        "T@1",
        "U@4",
        "U@4",
        None,  # two versions, and none was named
        None,
    ]
    found = catalog.named("T", "2")
    assert found is not None
    assert found.key.version == "2"
    assert catalog.named("T", "7") is None


def test_a_catalog_says_how_large_it_is() -> None:
    assert repr(Catalog([doc("1"), doc("2")])) == "Catalog(2 entries of 1 documents)"


offsets = st.none() | st.integers(-4, 4)
documents = st.lists(
    st.builds(
        doc,
        st.sampled_from("1234"),
        offsets,
        offsets,
        st.lists(st.sampled_from(["1", "2", "3", "U", "U@1", "T@4", "?"]), max_size=2).map(tuple),
        st.sampled_from("TU"),
    ),
    max_size=8,
)


@given(documents, st.integers(-5, 5))
def test_what_is_current_or_replaces_is_in_force(entries: list[Document], day: int) -> None:
    catalog, at = Catalog(entries), NOW + day * DAY
    for name in "TU":
        found = catalog.current(name, at)
        if found is not None:
            edition = catalog.edition(found.id, found.version)
            assert edition is not None
            assert edition.in_force(at)
            assert catalog.replacement(edition, at) is None, "nothing governs in place of what is current"
        for edition in catalog.editions(name):
            replacement = catalog.replacement(edition, at)
            if replacement is not None:
                assert replacement.in_force(at)
                assert replacement.key != edition.key


@given(documents, st.randoms(use_true_random=False))
def test_the_order_of_entries_does_not_matter(entries: list[Document], random: st.DataObject) -> None:
    unique = list({(e.id, e.version): e for e in entries}.values())
    shuffled = list(unique)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for name in "TU":
        assert Catalog(unique).current(name, NOW) == Catalog(shuffled).current(name, NOW)


def test_a_chain_of_thousands_that_has_expired_is_walked_once() -> None:
    versions = [doc(str(n), end=-1, supersedes=(str(n - 1),) if n else ()) for n in range(3000)]
    assert current(*versions) is None
    assert current(*versions, doc("new", supersedes=("T@2999",), name="N")) == "N@new"
