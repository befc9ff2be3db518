"""By which way something is done: another one than the rule has, and one that the rule denies."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

RULES = (
    "Damage to the van must be reported by phone within 12 hours; reports by e-mail are not processed. Bookings can be "
    "cancelled in the app up to 24 hours before pick-up. Extensions of the rental period are only possible at the "
    "counter. Complaints have to be made in writing to the customer service team. Changes of address must be notified "
    "in person at the citizens' office. Permits are delivered by post within three weeks. Leave of more than one day "
    "requires a written request to the head teacher. Lunch is ordered online by Thursday. Vans ordered online can be "
    "returned at the counter. If you do not object in writing, the new prices apply."
)
WRONG = [
    "Damage to the van can be reported by e-mail within 12 hours.", "Report damage to the van in person at a branch.",
    "You can extend the rental period online.", "Complaints can be made verbally to customer service.",
    "A change of address can be notified online.", "Permits are delivered by e-mail within three weeks.",
    "An oral request for leave of more than one day is sufficient.", "Lunch is ordered at the counter by Thursday.",
    "Bookings are cancelled by calling the hotline.",
]  # fmt: skip
RIGHT = [
    "Damage to the van has to be reported over the phone within 12 hours.", "You can't report damage by e-mail.",
    "To extend the rental period you have to come to the counter.", "You can send your complaint by letter.",
    "To change your address you have to go to the citizens' office in person.",
    "The permit comes by mail within three weeks.", "Lunch can be ordered on the internet until Thursday.",
    "The new prices apply unless you object in writing.", "Vans ordered online can be returned at the counter.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_another_way_than_the_rule_has_is_found(claim: str) -> None:
    assert label_of(RULES, "What are the rules?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_the_same_way_and_one_that_may_be_it_are_none(claim: str) -> None:
    assert label_of(RULES, "What are the rules?", claim) != "contradicted"
