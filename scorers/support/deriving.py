"""Values of a claim that follow from values of its context, those of the things that it names.

"Rent and heating come to 600 euros" follows from a list that has 540 for the rent and 60 for the heating, and 565, the
sum of rent and internet, does not. What is combined are the values beside the words of the claim and its question, by
as much as these count ("two adults"), and not whatever numbers a text has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from operator import itemgetter
from typing import NamedTuple

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST
from scorers.statements.words import word_of
from scorers.support.alignment import Alignment
from scorers.support.labelled import MOST_STATEMENTS, NO_VALUES, LabelledValue, LabelledValues, named_in

MOST_NAMED, MOST_FACTORS = 6, 8
"""Values that a claim names and that are combined, and numbers they are taken times."""

SHORT = 600
"""Words with content of a context up to which it is short: of a long one something comes to any value by chance."""

NAMED = 0.5
"""Share of what is said of one value alone from which on a claim that says it names the value."""

_DIFFERENCE = re.compile(
    r"\b(?:left|remain\w*|rest|others?|another|differ\w*|gap|apart|more|less|fewer|extra|additional(?:ly)?|sav\w+|still|net"
    r"|minus|cheaper|dearer|costlier|longer|shorter|higher|lower|later|earlier|sooner|older|younger|bigger|larger|smaller"
    r"|rais\w+|ris\w+|rose|f[ae]ll\w*|increas\w+|decreas\w+|reduc\w+|drop\w*|cut\w*|grow\w*|grew)\b",
    re.IGNORECASE,
)
"""What speaks of a difference."""

_ADDED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "percent"})


class _Asked(NamedTuple):
    """What a claim and its question say: their roots, their values, those of the claim alone, and a difference."""

    roots: frozenset[str]
    values: tuple[Quantity, ...]
    claimed: tuple[Quantity, ...]
    difference: bool


def derived(a: Alignment) -> tuple[Quantity, ...]:
    """Return those values of a claim that follow from the values of the things that it names."""
    if a.context.length > SHORT:
        return ()
    words = a.claim.sentence.words[:LONGEST]
    claimed = quantities_in(words, "en")
    if not any(_open(each) for each in claimed):
        return ()
    question = a.claim.asked[:LONGEST]
    given = quantities_in(question, "en")
    near = (*given, *_told_nearby(a))
    if all(any(_told(each, other) for other in near) for each in claimed if _open(each)):
        return ()  # the context need not be read for what its sentences say
    values = a.context.values
    if not values.values:
        return ()
    told = [*(value.quantity for value in values.values), *given]
    missing = [each for each in claimed if _open(each) and not any(_told(each, other) for other in told)]
    if not missing:
        return ()
    difference = len(claimed) > 1 or _DIFFERENCE.search(f"{words} {question}") is not None
    asked = _Asked(named_in(words) | named_in(question), (*claimed, *given), claimed, difference)
    return tuple([each for each in missing if _follows(each, values, asked)])


def _told_nearby(a: Alignment) -> Iterator[Quantity]:
    """Yield the values of the statements that have a figure of the claim, where all of a context are looked at."""
    sources = a.context.sources
    if a.context.figures > FEW or a.context.sentences > MOST_STATEMENTS:
        return
    places = {at for term in a.unique if term[0] == "#" for at in a.found[term].sentences}
    for at in sorted(places):
        index = a.context.source_of(at)
        source, local = sources[index], at - a.context.sentence_base[index]
        if source.record is None and local < len(source.sentences):
            for words in a.context.told(index).at.get(source.sentences[local].start, ())[:1]:
                yield from (each for each in quantities_in(words[:LONGEST], "en") if each.dimension not in NO_VALUES)


FEW = 24
"""Figures of a context up to which all its values are looked at, those told without a figure among them."""


def told_of_named(a: Alignment) -> bool:
    """Tell whether each measured value of a claim is one of a thing that the claim names."""
    words = a.claim.sentence.words[:LONGEST]
    claimed = [each for each in quantities_in(words, "en") if each.dimension in _ADDED]
    values, roots = a.context.values, named_in(words)
    return all(
        any(_told(each, value.quantity) and _named(values.distinct(value), roots) for value in values.values)
        for each in claimed
    )


def _named(distinct: frozenset[str], roots: frozenset[str]) -> bool:
    return len(distinct & roots) >= NAMED * len(distinct)


def _told(claimed: Quantity, told: Quantity) -> bool:
    return _alike(told, claimed) and close(_own(claimed), _amount(told, claimed), ROUNDING)


def _open(claimed: Quantity) -> bool:
    return claimed.dimension in _ADDED or (claimed.dimension == "count" and claimed.amount > 1)


def _follows(claimed: Quantity, values: LabelledValues, asked: _Asked) -> bool:
    """Tell whether a value is what the named values come to."""
    # What is said of a value takes far longer to read than what it is.
    named: list[tuple[float, LabelledValue]] = []
    for value in values.values:
        if value.quantity.upper is None and _alike(value.quantity, claimed):
            distinct = values.distinct(value)
            share = len(distinct & asked.roots) / len(distinct) if distinct else NAMED
            if share >= NAMED:
                named.append((-share, value))
    if not named:
        return False
    alike = [(_amount(value.quantity, claimed), value) for _, value in sorted(named, key=itemgetter(0))[:MOST_NAMED]]
    factors = list(islice(_factors(claimed, asked), MOST_FACTORS))
    shares = [
        value.quantity.value / 100
        for value in values.values
        if value.quantity.dimension == "percent"
        # A share of a time is taken only where the claim speaks of what the share is of.
        and (claimed.dimension not in _TIMES or not values.distinct(value).isdisjoint(asked.roots))
    ]
    return any(close(_own(claimed), result, ROUNDING) for result in _results(alike, claimed, factors, shares, asked))


ROUNDING = 1e-4
_TIMES = frozenset({"time", "working time"})


def _alike(told: Quantity, claimed: Quantity) -> bool:
    """Tell whether a value is of the claim's kind; a number in a table is of the unit that its header tells."""
    if told.dimension == "count" and not told.unit:
        return True
    if told.dimension == "count" or claimed.dimension == "count":
        return told.dimension == claimed.dimension and (told.unit == claimed.unit or not claimed.unit)
    return told.dimension == claimed.dimension and (told.dimension != "money" or told.unit == claimed.unit)


