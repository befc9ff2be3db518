"""Which value of a list belongs to whom: each member with its own is supported, with another one's it is not."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

LISTS = [
    ("Managers get 30 days of leave and interns get 25 days of leave.", "{who} get {value} of leave.",
     ("Managers", "30 days"), ("Interns", "25 days")),
    ("The daily limit is 500 EUR for basic accounts and 2,000 EUR for premium accounts.",
     "For {who}, the daily limit is {value}.", ("basic accounts", "500 EUR"), ("premium accounts", "2,000 EUR")),
    ("Parcels are delivered within 2 days in Austria and within 5 days in Norway.",
     "In {who}, parcels are delivered within {value}.", ("Austria", "2 days"), ("Norway", "5 days")),
    ("Mothers are entitled to 26 weeks, fathers to 6 weeks of parental leave.",
     "{who} can take {value} of parental leave.", ("Mothers", "26 weeks"), ("Fathers", "6 weeks")),
    ("Students may borrow 10 books and staff 20 books at a time.", "{who} may borrow {value} at a time.",
     ("Students", "10 books"), ("Staff", "20 books")),
    ("We grant nurses 3 days and doctors 8 days of study leave.", "We grant {who} {value} of study leave.",
     ("nurses", "3 days"), ("doctors", "8 days")),
    ("The library lends books for 28 days and discs for 7 days.", "The library lends {who} for {value}.",
     ("books", "28 days"), ("discs", "7 days")),
    ("The fund pays teachers 200 EUR, nurses 300 EUR and drivers 150 EUR a month.",
     "The fund pays {who} {value} a month.", ("teachers", "200 EUR"), ("nurses", "300 EUR"), ("drivers", "150 EUR")),
    ("Suppliers must respond within 48 hours, contractors within 24 hours.", "{who} must respond within {value}.",
     ("Suppliers", "48 hours"), ("Contractors", "24 hours")),
    ("We reply to e-mails within one business day and to letters within two weeks.",
     "We reply to {who} within {value}.",
     ("e-mails", "one business day"), ("letters", "two weeks")),
    ("Room A holds 40 people and Room B holds 25 people.", "{who} holds {value}.",
     ("Room A", "40 people"), ("Room B", "25 people")),
    ("Gold cardholders have a spending limit of $15,000 and silver cardholders one of $6,000.",
     "The spending limit for {who} is {value}.", ("gold cardholders", "$15,000"), ("silver cardholders", "$6,000")),
    ("Trainees in their first year earn 1,040 EUR a month, in their second year 1,100 EUR and in the third 1,200 EUR.",
     "In the {who}, trainees earn {value} a month.",
     ("first year", "1,040 EUR"), ("second year", "1,100 EUR"), ("third year", "1,200 EUR")),
    ("Mileage is paid at 0.30 EUR per km for cars and at 0.20 EUR per km for motorcycles.",
     "Mileage for {who} is paid at {value} per km.", ("cars", "0.30 EUR"), ("motorcycles", "0.20 EUR")),
]  # fmt: skip

RIGHT = [
    ("Guests may cancel free of charge until 6 pm on the day before arrival.",
     "Guests can cancel at no cost up to 18:00 on the day before arrival."),
    ("Employees must submit the form at least two weeks before the leave starts.",
     "The form must be handed in no later than two weeks before the start of the leave."),
    ("Smoking is prohibited in all rooms and on balconies.", "You may not smoke in the rooms or on balconies."),
    ("You do not have to give a reason for the withdrawal.", "No reason is needed for the withdrawal."),
    ("The bonus is paid in March if the company has reached its targets.",
     "No bonus is paid if the company misses its targets."),
    ("Each team may reserve the meeting room for at most two hours per week.",
     "Teams can't reserve the meeting room for more than two hours a week."),
    ("New passwords are sent by post and never by e-mail.", "A new password is sent by post."),
    ("Bicycles may be taken on regional trains free of charge outside rush hour.",
     "Taking a bike on a regional train costs nothing outside rush hour."),
    ("Employees who work more than six hours a day must take a break of 30 minutes.",
     "If you work more than six hours a day, you have to take a 30-minute break."),
    ("Orders over 50 euros ship for free; smaller orders cost 4.95 euros to ship.",
     "Orders of less than 50 euros cost 4.95 euros to ship."),
    ("Travel by first class is reimbursed only for trips longer than four hours.",
     "For a trip shorter than four hours first class isn't reimbursed."),
    ("Test systems must use anonymised data.", "Not as they are: test systems have to use anonymised data."),
    ("The manager approves the request before HR processes it.",
     "The request is processed by HR once the manager has approved it."),
]  # fmt: skip

WRONG = [
    ("Send the claim within one hour.", "Send the claim within one day."),
    ("If a laptop is lost, report it to the service desk within one hour. The desk locks the device remotely.",
     "Report it to the service desk within one day; they will lock it remotely."),
    ("Smoking is prohibited in all rooms and on balconies.", "Smoking is permitted on balconies."),
    ("The warranty does not cover wear parts such as batteries and tyres.", "The warranty covers batteries."),
    ("All bookings except those for groups can be changed online.", "No bookings can be changed online."),
    ("Keys must not be copied or passed on to third parties.",
     "Keys may be passed on to third parties but not copied."),
    ("Trainees report to the head of department, not to the HR team.",
     "Trainees report to the HR team, not to the head of department."),
    ("Our support line is open Monday to Friday from 8 am to 6 pm.",
     "The support line is open every day from 8 am to 6 pm."),
    ("Bicycles may be taken on regional trains free of charge outside rush hour.",
     "Bicycles may be taken on regional trains free of charge during rush hour."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "claim", "members"), [(source, claim, rest) for source, claim, *rest in LISTS])
def test_each_value_of_a_list_belongs_to_its_own_member(
    source: str, claim: str, members: list[tuple[str, str]]
) -> None:
    for who, own in members:
        for _, value in members:
            told = claim.format(who=who, value=value)
            assert (label_of(source, None, told[0].upper() + told[1:]) == "supported") == (value == own), told


@pytest.mark.parametrize(("source", "claim"), RIGHT)
def test_the_same_in_other_words_is_supported(source: str, claim: str) -> None:
    assert label_of(source, None, claim) == "supported"


@pytest.mark.parametrize(("source", "claim"), WRONG)
def test_what_differs_in_one_thing_is_not(source: str, claim: str) -> None:
    assert label_of(source, None, claim) != "supported"
