"""Days of the week and times of day of a text, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.text.record import DAY_NUMBERS

HOLIDAY = 7
"""The number of a public holiday beside those of the weekdays: Monday is 0, Sunday 6."""
WEEK = frozenset(range(7))
DAY_LENGTH = 24 * 60
"""Minutes from which on a time of day is one of the next day."""
MOST = 64
"""Days, and times, of a sentence that are read; a longer one is a table."""
BEFORE = 32
"""Characters before a value that tell how it stands there."""

_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_TO = r"\s{0,2}(?:to|through|thru|until|till|-|\u2013|\u2014)\s{0,2}"
_DAYS = re.compile(
    rf"\b(?P<first>{_DAY})\b\.?{_TO}(?P<last>{_DAY})\b|\b(?P<day>{_DAY})\b"
    r"|\b(?P<week>(?:every\s?|any )day(?: of the week)?|each day"
    r"|daily(?=\s{0,2}(?:[,.;:()!?\d]|$|(?:from|between|at|until|till|and|or|except|in|on|by|for|during|as|to)\b))"
    r"|(?:seven|7) days(?: a| per)? week|all week)\b"
    r"|\b(?P<working>weekdays?|(?:working|business) days?|during the week)\b|\b(?P<weekend>weekends?)\b"
    r"|\b(?P<rest>otherwise|(?:on )?(?:all )?(?:the )?other days|the rest of the week)\b"
    r"|\b(?P<holiday>(?:public|bank|national) holidays?)\b"
    r"|\b(?P<always>24/7|around the clock|24 hours(?: a| per) day|(?<=open )24 hours|at all times|(?:at )?any ?time"
    r"(?! between| before| during| until| within| after| from))(?!\w)",
    re.IGNORECASE,
)
_WEEKLY = re.compile(r"days\b|-|\u2013|\b(?:to|through|thru|until|till)\b", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:every|each)\s$", re.IGNORECASE)
_ORDINAL = r"(?:first|second|third|fourth|last|final|other|alternate)"
_WHICH = re.compile(rf"\b(?P<which>{_ORDINAL}(?:,?\s(?:and\s|or\s)?{_ORDINAL}){{0,3}})\s$", re.IGNORECASE)
_SINGLE = re.compile(r"\b(?:next|this|previous|past|coming)\s$|\b(?:on|by|before|after) or\s$", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|few|several|many|full))\s$", re.IGNORECASE
)
_NAMED = re.compile(r"12(?=\s(?:noon|midnight)\b)", re.IGNORECASE)
_JOINED = re.compile(r"\s{0,2}(?:to|until|till|through|and|-|\u2013|\u2014)\s{0,2}(?:12\s)?$", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)


class DaysOrTimes(NamedTuple):
    """Days or times of a text, from ``start`` to ``end`` of it.

    ``opens`` and ``closes`` are minutes since midnight; ``single`` tells of a time that it stands alone, so that the
    words around it tell whether something opens or closes then. ``which`` tells of days which ones of a month they are,
    or "other" for every other week. ``weekly`` tells that they are surely those of each week, and ``dated`` that they
    are those of one week.
    """

    start: int
    end: int
    days: frozenset[int] = frozenset()
    opens: float | None = None
    closes: float | None = None
    single: bool = False
    which: frozenset[str] = frozenset()
    weekly: bool = False
    dated: bool = False


def values_in(text: str) -> list[DaysOrTimes]:
    """Return the days and times of a text in its order.

    >>> [(sorted(each.days), each.opens, each.closes) for each in values_in("Mon-Wed 9 am to noon")]
    [([0, 1, 2], None, None), ([], 540.0, 720.0)]
    """
    return sorted([*islice(_days_in(text), MOST), *islice(_times_in(text), MOST)], key=_start)


def _start(value: DaysOrTimes) -> int:
    return value.start


def _days_in(text: str) -> Iterator[DaysOrTimes]:
    told: frozenset[int] = frozenset()
    for found in _DAYS.finditer(text):
        start, end = found.span()
        before = text[max(0, start - BEFORE) : start]
        if found["always"]:
            week = WEEK if found["always"] == "24/7" else frozenset[int]()
            yield DaysOrTimes(start, end, week, 0.0, float(DAY_LENGTH), weekly=True)
        elif not (found["working"] and _COUNTED.search(before)):  # "3 to 5 working days"
            days = WEEK - told if found["rest"] else _named(found)
            which = _WHICH.search(before)
            weekly = not found["day"] or which is not None or text[end : end + 1] == ":"
            weekly = weekly or bool(_WEEKLY.search(found.group()) or _EVERY.search(before))
            said = (
                frozenset()
                if which is None
                else frozenset(re.findall(r"\w{4,}", which["which"].lower().replace("final", "last")))
            )
            if told or not found["rest"]:
                dated = _SINGLE.search(before) is not None
                yield DaysOrTimes(start, end, days, which=said, weekly=weekly, dated=dated)
            told |= days


def _named(found: re.Match[str]) -> frozenset[int]:
    if found["first"]:
        first, last = _number(found["first"]), _number(found["last"])
        return frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
    if found["day"]:
        return frozenset({_number(found["day"])})
    if found["working"]:
        return frozenset(range(5))
    if found["weekend"]:
        return frozenset({5, 6})
    return frozenset({HOLIDAY}) if found["holiday"] else WEEK


def _number(name: str) -> int:
    return DAY_NUMBERS[name.casefold()[:3]]


def _times_in(text: str) -> Iterator[DaysOrTimes]:
    """Yield the times of day of a text, the two ends of a range as one."""
    clocks = [each for each in quantities_in(text, "en") if each.dimension == "clock"]
    clocks = [each for each in clocks if not _NAMED.match(text, each.start)]  # the "12" of "12 noon"
    at = 0
    while at < len(clocks):
        one, other = clocks[at], clocks[at + 1] if at + 1 < len(clocks) else None
        if other is None or not _is_range(text, one, other):
            yield DaysOrTimes(one.start, one.end, opens=one.value % DAY_LENGTH, single=True)
            at += 1
        else:
            opens, closes = _opening(one, other) % DAY_LENGTH, other.value % DAY_LENGTH
            yield DaysOrTimes(one.start, other.end, opens=opens, closes=closes)
            at += 2


def _is_range(text: str, one: Quantity, other: Quantity) -> bool:
    joint = text[one.end : other.start]
    if _JOINED.fullmatch(joint) is None:
        return False
    return "and" not in joint.lower() or _BETWEEN.search(text, max(0, one.start - BEFORE), one.start) is not None


def _opening(one: Quantity, other: Quantity) -> float:
    """Return when a range begins, of whose times the first may be told without its half of the day: "6 to 8 pm"."""
    later = [each for each in one.others if one.value < each < other.value and "p" in other.written.lower()]
    return max(later, default=one.value)
