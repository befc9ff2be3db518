"""Which value of a context belongs to what a claim speaks of."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.statements.quantities import read_quantities
from scorers.statements.quantities.arithmetic import derivable
from scorers.support.binding import NAMES
from scorers.support.judgement import Judgement, judge
from scorers.support.stated import Stated

SUPPORT = (
    "Customer service is reached by chat from 7 a.m. to 11 p.m. and by phone on weekdays from 9 a.m. to 6 p.m. The"
    " membership card costs 12 EUR. Complaints are answered within 15 working days."
)
INTERNS = (
    "Interns are paid 1,900 euros a month for voluntary internships over three months. Compulsory internships that are"
    " part of a degree are paid 900 euros."
)
SERVICE = "Leave by length of service:\n2 to 4 years: 27 days\n5 to 9 years: 29 days\n10 years and more: 31 days"


def stated(claim: str, text: str, question: str | None = None) -> Stated:
    answer = Answer(id="a", question=question, answer=claim, passages=(Passage(id="p", text=text),))
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    return found.stated[0]


@pytest.mark.parametrize(
    ("claim", "text", "kind"),
    [
        ("Emails aside, phone calls get through from 7 a.m. to 11 p.m.", SUPPORT, "entity"),
        ("You pay 12 dollars to obtain the card for members.", SUPPORT, "unit"),
        ("You will hear back about your complaint 15 months later.", SUPPORT, "unit"),
        ("As part of a degree, it pays 1,900 euros.", INTERNS, "entity"),
    ],
)
def test_a_value_of_something_else_or_in_another_unit_contradicts(claim: str, text: str, kind: str) -> None:
    found = stated(claim, text)
    assert found.strength >= 0.65
    assert found.bound.difference is not None
    assert found.bound.difference.kind == kind


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Emails aside, phone calls get through from 9 a.m. to 6 p.m.", SUPPORT),
        ("You pay 12 euros to obtain the card for members.", SUPPORT),
        ("You will hear back about your complaint three weeks later.", SUPPORT),
        ("As part of a degree, it pays 900 euros.", INTERNS),
    ],
)
def test_the_value_of_the_thing_itself_is_let_stand(claim: str, text: str) -> None:
    assert stated(claim, text).strength == 0


def test_a_case_is_tied_to_the_bracket_that_it_falls_into() -> None:
    question = "How many days do I get after six years?"
    margin = NAMES.index("bound_margin")
    wrong, right = (stated(f"You get {days} days.", SERVICE, question).bound.values[margin] for days in (31, 29))
    assert wrong > 0
    assert right <= 0


def test_a_claim_without_values_is_bound_to_nothing() -> None:
    assert stated("Members may phone.", SUPPORT).bound.values == (0.0,) * len(NAMES)


@pytest.mark.parametrize(
    ("claimed", "told", "expected"),
    [
        ("42 euros", "84 euros a year, half from July", True),
        ("69.50 euros", "37.50 euros, express 32 euros more", True),
        ("18:15", "closes at 19:00, tickets until 45 minutes before", True),
        ("43 euros", "84 euros a year", False),
        ("60 hours", "60 minutes", False),
        ("12 years", "12 months, 30 days", False),
        ("1000 MB", "1000 KB", False),
        ("12 hours", "12 lessons, 60 minutes each", True),
    ],
)
def test_what_follows_from_other_values_is_derivable(claimed: str, told: str, *, expected: bool) -> None:
    assert derivable(read_quantities(claimed)[0], read_quantities(told), ()) is expected


@pytest.mark.parametrize(
    ("wrong", "right", "text", "kind"),
    [
        (
            "They're kept in quarantine for two weeks or less.",
            "They're kept in quarantine for two weeks or more.",
            "Young trees stay in quarantine for at least two weeks after import.",
            "bound",
        ),
        (
            "Four riders is the fewest you may have in a team.",
            "Four riders is the most you may have in a team.",
            "A team can consist of a maximum of 4 riders.",
            "bound",
        ),
        (
            "You'll get a subsidy of 45 euros every week for phoning from home.",
            "You'll get a subsidy of 45 euros each month for phoning from home.",
            "The home phone allowance is 45 euros per month.",
            "unit",
        ),
        (
            "In Norway up to 95 EUR per night are paid.",
            "In Norway up to 1,400 NOK per night are paid.",
            "Hotels in Estonia cost up to 95 EUR per night. In Norway up to 1,400 NOK per night are paid.",
            "entity",
        ),
    ],
)
def test_the_same_value_otherwise_bound_or_of_another_place_contradicts(
    wrong: str, right: str, text: str, kind: str
) -> None:
    found = stated(wrong, text).comparison
    assert found.outcome == "contradicts"
    assert found.difference is not None
    assert found.difference.kind == kind
    assert stated(right, text).strength == 0


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "Extensions smaller than 20 square metres only have to be notified.",
            "A permit is required for extensions larger than 20 m². Smaller extensions need only be notified.",
        ),
        ("Power is billed at 31 ct per kilowatt hour.", "The tariff for power is 31 ct/kWh."),
    ],
)
def test_another_case_of_a_rule_and_another_writing_of_a_rate_are_let_stand(claim: str, text: str) -> None:
    assert stated(claim, text).strength == 0
