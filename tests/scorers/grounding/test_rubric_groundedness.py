"""How much of a rubric an answer tells with support."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Gold, GoldClaim, Passage, RubricItem
from scorers.base import Env, Score, Unscored
from scorers.grounding.rubric_groundedness import RubricGroundedness

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
WEEKS, APPROVAL = "Parental leave is 20 weeks.", "The line manager approves the leave."
PASSAGES = (Passage(id="p", text=WEEKS), Passage(id="q", text=APPROVAL))
RUBRIC = (RubricItem(criterion=WEEKS, weight=3.0), RubricItem(id="approval", criterion=APPROVAL))


def scored(text: str | None, **more: object) -> Score | Unscored:
    gold = Gold(rubric=RUBRIC)
    answer = Answer.model_validate({"id": "a", "answer": text, "passages": PASSAGES, "gold": gold} | more)
    return RubricGroundedness().score(answer, ENV)


def value(text: str, **more: object) -> float:
    found = scored(text, **more)
    assert isinstance(found, Score), found
    return found.value


def test_what_weighs_more_counts_more() -> None:
    whole, heavy, light = value(f"{WEEKS} {APPROVAL}"), value(WEEKS), value(APPROVAL)
    assert whole == pytest.approx(1.0)
    assert whole > heavy >= 0.75
    assert light < 0.5


def test_what_no_passage_supports_meets_no_criterion() -> None:
    assert value(WEEKS, passages=(Passage(id="x", text="Hotels cost up to 180 EUR a night."),)) < 0.2


def test_the_heaviest_criterion_that_is_missed_is_named_first() -> None:
    found = scored("Parking costs 5 EUR a day.")
    assert isinstance(found, Score)
    assert found.evidence[0].detail.startswith(f"'{WEEKS}' (weight 3) stated")


def test_a_ledger_is_judged_exactly_by_words_or_id_of_the_criterion() -> None:
    claims = (
        GoldClaim(text="20 weeks.", support=("20 weeks",), point=WEEKS),
        GoldClaim(text="Anybody approves.", support=("anybody",), point="approval"),
    )
    assert value("20 weeks. Anybody approves.", claims=claims) == 0.75
    assert value("It is so.", claims=(claims[0].model_copy(update={"point": "else"}),)) == 0.0


def test_an_answer_without_words_meets_nothing_and_a_row_without_a_rubric_has_no_value() -> None:
    assert value(" ") == 0.0
    absent = scored(WEEKS, gold=Gold(required_points=("x",)))
    assert absent == Unscored(metric="rubric_groundedness", reason="not_applicable", detail="the labels have no rubric")


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf")])
def test_a_weight_is_a_finite_number_above_0(weight: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        RubricItem(criterion="x", weight=weight)
