"""What services that search answer, whole: which passage it is, and of which document.

The rows of ``answers.json`` are written by hand after the documentation of the services and the sources of loaders.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.documents.passages import NO_KEYS, Identities, passage_of
from adapters.documents.results import documents_found
from adapters.schema import Passage
from adapters.values import instant_of

ANSWERS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "answers.json").read_text())
TEXT = "The hotel limit is 180 EUR."


def passages(answer: Any) -> list[Passage]:
    documents = documents_found(answer, most=9) or ()
    identities = Identities("t", NO_KEYS)
    return [passage_of(each, id=identities.of(each), stage=None, rank=0) for each in documents]


@pytest.mark.parametrize("shape", ANSWERS, ids=[shape["service"] for shape in ANSWERS])
@pytest.mark.parametrize("written", [lambda answer: answer, json.dumps], ids=["object", "text"])
def test_a_service_tells_the_passage_its_document_and_when_that_was_modified(
    shape: dict[str, Any], written: Any
) -> None:
    (passage,) = passages(written(shape["answer"]))
    assert passage.text == TEXT
    assert (passage.doc_id, passage.modified_at) == (shape["doc_id"], instant_of(shape["modified_at"]))


def test_the_version_of_a_record_in_a_store_is_not_that_of_its_document() -> None:
    point = {"id": "q", "version": 812, "score": 0.8, "payload": {"page_content": TEXT, "source": "a.md"}}
    hit = {"_id": "e", "_version": 3, "_source": {"content": TEXT, "source": "a.md"}}
    assert [each.version for each in passages({"result": [point]}) + passages({"hits": {"hits": [hit]}})] == [
        None,
        None,
    ]
    assert passages([{"id": "p", "text": TEXT, "version": 3}])[0].version == "3"


def test_when_a_store_wrote_its_record_is_not_when_the_source_changed() -> None:
    found = {"uuid": "w", "metadata": {"last_update_time": "2026-01-01", "score": 0.9}, "properties": {"content": TEXT}}
    assert passages({"objects": [found]})[0].modified_at is None


@pytest.mark.parametrize(
    "answer",
    [
        {"policies": [{"text": TEXT}], "people": [{"text": "Ada signs."}]},
        {"verdict": f"{TEXT} It was raised in May by the board, after a long debate with all the departments. " * 2,
         "grounds": [{"text": "A note."}]},
        {"rate": 0.19, "countries": ["DE", "FR"]},
    ],
)  # fmt: skip
def test_an_answer_that_is_no_mere_list_is_one_passage_of_all_that_the_model_was_shown(answer: dict[str, Any]) -> None:
    (passage,) = passages(answer)
    assert json.loads(passage.text or "") == answer


def test_a_list_of_lists_of_the_same_kind_is_one_list() -> None:
    answer = {"containers": [{"hits": [{"text": TEXT}]}, {"hits": [{"text": "Meals: 60 EUR."}]}]}
    assert [each.text for each in passages(answer)] == [TEXT, "Meals: 60 EUR."]


def test_a_row_to_a_line_is_a_passage_each() -> None:
    rows = [{"id": "a", "text": TEXT}, {"id": "b", "text": "Meals: 60 EUR."}]
    assert [each.id for each in passages("\n".join(map(json.dumps, rows)))] == ["a", "b"]
