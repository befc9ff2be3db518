"""What to repair first: the remedy of each kind of failure, and where it is more frequent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from evaluation.remedies import CAP_REMEDIES, CATEGORY_REMEDIES, METRIC_REMEDIES, STAGE_REMEDIES
from evaluation.reports.content import RepairStep, ReportedAnswer, ReportedPassage, ReportedScore
from evaluation.reports.repairs import repairs
from scorers.composite.profile import MEMBERS, Caps
from scorers.diagnosis.failure_category import CATEGORIES
from scorers.diagnosis.first_failed_stage import StageName


def answer(number: int, stage: str = "pass", **attributes: str) -> ReportedAnswer:
    document = ReportedPassage(id="p", document=f"DOC-{attributes.get('domain', 'x')}")
    score = ReportedScore(metric="first_failed_stage", value=0.0, label=stage)
    return ReportedAnswer(id=f"a{number}", scores=(score,), passages=(document,), attributes=attributes)


def steps(answers: Sequence[ReportedAnswer], faults: dict[str, str | None]) -> list[RepairStep]:
    return list(repairs(answers, faults, ["domain", "service"]))


def test_a_fault_of_no_category_is_told_by_the_stage_that_failed_first_and_what_to_do_there() -> None:
    answers = [answer(0, "context selection"), answer(1, "citation support"), answer(2, "unknown")]
    found = steps(answers, dict.fromkeys(("a0", "a1", "a2"), "unknown"))
    assert [(step.what, step.remedy) for step in found] == [
        ("citation support", STAGE_REMEDIES["citation support"]),
        ("context selection", STAGE_REMEDIES["context selection"]),
        ("a fault of no known category", None),
    ]
    assert found[2].advice == ""


def test_only_slices_and_documents_where_a_fault_is_more_frequent_are_named() -> None:
    answers = [answer(n, service="desk", domain="travel" if n < 20 else "leave") for n in range(60)]
    failing: dict[str, str | None] = {f"a{n}": "stale_source_acceptance" for n in range(12)}
    [step] = steps(answers, failing)
    assert step.where == "domain=travel (12 of 20); first passage of DOC-travel (12 of 20)", "not service=desk"
    assert step.advice.startswith("Repair index lag and retirement of old versions. More frequent where domain=travel")
    spread: dict[str, str | None] = {f"a{n}": None for n in range(0, 60, 6)}
    [step] = steps(answers, spread)
    assert (step.what, step.answers, step.where) == ("the application failed", 10, "")


def test_every_category_stage_cap_and_metric_of_the_composite_has_a_remedy() -> None:
    assert CATEGORY_REMEDIES.keys() == set(CATEGORIES)
    assert STAGE_REMEDIES.keys() == set(get_args(StageName)) - {"pass", "unknown"}
    assert METRIC_REMEDIES.keys() == {name for names in MEMBERS.values() for name in names}
    assert CAP_REMEDIES.keys() == {*Caps.model_fields, "missing_exception"}
