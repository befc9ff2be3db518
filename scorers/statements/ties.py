"""What each value of a sentence is tied to: the words of its own part of the sentence, and those that all share."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.lexicon.functions import FUNCTION, MEASURES, NUMERALS
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.elided import with_elided
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.words import Word, word_of
from scorers.text.normalize import MONTHS, word_set
from scorers.text.plain import for_ascii

LONGEST = 600
"""Characters of a sentence of which the ties are read."""

_TOKEN = re.compile(r"[^\W\d_]{1,64}|[,;()!?]|\.(?=\s)|[\u2013\u2014](?=\s)|\d")
_TOKEN_ASCII = for_ascii(_TOKEN)
_PARTS = frozenset(",;()!?.\u2013\u2014") | {
    "and", "but", "or", "while", "whereas", "whilst", "although", "though", "plus", "otherwise", "elsewhere",
}  # fmt: skip
_EMPTY = frozenset("0123456789abcdefghijklmnopqrstuvwxyz") | (
    FUNCTION | MEASURES | NUMERALS | frozenset(MONTHS) | word_set("long maximum minimum most every")
) - word_set("own policy place places case cases")


class TiedWord(NamedTuple):
    """A word with content and the part of its sentence that it stands in."""

    word: Word
    part: int


class TiedValue(NamedTuple):
    """A quantity and the part of its sentence that it stands in."""

    quantity: Quantity
    part: int


_word = partial(tuple.__new__, TiedWord)
"""A word out of its fields, in a third of the time: a text has many."""

WordKey = str | tuple[int, int]
"""A root, a concept with its sign, or a set, counted from -1 downwards, with the member of it."""


class TiedSentence:
    """The words and values of a sentence by part; parts end at a comma, a bracket, "and", "but" and the like.

    Where a word is looked up is read when that is asked for, and once: most sentences are asked for words and values.
    """

    __slots__ = ("_members", "_parts", "values", "words")

    def __init__(self, words: tuple[TiedWord, ...], values: tuple[TiedValue, ...]) -> None:
        self.words = words
        self.values = values
        self._parts: dict[WordKey, list[int]] | None = None
        self._members: dict[int, list[tuple[int, int]]] | None = None

    @property
    def parts(self) -> Mapping[WordKey, Sequence[int]]:
        """The parts in which a word with a key stands."""
        found = self._parts
        if found is None:
            found = self._parts = {}
            for word, place in self.words:
                for key in word.keys:
                    found.setdefault(key, []).append(place)
        return found

    @property
    def members(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """The members of each set that stand in it, with their parts."""
        found = self._members
        if found is None:
            found = self._members = {}
            for word, place in self.words:
                for group, member in word.members.items():
                    found.setdefault(group, []).append((member, place))
        return found


@cached_by_text(cost=55)
def read_ties(text: str) -> TiedSentence:
    """Return the words and the values of a sentence, each with its part.

    >>> read = read_ties("London is 210 GBP, Switzerland 220 CHF.")
    >>> [(value.quantity.written, value.part) for value in read.values]
    [('210 GBP', 0), ('220 CHF', 1)]
    >>> [(each.word.root, each.part) for each in read.words]
    [('london', 0), ('switzerland', 1)]
    """
    text = text[:LONGEST]
    quantities = with_elided(text, quantities_in(text, "en"))
    starts, ends = [each.start for each in quantities], [each.end for each in quantities]
    part, filled = 0, False
    words: list[TiedWord] = []
    edges: list[int] = []
    for match in (_TOKEN_ASCII if text.isascii() else _TOKEN).finditer(text):
        token = match.group().lower()
        splits = token in _PARTS
        if not splits:
            filled = True
            if token in _EMPTY:
                continue
        start = match.start()
        behind = bisect_right(starts, start)
        if behind and start < ends[behind - 1]:
            continue
        if not splits:
            words.append(_word((word_of(token), part)))
        elif filled:
            part, filled = part + 1, False
            edges.append(start)
    values = tuple([TiedValue(each, bisect_right(edges, each.start)) for each in quantities])
    return TiedSentence(tuple(words), values)


def keys_of(word: Word) -> tuple[WordKey, ...]:
    """Return what a word is found by: its root first, then its meanings and the members of sets that it is.

    >>> set(keys_of(word_of("deadline"))) & set(keys_of(word_of("deadlines"))) != set()
    True
    """
    return word.keys


@cached_by_text(cost=25)
def keys_in(text: str) -> frozenset[WordKey]:
    """Return what the words of a sentence are found by, its values aside."""
    words = [match.group().lower() for match in _WORD.finditer(text[:LONGEST])]
    return frozenset([key for word in words if word not in _EMPTY for key in word_of(word).keys])


_WORD = re.compile(r"[^\W\d_]{2,64}")


def apart(word: Word, sentence: TiedSentence, part: int) -> bool:
    """Tell whether a part of a sentence names another member of a set than a word.

    >>> [apart(word_of("friday"), read_ties(text), 0) for text in ("Monday is free.", "Fridays are free.")]
    [True, False]
    """
    return any(
        place == part and its != member
        for group, member in word.members.items()
        for its, place in sentence.members.get(group, ())
    )
