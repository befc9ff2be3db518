"""Cases that an answer puts on one side of a limit by its name: within the limit, past the deadline, not yet of age."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

CABIN = "Cabin bags may weigh up to 9 kg. Heavier bags are put in the hold. Liquids stay in a clear pouch."
COTTAGE = "The minimum stay is four nights. Towels are included. Keys are kept for guests until 22:00."
LEASE = "The lease can be ended with two months' notice once the minimum term of one year has passed."
KETTLE = "The maker guarantees the kettle for 18 months from the date of purchase, and its heating plate for 6 years."
REST = "Wait at least 36 hours after the vaccination before doing sport."
TABLETS = "Do not take Norvin if you had a fever, or took aspirin during the last 10 days."
TOUR = "Tours can be cancelled free of charge up to 72 hours before the start. Later cancellations cost 20 EUR."
REPAIRS = (
    "Small repairs to fittings that the tenant uses daily are paid by the tenant up to 80 EUR per case and 250 EUR per"
    " year. The landlord pays for all other repairs."
)
ROADS = "The speed limit is 15 km/h in the yard and 40 km/h on the access road."
CHOIR = "Junior members are between 7 and 15 years old. Tanks are kept between 22 and 25 °C."
PETTY = "Claims below 10 USD are carried over to the next quarter."
CAMP = "Registration is open from 3 May to 20 May; later registrations are not considered."

RIGHT = {
    "over a limit, with what follows": (
        CABIN,
        None,
        "A bag of 12 kg exceeds the cabin limit, so you may not bring it.",
    ),
    "within a limit": (CABIN, None, "A bag of 7 kg is within the cabin limit."),
    "a limit that the answer names": (
        REPAIRS,
        None,
        "60 EUR is below the limit of 80 EUR per case, so the tenant pays.",
    ),
    "short of a minimum": (COTTAGE, None, "No, three nights fall short of the minimum stay."),
    "a minimum reached": (COTTAGE, None, "Five nights meet the minimum stay."),
    "a term completed": (LEASE, None, "After 14 months you have completed the minimum term, so you can end the lease."),
    "a guarantee of a part": (KETTLE, None, "After three years the heating plate is still under guarantee."),
    "out of guarantee": (KETTLE, None, "After three years the kettle is out of guarantee."),
    "time that has passed": (REST, None, "Two days have passed since the vaccination, so you may do sport."),
    "time that has not": (REST, None, "Only 12 hours have passed since the vaccination, so you may not do sport yet."),
    "time that is left": (TOUR, None, "With 48 hours to go, the 72-hour limit has passed, so cancelling costs 20 EUR."),
    "a place with its own limit": (ROADS, None, "At 30 km/h on the access road you were within the speed limit."),
    "past a range of ages": (CHOIR, None, "At 17 she is above the age limit for junior members."),
    "within a range": (CHOIR, None, "At 24 °C the tank is within the required range."),
    "by how much": (CABIN, None, "A bag of 12 kg is 3 kg over the limit of 9 kg."),
    "from the question": (LEASE, "I moved in 5 months ago. Can I leave?", "No, the minimum term has not passed yet."),
    "a day in time": (CAMP, None, "A registration on 10 May is in time."),
    "a day too late": (CAMP, None, "A registration on 25 May is too late."),
}
WRONG = {
    "over a limit": (CABIN, None, "A bag of 12 kg is within the cabin limit, so you may bring it."),
    "within a limit": (CABIN, None, "A bag of 7 kg is over the cabin limit."),
    "a limit that the answer names": (REPAIRS, None, "60 EUR exceeds the limit of 80 EUR per case."),
    "what does not follow": (REPAIRS, None, "120 EUR is below the limit of 80 EUR per case, so the tenant pays."),
    "short of a minimum": (COTTAGE, None, "Yes, three nights meet the minimum stay, so you can book."),
    "a minimum reached": (COTTAGE, None, "Five nights are below the minimum stay."),
    "a minimum without its name": (PETTY, None, "A claim of 4 USD reaches the minimum amount."),
    "a term completed": (LEASE, None, "After 5 months you have completed the minimum term, so you can end the lease."),
    "a guarantee of a part": (KETTLE, None, "After three years the heating plate is out of guarantee."),
    "out of guarantee": (KETTLE, None, "After three years the kettle is still under guarantee."),
    "time that has passed": (REST, None, "12 hours have passed since the vaccination, so you may do sport."),
    "time since the last": (TABLETS, None, "Four days have passed since your last aspirin, so you may take Norvin."),
    "time that is left": (TOUR, None, "With 48 hours to go, the 72-hour limit has not passed."),
    "a place with its own limit": (ROADS, None, "At 30 km/h on the access road you were over the speed limit."),
    "past a range of ages": (CHOIR, None, "At 17 she is within the age limit for junior members."),
    "within a range": (CHOIR, None, "At 24 °C the tank is outside the required range."),
    "from the question": (LEASE, "I moved in 5 months ago. Can I leave?", "Yes, the minimum term has passed."),
    "a day in time": (CAMP, None, "A registration on 10 May is too late."),
    "a day too late": (CAMP, None, "A registration on 25 May is in time."),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_case_on_its_side_of_a_limit_is_told(case: str) -> None:
    assert label_of(*RIGHT[case]) == "supported"


@pytest.mark.parametrize("case", WRONG)
def test_a_case_on_the_other_side_of_a_limit_is_not(case: str) -> None:
    assert label_of(*WRONG[case]) != "supported"
