"""What a number counts: the unit behind it, the currency before it, the noun, and the other end of a range."""

from __future__ import annotations

import re
from typing import NamedTuple

from scorers.statements.quantities.ages import named_age
from scorers.statements.quantities.amounts import NumberReading
from scorers.statements.quantities.scanning import NUMBER, WORD
from scorers.statements.quantities.text import TokenizedText
from scorers.statements.quantities.units import MeasureUnit
from scorers.text.normalize import STOP_WORDS, word_set
from scorers.text.stemming import stem

_RANGE_WORDS = word_set("to bis à a al tot do до and und et y e en и i or")
_EITHER = word_set("and und et y e en и i or")
_UNSURE = word_set("a do à")
_DASHES = frozenset("-\u2013\u2014\u2012\u2011~\u301c\uff5e")
_BETWEEN = word_set("between zwischen entre tra fra tussen między pomiędzy между from von de da van od от desde")
_ADJECTIVES = word_set(
    """full paid unpaid unused remaining consecutive additional extra more further whole entire straight annual
    successive complete
    weitere weiteren volle vollen ganze ganzen zusätzliche aufeinanderfolgende aufeinanderfolgenden bezahlte"""
)
_MONEY_WORDS = word_set("£ gbp sterling pay pays paid cost costs fee fees price charge charges fine refund budget")
_BEFORE_ONE = word_set("for of lasts take takes than für pendant durante per przez за")
_ONES = word_set("one eins")
_MINUS = frozenset({"-", "\u2212", "minus"})
_HYPHENS = frozenset("-\u2010\u2011")
_MILLIONS = {"m": 1e6, "b": 1e9, "t": 1e12}
_SMALL_WORD = 2
_WORDS_OF_UNIT = (3, 2)


class Range(NamedTuple):
    """The other end of a range in the unit of both, and where it ends."""

    upper: float
    end: int
    unit: MeasureUnit | None


def unit_at(read: TokenizedText, at: int) -> tuple[MeasureUnit | None, int]:
    """Return the unit that begins at a token, behind a hyphen or an adjective too, and where it ends."""
    words = read.words
    if at >= len(words):
        return None, at
    unit, end = _named(read, at)
    hyphen = words[at] in _HYPHENS and read.touching(at + 1)
    if unit is None and (hyphen or words[at] in _ADJECTIVES):
        unit, end = _named(read, at + 1)
    elif unit is None and words[at] in ("de", "di"):
        unit, end = _named(read, at + 1)
        unit = unit if unit is not None and unit.dimension == "money" else None
    elif unit is None and words[at : at + 2] == [",", "-"] and at + 2 < len(words):
        unit, end = read.table.units.get(words[at + 2]), at + 3
    return (unit, end) if unit is not None else (None, at)


def _named(read: TokenizedText, at: int) -> tuple[MeasureUnit | None, int]:
    words, table = read.words, read.table.units
    if at >= len(words):
        return None, at
    for size in _WORDS_OF_UNIT if words[at] in read.table.leading else ():
        if at + size <= len(words) and (unit := table.get(" ".join(words[at : at + size]))) is not None:
            return unit, at + size
    if read.touching(at + 1) and (words[at] == "\u00b0" or words[at + 1] == "$"):
        unit = table.get(words[at] + words[at + 1])
        if unit is not None:
            return unit, at + 2
    unit = table.get(words[at])
    if unit is not None and words[at].startswith("pound") and not _MONEY_WORDS.isdisjoint(words):
        unit = table["gbp"]
    if unit is None and read.table.name == "de" and (found := _COMPOUND.fullmatch(words[at])) is not None:
        unit = table.get(found["unit"])
    return unit, at + 1


_COMPOUND = re.compile(
    r"(?!(?:mon|diens|donners|frei|sams|sonn|feier|geburts|mit|nachmit|vormit|all)tag)\w{3,40}?(?<!halb)(?<!viertel)"
    r"(?<!lebens)(?P<unit>tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?)"
)
"""A unit with what it is of before it: "5 Urlaubstage" are five days."""


def currency_before(read: TokenizedText, at: int) -> tuple[MeasureUnit | None, int]:
    """Return the currency before a number, and where its sign begins; the number's own place where there is none."""
    unit = read.table.units.get(read.words[at - 1]) if at else None
    if unit is None or unit.dimension != "money" or unit.name == "cent":
        return None, at
    if read.words[at - 1] == "$" and read.touching(at - 1):
        wide = read.table.units.get(f"{read.words[at - 2]}$")
        if wide is not None:
            return wide, at - 2
    return unit, at - 1


