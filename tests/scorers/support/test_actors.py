"""Whom a claim names in place of another, the value of another part of a sentence, and conditions that a claim adds."""

from __future__ import annotations

import pytest

from adapters.caching import TextCache, forget, text_caches
from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import judge
from tests.scorers.support.test_other_words import label_of

THEATRE = (
    "Costumes are lent by the wardrobe office and cleaned by the laundry team. The stage manager keeps the keys to the"
    " props room. Requests for the rehearsal stage go to the booking office at least two weeks ahead. The fire safety"
    " officer checks the emergency exits every Monday. Accidents are entered in the log by the stage manager. The"
    " artistic director decides on the guest list. Payroll pays overtime at the end of the month."
    " Tickets for adults cost 24 EUR, those for pupils 9 EUR. The yearly limit is 1,500 EUR for choirs and 4,200 EUR"
    " for orchestras. Inspections: main hall every 6 weeks, studio every 9 weeks. The bar serves two drinks for guests"
    " and three for crew. Doors open Tuesday to Friday at 18:30 and on Sundays at 16:15. Ushers get a free meal."
    " A companion of a blind visitor gets in free. Rehearsals may be watched by pupils, with their teacher."
    " Guests may leave at any time without giving reasons. The foyer closes on the last working day of the season."
    " Scenery that could tip over is fastened by the riggers before each show."
    " One locker is issued per dancer. Scripts are returned by the 10th of the preceding month."
    " Rehearsal days are proposed by the crew lead and approved by the stage manager; the stage manager sets the"
    " lights, and the riggers take them down."
    " Smoking is prohibited. Phones must be silent. Bags may be left in the foyer. Late guests enter only at breaks."
    " The chorus rehearses until 14 March, and the orchestra plays on 2 May 2027."
)
WRONG = [
    "Costumes are lent by the booking office.", "It's the stage manager who decides on the guest list.",
    "Requests for the rehearsal stage go to the wardrobe office at least two weeks ahead.",
    "The emergency exits are checked by the stage manager every Monday.",
    "Overtime is paid by the wardrobe office at the end of the month.",
    "Tickets for pupils cost 24 EUR.", "Orchestras have a yearly limit of 1,500 EUR.",
    "The studio is inspected every 6 weeks.", "The crew is served two drinks.",
    "Ushers get a free meal, provided they hold a diploma.",
    "The stage manager proposes rehearsal days, and the crew lead approves them.",
    "A blind visitor's companion gets in free only on showing a season ticket.",
]  # fmt: skip
RIGHT = [
    "The wardrobe office lends costumes.", "The artistic director is the one who decides on the guest list.",
    "For the rehearsal stage, ask the booking office at least two weeks ahead.",
    "Every Monday the emergency exits are checked by the fire safety officer.",
    "Overtime is paid at the end of the month by Payroll.", "A pupil's ticket costs 9 EUR.",
    "Choirs have a yearly limit of 1,500 EUR.", "The studio is inspected every nine weeks.",
    "The crew is served three drinks.", "On Sundays the doors open at 16:15.",
    "Pupils may watch rehearsals only with their teacher.", "You can leave at any time.",
    "On the final working day of the season the foyer closes.",
    "The riggers have to fasten scenery that could tip over before each show.",
    "You cannot get more than one locker.", "Scripts have to be returned by the 10th of the month before.",
    "The orchestra plays on 2 May 2027.", "The crew lead proposes rehearsal days, and the stage manager approves them.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_another_actor_value_or_condition_is_found(claim: str) -> None:
    assert label_of(THEATRE, "What are the rules of the theatre?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_the_same_in_other_words_is_supported(claim: str) -> None:
    assert label_of(THEATRE, "What are the rules of the theatre?", claim) == "supported"


def test_the_rest_of_a_context_is_not_read_for_a_claim_whose_office_its_own_statement_names() -> None:
    rule = "Access to the hall must be granted by the safety officer before work begins."
    others = "Invoices are paid by the finance team within 30 days.", "Every night a caretaker locks all doors."
    claim = "The safety officer must grant access to the hall whenever work begins there."
    forget()
    judge(Answer(id="a", answer=claim, passages=(Passage(id="p", text=" ".join((rule, *others))),)), Memory())
    assert {
        cache.function.__name__ for cache in text_caches() for text, *_ in _inputs(cache) if text in others
    } == set()


def _inputs(cache: TextCache) -> list[tuple[object, ...]]:
    return [inputs for inputs, _ in cache.entries()]
