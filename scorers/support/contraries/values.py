"""The value of another thing: "defects are covered for six months" where the defects are for two years, batteries six.

The sentence that says all the rest of a claim has one other value of its kind, and the claim's is told of what the
claim does not speak of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    content,
    held,
    hits,
    keys_in,
    marks_of,
    negations,
    nouns,
)

SURE = 0.75
"""How sure it is that a claim with the value of another thing is wrong."""
LEAST = 2
"""Words with content that a claim must have beside its value."""

_REFERS = re.compile(
    r"\b(?:it|its|they|their|them|ones?|this|that|these|those|such|same|others?|both|each|former|latter|respectively"
    r"|otherwise|instead|longer|shorter|then|afterwards|outside|after|before|until|from)\b",
    re.IGNORECASE,
)
"""What leads a value back to what another sentence names, or to another time of it."""
_VALUED = frozenset({"time", "working time", "money", "percent", "mass", "length"})


def values(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield values of a claim that statements tell of another thing, and of its own thing another value.

    >>> rules = "The warranty covers manufacturing defects for two years.", "Batteries are covered for six months."
    >>> told = [ToldRule(0, words, 1.0, at) for at, words in enumerate(rules)]
    >>> [each.difference.told for each in values("Manufacturing defects are covered for six months.", told)]
    ['two years']
    """
    found = [each for each in quantities_in(claim[:LONGEST], "en") if each.dimension in _VALUED]
    if len(found) != 1 or found[0].upper is not None:
        return
    value = found[0]
    marks = marks_of(claim)
    beside = content([mark for mark in marks if not value.start <= mark.start < value.end])
    things = nouns(beside)
    if len(beside) < LEAST or not things:
        return
    ours: list[tuple[ToldRule, Quantity]] = []
    another = False
    for each in told:
        its = [one for one in quantities_in(each.words[:LONGEST], "en") if same_kind(one, value)]
        if not its:
            continue
        there = keys_in(marks_of(each.words))
        if any(same_value(one, value) for one in its):
            if _REFERS.search(each.words) is not None or hits(_telling(things, told), there):
                return  # it may be told of the claim's own thing
            another = True
        elif len(its) == 1 and held(beside, there) == 1 and negations(marks_of(each.words)) == negations(marks):
            ours.append((each, its[0]))
    if another and ours:
        each, other = ours[0]
        yield Ruled(Difference("entity", value.written, other.written, SURE), each.source, each.words)


def _telling(things: Sequence[RuleWord], told: Sequence[ToldRule]) -> list[RuleWord]:
    """Return the things that not all statements speak of: "items" tells nothing apart where all are of items."""
    every = [keys_in(marks_of(each.words)) for each in told]
    return [thing for thing in things if not all(not keys.isdisjoint(thing.keys) for keys in every)] or list(things)
