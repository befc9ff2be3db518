"""Cases that an answer puts outside of what its source names, beside what the source says of elsewhere."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

POSTAGE = "Return postage is free within Ireland; from elsewhere the customer pays it."
TOWN = "Deliveries within the town are free; outside it a fee of 7 EUR applies."
COURIER = "Delivery outside Austria costs 21 EUR, within Austria it is free."
NETWORK = "Treatment in clinics within the network is paid in full; elsewhere patients pay a fifth themselves."
ROOM = "In the reading room food is forbidden; elsewhere in the building it is allowed."

RIGHT = {
    "from elsewhere": (POSTAGE, "As you are sending the parcel from outside Ireland, you pay the return postage."),
    "not in": (TOWN, "Since your address is not in the town, you pay a delivery fee of 7 EUR."),
    "the other way round": (COURIER, "As your address is outside Austria, delivery costs 21 EUR."),
    "with a noun before": (NETWORK, "As your clinic is not in the network, you pay a fifth yourself."),
    "allowed": (ROOM, "Outside the reading room food is allowed."),
}
WRONG = {
    "from elsewhere": (POSTAGE, "As you are sending the parcel from outside Ireland, the return postage is free."),
    "denied": (POSTAGE, "From outside Ireland you do not pay the postage."),
    "not in": (TOWN, "As you live outside the town, delivery is free."),
    "the other way round": (COURIER, "As your address is outside Austria, delivery is free."),
    "with a noun before": (NETWORK, "Outside the network, treatment is paid in full."),
    "forbidden": (ROOM, "Outside the reading room food is forbidden."),
}


@pytest.mark.parametrize("case", RIGHT)
def test_what_goes_elsewhere_is_told_of_a_case_outside(case: str) -> None:
    context, answer = RIGHT[case]
    assert label_of(context, None, answer) == "supported"


@pytest.mark.parametrize("case", WRONG)
def test_what_goes_inside_is_not(case: str) -> None:
    context, answer = WRONG[case]
    assert label_of(context, None, answer) != "supported"
