"""Retrieval against gold labels, against the catalog, and without either."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Gold, GoldPassage, Passage, Stage
from scorers.base import Env, Score, Scorer, Unscored
from scorers.catalog import Catalog, Document
from scorers.retrieval.answerable_evidence_coverage import AnswerableEvidenceCoverage
from scorers.retrieval.conflict_coverage import ConflictCoverage
from scorers.retrieval.context import CandidateRecall, ContextPrecision, ContextRecall
from scorers.retrieval.health import Redundancy, ScoreMargin
from scorers.retrieval.labelled import AveragePrecision, HitRate, Ndcg, Precision, Recall, ReciprocalRank
from scorers.retrieval.near_miss_suppression import NearMissSuppression
from scorers.retrieval.weighted import AuthorityWeightedRecall, FreshnessWeightedRecall

NOW = datetime(2026, 5, 4, tzinfo=UTC)
SPRING, AUTUMN = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 9, 1, tzinfo=UTC)
QUESTION = "How many nights of hotel may a consultant book in Oslo?"
CATALOG = Catalog(
    [
        Document(
            id="guide", version="2", text="A consultant may book four hotel nights in any city.", effective_to=SPRING
        ),
        Document(
            id="guide",
            version="3",
            text="A consultant may book five hotel nights in any city.",
            effective_from=SPRING,
            authority=0.6,
        ),
        Document(
            id="oslo",
            version="1",
            text="In Oslo a consultant may book three hotel nights, no more.",
            authority=0.9,
            role="regional_exception",
        ),
        Document(id="canteen", text="Lunch is served from noon.", authority=0.2),
    ]
)
GUIDE_2 = Passage(id="g2", doc_id="guide", version="2", text="A consultant may book four hotel nights in any city.")
GUIDE_3 = Passage(id="g3", doc_id="guide", version="3", text="A consultant may book five hotel nights in any city.")
OSLO = Passage(id="o1", doc_id="oslo", version="1", text="In Oslo a consultant may book three hotel nights, no more.")
LUNCH = Passage(id="c", doc_id="canteen", text="Lunch is served from noon.")


def asked(*passages: Passage, gold: Gold | None = None, stages: tuple[Stage, ...] | None = None) -> Answer:
    return Answer(id="a", question=QUESTION, started_at=NOW, passages=passages, gold=gold, stages=stages)


def scored(scorer: Scorer, answer: Answer, *, catalog: Catalog | None = None) -> Score:
    result = scorer.score(answer, Env(now=NOW, catalog=catalog))
    assert isinstance(result, Score), result
    return result


def reason(scorer: Scorer, answer: Answer, *, catalog: Catalog | None = None) -> str:
    result = scorer.score(answer, Env(now=NOW, catalog=catalog))
    assert isinstance(result, Unscored), result
    return result.reason


LABELS = Gold(
    passages=(
        GoldPassage(id="o1", label="sufficient", authority=0.9),
        GoldPassage(id="g3", label="partial", authority=0.6),
        GoldPassage(id="g2", label="superseded", near_miss=True),
    )
)


def test_the_order_of_the_last_reranker_is_what_is_measured() -> None:
    stages = (
        Stage(kind="retrieve", output_ids=("c", "o1")),
        Stage(kind="rerank", input_ids=("c", "o1"), output_ids=("o1", "c")),
    )
    answer = asked(LUNCH, OSLO, gold=LABELS, stages=stages)
    assert scored(ReciprocalRank(), answer).value == 1
    assert scored(ReciprocalRank(), answer.model_copy(update={"stages": stages[:1]})).value == 0.5


def test_two_retrievers_beside_each_other_give_no_order_of_their_own() -> None:
    stages = (Stage(kind="retrieve", output_ids=("c",)), Stage(kind="retrieve", output_ids=("o1",)))
    answer = asked(OSLO, LUNCH, gold=LABELS, stages=stages)
    assert scored(ReciprocalRank(), answer).value == 1
    assert scored(CandidateRecall(), answer).value == 0.5


def test_the_depth_is_an_option() -> None:
    answer = asked(LUNCH, OSLO, gold=LABELS)
    assert scored(HitRate(k=1), answer).value == 0
    assert scored(HitRate(k=2), answer).value == 1
    assert scored(Precision(k=2), answer).value == 0.5
    assert scored(Recall(k=2), answer).value == 0.5


def test_a_missed_passage_is_named() -> None:
    found = scored(Ndcg(), asked(LUNCH, GUIDE_3, gold=LABELS))
    assert found.basis == "gold"
    assert "missed: o1" in (found.explanation or "")


def test_without_a_relevant_label_nothing_can_be_measured() -> None:
    nothing = Gold(passages=(GoldPassage(id="g2", label="superseded"),))
    for kind in (Ndcg, ReciprocalRank, AveragePrecision, Recall, Precision, HitRate, ContextRecall, ContextPrecision):
        assert reason(kind(), asked(OSLO, gold=nothing)) == "not_applicable"
        assert reason(kind(), asked(OSLO)) == "missing_input"


def test_an_empty_retrieval_is_a_miss_and_no_absence() -> None:
    for kind in (Ndcg, Recall, HitRate, ContextRecall, ContextPrecision, CandidateRecall):
        assert scored(kind(), asked(gold=LABELS)).value == 0


def test_what_selection_dropped_shows_in_the_context_alone() -> None:
    answer = asked(OSLO, GUIDE_3, LUNCH, gold=LABELS).model_copy(update={"context": ("g3", "c")})
    assert scored(CandidateRecall(), answer).value == 1
    assert scored(ContextRecall(), answer).value == 0.5
    assert scored(ContextPrecision(), answer).value == 0.5


def test_a_missed_exception_costs_its_authority() -> None:
    """PROBE Table A.9, second row."""
    found = scored(AuthorityWeightedRecall(), asked(GUIDE_3, LUNCH, gold=LABELS))
    assert found.value == pytest.approx(0.3 / 1.2)
    assert "o1" in found.evidence[0].detail


def test_the_catalog_says_what_governs_where_no_labels_do() -> None:
    found = scored(AuthorityWeightedRecall(), asked(GUIDE_3, LUNCH), catalog=CATALOG)
    assert (found.basis, found.value) == ("catalog", pytest.approx(0.6 / 1.5))
    assert "oslo@1" in found.evidence[0].detail
    assert scored(AuthorityWeightedRecall(), asked(GUIDE_3, OSLO), catalog=CATALOG).value == 1
    assert reason(AuthorityWeightedRecall(), asked(GUIDE_3)) == "missing_input"


def test_a_superseded_passage_is_a_miss_of_its_replacement() -> None:
    """PROBE Table A.9, first row."""
    stale = scored(FreshnessWeightedRecall(), asked(GUIDE_2, OSLO), catalog=CATALOG)
    assert (stale.basis, stale.value) == ("catalog", 0.5)
    assert "guide@3" in stale.evidence[0].detail
    assert scored(FreshnessWeightedRecall(), asked(GUIDE_2, GUIDE_3, OSLO), catalog=CATALOG).value == 1


def test_labels_outside_their_window_are_not_needed() -> None:
    gold = Gold(
        passages=(
            GoldPassage(id="now", label="sufficient", effective_from=SPRING),
            GoldPassage(id="later", label="sufficient", effective_from=AUTUMN),
        )
    )
    assert scored(FreshnessWeightedRecall(), asked(Passage(id="now"), gold=gold)).value == 1
    assert scored(FreshnessWeightedRecall(), asked(Passage(id="later"), gold=gold)).value == 0


def test_one_side_of_a_known_conflict_is_half_of_it() -> None:
    gold = Gold(passages=(GoldPassage(id="g3", label="conflicting"), GoldPassage(id="o1", label="sufficient")))
    assert scored(ConflictCoverage(), asked(GUIDE_3, gold=gold)).value == 0.5
    assert scored(ConflictCoverage(), asked(GUIDE_3, OSLO, gold=gold)).value == 1
    listed = scored(ConflictCoverage(), asked(GUIDE_3), catalog=CATALOG)
    assert (listed.basis, listed.value) == ("catalog", 0.5)
    assert reason(ConflictCoverage(), asked(GUIDE_3, gold=LABELS)) == "not_applicable"
    assert reason(ConflictCoverage(), asked(GUIDE_3)) == "missing_input"


def test_a_near_miss_costs_more_the_higher_it_stands() -> None:
    top = scored(NearMissSuppression(), asked(GUIDE_2, OSLO, GUIDE_3, gold=LABELS))
    low = scored(NearMissSuppression(), asked(OSLO, GUIDE_3, GUIDE_2, gold=LABELS))
    assert top.value < low.value < 1
    assert top.evidence[0].passage_id == "g2"
    assert scored(NearMissSuppression(), asked(OSLO, GUIDE_3, gold=LABELS)).value == 1
    assert scored(NearMissSuppression(), asked(GUIDE_2), catalog=CATALOG).value == 0
    assert reason(NearMissSuppression(), asked(LUNCH)) == "missing_input"


def test_required_points_are_looked_for_before_the_parts_of_the_question() -> None:
    gold = Gold(required_points=("three nights in Oslo", "approval by the project lead"))
    found = scored(AnswerableEvidenceCoverage(), asked(OSLO, gold=gold))
    assert found.basis == "gold"
    assert 0.4 < found.value < 0.7
    assert "approval by the project lead" in found.evidence[0].detail
    assert scored(AnswerableEvidenceCoverage(), asked(OSLO)).value > 0.8
    assert scored(AnswerableEvidenceCoverage(), asked(LUNCH)).value < 0.2
    assert reason(AnswerableEvidenceCoverage(), asked(Passage(id="withheld"))) == "missing_input"


def test_the_margin_does_not_depend_on_the_scale_or_the_direction_of_the_score() -> None:
    def margin(*scores: float) -> float:
        return scored(ScoreMargin(), asked(*(Passage(id=str(n), score=s) for n, s in enumerate(scores)))).value

    assert margin(0.9, 0.5, 0.4) == pytest.approx(margin(90, 50, 40))
    assert margin(0.9, 0.5, 0.4) == pytest.approx(margin(0.1, 0.5, 0.6))
    assert margin(1, 1, 1) == 0
    assert reason(ScoreMargin(), asked(Passage(id="a", score=1.0), Passage(id="b", score=0.5))) == "missing_input"
    mixed = (Passage(id=str(n), score=n, stage=str(n)) for n in range(3))
    assert reason(ScoreMargin(), asked(*mixed)) == "missing_input"


def test_a_section_indexed_twice_is_redundant() -> None:
    twice = OSLO.model_copy(update={"id": "again"})
    found = scored(Redundancy(), asked(OSLO, LUNCH, twice))
    assert 0.4 < found.value < 0.7
    assert found.evidence[0].passage_id == "again"
    assert scored(Redundancy(), asked(OSLO, LUNCH)).value < 0.1
    assert reason(Redundancy(), asked(OSLO)) == "not_applicable"


def test_evidence_that_labels_give_no_dates_counts_as_in_force() -> None:
    gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    dated = Passage(id="x", text="Old.", effective_from=datetime(2020, 1, 1, tzinfo=UTC))
    for found, value in ((("x",), 0.0), (("x", "g"), 1.0)):
        passages = tuple(dated if name == "x" else Passage(id=name, text="New.") for name in found)
        score = FreshnessWeightedRecall().score(Answer(id="a", gold=gold, passages=passages), Env(now=NOW))
        assert isinstance(score, Score)
        assert (score.value, score.basis) == (value, "gold")
