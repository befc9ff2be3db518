"""Rates of a context, each a value and what it is for: 2.90 EUR for 100 MB, 450 EUR for a block of ten sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.context import Context
from scorers.support.labelled import LabelledValue
from scorers.text.normalize import word_set
from scorers.text.stemming import stem

MOST_RATES, MOST_COUNTS, MOST_SENTENCES = 24, 8, 60
"""Rates of a context, counts of a text, and sentences of a source that are looked through."""

VALUED = frozenset({"money", "volume", "mass", "time", "data", "length", "count"})
"""Dimensions of what a rate gives."""
_MEASURED = frozenset({"time", "working time", "mass", "length", "area", "volume", "data"})
_MORE = r"(?:(?:started|additional|extra|further|full|calendar|whole|single|individual|excess)\s)*"
_PER = re.compile(
    rf"(?:(?<![\w'])(?:per|each|every)\s|/\s?){_MORE}"
    r"(?P<what>\d[\d.,]*\s?[a-z]{1,20}|(?:eur|usd|gbp|chf)\s\d[\d.,]*|[\u20ac$\u00a3]\s?\d[\d.,]*|[a-z-]{1,24}(?:\s(?!(?:and|or|per|an?|in|on|of|for|is)\b)[a-z-]{1,24})?)"
    r"(?:\s(?:and|per)\s(?:per\s)?(?P<also>[a-z-]{3,20})\b)?",
    re.IGNORECASE,
)
"""For what a value is, behind it: "per 100 MB", "per person and night"."""
_REACH = 48
"""Characters behind a value within which it stands for what it is."""
_EACH = re.compile(
    rf"\b(?:each|every|per|one|an?|any|a single)\s{_MORE}(?P<what>(?:[a-z-]{{2,20}}\s){{1,3}}?)"
    r"(?:is|are|costs?|will|can|comes?|pays?|earns?|gets?|receives?|adds?|needs?|takes?)\b[^.;:]{0,40}$",
    re.IGNORECASE,
)
"""The same before it: "each extra kilometre costs"."""
_PACK_FIRST = re.compile(
    r"\s(?:[a-z-]{2,20}\s){0,2}?(?:costs?|for|(?:are|is)(?: worth| equal to)?|equals?|gives?|earns?|=|at"
    r"|comes? to|will be|will cost|(?:sold|priced|charged) at)\s(?:only\s|just\s)?",
    re.IGNORECASE,
)
_PACK_LAST = re.compile(r"\s(?:for|buys?)\s(?:an?\s[a-z-]{2,20}\sof\s)?", re.IGNORECASE)
"""What stands between so many and what they cost together, in this order and in the other one."""
_SINGLE = re.compile(
    rf"\b(?:each|every|one|per|single|individual)\s{_MORE}(?P<what>[a-z-]{{2,20}}(?:\s[a-z-]{{2,20}})?)", re.IGNORECASE
)
_BEYOND = re.compile(
    r"\b(?:further|extra|additional|beyond|above|over|excess|exceed\w*|more|free|includ\w*)\b", re.IGNORECASE
)
"""What tells that a rate goes only for what is left of a number."""
_FIRST = re.compile(
    r"\bfirst\s(?P<what>[a-z-]{2,20})\b(?:[^.;]|\.\d){0,40}\b(?:free|further|additional|extra|more)\b", re.IGNORECASE
)
"""What tells that a rate does not go for the first one."""
_WORD = re.compile(r"[a-z][a-z-]*", re.IGNORECASE)
_ENDS = word_set(
    "is are was were will can may must costs cost comes come and or of in at for from to with on by you they it per"
    " that which who a an the as than if when paid charged billed used over beyond above below"
)
"""Words at which the name of what is counted has ended."""
_NAMES = 3
"""Words behind a number that may name what it counts."""
EACH = "each"


class RateUnit(NamedTuple):
    """What a value is for: so many of what is measured in a dimension, or of what a noun names."""

    dimension: str
    nouns: frozenset[str]
    size: float


class Rate(NamedTuple):
    """A value of a context, what it is for, and the numbers of that for which nothing or something else goes."""

    told: LabelledValue
    units: tuple[RateUnit, ...]
    free: tuple[RateUnit, ...]


class RateCount(NamedTuple):
    """So many of something that a text counts; ``quantity`` where it writes them as a figure, ``own`` of a claim."""

    unit: RateUnit
    quantity: Quantity | None = None
    own: bool = False


def rates_of(context: Context) -> tuple[Rate, ...]:
    """Return the rates that the statements of a context tell."""
    return tuple(islice(_read(context), MOST_RATES))


def _read(context: Context) -> Iterator[Rate]:
    values = context.values.values
    first = tuple(_first_ones(context))
    places = {words: at for at, words in enumerate(dict.fromkeys(value.words for value in values))}
    statements = list(places)
    for value in values:
        units = _units_of(value.words[:LONGEST])[value.at] if value.at >= 0 else ()
        if units:
            at = places[value.words]
            near = _free(statements[max(at - 1, 0) : at + 1], value.quantity, units)
            yield Rate(value, units, (*near, *(each for each in first if any(_same(each, unit) for unit in units))))


@cached_by_text(cost=24)
def _units_of(words: str) -> tuple[tuple[RateUnit, ...], ...]:
    """Return for each quantity of a statement what it is for; nothing for one that is no rate."""
    read = quantities_in(words, "en")
    return tuple([tuple(dict.fromkeys(_units(words, each, read))) for each in read])


def _units(words: str, value: Quantity, read: tuple[Quantity, ...]) -> Iterator[RateUnit]:
    if value.dimension not in VALUED or value.upper is not None:
        return
    following = next((each.start for each in read if each.start >= value.end), len(words))
    found = _PER.search(words, value.start, min(value.end + _REACH, LONGEST))
    if found is not None and (found.start() < following or _starts_with(found["what"], words, following)):
        yield from unit_in(found["what"])
        if found["also"]:
            yield from unit_in(found["also"])
    elif value.rate:
        yield from unit_in(value.rate)
    else:
        yield from _together(words, value, read)
    preceding = max((each.end for each in read if each.end <= value.start), default=0)
    named = _EACH.search(words, preceding, value.start)
    if named is not None:
        yield from unit_in(named["what"].strip())


def _starts_with(what: str, words: str, at: int) -> bool:
    return what[:1].isdigit() and words.startswith(what, at)


def _together(words: str, value: Quantity, read: tuple[Quantity, ...]) -> Iterator[RateUnit]:
    """Yield how many of something a value is for: ten sessions, a year of an annual fee."""
    for each in read:
        plain = each.bound == "=" and each.upper is None
        first = each.end <= value.start and _PACK_FIRST.fullmatch(words, each.end, value.start)
        last = each.start >= value.end and _PACK_LAST.fullmatch(words, value.end, each.start)
        if plain and (first or last) and each.dimension != value.dimension:
            yield from (count.unit for count in (_counted(each, words),) if count is not None)
        if each.dimension == "frequency" and each.amount == 1 and 0 <= value.start - each.end < _REACH:
            yield from unit_in(each.rate)


def unit_in(what: str) -> Iterator[RateUnit]:
    """Yield what one writes behind "per": a unit, so many of them, or a noun.

    >>> [(unit.dimension, sorted(unit.nouns), unit.size) for unit in unit_in("15 minutes")]
    [('time', [], 900.0)]
    >>> [(unit.dimension, sorted(unit.nouns), unit.size) for unit in unit_in("colour page in")]
    [('count', ['colour', 'pag'], 1.0)]
    """
    if what == EACH:
        yield RateUnit("count", frozenset({EACH}), 1.0)
        return
    for text in (what, f"1 {what}"):
        read = quantities_in(text, "en")
        if read and not read[0].start and (count := _counted(read[0], text)) is not None:
            yield count.unit
            return


def counts_in(text: str) -> Iterator[RateCount]:
    """Yield what a text counts, and a single one of what it tells the value of each of."""
    for each in quantities_in(text, "en"):
        count = _counted(each, text) if each.upper is None else None
        if count is not None:
            yield count
        if each.rate and each.dimension in VALUED:
            yield from map(RateCount, unit_in(each.rate))
    for single in _SINGLE.finditer(text):
        yield from map(RateCount, unit_in(single["what"]))


def _counted(quantity: Quantity, text: str) -> RateCount | None:
    if not quantity.value:
        return None  # nothing is counted in zeros
    if quantity.dimension == "money":
        return RateCount(RateUnit("money", frozenset({quantity.unit}), quantity.value), quantity)
    if quantity.dimension in _MEASURED:
        return RateCount(RateUnit(quantity.dimension, frozenset(), quantity.value), quantity)
    if quantity.dimension != "count" or not quantity.amount:
        return None
    names = _names(text, quantity)
    return RateCount(RateUnit("count", frozenset(names), quantity.amount), quantity) if names else None


def _names(text: str, quantity: Quantity) -> list[str]:
    """Return the stems of the words behind a number up to where the name of what it counts has ended."""
    found: list[str] = []
    number = text[quantity.start :].split(" ", 1)[0]
    for word in _WORD.findall(text[quantity.start + len(number) : quantity.end + _REACH].lower())[:_NAMES]:
        if word in _ENDS:
            break
        found.append(stem(word))
    return found


def _free(near: Sequence[str], value: Quantity, units: Sequence[RateUnit]) -> Iterator[RateUnit]:
    """Yield the numbers of what a rate is for that it does not go for: the first 50 km, the first week."""
    for text in near:
        words = text[:LONGEST]
        if _BEYOND.search(words):
            counts = (_counted(each, words) for each in quantities_in(words, "en") if each.written != value.written)
            yield from (count.unit for count in counts if count and any(_same(count.unit, unit) for unit in units))


def _first_ones(context: Context) -> Iterator[RateUnit]:
    for source in context.sources:
        for each in source.sentences[:MOST_SENTENCES]:
            for first in _FIRST.finditer(each.words[:LONGEST]):
                yield from unit_in(first["what"])


def _same(one: RateUnit, other: RateUnit) -> bool:
    return one.dimension == other.dimension and (one.dimension != "count" or not one.nouns.isdisjoint(other.nouns))
