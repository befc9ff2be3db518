"""Values by tiers: "up to 2 kg: 3.90; over 2 kg to 5 kg: 6.50". A parcel of 4 kg costs what its own tier says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import bare, brackets, falls, same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import family, one_unit
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.bounded import MOST_SENTENCES, is_age
from scorers.support.bracketing import Bracketed, describes
from scorers.support.context import Context
from scorers.support.contraries.reading import content, keys_of_text, marks_of
from scorers.support.parity import CONDITIONED, named_in
from scorers.text.normalize import behind_particle, word_set

SURE = 0.75
"""How sure it is that a claim is wrong that gives its case the value of another tier."""
LEAST, MOST_TIERS = 2, 400
"""Tiers of one kind that a source has at least; tiers of a context that are looked through."""
MOST_VALUES = 6
"""Figures of a claim, or of its question, beyond which it lists values and tells no case."""

_PARTS = re.compile(r";\s|,\s(?:and|but)\s|\.\s")
_YEAR = "year"
_NAMED = frozenset({"frequency", "ordinal", "reference", "version", "date", "clock"})
"""What is no value of a tier."""


class Tier(NamedTuple):
    """What a part of a sentence or a row of a table says of the cases in a bracket: the values that they get."""

    source: int
    words: str
    bracket: Quantity
    values: tuple[Quantity, ...]
    at: int


def tiered(a: Alignment) -> Bracketed | None:
    """Return what the tiers of a context say of the case of a claim or of its question, ``None`` of no case."""
    words = a.claim.sentence.words[:LONGEST]
    stated = words[behind_particle(words) :].lstrip()
    told = [each for each in quantities_in(stated, "en") if each.dimension not in _NAMED]
    tiers = a.context.once(_tiers) if 0 < len(told) <= MOST_VALUES else ()
    if not tiers or CONDITIONED.search(stated):
        return None
    cases = list(_cases(told, stated, a.claim.asked[:LONGEST]))
    for case, text in cases:
        for value in told:
            if value is case or value.bound != "=" or value.upper is not None:
                continue
            mine = [each for each in tiers if _of_kind(each, case, value, text)]
            if len(mine) >= LEAST and (found := _given(case, value, mine)) is not None:
                several = text is not stated and sum(each.dimension == case.dimension for each, _ in cases) > 1
                if found.difference is not None and (
                    several or not _counts_there(case, text, mine) or _names_another(stated, value, found.words, mine)
                ):
                    continue
                return found if a.by_source[found.source] or not named_in(marks_of(stated)) else None
    return None


def _cases(told: Sequence[Quantity], stated: str, asked: str) -> Iterator[tuple[Quantity, str]]:
    """Yield the figures that describe a case, with the text that has them: those of the claim, else of its question."""
    own = [(each, stated) for each in told if each.upper is None and describes(each, stated)]
    yield from own
    if not own:
        given = quantities_in(asked, "en")[:MOST_VALUES]
        yield from ((each, asked) for each in given if each.upper is None)


def _given(case: Quantity, value: Quantity, tiers: Sequence[Tier]) -> Bracketed | None:
    """Return the tier of a case where it has the value, or where only others have it."""
    having = [each for each in tiers if any(same_kind(value, its) and same_value(value, its) for its in each.values)]
    inside = [each for each in tiers if _falls(case, each.bracket)]
    if not having or not inside:
        return None
    own = next((each for each in having if each in inside), None)
    if own is not None:
        return Bracketed(own.source, own.words) if len(inside) == 1 else None
    right = next((its for its in inside[-1].values if same_kind(value, its)), None)
    if right is None or not any(_of_one_list(inside[-1], each) for each in having):
        return None
    return Bracketed(inside[-1].source, inside[-1].words, Difference("quantity", value.told, right.told, SURE))


def _names_another(stated: str, value: Quantity, words: str, tiers: Sequence[Tier]) -> bool:
    """Tell whether a claim names the tier whose value it has by a word that the tier of the case lacks."""
    here, named = keys_of_text(words), keys_of_text(stated)
    return any(
        not named.isdisjoint(keys_of_text(each.words) - here)
        for each in tiers
        if any(same_kind(value, its) and same_value(value, its) for its in each.values)
    )


def _counts_there(case: Quantity, text: str, tiers: Sequence[Tier]) -> bool:
    """Tell whether tiers name what a case without a unit counts: "5 nodes" of a table that has "Nodes"."""
    if case.dimension != "count" or case.unit in ("kg", "km", "cm", "m"):
        return True
    counted = _COUNTED.match(text, case.end)
    if counted is None:
        return is_age(case, text)
    keys = frozenset(key for mark in marks_of(counted.group()) for key in mark.keys)
    return is_age(case, text) or any(keys & set(mark.keys) for tier in tiers for mark in marks_of(tier.words))


_COUNTED = re.compile(r"[\s-]{1,2}(?:[a-z-]{2,20}\s)?[a-z]{2,20}", re.IGNORECASE)


def _of_one_list(one: Tier, other: Tier) -> bool:
    """Tell whether two tiers are of one list: near each other, with half of the words of the shorter in common.

    "Cancel queries older than 15 minutes" and "if the lag is above 30 s for 5 minutes" are steps of their own.
    """
    if one.source != other.source or abs(one.at - other.at) > FAR:
        return False
    few, many = sorted((_words(one), _words(other)), key=len)
    return 2 * len(few & many) >= len(few)


def _words(tier: Tier) -> frozenset[WordKey]:
    """Return the words of a tier with content, without those that measure."""
    return frozenset(
        mark.keys[0]
        for mark in content(marks_of(tier.words))
        if not any(map(str.isdigit, mark.text)) and mark.text not in _UNITS
    )


_UNITS = word_set(
    "second seconds minute minutes hour hours day days week weeks month months year years percent kg kilogram kilograms"
    " eur euro euros usd dollar dollars km kilometres metres cm"
)
FAR = 8
"""Statements from one tier to another of the same list, at most."""


def _falls(case: Quantity, bracket: Quantity) -> bool:
    if bracket.dimension != case.dimension:
        case, bracket = bare(case), bare(bracket)
    return falls(case, bracket)


def _of_kind(tier: Tier, case: Quantity, value: Quantity, text: str) -> bool:
    """Tell whether a tier brackets what a case is measured by, and tells values of the kind of another."""
    told = tier.bracket
    if not any(same_kind(value, its) and family(value) == family(its) for its in tier.values):
        return False
    if case.dimension in ("count", "time") and is_age(case, text) and (told.unit in ("", _YEAR)):
        return told.dimension in ("count", "time")
    if family(told) != family(case) or (family(value) == family(case) and case.dimension != "money"):
        return False
    if case.dimension == "count":
        return not told.unit or not case.unit or told.unit == case.unit
    return one_unit(told, case)


def _tiers(context: Context) -> tuple[Tier, ...]:
    """Return the tiers of a context that has some."""
    every = (
        tier
        for index, source in enumerate(context.sources)
        if source.record is None
        for at, words in enumerate(islice(_sentences(context, index), MOST_SENTENCES))
        for tier in _tiers_in(index, words, at)
    )
    found = tuple(islice(every, MOST_TIERS))
    return found if len(found) >= LEAST else ()


def _sentences(context: Context, index: int) -> Iterator[str]:
    for statements in context.told(index).at.values():
        yield from (words[:LONGEST] for words in statements[:1])


def _tiers_in(index: int, words: str, at: int) -> Iterator[Tier]:
    for part in _PARTS.split(words) if ";" in words or ", " in words else (words,):
        read = [each._replace(bound=">=") if each.bound == "after" else each for each in quantities_in(part, "en")]
        bounds = [each for each in read if brackets(each)]
        values = tuple(each for each in read if each.bound == "=" and each.upper is None)
        if len(bounds) == 1 and values:
            yield Tier(index, part, bounds[0], values, at)
