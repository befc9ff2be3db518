"""An entailment model in place of the trees: a stand-in that says what the test tells it."""

from datetime import UTC, datetime

import numpy as np
import pytest

from adapters.schema import Answer, Citation, Passage
from scorers import run_panel
from scorers.base import Env, Score, Unscored
from scorers.grounding.answer_completeness import AnswerCompleteness
from scorers.grounding.citation_precision import CitationPrecision
from scorers.grounding.citation_recall import CitationRecall
from scorers.grounding.citation_support import CitationSupport
from scorers.grounding.claim_support import ClaimSupport
from scorers.grounding.contradiction_absence import ContradictionAbsence
from scorers.grounding.faithfulness import Faithfulness
from scorers.ports.entailment import Compared, Temperatures
from scorers.support.comparison import comparisons

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LEAVE, TRAVEL = Passage(id="l", text="Leave is 20 weeks."), Passage(id="t", text="Hotels cost up to 180 EUR.")
TEXT = "Parents get almost five months off. A night may cost 150 EUR."
PANEL = (ClaimSupport(), Faithfulness(), ContradictionAbsence())


class Told:
    """A model that says of each pair what it is told; of other pairs, that neither follows nor is denied."""

    name = "told"

    def __init__(self, support, against=None, temperatures=None, *, truncated=False):
        self.support, self.against, self.temperatures, self.truncated = support, against, temperatures, truncated
        self.asked = []

    def compare(self, passages, claims):
        self.asked.append((passages, claims))
        support, against = (
            None
            if known is None
            else np.array(
                [
                    [next((v for (p, c), v in known.items() if p in q and c in d), 0.02) for q in passages]
                    for d in claims
                ]
            )
            for known in (self.support, self.against)
        )
        return Compared(support, against, self.truncated)


MODEL = Told({("Leave", "Parents"): 0.9, ("Hotels", "night"): 0.3}, {("Hotels", "night"): 0.8})


def scored(model, text=TEXT, passages=(LEAVE, TRAVEL)):
    answer = Answer(id="a", question="What may I do?", answer=text, passages=passages)
    found = run_panel(PANEL, answer, Env(now=NOW, entailment=model))
    return {score.metric: score for score in found.scores}


def test_the_three_metrics_of_support_say_what_the_model_says():
    found = scored(MODEL)
    assert found["claim_support"].value == pytest.approx((0.9 + 0.2) / 2), "of each claim, its best passage"
    assert found["faithfulness"].value == pytest.approx(0.2), "as its least supported claim"
    assert found["faithfulness"].label == found["contradiction_absence"].label == "contradicted"
    assert found["contradiction_absence"].value == pytest.approx(0.2)


def test_what_the_model_finds_in_no_passage_is_unsupported_and_not_contradicted():
    found = scored(Told(MODEL.support, {}))
    assert found["faithfulness"].label == "unsupported"
    assert found["faithfulness"].value == pytest.approx(0.3)
    assert found["contradiction_absence"].label == "not_contradicted"


def test_who_judged_is_told_and_that_nothing_was_fitted():
    assert all(
        (score.explanation or "").endswith("; judged by told (uncalibrated)") for score in scored(MODEL).values()
    )
    fitted = Told(MODEL.support, MODEL.against, Temperatures())
    assert all((score.explanation or "").endswith("; judged by told") for score in scored(fitted).values())


def test_fitted_temperatures_draw_figures_to_the_middle_and_the_fitted_threshold_decides():
    fitted = Temperatures(claim=2.0, contradiction=4.0, answer=2.0, threshold=0.9)
    found = scored(Told(MODEL.support, {("Hotels", "night"): 0.3}, fitted))
    assert 0.3 < found["faithfulness"].value < 0.5
    assert found["faithfulness"].label == "supported"
    assert found["claim_support"].value == pytest.approx((0.75 + 0.5) / 2, abs=1e-3), "called supported at even odds"
    assert 0.5 < found["contradiction_absence"].value < 0.7


