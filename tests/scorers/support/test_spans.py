"""Values of a claim inside a range of its context."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge


def label(claim: str, source: str) -> str:
    found = judge(Answer(id="a", answer=claim, passages=(Passage(id="p", text=source),)), Memory())
    assert isinstance(found, Judgement)
    return found.label


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Employees aged 18 to 65 are insured.", "Employees aged 40 are insured."),
        ("Applicants aged between 21 and 35 may apply.", "Applicants aged 30 may apply."),
        ("Store the vaccine between 2 and 8 degrees.", "Store the vaccine at 5 degrees."),
        ("Groups of 10 to 20 people get a discount.", "Groups of 15 people get a discount."),
        ("Children between 6 and 14 years pay half.", "Children of 8 years pay half."),
        ("Delivery takes one to three days.", "Delivery takes 1 to 3 days."),
    ],
)
def test_what_is_told_of_a_range_supports_a_case_inside_it(source: str, claim: str) -> None:
    assert label(claim, source) == "supported"
    assert label(f"{claim} I hope this helps!", source) == "supported"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Employees aged 18 to 65 are insured.", "Employees aged 70 are insured."),
        ("Employees aged 18 to 65 are insured.", "Employees aged 40 are not insured."),
        ("Store the vaccine between 2 and 8 degrees.", "Store the vaccine at 12 degrees."),
        ("Groups of 10 to 20 people get a discount.", "Groups of 30 people get a discount."),
        ("Parcels of 2 to 5 kg cost 7 euros.", "A parcel of 3 kg costs 9 euros."),
        ("Delivery takes 3 to 5 days.", "Delivery takes 10 days."),
    ],
)
def test_a_case_outside_it_or_denied_is_contradicted(source: str, claim: str) -> None:
    assert label(claim, source) == "contradicted"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Delivery takes 3 to 5 days.", "Delivery takes 4 days."),
        ("A fee of 100 to 300 euros applies.", "A fee of 200 euros applies."),
        ("Employees aged 18 to 65 are insured.", "Retirees aged 40 are insured by the state."),
    ],
)
def test_a_value_inside_it_that_is_no_case_is_neither_told_nor_contradicted(source: str, claim: str) -> None:
    assert label(claim, source) == "unsupported"


def test_a_value_inside_a_range_of_another_language_is_not_contradicted() -> None:
    source = "Mitarbeiter im Alter von 18 bis 65 Jahren sind bei uns versichert."
    assert label("Mitarbeiter im Alter von 40 Jahren sind bei uns versichert.", source) != "contradicted"
    assert label("Mitarbeiter im Alter von 70 Jahren sind bei uns versichert.", source) == "contradicted"
