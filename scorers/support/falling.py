"""Dates of a claim that follow from the asker's: 90 days before "30 September", the end of the month of "10 March".

The asker tells a date, and the context a period, or the end or the beginning of a month, quarter or year.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.text.stemming import stem

MOST_SENTENCES = 120
"""Sentences of a source that are looked through."""

_DAY, _LONGEST = 86_400.0, 3 * 366 * 86_400.0
_LAST_DAY, _MONTHS = 31, 12
_MONTH, _OF_A_MONTH = 30.44, 0.02
"""Days of a mean month, and by what share as many days may differ from some months."""
_ANY_YEAR = 2_001
_LAST = date.max.toordinal()
"""The last day that a calendar here knows: a text may name the year 9999."""
_ASIDE = re.compile(r"\s?['\u2019]?\s(?:[a-z]+\s)?(?:before|after|prior to|from|following|ahead of)\b", re.IGNORECASE)
"""What stands behind a period that is counted from a day."""
FEW = 4
"""Dates, and periods, of a context up to which one is reckoned by the other."""
_EDGE = re.compile(
    r"\b(?P<edge>end|last day|first day|first|beginning|start) of (?:the |that |this |each |its |your )?"
    r"(?P<which>(?:following|next|same|current|respective|calendar) )*(?P<of>month|quarter|year)\b"
    r"(?P<behind> (?:following|after) )?",
    re.IGNORECASE,
)
_ENDING = frozenset({"end", "last day"})
_LENGTH = {"month": 1, "quarter": 3, "year": 12}


def dates_reckoned(a: Alignment) -> tuple[Quantity, ...]:
    """Return those dates of a claim that follow from one of its question, or that it tells itself, and its context."""
    claimed = quantities_in(a.claim.sentence.words[:LONGEST], "en")
    dates = [each for each in claimed if each.dimension in ("date", "ordinal")]
    if not dates:
        return ()
    asked = quantities_in(a.claim.asked[:LONGEST], "en")
    given = asked if any(_tells_day(each) for each in asked) else (*asked, *claimed)
    return tuple(
        each
        for each in dates
        if _falls_so(each, asked, claimed, a)
        or _is_edge(each, [one for one in given if one is not each], a.context)
        or _is_end_of_year(each, given, a.context)
    )


def years_reckoned(a: Alignment) -> set[str]:
    """Return the years of the dates that were reckoned from one with its year."""
    asked = quantities_in(a.claim.asked[:LONGEST], "en")
    if not any(each.days[0][0] for each in asked if each.dimension == "date"):
        return set()
    return {f"#{each.days[0][0]}" for each in a.derived if each.dimension == "date" and each.days[0][0]}


def other_dates(a: Alignment) -> tuple[Quantity, ...]:
    """Return those days of a claim that follow from nothing where its question tells one and its context tells none."""
    asked = [each for each in quantities_in(a.claim.asked[:LONGEST], "en") if _tells_day(each)]
    days = [each for each in quantities_in(a.claim.sentence.words[:LONGEST], "en") if _tells_day(each)]
    if not asked or not days or all(_is_one(each, asked) or each in a.derived for each in days):
        return ()
    told = a.context.once(_days_told)
    return tuple(each for each in days if not _is_one(each, (*asked, *told)) and each not in a.derived)


def _days_told(context: Context) -> tuple[Quantity, ...]:
    sentences = (each.words for source in context.sources for each in source.sentences)
    return tuple(
        each for words in sentences for each in quantities_in(words[:LONGEST], "en") if each.dimension == "date"
    )


def _tells_day(each: Quantity) -> bool:
    return each.dimension == "date" and all(each.days[0][1:])


def _is_one(day: Quantity, others: Sequence[Quantity]) -> bool:
    return any(mine[1:] == its[1:] for each in others for mine in day.days for its in each.days)


def _is_edge(claimed: Quantity, given: Sequence[Quantity], context: Context) -> bool:
    """Tell whether a date is the end or the beginning of the month, quarter or year of another, or of the next."""
    days = [date.fromordinal(day) for each in given if _tells_day(each) and (day := day_of(each)) is not None]
    if not days or not _tells_day(claimed):
        return False
    edges = context.once(_edges)
    return any(_is_on(claimed, _edge(day, of, after, ends=ends)) for day in days for of, after, ends in edges)


def _is_end_of_year(claimed: Quantity, given: Sequence[Quantity], context: Context) -> bool:
    """Tell whether a date is the first or last day of a year, another one is named, and a context speaks of years."""
    if not _tells_day(claimed) or not any(_is_on(claimed, day) for day in _TURNS):
        return False
    year = claimed.days[0][0]
    named = any(_tells_day(each) and each is not claimed and year in (0, each.days[0][0]) for each in given)
    return named and any(not _OF_YEARS.isdisjoint(source.words) for source in context.sources)


_TURNS = (date(_ANY_YEAR, 1, 1), date(_ANY_YEAR, 12, 31))
_OF_YEARS = frozenset(map(stem, ("year", "yearly", "annual", "calendar")))


def _edge(day: date, of: str, after: int, *, ends: bool) -> date:
    length = _LENGTH[of]
    first = (day.month - 1) // length * length + after * length
    month = first + (length - 1 if ends else 0)
    year = min(day.year + month // _MONTHS, date.max.year)
    month = month % _MONTHS + 1
    return date(year, month, monthrange(year, month)[1] if ends else 1)


def _edges(context: Context) -> tuple[tuple[str, int, bool], ...]:
    """Return the ends and beginnings of months and the like of which a context speaks."""
    return tuple(dict.fromkeys(_edges_in(context)))


def _edges_in(context: Context) -> Iterator[tuple[str, int, bool]]:
    for source in context.sources:
        for each in islice(source.sentences, MOST_SENTENCES):
            for found in _EDGE.finditer(each.words[:LONGEST]):
                ends = found["edge"].lower() in _ENDING
                nexts = (found["which"] or "").strip().lower() in ("following", "next") or bool(found["behind"])
                yield found["of"].lower(), int(nexts or not ends), ends


def _falls_so(claimed: Quantity, asked: Sequence[Quantity], mine: Sequence[Quantity], a: Alignment) -> bool:
    """Tell whether a date is the asker's, earlier or later by a period that is told, give or take a day."""
    if not any(each.dimension == claimed.dimension for each in asked):
        asked = [each for each in mine if each.dimension == claimed.dimension and each is not claimed]
    if not asked:
        return claimed.dimension == "date" and _falls_from_told(claimed, a.context)
    told = (each.quantity for each in a.context.values.values)
    periods = [each for each in (*told, *mine) if each.dimension == "time"]
    days = [each.value / _DAY for each in periods if _DAY <= each.value <= _LONGEST]
    if claimed.dimension == "ordinal":
        own = [each.amount for each in asked if each.dimension == "ordinal" and 0 < each.amount <= _LAST_DAY]
        return any(close(claimed.amount, one + by * sign) for one in own for by in days for sign in (-1, 1))
    return any(_is_apart(claimed, each, by) for each in asked for by in days)


