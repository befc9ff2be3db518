"""Values of a claim that follow from values of its context, those of the things that it names.

"Rent and heating come to 600 euros" follows from a list that has 540 for the rent and 60 for the heating, and 565, the
sum of rent and internet, does not. What is combined are the values beside the words of the claim and its question, by
as much as these count ("two adults"), and not whatever numbers a text has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close, family
from scorers.statements.ties import LONGEST, read_ties
from scorers.statements.words import word_of
from scorers.support.alignment import Alignment

MOST_STATEMENTS, MOST_VALUES, MOST_NAMED, MOST_FACTORS = 120, 48, 6, 8
"""Statements that are read, values of them, values that a claim names and that are combined, numbers they are taken
times."""

SHORT = 600
"""Words with content of a context up to which it is short: of a long one something comes to any value by chance."""

NAMED = 0.5
"""Share of what is said of one value alone from which on a claim that says it names the value."""

_ADDED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "percent"})
_LETTER = re.compile(r"(?<=\s)[A-HJ-Z]\b")
_HALVED = re.compile(r"\bhal(?:f|ved|ves)\b", re.IGNORECASE)
_HALF = Quantity("percent", 50.0, "%", "half", 0, 0, amount=50.0)


class LabelledValue(NamedTuple):
    """A value of the context, the roots of the words that are said of it, and its statement."""

    quantity: Quantity
    label: frozenset[str]
    statement: int


class _Asked(NamedTuple):
    """What a claim and its question say: their roots, their values, and those of the claim alone."""

    roots: frozenset[str]
    values: tuple[Quantity, ...]
    claimed: tuple[Quantity, ...]


def derived(a: Alignment) -> tuple[Quantity, ...]:
    """Return those values of a claim that follow from the values of the things that it names."""
    if a.context.length > SHORT:
        return ()
    words, question = a.claim.sentence.words[:LONGEST], a.claim.asked[:LONGEST]
    claimed = quantities_in(words, "en")
    if not any(_open(each) for each in claimed):
        return ()
    values = labelled(a)
    if not values:
        return ()
    asked = _Asked(_roots(words) | _roots(question), (*claimed, *quantities_in(question, "en")), claimed)
    own = _distinct(values)
    named = [
        (value, len(distinct & asked.roots) / len(distinct) if distinct else NAMED)
        for value, distinct in zip(values, own, strict=True)
    ]
    told = [*(value.quantity for value in values), *quantities_in(question, "en")]
    return tuple(
        [
            each
            for each in claimed
            if _open(each) and not any(_told(each, other) for other in told) and _follows(each, named, asked)
        ]
    )


def told_of_named(a: Alignment) -> bool:
    """Tell whether each measured value of a claim is one of a thing that the claim names."""
    words = a.claim.sentence.words[:LONGEST]
    claimed = [each for each in quantities_in(words, "en") if each.dimension in _ADDED]
    values, roots = labelled(a), _roots(words)
    own = [
        value.quantity
        for value, distinct in zip(values, _distinct(values), strict=True)
        if len(distinct & roots) >= NAMED * len(distinct)
    ]
    return all(any(_told(each, value) for value in own) for each in claimed)


def _told(claimed: Quantity, told: Quantity) -> bool:
    return _alike(told, claimed) and close(_own(claimed), _amount(told, claimed), ROUNDING)


def _open(claimed: Quantity) -> bool:
    return claimed.dimension in _ADDED or (claimed.dimension == "count" and claimed.amount > 1)


def labelled(a: Alignment) -> list[LabelledValue]:
    """Return the values of a context with what is said of each: items under their stem, rows under their header."""
    found: list[LabelledValue] = []
    statements = (
        words
        for at, source in enumerate(a.context.sources)
        if source.record is None
        for each in a.context.told(at).at.values()
        for words in each[:1]
    )
    for at, words in enumerate(islice(statements, MOST_STATEMENTS)):
        read = read_ties(words)
        roots = frozenset([each.word.root for each in read.words])
        if not read.values and _HALVED.search(words[:LONGEST]) is not None:
            found.append(LabelledValue(_HALF, roots, at))
        for value in read.values:
            if value.quantity.dimension in ("reference", "version", "ordinal", "date", "clock"):
                continue
            rivals = {
                each.part
                for each in read.values
                if each.part != value.part and family(each.quantity) == family(value.quantity)
            }
            label = [word.root for word, part in read.words if part not in rivals]
            found.append(LabelledValue(value.quantity, frozenset(label) | _letters(words), at))
            if len(found) >= MOST_VALUES:
                return found
    return found


def _letters(words: str) -> frozenset[str]:
    """Return the capitals that name something alone: "the L plan"."""
    return frozenset(_LETTER.findall(words[:LONGEST]))


def _roots(words: str) -> frozenset[str]:
    return frozenset([each.word.root for each in read_ties(words).words]) | _letters(words)


def _distinct(values: Sequence[LabelledValue]) -> list[frozenset[str]]:
    """Return for each value the words that are not said of every other one of its family."""
    found: list[frozenset[str]] = []
    for value in values:
        others = [
            each.label
            for each in values
            if family(each.quantity) == family(value.quantity) and each.label != value.label
        ]
        found.append(value.label - frozenset.intersection(*others) if others else frozenset())
    return found


def _follows(claimed: Quantity, named: Sequence[tuple[LabelledValue, float]], asked: _Asked) -> bool:
    """Tell whether a value is what the named values come to."""
    alike = [
        (_amount(value.quantity, claimed), value)
        for value, share in sorted(named, key=lambda each: -each[1])
        if share >= NAMED and value.quantity.upper is None and _alike(value.quantity, claimed)
    ][:MOST_NAMED]
    if not alike:
        return False
    factors = list(islice(_factors(claimed, asked), MOST_FACTORS))
    shares = [value.quantity.value / 100 for value, _ in named if value.quantity.dimension == "percent"]
    return any(close(_own(claimed), result, ROUNDING) for result in _results(alike, claimed, factors, shares, asked))


ROUNDING = 1e-4


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
