"""Sentences of long answers as assistants write them: right ones that looked wrong, and their wrong twins."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

POST = "Return postage of EUR 4.50 is deducted from your refund, unless the item is faulty or we sent the wrong one."
CARRY = "Up to 5 days of unused leave may be carried over to the next year with your manager's approval."
PASSES = "Each household may buy up to 50 visitor passes per year in books of ten."
CORE = "Core hours are 10:00 to 15:00. Outside core hours staff arrange their time freely between 6:00 and 20:00."
DESK = "The desk is open from 9:00 to 17:00; outside these hours call the guard."
LIST = "List endpoints return 50 items by default and at most 200 (`limit`)."
QUIT = "Tenants may terminate with three months' notice to the end of a month."
TIERS = "Gold (from EUR 800 a year): 2 points per euro, free express delivery, early access to sales."
REPAIRS = "Minor repairs up to EUR 100 each, and EUR 250 per year in total, are paid by the tenant."
CARD = "The external user card costs EUR 30 a year; it is free for pupils and the unemployed."
LENSES = "Goggles must be worn at all times. Contact lenses are not permitted."
SICK = "From the eighth day a fit note from your GP is required."

RIGHT = {
    "a case that a rule excepts, told before": (
        POST,
        "My earrings broke.",
        "As yours broke, they'd count as faulty, so the postage won't be deducted from your refund.",
    ),
    "so many of the asker's": (
        CARRY,
        "I have 8 days left.",
        "You may take up to 5 of your 8 remaining days into next year if your manager agrees.",
    ),
    "sold and bought": (PASSES, None, "Passes are sold in books of ten."),
    "outside the hours of another": (CORE, None, "Core time runs from 10 a.m. to 3 p.m."),
    "a bound beside a default": (LIST, None, "List endpoints return up to 200 items."),
    "a notice": (QUIT, None, "You have three months' notice to the end of a month."),
    "no, another one's": (
        TIERS,
        "Does Silver get free express delivery?",
        "No, free express delivery is a Gold benefit.",
    ),
    "each and a year": (
        REPAIRS,
        "The plumber was 85 euros.",
        "At EUR 85 the bill is below the EUR 100 limit for minor repairs, so it's the tenant's cost.",
    ),
    "of one part": (CARD, None, "For pupils the card is free of charge (normally it's EUR 30 a year)."),
    "a no before a name": (LENSES, None, "No contact lenses."),
    "an ordinal": (SICK, None, "A fit note is needed from the eighth day."),
}
WRONG = {
    "a case that no rule excepts": (
        POST,
        "I do not like the colour.",
        "As you do not like the colour, the postage won't be deducted from your refund.",
    ),
    "hours before those outside of them": (DESK, None, "The desk is open from 9:00 to 19:00."),
    "more of the asker's": (
        CARRY,
        "I have 8 days left.",
        "You may take up to 6 of your 8 remaining days into next year.",
    ),
    "no no": (LENSES, None, "Contact lenses are permitted."),
    "another ordinal": (SICK, None, "A fit note is needed from the seventh day."),
}


@pytest.mark.parametrize("case", RIGHT)
def test_what_only_seems_to_differ_is_supported(case: str) -> None:
    assert label_of(*RIGHT[case]) == "supported"


@pytest.mark.parametrize("case", WRONG)
def test_what_differs_is_not(case: str) -> None:
    assert label_of(*WRONG[case]) != "supported"