def _own(claimed: Quantity) -> float:
    return claimed.value if claimed.dimension != "count" else claimed.amount


def _amount(told: Quantity, claimed: Quantity) -> float:
    """Return a value in the units of the claim's own."""
    if told.dimension != "count" or claimed.dimension == "count":
        return _own(told)
    return told.amount * (claimed.value / claimed.amount if claimed.amount else 1.0)


def _factors(claimed: Quantity, asked: _Asked) -> Iterator[float]:
    """Yield the numbers of a claim and its question by which something may be taken."""
    for each in asked.values:
        if each != claimed and each.dimension in ("count", "time", "working time") and each.amount:
            yield each.amount


def _results(
    alike: Sequence[tuple[float, LabelledValue]],
    claimed: Quantity,
    factors: Sequence[float],
    shares: Sequence[float],
    asked: _Asked,
) -> Iterator[float]:
    """Yield what named values come to: sums, differences, multiples and shares."""
    for value, told in alike:
        yield from (value * factor for factor in factors)
        yield from (value / factor for factor in factors if factor > 1)
        yield from _over_time(value, told.quantity, claimed, asked)
        for share in shares:
            yield value * share
            yield value * (1 - share)
            yield from (value * (1 - share) * factor for factor in factors)
        yield from (abs(_own(each) - value) for each in asked.values if each != claimed and _alike(each, claimed))
    counted = [_times(value, told, asked) for value, told in alike]
    for size in range(2, len(counted) + 1):
        yield from (sum(each, 0.0) for each in combinations(counted, size))
    # "Leave is 12 weeks" is wrong where it is 16, of which 4 are for the birth; "12 weeks are left" is not.
    if asked.difference:
        yield from (abs(one - other) for (one, _), (other, _) in combinations(alike, 2))


def _times(value: float, told: LabelledValue, asked: _Asked) -> float:
    """Return a value by as many as a claim or its question count of what it is for: two adults."""
    for each in asked.values:
        if each.dimension == "count" and each.unit and word_of(each.unit).root in told.label:
            return value * each.amount
    return value


def _over_time(value: float, told: Quantity, claimed: Quantity, asked: _Asked) -> Iterator[float]:
    """Yield what is paid by the month or the like comes to over the time that is told."""
    rates = (told.rate, *(other.rate for other in asked.values if other.amount == told.amount))
    rate = next((each for each in rates if each in SECONDS), None)
    if rate is None:
        return
    each = SECONDS[rate]
    times = [other.value for other in asked.values if other.dimension == "time"]
    if claimed.rate in SECONDS:
        times.append(SECONDS[claimed.rate])
    for time in times:
        count = time / each
        yield value * (round(count) if close(count, round(count), 0.02) else count)
