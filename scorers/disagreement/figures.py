"""Dates and numbers with their units, read from tokens."""

from __future__ import annotations

from collections.abc import Sequence

from scorers.disagreement.lexicon import POPULATION, canonical
from scorers.disagreement.tokens import Token
from scorers.text.normalize import MONTHS, MONTHS_BESIDE_NUMBERS, word_set
from scorers.text.numbers import canonical_number

Day = tuple[int, int, int]
"""Year, month and day; 0 for what is not said."""

CLOCK = "clock"
"""Unit of a time of day, in hours."""

_NUMERALS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
NUMERALS = {word: value for value, word in enumerate(_NUMERALS.split(), start=1)}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_MONEY = {"$": "usd", "\u20ac": "eur", "\u00a3": "gbp", "\u00a5": "jpy"}
CURRENCIES = frozenset(_MONEY.values())
_UNITS = {
    "%": "percent",
    **{
        canonical(word): unit
        for unit, words in {
            "percent": "percent percentage",
            "usd": "usd dollar dollars",
            "eur": "eur euro euros",
            "gbp": "gbp pound pounds",
            "km": "km kilometre kilometer kilometres kilometers",
            "m": "m metre meter metres meters",
            "hour": "hour hours hr hrs",
            "year": "year years yr yrs",
            "minute": "minute minutes min mins",
            POPULATION: "people",
        }.items()
        for word in words.split()
    },
}
DIMENSIONS = {
    canonical(word): dimension
    for dimension, words in {
        "share": "percent",
        "money": "usd eur gbp jpy",
        "length": "km m mile feet foot inch cm mm",
        "time": "second minute hour day night week month year quarter",
        "weight": "kg g ton tonne lb ounce gram",
        "heads": POPULATION,
        CLOCK: CLOCK,
    }.items()
    for word in words.split()
}
"""What a unit measures: values of two dimensions cannot be answers to one question."""

_MEASURES = frozenset(map(canonical, word_set("km mile people persons inhabitants usd eur metre feet kg tons")))
"""What a number of four digits that looks like a year may count."""

_FIRST_YEAR, _END_OF_YEARS = 1000, 2100
_LAST_DAY = 31
_MINUTES = 60
_TAILS = "stndrh"


def date_at(tokens: Sequence[Token], at: int) -> tuple[int, Day] | None:
    """Return the end of the date that begins at a token, and the date.

    >>> from scorers.disagreement.tokens import tokens
    >>> [date_at(tokens(text), 0) for text in ("3 May 2024", "May 3, 2024", "2024-05-03", "May be")]
    [(3, (2024, 5, 3)), (4, (2024, 5, 3)), (1, (2024, 5, 3)), None]
    """
    token = tokens[at]
    if token.kind == "iso":
        year, month, day = token.text.split("-")
        return at + 1, (int(year), int(month), int(day))
    if token.kind == "word":
        return _from_month(tokens, at)
    day_of_month = _day(token)
    if day_of_month:
        place = at + 1 + _is(tokens, at + 1, "of")
        if place < len(tokens) and tokens[place].lower in MONTHS:
            end, year_found = _year_after(tokens, place + 1)
            return end, (year_found, MONTHS[tokens[place].lower], day_of_month)
    year_alone = _year(token)
    counts = at + 1 < len(tokens) and tokens[at + 1].stem in _MEASURES
    paid = at > 0 and tokens[at - 1].kind == "money"
    return (at + 1, (year_alone, 0, 0)) if year_alone and not counts and not paid else None


def number_at(tokens: Sequence[Token], at: int) -> tuple[int, float, str] | None:
    """Return the end of the number that begins at a token, its value, and its unit ("" for none).

    >>> from scorers.disagreement.tokens import tokens
    >>> [number_at(tokens(text), 0) for text in ("1,200 km", "$3 million", "75%", "ten days", "7:30", "1.2.3")]
    [(2, 1200.0, 'km'), (3, 3000000.0, 'usd'), (2, 75.0, 'percent'), (2, 10.0, 'day'), (1, 7.5, 'clock'), None]
    """
    unit = ""
    if tokens[at].kind == "money":
        unit = _MONEY[tokens[at].text]
        at += 1
        if at == len(tokens) or tokens[at].kind != "number":
            return None
    if tokens[at].kind == "code":
        hours = _hours(tokens[at].text)
        return None if hours is None else (at + 1, hours, CLOCK)
    value = _value(tokens[at])
    if value is None:
        return None
    end = at + 1
    if end < len(tokens) and tokens[end].lower in _SCALES:
        value *= _SCALES[tokens[end].lower]
        end += 1
    if end < len(tokens) and not unit:
        following = tokens[end]
        if following.text == "-" and end + 1 < len(tokens):
            end, following = end + 1, tokens[end + 1]
        unit = _MONEY.get(following.text) or _UNITS.get(following.stem or following.text) or following.stem
        if following.kind not in ("word", "money") and unit != "percent":
            unit = ""
        end += bool(unit)
    if tokens[at].lower == "one" and unit not in DIMENSIONS:
        return None
    return end, value, unit


def _hours(written: str) -> float | None:
    parts = written.split(":")
    if len(parts) == 1:
        return None
    return float(parts[0]) + float(parts[1]) / _MINUTES


def _value(token: Token) -> float | None:
    if token.kind == "word":
        return float(NUMERALS[token.lower]) if token.lower in NUMERALS else None
    try:
        return float(canonical_number(token.lower.rstrip(_TAILS)))
    except ValueError:
        return None


def _from_month(tokens: Sequence[Token], at: int) -> tuple[int, Day] | None:
    month = MONTHS[tokens[at].lower]
    after = at + 1 + _is(tokens, at + 1, ".")
    day = _day(tokens[after]) if after < len(tokens) else 0
    if day:
        end, year = _year_after(tokens, after + 1)
        return end, (year, month, day)
    end, year = _year_after(tokens, at + 1)
    if year:
        return end, (year, month, 0)
    return (at + 1, (0, month, 0)) if tokens[at].capital and tokens[at].lower not in MONTHS_BESIDE_NUMBERS else None


def _year_after(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return the end and the year that stands at a token, or after a comma there; its own place and 0 for none."""
    place = at + (_is(tokens, at, ",") or _is(tokens, at, "of"))
    year = _year(tokens[place]) if place < len(tokens) else 0
    return (place + 1, year) if year else (at, 0)


def _is(tokens: Sequence[Token], at: int, text: str) -> int:
    return int(at < len(tokens) and tokens[at].lower == text)


def _year(token: Token) -> int:
    digits = token.text.removesuffix("s")
    if token.kind != "number" or len(digits) != len("2024") or not digits.isdigit():
        return 0
    year = int(digits)
    return year if _FIRST_YEAR <= year < _END_OF_YEARS else 0


def _day(token: Token) -> int:
    digits = token.lower.rstrip(_TAILS)
    if token.kind != "number" or len(digits) > len("31") or not digits.isdigit():
        return 0
    return int(digits) if 1 <= int(digits) <= _LAST_DAY else 0
