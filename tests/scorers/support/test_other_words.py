"""Right claims over rules in words of their own keep their label; the same with one thing changed lose it."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge
from scorers.support.nearness import runs

RIGHT = [
    ("Reception issues visitor badges and Security issues parking permits.", None,
     "Parking permits are issued by Security."),
    ("Editors can create and publish pages; viewers can only read them.", None, "Viewers can't create pages."),
    ("The tenant pays for heating and the landlord pays for repairs.", "Who pays?", "The tenant pays for heating."),
    ("Used books are sold by the student union.", None, "You can buy used books from the student union."),
    ("Helmets are exempt from return unless they are damaged.", None,
     "Helmets can't be returned unless damaged."),
    ("The Junior Card is free of charge until your 18th birthday.", None,
     "The Junior Card costs nothing before you turn 18."),
    ("Ladders are forbidden near the rotating drum.", "Should I use a ladder near the rotating drum?",
     "No. You must not use ladders near the drum."),
    ("Ladders are forbidden near the drum.", None, "Never use ladders there: they are forbidden near the drum."),
    ("Kayak batteries must be charged at the jetty, never in the hut itself.", "Can I charge it in the hut?",
     "No. Batteries have to be charged at the jetty."),
    ("The first driver is entitled to 26 days of rest, the other driver to 6 days.", None,
     "The other driver is entitled to six days of rest."),
    ("Water in bottles is allowed everywhere in the archive except the rare maps room.", None,
     "Yes, water in bottles is allowed in the reading rooms."),
    ("The depot has 12 bays, and each carrier may use 2 of them.", None, "You may use 2 bays in the depot."),
    ("No refund is paid where the delay was announced before the ticket was bought.", None,
     "If the delay had been announced before you bought the ticket, nothing is paid."),
    ("The gym closes at 6 pm on Sundays. Last admission is one hour before closing.", "Until when can I get in?",
     "On Sundays, you can get in until 5 pm."),
    ("Mooring costs 4 euros per hour. Boats longer than 9 metres are not admitted.", None,
     "Mooring for three hours costs 12 euros."),
    ("After 14 days, or if the seal has been broken, no exchange is possible.", None,
     "You have broken the seal, so no exchange is possible."),
    ("Drilling is permitted before 9 am and after 7 pm.", None, "Between 9 am and 7 pm, drilling is not permitted."),
    ("Logs are reviewed every quarter by the site owners.", None, "Site owners review logs four times a year."),
    ("Trainees may attend for ten days without a badge.", None,
     "Without a badge, trainees may attend, but only for ten days."),
    ("Hardware keys are required for administrators, while other staff may use the app.", None,
     "Administrators must use a hardware key, whereas everyone else may use the app."),
]  # fmt: skip

WRONG = [
    ("Changing rooms and sheds are not monitored.", None, "Sheds are monitored too."),
    ("The first driver is entitled to 26 days of rest, the other driver to 6 days.", None,
     "The other driver is entitled to 26 days of rest."),
    ("The fee for the course is 9,200 euros for home pupils and 21,500 euros for overseas pupils.", None,
     "Overseas pupils pay 9,200 euros."),
    ("Miles collected on business trips belong to the employee.", None,
     "Miles collected on business trips belong to the company."),
    ("Animals other than small fish in tanks need the owner's consent.", None,
     "Animals never need the owner's consent."),
    ("The firm's cover includes theft, so the cover offered by the rental desk must be declined.",
     "Do I have to take the cover of the rental desk?", "Yes, you must take the cover offered by the rental desk."),
    ("The school nurse keeps the certificates in a locked cabinet.", None,
     "The headteacher keeps the certificates in a locked cabinet."),
    ("Inflatable boats may be used on Saturdays only.", None, "Inflatable boats may be used every day."),
    ("Hoses may be no longer than 12 metres.", None, "Hoses may be no longer than 21 metres."),
    ("Nobody, not even the warden, may open the lockers.", None, "The warden may open the lockers."),
]  # fmt: skip


def label_of(source: str, question: str | None, claim: str) -> str:
    answer = Answer(id="a", question=question, answer=claim, passages=(Passage(id="p", text=source),), context=("p",))
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    return found.label


@pytest.mark.parametrize(("source", "question", "claim"), RIGHT)
def test_a_right_claim_in_other_words_is_supported(source: str, question: str | None, claim: str) -> None:
    assert label_of(source, question, claim) == "supported"


@pytest.mark.parametrize(("source", "question", "claim"), WRONG)
def test_the_claim_with_one_thing_changed_is_flagged(source: str, question: str | None, claim: str) -> None:
    assert label_of(source, question, claim) != "supported"


def test_runs_are_shared_by_copies_alone() -> None:
    told = "Backups are kept for 35 days in two data centres."
    assert runs("Backups are kept for 53 days in two data centres.", told) > 0.7
    assert runs("After 35 days each backup is deleted.", told) < 0.4
