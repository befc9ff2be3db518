"""What a report says first: what a suite expects comes before means and differences."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.reports.content import (
    CountFigure,
    DifferenceFigure,
    MissedExpectation,
    ReportedAnswer,
    ReportedRun,
    ReportedScore,
)
from evaluation.reports.deciding import decided
from evaluation.reports.figures import run_figures


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
    few = BETTER.model_copy(update={"verdict": "no difference shown", "detectable": None, "pairs": 2})
    _, _, reasons = decided([run("today"), run("next")], (few, few.model_copy(update={"detectable": 0.2})))
    assert reasons == (
        "claim_support: 2 pairs are too few for any difference to be seen; compare more",
        "claim_support: a difference of 0.2 would have been seen",
    )


def test_what_differs_most_for_the_range_of_its_metric_leads_and_words_shared_with_a_reference_decide_nothing() -> None:
    trifle = BETTER.model_copy(
        update={"metric": "composite", "verdict": "worse", "baseline": 98.2, "candidate": 98.19, "difference": -0.009,
                "span": 100.0}
    )  # fmt: skip
    much = BETTER.model_copy(update={"verdict": "worse", "baseline": 0.9, "candidate": 0.6, "difference": -0.3})
    words = much.model_copy(update={"metric": "METEOR", "difference": -0.9})
    same = much.model_copy(update={"metric": "recall", "verdict": "no difference shown", "difference": 0.0})
    runs = [run("today"), run("next")]
    verdict, said, reasons = decided(runs, (words, trifle, much, same))
    assert verdict == "hold"
    assert said == "Hold next: it is worse than today in claim_support, composite (2 of 3 rows compared)."
    assert reasons[0].startswith("claim_support: worse, 0.9 to 0.6")
    assert decided(runs, (words, same))[0] == "unclear"
    assert decided(runs, (words,))[0] == "hold", "where nothing else was scored, it is what was asked for"


def figured(answers: list[ReportedAnswer]) -> ReportedRun:
    return run_figures("today", answers, {}, np.random.default_rng(1), resamples=20)


def answered(number: int, stage: str = "pass", **values: float) -> ReportedAnswer:
    scores = [
        ReportedScore(metric="failure_category", value=0.0, label="none"),
        ReportedScore(metric="first_failed_stage", value=float(stage == "pass"), label=stage),
        *(ReportedScore(metric=name, value=value) for name, value in values.items()),
    ]
    return ReportedAnswer(id=f"q{number}", scores=tuple(scores))


def test_answers_that_fail_a_stage_have_a_fault_whatever_their_category() -> None:
    empty = figured([answered(number, "answer completeness") for number in range(40)])
    verdict, said, reasons = decided([empty], ())
    assert (verdict, said) == ("repair", "40 of 40 answers have a fault: 100.0% (91.2% to 100.0%).")
    assert reasons == ("answer completeness: 40 answers. Repair a prompt that asks for each point.",)
    assert [(each.name, each.count) for each in empty.categories] == [("answer completeness", 40)]


def test_answers_of_which_no_claim_was_judged_are_not_called_faultless() -> None:
    refusals = [answered(number) for number in range(10)]
    verdict, said, reasons = decided([figured(refusals)], ())
    assert (verdict, said) == ("unclear", "Not decided: no claim was judged in any of 10 answers.")
    assert reasons[0].startswith("not judged: q0, q1, q2, q3 and 6 more; an answer that refuses")
    some = [*refusals, *(answered(number, faithfulness=1.0) for number in range(10, 50))]
    verdict, said, _ = decided([figured(some)], ())
    assert verdict == "unclear"
    assert said == (
        "Not decided: no claim was judged in 10 of 50 answers; the other 40 have no fault, and up to 8.8% may have "
        "one all the same."
    )
    assert [(each.name, each.count) for each in figured(some).categories] == [("none", 40), ("not judged", 10)]
    assert {each.id for each in figured(some).worst} == {each.id for each in refusals}, "these are to be read"
    asked = figured([each.model_copy(update={"expecting": True}) for each in some])
    assert decided([asked], ())[0] == "fine", "their rows say what to expect, and they keep it"
    assert asked.worst == (), "no answer of a good run is called one of the worst"


def test_no_release_is_called_better_for_answers_that_say_nothing() -> None:
    good = figured([answered(number, faithfulness=0.9) for number in range(40)])
    silent = figured(
        [answered(number) for number in range(38)] + [answered(number, faithfulness=1.0) for number in (38, 39)]
    )
    verdict, said, reasons = decided([good, silent.model_copy(update={"name": "next"})], (BETTER,))
    assert verdict == "unclear"
    assert said == "Not decided: no claim was judged in 38 of 40 answers of next, and in 0 of 40 of today."
    assert reasons[-1] == "claim_support: better, 0.5 to 0.9"


def test_a_list_that_is_cut_says_how_many_there_are() -> None:
    _, _, reasons = decided([run("today", *(f"r{number}" for number in range(22)), expecting=22)], ())
    assert (len(reasons), reasons[-1]) == (8, "and 15 more")
