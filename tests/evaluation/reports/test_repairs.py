"""What to repair first: the remedy of each kind of failure, and where it is more frequent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest

from evaluation.remedies import CAP_REMEDIES, CATEGORY_REMEDIES, METRIC_REMEDIES, STAGE_REMEDIES
from evaluation.reports.content import RepairStep, ReportedAnswer, ReportedPassage, ReportedScore
from evaluation.reports.repairs import APPLICATION, fault_of, repairs
from scorers.composite.profile import MEMBERS, Caps
from scorers.diagnosis.failure_category import CATEGORIES
from scorers.diagnosis.first_failed_stage import StageName


def answer(number: int, **attributes: str) -> ReportedAnswer:
    document = ReportedPassage(id="p", document=f"DOC-{attributes.get('domain', 'x')}")
    return ReportedAnswer(id=f"a{number}", passages=(document,), attributes=attributes)


def fault(category: str | None, stage: str | None) -> str | None:
    labels = {"failure_category": category, "first_failed_stage": stage}
    return fault_of({name: ReportedScore(metric=name, value=0.0, label=label) for name, label in labels.items()})


def steps(answers: Sequence[ReportedAnswer], faults: dict[str, str]) -> list[RepairStep]:
    return list(repairs(answers, faults, ["domain", "service"]))


def test_a_fault_of_no_category_is_told_by_the_stage_that_failed_first_and_what_to_do_there() -> None:
    stages = ("context selection", "citation support", "unknown")
    kinds = [fault("unknown", stage) for stage in stages]
    assert kinds == [*stages]
    found = steps(
        [answer(number) for number in range(3)], {f"a{number}": kind or "" for number, kind in enumerate(kinds)}
    )
    assert [(step.what, step.remedy) for step in found] == [
        ("citation support", STAGE_REMEDIES["citation support"]),
        ("context selection", STAGE_REMEDIES["context selection"]),
        ("a fault of no known category", None),
    ]
    assert found[2].advice == ""


def test_an_answer_of_no_category_has_a_fault_where_a_stage_failed_and_none_where_all_passed() -> None:
    assert fault("none", "answer completeness") == "answer completeness"
    assert fault("stale_source_acceptance", "admissibility") == "stale_source_acceptance"
    assert [fault("none", "pass"), fault("none", None), fault(None, "pass")] == [None, None, None]


def test_only_slices_and_documents_where_a_fault_is_more_frequent_are_named() -> None:
    answers = [answer(n, service="desk", domain="travel" if n < 20 else "leave") for n in range(60)]
    failing = {f"a{n}": "stale_source_acceptance" for n in range(12)}
    [step] = steps(answers, failing)
    assert step.where == "domain=travel (12 of 20); first passage of DOC-travel (12 of 20)", "not service=desk"
    assert step.advice.startswith("Repair index lag and retirement of old versions. More frequent where domain=travel")
    spread = {f"a{n}": APPLICATION for n in range(0, 60, 6)}
    [step] = steps(answers, spread)
    assert (step.what, step.answers, step.where) == ("the application failed", 10, "")


def test_every_category_stage_cap_and_metric_of_the_composite_has_a_remedy() -> None:
    assert CATEGORY_REMEDIES.keys() == set(CATEGORIES)
    assert STAGE_REMEDIES.keys() == set(get_args(StageName)) - {"pass", "unknown"}
    assert METRIC_REMEDIES.keys() == {name for names in MEMBERS.values() for name in names}
    assert CAP_REMEDIES.keys() == {*Caps.model_fields, "missing_exception"}


@pytest.mark.parametrize(("complete", "fault"), [(1.0, None), (0.5, "candidate retrieval")])
def test_what_the_retriever_missed_is_a_fault_where_the_answer_lacks_it(complete: float, fault: str | None) -> None:
    scores = {
        "failure_category": ReportedScore(metric="failure_category", value=0.0, label="none"),
        "first_failed_stage": ReportedScore(metric="first_failed_stage", value=0.0, label="candidate retrieval"),
        "answer_completeness": ReportedScore(metric="answer_completeness", value=complete),
    }
    assert fault_of(scores) == fault


@pytest.mark.parametrize(
    ("kinds", "category", "fault"),
    [
        ("unknown", "none", None),
        ("unknown", "unknown", "unknown"),
        ("unknown", "numeric_transposition", "numeric_transposition"),
        ("unknown, not_nested", "none", "admissibility"),
        ("stale, unknown", "none", "admissibility"),
    ],
)
def test_a_passage_that_the_catalog_does_not_list_is_no_fault(kinds: str, category: str, fault: str | None) -> None:
    label = kinds.partition(",")[0]
    scores = {
        "failure_category": ReportedScore(metric="failure_category", value=0.0, label=category),
        "first_failed_stage": ReportedScore(metric="first_failed_stage", value=0.0, label="admissibility"),
        "admissible": ReportedScore(metric="admissible", value=0.0, label=label, explanation=kinds),
        "answer_completeness": ReportedScore(metric="answer_completeness", value=0.5),
    }
    assert fault_of(scores) == fault