def _is_apart(claimed: Quantity, each: Quantity, by: float) -> bool:
    """Tell whether a date is another one, earlier or later by so many days, give or take one, or by so many months."""
    ours, theirs = claimed.days[:1], each.days[:1]
    if ours and theirs and ours[0][1] and theirs[0][1] and not (ours[0][2] and theirs[0][2]):
        months = by / _MONTH
        apart = (ours[0][1] - theirs[0][1]) % _MONTHS
        whole = round(months) > 0 and close(months, round(months), _OF_A_MONTH)
        return whole and apart in (round(months) % _MONTHS, -round(months) % _MONTHS)
    day = day_of(each)
    reached = [] if day is None else [day + sign * round(by) + near for sign in (-1, 1) for near in (-1, 0, 1)]
    year = claimed.days[0][0] if each.dimension == "date" and each.days[0][0] else 0
    dates = [date.fromordinal(at) for at in reached if 0 < at <= _LAST]
    return any(_is_on(claimed, at) and year in (0, at.year) for at in dates)


def _falls_from_told(claimed: Quantity, context: Context) -> bool:
    """Tell whether a date is one of a short context, by a period that it tells before or after something."""
    days, periods = context.once(_days_told), context.once(_periods_told)
    return (
        len(days) <= FEW
        and len(periods) <= FEW
        and any(_is_apart(claimed, day, period / _DAY) for day in days for period in periods)
    )


def _periods_told(context: Context) -> tuple[float, ...]:
    values = context.values.values
    told = (
        each.quantity.value
        for each in values
        if each.quantity.dimension == "time" and _ASIDE.match(each.words, each.quantity.end)
    )
    return tuple(dict.fromkeys(value for value in told if _DAY <= value <= _LONGEST))


def day_of(value: Quantity) -> int | None:
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
