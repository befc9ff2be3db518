"""The same range the other way round: "free from 8 am to 6 pm" where a rule says "from 6 pm to 8 am"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, clauses_in, held, keys_in, negations
from scorers.text.glance import glance
from scorers.text.normalize import MONTHS, word_set

SURE = 0.85
"""How sure it is that a claim with the ends of a range exchanged is wrong."""
ALIKE = 0.75
"""Share of what else the clause of a claim says that the clause of the statement must have."""

_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_END = (
    rf"(?:(?:{_DAYS}|{'|'.join(MONTHS)}|noon|midnight)\b|\d{{1,2}}(?::\d\d)?(?: ?[ap]\.?m\b\.?)?"
    rf"(?: (?:{'|'.join(MONTHS)})\b)?)"
)
_RANGE = re.compile(
    rf"\b(?P<first>{_END})\s?(?:to|until|till|through|and|-|\u2013|\u2014)\s?(?P<last>{_END})", re.IGNORECASE
)
_JOINING = word_set("to until till through and") | frozenset("-\u2013\u2014")
_NOUGHT = re.compile(r":00|[\s.]")
"""What two ways of writing one time differ in: "8:00 a.m." and "8 am"."""


class _Range(NamedTuple):
    """The ends of a range as they are compared, how it is written, and the marks of its clause beside it."""

    first: str
    last: str
    shown: str
    beside: tuple[RuleWord, ...]
    denials: int


def ranges(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield ranges of times, days or months of a claim that a statement has the other way round.

    >>> told = [ToldRule(0, "Guests may park free from 6 pm to 8 am.", 1.0, 0)]
    >>> [each.difference.told for each in ranges("Guests can park for free from 8:00 am to 6:00 pm.", told)]
    ['6 pm to 8 am']
    """
    for mine in _ranges(claim):
        if mine.first == mine.last:
            continue
        every = [(each, its) for each in told for its in _ranges(each.words)]
        if any((its.first, its.last) == (mine.first, mine.last) for _, its in every):
            continue
        for each, its in every:
            turned = (its.first, its.last) == (mine.last, mine.first) and its.denials == mine.denials
            if turned and held(mine.beside, keys_in(its.beside)) >= ALIKE:
                yield Ruled(Difference("order", mine.shown, its.shown, SURE), each.source, each.words)
                break


@cached_by_text(cost=6)
def _ranges(text: str) -> tuple[_Range, ...]:
    if _JOINING.isdisjoint(glance(text)) and not any(sign in text for sign in "-\u2013\u2014"):
        return ()
    return tuple(_ranges_in(text))


def _ranges_in(text: str) -> Iterator[_Range]:
    for found in _RANGE.finditer(text[:LONGEST]):
        first, last = (_NOUGHT.sub("", found[end].lower()) for end in ("first", "last"))
        if first.isdigit() and last.isdigit():
            continue  # bare numbers count, and are compared as quantities
        start, end = found.span()
        # Ends with points in them, "8 a.m.", part a sentence into clauses: all of it stands beside the range.
        marks = [mark for clause in clauses_in(text) for mark in clause.marks]
        beside = tuple(mark for mark in marks if mark.keys and not start <= mark.start < end)
        yield _Range(first, last, found.group().rstrip("."), beside, negations(marks))