def in_millions(read: TokenizedText, amount: NumberReading) -> NumberReading:
    """Return an amount of money with the letter behind it: "$5m", "$2b"."""
    if not read.touching(amount.end) or read.words[amount.end] not in _MILLIONS:
        return amount
    scale = _MILLIONS[read.words[amount.end]]
    values = tuple(value * scale for value in amount.values)
    return amount._replace(values=values, step=amount.step * scale, end=amount.end + 1)


def said_again(read: TokenizedText, amount: NumberReading) -> NumberReading:
    """Pass over the same number in other characters: "thirty (30) days"."""
    place = amount.end
    if place + 2 < len(read.words) and read.words[place] == "(":
        other = read.amount(place + 1)
        closed = other is not None and other.end < len(read.words) and read.words[other.end] == ")"
        if other is not None and closed and set(other.values) & set(amount.values):
            return amount._replace(end=other.end + 1, article=False)
    return amount


def with_half(read: TokenizedText, end: int, amount: NumberReading, unit: MeasureUnit) -> int:
    """Return where "and a half" behind a unit of time ends ("an hour and a half"); 0 where there is none."""
    words, numbers = read.words, read.table.numerals
    if unit.dimension == "time" and amount.step >= 1 and end + 1 < len(words) and words[end] in numbers.joins:
        place = end + 1 + (words[end + 1] in numbers.articles)
        if place < len(words) and words[place] in numbers.halves:
            return place + 1
    return 0


def is_meant(read: TokenizedText, at: int, unit: MeasureUnit) -> bool:
    """Tell whether an article before a unit is the number one: "within a week", not "a week later"."""
    word = read.words[at]
    if unit.dimension not in ("time", "working time"):
        return word in _ONES
    if word in _ONES or unit.name == "fortnight" or (at and read.words[at - 1] in _BEFORE_ONE):
        return True
    return read.table.bounds.before(read.words, at) is not None


def noun_at(read: TokenizedText, at: int) -> tuple[str, int]:
    """Return the stem of the word that a number counts, and where it ends; "" for none."""
    for place in range(at, min(at + 2, len(read.tokens))):
        token = read.tokens[place]
        if token.kind == WORD and len(token.text) > _SMALL_WORD:
            if token.text in STOP_WORDS or token.text in read.table.units:
                return "", at
            return stem(token.text), place + 1
        if token.text != "-":
            break
    return "", at


def is_negative(read: TokenizedText, first: int) -> bool:
    """Tell whether a minus stands before a number: a hyphen that nothing touches on the left."""
    if not first or read.words[first - 1] not in _MINUS:
        return False
    return read.words[first - 1] == "minus" or (read.touching(first) and not read.touching(first - 1))


def range_at(
    read: TokenizedText, first: int, end: int, amount: NumberReading, unit: MeasureUnit | None, *, signed: bool
) -> Range | None:
    """Return the other end of the range that an amount begins ("5-10 days", "between 5 and 10"), ``None`` for none.

    ``signed`` amounts stand behind their currency.
    """
    place = _range_from(read, first, end, amount, unit)
    if not place:
        return None
    other = read.amount(place + (signed and currency_before(read, place + 1)[1] == place))
    if other is None or other.article or other.part:
        return None
    if signed:
        other = in_millions(read, other)
        further, last = unit, other.end
    else:
        further, last = unit_at(read, other.end)
    both = further or unit
    if unit is not None and (further is None or unit.dimension != further.dimension):
        return None
    low = amount.values[0] * (unit.factor if unit else both.factor if both else 1.0)
    high = other.values[0] * (both.factor if both else 1.0)
    if low >= high:
        return None
    own = unit or both
    return Range(high / own.factor if own else high, last, own)


def _range_from(read: TokenizedText, first: int, end: int, amount: NumberReading, unit: MeasureUnit | None) -> int:
    """Return where the other end of a range can begin, 0 for nowhere."""
    words = read.words
    if end + 1 >= len(words) or amount.article or amount.part:
        return 0
    opens = named_age(words, first)  # "between the ages of 6 and 12"
    between = bool(opens) and words[opens - 1] in _BETWEEN
    if words[end] not in _DASHES:
        if words[end] not in _RANGE_WORDS or (words[end] in _EITHER and not between):
            return 0
        if words[end] in _UNSURE and not between and unit is not None:
            return 0
    following = read.tokens[end + 1]
    if following.kind == NUMBER or following.text in read.table.units:
        return end + 1
    return end + 1 if following.kind == WORD and amount.step >= 1 and following.text in read.table.begins else 0


def time_shared(read: TokenizedText, at: int) -> tuple[MeasureUnit, int] | None:
    """Return the unit of time behind a share, and where it ends: "three quarters of an hour"."""
    if read.words[at : at + 2] not in (["of", "an"], ["of", "a"]):
        return None
    unit = read.table.units.get(read.words[at + 2]) if at + 2 < len(read.words) else None
    return (unit, at + 3) if unit is not None and unit.dimension == "time" else None
