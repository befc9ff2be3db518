"""A packed catalog answers as the same documents in memory do."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers.base import Env
from scorers.catalog import Catalog, Document, looked_up, parse_catalog
from scorers.catalog.origin import PassageOrigin, origin
from scorers.catalog.packed import Packed, from_buffer, to_pieces
from scorers.catalog.packing import Packer
from scorers.catalog.place import EntryPlace
from scorers.catalog.stored import catalog_of
from scorers.lineage import lineage_of

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)

names = st.sampled_from(["A", "B", "A@1", "", "é", "\0"])
offsets = st.none() | st.integers(-3, 3)
documents = st.lists(
    st.builds(
        lambda doc_id, version, section, start, end, supersedes, checksum, uri: Document(
            id=doc_id,
            version=version or None,
            section=section,
            effective_from=None if start is None else NOW + start * DAY,
            effective_to=None if end is None else NOW + end * DAY,
            supersedes=supersedes,
            checksum=checksum,
            uri=uri,
            text=f"about {doc_id} {section}",
        ),
        names,
        st.sampled_from(["", "1", "2", "3"]),
        st.none() | st.sampled_from(["s", "t"]),
        offsets,
        offsets,
        st.lists(st.sampled_from(["A", "B", "1", "2", "A@1", "B@3", "gone"]), max_size=2).map(tuple),
        st.none() | st.sampled_from(["c1", "c2"]),
        st.none() | st.sampled_from(["u1", "u2", "u2/", "u1#s"]),
    ),
    max_size=9,
)


def packed(entries: list[Document]) -> Packed:
    """Pack entries, and read them back from the bytes."""
    packer = Packer()
    for number, document in enumerate(entries, 1):
        packer.add(document, EntryPlace("c", number))
    return from_buffer(memoryview(b"".join(bytes(piece) for piece in to_pieces(packer.packed()))))


@settings(deadline=None)
@given(documents, st.integers(-4, 4))
def test_every_question_has_the_same_answer(entries: list[Document], day: int) -> None:
    one, other, at = Catalog(entries), catalog_of(packed(entries)), NOW + day * DAY
    assert tuple(one.documents) == tuple(other.documents)
    assert repr(one) == repr(other)
    for doc_id in {document.id for document in entries} | {"gone", "A"}:
        assert one.knows(doc_id) == other.knows(doc_id)
        assert one.current(doc_id, at) == other.current(doc_id, at)
        assert [e.key for e in one.editions(doc_id)] == [e.key for e in other.editions(doc_id)]
        for mine, theirs in zip(one.editions(doc_id), other.editions(doc_id), strict=True):
            assert tuple(mine.sections) == tuple(theirs.sections)
            assert (mine.effective_from, mine.effective_to) == (theirs.effective_from, theirs.effective_to)
            assert mine.supersedes == theirs.supersedes
            assert one.linked(mine) == other.linked(theirs)
            assert one.governs(mine, at) == other.governs(theirs, at)
            assert one.supersession(*mine.key) == other.supersession(*theirs.key)
            for section in (None, "s", "t", "zzz"):
                assert mine.section(section) == theirs.section(section)
            replaced = one.replacement(mine, at), other.replacement(theirs, at)
            assert [found and found.key for found in replaced] == [replaced[0] and replaced[0].key] * 2
        for reference in ("A", "1", "A@1", "gone"):
            assert set(one.resolve(doc_id, reference)) == set(other.resolve(doc_id, reference))
    for checksum, uri in (("c1", None), (None, "u1"), ("c2", "u2/"), ("c1", "u2#s"), (None, "u1#t"), ("no", "no")):
        passage = Passage(id="x", text="about A", checksum=checksum, uri=uri)
        one_from, other_from = origin(passage, one), origin(passage, other)
        assert (one_from.document, one_from.unclear) == (other_from.document, other_from.unclear)


@settings(deadline=None)
@given(documents)
def test_passages_stand_where_they_did(entries: list[Document]) -> None:
    passages = tuple(
        Passage(id=f"p{number}", doc_id=document.id, version=document.version, section=document.section)
        for number, document in enumerate(entries)
    )
    answer = Answer(id="a", passages=(*passages, Passage(id="A@1"), Passage(id="x", doc_id="A", version="9")))
    statuses = []
    for catalog in (Catalog(entries), catalog_of(packed(entries))):
        lineage = lineage_of(answer, Env(now=NOW, catalog=catalog))
        found = [lineage.status(passage) for passage in answer.passages or ()]
        statuses.append([s and (s.validity, s.basis, s.document, s.replacement and s.replacement.key) for s in found])
        assert looked_up(answer, catalog, max_text_chars=99) == looked_up(answer, Catalog(entries), max_text_chars=99)
    assert statuses[0] == statuses[1]


def test_the_digest_names_the_contents_whatever_their_order() -> None:
    one, two = Document(id="A", text="x"), Document(id="B")
    assert packed([one, two]).facts["digest"] == packed([two, one]).facts["digest"]
    assert packed([one]).facts["digest"] != packed([one.model_copy(update={"text": "y"})]).facts["digest"]


def test_an_empty_catalog_knows_nothing() -> None:
    catalog = catalog_of(packed([]))
    passage = Passage(id="x", doc_id="A", checksum="c", uri="u")
    assert (len(catalog), catalog.current("A", NOW), origin(passage, catalog)) == (0, None, PassageOrigin(None))
    assert catalog.index.scores("anything").tolist() == []


@pytest.mark.parametrize("cut", [0, 7, 8, 100, -1])
def test_a_part_of_a_file_is_refused(cut: int) -> None:
    whole = b"".join(bytes(piece) for piece in to_pieces(Packer().packed()))
    with pytest.raises(ValueError, match="packed catalog"):
        from_buffer(memoryview(whole[:cut]))


def test_a_file_of_another_version_is_refused() -> None:
    whole = b"".join(bytes(piece) for piece in to_pieces(Packer().packed()))
    with pytest.raises(ValueError, match="another version"):
        from_buffer(memoryview(whole.replace(b"groundwire-catalog-", b"groundwire-katalog-")))


def test_a_document_of_ten_thousand_sections_is_looked_up_one_by_one() -> None:
    lines = [json.dumps({"id": "T", "section": str(n), "text": f"Section {n}."}) for n in range(10_000)]
    catalog = parse_catalog("\n".join(lines), "jsonl", "c")
    edition = catalog.edition("T", None)
    assert edition is not None
    assert (len(edition.sections), edition.section("9999").text) == (10_000, "Section 9999.")
    answer = Answer(id="a", passages=tuple(Passage(id=str(n), doc_id="T", section=str(n)) for n in range(20)))
    found = looked_up(answer.model_copy(), catalog, max_text_chars=99)
    assert len(found.passages or ()) == 20
