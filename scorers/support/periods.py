"""Dates of a claim beside the periods and deadlines of its context: 3 May is too late for "until 30 April".

Of a date within a period a claim must say that it is in time, of one outside that it is not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.bounded import OTHER_SIDE
from scorers.support.bracketing import Bracketed
from scorers.support.context import Context
from scorers.support.contraries.reading import NEGATING, RuleWord, content, hits, keys_in, marks_of, negations
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.92
"""How sure it is that a claim is wrong that calls a date in time that is not, or the other way round."""
HELD = 0.5
"""Share of what else a claim names that the sentence of a period must have."""
MOST_SENTENCES = 400
"""Sentences of a context that are looked through."""

_BETWEEN = re.compile(
    r"\s{0,2}(?:and|to|until|till|through|[-\u2013\u2014])\s{0,2}(?:(?:closes|ends|finishes)\s)?(?:on\s)?(?:the\s)?",
    re.IGNORECASE,
)
_MISSED = re.compile(
    r"\btoo (?:late|early)\b|\b(?:is|are|was|were|be|comes?|arrives?) late\b|\bmissed\b|\bexpired\b"
    r"|\b(?:is|are|was|were|has|have) (?:already )?(?:over|closed|ended|past)\b",
    re.IGNORECASE,
)
"""What says of a date that it is not in time, beside what denies."""
_NO = re.compile(r"\W{0,4}no\b", re.IGNORECASE)
_BEGINS = re.compile(r"\b(?:begins?|starts?|opens?)\b[^.;]{0,12}$", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:ends?|closes?|finishe?s?)\b[^.;]{0,12}$", re.IGNORECASE)
_LIGHT = word_set(
    "time still yes late early too longer possible accepted open allowed can may date day deadline period missed over"
    " expired closed ended past any more anymore already yet"
)
"""Words about being in time, which tell of nothing else."""


class _Period(NamedTuple):
    """A time from a day until another, as year, month and day each, with the sentence that tells it."""

    first: tuple[float, float]
    last: tuple[float, float]
    year: int
    shown: str
    denied: bool
    source: int
    words: str


def dated(a: Alignment) -> Bracketed | None:
    """Return what the periods of a context say of the one date of a claim or of its question."""
    words = a.claim.sentence.words[:LONGEST]
    stated = words[behind_particle(words) :]
    own = quantities_in(stated, "en")
    dates = [each for each in own if _day(each) is not None]
    asked = [each for each in quantities_in(a.claim.asked[:LONGEST], "en") if _day(each) is not None]
    if len(dates or asked) != 1:
        return None
    others = [each.written.lower() for each in own if each not in dates]
    date = (dates or asked)[0]
    marks = [mark for mark in marks_of(stated) if not (dates and date.start <= mark.start < date.end)]
    named = [mark for mark in content(marks) if mark.text not in _LIGHT and mark.text not in NEGATING]
    found = [each for each in a.context.once(_periods) if _tells(each, named, others)]
    if not named or len({(each.first, each.last, each.denied) for each in found}) != 1:
        return None
    period, day = found[0], _day(date)
    if day is None:
        return None
    missed = _MISSED.search(stated) is not None or negations(marks) % 2 == 1
    missed = missed or (not dates and _NO.match(words) is not None)
    end = _end(date, stated, period) if dates else None
    if (date.bound != "=") if end is None else (missed != period.denied):
        return None
    agrees = (_within(day, date, period) == period.denied) == missed if end is None else _same(day, date, end, period)
    if agrees:
        told = keys_in(marks_of(period.words))
        return Bracketed(period.source, period.words) if hits(named, told) == len(named) else None
    if any(_day(each) == day for each in quantities_in(period.words[:LONGEST], "en") if each.bound == "="):
        return None  # "until 26 September, and the board decides on 20 October" has two dates
    return Bracketed(period.source, period.words, Difference("date", date.written, period.shown, SURE))


def _end(date: Quantity, stated: str, period: _Period) -> tuple[float, float] | None:
    """Return the end of a period that a claim tells by its date, ``None`` where it tells of a day."""
    before = stated[: date.start]
    if date.bound == "before" or _ENDS.search(before):
        return period.last if period.last[0] < math.inf else None
    if date.bound == "after" or _BEGINS.search(before):
        return period.first if period.first[0] else None
    return None


def _same(day: tuple[float, float], date: Quantity, end: tuple[float, float], period: _Period) -> bool:
    year = date.days[0][0]
    strictly = date.bound_word.lower() == "before"
    return (day[0], day[1] - strictly) == end and (not year or not period.year or year == period.year)


def _tells(period: _Period, named: Sequence[RuleWord], others: Sequence[str]) -> bool:
    """Tell whether the sentence of a period has most of what a claim names, and its other values."""
    values = {word for each in others for word in each.split()}
    held = hits(named, keys_in(marks_of(period.words)))
    return values <= glance(period.words) and held >= HELD * len(named)


def _within(day: tuple[float, float], date: Quantity, period: _Period) -> bool:
    year = date.days[0][0]
    if year and period.year and year != period.year:
        return (year > period.year) == (period.last[0] == math.inf)
    if period.first <= period.last:
        return period.first <= day <= period.last
    return day >= period.first or day <= period.last  # over the end of a year


def _periods(context: Context) -> tuple[_Period, ...]:
    """Return the periods and deadlines that the sentences of a context tell, of each sentence the only one."""
    found: list[_Period] = []
    for index, source in enumerate(context.sources):
        if source.record is not None:
            continue
        for each in islice(source.sentences, MOST_SENTENCES):
            words = each.words[:LONGEST]
            told = list(_told(words)) if each.kind != "question" else []
            if len(told) == 1:
                first, last, year, shown = told[0]
                denied = not NEGATING.isdisjoint(glance(_of_others(words)))
                found.append(_Period(first, last, year, shown, denied, index, each.words))
    return tuple(found)


def _of_others(words: str) -> str:
    """Return a sentence without what it says of the other dates: "later applications are not considered"."""
    parts = words.split(";")
    return ";".join(part for part in parts if not OTHER_SIDE.search(part.strip())) or words


def _told(words: str) -> Iterator[tuple[tuple[float, float], tuple[float, float], int, str]]:
    dates = [each for each in quantities_in(words, "en") if _day(each) is not None]
    joined = [(one, other) for one, other in pairwise(dates) if _BETWEEN.fullmatch(words[one.end : other.start])]
    if joined and len(dates) > 2:  # noqa: PLR2004 - the two of a period
        return
    for one, other in joined:
        first, last = _day(one), _day(other)
        if first is not None and last is not None:
            yield first, last, other.days[0][0], words[one.start : other.end]
    for each in dates if not joined else ():
        day = _day(each)
        if day is not None and each.bound == "before":
            strictly = each.bound_word.lower() == "before"
            yield (0.0, 0.0), (day[0], day[1] - strictly), each.days[0][0], each.told
        elif day is not None and each.bound == "after":
            yield day, (math.inf, 0.0), each.days[0][0], each.told


def _day(date: Quantity) -> tuple[float, float] | None:
    """Return the month and the day of a date; ``None`` where one is not told."""
    if date.dimension != "date" or not date.days:
        return None
    _, month, day = date.days[0]
    return (float(month), float(day)) if month and day else None
