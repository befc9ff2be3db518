"""Who pays and who provides by a rule, in either voice: another than the rule names, and the same in other words."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

RULES = (
    "The institute supplies boots and rain jackets; participants bring their own sleeping bags. Excess baggage is "
    "at the participants' own expense. We cover the cost of the visa. For boat trips we hire a skipper, at our "
    "expense. Damage to rented boats has to be paid for by the participant who caused it. Lunch packs are "
    "provided by the lodge. The tenant pays for electricity; the landlord pays the property tax. If we bring the "
    "tents, you pay the transport."
)
WRONG = [
    "Participants have to buy their own boots.", "Sleeping bags are supplied by the institute.",
    "You bear the cost of the visa yourself.", "The institute pays for excess baggage.",
    "The participants pay the cost of the skipper for boat trips.", "The property tax is paid by the tenant.",
    "The landlord pays for electricity.", "The institute pays for damage to rented boats.",
]  # fmt: skip
RIGHT = [
    "The institute provides the boots.", "You need to bring your own sleeping bag.",
    "Participants don't have to buy boots.",
    "The visa costs are covered by the institute.", "Participants pay for excess baggage themselves.",
    "If you damage a rented boat, you have to pay for it.", "Tenants have to pay for their electricity.",
    "The landlord bears the property tax.", "You don't have to pay for the skipper.",
    "The lodge brings the lunch packs.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_another_than_the_one_who_bears_it_is_found(claim: str) -> None:
    assert label_of(RULES, "Who pays for what?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_the_one_who_bears_it_is_none(claim: str) -> None:
    assert label_of(RULES, "Who pays for what?", claim) != "contradicted"
