"""Sentences of two passages that answer one question and cannot both hold, told in whatever words.

One permits what the other forbids or suspends, demands what it leaves open, charges what it gives for nothing, keeps
for some what it opens to all, or puts another figure on it. That both speak of what is asked is told by the words that
they share with the question and with each other.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from adapters.caching import cached, cached_by_text
from scorers.disagreement.asking import Expected, asked
from scorers.disagreement.cases import limited_apart, of_two_cases
from scorers.disagreement.polarity import SUREST
from scorers.disagreement.stances import CLASHES, OF_ALL, Stance, stances
from scorers.models.terms import rarity
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.contraries.reading import RuleWord, keys_in, marks_of
from scorers.support.ruling import sets_rule
from scorers.text.normalize import word_set
from scorers.text.sentences import split_sentences
from scorers.text.stemming import stem

MAX_SENTENCES = 24
"""Sentences of a passage that are looked at."""
MOST = 5
"""Sentences of a passage that are held against those of another, those that hold most of the question."""

SHARE = 0.36
"""What one of three shares counts: of the question in both passages, of the question in both sentences, and of each
sentence in the other passage. Most pairs of policies in conflict come to 1.4 together, and few others do."""

ROUNDING = 0.001

_ASKING = word_set(
    "what which who whom whose when where how why many much long often tell get do does can may is are there need have"
    " allowed permitted possible eligible entitled free cost costs charge charged required optional mandatory necessary"
    " ok okay fine must should"
)


class Clash(NamedTuple):
    """Two sentences that cannot both hold, and how surely, 0 to `SUREST`."""

    probability: float
    first: str
    second: str


class BearingSentence(NamedTuple):
    """A sentence, its words, and the share of the question that it holds; with those before, if these hold more of it.

    ``around`` is what its words and those of the sentences beside it are found by.
    """

    words: str
    marks: tuple[RuleWord, ...]
    around: frozenset[WordKey]
    share: float


def bearing_on(question: str, text: str) -> tuple[BearingSentence, ...]:
    """Return the sentences of a passage that hold most of a question, the best first; none where none holds any."""
    words_asked = _asked(question)
    read = _sentences(text)
    shares = [_held(words_asked, keys) for _, _, keys in read]
    found = []
    for at, (words, marks, keys) in enumerate(read):
        around = keys.union(*[near for _, _, near in read[max(0, at - 1) : at + 2]])
        if at and shares[at - 1] > shares[at]:
            # "Safety glasses are by the door. Whether you put them on is left to you."
            _, before, theirs = read[at - 1]
            share = _held(words_asked, keys | theirs)
            found.append(BearingSentence(words, (*before, *marks), around, share))
        elif shares[at]:
            found.append(BearingSentence(words, marks, around, shares[at]))
    return tuple(heapq.nlargest(MOST, found, key=_share))


def clash(question: str, one: Sequence[BearingSentence], other: Sequence[BearingSentence]) -> Clash | None:
    """Return the sentences of two passages that clash most surely about a question; ``None`` where none do.

    >>> question = "Do I need the safety training every year?"
    >>> ours = bearing_on(question, "The yearly safety training is a voluntary offer; nobody is obliged to take part.")
    >>> theirs = bearing_on(question, "Safety training is compulsory for all personnel once in every year.")
    >>> clash(question, ours, theirs).probability > 0.5
    True
    """
    words, expected = _asked(question), asked(question).expected
    clashing, valued = CLASHES[expected], expected not in _VALUELESS
    found = [
        Clash(min(SUREST, SHARE * _near(words, mine, its)), mine.words, its.words)
        for (mine, my_stances, my_values), (its, its_stances, its_values) in product(map(_told, one), map(_told, other))
        if _against(my_stances, its_stances, clashing) or (valued and _differing(my_values, its_values))
    ]
    return next((each for each in sorted(found, reverse=True) if not _beside(question, each.first, each.second)), None)


def _near(question: Sequence[RuleWord], mine: BearingSentence, its: BearingSentence) -> float:
    """Return the shares of `SHARE`, summed."""
    asked_of = _held(question, mine.around, its.around) + min(mine.share, its.share)
    return asked_of + min(_held(mine.marks, its.around), _held(its.marks, mine.around))


def _told(sentence: BearingSentence) -> tuple[BearingSentence, frozenset[Stance], _RuledValues]:
    return sentence, stances(sentence.words), _ruled(sentence.words)


def _beside(question: str, one: str, other: str) -> bool:
    """Tell whether two sentences that stand against each other speak of two cases, in whatever they are opposed."""
    expected = asked(question).expected
    mine, its, clashing = stances(one), stances(other), CLASHES[expected]
    # Who may and who may not is what these are about: "open to all" and "members only".
    if _against(mine, its, clashing & OF_ALL) and not limited_apart(one, other):
        return False
    values = _values(expected, one, other)
    acts = bool(values) or _against(mine, its, clashing - OF_ALL)
    return not acts or of_two_cases(question, one, other, values)


def _values(expected: Expected, one: str, other: str) -> tuple[str, ...]:
    return _differing(_ruled(one), _ruled(other)) if expected not in _VALUELESS else ()


_VALUELESS: frozenset[Expected] = frozenset({"open"})
"""An account of something ("what does the policy say about hotels?") has no one value."""
_RuledValues = Mapping[str, tuple[Quantity, bool]]
"""The one value of each dimension of a sentence that sets a rule, and whether it is how long ahead that is done."""


# Sentences have few stances, and the same ones again and again.
@cached(maxsize=16_384)
def _against(mine: frozenset[Stance], its: frozenset[Stance], clashing: frozenset[tuple[Stance, Stance]]) -> bool:
    """Tell whether two sentences stand against each other; what both do, neither does alone."""
    own, theirs, both = mine - its, its - mine, mine & its
    return any(
        one in both if one == other else (one in own and other in theirs) or (one in theirs and other in own)
        for one, other in clashing
    )


def _differing(one: _RuledValues, other: _RuledValues) -> tuple[str, ...]:
    """Return the values of two sentences that set rules, as written, where they put different figures on one thing."""
    for dimension, (mine, ahead) in one.items():
        theirs = other.get(dimension)
        if theirs is not None and ahead == theirs[1] and _other_value(mine, theirs[0]):
            return mine.written, theirs[0].written
    return ()


@cached_by_text(cost=8)
def _ruled(sentence: str) -> _RuledValues:
    if not sets_rule(sentence):
        return {}
    by: dict[str, list[Quantity]] = {}
    for each in quantities_in(sentence[:LONGEST], "en"):
        by.setdefault(each.dimension, []).append(each)
    return {dimension: (each[0], _ahead(sentence, each[0])) for dimension, each in by.items() if len(each) == 1}


def one_quantity(one: str, other: str) -> bool:
    """Tell whether two sentences have one measured value, however written: 17:30 and half past five.

    >>> one_quantity("Send it back within two weeks.", "You have 14 days.")
    True
    """
    its = [each for each in quantities_in(other[:LONGEST], "en") if each.dimension in _MEASURED]
    return any(
        mine.dimension == each.dimension
        and (mine.unit == each.unit or mine.dimension != "money")
        and any(close(value, each.value, ROUNDING) for value in (mine.value, *mine.others))
        for mine in quantities_in(one[:LONGEST], "en")
        for each in its
    )


_MEASURED = frozenset({
    "time", "working time", "clock", "money", "mass", "length", "area", "volume", "data", "percent", "temperature",
})  # fmt: skip


def _other_value(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities of one dimension are two values of one thing."""
    if one.dimension == "count" and not (one.unit and other.unit):
        return False
    if one.dimension == "money" and bool(one.rate) != bool(other.rate):
        return False
    if one.dimension == "money" and one.unit != other.unit:
        return True
    # "From 50 EUR" is where something begins, and "3.99 EUR" what it costs.
    if (one.bound in _BEGINS) != (other.bound in _BEGINS):
        return False
    return (bool(one.rate and other.rate) and one.rate != other.rate) or not close(one.value, other.value, ROUNDING)


