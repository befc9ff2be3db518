"""What each value of a sentence is tied to: the words of its own part of the sentence, and those that all share."""

from __future__ import annotations

import re
from typing import NamedTuple

from adapters.caching import cached
from scorers.statements.lexicon.functions import FUNCTION, MEASURES, NUMERALS
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.words import Word, word_of
from scorers.text.normalize import MONTHS, word_set

LONGEST = 600
"""Characters of a sentence of which the ties are read."""

_TOKEN = re.compile(r"[^\W\d_]{1,64}|[,;()!?]|\.(?=\s)|[\u2013\u2014](?=\s)|\d")
_PARTS = frozenset(",;()!?.\u2013\u2014") | {
    "and", "but", "or", "while", "whereas", "whilst", "although", "though", "plus", "otherwise", "elsewhere",
}  # fmt: skip
_EMPTY = (FUNCTION | MEASURES | NUMERALS | frozenset(MONTHS) | word_set("long maximum minimum most every")) - word_set(
    "own policy place places case cases"
)


class TiedWord(NamedTuple):
    """A word with content, the part of its sentence that it stands in, and where it begins."""

    word: Word
    part: int
    start: int


class TiedValue(NamedTuple):
    """A quantity and the part of its sentence that it stands in."""

    quantity: Quantity
    part: int


class TiedSentence(NamedTuple):
    """The words and values of a sentence by part; parts end at a comma, a bracket, "and", "but" and the like."""

    words: tuple[TiedWord, ...]
    values: tuple[TiedValue, ...]


@cached(maxsize=4_096)
def read_ties(text: str) -> TiedSentence:
    """Return the words and the values of a sentence, each with its part.

    >>> read = read_ties("London is 210 GBP, Switzerland 220 CHF.")
    >>> [(value.quantity.written, value.part) for value in read.values]
    [('210 GBP', 0), ('220 CHF', 1)]
    >>> [(each.word.root, each.part) for each in read.words]
    [('london', 0), ('switzerland', 1)]
    """
    text = text[:LONGEST]
    quantities = quantities_in(text, "en")
    inside = [(each.start, each.end) for each in quantities]
    part, filled = 0, False
    words: list[TiedWord] = []
    edges: list[int] = []
    for match in _TOKEN.finditer(text):
        token, start = match.group().lower(), match.start()
        within = any(first <= start < end for first, end in inside)
        if token in _PARTS:
            if filled and not within:
                part, filled = part + 1, False
                edges.append(start)
            continue
        filled = True
        if not within and not token.isdigit() and len(token) > 1 and token not in _EMPTY:
            words.append(TiedWord(word_of(token), part, start))
    values = tuple(TiedValue(each, sum([edge <= each.start for edge in edges])) for each in quantities)
    return TiedSentence(tuple(words), values)


def kinship(one: Word, other: Word) -> float:
    """Return how well a word stands for another one: 1 for one root, less for a synonym, below 0 for another of a set.

    >>> [kinship(word_of("monday"), word_of(word)) for word in ("mondays", "friday", "lorry")]
    [1.0, -0.6, 0.0]
    """
    if one.root == other.root:
        return 1.0
    for concept, sign in one.concepts.items():
        if other.concepts.get(concept) == sign:
            return SYNONYM
    apart = False
    for group, member in one.members.items():
        its = other.members.get(group)
        if its == member:
            return SYNONYM
        apart = apart or its is not None
    return EXCLUDES if apart else 0.0


SYNONYM, EXCLUDES = 0.8, -0.6
