"""Values of a claim that follow from the asker's own: 10 % of "my balance of 180,000", 90 days before "30 September".

What a rule comes to in the case of a question stands in no context. One of the values that it is reckoned from is the
asker's, or was reckoned before in the same answer; the other one the context tells, or the claim itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment

ROUNDED = 0.005
"""By what share a value may be rounded."""
MOST_BEFORE = 24
"""Values of an answer that are remembered."""

_MEASURED = frozenset({"money", "time", "working time", "mass", "length", "area", "volume", "data", "count"})
_DAY, _LONGEST = 86_400.0, 3 * 366 * 86_400.0
_LAST_DAY = 31
_ANY_YEAR = 2_001
_APART = re.compile(
    r"\b(?:left|remain\w*|rest|others?|above|over|beyond|exce(?:ss|ed\w*)|extra|additional(?:ly)?|more|less|fewer|short"
    r"|differ\w*|minus|after|still|another|to go)\b",
    re.IGNORECASE,
)
"""What speaks of the difference of two values."""
_REDUCED = re.compile(
    r"\b(?:discount\w*|off|less|reduc\w+|rebate|fees?|charges?|surcharge|tax|vat|plus|after|so|comes? to|i\.e)\b",
    re.IGNORECASE,
)
"""What speaks of a share that is taken of a value, or added to it."""


def worked(a: Alignment, before: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Return those values of a claim that are reckoned from those of its question, or of the answer ``before`` it."""
    words, asked = a.claim.sentence.words[:LONGEST], quantities_in(a.claim.asked[:LONGEST], "en")
    claimed = quantities_in(words, "en")
    if not claimed or not (asked or before or len(claimed) > 1):
        return ()
    found = []
    for each in claimed:
        if each.dimension in ("date", "ordinal"):
            follows = _falls_so(each, asked, claimed, a)
        elif each.dimension in _MEASURED:
            rest = [other for other in claimed if other is not each]
            results = chain(
                _shares(each, words, (*asked, *before, *rest), a),
                _differences(each, words, [one for one in asked if _alike(one, each)], (*before, *rest), a),
            )
            follows = any(close(_own(each), value, ROUNDED) for value in results)
        else:
            continue
        if follows:
            found.append(each)
    return tuple(found)


def _told(a: Alignment) -> list[Quantity]:
    """Return the values of a context, which is read for them where something may follow from one."""
    return [each.quantity for each in a.context.values.values]


def _own(value: Quantity) -> float:
    return value.amount if value.dimension == "count" else value.value


def _alike(one: Quantity, other: Quantity) -> bool:
    """Tell whether two values are of one kind; a bare number is of any."""
    if one.dimension != other.dimension:
        return False
    return one.dimension not in ("money", "count") or one.unit == other.unit or "" in (one.unit, other.unit)


def _differences(
    claimed: Quantity, words: str, asked: Sequence[Quantity], others: Sequence[Quantity], a: Alignment
) -> Iterator[float]:
    """Yield what is left of the asker's values, and what they exceed others by, where a claim speaks of that."""
    if not asked or _APART.search(words) is None:
        return
    others = (*others, *_told(a))
    for own in asked:
        for other in others:
            if _alike(other, claimed):
                yield abs(_own(own) - _own(other))
            elif other.dimension == "count" and not other.unit and own.amount:  # "the 6 hours above 40"
                yield abs(own.amount - other.amount) * _own(own) / own.amount


def _shares(claimed: Quantity, words: str, given: Sequence[Quantity], a: Alignment) -> Iterator[float]:
    """Yield the shares of values that a rule takes, and what remains or comes on top."""
    reduced = _REDUCED.search(words) is not None
    if not reduced and not any(_alike(value, claimed) for value in given):
        return
    told = _told(a)
    shares = {each.value / 100 for each in (*given, *told) if each.dimension == "percent"}
    if not shares:
        return
    of_rules = told if reduced else ()
    for value in (*given, *of_rules):
        if _alike(value, claimed):
            for share in shares:
                yield from (_own(value) * share, _own(value) * (1 - share), _own(value) * (1 + share))
                if share and value in given:
                    yield _own(value) / share  # "so 200 dollars cost 3 more"


def _falls_so(claimed: Quantity, asked: Sequence[Quantity], mine: Sequence[Quantity], a: Alignment) -> bool:
    """Tell whether a date is the asker's, earlier or later by a period that is told, give or take a day."""
    if not any(each.dimension == claimed.dimension for each in asked):
        return False
    periods = [each for each in (*_told(a), *mine) if each.dimension == "time"]
    days = [each.value / _DAY for each in periods if _DAY <= each.value <= _LONGEST]
    if claimed.dimension == "ordinal":
        own = [each.amount for each in asked if each.dimension == "ordinal" and 0 < each.amount <= _LAST_DAY]
        return any(close(claimed.amount, one + by * sign) for one in own for by in days for sign in (-1, 1))
    reached = (
        day + sign * round(by) + near
        for each in asked
        if (day := _day_of(each)) is not None
        for by in days
        for sign in (-1, 1)
        for near in (-1, 0, 1)
    )
    return any(_is_on(claimed, date.fromordinal(day)) for day in reached if 0 < day <= _LAST)


_LAST = date.max.toordinal()
"""The last day that a calendar here knows: a text may name the year 9999."""


def _day_of(value: Quantity) -> int | None:
    """Return the number of a date that is told with its day; of one without a year, in a year of 365 days."""
    year, month, day = value.days[0] if value.dimension == "date" else (0, 0, 0)
    try:
        return date(year or _ANY_YEAR, month, day).toordinal()
    except ValueError:
        return None


def _is_on(claimed: Quantity, day: date) -> bool:
    """Tell whether a date, or a month alone, is that of a day."""
    _, month, at = claimed.days[0]
    return month == day.month and at in (0, day.day)
