"""The same figure bounded from the other side: "for at least six months" where a rule says "for a maximum of six"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.lexicon.functions import NUMERALS
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import (
    WORD,
    WORD_ASCII,
    Ruled,
    RuleWord,
    ToldRule,
    clauses_in,
    content,
    held,
    hits,
    keys_in,
    negations,
    nouns,
)
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim with the other bound is wrong."""
ALIKE = 0.65
"""Share of what else the clause of a claim says that the statement must have."""
LEAST = 2
"""Words with content that a claim must have in common with the statement."""

_MORE = "older longer heavier larger higher greater bigger taller farther further wider"
_LESS = "younger shorter lighter smaller lower closer narrower"
_BEFORE: Mapping[str, int] = {
    "at least": 1, "minimum of": 1, "minimum": 1, "no less than": 1, "not less than": 1, "no fewer than": 1,
    "more than": 1, "over": 1, "above": 1, "exceed": 1, "exceeds": 1, "exceeding": 1, "exceeded": 1, "starting at": 1,
    "upwards of": 1, "beyond": 1, "at a minimum": 1, "aged over": 1, "not under": 1, "not below": 1,
    "never less than": 1, "never below": 1, "from the age of": 1, "past": 1, "not be under": 1, "not be less than": 1,
    "not be below": 1,
    "at most": -1, "up to": -1, "maximum of": -1, "maximum": -1, "no more than": -1, "not more than": -1,
    "less than": -1, "fewer than": -1, "under": -1, "below": -1, "not exceed": -1, "not exceeding": -1,
    "within": -1, "limited to": -1, "capped at": -1, "caps at": -1, "limit of": -1, "cap of": -1,
    "not over": -1, "not above": -1, "never more than": -1, "never over": -1, "never exceed": -1, "not be over": -1,
    "not be more than": -1, "not be above": -1, "as many as": -1, "as much as": -1, "as long as": -1,
    **{f"{denied}{word} than": side * (-1 if denied else 1) for words, side in ((_MORE, 1), (_LESS, -1))
       for word in words.split() for denied in ("", "no ", "not ", "never ", "not be ")},
}  # fmt: skip
_IN_TIME: Mapping[str, int] = {
    "no earlier than": 1, "no sooner than": 1, "not earlier than": 1, "not before": 1, "after": 1, "later than": 1,
    "not until": 1, "earliest": 1, "no later than": -1, "not later than": -1, "before": -1, "until": -1, "till": -1,
    "earlier than": -1, "sooner than": -1, "latest": -1, "by": -1, "prior to": -1, "from": 1, "since": 1,
    "only after": 1, "starting": 1, "as of": 1,
}  # fmt: skip
_BEHIND: Mapping[str, int] = {
    "or more": 1, "at least": 1, "minimum": 1, "or older": 1, "upwards": 1, "and over": 1, "or above": 1,
    "and above": 1, "at the least": 1, "or longer": 1, "or over": 1, "and up": 1, "and older": 1, "at minimum": 1,
    "or higher": 1, "or heavier": 1, "or larger": 1, "or less": -1, "or fewer": -1, "or younger": -1, "at most": -1,
    "maximum": -1, "at the most": -1, "at the longest": -1, "or under": -1, "and under": -1, "or below": -1,
    "and below": -1, "at maximum": -1, "or shorter": -1, "tops": -1, "and younger": -1, "or lighter": -1, "max": -1,
    "at the outside": -1, "or smaller": -1, "or lower": -1,
}  # fmt: skip
_BEHIND_IN_TIME: Mapping[str, int] = {"at the earliest": 1, "at the latest": -1, "onwards": 1, "onward": 1}
_AHEAD = word_set("before ahead advance prior beforehand earlier")
"""Words behind a span of time that count it backwards: what is later is less of it."""
_LONGEST_WORDS = 4
_UNIT_WORDS = 4
_FIGURES = NUMERALS | word_set("first second third fourth fifth sixth seventh eighth ninth tenth")
SPELLED = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_UNITS = word_set(
    "hour hours day days night nights week weeks month months year years minute minutes euro euros dollar dollars pound"
    " eur usd gbp chf pounds percent metre metres meter meters kilogram kilograms kg people person persons guests items"
    " item pages page words times cm km miles mile m l litres liters gb mb points employees members children francs"
    " degrees"
)

_EMPTY_BESIDE = word_set("later afterwards you're they're we're it's stays stay remains remain ready available")
"""Words beside a figure that tell nothing of what it bounds."""

_OTHER_CASE = re.compile(
    r"\b(?:above|over|beyond|below|under|after|before|than|exceeding) (?:that|this|it|these|those)\b"
    r"|\b(?:larger|longer|older|younger|heavier|smaller|higher|lower|later|earlier|bigger|shorter) "
    r"(?:ones?|amounts?|sums?|orders?|claims?|periods?|trips?|items?)\b"
)
"""What tells of the case on the other side of a figure without it."""


class _Limit(NamedTuple):
    """A figure with its side, 1 from it on and -1 up to it, as it is told, and the marks that say so."""

    figure: str
    unit: str
    side: int
    timed: bool
    shown: str
    first: int
    last: int


