"""Days and times of answers against opening hours in prose, as handbooks and pages of services have them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.support.timetables.reading import slots_in
from tests.scorers.support.test_other_words import label_of

DESK = (
    "The service desk is open Monday to Thursday from 8 am to 6 pm and on Friday from 8 am to 3 pm."
    " It is closed at weekends."
)
STORES = "Our stores\n\nMonday - Friday: 8:00 - 20:00\nSaturday: 9:00 - 18:00\nSunday: closed"
POOL = "The pool opens at 7:00 on weekdays and at 9:00 on weekends. It closes at 22:00 every day."
SUPPORT = "Phone support: Monday to Friday, 8 a.m. to 8 p.m. Chat support: daily, 6 a.m. to midnight."
TICKETS = (
    "Tickets are sold at the counter from Tuesday to Sunday, 10:00 to 17:30. On Thursdays the counter stays open until"
    " 20:00. Mondays the museum is closed."
)
BAR = "The bar closes at 1 am, on Fridays and Saturdays at 3 am."
LOADING = "Loading is allowed on weekdays between 6 and 9 am and between 6 and 8 pm."
MEETINGS = "Team meetings take place every second Wednesday at 10:00. The board meets on the last Friday of the month."
BUS = "The mobile library stops here on the first and third Tuesday of the month."
LAB = "During term the computer lab is open until 10 pm; during the break it closes at 6 pm."
GYM = "Members may use the gym from 6 am to 11 pm, off-peak members from 9 am to 4 pm."
LAUNDRY = "Laundry can be used between 8 am and 8 pm, except on Sundays."
PARKING = (
    "Parking is free on Sundays and public holidays. On all other days it costs 2 EUR per hour between 8:00 and 20:00."
)
WEEKENDS = "The shop is open Monday to Friday from 9 am. On weekends we are open from 10 am."

RIGHT = [
    (DESK, "On Fridays the service desk closes at 3 pm."),
    (DESK, "You can't reach the service desk on Saturdays."),
    (DESK, "The service desk is open from Monday to Friday."),
    (STORES, "On Saturdays, our stores are open between 9:00 and 18:00."),
    (STORES, "No, our stores are closed on Sundays."),
    (STORES, "Our stores are open Monday to Saturday."),
    (POOL, "On Saturdays the pool opens at 9 am."),
    (POOL, "The pool closes at 10 pm on Sundays."),
    (SUPPORT, "Chat support is available every day until midnight."),
    (TICKETS, "Tickets are sold until 5:30 pm, and until 8 pm on Thursdays."),
    (TICKETS, "You can buy tickets on Sundays from 10 am."),
    (BAR, "On Fridays the bar is open until 3 am."),
    (LOADING, "Loading is allowed on weekdays from 6 pm to 8 pm."),
    (MEETINGS, "The board meets on the last Friday of the month."),
    (BUS, "The mobile library stops here on the first Tuesday of the month."),
    (LAB, "During the break the lab closes at 6 pm."),
    (GYM, "Off-peak members may use the gym from 9 am to 4 pm."),
    (LAUNDRY, "You may use the laundry until 8 pm."),
    (LAUNDRY, "You can use the laundry on Saturdays between 8 am and 8 pm."),
    (PARKING, "On Mondays parking costs 2 EUR per hour."),
    (WEEKENDS, "The shop is open every day."),
    ("The museum is open Sunday to Saturday.", "The museum is open every day."),
    ("Entry costs 10 EUR on weekdays and 15 EUR otherwise.", "Entry costs 15 EUR at weekends."),
    ("Orders are shipped within 3 to 5 working days.", "Orders are shipped within 3 to 5 working days."),
]

WRONG = [
    (DESK, "On Fridays the service desk is open until 6 pm."),
    (DESK, "The service desk is open on Saturdays."),
    (DESK, "The service desk is open every day."),
    (DESK, "The service desk is closed on Fridays."),
    (STORES, "On Saturdays, our stores are open until 8 pm."),
    (STORES, "Yes, our stores are open on Sundays."),
    (POOL, "On Sundays the pool opens at 7 am."),
    (POOL, "The pool closes at 9 pm on Saturdays."),
    (SUPPORT, "Phone support is available on Saturdays."),
    (SUPPORT, "Chat support is only available on weekdays."),
    (TICKETS, "The counter closes at 5:30 pm on Thursdays."),
    (TICKETS, "The museum is open on Mondays."),
    (BAR, "The bar closes at 1 am on Saturdays."),
    (LOADING, "Loading is allowed on weekdays between 9 am and noon."),
    (LOADING, "Loading is allowed on Saturdays."),
    (MEETINGS, "Team meetings take place every Wednesday."),
    (MEETINGS, "The board meets on the last Thursday of the month."),
    (BUS, "The mobile library stops here every Tuesday."),
    (BUS, "The mobile library stops here on the second Tuesday of the month."),
    (LAB, "During the break the lab is open until 10 pm."),
    (GYM, "Off-peak members may use the gym until 11 pm."),
    (LAUNDRY, "The laundry is available every day."),
    (PARKING, "Parking is free on Saturdays."),
    ("The museum is open Tuesday to Sunday. It is closed on Mondays.", "The museum is open every day."),
]


@pytest.mark.parametrize(("source", "claim"), RIGHT)
def test_a_claim_that_keeps_to_the_timetable_is_supported(source: str, claim: str) -> None:
    assert label_of(source, "When is it open?", claim) == "supported"


@pytest.mark.parametrize(("source", "claim"), WRONG)
def test_a_claim_with_another_day_or_time_is_contradicted(source: str, claim: str) -> None:
    assert label_of(source, "When is it open?", claim) == "contradicted"


def test_days_of_one_week_in_the_news_are_no_timetable() -> None:
    source = "Police arrested two men on Tuesday. A third man was arrested on Friday."
    assert label_of(source, None, "Police arrested two men on Tuesday.") == "supported"
    assert all(slot.vague for text in source.split(". ") for slot in slots_in(text))


def test_hours_of_a_season_say_nothing_of_the_rest_of_the_year() -> None:
    slots = slots_in("From May to September the pool is open daily from 9 am to 8 pm.")
    assert slots
    assert all(slot.vague for slot in slots)


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CLOCKS = {"8 am": 480, "9:30": 570, "noon": 720, "5 pm": 1020, "18:00": 1080, "8.30 p.m.": 1230}


@given(st.sets(st.sampled_from(DAYS), min_size=1), st.sampled_from(sorted(CLOCKS)), st.sampled_from(sorted(CLOCKS)))
def test_the_order_of_days_and_times_in_a_sentence_does_not_matter(days: set[str], opens: str, closes: str) -> None:
    listed = " and ".join(f"{day}s" for day in sorted(days))
    numbers = frozenset(map(DAYS.index, days))
    for text in (
        f"On {listed} the desk is open from {opens} to {closes}.",
        f"The desk is open from {opens} to {closes} on {listed}.",
        f"The desk opens at {opens} and closes at {closes} on {listed}.",
    ):
        (slot,) = slots_in(text)
        assert (slot.days, slot.opens, slot.closes) == (numbers, CLOCKS[opens], CLOCKS[closes])


@pytest.mark.parametrize(("first", "last"), list(product(DAYS, DAYS)))
def test_a_range_of_days_goes_on_over_the_end_of_the_week(first: str, last: str) -> None:
    (slot,) = slots_in(f"The desk is open from {first} to {last}.")
    begin, end = DAYS.index(first), DAYS.index(last)
    assert slot.days == frozenset(day % 7 for day in range(begin, end + 1 if end >= begin else end + 8))
