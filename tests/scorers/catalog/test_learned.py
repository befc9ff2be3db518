"""What passages say of their documents, over many answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers.catalog import Catalog, Document
from scorers.catalog.copies import copy_of
from scorers.catalog.learned import MAX_NAME, Lore, consistent

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)


def learned(*passages: Passage, limit: int = 100) -> tuple[Document, ...]:
    lore = Lore(limit=limit)
    for number, passage in enumerate(passages):
        lore.learn(Answer(id=str(number), passages=(passage,)))
    return lore.documents()


def test_versions_windows_and_checksums_are_learned_and_texts_are_not() -> None:
    passage = Passage(
        id="p",
        doc_id="T",
        version="2",
        section="s",
        text="secret",
        effective_from=NOW,
        authority=0.9,
        role="governing",
        supersedes=("1",),
        checksum="c",
        permitted=("staff",),
        uri="u",
        metadata={"k": "v"},
    )
    assert learned(passage) == (
        Document(
            id="T",
            version="2",
            section="s",
            effective_from=NOW,
            authority=0.9,
            role="governing",
            supersedes=("1",),
            checksum="c",
            permitted=("staff",),
            uri="u",
        ),
    )
    assert learned(Passage(id="T@3"))[0].reference == "T@3"


@pytest.mark.parametrize(
    "passage",
    [
        Passage(id="p", text="only a text"),
        Passage(id="p", doc_id="T"),
        Passage(id="p", doc_id="T", uri="u", permitted=("staff",)),
        Passage(id="p", version="2"),
        Passage(id="T@2", version="3"),
        Passage(id="p", doc_id="", version="2"),
        Passage(id="p", doc_id="x" * (MAX_NAME + 1), version="2"),
    ],
)
def test_a_passage_that_says_nothing_of_a_document_teaches_nothing(passage: Passage) -> None:
    assert learned(passage) == ()


def test_the_last_word_counts_and_silence_takes_nothing_back() -> None:
    (document,) = learned(
        Passage(id="p", doc_id="T", version="1", effective_from=NOW, checksum="c1", supersedes=("0",)),
        Passage(id="p", doc_id="T", version="1", effective_to=NOW + DAY, checksum="c2"),
    )
    assert (document.effective_from, document.effective_to) == (NOW, NOW + DAY)
    assert (document.checksum, document.supersedes) == ("c2", ("0",))


def test_two_halves_that_make_no_window_leave_the_last_one() -> None:
    (document,) = learned(
        Passage(id="p", doc_id="T", version="1", effective_from=NOW),
        Passage(id="p", doc_id="T", version="1", effective_to=NOW - DAY),
    )
    assert (document.effective_from, document.effective_to) == (None, NOW - DAY)
    (turned,) = learned(Passage(id="p", doc_id="T", version="1", effective_from=NOW, effective_to=NOW - DAY))
    assert (turned.effective_from, turned.effective_to) == (None, None)


def test_beyond_the_bound_the_longest_unheard_goes() -> None:
    passages = [Passage(id=f"{name}@1") for name in ("A", "B", "A", "C")]
    assert [document.id for document in learned(*passages, limit=2)] == ["A", "C"]


def test_only_news_counts_as_news() -> None:
    lore, answer = Lore(limit=9), Answer(id="a", passages=(Passage(id="A@1"), Passage(id="B@1")))
    assert [lore.learn(answer), lore.learn(answer), len(lore)] == [2, 0, 2]
    assert Lore(limit=9, documents=lore.documents()).learn(answer) == 0
    assert Lore(limit=9).learn(Answer(id="a")) == 0


def test_a_circle_is_opened_and_a_loose_end_cut() -> None:
    entries = [
        Document(id="A", supersedes=("B", "gone")),
        Document(id="B", supersedes=("C",)),
        Document(id="C", supersedes=("A", "C")),
    ]
    assert [document.supersedes for document in consistent(entries)] == [("B",), ("C",), ()]


@settings(deadline=None)
@given(
    st.lists(
        st.builds(
            Document,
            id=st.sampled_from("ABC"),
            version=st.none() | st.sampled_from("12"),
            section=st.none() | st.sampled_from("st"),
            supersedes=st.lists(st.sampled_from(["A", "B", "C", "1", "2", "A@1", "C@2", "?"]), max_size=3).map(tuple),
        ),
        max_size=8,
        unique_by=lambda document: (document.id, document.version, document.section),
    )
)
def test_whatever_was_heard_makes_a_catalog(entries: list[Document]) -> None:
    documents = list(consistent(entries))
    assert [d.model_copy(update={"supersedes": ()}) for d in documents] == [
        d.model_copy(update={"supersedes": ()}) for d in entries
    ]
    catalog = Catalog(documents)
    for document in documents:
        assert document.reference not in {
            d.reference for d in catalog.supersession(document.id, document.version or "")
        }
        for reference in document.supersedes:
            assert catalog.resolve(document.id, reference)


def test_a_newer_state_at_a_uri_makes_the_older_copy_outdated_in_any_order() -> None:
    def copy(checksum: str | None, days: int | None, part: str) -> Passage:
        modified = None if days is None else NOW - DAY * days
        return Passage(id=part, doc_id="/srv/a.md", uri="/srv/a.md", checksum=checksum, modified_at=modified)

    old, new, undated = copy("c1", 90, "1"), copy("c2", 30, "2"), copy("c0", None, "3")
    for order in permutations((old, new, undated, old)):
        catalog = Catalog(learned(*order))
        entry = catalog.named("/srv/a.md")
        assert entry is not None
        states = [copy_of(one, entry.section(None), catalog, NOW).state for one in (old, new, undated)]
        assert states == ["outdated", "current", "unknown"]


def test_a_date_of_modification_alone_is_not_learned_it_may_be_that_of_a_chunk() -> None:
    chunks = [
        Passage(id=str(n), doc_id="a.md", version="1", uri="a.md", modified_at=NOW - DAY * n, text="x")
        for n in range(3)
    ]
    (entry,) = learned(*chunks)
    assert entry.modified_at is None
