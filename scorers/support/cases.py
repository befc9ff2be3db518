"""Cases of a claim that fall into a range of its context: seven years into "5-9: 23 days", 2 December into a season."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import bare, brackets, falls
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close, family
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.context import Context

MOST_STATEMENTS = 120
"""Statements of a context that are read."""

_BETWEEN = re.compile(r"\s{0,2}(?:and|to|until|till|through|[-\u2013\u2014])\s{0,2}(?:the\s)?", re.IGNORECASE)


def cases_in(a: Alignment) -> tuple[Quantity, ...]:
    """Return those values of a claim that fall into a range that a statement ties to another value of the claim.

    A bound is a range only for what the question asks about: "up to 50 EUR" says nothing of a claimed 40 EUR.
    """
    claimed = quantities_in(a.claim.sentence.words[:LONGEST], "en")
    if not claimed or not a.context.sources:
        return ()
    asked = quantities_in(a.claim.asked[:LONGEST], "en")
    if len(claimed) + len(asked) < 2:  # noqa: PLR2004 - a case, and the value that is told of it
        return ()
    every = a.context.once(_ranges)
    if not every:
        return ()
    # Both ends of a season that a claim tells are what it says, and no cases: "from 20 May to 30 September".
    ends = [each for pair in _seasons(a.claim.sentence.words, claimed) for each in pair]
    cases = [
        case
        for case in (*claimed, *asked)
        if case not in ends and not any(_same(case, value) for told in every for value in told)
    ]
    found: list[Quantity] = []
    for told in every if cases else ():
        for case in cases:
            given = any(_same(case, each) for each in asked)
            inside = any(_inside(case, one, given=given) for one in told) or _dated(case, told)
            if inside and any(_same(each, value) for each in claimed if each is not case for value in told):
                found.append(case)
    return tuple(found)


def _ranges(context: Context) -> tuple[tuple[Quantity, ...], ...]:
    """Return the values of each statement that has several; none of a context that has no range."""
    every = tuple(_told(context))
    return every if any(each.unit == _SEASON or brackets(each) for told in every for each in told) else ()


def _told(context: Context) -> Iterator[tuple[Quantity, ...]]:
    statements = (
        words[:LONGEST]
        for at, source in enumerate(context.sources)
        if source.record is None
        for each in context.told(at).at.values()
        for words in each[:1]
    )
    for words in islice(statements, MOST_STATEMENTS):
        read = quantities_in(words, "en")
        if len(read) > 1:
            yield (*read, *_spans(words, read))


def _spans(words: str, read: tuple[Quantity, ...]) -> Iterator[Quantity]:
    """Yield two dates with "and" or "to" between them as one range, of days in a year."""
    for one, other in _seasons(words, read):
        yield one._replace(value=_day(one), upper=_day(other), unit=_SEASON)


def _seasons(words: str, read: tuple[Quantity, ...]) -> Iterator[tuple[Quantity, Quantity]]:
    for one, other in pairwise(read):
        dates = one.dimension == other.dimension == "date"
        if dates and _day(one) and _day(other) and _BETWEEN.fullmatch(words[one.end : other.start]):
            yield one, other


_SEASON = "season"


def _day(date: Quantity) -> float:
    """Return the place of a date in its year, 0 for one without day and month."""
    _, month, day = date.days[0]
    return month * 100.0 + day if month and day else 0.0


def _dated(case: Quantity, told: tuple[Quantity, ...]) -> bool:
    day = _day(case) if case.dimension == "date" else 0.0
    return day > 0 and any(
        each.unit == _SEASON and each.upper is not None and within(day, each.value, each.upper) for each in told
    )


def within(at: float, first: float, last: float) -> bool:
    """Tell whether a day is in a season, or a time in hours, which may go past the end of the year or of the day."""
    return first <= at <= last if first <= last else at >= first or at <= last


def _inside(case: Quantity, told: Quantity, *, given: bool) -> bool:
    if told.unit == _SEASON or case.dimension == "date" or told.dimension == "date":
        return False
    alone = told.dimension == "count" and not told.unit
    if family(case) != family(told) and not alone:
        return False
    if not brackets(told) or (told.upper is None and not given):
        return False
    return falls(bare(case) if alone else case, told)


def _same(one: Quantity, other: Quantity) -> bool:
    """Tell whether two values are the same number of one kind; a number in a table may be of any."""
    if one.dimension == "date" or other.dimension == "date":
        return one.dimension == other.dimension and one.days == other.days
    if family(one) != family(other):
        return "count" in (one.dimension, other.dimension) and bool(one.amount) and close(one.amount, other.amount)
    return close(one.value, other.value) and other.upper is None
