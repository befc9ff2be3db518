"""How many times a rule lets something be done: "an exam may be repeated twice" beside "only once" or "three times"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    content,
    held,
    keys_in,
    keys_of_text,
    marks_of,
    nouns,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim with another number of times is wrong."""
ALIKE = 0.6
"""Share of the nouns of a claim that a rule must have."""
BEFORE = 3
"""Words with content before a number of times among which the verb stands that it counts."""

_WORDS = word_set("once twice thrice time times")
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
           "once": 1, "twice": 2, "thrice": 3}  # fmt: skip
_TIMES = re.compile(
    r"\b(?P<bound>only |just |at most |up to |no more than |at least |a maximum of )?"
    r"(?:(?P<word>once|twice|thrice)"
    r"|(?P<count>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten) (?:more )?times?)\b"
    r"(?! (?:an?|per|each|every|as|the|daily|weekly|monthly|you|they|we|it|he|she|your|all|again)\b)",
    re.IGNORECASE,
)
_MAY = re.compile(r"\b(?:may|can|could|allowed|permitted|possible|up to|at most|maximum)\b", re.IGNORECASE)
_MOST = frozenset({"only", "just", "at most", "up to", "no more than", "a maximum of"})


class _Counted(NamedTuple):
    """How many times, its bound, what the verb that it counts is found by, and how it is written."""

    times: int
    bound: str
    verb: frozenset[WordKey]
    shown: str


def times(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield statements that count otherwise how often what a claim speaks of is done.

    >>> told = [ToldRule(0, "An exam may be repeated twice.", 1.0, 0)]
    >>> [each.difference.told for each in times("You can repeat an exam three times.", told)]
    ['twice']
    >>> list(times("You can repeat an exam once.", told))
    []
    """
    if _WORDS.isdisjoint(glance(claim)):
        return
    mine = _counted(claim)
    if mine is None:
        return
    marks = marks_of(claim)
    subject = [mark for mark in nouns(content(marks)) if mark.text not in _COUNTS and mark.text not in _WORDS]
    found: list[Ruled] = []
    for each in told:
        its = _counted(each.words)
        if its is None or its.verb.isdisjoint(mine.verb) or held(subject, keys_of_text(each.words)) < ALIKE:
            continue
        if its.times == mine.times or _is_less(mine, its, each.words):
            return
        found.append(Ruled(Difference("quantity", mine.shown, its.shown, SURE), each.source, each.words))
    yield from found[:1]


def is_fewer(claim: str, told: str) -> bool:
    """Tell whether a claim has something done fewer times than a rule allows.

    >>> is_fewer("It can be repeated once.", "It may be repeated twice.")
    True
    """
    mine, its = _counted(claim), _counted(told)
    return mine is not None and its is not None and _is_less(mine, its, told)


def _is_less(mine: _Counted, its: _Counted, told: str) -> bool:
    """Tell whether a claim says no more than a rule: who may do it three times may do it twice."""
    return mine.times < its.times and mine.bound not in _MOST and _MAY.search(told) is not None


def _counted(text: str) -> _Counted | None:
    """Return the one number of times of a text; ``None`` of none or several."""
    found = list(_TIMES.finditer(text[:LONGEST]))
    if len(found) != 1:
        return None
    one = found[0]
    number = (one["word"] or one["count"]).lower()
    before: Sequence[RuleWord] = content(marks_of(text[: one.start()]))[-BEFORE:]
    bound = (one["bound"] or "").strip().lower()
    return _Counted(_COUNTS.get(number) or int(number), bound, keys_in(before), one.group())