def limits(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield figures of a claim that a statement bounds from the other side.

    >>> told = [ToldRule(0, "Subletting is permitted for a maximum of six months.", 1.0, 0)]
    >>> [each.difference.told for each in limits("Subletting is permitted for six months at the least.", told)]
    ['maximum of six months']
    """
    for clause, bounds in _limits_in(claim):
        for mine in bounds:
            if "even" in {mark.text for mark in clause[: mine.first]}:
                continue  # "even if it is under 60 euros" bounds nothing
            beside = [
                mark
                for at, mark in enumerate(clause)
                if mark.keys and not mine.first <= at <= mine.last and mark.text not in _EMPTY_BESIDE
            ]
            found = _other_side(mine, beside, negations(_aside(clause, mine)), told)
            if found is not None:
                yield found


def _other_side(mine: _Limit, beside: Sequence[RuleWord], denials: int, told: Sequence[ToldRule]) -> Ruled | None:
    against: Ruled | None = None
    subject = nouns(beside)[:1]
    for each in told:
        if mine.figure not in _figures_in(each.words) or _OTHER_CASE.search(each.words):
            continue
        for clause, bounds in _limits_in(each.words):
            for its in bounds:
                if its.figure != mine.figure or its.timed != mine.timed or not _one_unit(mine, its):
                    continue
                words = _aside(clause, its)
                there = keys_in(words)
                if subject and there.isdisjoint(subject[0].keys):
                    continue
                if held(beside, there) < ALIKE or hits(beside, there) < LEAST:
                    continue
                if its.side == mine.side:
                    return None
                if against is None and negations(words) == denials and not _turned(beside, content(words)):
                    against = Ruled(Difference("bound", mine.shown, its.shown, SURE), each.source, each.words)
    return against


@cached_by_text(cost=10)
def _limits_in(text: str) -> tuple[tuple[tuple[RuleWord, ...], tuple[_Limit, ...]], ...]:
    """Return the clauses of a text that bound a figure, each with what it bounds; most texts have no figure at all."""
    if not _figures_in(text):
        return ()
    found = [(clause.marks, tuple(_limits(clause.marks))) for clause in clauses_in(text)]
    return tuple([each for each in found if each[1]])


@cached_by_text(cost=2)
def _figures_in(text: str) -> frozenset[str]:
    """Return the figures of a text as they are compared."""
    words = [each.lower() for each in (WORD_ASCII if text.isascii() else WORD).findall(text[:LONGEST])]
    return frozenset(
        [SPELLED.get(each, each.removesuffix("th")) for each in words if each[0].isdigit() or each in _FIGURES]
    )


def _one_unit(one: _Limit, other: _Limit) -> bool:
    return not one.unit or not other.unit or one.unit == other.unit


def _turned(ours: Sequence[RuleWord], theirs: Sequence[RuleWord]) -> bool:
    """Tell whether both have a word that is the opposite of one of the other: two cases of one rule."""
    opposed = {(key[0], -key[1]) for mark in ours for key in mark.keys if isinstance(key, tuple) and key[0] >= 0}
    return any(key in opposed for mark in theirs for key in mark.keys) and not all(
        set(mark.keys) & keys_in(theirs) for mark in ours
    )


def _aside(clause: Sequence[RuleWord], limit: _Limit) -> list[RuleWord]:
    return [mark for at, mark in enumerate(clause) if not limit.first <= at <= limit.last]


def _limits(clause: Sequence[RuleWord]) -> Iterator[_Limit]:
    texts = [mark.text for mark in clause]
    for at, text in enumerate(texts):
        if not (text[0].isdigit() or text in _FIGURES):
            continue
        figure = SPELLED.get(text, text.removesuffix("th"))
        start = at - 1 if at and texts[at - 1] in ("a", "the", "of", "age") else at
        start = start - 1 if start and start < at and texts[start - 1] in ("the", "age") else start
        end = at + 1
        unit = next((word for word in texts[end : end + _UNIT_WORDS] if word in _UNITS), "")
        while end < len(texts) and end <= at + _UNIT_WORDS and unit and texts[end - 1] != unit:
            end += 1
        of = texts[end - 3 : end - 1] == ["of", "the"]  # "by the 20th of the month before"
        ahead = not of and not _AHEAD.isdisjoint(texts[end : end + 2])
        bound = _lead(texts, (at, start, start - 1)) or _tail(texts, (at + 1, end))
        if bound is None:
            continue
        side, timed, first, last = bound
        if ahead and texts[first] == "up":
            continue  # "up to 24 hours before" is until then, or from then on
        first, last = min(first, at), max(last, end - 1) if first < at else last
        side = -side if timed and ahead else side
        point = timed and not ahead and unit not in _SPANS
        yield _Limit(figure, unit.removesuffix("s"), side, point, " ".join(texts[first : last + 1]), first, last)


_SPANS = word_set("hour hours day days week weeks month months year years minute minutes")
"""Units of lengths of time: "within 24 hours" is one, no point in time."""
_Bound = tuple[int, bool, int, int]
"""A side, whether it is one of time, and the first and the last mark that say so."""


def _lead(texts: Sequence[str], places: Sequence[int]) -> _Bound | None:
    """Return what bounds a figure from before it: the longest words that do."""
    for table, timed in ((_BEFORE, False), (_IN_TIME, True)):
        for first in places:
            for length in range(min(_LONGEST_WORDS, first), 0, -1):
                if side := table.get(" ".join(texts[first - length : first])):
                    return side, timed, first - length, first
    return None


def _tail(texts: Sequence[str], places: Sequence[int]) -> _Bound | None:
    """Return what bounds a figure from behind it or its unit."""
    for table, timed in ((_BEHIND, False), (_BEHIND_IN_TIME, True)):
        for last in places:
            for length in range(_LONGEST_WORDS, 0, -1):
                if side := table.get(" ".join(texts[last : last + length])):
                    return side, timed, last, last + length - 1
    return None
