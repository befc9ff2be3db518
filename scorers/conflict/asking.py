"""What a question asks for: a date, a number, a person, a place, some other thing, or no one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from scorers.conflict.lexicon import VOCABULARIES
from scorers.conflict.tokens import tokens
from scorers.text.normalize import word_set

Expected = Literal["date", "number", "who", "where", "what", "open"]

EXPECTED: tuple[Expected, ...] = ("date", "number", "who", "where", "what")
"""Kinds of answers that are one value; an open question asks for yes or no, a way, or a reason."""

MAX_QUESTION = 1_000
MAX_TERMS = 40
_LOOKED_AT = 12
_OPENING = 3
"""Words within which "when", "where" and "who" ask; later they join clauses."""

_NOUN_WITHIN = 6
_DATE = word_set("when date year month day birthday birthdate deadline")
_NUMBER = word_set(
    "number population amount total rate percentage percent share average cost price salary wage worth income budget"
    " length height width depth weight distance area size age elevation altitude capacity speed temperature limit"
    " maximum minimum threshold ratio fee tax duration period allowance quota quantity count score value fine penalty"
    " dose dosage budget margin interest"
)
_HOW = word_set("many much long tall far old big large high deep wide often fast heavy soon early late")
_WHERE = word_set(
    "where city town country state county province region location place village continent island river district"
    " municipality birthplace address capital area territory"
)
_WHO = word_set(
    "who whom whose person author writer director artist singer actor actress composer inventor founder creator winner"
    " champion president minister coach captain owner husband wife father mother son daughter brother sister spouse"
    " successor predecessor manager chairman ceo leader performer producer"
)
_POLAR = word_set("is are was were do does did can may must should has have had will would could shall am")
_PRONOUNS: dict[str, Expected] = {"when": "date", "where": "where", "who": "who", "whom": "who", "whose": "who"}
_ASKING = word_set("what which who whom whose when where how why name called many much tell year date day month")
_WEIGHT_OF_NAME = 1.5
"""A capitalized word or figure of a question says more of what it is about than another word."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks: the kind of answer, the stems of the question with weights, and words it may be one of.

    ``about`` are the stems that name what it is about (capitalized, quoted, figures), the others its relation to it.
    """

    expected: Expected
    weights: Mapping[str, float]
    total: float
    about: frozenset[str]
    vocabulary: frozenset[str]


# A memo of a pure function, for speed alone: a question is read against each of its passages.
@lru_cache(maxsize=64)
def asked(question: str) -> Asked:
    """Return what ``question`` asks.

    >>> [asked(q).expected for q in ("When was it built?", "How many are there?", "Who won?", "May I smoke?")]
    ['date', 'number', 'who', 'open']
    """
    weights: dict[str, float] = {}
    about: set[str] = set()
    quoted = False
    read = tokens(question[:MAX_QUESTION])
    for at, token in enumerate(read):
        if token.text in ('"', "\u201c", "\u201d"):
            quoted = not quoted
        if token.stem and token.lower not in _ASKING and len(weights) < MAX_TERMS:
            named = (token.capital and at > 0) or quoted or token.kind != "word"
            weights[token.stem] = _WEIGHT_OF_NAME if named else 1.0
            if named:
                about.add(token.stem)
    words = [token.lower for token in read if token.kind == "word"]
    return Asked(
        expected=_expected(words),
        weights=weights,
        total=sum(weights.values()) or 1.0,
        about=frozenset(about),
        vocabulary=next((VOCABULARIES[word] for word in words if word in VOCABULARIES), frozenset()),
    )


def _expected(words: Sequence[str]) -> Expected:
    for at, word in enumerate(words[:_LOOKED_AT]):
        following = words[at + 1 : at + 1 + _NOUN_WITHIN]
        if at < _OPENING and word in _PRONOUNS:
            return _PRONOUNS[word]
        if word == "how" and following and following[0] in _HOW:
            return "number"
        if word in ("what", "which"):
            return _expected_noun(following)
        if (at == 0 and word in _POLAR) or word in ("how", "why"):
            return "open"
    return _expected_noun(words[:_LOOKED_AT])


def _expected_noun(following: Sequence[str]) -> Expected:
    """Return what the noun after "what" or "which" asks for: "what year", "what is the population of"."""
    for word in following:
        if word in ("of", "in", "for"):
            break
        for words, expected in _NOUNS:
            if word in words:
                return expected
    return "what"


_NOUNS: tuple[tuple[frozenset[str], Expected], ...] = (
    (_DATE, "date"),
    (_NUMBER, "number"),
    (_WHERE, "where"),
    (_WHO, "who"),
)
