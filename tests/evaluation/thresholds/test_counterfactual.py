"""What a threshold would have left of recorded answers, and which one they would have stood."""

import numpy as np
import pytest

from adapters.schema import Answer, Citation, Passage, Stage
from evaluation.comparison.compare import compare
from evaluation.comparison.pairing import paired
from evaluation.comparison.runs import Provenance, ScoredRun
from evaluation.thresholds.counterfactual import ThresholdEffect, judged, recommended
from evaluation.thresholds.retrieval import (
    ScoredContext,
    UnscoredContext,
    logged_scores,
    normal_mode,
    score_mode,
    with_threshold,
)

SCORES = {"a": 0.4, "b": 0.9, "c": 0.7, "d": 0.55}


def test_normal_mode_returns_a_number_and_score_mode_what_is_similar_enough():
    assert normal_mode(SCORES, k=3) == ("b", "c", "d")
    assert score_mode(SCORES, minimum=0.6, max_k=10) == ("b", "c")
    assert score_mode(SCORES, minimum=0.6, max_k=1) == ("b",)
    assert score_mode(SCORES, minimum=0.95, max_k=10) == ()


def test_scores_are_those_of_retrieval_and_not_of_a_later_step():
    passages = (Passage(id="p", score=0.99, stage="rerank"), Passage(id="q", score=0.98, stage="rerank"))
    searches = (
        Stage(kind="retrieve", output_ids=("q", "p"), scores=(0.6, 0.5)),
        Stage(kind="retrieve", output_ids=("p",), scores=(0.7,)),
        Stage(kind="rerank", output_ids=("p", "q"), scores=(0.99, 0.98)),
    )
    assert logged_scores(Answer(id="a", passages=passages, stages=searches)) == ScoredContext({"p": 0.7, "q": 0.6})
    assert logged_scores(Answer(id="a", passages=passages)) == UnscoredContext("a passage without a retrieval score")


@pytest.mark.parametrize("passages", [None, ()])
def test_an_answer_without_a_context_cannot_be_judged(passages):
    assert logged_scores(Answer(id="a", passages=passages)) == UnscoredContext("no context")


def test_a_citation_of_a_passage_that_goes_points_at_nothing():
    passages = (Passage(id="p", score=0.9), Passage(id="q", score=0.2))
    cited = (
        Citation(start=0, end=3, marker="[1]", passage_id="p"),
        Citation(start=3, end=6, marker="[2]", passage_id="q"),
    )
    answer = Answer(id="a", answer="[1][2]", passages=passages, citations=cited)
    reduced = with_threshold(answer, {"p": 0.9, "q": 0.2}, minimum=0.5)
    assert [each.passage_id for each in reduced.citations] == ["p", None]
    assert with_threshold(answer, {"p": 0.9, "q": 0.2}, minimum=0.1).passages == passages


def effect(threshold, loss, better="higher"):
    rng = np.random.default_rng(1)
    before = rng.normal(0.7, 0.1, 400)
    after = before - (loss if better == "higher" else -loss) + rng.normal(0, 0.02, 400)
    told = {f"q{i}": Provenance(None, {}) for i in range(400)}
    one, two = (
        ScoredRun(name, {"m": dict(zip(told, map(float, values), strict=True))}, {"m": "1"}, told)
        for name, values in (("recorded", before), ("reduced", after))
    )
    rows = compare(one, [(two, paired(one, two))], {"m": better}, rng, resamples=1_000)
    return ThresholdEffect(threshold, kept=0.5, emptied=0.0, rows=rows)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_the_highest_threshold_that_costs_no_more_than_the_margin_is_recommended(better):
    effects = judged([effect(t, loss, better) for t, loss in ((0.3, 0.0), (0.5, 0.005), (0.7, 0.05))], margin=0.01)
    assert [each.admissible for each in effects] == ["within the margin", "within the margin", "may cost more"]
    assert recommended(effects).threshold == 0.5


def test_the_search_ends_at_the_first_threshold_that_may_cost_more():
    effects = judged([effect(0.3, 0.05), effect(0.5, 0.0)], margin=0.01)
    assert [each.admissible for each in effects] == ["may cost more", "not judged"]
    assert recommended(effects) is None
