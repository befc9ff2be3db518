"""The slots of a timetable that a sentence tells: what is open on which days, from when, and until when.

"The desk is open Monday to Thursday from 8 am to 6 pm and on Friday until 3 pm" has two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import RuleWord, marks_of
from scorers.support.seasons import months_in
from scorers.support.timetables.parts import HoursPart, names, parts_of
from scorers.support.timetables.values import WEEK

_MAY = re.compile(
    r"\b(?:mon|tues?|wed|thu|thurs?|fri|sat|sun|\w{0,6}days?|daily|week|weekends?|24|clock|times?|anytime|noon|midnight"
    r"|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]\.?m)\b",
    re.IGNORECASE,
)
"""Without any of these a sentence tells of no day and no time of day."""


_OUTSIDE = re.compile(
    r"\boutside (?:of )?(?:the |these |those |our |its |your )?(?:[a-z]+ )?(?:hours|times?|period)\b", re.IGNORECASE
)
"""From where on a sentence tells of other times than those of what it names."""


class OpenHours(NamedTuple):
    """What a sentence tells of days and times.

    ``days`` are numbers of weekdays, Monday being 0 and a public holiday 7, ``None`` where none is told; ``which``
    tells which ones of a month they are, or "other" for every other week. ``opens`` and ``closes`` are minutes since
    midnight, ``named`` the words for what is open. ``closed`` tells that it is not then, ``only`` that it is at no
    other time, and ``vague`` that this may hold of one week or under a condition, so that it says nothing of a claim.
    ``shown`` is what a reader is shown.
    """

    days: frozenset[int] | None
    opens: float | None
    closes: float | None
    named: tuple[RuleWord, ...]
    shown: str
    closed: bool = False
    only: bool = False
    vague: bool = False
    which: frozenset[str] = frozenset()


def tells_times(text: str) -> bool:
    """Tell whether a sentence is one of a timetable.

    >>> tells_times("Mon-Fri 9:00-18:00, Sat 10:00-14:00."), tells_times("He left on Monday.")
    (True, False)
    """
    return any(not each.vague for each in slots_in(text))


def named_in(text: str) -> tuple[RuleWord, ...]:
    """Return the words of a text that name something beside days, times and that it is open.

    >>> [word.text for word in named_in("The service desk is open on Mondays.")]
    ['service', 'desk']
    """
    return tuple([mark for mark in marks_of(text) if names(mark)])


@cached_by_text(cost=40)
def slots_in(text: str) -> tuple[OpenHours, ...]:
    """Return the slots of a sentence; none where it tells of no weekday and no hours.

    >>> [(sorted(s.days), s.opens, s.closes) for s in slots_in("Open Mon to Thu 8 am to 6 pm and Fridays until 3 pm.")]
    [([0, 1, 2, 3], 480.0, 1080.0), ([4], None, 900.0)]
    >>> [(sorted(s.days), s.closed) for s in slots_in("We deliver daily, except on Sundays.")]
    [([0, 1, 2, 3, 4, 5], False), ([6], True)]
    """
    text = text[:LONGEST]
    if (beyond := _OUTSIDE.search(text)) is not None:
        text = text[: beyond.start()]
    if _MAY.search(text) is None:
        return ()
    parts = parts_of(text)
    opening = any(part.opening for part in parts)
    weekly = not months_in(text) and (opening or any(part.weekly for part in parts))
    found: list[OpenHours] = []
    head: Sequence[RuleWord] = ()
    subject: Sequence[RuleWord] = ()
    days: set[int] = set()
    for part in parts:
        head = _head(part, head, subject)
        subject = part.subject if part.verbal and not part.refers else subject
        if part.timed() and not (part.days or part.head or part.tail) and part.joint in ("and", "or", ","):
            part.days |= days  # another range of the same days
            part.weekly = True
        days = part.days
        if part.valued():
            # "On Sunday" is one of each week where the sentence speaks of opening, and else where it is told.
            surely = weekly and (part.weekly or opening)
            found += _slots(part, head, text, vague=not surely if part.days or part.excepted else bool(months_in(text)))
    return tuple(found)


def _head(part: HoursPart, before: Sequence[RuleWord], subject: Sequence[RuleWord]) -> Sequence[RuleWord]:
    """Return what a part tells of: what it leaves out is that of the part before."""
    if not part.head:
        return before
    if part.refers:
        return [*subject, *part.head]
    return part.head if part.verbal or part.joint in ("", ";") else [*before, *part.head]


def _slots(part: HoursPart, head: Sequence[RuleWord], text: str, *, vague: bool) -> Iterator[OpenHours]:
    """Yield the slot of a part, and that of the days that it excepts."""
    start, end = part.reach or (0, 0)
    named, shown = (*head, *part.tail), text[start:end]
    vague = vague or part.vague or (part.denied and part.timed())
    days = frozenset(part.days - part.excepted) if part.days else None
    if days is None and part.excepted:
        days = WEEK - part.excepted
    if days is not None or part.timed():
        closed = part.denied or part.closed
        yield OpenHours(days, part.opens, part.closes, named, shown, closed, part.only, vague, part.which)
    if part.excepted:
        yield OpenHours(frozenset(part.excepted), None, None, named, shown, not part.denied, vague=vague)
