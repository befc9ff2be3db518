"""Quantities of a text, and which of a claim agree with those of a source."""

from __future__ import annotations

import pytest

from scorers.statements.quantities import compare_quantities, read_quantities

READ = [
    ("en", "within two weeks", ("time", 14 * 86400, "<=")),
    ("en", "no more than 5 business days", ("working time", 5 * 86400, "<=")),
    ("en", "must not exceed 1,500.50 USD", ("money", 1500.5, "<=")),
    ("en", "the maximum stay is 14 nights", ("count", 14, "<=")),
    ("en", "thirty-five (35) calendar days", ("time", 35 * 86400, "=")),
    ("en", "an hour and a half", ("time", 5400, "=")),
    ("en", "half a year", ("time", 15778476, "=")),
    ("en", "one in four customers", ("percent", 25, "=")),
    ("en", "$3.5m", ("money", 3.5e6, "=")),
    ("en", "-5 \u00b0C", ("temperature", -5, "=")),
    ("en", "3 guests or more", ("count", 3, ">=")),
    ("en", "**30** `days`", ("time", 30 * 86400, "=")),
    ("en", "two-thirds of members", ("percent", 200 / 3, "=")),
    ("en", "every other week", ("frequency", 1 / (14 * 86400), "=")),
    ("en", "every second week", ("frequency", 1 / (14 * 86400), "=")),
    ("en", "every third day", ("frequency", 1 / (3 * 86400), "=")),
    ("en", "not more than twice a year", ("frequency", 2 / 31556952, "<=")),
    ("en", "It follows ISO 27001.", ("reference", 27001, "=")),
    ("en", "Applicants aged 30 may apply.", ("count", 30, "=")),
    ("en", "free for under-18s", ("count", 18, "<")),
    ("en", "The over 60s pay half.", ("count", 60, ">")),
    ("en", "Responses stay under 30s.", ("time", 30, "<")),
    ("en", "insured up to the age of 18", ("count", 18, "<=")),
    ("en", "under the age of 18 years", ("time", 18 * 31556952, "<")),
    ("en", "from the age of 16", ("count", 16, ">=")),
    ("en", "at the age of 17", ("count", 17, "=")),
    ("en", "between the ages of 6 and 12", ("count", 6, "=")),
    ("en", "until they turn 18", ("count", 18, "<")),
    ("en", "until their 73rd birthday", ("count", 73, "<")),
    ("en", "for the 50th birthday", ("ordinal", 50, "=")),
    ("en", "You must be 21 to enter.", ("count", 21, ">=")),
    ("en", "A code must be 6 to 8 characters.", ("count", 6, "=")),
    ("en", "before a quarter past eight", ("clock", 8 * 60 + 15, "before")),
    ("en", "at twenty past nine in the evening", ("clock", 21 * 60 + 20, "=")),
    ("en", "until ten at night", ("clock", 22 * 60, "before")),
    ("en", "a quarter to nine", ("clock", 8 * 60 + 45, "=")),
    ("en", "at eight o'clock", ("clock", 8 * 60, "=")),
    ("en", "half of the rooms", ("percent", 50, "=")),
    ("en", "one of two in the morning session", ("count", 2, "=")),
    ("de", "mind. 8 Zeichen", ("count", 8, ">=")),
    ("de", "die H\u00e4lfte", ("percent", 50, "=")),
    ("de", "150 \u20ac nicht \u00fcberschreiten", ("money", 150, "<=")),
    ("es", "2 millones de euros", ("money", 2_000_000, "=")),
    ("zh", "\u4e0b\u53485:30", ("clock", 17.5 * 60, "=")),
    ("de", "h\u00f6chstens 1.500,50 \u20ac", ("money", 1500.5, "<=")),
    ("de", "die 30-t\u00e4gige Frist", ("time", 30 * 86400, "=")),
    ("de", "mindestens f\u00fcnfundzwanzig Werktage", ("working time", 25 * 86400, ">=")),
    ("fr", "pas plus de 1\u202f500 \u20ac", ("money", 1500, "<=")),
    ("fr", "quatre-vingt-dix jours ouvrables", ("working time", 90 * 86400, "=")),
    ("es", "como m\u00e1ximo treinta y cinco d\u00edas h\u00e1biles", ("working time", 35 * 86400, "<=")),
    ("it", "entro 30 giorni", ("time", 30 * 86400, "<=")),
    ("pt", "at\u00e9 10 dias \u00fateis", ("working time", 10 * 86400, "<=")),
    ("nl", "minimaal \u20ac 20", ("money", 20, ">=")),
    ("pl", "nie wi\u0119cej ni\u017c 14 dni roboczych", ("working time", 14 * 86400, "<=")),
    (
        "bg",
        "\u043d\u0435 \u043f\u043e\u0432\u0435\u0447\u0435 \u043e\u0442 30 \u0434\u043d\u0438",
        ("time", 30 * 86400, "<="),
    ),
    ("zh", "\u6700\u591a\u4e09\u767e\u5143", ("money", 300, "<=")),
    ("ja", "30\u65e5\u4ee5\u5185\u306b", ("time", 30 * 86400, "<=")),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "expected"), READ)
def test_a_quantity_is_read_with_its_measure_its_value_and_its_bound(
    language: str, text: str, expected: tuple[str, float, str]
) -> None:
    (quantity,) = read_quantities(text, language)
    assert (quantity.dimension, pytest.approx(quantity.value), quantity.bound) == expected


def test_the_first_day_of_something_is_not_how_often_it_is() -> None:
    read = read_quantities("Servers restart on every first day of the month.", "en")
    assert "frequency" not in {each.dimension for each in read}


