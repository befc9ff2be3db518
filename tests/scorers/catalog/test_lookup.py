from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers.catalog import Catalog, Document, looked_up

START, END = datetime(2025, 4, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
FOUR = Document(
    id="HR-010",
    version="4",
    section="limits",
    title="Travel",
    effective_from=START,
    effective_to=END,
    authority=0.9,
    role="policy",
    supersedes=("HR-010@3",),
    checksum="c4",
    permitted=("hr",),
    text="The limit is 180 EUR.",
    uri="https://example.org/hr-010",
)
THREE = Document(id="HR-010", version="3", text="The limit is 150 EUR.")
BARE = Document(id="FAQ", text="Ask your manager.")
SILENT = Document(id="HR-020", version="1", authority=0.5)
MANUAL = tuple(Document(id="MAN", version="1", section=name, text=f"Section {name}.") for name in ("a", "b"))
CATALOG = Catalog([FOUR, THREE, BARE, SILENT, *MANUAL])


def look_up(passage, catalog=CATALOG, limit=1000):
    answer = looked_up(Answer(id="a", passages=(passage,)), catalog, max_text_chars=limit)
    assert Answer.model_validate_json(answer.model_dump_json()) == answer
    return answer.passages[0]


def test_an_id_that_is_a_reference_gets_all_that_the_catalog_knows():
    found = look_up(Passage(id="HR-010@4", score=0.8, rank=0))
    assert found == Passage(
        id="HR-010@4",
        score=0.8,
        rank=0,
        text=FOUR.text,
        doc_id="HR-010",
        version="4",
        section="limits",
        uri=FOUR.uri,
        effective_from=START,
        effective_to=END,
        authority=0.9,
        role="policy",
        supersedes=("HR-010@3",),
        permitted=("hr",),
        checksum="c4",
    )


@pytest.mark.parametrize(
    ("passage", "text"),
    [
        (Passage(id="x", doc_id="HR-010", version="4"), FOUR.text),
        (Passage(id="HR-010@3", doc_id="HR-010"), THREE.text),
        (Passage(id="x", doc_id="HR-010@3"), THREE.text),
        (Passage(id="FAQ"), BARE.text),
        (Passage(id="x", doc_id="FAQ"), BARE.text),
        (Passage(id="MAN@1", section="b"), "Section b."),
        (Passage(id="HR-010@4", checksum="c4"), FOUR.text),
    ],
)
def test_a_passage_is_found_by_what_names_it(passage, text):
    assert look_up(passage).text == text


@pytest.mark.parametrize(
    "passage",
    [
        Passage(id="unknown"),
        Passage(id="HR-010"),  # which version?
        Passage(id="x", doc_id="HR-010"),
        Passage(id="HR-010@5"),
        Passage(id="HR-020@1"),  # known, without a text
        Passage(id="MAN@1"),  # which section?
        Passage(id="MAN@1", section="c"),
        Passage(id="FAQ", version="2"),
        Passage(id="HR-010@4", doc_id="HR-011"),
        Passage(id="HR-010@4", doc_id="HR-010", version="5"),
        Passage(id="HR-010@4", checksum="other"),
        Passage(id="HR-010@4", section="others"),
        Passage(id=""),
        Passage(id="@"),
    ],
)
def test_what_is_unknown_ambiguous_or_contradicted_stays_as_it_came(passage):
    assert look_up(passage) == passage


def test_two_entries_under_one_reference_are_ambiguous():
    catalog = Catalog([Document(id="A@1", text="one"), Document(id="A", version="1", text="two")])
    assert look_up(Passage(id="A@1"), catalog).text is None
    assert look_up(Passage(id="A@1", doc_id="A", version="1"), catalog).text == "two"


def test_what_the_source_said_is_never_replaced():
    said = Passage(
        id="HR-010@4", uri="file:///x", authority=0.1, role="note", supersedes=(), permitted=(), effective_from=END
    )
    found = look_up(said)
    assert found.text == FOUR.text
    for name in ("uri", "authority", "role", "supersedes", "permitted", "effective_from", "effective_to"):
        assert getattr(found, name) == getattr(said, name), name


def test_a_passage_with_a_text_is_left_alone():
    passage = Passage(id="HR-010@4", text="What the generator saw.")
    assert look_up(passage) == passage


def test_a_text_beyond_the_bound_is_cut_and_the_answer_flagged():
    answer = Answer(id="a", passages=(Passage(id="HR-010@4"),), flags=frozenset({"content_redacted"}))
    found = looked_up(answer, CATALOG, max_text_chars=9)
    assert found.passages[0].text == "The limit"
    assert found.flags == {"content_redacted", "content_truncated"}
    assert looked_up(answer, CATALOG, max_text_chars=21).flags == {"content_redacted"}


@pytest.mark.parametrize("passages", [None, ()])
def test_an_answer_without_passages_is_the_same(passages):
    answer = Answer(id="a", passages=passages)
    assert looked_up(answer, CATALOG, max_text_chars=10) is answer


words = st.sampled_from(["", "A", "A@1", "A@1@1", "@", "A@", "1", "2"])
documents = st.builds(Document, id=words.filter(bool), version=words.filter(bool) | st.none(), text=words | st.none())
passages = st.builds(
    Passage,
    id=words,
    doc_id=words | st.none(),
    version=words | st.none(),
    text=words | st.none(),
    uri=words | st.none(),
)


@given(st.lists(documents, max_size=6), st.lists(passages, max_size=4))
def test_looking_up_adds_and_never_changes_and_once_is_enough(listed, reported):
    catalog = Catalog(listed)
    answer = Answer(id="a", passages=tuple(reported))
    found = looked_up(answer, catalog, max_text_chars=100)
    for before, after in zip(answer.passages, found.passages, strict=True):
        said = {name: value for name, value in before if value is not None}
        assert {name: value for name, value in after if name in said} == said
        if after.text != before.text:
            assert sum(d.text == after.text for d in listed) >= 1
    assert looked_up(found, catalog, max_text_chars=100) == found
