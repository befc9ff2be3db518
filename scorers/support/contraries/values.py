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
    clauses_in,
    content,
    held,
    hits,
    keys_of_text,
    marks_of,
    negations,
    nouns,
)
from scorers.text.normalize import terms, word_set

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


def values(claim: str, told: Sequence[ToldRule], figures: frozenset[str] = frozenset()) -> Iterator[Ruled]:
    """Yield values of a claim that statements tell of another thing, and of its own thing another value or none.

    ``figures`` are the terms of those of the claim that stand anywhere in the context.

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
    if figures >= {term for term in terms(value.written).items if term[0] == "#"} > set():
        yield from _borrowed(value, marks, beside, told)
    ours: list[tuple[ToldRule, Quantity]] = []
    another = False
    for each in told:
        its = [one for one in quantities_in(each.words[:LONGEST], "en") if same_kind(one, value)]
        if not its:
            continue
        there = keys_of_text(each.words)
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
    every = [keys_of_text(each.words) for each in told]
    return [thing for thing in things if not all(not keys.isdisjoint(thing.keys) for keys in every)] or list(things)


BORROWED = 0.75
"""How sure it is that a claim is wrong whose value another clause tells, of something that the claim does not name."""
OWN = 0.65
"""Share of the words beside a value that a clause without it must have to be the one that tells of the same."""
_BACK = word_set(
    "it its they their them this that these those such same others other both each one ones former latter otherwise"
    " then anything everything above below more less rest"
)
"""What leads a clause back to what another one names."""


def _borrowed(
    value: Quantity, marks: Sequence[RuleWord], beside: Sequence[RuleWord], told: Sequence[ToldRule]
) -> Iterator[Ruled]:
    """Yield the statement that says all but the value, where the value is told in clauses of something else."""
    if all(mark.start > value.start for mark in beside) or marks[_at(marks, value) - 1].text in _THE:
        return  # "the $25 is paid with your salary"
    things = _telling(nouns(beside), told)
    digits = {mark.text for mark in marks if value.start <= mark.start < value.end and mark.text[0].isdigit()}
    own: tuple[float, ToldRule, str] | None = None
    for each in told:
        its = [one for one in quantities_in(each.words[:LONGEST], "en") if same_kind(one, value)]
        for part, _, there, denied in clauses_in(each.words):
            start, end = part[0].start, part[-1].end
            written = {mark.text for mark in part if mark.text[0].isdigit()}
            share = held(beside, there)
            if written & digits or any(start <= one.start < end and same_value(one, value) for one in its):
                if hits(things, there) or _leads_back(part, each.words):
                    return  # it may be told of the claim's own thing
            elif (
                share >= max(OWN, own[0] if own else 0.0)
                and hits(things, there)
                and denied == negations(marks)
                and not _leads_back(part, each.words)
            ):
                if its and each.words[end : end + 1] == ":":
                    return  # "Study leave: five days a year" tells the value of what stands before it
                own = share, each, each.words[start:end]
    if own is not None:
        _, each, shown = own
        yield Ruled(Difference("entity", value.written, shown[:LONGEST_SHOWN], BORROWED), each.source, each.words)


def _leads_back(part: Sequence[RuleWord], words: str) -> bool:
    """Tell whether a clause leads back to what another one names; "IT" is a department."""
    return any(mark.text in _BACK and words[mark.start : mark.end] != "IT" for mark in part)


_THE = word_set("the this that these those your")
LONGEST_SHOWN = 60


def _at(marks: Sequence[RuleWord], value: Quantity) -> int:
    return next(at for at, mark in enumerate(marks) if mark.end > value.start)
