"""What one cell of a table, or one word of a claim about it, says: words, a number with its unit, a date.

Claims and cells are read by the same rules, so that "1,290", "1290" and "1.29 thousand" are one number and "March 26,
2010" and "2010-03-26" one date. Every repetition is bounded; reading is linear in the length of a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from adapters.caching import cached
from scorers.text.normalize import MONTHS, MONTHS_BESIDE_NUMBERS, STOP_WORDS, word_set
from scorers.text.numbers import canonical_number
from scorers.text.plain import plain
from scorers.text.stemming import stem

MAX_TOKENS = 160
"""Words and numbers of a claim or a cell that are read."""

_TOKEN = re.compile(
    r"(?P<code>(?<![^\W_])[A-Z]{1,2}\d{1,3}(?![^\W_]|[.,:]\d))"
    r"|(?P<word>[^\W\d_]{1,40}(?:'[^\W\d_]{1,8})?)"
    r"|(?P<iso>\d{4}-\d{2}-\d{2})(?!\d)"
    r"|(?P<clock>\d{1,2}:\d{1,2}(?::\d{2})?)(?!\d)"
    r"|(?P<number>\d[\d.,]{0,20}\d|\d)"
    r"|(?P<sign>[-+%$\u20ac\u00a3\u00a5\u00b0,;:/()&])"
)
_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMERALS = {
    **{word: value for value, word in enumerate(_SMALL.split())},
    **dict(zip(_TENS.split(), range(20, 100, 10), strict=True)),
}
_TIMES = {"once": 1, "twice": 2, "thrice": 3, "dozen": 12}
_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS = {word: place for place, word in enumerate(_PLACES.split(), start=1)}
"""The place that a word names."""

_MAGNITUDES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12,
}  # fmt: skip
_MAGNITUDE_LETTERS = frozenset({"k", "m"})
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS = {name: day for day, full in enumerate(_WEEKDAYS) for name in (full, f"{full}s")}
"""Weekdays by name, Monday being 0."""

_UNIT_NAMES = """time s:1 sec:1 second:1 seconds:1 min:60 mins:60 minute:60 minutes:60 h:3600 hr:3600 hrs:3600 hour:3600
    hours:3600 day:86400 days:86400 week:604800 weeks:604800 | months month:1 months:1 year:12 years:12 yr:12 yrs:12
    | length mm:.001 cm:.01 m:1 metre:1 metres:1 meter:1 meters:1 km:1000 kilometre:1000 kilometres:1000
    kilometer:1000 kilometers:1000 | imperial in:1 inch:1 inches:1 ft:12 foot:12 feet:12 yd:36 yard:36 yards:36
    mi:63360 mile:63360 miles:63360 | mass mg:.001 g:1 gram:1 grams:1 kg:1000 kilogram:1000 kilograms:1000
    | data kb:1 mb:1e3 gb:1e6 tb:1e9 | share %:1 percent:1 pct:1 | usd $:1 usd:1 dollar:1 dollars:1
    | eur \u20ac:1 eur:1 euro:1 euros:1 | gbp \u00a3:1 gbp:1 | jpy \u00a5:1 jpy:1 yen:1 | chf chf:1
    | degrees \u00b0:1 degree:1 degrees:1"""
_UNITS = {
    name: (dimension, float(factor))
    for dimension, *names in (part.split() for part in _UNIT_NAMES.split("|"))
    for name, _, factor in (each.rpartition(":") for each in names)
}
CURRENCIES = frozenset("$\u20ac\u00a3\u00a5")

NEGATORS = word_set("no not never none neither nor without cannot nobody nothing didn don doesn isn wasn won't")
_LONG_YEAR = 4
_FIRST_YEAR, _LAST_YEAR = 1000, 2200


class CellDate(NamedTuple):
    """A date as far as it is told; 0 stands for what is not, and so does a weekday of -1."""

    year: int = 0
    month: int = 0
    day: int = 0
    weekday: int = -1

    @property
    def order(self) -> float:
        """A number that grows with time, comparable among dates told as far."""
        return self.year * 372.0 + self.month * 31.0 + self.day

    def holds(self, other: CellDate) -> bool:
        """Whether everything that this date tells is so of ``other``."""
        return (
            self.year in (0, other.year)
            and self.month in (0, other.month)
            and self.day in (0, other.day)
            and self.weekday in (-1, other.weekday)
        )


class CellToken(NamedTuple):
    """A word or number as read: its stem, a number with its dimension where it is one, a date, and where it stands.

    ``value`` is in the base unit of ``dimension``, ``number`` as written; ``spelled`` in letters or as an ordinal.
    ``decimals`` are the digits behind the point; ``width`` how many written tokens a date takes.
    """

    word: str
    stem: str
    content: bool
    number: float | None = None
    value: float | None = None
    dimension: str = ""
    spelled: bool = False
    ordinal: bool = False
    decimals: int = 0
    day: CellDate | None = None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, its content stems, and the number or the date that it tells, where it tells just one."""

    text: str
    stems: tuple[str, ...]
    number: float | None = None
    value: float | None = None
    dimension: str = ""
    day: CellDate | None = None

    @property
    def order(self) -> float | None:
        """What the cell is ranked by: its number, else its date."""
        if self.value is not None:
            return self.value
        return None if self.day is None else self.day.order


