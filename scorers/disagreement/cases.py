"""Whether two sentences speak of two cases: full-time and part-time staff, weekdays and Saturdays, over an amount.

What a policy says of one case contradicts nothing that it says of another, though the two values differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.caching import cached_by_text
from scorers.statements.comparison import examine
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb
from scorers.support.contraries.reading import RuleWord, hits, keys_in, marks_of
from scorers.support.ruling import sets_rule
from scorers.text.normalize import word_set
from scorers.text.plain import for_ascii

FRAME = 0.5
"""Share of the words of each sentence, its value and its verbs left out, that the other must have."""

BEHIND = 80
"""Characters behind what leads a limit in which the limit stands."""

ELSEWHERE = 0.5
"""How surely statements must be about two members of a set to stand beside each other: staff may, visitors may not."""

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|summer|winter|spring"
    r"|autumn)"
)
_TIME = (
    rf"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekends?|week-ends?|weekdays?|public|bank|school"
    rf"|holidays?|christmas|night|peak|exam|probation|{_MONTH})"
)
_NUMBER = r"(?:(?:[^\s\w]{1,2}\s?|[a-z]{3} )?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen)\b)"
_LIMIT = re.compile(
    r"\b(?:over|above|below|under|more than|less than|fewer than|at least|exceeding|exceeds?|starting (?:at|from)"
    rf"|(?:heavier|longer|larger|older|younger|higher|lower) than|beyond|aged|from) (?:the )?(?:age of )?(?={_NUMBER})"
    rf"|{_NUMBER}[\d.,]{{0,8}} (?:euros? |dollars? |pounds? |items? )?or (?:more|less|over|above|under|older|younger)\b"
    r"|\b(?:bought|purchased|ordered|booked|hired|employed|sold|paid) (?:in|at|by|with|from|on|before|after|through"
    r"|via|as)\b|\b(?:if(?! you (?:want|wish|like|prefer))|unless|provided that|whose)\b"
    rf"|\b(?:during|after|before|outside|on|in|from|between|since|until|as of) (?:the )?(?:first |end of )?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?={_TIME}\b)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"\b(?:from|between)\s[^.;]{{0,16}}?\b{_MONTH}\b[^.;]{{0,20}}\b(?:to|and|until|till)\s[^.;]{{0,16}}?{_MONTH}\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\b([^\W\d_]{3,20}) (?:no\.? ?)?(\d{1,5}|[A-Z])\b")
"""A thing with its number: "block 5", "terminal B"."""
_LABEL_ASCII = for_ascii(_LABEL)


def of_two_cases(one: str, other: str, values: Sequence[str]) -> bool:
    """Tell whether two sentences that have different ``values`` say them of different cases.

    >>> of_two_cases("Standard shipping costs 4.90 EUR.", "Express shipping costs 9.90 EUR.", ("4.90 EUR", "9.90 EUR"))
    True
    >>> of_two_cases("Shipping costs 4.90 EUR.", "Shipping costs 9.90 EUR.", ("4.90 EUR", "9.90 EUR"))
    False
    """
    one, other = one[:LONGEST], other[:LONGEST]
    if not sets_rule(one) or not sets_rule(other):
        return False
    if limited_apart(one, other, values):
        return True
    told = frozenset(mark.text for value in values for mark in marks_of(value))
    mine, its = _words(one, told), _words(other, told)
    here, there = keys_in(mine), keys_in(its)
    if not mine or not its:
        return False
    alike = min(hits(mine, there) / len(mine), hits(its, here) / len(its))
    if alike < FRAME:
        return False
    return not _placed(mine, there).isdisjoint(_placed(its, here)) or _elsewhere(one, other)


@cached_by_text(cost=1)
def _elsewhere(one: str, other: str) -> bool:
    return examine(one, (other,)).strengths.get("entity", 0.0) >= ELSEWHERE


def _placed(words: Sequence[RuleWord], there: frozenset[WordKey]) -> frozenset[WordKey | str]:
    """Return where the words stand that another sentence has not: in the lead, or beside which word that it has.

    "Standard shipping" and "express shipping" have each a word of their own beside one that both have.
    """
    found: set[WordKey | str] = set()
    for at, word in enumerate(words):
        if not there.isdisjoint(word.keys):
            continue
        if not at:
            found.add("lead of a sentence")
        for beside in words[max(0, at - 1) : at + 2]:
            found.update(there.intersection(beside.keys))
    return frozenset(found)


def limited_apart(one: str, other: str, values: Sequence[str] = ()) -> bool:
    """Tell whether one of two sentences has a limit, a condition or a time of which the other says nothing.

    >>> limited_apart("We charge 3.99 EUR for delivery.", "Delivery is free from 50 EUR.")
    True
    """
    one, other = one[:LONGEST], other[:LONGEST]
    if _labelled(one, other) or (_RANGE.search(one) and _RANGE.search(other)):
        return True
    told = frozenset(mark.text for value in values for mark in marks_of(value))
    return _limited(one, other, told) or _limited(other, one, told)


def _words(text: str, told: frozenset[str]) -> tuple[RuleWord, ...]:
    return tuple([mark for mark in marks_of(text) if mark.keys and mark.text not in told and not is_verb(mark.text)])


def _limited(one: str, other: str, told: frozenset[str]) -> bool:
    """Tell whether a sentence has a limit, a condition or a time of which the other says nothing."""
    limits = _limits(one)
    there = frozenset([mark.text for mark in marks_of(other)]) if limits else frozenset()
    for lead, behind in limits:
        if behind and told.issuperset(behind[:1]) and _FROM.isdisjoint(lead):
            continue  # the limit is the value itself
        if not there.issuperset((*lead, *behind)):
            return True
    return False


@cached_by_text(cost=2)
def _limits(sentence: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return of each limit of a sentence the last word that leads it, and the first two behind that."""
    return tuple(
        [
            (_words_of(found.group())[-1:], _words_of(sentence[found.end() : found.end() + BEHIND])[:2])
            for found in _LIMIT.finditer(sentence)
        ]
    )


def _words_of(text: str) -> tuple[str, ...]:
    return tuple([mark.text for mark in marks_of(text) if mark.text[0].isalnum()])


_FROM = word_set("from over above exceeding")
"""What leads the amount that something begins with, and no value of a thing."""


def _labelled(one: str, other: str) -> bool:
    """Tell whether two sentences have things of one kind with different numbers, and none with the same."""
    mine, its = (_labels(text) for text in (one, other))
    return any(word in its and numbers.isdisjoint(its[word]) for word, numbers in mine.items())


def _labels(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word, number in (_LABEL_ASCII if text.isascii() else _LABEL).findall(text):
        if word.lower() not in _NO_LABELS:
            found.setdefault(word.lower(), set()).add(number)
    return found


_NO_LABELS = word_set(
    "the and for from until till than over above below under about around within after before least most between every"
    " with are was per plus only just may june july march april august september october november december january"
    " february costs cost pay pays paid takes take gives give get gets seats holds than exceeding another to of at by"
)
