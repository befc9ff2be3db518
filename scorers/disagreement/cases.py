"""Whether two sentences speak of two cases: full-time and part-time staff, weekdays and Saturdays, over an amount.

What a policy says of one case contradicts nothing that it says of another, though the two values differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import permutations, product

from adapters.caching import cached_by_text
from scorers.disagreement.asking import Expected, asked
from scorers.statements.comparison import examine
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb
from scorers.support.contraries.reading import RuleClause, RuleWord, clauses_in, hits, keys_in, keys_of_text, marks_of
from scorers.support.ruling import sets_rule
from scorers.text.normalize import word_set
from scorers.text.plain import for_ascii

FRAME = 0.5
"""Share of the words of each sentence, its value and its verbs left out, that the other must have."""

MOST_FOREIGN = 2
"""Words that each of two sentences has and the other has not, where one of them names its case."""

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
_TIMES = re.compile(_TIME, re.IGNORECASE)
_NUMBER = r"(?:(?:[^\s\w]{1,2}\s?|[a-z]{3} )?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen)\b)"
_CLOCK = r"\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b|o'clock)|\d{1,2}:\d\d"
"""A time of day, from which something is open."""
_LIMIT = re.compile(
    r"\b(?:over|above|below|under|more than|less than|fewer than|at least|exceeding|exceeds?|starting (?:at|from)"
    r"|(?:heavier|longer|larger|older|younger|higher|lower) than|beyond|aged|from) (?:the )?(?:age of )?"
    rf"(?={_NUMBER})(?!{_CLOCK})"
    rf"|{_NUMBER}[\d.,]{{0,8}} (?:euros? |dollars? |pounds? |items? )?or (?:more|less|over|above|under|older|younger)\b"
    r"|\b(?:bought|purchased|ordered|booked|hired|employed|sold|paid) (?:in|at|by|with|from|on|before|after|through"
    r"|via|as)\b|\b(?:if(?! you (?:want|wish|like|prefer))|unless|provided that|whose)\b"
    rf"|\b(?:during|after|before|outside|on|in|from|between|since|until|as of) (?:the )?(?:first |end of )?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?={_TIME}\b)",
    re.IGNORECASE,
)
_LIMIT_LOWER = re.compile(for_ascii(_LIMIT).pattern, re.ASCII)
"""The same in lower case, in less than half of the time."""
_RANGE = re.compile(
    rf"\b(?:from|between)\s[^.;]{{0,16}}?\b{_MONTH}\b[^.;]{{0,20}}\b(?:to|and|until|till)\s[^.;]{{0,16}}?{_MONTH}\b",
    re.IGNORECASE,
)
_AND_ASKS = re.compile(
    r",? and (?=(?:(?:at|by|for|from|in|on|up to|until|within) )?(?:how|what|when|which|who|whom|whose|where)\b)",
    re.IGNORECASE,
)
"""Where a question goes on to ask another thing."""
SEVERAL = 2
"""How many words make sure that a sentence is about one of two things that are asked."""
_AMOUNT = re.compile(r"[^\s\w]?\d[\d.,]{0,12}(?: ?[^\W\d_]{1,20}| ?%)")
_NO_VALUE: frozenset[Expected] = frozenset({"who", "where", "polar"})
_LABEL = re.compile(r"\b([^\W\d_]{3,20}) (?:no\.? ?)?(\d{1,5}|[A-Z])\b")
"""A thing with its number: "block 5", "terminal B"."""
_LABEL_ASCII = for_ascii(_LABEL)


def is_time(word: str) -> bool:
    """Tell whether a word is a day of the week, a month, a season or another time that comes again.

    >>> is_time("weekends"), is_time("week")
    (True, False)
    """
    return _TIMES.fullmatch(word) is not None


def is_limited_by(sentence: str, figures: AbstractSet[str]) -> bool:
    """Tell whether a figure is the limit of a case: 50 in "free from 50 EUR".

    >>> is_limited_by("Orders over 50 EUR are sent for 3 EUR.", {"50"})
    True
    """
    return any(not figures.isdisjoint(behind[:1]) for _, behind in _limits(sentence[:LONGEST]))


def bounded(sentence: str) -> int:
    """Return how many limits, conditions and times a sentence has.

    >>> bounded("Travel over 5,000 EUR is approved by the director."), bounded("Travel is approved by the manager.")
    (1, 0)
    """
    return len(_limits(sentence[:LONGEST]))


def of_two_cases(question: str, one: str, other: str, values: Sequence[str]) -> bool:
    """Tell whether two sentences that have different ``values`` say them of different cases.

    They need not set rules where a question names the case of one, the other has another in its place, and both have
    an amount of something; nor where a question asks two things and each says one of them.

    >>> values = ("4.90 EUR", "9.90 EUR")
    >>> of_two_cases("", "Standard shipping costs 4.90 EUR.", "Express shipping costs 9.90 EUR.", values)
    True
    >>> of_two_cases("", "Shipping costs 4.90 EUR.", "Shipping costs 9.90 EUR.", values)
    False
    """
    question, one, other, values = question[:LONGEST], one[:LONGEST], other[:LONGEST], tuple(values)
    if _ruled_apart(one, other, values) or _asked_apart(question, one, other, values):
        return True
    # One name may be another's, and two documents may mean two people by it: amounts alone are held apart by names.
    return all(map(_AMOUNT.fullmatch, values)) and _named_apart(question, one, other, values)


# Passages are retrieved together again and again, whatever is asked.
@cached_by_text(cost=1)
def _ruled_apart(one: str, other: str, values: tuple[str, ...]) -> bool:
    """Tell whether two sentences set rules for two cases: one has a limit, or the same is put of two things."""
    if not (sets_rule(one) and sets_rule(other)):
        return False
    return limited_apart(one, other, values) or _put_alike(one, other, values)


def _put_alike(one: str, other: str, values: Sequence[str]) -> bool:
    """Tell whether two sentences are the same but for their values and what stands in one place of both."""
    told = _of_values(values)
    mine, its = _words(marks_of(one), told), _words(marks_of(other), told)
    here, there = keys_in(mine), keys_in(its)
    if not _framed(mine, its, here, there):
        return False
    if max(len(mine) - hits(mine, there), len(its) - hits(its, here)) > MOST_FOREIGN:
        return False
    return not _placed(mine, there).isdisjoint(_placed(its, here)) or _elsewhere(one, other)


def _named_apart(question: str, one: str, other: str, values: tuple[str, ...]) -> bool:
    """Tell whether a question has a word of one sentence in whose place the other has one that it has not."""
    if not _valued_alike(one, other, values):
        return False
    # A word that may stand for one that is asked names no case: "credit" of a policy for the loan that is asked about.
    asks = _stems(keys_of_text(question))
    mine, its = _beside_value(one, values), _beside_value(other, values)
    here, there = keys_in(mine), keys_in(its)
    if not _sides(mine, there, within=asks).isdisjoint(_sides(its, here, without=asks)):
        return True
    return not _sides(its, here, within=asks).isdisjoint(_sides(mine, there, without=asks))


@cached_by_text(cost=1)
def _valued_alike(one: str, other: str, values: tuple[str, ...]) -> bool:
    """Tell whether two sentences share enough of the words that stand beside their values."""
    mine, its = _beside_value(one, values), _beside_value(other, values)
    return _framed(mine, its, keys_in(mine), keys_in(its))


def _beside_value(sentence: str, values: Sequence[str]) -> tuple[RuleWord, ...]:
    """Return the words of the clauses of a sentence in which a value stands."""
    return _words([mark for each in _valued(sentence, values) for mark in each.marks], _of_values(values))


def _framed(
    mine: Sequence[RuleWord], its: Sequence[RuleWord], here: frozenset[WordKey], there: frozenset[WordKey]
) -> bool:
    """Tell whether two sentences share enough of their words."""
    return bool(mine and its) and min(hits(mine, there) / len(mine), hits(its, here) / len(its)) >= FRAME


def _of_values(values: Sequence[str]) -> frozenset[str]:
    return frozenset(mark.text for value in values for mark in marks_of(value))


def _asked_apart(question: str, one: str, other: str, values: Sequence[str]) -> bool:
    """Tell whether a question asks two things, and two sentences with these values say one of them each.

    Each has a word of its own for one of them, or one has several for one of them, all beside its value.
    """
    for (mine, its), (sentence, beside) in product(permutations(_things(question), 2), ((one, other), (other, one))):
        own = _own(mine, sentence, beside, values)
        if own >= SEVERAL or (own and _own(its, beside, sentence, values)):
            return True
    return False


def _own(thing: frozenset[WordKey], sentence: str, other: str, values: Sequence[str]) -> int:
    """Return how many words a sentence has beside its value for a thing that is asked, and the other has not."""
    there = _stems(keys_of_text(other))
    own = [word for each in _valued(sentence, values) for word in each.named if there.isdisjoint(word.keys)]
    return hits(own, thing)


def _stems(keys: frozenset[WordKey]) -> frozenset[WordKey]:
    """Return the words themselves among what they are found by, without others that may stand for them."""
    return frozenset([key for key in keys if isinstance(key, str)])


def _valued(sentence: str, values: Sequence[str]) -> Sequence[RuleClause]:
    """Return the clauses of a sentence in which a value stands, or all."""
    clauses = clauses_in(sentence)
    return [each for each in clauses if any(_stands(value, each.marks) for value in values)] or clauses


def _stands(value: str, marks: Sequence[RuleWord]) -> bool:
    return any(mark.text == each.text for mark in marks for each in marks_of(value)[:1])


@cached_by_text(cost=20)
def _things(question: str) -> tuple[frozenset[WordKey], ...]:
    """Return of each thing that a question asks the words that it asks no other with; none where it asks one thing.

    What somebody does or whether something holds has no value that another could be held against.
    """
    parts = _AND_ASKS.split(question)
    if len(parts) != 2 or any(asked(part).expected in _NO_VALUE for part in parts):  # noqa: PLR2004 - a pair
        return ()
    first, second = map(keys_of_text, parts)
    return first - second, second - first


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


_FORCING = word_set(
    "allow allows allowed permit permits permitted limit limits limited cap caps capped set sets require requires"
    " required grant grants granted give gives given need needs provide provides"
)
"""Words of what a rule does, which name no case."""


def _sides(
    words: Sequence[RuleWord],
    there: frozenset[WordKey],
    within: frozenset[WordKey] | None = None,
    without: frozenset[WordKey] = frozenset(),
) -> frozenset[tuple[int, WordKey]]:
    """Return beside which words that another sentence has words stand that it has not, and on which side.

    Only words ``within`` others count where these are given, and none that are among those they must be ``without``.
    """
    found: set[tuple[int, WordKey]] = set()
    for at, word in enumerate(words):
        if not there.isdisjoint(word.keys) or not without.isdisjoint(word.keys):
            continue
        if (within is not None and within.isdisjoint(word.keys)) or word.text in _FORCING:
            continue
        for side in (-1, 1):
            for beside in words[max(0, at + side) : at + side + 1]:
                found.update((side, key) for key in there.intersection(beside.keys))
    return frozenset(found)


def limited_apart(one: str, other: str, values: Sequence[str] = ()) -> bool:
    """Tell whether one of two sentences has a limit, a condition or a time of which the other says nothing.

    >>> limited_apart("We charge 3.99 EUR for delivery.", "Delivery is free from 50 EUR.")
    True
    """
    one, other = one[:LONGEST], other[:LONGEST]
    if _labelled(one, other) or (_RANGE.search(one) and _RANGE.search(other)):
        return True
    told = _of_values(values)
    return _limited(one, other, told) or _limited(other, one, told)


def _words(marks: Sequence[RuleWord], told: frozenset[str]) -> tuple[RuleWord, ...]:
    return tuple([mark for mark in marks if mark.keys and mark.text not in told and not is_verb(mark.text)])


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
    found = _LIMIT_LOWER.finditer(sentence.lower()) if sentence.isascii() else _LIMIT.finditer(sentence)
    spans = [each.span() for each in found]
    return tuple(
        [(_words_of(sentence[start:end])[-1:], _words_of(sentence[end : end + BEHIND])[:2]) for start, end in spans]
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