EMPTY = Cell("", ())


def tokens(text: str) -> tuple[CellToken, ...]:
    """Return the words, numbers and dates of a text in order; punctuation stays as tokens that are no content.

    >>> [(t.word, t.value) for t in tokens("Germany: 1,290 kg") if t.content]
    [('germany', None), ('1290', 1290000.0), ('kg', None)]
    >>> [t.day for t in tokens("on March 26, 2010") if t.day]
    [CellDate(year=2010, month=3, day=26, weekday=4)]
    """
    written = plain(text)
    read = [
        _JOINING if match.group() == "-" and written[match.start() - 1 : match.start()].isalpha() else _token(match)
        for _, match in zip(range(MAX_TOKENS), _TOKEN.finditer(written), strict=False)
    ]
    return tuple(_joined(read))


_JOINING = CellToken("-", "", content=False, raw="-")
"""A hyphen right behind a letter: "COVID-19" has no number below zero."""


def _token(match: re.Match[str]) -> CellToken:
    kind, written = match.lastgroup, match.group()
    if kind == "word":
        return _word(written)
    if kind == "code":  # "P2" and "Q3" are names, and no amounts
        return CellToken(written.lower(), written.lower(), content=True, raw=written)
    if kind == "number":
        number = canonical_number(written)
        try:
            value = float(number)
        except ValueError:
            return CellToken(written, "#" + written, content=True, raw=written)
        decimals = len(number.partition(".")[2])
        return CellToken(number, "#" + number, True, value, value, decimals=decimals, raw=written)
    if kind == "iso":
        year, month, day = (int(part) for part in written.split("-"))
        return CellToken(written, "#" + written, content=True, day=_day(year, month, day), raw=written)
    if kind == "clock":
        hour, minute = (int(part) for part in written.split(":")[:2])
        clock = f"{hour}:{minute:02d}"
        return CellToken(clock, "#" + clock, True, None, hour * 60.0 + minute, "clock", raw=written)
    return CellToken(written, written, content=False, raw=written)


