"""The values of a context, each with the words that are said of it: items under their stem, rows under their header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import family
from scorers.statements.ties import LONGEST, read_ties
from scorers.statements.words import word_of

MOST_STATEMENTS, MOST_VALUES = 120, 48
"""Statements that are read, and values of them."""

NO_VALUES = frozenset({"reference", "version", "ordinal", "date", "clock"})
_LETTER = re.compile(r"(?<=\s)[A-HJ-Z]\b")
_HALVED = re.compile(r"\bhal(?:f|ved|ves)\b", re.IGNORECASE)
_HALF = Quantity("percent", 50.0, "%", "half", 0, 0, amount=50.0)


_HEADERS = frozenset(
    word_of(word).root
    for word in (
        "item",
        "items",
        "detail",
        "details",
        "value",
        "description",
        "setting",
        "parameter",
        "property",
        "field",
    )
)
"""Words of a header over names and their values, which say nothing of either: "Item", "Detail"."""


class LabelledValue(NamedTuple):
    """A value, its statement, and which of the values of that one it is; -1 for a half that is no number."""

    quantity: Quantity
    words: str
    at: int

    @property
    def label(self) -> frozenset[str]:
        """The roots of the words that are said of it, without those of other values of its kind."""
        return _labels(self.words)[self.at] if self.at >= 0 else roots_of(self.words)


class LabelledValues:
    """The values of the statements of one context. What is said of them is read when it is asked for, and once."""

    def __init__(self, statements: Iterable[str]) -> None:
        self.values = _values_of(islice(statements, MOST_STATEMENTS))
        self._common: dict[str, frozenset[str]] = {}

    def distinct(self, value: LabelledValue) -> frozenset[str]:
        """Return the words that are said of a value and not of every other one of its family."""
        label = value.label
        if not label:
            return label
        kind = family(value.quantity)
        common = self._common.get(kind)
        if common is None:
            common = self._common[kind] = self._said_of_all(kind)
        return label - common

    def _said_of_all(self, kind: str) -> frozenset[str]:
        common: frozenset[str] | None = None
        for value in self.values:
            if family(value.quantity) == kind:
                common = value.label if common is None else common & value.label
                if not common:
                    break
        return common or frozenset()


def _values_of(statements: Iterable[str]) -> tuple[LabelledValue, ...]:
    found: list[LabelledValue] = []
    for words in statements:
        quantities = quantities_in(words[:LONGEST], "en")
        if not quantities and _HALVED.search(words[:LONGEST]) is not None:
            found.append(LabelledValue(_HALF, words, -1))
        for at, quantity in enumerate(quantities):
            if quantity.dimension not in NO_VALUES:
                found.append(LabelledValue(quantity, words, at))
                if len(found) >= MOST_VALUES:
                    return tuple(found)
    return tuple(found)


@cached_by_text(cost=20)
def _labels(words: str) -> tuple[frozenset[str], ...]:
    """Return for each value of a statement the roots that are said of it."""
    read = read_ties(words)
    letters = _letters(words)
    found: list[frozenset[str]] = []
    for value in read.values:
        rivals = {
            each.part
            for each in read.values
            if each.part != value.part and family(each.quantity) == family(value.quantity)
        }
        label = [word.root for word, part in read.words if part not in rivals]
        found.append(letters.union(label) - _HEADERS)
    return tuple(found)


def most_named(values: Sequence[LabelledValue], roots: frozenset[str]) -> list[LabelledValue]:
    """Return those of some values of which a claim with these roots says most.

    >>> told = LabelledValues(["Printing costs 10 cents in black and 40 cents in colour."]).values
    >>> [each.quantity.written for each in most_named(told, named_in("What does printing in colour cost?"))]
    ['40 cents']
    """
    if len(values) < 2:  # noqa: PLR2004 - one has no rival
        return list(values)
    common = frozenset.intersection(*[value.label for value in values])
    said: list[tuple[int, int]] = []
    for value in values:
        near = [other for other in values if other.words == value.words]
        shared = frozenset.intersection(*[other.label for other in near]) if len(near) > 1 else common
        label = (value.label - common - shared) & roots
        # What leads may be said of all that follows.
        lead = roots_of(value.words[: min(other.quantity.start for other in near)])
        said.append((len(label - lead), len(label)))
    return [value for value, hits in zip(values, said, strict=True) if hits == max(said)]


def roots_of(words: str) -> frozenset[str]:
    """Return the roots of the words of a statement."""
    return frozenset([each.word.root for each in read_ties(words).words])


def named_in(words: str) -> frozenset[str]:
    """Return the roots of the words of a claim, and the capitals that name something alone: "the L plan"."""
    return roots_of(words) | _letters(words)


def _letters(words: str) -> frozenset[str]:
    return frozenset(_LETTER.findall(words[:LONGEST]))
