"""Passages in a line as applications have them: every usual way to write one is the same passage."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base import MalformedRecord, PassageKeys
from adapters.documents.given import described
from adapters.files.jsonl import answer_of
from adapters.files.records import RecordReader
from adapters.schema import Answer

TEXT = "Hotels are reimbursed up to 180 EUR per night."
METADATA = {"source": "policies/travel.pdf", "version": "3", "last_updated": "March 3, 2026", "valid_to": "31.12.2026"}
DOCUMENTS = {
    "LangChain": {"page_content": TEXT, "metadata": METADATA, "type": "Document"},
    "Haystack": {"id": "c-1", "content": TEXT, "meta": METADATA},
    "LlamaIndex": {"node": {"id_": "c-1", "text": TEXT, "metadata": METADATA}, "score": 0.7},
    "a row": {"chunk_id": "c-1", "chunk": TEXT, **METADATA},
    "a passage": {"id": "c-1", "text": TEXT, "metadata": METADATA},
}


def line(**fields: Any) -> Answer:
    return described(answer_of({"question": "How much?", "answer": "Up to 180 EUR [1].", **fields}, "line 4"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_metadata_tells_of_a_document_is_known_however_the_passage_is_written(name: str) -> None:
    answer = line(passages=[DOCUMENTS[name]])
    assert answer.passages is not None
    [found] = answer.passages
    assert (found.text, found.doc_id, found.version) == (TEXT, "policies/travel.pdf", "3")
    assert f"{found.modified_at:%Y-%m-%d} {found.effective_to:%Y-%m-%d}" == "2026-03-03 2026-12-31"
    assert answer.citations is not None
    assert [each.passage_id for each in answer.citations] == [found.id]


def test_texts_are_passages_and_keep_their_order() -> None:
    answer = line(passages=["By train.", TEXT, "By train."], answer="180 EUR [2].")
    assert answer.passages is not None
    assert answer.citations is not None
    assert [each.text for each in answer.passages] == ["By train.", TEXT, "By train."]
    assert answer.citations[0].passage_id == answer.passages[1].id
    assert answer.passages[0].id == answer.passages[2].id != answer.passages[1].id


def test_what_a_line_says_of_a_passage_or_cites_stands() -> None:
    told = {"id": "c-1", "text": TEXT, "version": "4", "metadata": METADATA}
    answer = line(passages=[told], citations=[])
    assert answer.passages is not None
    assert (answer.passages[0].version, answer.passages[0].doc_id) == ("4", "policies/travel.pdf")
    assert answer.citations == ()


def test_keys_of_ones_own_are_asked_first() -> None:
    answer = answer_of({"question": "q", "answer": "a", "passages": [{"text": TEXT, "metadata": METADATA}]}, "")
    [found] = described(answer, PassageKeys(doc_id="version")).passages or ()
    assert found.doc_id == "3"


@given(
    st.lists(
        st.dictionaries(st.sampled_from([*METADATA, "id", "page", "Effective Date"]), st.text(max_size=12), max_size=5),
        max_size=3,
    )
)
def test_an_answer_that_was_read_and_written_is_read_as_it_was(kept: list[dict[str, str]]) -> None:
    first = line(passages=[{"id": f"c-{n}", "text": TEXT, "metadata": metadata} for n, metadata in enumerate(kept)])
    [again] = RecordReader().read(first.model_dump(mode="json", exclude_defaults=True), "")
    assert isinstance(again, Answer)
    assert described(again) == first


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"passages": [TEXT, ""]},
            "line 4: passages[1]: no text in it: give it as `text`, `page_content` or `content`",
        ),
        ({"passages": [{"titel": "x"}]}, "line 4: passages[0]: no text in it: give it as `text`"),
        ({"passages": [{"id": "c-1", "txt": TEXT}]}, "line 4: passages[0].txt: unknown field; did you mean text?"),
        ({"passages": [{"id": 17, "text": TEXT}]}, "line 4: passages[0].id: must be text, not a number"),
        (
            {"passages": [{"id": "c-1", "metadata": "source=a.pdf"}]},
            "line 4: passages[0].metadata: must be an object with fields, not text",
        ),
        ({"passages": [17]}, "line 4: passages[0]: must be an object with fields, not a number"),
        ({"passages": TEXT}, "line 4: passages: must be a list, not text"),
        ({"retrieved_contexts": [TEXT]}, "line 4: retrieved_contexts: unknown field; did you mean passages?"),
        ({"sources": [TEXT]}, "line 4: sources: unknown field; did you mean passages?"),
    ],
)
def test_what_is_no_passage_is_named_with_what_to_write(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(MalformedRecord) as error:
        line(**fields)
    assert str(error.value).startswith(told)


def test_a_line_with_other_names_is_told_which_to_rename() -> None:
    with pytest.raises(MalformedRecord, match="line 4: question: missing; if that is `query`, rename it"):
        answer_of({"query": "How much?", "response": "180 EUR."}, "line 4")
    with pytest.raises(MalformedRecord, match="line 4: answer: missing; if that is `response`, rename it"):
        answer_of({"question": "How much?", "response": "180 EUR."}, "line 4")