def test_a_contradiction_by_the_model_is_called_at_any_threshold():
    fitted = Temperatures(answer=2.0, threshold=0.9)
    found = scored(Told(MODEL.support, MODEL.against, fitted))
    assert found["faithfulness"].label == found["contradiction_absence"].label == "contradicted"
    assert found["faithfulness"].value <= 0.1


def test_a_model_that_knows_support_alone_leaves_contradiction_to_the_trees():
    found = scored(Told(MODEL.support))
    assert found["contradiction_absence"].label == scored(None)["contradiction_absence"].label
    assert found["faithfulness"].value <= 0.3 + 1e-9
    sure = scored(Told({("Leave", "Parents"): 0.9, ("Hotels", "night"): 0.99}))
    assert sure["contradiction_absence"].label == "not_contradicted", (
        "what it is sure of is not contradicted by the trees"
    )


def test_what_was_left_out_is_told():
    assert "only part of the context was read" in (
        scored(Told({}, {}, truncated=True))["faithfulness"].explanation or ""
    )
    long = Passage(id="x", text="word " * 50_000)
    assert "only part of the context was read" in (
        scored(MODEL, passages=(LEAVE, long))["claim_support"].explanation or ""
    )


def test_a_question_and_a_lead_in_are_no_claims_of_which_entailment_is_asked():
    model = Told({("Leave", "Parents"): 0.9})
    found = scored(model, "The rules are as follows:\n- Parents get almost five months off.\n\nWas that all?")
    assert {claim for _, claims in model.asked for claim in claims} == {"Parents get almost five months off."}
    assert found["faithfulness"].value == pytest.approx(0.9)


@pytest.mark.parametrize("passages", [(), (Passage(id="e", text=" "),)])
def test_with_nothing_in_the_context_there_is_nothing_to_ask(passages):
    model = Told({})
    assert scored(model, passages=passages)["faithfulness"].value == 0
    assert model.asked == []


def test_what_is_missing_stays_missing():
    env = Env(now=NOW, entailment=MODEL)
    for answer in (Answer(id="a"), Answer(id="a", answer=TEXT), Answer(id="a", answer="I do not know.", passages=())):
        assert isinstance(Faithfulness().score(answer, env), Unscored)


def test_the_claims_beside_the_context_are_judged_by_the_model_as_well():
    answer = Answer(id="a", answer=TEXT, passages=(LEAVE, TRAVEL))
    first, second = comparisons(answer, Env(now=NOW, entailment=MODEL))
    assert (first.verdict, second.verdict) == ("supported", "contradicted")


def test_a_point_is_told_with_support_where_the_model_says_so():
    answer = Answer(id="a", question="How many weeks of leave?", answer="Leave is 20 weeks.", passages=(LEAVE,))
    values = [
        score.value
        for model in (Told({("Leave", "Leave"): p}) for p in (0.9, 0.1))
        if isinstance(score := AnswerCompleteness().score(answer, Env(now=NOW, entailment=model)), Score)
    ]
    assert values == [1.0, 0.0]


def test_citations_are_judged_by_the_model_as_well_and_by_all_that_is_cited_where_none_alone_entails():
    text = "Parents get almost five months off. A night may cost 150 EUR."
    both = tuple(Citation(start=34, end=34, marker="", passage_id=name) for name in "lt")
    last = Citation(start=61, end=61, marker="", passage_id="t")
    answer = Answer(id="a", answer=text, passages=(LEAVE, TRAVEL), citations=(both[0], last))
    env = Env(now=NOW, entailment=MODEL)
    support, recall, precision = (
        kind().score(answer, env) for kind in (CitationSupport, CitationRecall, CitationPrecision)
    )
    assert support.value == pytest.approx((0.9 + 0.3) / 2)
    assert (recall.value, precision.value) == (0.5, 0.5)
    assert all(score.explanation.endswith("; judged by told (uncalibrated)") for score in (support, recall, precision))
    joined = Told({("weeks.\nHotels", "Parents"): 0.8})
    together = CitationRecall().score(answer.model_copy(update={"citations": both}), Env(now=NOW, entailment=joined))
    assert together.value == 0.5
