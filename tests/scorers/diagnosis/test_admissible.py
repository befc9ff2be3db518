"""Admissible: what may not be evidence voids the answer, wherever on the path it stands."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.schema import Answer, Gold, GoldClaim, GoldPassage, Passage, Stage
from scorers.base import Env, Score
from scorers.catalog import Catalog, Document
from scorers.diagnosis.admissible import Admissible

NOW = datetime(2026, 5, 4, tzinfo=UTC)
LAST_YEAR = datetime(2025, 5, 4, tzinfo=UTC)
CATALOG = Catalog(
    [
        Document(id="freeze", version="1", effective_to=LAST_YEAR),
        Document(id="freeze", version="2", section="a", effective_from=LAST_YEAR, checksum="c2"),
        Document(id="runbook", version="1"),
    ]
)
RULE = Passage(id="rule", doc_id="freeze", version="2", section="a", text="Approval is needed.", permitted=("ops",))
RUNBOOK = Passage(id="book", doc_id="runbook", version="1", text="Keep the last artifact.")
CLEAN = Answer(
    id="a",
    started_at=NOW,
    passages=(RULE, RUNBOOK),
    stages=(
        Stage(kind="retrieve", output_ids=("book", "rule")),
        Stage(kind="rerank", input_ids=("book", "rule"), output_ids=("rule", "book")),
        Stage(kind="select", output_ids=("rule",)),
    ),
    context=("rule",),
    attributes={"groups": "ops, sales"},
)


def judged(*, scorer: Admissible | None = None, catalog: Catalog | None = CATALOG, **changes: Any) -> Score:
    result = (scorer or Admissible()).score(CLEAN.model_copy(update=changes), Env(now=NOW, catalog=catalog))
    assert isinstance(result, Score)
    return result


def with_passage(passage: Passage) -> dict[str, Any]:
    stage = Stage(kind="retrieve", output_ids=("book", "rule", passage.id))
    return {"passages": (RULE, RUNBOOK, passage), "stages": (stage, *(CLEAN.stages or ())[1:])}


def test_a_clean_path_is_admissible() -> None:
    found = judged()
    assert (found.value, found.label, found.evidence) == (1.0, "admissible", ())


CANDIDATES = {
    "restricted": Passage(id="secret", doc_id="runbook", version="1", permitted=("board",)),
    "stale": Passage(id="old", doc_id="freeze", version="1"),
    "version_mismatch": Passage(id="odd", doc_id="freeze", version="7"),
    "unknown": Passage(id="strange", doc_id="elsewhere"),
}


@pytest.mark.parametrize("fault", CANDIDATES)
def test_a_candidate_that_no_later_step_kept_voids_the_answer_all_the_same(fault: str) -> None:
    found = judged(**with_passage(CANDIDATES[fault]))
    assert (found.value, found.label) == (0.0, fault)
    assert found.evidence[0].passage_id == CANDIDATES[fault].id


def test_who_may_see_a_passage_counts_only_where_the_asker_is_known() -> None:
    assert judged(attributes={"groups": "sales"}).label == "restricted"
    assert judged(attributes={}).label == "admissible"


def test_another_checksum_is_another_version() -> None:
    assert judged(passages=(RULE.model_copy(update={"checksum": "c3"}), RUNBOOK)).label == "version_mismatch"
    assert judged(passages=(RULE.model_copy(update={"checksum": "c2"}), RUNBOOK)).label == "admissible"


def test_labels_of_people_void_too() -> None:
    for label, fault in (("prohibited", "restricted"), ("superseded", "stale")):
        gold = Gold(passages=(GoldPassage.model_validate({"id": "book", "label": label}),))
        assert judged(gold=gold, catalog=None).label == fault


def test_a_document_outside_the_catalog_may_be_allowed() -> None:
    added = with_passage(CANDIDATES["unknown"])
    assert judged(scorer=Admissible(listed=False), **added).label == "admissible"
    assert judged(catalog=None, **added).label == "admissible"


def test_a_step_that_names_what_nobody_told_of_is_unknown() -> None:
    assert judged(context=("rule", "ghost")).label == "unknown"


def test_an_id_may_stand_once_in_a_step() -> None:
    stages = (Stage(kind="retrieve", output_ids=("book", "rule", "rule")),)
    assert judged(stages=stages).label == "duplicated"
    assert judged(context=("rule", "rule")).label == "duplicated"


def test_selected_within_reranked_within_retrieved() -> None:
    retrieve, rerank, select = CLEAN.stages or ()
    narrow = retrieve.model_copy(update={"output_ids": ("rule",)})
    assert judged(stages=(narrow, rerank, select)).label == "not_nested"
    cut = rerank.model_copy(update={"output_ids": ("book",)})
    assert judged(stages=(retrieve, cut, select)).label == "not_nested"
    assert judged(stages=(retrieve, rerank), context=("rule", "book")).label == "admissible"
    assert judged(stages=(retrieve, cut), context=("rule",)).label == "not_nested"


def test_a_cascade_of_rerankers_and_several_retrievers_nest() -> None:
    stages = (
        Stage(kind="retrieve", name="words", output_ids=("rule",)),
        Stage(kind="retrieve", name="meaning", output_ids=("book",)),
        Stage(kind="rerank", input_ids=("rule", "book"), output_ids=("rule", "book")),
        Stage(kind="rerank", input_ids=("rule", "book"), output_ids=("rule",)),
    )
    assert judged(stages=stages).label == "admissible"


def test_a_candidate_that_was_not_selected_is_no_fault_where_the_context_alone_is_judged() -> None:
    only = Admissible(judged="context")
    for fault, passage in CANDIDATES.items():
        added = with_passage(passage)
        assert judged(scorer=only, **added).label == "admissible", fault
        assert judged(scorer=only, **added, context=("rule", passage.id)).label == fault
    assert judged(scorer=only, context=("rule", "rule")).label == "duplicated"
    assert judged(scorer=only, context=("rule", "ghost")).label == "unknown"


LEDGER = (GoldClaim(text="Approval is needed.", citation="rule", support=("approval is needed",)),)
WHOLE = {"retriever": "2", "index": "3", "sparse": "1", "dense": "1", "fusion": "60", "reranker": "1"}


def test_a_labelled_trace_tells_the_version_of_every_step_that_ran() -> None:
    assert judged(claims=LEDGER, versions=WHOLE).label == "admissible"
    partial = {name: version for name, version in WHOLE.items() if name != "reranker"}
    found = judged(claims=LEDGER, versions=partial)
    assert (found.label, found.evidence[0].detail) == (
        "unversioned",
        "unversioned: the version of reranker is missing",
    )
    assert judged(claims=LEDGER, versions={}).label == "admissible"
    assert judged(claims=LEDGER, versions={"model": "m"}).label == "admissible"
    assert judged(scorer=Admissible(versions=("prompt",)), claims=LEDGER, versions=WHOLE).label == "unversioned"


def test_a_labelled_trace_selects_something() -> None:
    assert judged(claims=LEDGER, context=()).label == "empty"
    assert judged(claims=LEDGER, context=(), passages=(), stages=()).label == "admissible"


def test_the_reranker_of_a_labelled_trace_puts_out_what_was_put_in() -> None:
    third = Passage(id="third", doc_id="runbook", version="1", text="Call the duty officer.")
    passages, ids = (RULE, RUNBOOK, third), ("book", "rule", "third")
    cut = (Stage(kind="retrieve", output_ids=ids), Stage(kind="rerank", input_ids=ids, output_ids=("rule", "book")))
    found = judged(claims=LEDGER, passages=passages, stages=cut)
    assert (found.label, "third" in found.evidence[0].detail) == ("not_reordered", True)
    # A reranker that selects as well has the context as its output.
    assert judged(claims=LEDGER, passages=passages, stages=cut, context=("rule", "book")).label == "admissible"


def test_whether_a_trace_must_be_whole_can_be_chosen() -> None:
    assert judged(context=()).label == "admissible"
    assert judged(scorer=Admissible(complete="always"), context=()).label == "empty"
    assert judged(scorer=Admissible(complete="never"), claims=LEDGER, context=()).label == "admissible"


def test_the_worst_fault_is_the_label_and_all_are_named() -> None:
    found = judged(attributes={"groups": "sales"}, context=("rule", "rule", "ghost"))
    assert found.label == "restricted"
    assert found.explanation == "restricted, unknown, duplicated, not_nested"
