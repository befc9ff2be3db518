"""Values and dates that an answer reckons for its case, in one sentence or several, right ones and wrong twins."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

VAULT = "Storing cases costs 6 EUR per month. Lost keys are replaced for 15 EUR."
COPIES = "Copies cost 0.10 EUR per page in grey and 0.40 EUR per page in colour."
HALLS = "The small hall costs 80 EUR an hour and the large hall 150 EUR an hour. A screen is 30 EUR a day."
ROAMING = "Outside the union data is charged at 2.50 EUR per 100 MB."
HIRE = "The first 60 km of a day are free; each further kilometre costs 0.25 EUR."
BOX = "A box costs 9 USD a week. The first week is free of charge. Boxes are opened from 8 am."
LESSONS = "A block of ten lessons costs 420 EUR and is valid for six months. A trial lesson costs 20 EUR."
KENNEL = "Boarding costs 25 USD per dog per night. Food is included."
BEDS = "Each additional guest is charged 12 GBP per night."
PASS = "The annual pass costs 180 CHF. It is renewed unless it is cancelled."
RIDE = "Riders pay 1 EUR to unlock a scooter and 0.25 EUR per minute of riding."
SYRUP = "Children receive 3 ml per 5 kg of body weight."
POINTS = "Members collect 4 points for every euro they spend."
LEASE = "The deposit is three months' rent."
LEAVING = "Fees are due until the end of the month in which a pupil leaves. Reports are sent within 30 days."
NOTICE = "The contract ends at the end of the month following the notice."
QUARTER = "The ticket is valid until the end of the quarter."
START = "Payments begin on the first day of the month following the application."
LAMP = "The guarantee lasts two years from the date of purchase."
APPEAL = "An appeal must be filed within 14 days of receiving the decision."
MAST = "Notice has to be given three months before the end of the contract. Contracts end on 31 December."

BAGS = "An additional bag costs EUR 55 online. Bags between 20 and 30 kg cost EUR 35 extra."
BIKES = "Bicycles are carried for CHF 12 each way and have to be announced two days ahead."
LEAVE = "Staff get 24 days of leave per calendar year. Who joins later gets one twelfth of it for each full month."
PASSES = "Day passes are sold in books of ten for GBP 14. One pass is valid for one car and one day."
PLANS = (
    "| Plan | Price per user/month |\n|---|---|\n| Team | $7 |\n| Firm | $12 |\n\nAnnual billing gives two months free."
)
RENT = "The deposit is two months' net rent and may be paid in three equal instalments."
LIMIT = "HR may refuse a second job if total working time would exceed 45 hours a week."
QUIT = "Either side may give three months' notice to the end of a month."
FEE = "The plan costs USD 1,200 per year."
WORTH = "50 points are worth EUR 1. Points can be used from 200 points on."

Case = tuple[str, str | None, str, object, object]

SUMS: dict[str, Case] = {
    "a unit": (VAULT, "How much for 4 months?", "Four months of storage cost {} EUR.", 24, 26),
    "of two rates the one named": (COPIES, "I need 20 pages in colour.", "20 colour pages will cost you {} EUR.", 8, 2),
    "the rate of another": (HALLS, "We need it for 3 hours.", "The large hall costs {} EUR for 3 hours.", 450, 240),
    "so many of a unit": (ROAMING, "I used 300 MB.", "Your 300 MB will cost {} EUR.", "7.50", "8.50"),
    "a unit before its price": (HIRE, "I drove 40 km more.", "40 further kilometres cost {} EUR.", 10, 15),
    "less what is free": (HIRE, "I drove 100 km.", "Beyond the free 60 km you drove 40 km and pay {} EUR.", 10, 25),
    "without the first": (BOX, "What are 5 weeks, the first one free?", "Five weeks come to {} USD.", 36, 54),
    "one of a pack": (LESSONS, None, "With ten lessons for 420 EUR, a single lesson works out at {} EUR.", 42, 45),
    "two units": (KENNEL, "We leave two dogs for 5 nights.", "Two dogs cost {} USD for five nights.", 250, 125),
    "a unit before and one behind": (BEDS, None, "Two additional guests for 3 nights come to {} GBP.", 72, 48),
    "by the month": (PASS, "What is it a month?", "That works out at {} CHF a month.", 15, 18),
    "with what is paid beside": (RIDE, "And for 20 minutes?", "A 20-minute ride costs {} EUR in total.", 6, 8),
    "no money": (SYRUP, "My son weighs 20 kg.", "A child of 20 kg receives {} ml.", 12, 15),
    "for money": (POINTS, "I spent 30 EUR.", "For 30 EUR you collect {} points.", 120, 90),
    "so many months of the asker's": (
        LEASE,
        "My rent is 650 EUR.",
        "With a rent of 650 EUR, the deposit is {} EUR.",
        "1,950",
        "1,300",
    ),
}
DATES: dict[str, Case] = {
    "the end of a month": (LEAVING, "She leaves on 10 March.", "Fees are due until {}.", "31 March", "30 April"),
    "with a figure that stands there": (LEAVING, "She leaves on 3 June.", "You pay until {}.", "30 June", "30 July"),
    "of the next month": (NOTICE, "I give notice on 12 April.", "Your contract ends on {}.", "31 May", "30 June"),
    "of a quarter": (QUARTER, "I bought it on 5 May.", "Your ticket is valid until {}.", "30 June", "31 May"),
    "the first of a month": (START, "I applied on 20 August.", "Payments begin on {}.", "1 September", "1 October"),
    "years on": (LAMP, "I bought it on 14 April 2025.", "Your guarantee ends on {}.", "14 April 2027", "14 April 2026"),
    "days on": (APPEAL, "I received it on 3 May.", "You have until {} to file your appeal.", "17 May", "24 May"),
    "before a date that is told": (MAST, None, "You have to give notice by {}.", "30 September", "31 October"),
}
ANSWERS: dict[str, Case] = {
    "the sum of what was told before": (
        BAGS,
        "Economy, one suitcase of 25 kg?",
        "You add a bag for EUR 55. As it weighs between 20 and 30 kg, EUR 35 come on top. That makes EUR {} in total.",
        90,
        95,
    ),
    "there and back": (
        BIKES,
        "Can I take my bike and return?",
        "That is CHF 12 each way, so CHF {} for a round trip.",
        24,
        36,
    ),
    "an equation": (LEAVE, "I start on 1 May.", "That is eight months, so 24 / 12 x 8 = {} days.", 16, 18),
    "by the month": (FEE, "And by the month?", "That's USD 1,200 / 12 = USD {} per month.", 100, 110),
    "months between two dates": (
        LEAVE,
        "I start on 1 May.",
        "From 1 May to 31 December it is {} months.",
        "eight",
        "six",
    ),
    "one for each day": (
        PASSES,
        "My parents visit for 2 weeks by car.",
        "They need one pass a day, so {} passes for two weeks.",
        14,
        12,
    ),
    "one for each day of the question": (PASSES, "My parents visit for 2 weeks.", "They need {} passes.", 14, 15),
    "times a number told before": (
        PLANS,
        "We are 20, what is Firm a year if we pay annually?",
        "For 20 people Firm is $240 a month. Two months are free, so you pay for ten months: ${} a year.",
        "2,400",
        "2,600",
    ),
    "by a number without a unit": (
        RENT,
        "Net rent is 800.",
        "It is two months' net rent, so EUR {}.",
        "1,600",
        "2,400",
    ),
    "divided": (
        RENT,
        "Net rent is 600.",
        "It is two months' net rent, so EUR 1,200. You may pay three instalments of EUR {} each.",
        400,
        450,
    ),
    "what is left": (
        LIMIT,
        "May I work elsewhere on Saturdays?",
        "If you work 38 hours here, you'd have {} hours a week left for another job.",
        7,
        10,
    ),
    "months before another": (
        QUIT,
        "I leave at the end of March.",
        "Then notice has to be in by the end of {}.",
        "December",
        "October",
    ),
    "a rate as a worth": (WORTH, "What are my 1,500 points worth?", "Your 1,500 points are worth EUR {}.", 30, 300),
}
CASES: dict[str, Case] = SUMS | DATES | ANSWERS


@pytest.mark.parametrize("case", CASES)
def test_what_a_rule_comes_to_for_a_case_is_told(case: str) -> None:
    context, question, answer, right, _ = CASES[case]
    assert label_of(context, question, answer.format(right)) == "supported"


@pytest.mark.parametrize("case", CASES)
def test_what_it_does_not_come_to_is_not(case: str) -> None:
    context, question, answer, _, wrong = CASES[case]
    assert label_of(context, question, answer.format(wrong)) != "supported"


INVENTED = ("It costs 40 EUR for 2 days, so that's 20 EUR a day.", "It costs 21 EUR and 9 EUR, so 30 EUR in total.")


@pytest.mark.parametrize("answer", INVENTED)
def test_invented_values_found_nothing_between_them(answer: str) -> None:
    assert label_of("Bikes can be hired at the harbour. Helmets are free.", "What is a bike?", answer) != "supported"


@pytest.mark.parametrize("context", ["You earn 5 points for 0 EUR.", "It is 0 EUR per 0 km. 0 EUR costs 5 points."])
def test_a_rate_for_nothing_gives_nothing(context: str) -> None:
    assert label_of(context, "And for 3 EUR?", "For 3 EUR you get 15 points.") != "supported"
