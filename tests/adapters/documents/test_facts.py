"""What is known of a passage's document from the metadata that loaders, readers and managed indexes write.

The rows of ``shapes.json`` are written by hand after the sources and documentation of those named.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from adapters.base import PassageKeys
from adapters.documents.facts import facts_told
from adapters.documents.passages import NO_KEYS, Identities, passage_of
from adapters.documents.shapes import documents_in
from adapters.ids import document_of_uri
from adapters.mapping import MAX_KEYS
from adapters.schema import Passage
from adapters.values import instant_of
from adapters.vocabulary import MODIFIED_AT, folded

SHAPES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "shapes.json").read_text())
TEXT = "The hotel limit is 180 EUR."
NAMES = [shape["loader"] for shape in SHAPES]


def read(row: Any, keys: PassageKeys = NO_KEYS) -> Passage:
    documents = documents_in([row], most=5)
    assert documents is not None
    return passage_of(documents[0], id=Identities("t", keys).of(documents[0]), stage=None, rank=0, keys=keys)


def told(**facts: Any) -> Passage:
    return read({"page_content": TEXT, "metadata": facts})


@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
def test_a_shape_tells_its_document_and_when_it_was_modified(shape: dict[str, Any]) -> None:
    passage = read(shape["row"])
    assert passage.text == TEXT
    assert passage.doc_id == shape["doc_id"]
    assert passage.modified_at == instant_of(shape["modified_at"])
    assert (passage.effective_from, passage.published_at) == (None, None)


def test_of_the_shapes_that_carry_them_nearly_all_are_read_without_configuration() -> None:
    right = {"doc_id": 0, "modified_at": 0}
    carried = dict.fromkeys(right, 0)
    print(f"\n{'loader':36}{'doc_id':52}modified_at")
    for shape in SHAPES:
        passage = read(shape["row"])
        print(f"{shape['loader']:36}{passage.doc_id or '-':52}{passage.modified_at or '-'}")
        for field in right:
            carried[field] += shape[field] is not None
            expected = instant_of(shape[field]) if field == "modified_at" else shape[field]
            right[field] += shape[field] is not None and getattr(passage, field) == expected
    print(right, "of", carried)
    assert min(carried.values()) >= 16
    assert all(right[field] >= carried[field] * 14 / 16 for field in right)


@pytest.mark.parametrize("name", ["last edited time", "LastEditedTime", "last-edited-time", "@Last_Edited_Time"])
def test_a_key_is_known_however_it_is_spelled(name: str) -> None:
    assert told(**{name: "2025-03-04"}).modified_at == instant_of("2025-03-04")


@pytest.mark.parametrize(
    "name",
    [
        "last_accessed_date",
        "created",
        "creationdate",
        "created_at",
        "date_processed",
        "indexed_at",
        "timestamp",
        "date",
    ],
)
def test_other_dates_are_no_modification(name: str) -> None:
    assert told(source="/docs/a.md", **{name: "2025-03-04"}).modified_at is None


def test_modified_is_neither_effective_nor_published() -> None:
    passage = told(source="/docs/a.md", last_modified="2025-03-04")
    assert passage.modified_at is not None
    assert (passage.effective_from, passage.effective_to, passage.published_at) == (None, None, None)


def test_what_says_that_there_is_nothing_is_nothing() -> None:
    passage = told(doc_id="None", version="null", url="nan", checksum="None")
    assert (passage.doc_id, passage.version, passage.uri, passage.checksum) == (None, None, None, None)


@pytest.mark.parametrize("source", ["langchain", "confluence", "Travel policy", "upload"])
def test_what_a_source_is_called_is_no_uri_and_no_document(source: str) -> None:
    assert (told(source=source).uri, told(source=source).doc_id) == (None, None)


def test_an_id_of_a_chunk_is_not_that_of_its_document() -> None:
    assert told(id="c-7", chunk_index=7, source="/docs/a.md").doc_id == "/docs/a.md"
    assert read({"id": "c-7", "text": TEXT, "metadata": {"id": "c-7", "source": "/docs/a.md"}}).doc_id == "/docs/a.md"
    assert told(parent_id="e-1", element_id="e-2", source="/docs/a.md").doc_id == "/docs/a.md"


def test_a_random_id_of_an_ingest_gives_way_to_the_uri() -> None:
    source = {"1": {"node_id": "0b1ac1f5-6a0e-4a39-9f0e-1d2c3b4a5f60", "node_type": "4"}}
    row = {"id_": "n", "text": TEXT, "metadata": {"file_path": "/docs/a.md"}, "relationships": source}
    assert read(row).doc_id == "/docs/a.md"
    assert read({**row, "metadata": {}}).doc_id == "0b1ac1f5-6a0e-4a39-9f0e-1d2c3b4a5f60"


def test_no_version_is_made_up() -> None:
    first, second = told(source="/docs/a.md"), read({"page_content": "By train.", "metadata": {"source": "/docs/a.md"}})
    assert (first.version, first.checksum, second.version, second.checksum) == (None, None, None, None)
    assert first.doc_id == second.doc_id
    assert first.id != second.id


@pytest.mark.parametrize(
    ("uri", "document"),
    [
        ("https://d.test/a.pdf?X-Amz-Signature=1#page=3", "https://d.test/a.pdf"),
        ("https://d.test/#/refunds", "https://d.test/#/refunds"),
        ("https://w.test/viewpage.action?pageId=12&src=mail", "https://w.test/viewpage.action?pageId=12"),
        ("#top", "#top"),
    ],
)
def test_a_document_is_its_uri_without_how_and_where_to_look(uri: str, document: str) -> None:
    assert document_of_uri(uri) == document


def test_an_application_is_told_by_its_address_what_to_open() -> None:
    assert (
        document_of_uri("joplin://x-callback-url/openNote?id=abc&ref=mail") == "joplin://x-callback-url/openNote?id=abc"
    )
    assert document_of_uri("s3://b/a.md?versionId=3") == "s3://b/a.md"


def test_an_id_within_a_document_is_its_own_and_within_anything_else_is_not() -> None:
    assert told(parent_document={"id": "HR-1"}, chunk_index=3).doc_id == "HR-1"
    assert told(author={"id": "u-1"}, file={"id": "f-1"}).doc_id is None


def test_a_document_that_holds_until_a_day_in_words_holds_all_through_it() -> None:
    assert told(valid_until="March 4, 2025").effective_to == instant_of("2025-03-04", end_of_day=True)
    assert told(date_updated="31 February 2025").modified_at is None


@pytest.mark.parametrize(
    "key", ["updated_by", "index_updated_at", "last_update_id", "image_url", "author_url", "change"]
)
def test_what_only_looks_like_a_date_of_change_or_an_address_is_none(key: str) -> None:
    passage = told(**{key: "2025-03-04T05:06:07Z" if "url" not in key else "https://d.test/a.png"})
    assert (passage.modified_at, passage.uri) == (None, None)


def test_an_address_that_became_a_key_is_read() -> None:
    # base64 of https://a.test/d/a.pdf with the count of its padding, as Azure AI Search encodes keys
    assert told(metadata_storage_path="aHR0cHM6Ly9hLnRlc3QvZC9hLnBkZg2").uri == "https://a.test/d/a.pdf"


def test_keys_of_ones_own_come_first_and_lead_into_objects() -> None:
    keys = PassageKeys(
        doc_id="Dokument-Nr", version=["Fassung"], uri="wo.pfad", modified_at=["nie", "stand"], text="inhalt"
    )
    facts = {"dokument nr": "T-1", "Fassung": 3, "wo": {"Pfad": "/a.md"}, "Stand": "2025-03-04", "inhalt": "Neu."}
    passage = read({"page_content": TEXT, "metadata": {**facts, "doc_id": "other", "modified_at": "2020-01-01"}}, keys)
    assert (passage.id, passage.doc_id, passage.version, passage.uri) == ("T-1@3", "T-1", "3", "/a.md")
    assert passage.modified_at == instant_of("2025-03-04")
    assert passage.text == "Neu."
    assert read({"page_content": TEXT, "metadata": {"doc_id": "other"}}, keys).doc_id == "other"


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"dokid": "x"}, "dokid"),
        ({"doc_id": ""}, "doc_id"),
        ({"uri": [1]}, "uri"),
        ({"text": ["k"] * (MAX_KEYS + 1)}, "text"),
    ],
)
def test_keys_that_cannot_be_are_named(given: dict[str, Any], where: str) -> None:
    with pytest.raises(ValidationError, match=where):
        PassageKeys.model_validate(given)


def test_a_name_tells_one_fact() -> None:
    assert len({folded(name) for name in MODIFIED_AT}) == len(list(MODIFIED_AT))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [*MODIFIED_AT, "source", "id", "doc_id", "version", "origin", "dl_meta", "data_source", "etag", "loc"]
)


@given(st.dictionaries(KEYS | st.text(max_size=12), VALUES, max_size=8))
def test_any_metadata_is_read_and_the_order_of_its_keys_changes_nothing_where_names_differ(
    facts: dict[str, Any],
) -> None:
    plain = {folded(name): name for name in facts}
    facts = {name: facts[name] for name in plain.values()}
    found = facts_told(facts, NO_KEYS, own_id=None, part_of=None)
    assert found == facts_told(dict(reversed(facts.items())), NO_KEYS, own_id=None, part_of=None)
    Passage(id="p", **found)


@pytest.mark.parametrize("key", ["document", "doc", "Document Name", "source_document"])
def test_a_file_that_a_plain_loader_names_is_the_document(key: str) -> None:
    told = facts_told({key: "handbook/leave.md", "page": 2}, PassageKeys(), own_id="c-1", part_of=None)
    assert (told["doc_id"], told["uri"]) == ("handbook/leave.md", "handbook/leave.md")


@pytest.mark.parametrize(
    "text", ["Parental leave is 16 weeks.", "Travel policy", "See a.md. Then b.md", "Up to 5/10, then c.md"]
)
def test_the_text_or_title_of_a_document_is_no_file(text: str) -> None:
    assert "doc_id" not in facts_told({"document": text}, PassageKeys(), own_id=None, part_of=None)


def test_an_id_or_address_of_the_document_comes_before_the_name_of_its_file() -> None:
    told = facts_told({"document": "leave.md", "doc_id": "HB-7"}, PassageKeys(), own_id=None, part_of=None)
    assert told["doc_id"] == "HB-7"
    told = facts_told({"document": "leave.md", "url": "https://x.test/leave"}, PassageKeys(), own_id=None, part_of=None)
    assert told["uri"] == "https://x.test/leave"


def test_the_id_of_a_parent_is_that_of_the_document_beside_facts_of_a_chunk_and_otherwise_of_another_page() -> None:
    assert told(parent_id="HR-1", id="c-7", chunk_index=7).doc_id == "HR-1"
    assert told(parent_id="HR-1").doc_id == "HR-1"
    assert told(parent_id="55", id="123", url="https://h/a").doc_id == "https://h/a"
    assert told(parent_id="55", id="123").doc_id is None
    first, second = (told(id=page, parent_id="55", parent_type="page") for page in ("123", "124"))
    assert (first.doc_id, second.doc_id) == ("123", "124")


def test_an_id_that_a_user_gives_a_document_holds_though_it_looks_drawn() -> None:
    drawn = "0b1ac1f5-6a0e-4a39-9f0e-1d2c3b4a5f60"
    assert told(doc_id=drawn, source="/docs/a.md").doc_id == drawn
    assert told(id=drawn).doc_id == drawn


def test_the_date_of_a_local_file_is_that_of_its_change() -> None:
    unstructured = {"file_directory": "/docs", "filename": "a.md", "last_modified": "2025-03-04T05:06:07"}
    assert told(source="/docs/a.md", **unstructured).modified_at == instant_of("2025-03-04T05:06:07")
    assert told(source="file:///docs/a.md", **unstructured).modified_at == instant_of("2025-03-04T05:06:07")
    assert told(source="s3://b/a.md", **unstructured).modified_at is None
    dated = {**unstructured, "date_modified": "2024-05-06"}
    assert told(source="s3://b/a.md", **dated).modified_at == instant_of("2024-05-06")


@pytest.mark.parametrize("value", [["/docs/a.md", "/docs/b.md"], "[draft] plan", [], [[]], {}])
def test_a_value_that_is_several_or_none_tells_no_document(value: Any) -> None:
    assert told(doc_id=value if isinstance(value, list | dict) else None, source=value).doc_id is None


def test_what_holds_in_german_and_french_is_read() -> None:
    german = told(source="/a.md", **{"gültig ab": "01.01.2025", "Gültig-bis": "31.12.2025"})
    french = told(source="/a.md", date_d_effet="2025-01-01", **{"valable jusqu'au": "2025-12-31"})
    for each in (german, french):
        assert each.effective_from == instant_of("2025-01-01")
        assert each.effective_to == instant_of("2025-12-31", end_of_day=True)
