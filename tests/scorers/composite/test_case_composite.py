"""The case-aware composite: whose score counts for which input, and what is said of those without one."""

from datetime import UTC, datetime

import pytest

from adapters.external.case_record import CASE_INPUTS
from adapters.schema import Answer, AnswerJudgement
from scorers.base import Env, Score, Unscored
from scorers.composite.case_composite import CaseComposite
from scorers.composite.case_profile import PROFILES

NOW = datetime(2026, 6, 1, tzinfo=UTC)
WHOLE = dict.fromkeys(CASE_INPUTS, 0.9)
OURS = {"claim_support": 0.8, "contradiction_absence": 0.1, "ndcg": 0.7, "near_miss_suppression": 0.6}
OURS |= {"answerable_evidence_coverage": 0.5, "identifier_integrity": 0.4, "workflow_order": 1.0}
THREE = ("answer_helpfulness", "answer_type_fit", "case_issue_identification")


def scored(scores, own=(), **options):
    answer = Answer(id="t", judgements=(AnswerJudgement(evaluator="judge", scores=scores),))
    found = {name: Score(metric=name, value=value) for name, value in dict(own).items()}
    return CaseComposite(**options).score(answer, Env(now=NOW, scored=found))


def test_profiles_weigh_eight_inputs_and_sum_to_one():
    for weights in PROFILES.values():
        assert set(weights) == set(CASE_INPUTS)
        assert sum(weights.values()) == pytest.approx(1.0)


def test_a_judges_score_counts_before_metrics_of_ours():
    assert scored(WHOLE, OURS).value == pytest.approx(0.9)


def test_where_a_judge_scored_three_inputs_the_lowest_metric_stands_in_for_each_of_the_others():
    found = scored(dict.fromkeys(THREE, 1.0), OURS)
    expected = 0.2 * 0.1 + 0.15 * 0.6 + 0.1 * 0.5 + 0.15 + 0.1 + 0.1 * 0.4 + 0.1 + 0.1 * 1.0
    assert found.value == pytest.approx(expected)
    assert "not judged: hallucination is contradiction_absence, retrieval_correctness is near_miss_suppression" in (
        found.explanation
    )
    assert "worst: hallucination 0.10 (severe, by contradiction_absence)" in found.explanation


def test_near_misses_alone_do_not_say_that_the_right_passages_were_found():
    own = {name: value for name, value in OURS.items() if name != "ndcg"}
    found = scored(dict.fromkeys(THREE, 1.0), own)
    assert isinstance(found, Unscored)
    assert found.detail == "a score of retrieval_correctness, by a judge or by people"


def test_an_input_without_a_score_leaves_the_sum_unscored_unless_that_is_allowed_and_is_told():
    scores = {name: 0.5 for name in CASE_INPUTS if name != "identifier_integrity"} | {"hallucination": 1.0}
    assert scored(scores).detail == "a score of identifier_integrity, by a judge or by people"
    found = scored(scores, known=0.9)
    assert found.value == pytest.approx((0.2 + 0.5 * 0.7) / 0.9)
    assert "no score of identifier_integrity; remaining weights rescaled to sum to 1" in found.explanation


def test_an_input_that_weighs_nothing_need_not_be_scored():
    scores = {"hallucination": 0.4, "answer_helpfulness": 0.8}
    found = scored(scores, weights={"hallucination": 0.5, "answer_helpfulness": 0.5})
    assert (found.value, found.label) == (pytest.approx(0.6), "moderate")


def test_a_score_of_another_scale_by_the_same_name_is_none_of_its_inputs():
    found = scored(WHOLE | {"answer_helpfulness": 4.0})
    assert found.detail == "a score of answer_helpfulness, by a judge or by people"


def test_without_a_judgement_there_is_no_sum():
    found = CaseComposite().score(Answer(id="t"), Env(now=NOW))
    assert (found.reason, found.detail) == ("missing_input", "judgements")
