"""The claim ledger of labelled rows: judged exactly, from the row alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.base import MalformedRecord
from adapters.files.jsonl import answer_of
from adapters.files.records import RecordReader
from adapters.schema import Answer
from scorers import default_panel, run_panel
from scorers.base import Env, Score

ENV = Env(now=datetime(2026, 6, 2, tzinfo=UTC))
RULE = "Rule TRV-4. Business class on flights of more than six hours needs a director's approval and a cost centre."
PASSAGES = [
    {"id": "drill", "doc_id": "drill", "text": "Fire drills keep the stairs clear for 30 minutes."},
    {"id": "canteen", "doc_id": "canteen", "text": "The canteen serves lunch from noon."},
    {"id": "flight-rule", "doc_id": "travel", "text": RULE},
]
SCOPE = {
    "text": "The long flight falls under the travel rule.",
    "citation": "flight-rule",
    "support": ["business class on flights", "more than six hours"],
    "point": "scope",
}
APPROVAL = {
    "text": "A director must approve.",
    "citation": "flight-rule",
    "support": ["needs a director\u2019s approval"],
    "point": "approval",
}
CENTRE = {
    "text": "A cost centre must be named.",
    "citation": "flight-rule",
    "support": ["cost centre", "approval and"],
    "point": "cost-centre",
}
BYPASS = {
    "text": "No cost centre is needed.",
    "citation": "flight-rule",
    "support": ["without a cost centre"],
    "point": "cost-centre",
}
RANKED = ["drill", "canteen", "flight-rule"]
VERSIONS = {name: f"{name}-1" for name in ("retriever", "index", "sparse", "dense", "fusion", "reranker")}


def row(*claims: dict[str, Any], answer: str | None = None, **changes: Any) -> dict[str, Any]:
    stages = [
        {"kind": "retrieve", "output_ids": RANKED},
        {"kind": "rerank", "input_ids": RANKED, "output_ids": ["flight-rule", "drill", "canteen"]},
    ]
    return {
        "id": "r",
        "question": "May I fly business class for nine hours? My director agreed.",
        "answer": " ".join(claim["text"] for claim in claims) if answer is None else answer,
        "passages": PASSAGES,
        "stages": stages,
        "context": ["flight-rule"],
        "versions": VERSIONS,
        "gold": {
            "passages": [{"id": "flight-rule", "label": "sufficient"}],
            "required_points": ["scope", "approval", "cost-centre"],
        },
        "claims": list(claims),
    } | changes


def scored(given: dict[str, Any]) -> dict[str, Score]:
    return {score.metric: score for score in run_panel(default_panel(), answer_of(given, "line 1"), ENV).scores}


SUPPORTED = (SCOPE, APPROVAL, CENTRE)
MISCITED = tuple(claim | {"citation": "drill"} for claim in SUPPORTED)
VALUES: dict[str, tuple[tuple[dict[str, Any], ...], dict[str, float]]] = {
    "invented bypass": (
        (SCOPE, BYPASS),
        {
            "faithfulness": 0.5,
            "claim_support": 0.5,
            "citation_coverage": 1.0,
            "citation_support": 0.5,
            "answer_completeness": 1 / 3,
        },
    ),
    "supported": (
        SUPPORTED,
        {
            "faithfulness": 1.0,
            "claim_support": 1.0,
            "contradiction_absence": 1.0,
            "citation_coverage": 1.0,
            "citation_support": 1.0,
            "citation_precision": 1.0,
            "citation_recall": 1.0,
            "answer_completeness": 1.0,
        },
    ),
    "miscited": (
        MISCITED,
        {"faithfulness": 1.0, "citation_coverage": 1.0, "citation_support": 0.0, "answer_completeness": 1.0},
    ),
    "empty": (
        (),
        {"faithfulness": 0.0, "citation_coverage": 0.0, "citation_support": 0.0, "answer_completeness": 0.0},
    ),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_ledger_is_judged_exactly(name: str) -> None:
    claims, expected = VALUES[name]
    found = scored(row(*claims))
    assert {metric: found[metric].value for metric in expected} == expected
    assert {found[metric].basis for metric in expected} == {"gold"}


DROPPED = {"context": ["drill"]}
MISSED = {
    "passages": PASSAGES[:2],
    "context": ["drill"],
    "stages": [
        {"kind": "retrieve", "output_ids": RANKED[:2]},
        {"kind": "rerank", "input_ids": RANKED[:2], "output_ids": RANKED[:2]},
    ],
}
STAGES: dict[str, tuple[dict[str, Any], str]] = {
    "missing candidate": (row(*SUPPORTED, **MISSED), "candidate retrieval"),
    "dropped context": (row(*SUPPORTED, **DROPPED), "context selection"),
    "invented bypass": (row(SCOPE, BYPASS), "answer faithfulness"),
    "wrong citation": (row(*MISCITED), "citation support"),
    "empty answer": (row(), "answer completeness"),
    "empty ledger": (row(answer="See the intranet."), "answer completeness"),
    "omitted condition": (row(SCOPE, APPROVAL), "answer completeness"),
    "supported answer": (row(*SUPPORTED), "pass"),
}


@pytest.mark.parametrize("name", STAGES)
def test_the_first_failed_stage_of_a_ledger_is_exact_and_only_the_supported_answer_may_be_released(name: str) -> None:
    given, stage = STAGES[name]
    found = scored(given)["first_failed_stage"]
    assert (found.label, found.value) == (stage, float(stage == "pass"))


def test_a_claim_without_its_words_in_one_passage_is_named_with_what_is_missing() -> None:
    found = scored(row(SCOPE, BYPASS))["faithfulness"]
    assert found.label == "unsupported"
    assert [evidence.detail for evidence in found.evidence] == [
        "claim 'No cost centre is needed.': no passage of the context says 'without a cost centre'"
    ]


def test_only_the_selected_context_supports() -> None:
    assert scored(row(*SUPPORTED, context=["drill"]))["faithfulness"].value == 0


def test_a_phrase_is_no_end_of_another_word_and_no_part_of_another_number() -> None:
    passages = [{"id": "p", "text": "Leave is unpaid for 120 days, and costs 3.50 EUR. It is non-refundable."}]
    for phrase, value in (("paid", 0), ("20 days", 0), ("120 day", 1), ("3", 0), ("costs 3.50", 1), ("refundable", 0)):
        given = row({"text": "So it is.", "support": [phrase]}, passages=passages, context=["p"], stages=None)
        assert scored(given)["faithfulness"].value == value, phrase


def test_an_answer_that_owes_no_claim_and_makes_none_is_left_out() -> None:
    given = row(answer="Please ask the travel desk.", gold=None)
    assert "faithfulness" not in scored(given)


def test_claims_that_never_cite_are_no_failure_of_citing() -> None:
    bare = [{name: value for name, value in claim.items() if name != "citation"} for claim in SUPPORTED]
    found = scored(row(*bare))
    assert {"citation_coverage", "citation_support", "citation_precision"}.isdisjoint(found)
    assert found["faithfulness"].value == 1


def test_a_citation_of_another_chunk_of_the_document_is_told_from_one_of_another_document() -> None:
    twin = {"id": "twin", "doc_id": "travel", "text": "Claims are paid in a week."}
    given = row(SCOPE | {"citation": "twin"}, passages=[*PASSAGES, twin], context=["flight-rule", "twin"], stages=None)
    assert scored(given)["citation_precision"].label == "wrong_chunk"
    assert scored(row(SCOPE | {"citation": "drill"}))["citation_precision"].label == "unsupported"
    assert scored(row(SCOPE | {"citation": "gone"}))["citation_precision"].label == "unresolved"


def test_a_withheld_passage_leaves_open_what_no_other_supports() -> None:
    hidden = [{"id": "hidden"}, *PASSAGES]
    assert "faithfulness" not in scored(row(BYPASS, passages=hidden, context=["flight-rule", "hidden"]))
    assert scored(row(SCOPE, passages=hidden, context=["flight-rule", "hidden"]))["faithfulness"].value == 1


BROKEN: dict[str, tuple[Any, str]] = {
    "no support": ([{"text": "So."}], "claims[0].support"),
    "empty support": ([SCOPE, {"text": "So.", "support": []}], "claims[1].support"),
    "blank phrase": ([{"text": "So.", "support": ["ok", " "]}], "claims[0].support[1]"),
    "blank text": ([SCOPE | {"text": ""}], "claims[0].text"),
    "unknown key": ([SCOPE | {"cites": "p"}], "claims[0].cites"),
    "too many": ([SCOPE] * 201, "claims"),
    "no list": ({"text": "So."}, "claims"),
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_broken_ledger_is_refused_with_the_place_of_what_is_wrong(problem: str) -> None:
    claims, place = BROKEN[problem]
    with pytest.raises(MalformedRecord) as caught:
        answer_of(row() | {"claims": claims}, "line 7")
    assert caught.value.where == f"line 7: {place}"


def read(given: dict[str, Any]) -> Any:
    (found,) = RecordReader().read(given, "line 1")
    return found


def test_a_labelled_row_brings_its_ledger_and_marked_spans_are_none() -> None:
    labelled = row(SCOPE) | {"split": "dev", "label": "supported"}
    answer = read(labelled)
    assert isinstance(answer, Answer)
    assert [claim.point for claim in answer.claims or ()] == ["scope"]
    assert answer.context == ("flight-rule",)
    assert read(labelled | {"claims": [{"text": "So.", "start": 0, "end": 3, "label": "conflict"}]}).claims is None
    assert read(labelled | {"claims": []}).claims is None
    broken = read(labelled | {"claims": [{"text": "So.", "citation": "p"}]})
    assert isinstance(broken, MalformedRecord)
    assert broken.where == "line 1: claims[0].support"


def test_a_claim_with_an_id_is_named_by_it_in_what_is_wrong() -> None:
    found = scored(row(SCOPE, BYPASS | {"id": "bypass"}))
    assert found["faithfulness"].evidence[0].detail.startswith("claim bypass 'No cost centre is needed.': no passage")
    assert found["citation_support"].evidence[0].detail.startswith("claim bypass 'No cost centre is needed.' is not")


def test_a_citation_that_does_not_hold_is_a_failure_of_no_known_kind() -> None:
    assert scored(row(*MISCITED))["failure_category"].label == "unknown"
    assert scored(row(*SUPPORTED))["failure_category"].label == "none"


def test_an_answer_that_claims_nothing_leaves_no_claim_without_a_citation() -> None:
    assert scored(row(answer="See the intranet."))["failure_category"].label == "unknown"
