"""Listings of several sources as one catalog."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.catalog import Catalog, Document
from scorers.catalog.learned import consistent
from scorers.catalog.merging import Places, merged


def test_documents_of_one_id_stay_apart_and_so_do_references_to_them() -> None:
    hr = [Document(id="README.md", version="1", uri="/hr/README.md")]
    it = [
        Document(id="README.md", version="2", uri="/it/README.md", supersedes=("README.md@1", "old.md", "other")),
        Document(id="README.md", version="1", uri="/it/README.md"),
        Document(id="old.md", version="1"),
        Document(id="it:README.md", version="9"),
    ]
    found = list(merged([("hr", hr), ("it", it)]))
    assert [one.reference for one in found] == [
        "README.md@1",
        "it:README.md~@2",
        "it:README.md~@1",
        "old.md@1",
        "it:README.md@9",
    ]
    assert found[1].supersedes == ("it:README.md~@1", "old.md", "other")


def test_what_is_declared_is_left_to_whoever_declares_it() -> None:
    listed = [Document(id="HR-1", version="7"), Document(id="HR-2", version="1", supersedes=("HR-1@7",))]
    found = list(consistent(merged([("hr", listed)], declared={"HR-1"})))
    assert [(one.reference, one.supersedes) for one in found] == [("HR-2@1", ())]


def test_what_passages_say_of_a_listed_document_is_known_by_id_place_and_name_of_file() -> None:
    places = Places([Document(id="a.md", uri="https://docs.test/hr/a.md"), Document(id="HR-1")])
    known = ("a.md", "http://Docs.test/hr/a.md/", "HR-1")
    assert [places.hold(Document(id=name)) for name in known] == [True, True, True]
    assert places.hold(Document(id="x", uri="https://docs.test/hr/a.md"))
    assert not places.hold(Document(id="https://docs.test/hr/b.md"))


LISTING = st.lists(
    st.builds(
        Document,
        id=st.sampled_from(["a", "b", "two:a", "one:b"]),
        version=st.sampled_from(["1", "2"]),
        supersedes=st.lists(st.sampled_from(["a", "b@1", "1", "zzz"]), max_size=2).map(tuple),
    ),
    max_size=4,
    unique_by=lambda one: one.reference,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(LISTING, max_size=3))
def test_whatever_is_listed_no_entry_stands_twice_and_none_is_lost(listings: list[list[Document]]) -> None:
    named = list(zip(("one", "two", "three"), listings, strict=False))
    found = list(consistent(merged(named)))
    assert len(found) == sum(map(len, listings))
    assert len({one.reference for one in found}) == len(found)
    assert len(Catalog(found)) == len(found)