def outcomes(claim: str, source: str) -> list[tuple[str, str | None]]:
    return [
        (match.outcome, match.kind) for match in compare_quantities(read_quantities(claim), read_quantities(source))
    ]


@pytest.mark.parametrize(
    ("claim", "source", "kind"),
    [
        ("You have 14 days.", "You have 30 days.", "quantity"),
        ("It costs 30 USD per night.", "It costs 30 EUR per night.", "unit"),
        ("It costs 10 EUR a month.", "It costs 10 EUR a year.", "unit"),
        ("within 10 days", "within 10 business days", "unit"),
        ("It lasts 60 hours.", "It lasts 60 minutes.", "unit"),
        ("within 7 weeks", "within 7 days", "unit"),
        ("The notice is 12 years.", "The notice is 12 months and the trial 30 days.", "unit"),
        ("It is kept for 49 days.", "It is kept for 7 days.", "quantity"),
        ("at most 5 guests", "at least 5 guests", "bound"),
        ("at most 3 guests", "3 guests or more", "bound"),
        ("after 7 days", "within 7 days", "bound"),
        ("by 3 May 2025", "by 5 May 2025", "date"),
        ("closed from 3 to 6 March 2025", "closed from 3 to 5 March 2025", "date"),
        ("closed on 6 March 2025", "closed from 3 to 5 March 2025", "date"),
        ("closed on 4 March 2025", "closed on 3 and 5 March 2025", "date"),
        ("before 1 May", "after 1 May", "bound"),
        ("reviewed monthly", "reviewed weekly", "quantity"),
        ("2.5 percentage points", "2.5 percent", "unit"),
        ("12 days", "5-10 days", "quantity"),
        ("at least 21 years", "at least 18 years", "quantity"),
        ("It is 240 EUR for domestic trips.", "It is 180 EUR a night for domestic trips and 240 EUR abroad.", "entity"),
        ("In Germany it is 220 EUR.", "Germany 180 EUR, Switzerland 220 EUR, Austria 150 EUR.", "entity"),
    ],
)
def test_a_changed_quantity_disagrees(claim: str, source: str, kind: str) -> None:
    assert outcomes(claim, source) == [("disagrees", kind)]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("within two weeks", "within 14 days"),
        ("It takes one hour.", "It takes 60 minutes."),
        ("2,000 kg", "2 tonnes"),
        ("by 5 p.m.", "until 17:00"),
        ("half of the staff", "50 per cent of the staff"),
        ("one in three", "33%"),
        ("twice a year", "every 6 months"),
        ("120 EUR a year", "10 EUR a month"),
        ("3 months", "90 days"),
        ("over 1,000 staff", "1,240 staff"),
        ("1.2 million", "1,187,432"),
        ("after 7 days", "no longer than 7 days"),
        ("The total is 330 EUR.", "The hotel is 250 EUR and the meals 80 EUR."),
        ("Four weeks remain.", "Two of the six weeks are taken."),
        ("It lasts 12 hours.", "There are 12 lessons of 60 minutes."),
        ("24 days in all", "2 days a month for 12 months"),
        ("In Switzerland it is 220 EUR.", "Germany 180 EUR, Switzerland 220 EUR, Austria 150 EUR."),
        ("1 March 2026", "2026-03-01"),
        ("1 March 2026", "01-03-2026"),
        ("closed on 4 March 2025", "closed from 3 to 5 March 2025"),
        ("closed on 3 March 2025", "closed on 3 and 5 March 2025"),
        ("For foreign trips the limit is 240 EUR.", "The limit is 180 EUR a night for domestic trips, 240 EUR abroad."),
    ],
)
def test_the_same_said_otherwise_agrees(claim: str, source: str) -> None:
    assert outcomes(claim, source) == [("agrees", None)]


def test_a_value_within_the_range_of_the_source_is_left_open_and_agrees_where_the_question_gives_it() -> None:
    claim, source = read_quantities("20 days"), read_quantities("within 30 days")
    assert compare_quantities(claim, source)[0].outcome == "undecided"
    assert compare_quantities(claim, source, read_quantities("What of 20 days?"))[0].outcome == "agrees"


def test_a_disagreement_is_told_in_short_words() -> None:
    (match,) = compare_quantities(read_quantities("up to 30 days"), read_quantities("up to 14 days"))
    assert match.words == "up to 30 days against up to 14 days"


def test_an_hour_before_a_time_of_day_is_one() -> None:
    assert [quantity.value for quantity in read_quantities("between 9 and 5 pm")] == [540, 1020]


@pytest.mark.parametrize("text", ["Error E-4012", "COVID-19", "v2.3.1", "[3]", "1. Read this.", "+49 30 123456", "B2B"])
def test_codes_numerals_and_telephone_numbers_are_no_quantities(text: str) -> None:
    assert read_quantities(text) == ()


@pytest.mark.parametrize("text", ["It got 12.7/10/2012 votes.", "About 10.7/10/12 of them."])
def test_figures_with_two_kinds_of_marks_are_no_dates(text: str) -> None:
    assert all(quantity.dimension != "date" for quantity in read_quantities(text))


@pytest.mark.parametrize(
    "text", ["I leave at the end of March.", "end of march, please", "Open until May.", "In March."]
)
def test_a_month_that_is_a_word_too_is_one_behind_what_names_months(text: str) -> None:
    assert [each.dimension for each in read_quantities(text)] == ["date"]


@pytest.mark.parametrize(
    "text",
    [
        "Users who are logged in may edit pages.",
        "Guests who arrive late may be refused.",
        "i am logged in may i edit",
        "Those who are let in march on.",
    ],
)
def test_what_is_a_verb_is_no_month(text: str) -> None:
    assert read_quantities(text) == ()
