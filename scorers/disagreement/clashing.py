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
from operator import itemgetter
from typing import NamedTuple

from adapters.caching import cached, cached_by_text
from scorers.disagreement.asking import Expected, asked
from scorers.disagreement.cases import limited_apart, of_two_cases
from scorers.disagreement.polarity import SUREST
from scorers.disagreement.stances import CLASHES, OF_ALL, Stance, stances
from scorers.disagreement.units import other_unit
from scorers.models.terms import rarity
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.contraries.reading import marks_of, word_keys
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

UNIT, UNIT_SHARE, UNIT_MUTUAL = 0.6, 0.2, 0.2
"""How surely one figure in two units is a conflict, what one of the three shares adds, and the share of each sentence
that must be in the other. Of 12 such pairs of policies in view 11 were conflicts."""

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
    """A sentence of a passage and the share of the question that it holds, with the one before if that holds more.

    ``said`` are its stances, and ``values`` those that it sets, where these can clash over what is asked. ``counted``
    are the sentences whose words count as its own, ``around`` it and those beside it in the ``passage``, a bit each,
    and ``asked`` those that hold each word of the question.
    """

    words: str
    share: float
    said: frozenset[Stance]
    values: _RuledValues
    counted: tuple[str, ...]
    around: int
    passage: _Indexed
    asked: tuple[int, ...]


def bearing_on(question: str, text: str) -> tuple[BearingSentence, ...]:
    """Return the sentences of a passage that hold most of a question, the best first; none where none holds any."""
    asks, passage = _asked(question), _indexed(text)
    standing = tuple([_standing(keys, passage) for keys in asks.keys])
    told = [(weight, at) for weight, at in zip(asks.weights, standing, strict=True) if at]
    if not told:
        return ()
    shares = [_share(told, 1 << at, asks.total) for at in range(len(passage.sentences))]
    found = []
    for at, words in enumerate(passage.sentences):
        if at and shares[at - 1] > shares[at]:
            # "Safety glasses are by the door. Whether you put them on is left to you."
            found.append((_share(told, 0b11 << at - 1, asks.total), words, at, passage.sentences[at - 1 : at + 1]))
        elif shares[at]:
            found.append((shares[at], words, at, (words,)))
    expected = asked(question).expected
    stanced, valued = bool(CLASHES[expected]), expected not in _VALUELESS
    return tuple(
        [
            BearingSentence(
                words=words,
                share=share,
                said=stances(words) if stanced else _SILENT,
                values=_ruled(words) if valued else {},
                counted=counted,
                around=0b111 << at >> 1,
                passage=passage,
                asked=standing,
            )
            for share, words, at, counted in heapq.nlargest(MOST, found, key=itemgetter(0, 1))
        ]
    )


def clash(question: str, one: Sequence[BearingSentence], other: Sequence[BearingSentence]) -> Clash | None:
    """Return the sentences of two passages that clash most surely about a question; ``None`` where none do.

    >>> question = "Do I need the safety training every year?"
    >>> ours = bearing_on(question, "The yearly safety training is a voluntary offer; nobody is obliged to take part.")
    >>> theirs = bearing_on(question, "Safety training is compulsory for all personnel once in every year.")
    >>> clash(question, ours, theirs).probability > 0.5
    True
    """
    expected = asked(question).expected
    clashing = CLASHES[expected]
    found = [
        Clash(min(SUREST, SHARE * _near(question, mine, its)), mine.words, its.words)
        for mine, its in product(one, other)
        if _against(mine.said, its.said, clashing) or (mine.values and _differing(mine.values, its.values))
    ]
    found = [each for each in found if not _beside(question, each.first, each.second)]
    if expected not in _VALUELESS:
        found += [
            Clash(min(SUREST, UNIT + UNIT_SHARE * _near(question, mine, its)), mine.words, its.words)
            for mine, its in product(one, other)
            if other_unit(mine.words, its.words) and _mutual(mine, its) >= UNIT_MUTUAL
        ]
    return max(found, default=None)


def share_asked(question: str, *texts: frozenset[WordKey]) -> float:
    """Return the share of a question, weighted by rarity, that each of some texts holds, 0 to 1."""
    asks = _asked(question)
    held = 0.0
    for keys, weight in zip(asks.keys, asks.weights, strict=True):
        if not any(each.isdisjoint(keys) for each in texts):
            held += weight
    return held / asks.total if asks.total else 0.0


def _near(question: str, mine: BearingSentence, its: BearingSentence) -> float:
    """Return the shares of `SHARE`, summed."""
    asks = _asked(question)
    both = 0.0
    for weight, here, there in zip(asks.weights, mine.asked, its.asked, strict=True):
        if here & mine.around and there & its.around:
            both += weight
    return both / asks.total + min(mine.share, its.share) + _mutual(mine, its)


def _mutual(mine: BearingSentence, its: BearingSentence) -> float:
    """Return the share of each sentence that stands in or beside the other, the smaller of the two."""
    return min(_repeated(mine, its), _repeated(its, mine))


def _repeated(mine: BearingSentence, its: BearingSentence) -> float:
    """Return the share of a sentence's words that stand around another's, weighted by rarity; 0 of none."""
    total = held = 0.0
    places, around = its.passage.places, its.around
    for words in mine.counted:
        for mark in marks_of(words):
            if mark.keys:
                weight = _rarity_of(mark.text)
                total += weight
                for key in mark.keys:
                    if places.get(key, 0) & around:
                        held += weight
                        break
    return held / total if total else 0.0


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


_SILENT: frozenset[Stance] = frozenset()
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


class _Asked(NamedTuple):
    """The words that a question asks with: what each is found by, its rarity, and that of all together."""

    keys: tuple[tuple[WordKey, ...], ...]
    weights: tuple[float, ...]
    total: float


@cached(maxsize=64)
def _asked(question: str) -> _Asked:
    marks = [mark for mark in marks_of(question) if mark.keys and mark.text not in _ASKING]
    weights = tuple([_rarity_of(mark.text) for mark in marks])
    total = 0.0
    for weight in weights:
        total += weight
    return _Asked(tuple([mark.keys for mark in marks]), weights, total)


class _Indexed(NamedTuple):
    """The sentences of a passage, and those in which a word stands, a bit each, by what it is found by."""

    sentences: tuple[str, ...]
    places: Mapping[WordKey, int]


@cached_by_text(cost=14)
def _indexed(text: str) -> _Indexed:
    sentences = tuple([each.words for each in split_sentences(text)[:MAX_SENTENCES]])
    places: dict[WordKey, int] = {}
    for at, words in enumerate(sentences):
        for keys in word_keys(words):
            for key in keys:
                places[key] = places.get(key, 0) | 1 << at
    return _Indexed(sentences, places)


def _standing(keys: Sequence[WordKey], passage: _Indexed) -> int:
    """Return the sentences of a passage, a bit each, that hold a word or one that may stand for it."""
    found = 0
    for key in keys:
        found |= passage.places.get(key, 0)
    return found


def _share(told: Sequence[tuple[float, int]], sentences: int, total: float) -> float:
    """Return the share of a question's words that stand in any of some sentences; ``told`` says where which stand."""
    held = 0.0
    for weight, at in told:
        if at & sentences:
            held += weight
    return held / total


@cached(maxsize=16_384)
def _rarity_of(word: str) -> float:
    return rarity().of(stem(word))
