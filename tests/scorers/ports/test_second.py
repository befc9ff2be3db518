"""A model as a second opinion on the claims that the trees doubt: a stand-in that says what the test tells it."""

from datetime import UTC, datetime

import numpy as np
import pytest

from adapters.schema import Answer, Passage
from scorers import run_panel
from scorers.base import Env
from scorers.grounding.claim_support import ClaimSupport
from scorers.grounding.contradiction_absence import ContradictionAbsence
from scorers.grounding.faithfulness import Faithfulness
from scorers.ports.entailment import Compared, Joining

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PANEL = (ClaimSupport(), Faithfulness(), ContradictionAbsence())
EVERY = Joining(intercept=0.0, trees=0.2, model=1.0, crowd=0.0, least=0.0, most=1.0)
PASSAGES = (
    Passage(id="l", text="Employees who leave early lose the bonus of that year. Leave lasts 20 weeks."),
    Passage(id="t", text="Hotels cost up to 180 EUR a night, and the booking is made by the travel desk."),
)
FREE = "Walking out before the year is over costs employees their bonus."


class Second:
    """A second opinion that takes every pair alike."""

    name = "second"

    def __init__(self, supported, contradicted=0.0, joining=EVERY):
        self.supported, self.contradicted, self.joining = supported, contradicted, joining
        self.asked = []

    def compare(self, passages, claims):
        self.asked += [(passage, claim) for passage in passages for claim in claims]
        size = len(claims), len(passages)
        return Compared(np.full(size, self.supported), np.full(size, self.contradicted))


def scored(second, text=FREE, question=None, passages=PASSAGES):
    answer = Answer(id="a", question=question, answer=text, passages=passages)
    return {score.metric: score for score in run_panel(PANEL, answer, Env(now=NOW, second=second)).scores}


def test_a_sure_second_opinion_decides_what_the_trees_doubt():
    assert scored(Second(0.999))["faithfulness"].label == "supported"
    assert scored(Second(0.001))["faithfulness"].label == "unsupported"
    against = scored(Second(0.001, 0.99))
    assert against["faithfulness"].label == against["contradiction_absence"].label == "contradicted"


def test_the_value_moves_with_what_the_model_says():
    values = [scored(Second(share))["claim_support"].value for share in (0.01, 0.2, 0.8, 0.99)]
    assert values == sorted(values)
    assert values[0] < 0.3
    assert values[-1] > 0.7


def test_an_unsure_one_leaves_the_trees_their_say():
    alone = scored(None)["claim_support"].value
    joined = scored(Second(0.5, joining=Joining(0.0, 1.0, 1.0, 0.0, 0.0, 1.0)))["claim_support"].value
    assert joined == pytest.approx(alone, abs=1e-6)


def test_a_claim_outside_the_bounds_is_not_asked_of():
    second = Second(0.001, 0.99, Joining(0.0, 0.2, 1.0, 0.0, least=0.2, most=0.2))
    assert scored(second) == scored(None)
    assert second.asked == []


def test_what_a_rule_contradicts_stays_contradicted():
    second = Second(0.999)
    found = scored(second, "Leave lasts 16 weeks.")
    assert found["faithfulness"].label == "contradicted"
    assert second.asked == []


def test_a_rule_may_be_overruled_where_that_was_fitted():
    joining = Joining(intercept=0.0, trees=0.2, model=1.0, crowd=0.0, least=0.0, most=1.0, rules=1.0)
    agreeing = scored(Second(0.999, joining=joining), "Leave lasts 16 weeks.")
    assert agreeing["faithfulness"].label == "supported"
    assert agreeing["contradiction_absence"].label == "not_contradicted"
    assert agreeing["contradiction_absence"].value > 0.5
    assert "differs" not in (agreeing["faithfulness"].explanation or "")
    unsure = scored(Second(0.4, joining=joining), "Leave lasts 16 weeks.")
    assert unsure["faithfulness"].label == unsure["contradiction_absence"].label == "contradicted"
    assert "16" in (unsure["contradiction_absence"].explanation or "")


def test_the_nearest_sentences_are_read_and_the_question_before_the_first_claim_alone():
    second = Second(0.9)
    far = " ".join(f"Form {at} of the archive is kept in the cellar for as long as the law says." for at in range(12))
    passages = (*PASSAGES, Passage(id="f", text=far))
    scored(second, f"{FREE} Hotels may cost about 180 EUR.", "What about my bonus?", passages)
    (premise, first), *others = second.asked[:2]
    assert "lose the bonus" in premise
    assert "20 weeks" in premise
    assert "Form 11" not in premise
    assert first.startswith("What about my bonus? Walking")
    assert others
    assert all(not claim.startswith("What") for _, claim in others)


def test_of_records_and_of_other_languages_it_is_not_asked():
    second = Second(0.001)
    scored(second, "The hotel costs 180 euros.", passages=(Passage(id="r", text='{"hotel": 180, "meal": 40}'),))
    scored(
        second, "Der Urlaub dauert zwanzig Wochen.", passages=(Passage(id="u", text="Urlaub gibt es zwanzig Wochen."),)
    )
    assert second.asked == []


def test_in_a_long_answer_it_must_be_the_surer():
    crowded = Joining(intercept=0.0, trees=0.0, model=1.0, crowd=1.0, least=0.0, most=1.0)
    said = f"{FREE} Employees get a bonus each year. The travel desk makes the booking for a hotel."
    assert scored(Second(0.4, joining=crowded))["faithfulness"].label == "unsupported"
    assert scored(Second(0.4, joining=crowded), said)["faithfulness"].label == "supported"


def test_who_judged_is_told():
    explanation = scored(Second(0.9))["faithfulness"].explanation or ""
    assert explanation.endswith("; 1 of 1 claims with second")
