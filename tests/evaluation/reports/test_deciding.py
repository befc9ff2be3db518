"""What a report says first: what a suite expects comes before means and differences."""

from __future__ import annotations

import pytest

from evaluation.reports.content import CountFigure, DifferenceFigure, MissedExpectation, ReportedRun
from evaluation.reports.deciding import decided


def run(name: str, *missed: str, expecting: int = 4) -> ReportedRun:
    expectation = "must cite RET-1"
    return ReportedRun(
        name=name,
        answers=10,
        failed=0,
        faults=CountFigure(name="faults", count=0, of=10),
        metrics=(),
        expecting=expecting,
        missed=tuple(
            MissedExpectation(answer_id=each, expectation=expectation, why="cites nothing") for each in missed
        ),
    )


BETTER = DifferenceFigure(
    run="next", metric="claim_support", better="higher", slice="all", pairs=10, baseline=0.5, candidate=0.9,
    difference=0.4, verdict="better",
)  # fmt: skip


def test_a_run_that_misses_what_its_suite_expects_is_not_called_fine() -> None:
    verdict, said, reasons = decided([run("today", "r1", "r2")], ())
    assert verdict == "repair"
    assert said == "In 2 of 4 rows the answer is not what the suite expects."
    assert reasons[0] == "r1: must cite RET-1: cites nothing"


def test_a_run_that_misses_what_the_baseline_keeps_is_held_however_much_better_its_means_are() -> None:
    verdict, said, reasons = decided([run("today", "r1"), run("next", "r1", "r3")], (BETTER,))
    assert (verdict, said) == ("hold", "Hold next: in 1 row it misses what today keeps.")
    assert reasons == ("r3: must cite RET-1: cites nothing",)


@pytest.mark.parametrize("baseline", [run("today", "r1"), run("today", expecting=0)])
def test_what_both_miss_or_only_one_was_asked_holds_nothing(baseline: ReportedRun) -> None:
    assert decided([baseline, run("next", "r1")], (BETTER,))[0] == "release"


def test_no_difference_is_named_that_the_metric_cannot_have() -> None:
    few = BETTER.model_copy(update={"verdict": "no difference shown", "detectable": 11.3, "pairs": 2})
    _, _, reasons = decided([run("today"), run("next")], (few, few.model_copy(update={"detectable": 0.2})))
    assert reasons == (
        "claim_support: 2 pairs are too few for any difference to be seen; compare more",
        "claim_support: a difference of 0.2 would have been seen",
    )
