"""Dates and times of day, in the words of each language and in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached
from scorers.statements.quantities.quantity import CalendarDate, Quantity
from scorers.statements.quantities.scanning import CLOCK, DATE, NUMBER, WORD, QuantityToken
from scorers.text.numbers import ascii_digits

_MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "bg": "януари февруари март април май юни юли август септември октомври ноември декември",
}
_SHORT = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "de": "jan feb mär apr mai jun jul aug sep okt nov dez",
    "fr": "janv févr mars avr mai juin juil août sept oct nov déc",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "pl": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
}
_OTHER = {"en": {"sept": 9}, "de": {"jänner": 1, "feber": 2, "sept": 9}}
_INNER = frozenset(("of", "de", "del", "di", "do", "the", ",", "."))
_OF_HOURS = {
    "en": "o'clock oclock", "de": "uhr", "fr": "heures heure h", "es": "horas h", "it": "", "pt": "horas h",
    "nl": "uur", "pl": "godz", "bg": "часа ч",
}  # fmt: skip
_AT = {
    "fr": "à", "es": "las", "pt": "às", "nl": "om", "bg": "в",
}  # fmt: skip
_LAST_DAY, _LAST_MONTH, _LAST_HOUR, _HALF_DAY = 31, 12, 24, 12
_FIRST_YEAR, _END_OF_YEARS = 1500, 2200
_YEAR_DIGITS = 4
_SHORT_YEARS = 70
_HALVES = frozenset({"am", "pm"})
_AHEAD = 5
_MINUTES, _CENTURY = 60, 100


class TimeOfDay(NamedTuple):
    """A time of day in minutes since midnight, and the other one that it may be."""

    minutes: float
    others: tuple[float, ...]
    end: int


@cached(maxsize=32)
def months(language: str) -> Mapping[str, int]:
    """Return the number of each month by its names in a language and in English."""
    found: dict[str, int] = {}
    for name in ("en", language):
        for table in (_SHORT, _MONTHS):
            found |= {word: number for number, word in enumerate(table.get(name, "").split(), start=1)}
        found |= _OTHER.get(name, {})
        if name == "en" and language != "en":
            for word in ("may", "mar", "sept", "dec", "set"):
                found.pop(word, None)
    return found


def date_at(read: Sequence[QuantityToken], at: int, language: str) -> tuple[tuple[CalendarDate, ...], int] | None:
    """Return the readings of the date that begins at a token, and where it ends.

    >>> from scorers.statements.quantities.scanning import tokens
    >>> [date_at(tokens(text), 0, "en")[0] for text in ("1 March 2026", "March 2026", "2026-03-01", "03/01/2026")]
    [((2026, 3, 1),), ((2026, 3, 0),), ((2026, 3, 1),), ((2026, 3, 1), (2026, 1, 3))]
    """
    token = read[at]
    if token.kind == DATE:
        days = _numeric(ascii_digits(token.text), language)
        return (days, at + 1) if days else None
    names = months(language)
    if token.kind == WORD:
        month = names.get(token.text)
        return None if month is None else _from_month(read, at, month)
    numbered, place = _days_at(read, at)
    if numbered and place < len(read) and read[place].text in names:
        year, end = _year_after(read, place + 1)
        return tuple([(year, names[read[place].text], day) for day in numbered]), end
    return None


def _days_at(read: Sequence[QuantityToken], at: int) -> tuple[Sequence[int], int]:
    """Return the days of a month that are numbered at a token, "3", "3 and 5", "3 to 5", and where that ends."""
    first, place = _day(read[at]), _behind_day(read, at)
    join = read[place].text if place + 1 < len(read) else ""
    last = _day(read[place + 1]) if join in _ANDS or join in _TO else 0
    if not first or last <= first:
        return ((first,) if first else ()), place
    days = (first, last) if join in _ANDS else range(first, last + 1)
    return days, _behind_day(read, place + 1)


_ANDS = frozenset(("and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "i", "lub", "\u0438", "&"))
_TO = frozenset(
    ("to", "until", "through", "-", "\u2013", "\u2014", "bis", "au", "al", "a", "ao", "tot", "do", "\u0434\u043e")
)


def _behind_day(read: Sequence[QuantityToken], at: int) -> int:
    place = at + 1
    place += place < len(read) and read[place].text in _ORDINAL_ENDS and read[place].start == read[at].end
    while place < len(read) and place - at < _AHEAD and read[place].text in _INNER:
        if read[place].text in _TO and place + 1 < len(read) and read[place + 1].kind == NUMBER:
            break  # "do" is "of the" in Portuguese, "to" in Polish
        place += 1
    return place


_ORDINAL_ENDS = frozenset({"st", "nd", "rd", "th", "er", "º", "°", "ª", "."})


def year_of(token: QuantityToken) -> int:
    """Return the year that a number of four digits can be, 0 for none."""
    if token.kind != NUMBER or len(token.text) != _YEAR_DIGITS or not token.text.isdigit():
        return 0
    year = int(ascii_digits(token.text))
    return year if _FIRST_YEAR <= year < _END_OF_YEARS else 0


def clock_at(read: Sequence[QuantityToken], at: int, language: str) -> TimeOfDay | None:
    """Return the time of day that begins at a token: "17:30", "5 pm", "17 Uhr", "17h30", "noon", "12 noon".

    >>> from scorers.statements.quantities.scanning import tokens
    >>> [clock_at(tokens(text), 0, "en").minutes for text in ("17:30", "5.30 p.m.", "5 pm", "noon")]
    [1050.0, 1050.0, 1020.0, 720.0]
    """
    token = read[at]
    if token.kind == WORD:
        minutes = NOONS.get(token.text)
        return None if minutes is None else TimeOfDay(minutes, (), at + 1)
    after = read[at + 1] if at + 1 < len(read) else None
    if after is not None and after.text in NOONS and token.text in _TWELVE:
        return TimeOfDay(NOONS[after.text], (), at + 2)
    if token.kind == CLOCK:
        hour, minute = (int(part) for part in ascii_digits(token.text).split(":")[:2])
    elif token.kind == NUMBER and after is not None:
        digits = ascii_digits(token.text).replace(",", ".")
        whole, _, rest = digits.partition(".")
        if not whole.isdigit() or len(whole) > len("24") or len(rest) not in (0, 2) or (rest and not rest.isdigit()):
            return None
        hour, minute = int(whole), int(rest or 0)
        if after.text in _OF_HOURS.get(language, "").split() and (
            language in ("de", "en") or (at > 0 and read[at - 1].text == _AT.get(language))
        ):
            extra = read[at + 2] if at + 2 < len(read) else None
            minute_behind = extra is not None and extra.kind == NUMBER and len(extra.text) == len("30")
            if after.text in ("h", "uhr") and extra is not None and minute_behind:
                return _clock(hour, int(ascii_digits(extra.text)), "", at + 3)
            return _clock(hour, minute, "24", at + 2)
        if _half(read, at + 1)[0] == "":
            return None
    else:
        return None
    half, end = _half(read, at + 1)
    return _clock(hour, minute, half or ("24" if hour > _HALF_DAY or token.text[0] == "0" else ""), end)


NOONS: Mapping[str, float] = {"noon": 720.0, "midday": 720.0, "midnight": 1440.0, "mittag": 720.0,
    "mitternacht": 1440.0, "midi": 720.0,
          "minuit": 1440.0}  # fmt: skip
"""Times of day that have a name, in minutes."""
_TWELVE = frozenset({"12", "12:00", "12.00"})
"""What may stand before that name: "12 noon"."""


def _half(read: Sequence[QuantityToken], at: int) -> tuple[str, int]:
    """Return the half of the day named at a token ("pm", "p.m."), and where that ends."""
    if at >= len(read):
        return "", at
    if read[at].text in _HALVES:
        return read[at].text, at + 1
    spelled = "".join(token.text for token in read[at : at + 4])
    for half, dotted in (("am", "a.m"), ("pm", "p.m")):
        if spelled.startswith(dotted):
            return half, at + 3 + spelled.startswith(f"{dotted}.")
    if read[at].text == "uhr":
        return "24", at + 1
    return "", at


def _clock(hour: int, minute: int, half: str, end: int) -> TimeOfDay | None:
    if hour > _LAST_HOUR or minute >= _MINUTES:
        return None
    if half == "pm" and hour < _HALF_DAY:
        hour += _HALF_DAY
    elif half == "am" and hour == _HALF_DAY:
        hour = 0
    minutes = float(hour * 60 + minute)
    ambiguous = not half and hour <= _HALF_DAY
    return TimeOfDay(minutes, ((minutes + 720.0) % 1440.0,) if ambiguous else (), end)


_PARTS = 3
"""Numbers of a date: day, month and year."""


def _numeric(written: str, language: str) -> tuple[CalendarDate, ...]:
    mark = next(c for c in written if not c.isdigit())
    parts = written.split(mark)
    if len(parts) != _PARTS or not all(part.isdigit() for part in parts):  # "5-7/10" is no date
        return ()
    first, second, third = map(int, parts)
    if written.index(mark) == _YEAR_DIGITS:
        readings = [(first, second, third)]
    else:
        year = third if third >= _CENTURY else third + (2000 if third < _SHORT_YEARS else 1900)
        readings = [(year, second, first)]
        if mark in "/-" and language == "en":
            readings.insert(0, (year, first, second))
    return tuple(dict.fromkeys(day for day in readings if 1 <= day[1] <= _LAST_MONTH and 1 <= day[2] <= _LAST_DAY))


def _from_month(read: Sequence[QuantityToken], at: int, month: int) -> tuple[tuple[CalendarDate, ...], int] | None:
    place = at + 1
    if place < len(read) and read[place].text == "." and place + 1 < len(read) and read[place + 1].kind == NUMBER:
        place += 1
    place += place < len(read) and read[place].text == "the"
    day = _day(read[place]) if place < len(read) else 0
    if day:
        end = place + 1
        end += end < len(read) and read[end].text in _ORDINAL_ENDS and read[end].text != "."
        year, end = _year_after(read, end)
        return ((year, month, day),), end
    year, end = _year_after(read, at + 1)
    word, before = read[at].text, read[at - 1].text if at else ""
    named = word not in _WORDS_TOO or before in _BEFORE_MONTHS or (word == "march" and before in _BEFORE_MARCH)
    return (((year, month, 0),), end) if year or named else None


_WORDS_TOO = frozenset(
    {"may", "march", "mar", "mai", "mars", "set", "out", "dez", "ago", "mei", "do", "marca", "maja", "август"}
)
"""Months that are words as well: dates only where a number stands beside them, or one of these before them."""
_BEFORE_MONTHS, _BEFORE_MARCH = frozenset({"of", "until", "till", "since", "during"}), frozenset({"in", "before"})


def _year_after(read: Sequence[QuantityToken], at: int) -> tuple[int, int]:
    place = at
    while place < len(read) and place - at <= 1 and read[place].text in _INNER:
        place += 1
    year = year_of(read[place]) if place < len(read) else 0
    return (year, place + 1) if year else (0, at)


def _day(token: QuantityToken) -> int:
    if token.kind != NUMBER or len(token.text) > len("31") or not token.text.isdigit():
        return 0
    day = int(ascii_digits(token.text))
    return day if 1 <= day <= _LAST_DAY else 0


def dated(days: tuple[CalendarDate, ...]) -> Quantity:
    """Return the date of which these are the readings; several days of one month are one span."""
    span = len(days) > 1 and days[0][1] == days[-1][1]
    upper = days[0][2] * 100.0 + days[-1][2] if span else None
    return Quantity("date", 0.0, "day", "", 0, 0, days=days, upper=upper)


def is_verb(text: str, read: Sequence[QuantityToken]) -> bool:
    """Tell whether the last word of what reads like a date is a verb: "employees aged 30 may apply"."""
    last = read[-1]
    return last.text in _VERBS and text[last.start].islower() and not text.islower()


_VERBS = frozenset({"may", "march"})