def _ahead(text: str, value: Quantity) -> bool:
    """Tell whether a value is how long ahead something is done."""
    return _AHEAD.match(text, value.end) is not None


_AHEAD = re.compile(r"(?:'s?|\u2019s?)? (?:in advance|ahead|beforehand|before|prior|notice)\b", re.IGNORECASE)
_BEGINS = frozenset({">", ">=", "after"})


def _asked(question: str) -> tuple[RuleWord, ...]:
    return tuple([mark for mark in marks_of(question) if mark.keys and mark.text not in _ASKING])


@cached_by_text(cost=60)
def _sentences(text: str) -> tuple[tuple[str, tuple[RuleWord, ...], frozenset[WordKey]], ...]:
    found = []
    for sentence in split_sentences(text)[:MAX_SENTENCES]:
        marks = tuple([mark for mark in marks_of(sentence.words) if mark.keys])
        found.append((sentence.words, marks, keys_in(marks)))
    return tuple(found)


def _held(words: Sequence[RuleWord], *keys: frozenset[WordKey]) -> float:
    """Return the share of words, weighted by rarity, that each of some texts has; 0 of none."""
    total = held = 0.0
    for word in words:
        weight = _rarity_of(word.text)
        total += weight
        if not any(each.isdisjoint(word.keys) for each in keys):
            held += weight
    return held / total if total else 0.0


@cached(maxsize=16_384)
def _rarity_of(word: str) -> float:
    return rarity().of(stem(word))


def _share(sentence: BearingSentence) -> tuple[float, str]:
    return sentence.share, sentence.words
