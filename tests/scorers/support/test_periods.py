"""Dates of answers beside the periods and deadlines of their sources: in time, too late, and other ends."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

APPLY = (
    "Applications are accepted from 1 March to 30 April. Late applications are not considered. Results are announced on"
    " 15 June."
)
TAX = "Tax returns must be filed by 31 July."
TYRES = "Winter tyres are mandatory from 1 November to 15 April."
FEE = "Students who enrol after 15 October pay a late fee of 30 EUR."
REGISTRATION = "Registration opens on 2 May and closes on 20 May. Payment is due by 27 May."
BONUS = "Employees who joined after 1 July are not eligible in the first year."

RIGHT = [
    (APPLY, None, "An application on 10 April is in time."),
    (APPLY, None, "An application on 3 May is too late."),
    ("Applications are accepted until 30 April.", "Can I still apply on 3 May?", "No, you can't apply any more."),
    (APPLY, "Can I still apply on 3 May?", "No, applications are only accepted until 30 April."),
    (TAX, None, "A tax return filed on 20 July is in time."),
    (TYRES, None, "On 10 December winter tyres are mandatory."),
    (TYRES, None, "On 20 April winter tyres are not mandatory."),
    (FEE, None, "If you enrol on 10 October you don't pay a late fee."),
    (REGISTRATION, None, "Registration closes on 20 May."),
    (BONUS, None, "An employee who joined on 3 August is not eligible in the first year."),
]

WRONG = [
    (APPLY, None, "An application on 3 May is in time."),
    (APPLY, None, "An application on 10 April is too late."),
    (APPLY, "Can I still apply on 3 May?", "Yes, you can still apply."),
    (TAX, None, "A tax return filed on 5 August is in time."),
    (TYRES, None, "On 1 May winter tyres are mandatory."),
    (TYRES, None, "Winter tyres are mandatory until 15 March."),
    (FEE, None, "If you enrol on 10 October you pay a late fee."),
    (REGISTRATION, None, "Registration closes on 27 May."),
    (BONUS, None, "Employees who joined after 1 July are eligible in the first year."),
]


@pytest.mark.parametrize(("source", "question", "claim"), RIGHT)
def test_a_date_that_keeps_to_the_period_is_supported(source: str, question: str | None, claim: str) -> None:
    assert label_of(source, question, claim) == "supported"


@pytest.mark.parametrize(("source", "question", "claim"), WRONG)
def test_a_date_on_the_wrong_side_of_a_period_is_contradicted(source: str, question: str | None, claim: str) -> None:
    assert label_of(source, question, claim) == "contradicted"
