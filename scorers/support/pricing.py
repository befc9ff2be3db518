"""Values of a claim that a rate of its context comes to: 200 MB at "2.90 EUR per 100 MB", one of a pack of ten.

A rate is taken by as many as the claim or its question counts of what it is for, so little is reckoned by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close, one_unit
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.labelled import most_named, named_in, roots_of
from scorers.support.tariffs import EACH, MOST_COUNTS, VALUED, Rate, RateCount, RateUnit, counts_in, rates_of
from scorers.text.normalize import word_set
from scorers.text.stemming import stem

SHORT = 600
"""Words with content of a context up to which it is short: of a long one something comes to any value by chance."""
MOST_RESULTS = 64
"""Values that a rate comes to which are looked at."""
_CENT, _ROUNDED = 0.006, 0.005
"""By how much a sum of money may be rounded, and by what share another value."""

_WORD = re.compile(r"[a-z][a-z-]*", re.IGNORECASE)
_PEOPLE = frozenset(
    map(stem, word_set("person people head guest adult child children participant attendee visitor member passenger"))
)
_OF_PRICES = roots_of("It costs a price; the cost, charge or fee is charged, paid or comes to pay in total.")
"""What is said of any price, and tells none from another."""
_OF_THAT = re.compile(r"\s?['\u2019]s?\s[a-z]{3,}", re.IGNORECASE)
"""What a number of periods is of: "three months' rent"."""


class Priced(NamedTuple):
    """The values of a claim to which rates come, with the counts that these are taken by, and what tells those rates.

    ``misrated`` are the values to which only the rate of something else comes.
    """

    founded: tuple[Quantity, ...] = ()
    by: tuple[str, ...] = ()
    misrated: tuple[Quantity, ...] = ()


def priced(a: Alignment) -> Priced:
    """Return those values of a claim to which the rates of its context come.

    Of several rates for one thing the one goes which has most of what the claim and its question say.
    """
    if a.context.length > SHORT:
        return Priced()
    words, asked = a.claim.sentence.words[:LONGEST], a.claim.asked[:LONGEST]
    claimed = quantities_in(words, "en")
    wanted = [each for each in claimed if each.dimension in VALUED]
    rates = a.context.once(rates_of) if wanted else ()
    if not rates and not any(each.dimension == "money" for each in wanted):
        return Priced()
    found: list[Quantity] = []
    misrated: list[Quantity] = []
    told: list[str] = []
    read = (*(each._replace(own=True) for each in counts_in(words)), *counts_in(asked)) if rates else ()
    counts = read[:MOST_COUNTS]
    roots = (named_in(words) | named_in(asked)) - _OF_PRICES
    for each in wanted:
        own = [count for count in counts if count.quantity != each]
        fitting = [rate for rate in rates if _comes_to(rate, each, own)]
        best = most_named([rate.told for rate in fitting], roots)
        named = [rate for rate in fitting if rate.told in best]
        by = [(rate, by) for rate in named for value, by in _results(rate, own) if _is(each, value)]
        if by:
            rate, taken = by[0]
            found += [each, *(count.quantity for count in taken if count.quantity in claimed and count.quantity)]
            told.append(rate.told.words)
        elif not _is_told(each, a) and any(_is(each, value) for rate in fitting for value in _otherwise(rate, own)):
            misrated.append(each)
        if each.dimension == "money" and _is_of_periods(each, (*claimed, *quantities_in(asked, "en")), a):
            found.append(each)
    return Priced(tuple(dict.fromkeys(found)), tuple(told), tuple(misrated))


def _is_told(claimed: Quantity, a: Alignment) -> bool:
    told = (each.quantity for each in a.context.values.values)
    return any(each.dimension == claimed.dimension and _is(claimed, each.value) for each in told)


def _comes_to(rate: Rate, wanted: Quantity, counts: Sequence[RateCount]) -> bool:
    """Tell whether a rate is of the kind of a value, and something is counted that it is for."""
    told = rate.told.quantity
    alike = told.dimension == wanted.dimension and one_unit(told, wanted)
    alike = alike and (told.dimension != "count" or told.unit == wanted.unit != "")
    return alike and any(_fits(count, unit, rate) for unit in rate.units for count in counts)


def _fits(count: RateCount, unit: RateUnit, rate: Rate) -> bool:
    """Tell whether a count is of what a rate is for; one of one is none."""
    if unit.dimension != count.unit.dimension or (count.quantity is None and unit.size <= count.unit.size):
        return False
    if not unit.nouns:
        return True
    if EACH in unit.nouns:
        return not count.unit.nouns.isdisjoint(map(stem, _WORD.findall(rate.told.words.lower())))
    if not unit.nouns.isdisjoint(_PEOPLE) and not count.unit.nouns.isdisjoint(_PEOPLE):
        return True
    return not unit.nouns.isdisjoint(count.unit.nouns)


def _fitting(counts: Sequence[RateCount], unit: RateUnit, rate: Rate) -> list[RateCount]:
    """Return the counts of what a rate is for: those of a claim, else those of its question."""
    found = [count for count in counts if _fits(count, unit, rate)]
    return [count for count in found if count.own] or found


def _results(rate: Rate, counts: Sequence[RateCount]) -> Iterator[tuple[float, tuple[RateCount, ...]]]:
    """Yield what a rate comes to for the counts of what it is for, less what is free, with what is paid beside it."""
    told = rate.told.quantity
    units = [unit for unit in rate.units if _fitting(counts, unit, rate)]
    beside = (0.0, *_beside(rate))
    for chosen in islice(product(*[_fitting(counts, unit, rate) for unit in units]), MOST_RESULTS):
        each_by = list(zip(units, chosen, strict=True))
        value = told.value
        for unit, count in each_by:
            value *= count.unit.size / unit.size
        free = [
            (unit, count, each) for unit, count in each_by for each in rate.free if each.dimension == unit.dimension
        ]
        less = [told.value * (count.unit.size - each.size) / unit.size for unit, count, each in free]
        # Where the first one has a price of its own, or none, it is not paid for as the others.
        first = any(each.size == unit.size for unit, _, each in free)
        for result in less if first else (value, *less):
            yield from ((result + each, chosen) for each in beside if result > 0)


def _otherwise(rate: Rate, counts: Sequence[RateCount]) -> Iterator[float]:
    """Yield what a rate comes to, for some alone of what it is for as well: two dogs, and not the five nights."""
    yield from (value for value, _ in _results(rate, counts))
    for unit in rate.units if len(rate.units) > 1 else ():
        yield from (value for value, _ in _results(rate._replace(units=(unit,)), counts))


def _beside(rate: Rate) -> Iterator[float]:
    """Yield the other sums of a statement with a rate that have none themselves: one euro to unlock."""
    mine = rate.told.quantity
    for each in quantities_in(rate.told.words[:LONGEST], "en"):
        if each.dimension == mine.dimension == "money" and each.start != mine.start and not each.rate:
            yield from [each.value] if one_unit(each, mine) else []


def _is(claimed: Quantity, value: float) -> bool:
    if claimed.dimension == "money":
        return abs(claimed.value - value) < _CENT
    return close(claimed.value, value, _ROUNDED)


def _is_of_periods(claimed: Quantity, given: Sequence[Quantity], a: Alignment) -> bool:
    """Tell whether a sum is another one by as many periods as a rule says: 2,100 of 700, by "3 months' rent"."""
    sums = [each.value for each in given if each.dimension == "money" and each != claimed and one_unit(each, claimed)]
    if not sums:
        return False
    times = [
        value.quantity.amount
        for value in a.context.values.values
        if value.quantity.dimension == "time" and _OF_THAT.match(value.words, value.quantity.end)
    ]
    return any(_is(claimed, each * by) for each in sums for by in times)
