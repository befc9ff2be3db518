"""What a question asks for: a date, a number, a person, a place, some other thing, yes or no, or no one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from adapters.caching import cached
from scorers.disagreement.figures import DIMENSIONS
from scorers.disagreement.lexicon import POPULATION, VOCABULARIES
from scorers.disagreement.tokens import tokens
from scorers.models.terms import rarity
from scorers.text.normalize import word_set
from scorers.text.plain import plain

Expected = Literal["date", "number", "who", "where", "what", "polar", "open"]

EXPECTED: tuple[Expected, ...] = ("date", "number", "who", "where", "what")
"""Kinds of answers that are one value; a polar question asks for yes or no, an open one for a way, a reason, a list."""

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
    " dose dosage margin interest discount deposit surcharge bonus premium rent compensation reimbursement time term"
    " paid reimbursed charged refunded deducted owed"
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
_VERBS = _POLAR | word_set("be been being")
_LISTS = word_set(
    "difference similarity example meaning definition history benefit advantage disadvantage effect symptom cause"
    " reason factor process procedure way step purpose importance role feature characteristic consequence impact"
    " summary overview explanation point idea story plot relationship background context detail information"
    " problem issue"
)
"""Nouns that ask for an account or a list, not for one value."""

_NAMING = word_set("refer stand belong called named known")
"""Verbs of "what does ..." that ask for one thing; others ask for an account ("what does the policy say")."""

_MEASURING = frozenset({"cost", "costs", "weigh", "measure"})
_DOING = frozenset({"do", "does", "did"})
_ENDING = word_set("of in for between to and from on at with by that who which per when after before during")
_DETERMINERS = word_set("the a an my our your their his her its this that")
_PRONOUNS: dict[str, Expected] = {"when": "date", "where": "where", "who": "who", "whom": "who", "whose": "who"}
_ASKING = word_set("what which who whom whose when where how why name called many much tell year date day month")
_WEIGHT_OF_NAME = 1.5
"""A capitalized word or figure of a question says more of what it is about than another word."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What a question asks: the kind of answer, the stems of the question with weights, and words it may be one of.

    ``about`` are the stems that name what it is about (capitalized, quoted, figures), the others its relation to it. A
    stem weighs by its rarity; units that the question names ("how many days") are in ``units`` and weigh nothing,
    because every value of the unit has them.
    """

    expected: Expected
    weights: Mapping[str, float]
    total: float
    about: frozenset[str]
    units: frozenset[str]
    vocabulary: frozenset[str]

    @property
    def of_words(self) -> bool:
        """Whether a passage's own words, lower-case ones, may answer."""
        return self.expected == "what"

    def weight(self, stems: frozenset[str]) -> float:
        """Return the weight of some of its stems together, summed in its own order: a set has none that stays."""
        return sum(weight for stem, weight in self.weights.items() if stem in stems)


# A question is read against each of its passages.
@cached(maxsize=64)
def asked(question: str) -> AskedQuestion:
    """Return what ``question`` asks.

    >>> [asked(q).expected for q in ("When was it built?", "How many are there?", "Who won?", "May I smoke?", "Why?")]
    ['date', 'number', 'who', 'polar', 'open']
    """
    weights: dict[str, float] = {}
    about: set[str] = set()
    units: set[str] = set()
    quoted = False
    rare = rarity()
    said = plain(question[:MAX_QUESTION])
    read = tokens(said)
    for at, token in enumerate(read):
        if token.text == '"':
            quoted = not quoted
        if token.stem and token.lower not in _ASKING and len(weights) < MAX_TERMS:
            named = (token.capital and at > 0) or quoted or token.kind != "word"
            if not named and token.stem in DIMENSIONS and token.stem != POPULATION:
                units.add(token.stem)
                continue
            weights[token.stem] = (_WEIGHT_OF_NAME if named else 1.0) * rare.of(token.stem)
            if named:
                about.add(token.stem)
    words = [token.lower for token in read if token.kind == "word"]
    return AskedQuestion(
        expected=_expected(words, owned="'s" in said),
        weights=weights,
        total=sum(weights.values()) or 1.0,
        about=frozenset(about),
        units=frozenset(units),
        vocabulary=next((VOCABULARIES[word] for word in words if word in VOCABULARIES), frozenset()),
    )


def _expected(words: Sequence[str], *, owned: bool) -> Expected:
    """Return what these words ask for; ``owned`` says that one of them has "'s" ("What is Ann's profession?")."""
    for at, word in enumerate(words[:_LOOKED_AT]):
        following = words[at + 1 : at + 1 + _NOUN_WITHIN]
        if at < _OPENING and word in _PRONOUNS:
            return _PRONOUNS[word]
        if word == "how" and following and following[0] in _HOW:
            return "number"
        if word == "what" and following and following[0] in _DOING:
            return "number" if not _MEASURING.isdisjoint(words) else _expected_thing(word, following, owned=owned)
        if word == "which" or (word == "what" and following):
            return _expected_noun(following) or _expected_thing(word, following, owned=owned)
        if word in ("how", "why"):
            return "open"
        if at == 0 and word in _POLAR:
            return "polar"
    return _expected_noun(words[:_LOOKED_AT]) or "open"


def _expected_noun(following: Sequence[str]) -> Expected | None:
    """Return what the noun after "what" or "which" asks for: "what year", "what is the population of"."""
    for word in following:
        if word in ("of", "in", "for"):
            break
        for words, expected in _NOUNS:
            if word in words:
                return expected
    return None


def _expected_thing(asking: str, following: Sequence[str], *, owned: bool) -> Expected:
    """Tell whether "what" or "which" asks for one thing: "which class is", "what is the genre of", not "what causes".

    A definition, an account and a list are no one value that two passages could give differently.
    """
    verb = next((place for place, word in enumerate(following) if word in _VERBS), -1)
    if verb == 0:
        rest = following[1:]
        if not _NAMING.isdisjoint(rest):
            return "what"
        named = bool(rest) and (rest[0] in _DETERMINERS or owned or "of" in rest)
        return "what" if named and following[0] not in _DOING and not _many(_head(rest)) else "open"
    defined = verb == len(following) - 1 < _NOUN_WITHIN - 1
    if not following or (asking == "what" and (verb < 0 or defined)):
        return "open"
    # Without a verb that is known, "which supplier delivers the pallets": a noun of its own ends the phrase.
    head = following[0] if verb < 0 and not _DETERMINERS.isdisjoint(following) else _head(following)
    return "open" if _many(head) else "what"


def _head(words: Sequence[str]) -> str:
    """Return the noun of a phrase: the last word before a preposition or a verb."""
    at = next((place for place, word in enumerate(words) if place and (word in _VERBS or word in _ENDING)), len(words))
    return words[at - 1]


def _many(noun: str) -> bool:
    """Tell whether a noun asks for several things or for an account."""
    one = noun.removesuffix("s")
    return one in _LISTS or noun.removesuffix("es") in _LISTS or (noun != one and not one.endswith(("s", "u", "i")))


_NOUNS: tuple[tuple[frozenset[str], Expected], ...] = (
    (_DATE, "date"),
    (_NUMBER, "number"),
    (_WHERE, "where"),
    (_WHO, "who"),
)