@cached(maxsize=8_192)
def _word(written: str) -> CellToken:
    word = written.casefold()
    if word in _NUMERALS:
        number = float(_NUMERALS[word])
        return CellToken(word, f"#{number:g}", True, number, number, spelled=True, raw=written)
    if word in _TIMES:
        number = float(_TIMES[word])
        return CellToken(word, word, False, number, number, spelled=True, raw=written)
    if word in ORDINALS:
        number = float(ORDINALS[word])
        return CellToken(word, word, True, number, number, spelled=True, ordinal=True, raw=written)
    if word in MONTHS and word not in MONTHS_BESIDE_NUMBERS:
        return CellToken(word, f"#month{MONTHS[word]}", content=True, day=CellDate(month=MONTHS[word]), raw=written)
    if word in WEEKDAYS:
        return CellToken(word, word, content=True, day=CellDate(weekday=WEEKDAYS[word]), raw=written)
    content = word not in STOP_WORDS and word not in NEGATORS and not word.endswith("n't")
    return CellToken(word, stem(word) if content else word, content=content, raw=written)


def _day(year: int, month: int, day: int) -> CellDate | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):  # noqa: PLR2004 - months and days
        return None
    return CellDate(year, month, day, _weekday(year, month, day) if year else -1)


def _weekday(year: int, month: int, day: int) -> int:
    """Return the weekday, Monday being 0 (T. Sakamoto, 1992, public domain)."""
    shifted = year - (month < 3)  # noqa: PLR2004 - the year begins in March there
    sunday_based = (shifted + shifted // 4 - shifted // 100 + shifted // 400 + _SHIFTS[month - 1] + day) % 7
    return (sunday_based + 6) % 7


_SHIFTS = (0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4)


def _joined(read: list[CellToken]) -> list[CellToken]:
    """Join dates, magnitudes, units, signs and ordinal endings to the numbers they belong to."""
    found: list[CellToken] = []
    at = 0
    while at < len(read):
        token = read[at]
        if token.word in MONTHS_BESIDE_NUMBERS and token.raw[:1].isupper() and at and read[at - 1].word in _IN:
            token = read[at] = token._replace(
                stem=f"#month{MONTHS[token.word]}", day=CellDate(month=MONTHS[token.word])
            )
        dated = _dated(read, at)
        if dated is not None:
            token, at = dated
            found.append(token)
            continue
        at += 1
        if token.number is None or token.spelled:
            found.append(token)
            continue
        token, at = _with_unit(token, read, at, found)
        found.append(token)
    return found


def _with_unit(token: CellToken, read: list[CellToken], at: int, found: list[CellToken]) -> tuple[CellToken, int]:
    """Return a number with what stands around it, and where that ends; a sign is taken from ``found``."""
    number = token.number or 0.0
    following = read[at].word if at < len(read) else ""
    if following in _ORDINAL_ENDINGS:
        return token._replace(ordinal=True), at + 1
    if following in _MAGNITUDES and (following not in _MAGNITUDE_LETTERS or _money(found)):
        number *= _MAGNITUDES[following]
        token = token._replace(decimals=-_DIGITS, stem=f"#{number:.12g}")
        at += 1
        following = read[at].word if at < len(read) else ""
    if following in _HALVES and number <= _HOURS:
        hour = number % _HOURS + (_HOURS if following == "pm" else 0)
        clock = f"#{hour:g}:00"
        return token._replace(stem=clock, number=None, value=hour * 60, dimension="clock"), at + 1
    if found and found[-1].word == "-" and _negative(found):
        found.pop()
        number = -number
    token = token._replace(number=number, value=number)
    unit = _UNITS.get(following)
    if unit is not None:
        token = token._replace(dimension=unit[0], value=number * unit[1])
    elif _money(found):
        token = token._replace(dimension=_UNITS[found[-1].word][0])
    return token, at


_HALVES, _HOURS = frozenset({"am", "pm"}), 12
_DIGITS = 9
_IN = word_set("in to from of since until by and between during before after mid late early")


def _money(found: list[CellToken]) -> bool:
    return bool(found) and found[-1].word in CURRENCIES


def _negative(found: list[CellToken]) -> bool:
    """Whether the hyphen at the end of ``found`` is a sign: it joins no word, and no number or bracket is before it."""
    if not found[-1].stem:
        return False
    return len(found) < 2 or (found[-2].number is None and found[-2].day is None and found[-2].word != ")")  # noqa: PLR2004


def _dated(read: list[CellToken], at: int) -> tuple[CellToken, int] | None:
    """Return a date that begins at ``at`` and where it ends; a year alone stays a number."""
    token = read[at]
    month = MONTHS.get(token.word)
    if month is not None and (token.day is not None or _number_at(read, at + 1) is not None):
        day, after = _day_number(read, at + 1)
        comma = after + (after < len(read) and read[after].word == ",")
        year = _year(read, comma)
        if day is None and year is None and token.day is None:
            return None
        end = comma + 1 if year is not None else after
        return _date_token(read, at, end, _day(year or 0, month, day) if day else CellDate(year or 0, month)), end
    day, after = _day_number(read, at)
    if day is not None and after < len(read) and (month := MONTHS.get(read[after].word)) is not None:
        comma = after + 1 + (after + 1 < len(read) and read[after + 1].word == ",")
        year = _year(read, comma)
        end = comma + 1 if year is not None else after + 1
        return _date_token(read, at, end, _day(year or 0, month, day)), end
    return None


def _date_token(read: list[CellToken], at: int, end: int, day: CellDate | None) -> CellToken:
    raw = " ".join(part.raw for part in read[at:end])
    return CellToken(raw.casefold(), f"#{raw.casefold()}", content=True, day=day, raw=raw)


def _number_at(read: list[CellToken], at: int) -> float | None:
    return read[at].number if at < len(read) and not read[at].spelled else None


def _day_number(read: list[CellToken], at: int) -> tuple[int | None, int]:
    number = _number_at(read, at)
    if number is None or not 1 <= number <= 31 or number % 1 or len(read[at].raw) > 2:  # noqa: PLR2004 - days of a month
        return None, at
    after = at + 1 + (at + 1 < len(read) and read[at + 1].word in _ORDINAL_ENDINGS)
    return int(number), after + (after < len(read) and read[after].word == "of")


def _year(read: list[CellToken], at: int) -> int | None:
    number = _number_at(read, at)
    if number is None or len(read[at].raw) != _LONG_YEAR or not _FIRST_YEAR <= number <= _LAST_YEAR:
        return None
    return int(number)


def is_year(token: CellToken) -> bool:
    """Whether a number may be a year."""
    return len(token.raw) == _LONG_YEAR and token.number is not None and _FIRST_YEAR <= token.number <= _LAST_YEAR


_WORDS = 2
"""Words behind the number of a cell; with more it is an address or prose."""


@cached(maxsize=16_384, longest=400)
def read_cell(text: str) -> Cell:
    """Read a cell. Its number is the one it begins with, behind at most one word; its date the only one it has.

    >>> read_cell("$1,200 per month").value, read_cell("2 - 8").value, read_cell("Oslo").stems
    (1200.0, None, ('oslo',))
    """
    read = tokens(text)
    stems = tuple(dict.fromkeys(t.stem for t in read if t.content)) or tuple(dict.fromkeys(t.stem for t in read))
    days = [t.day for t in read if t.day is not None and (t.day.month or t.day.weekday >= 0)]
    if days:
        return Cell(text, stems, day=max(days, key=lambda day: (day.day > 0, day.month > 0)))
    first = next((at for at, t in enumerate(read) if t.value is not None and not t.spelled), None)
    if first is None or sum(t.content for t in read[:first]) > 1:
        return Cell(text, stems)
    rest = [t for t in read[first + 1 :] if t.content or t.word == "-"]
    if rest and rest[0].word in ("-", ":") and len(rest) > 1 and rest[1].value is not None:
        return Cell(text, stems)  # a score or a range
    if sum(t.content and t.number is None for t in read[first + 1 :] if t.word not in _UNITS) > _WORDS:
        return Cell(text, stems)
    token = read[first]
    if "=" in text:  # a sum that is written out
        token = next((t for t in reversed(read) if t.number is not None), token)
    return Cell(text, stems, token.number, token.value, token.dimension)
