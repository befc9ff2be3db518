"""Who acts and who approves by a rule, whose value it is, and what a claim tells from the other side of a rule."""

from __future__ import annotations

import pytest

from adapters.schema import Answer
from scorers.memory import Memory
from scorers.support.claims import statements_of
from tests.scorers.support.test_other_words import label_of

RULES = (
    "Harbour lockers: The harbour office repairs broken lockers and informs the insurer. Tenants must report a broken "
    "lock within six hours. A spare lock is fitted by the next working day. The contract does not cover bilge water, "
    "salt stains or damage caused by birds. Winter storage needs the consent of the dock master. Tenants insure their "
    "gear themselves. Boats are moved only through the lock gate. Washing the hull with acid voids the contract. "
    "Parking costs up to 12 EUR a night, in Kiel and Lübeck up to 18 EUR. Keys may be collected at any time. "
    "Fires are prohibited on the pier but allowed on the beach. The pass expires two years after the purchase. "
    "Pontoon waste is never taken outside the harbour. Lockers are emptied after a reminder by letter. "
    "Tenants have to wear a vest on the crane. A second pass costs half of the first one, which is 30 EUR. "
    "Leaving the crane area requires the prior agreement of the crane operator. Sweeping runs nightly at 01:30. "
    "The mooring course is free; it is valid for five years. Ferries have priority over sailing boats. "
    "Foreign boats pay 7 EUR, local boats are free. Life vests are removed after the trip. "
    "Cancellation is possible after eight weeks. Cranes may not be lent. In May the slipway is closed for two weeks. "
    "The pilot checks new boats before the first trip. "
    "Only the pilot communicates with ferries. The tide board is updated every 30 minutes."
)
WRONG = [
    "You must repair a broken locker.", "We insure the gear of tenants.", "The contract covers bilge water.",
    "Damage caused by birds is covered by the contract.", "A spare lock is fitted within six hours.",
    "Winter storage needs the consent of the harbour office.", "The insurer approves winter storage.",
    "Boats can be moved directly.", "Washing the hull with acid does not affect the contract.",
    "Parking in Kiel costs up to 12 EUR a night.", "Keys may only be collected in the morning.",
    "Sweeping runs hourly.", "Wearing a vest on the crane is optional.",
    "You may use winter storage without asking the dock master.", "The mooring course is valid for life.",
    "**Winter storage**: the insurer approves it.", "Lockers are old; you must repair a broken locker.",
    "Sailing boats have priority over ferries.", "The dock master communicates with ferries.",
    "The tide board is updated every 30 hours.",
]  # fmt: skip
RIGHT = [
    "The harbour office repairs broken lockers.", "Tenants have to insure their gear themselves.",
    "Bilge water is not covered by the contract.", "A spare lock is fitted by the next working day.",
    "Winter storage needs the dock master's consent.", "The dock master has to consent to winter storage.",
    "In Lübeck parking costs up to 18 EUR a night.", "You can collect your keys whenever you like.",
    "You may light a fire on the beach.", "The pass is valid for two years from purchase.",
    "Pontoon waste stays within the harbour.", "A reminder is sent by letter before a locker is emptied.",
    "A second pass costs 15 EUR.", "You need the crane operator's agreement before you leave the crane area.",
    "Sweeping runs every night at 1:30 am.", "You have six hours to report a broken lock.",
    "You pay 7 EUR for a foreign boat.", "Ferries take precedence over sailing boats.",
    "The mooring course is valid for five years.", "The tide board is updated every half hour.",
    "You can cancel after eight weeks.", "You may not lend a crane to anyone.",
    "The slipway closes for two weeks in May.",
    "The pilot has to check a new boat before you take it out from them for the first trip.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_another_doer_approver_or_value_is_found(claim: str) -> None:
    assert label_of(RULES, "What are the rules for lockers?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_what_the_rules_say_from_the_other_side_is_supported(claim: str) -> None:
    assert label_of(RULES, "What are the rules for lockers?", claim) == "supported"


@pytest.mark.parametrize(
    "claim",
    ["You may try to open the lock yourself.", "You can sublet without asking anyone.", "You can fix it yourself."],
)
def test_what_sends_nobody_elsewhere_is_a_claim(claim: str) -> None:
    answer = Answer(id="a", question="What may I do?", answer=claim, passages=())
    assert [each.kind for each in statements_of(answer, Memory())] == ["claim"]


def test_a_kind_is_judged_by_what_is_told_of_all_of_them() -> None:
    rules, asked = (
        "Pets are not allowed in the building. Beer is sold until 10 pm, wine until midnight.",
        "Are pets allowed?",
    )
    assert label_of(rules, asked, "Yes, you can bring your dog.") == "contradicted"
    assert label_of(rules, asked, "No, you can't bring your dog.") == "supported"
    garden = "Dogs are welcome in the garden. Cats are not admitted."
    assert label_of(garden, "Can I bring a pet?", "Dogs are not admitted.") == "contradicted"


def test_a_word_is_known_by_its_family_where_few_sentences_set_a_rule() -> None:
    rules = "Cancellation is possible after six months. The service desk locks the device."
    assert label_of(rules, "Can I cancel?", "You can cancel once six months have passed.") == "supported"
    assert label_of(rules, "What now?", "Our team is here; you must lock the device yourself.") == "contradicted"
