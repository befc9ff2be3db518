"""What an answer has to tell: the required points of the gold labels, else the aspects of the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from adapters.caching import cached
from adapters.schema import Answer, Passage
from scorers.base import Basis
from scorers.models.terms import rarity
from scorers.text.normalize import terms
from scorers.text.plain import plain
from scorers.text.source import MAX_VARIANTS, VARIANT_LETTERS, VARIANT_RATIO, SourceText, source_of, within
from scorers.text.synonyms import SYNONYMS

QUESTION = 4_000
"""Characters of the question, and of each point, that are read."""
MAX_POINTS = 50
MAX_PASSAGES = 200
MET = 0.5
"""A point is told of as met from this share of its words on."""

_ASKING = "who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|may|must|should|will"
# The words between "and" and what asks are bounded, and so is the work at each "and".
_PART = re.compile(
    rf"[?\uff1f\u061f;\n]+|,?[ \t]{{1,9}}and[ \t]{{1,9}}(?=(?:[a-z]{{1,9}}[ \t]){{0,2}}(?:{_ASKING})\b)", re.IGNORECASE
)


_ORDERS_TEXT = re.compile(
    r"\W{0,20}+(?:(?:instructions?|task|prompt)\s?:\s{0,9}+)?"
    r"(?:(?:please|now|briefly|bitte|can you|could you|i want you to)\s){0,2}"
    r"(?:summari[sz]e|write|rewrite|rephrase|paraphrase|translate|draft|compose|shorten|proofread|reword|convert|reformat"
    r"|(?:give|provide|create|generate|produce)\s(?:me\s)?(?:a|an)\s(?:[\w-]{1,20}\s){0,3}"
    r"(?:summary|translation|rewrite|draft|version)|fasse?|schreibe?|übersetze?|formuliere?|résume[rz]?|écri[sv]\w{0,3}"
    r"|tradui[st]\w{0,3}|resum[ae]|escrib[ae]|traduce)\b",
    re.IGNORECASE,
)


def orders_text(question: str) -> bool:
    """Return whether a question orders a text to be written of what is at hand, so that its words ask for no evidence.

    >>> orders_text("Summarize the following news"), orders_text("What does the summary of benefits say?")
    (True, False)
    """
    return _ORDERS_TEXT.match(question[:QUESTION]) is not None


class Words:
    """Terms of several sentences together, and whether they have a term or a variant of it, as a `SourceText` tells.

    >>> Words(["approval", "manager"]).covers("approv"), Words(["manager"]).covers("budget")
    (True, False)
    """

    __slots__ = ("_families", "_items")

    def __init__(self, items: Iterable[str]) -> None:
        self._items = frozenset(items)
        self._families: dict[str, list[str]] | None = None

    def covers(self, term: str) -> bool:
        """Return whether ``term`` or a variant of it is among the words."""
        if term in self._items or not self._items.isdisjoint(SYNONYMS.get(term, ())):
            return True
        if len(term) <= VARIANT_LETTERS or term[0] == "#":
            return False
        if self._families is None:
            self._families = {}
            for item in sorted(self._items):
                self._families.setdefault(item[:VARIANT_LETTERS], []).append(item)
        near = self._families.get(term[:VARIANT_LETTERS])
        if near is None:
            return False
        return any(_shared(term, word) >= VARIANT_RATIO * max(len(term), len(word)) for word in near[:MAX_VARIANTS])


@dataclass(frozen=True, slots=True)
class Point:
    """Something to tell, with its terms, each once, and how rare each is."""

    text: str
    terms: tuple[str, ...]
    weights: tuple[float, ...]

    def covered(self, sources: Iterable[SourceText]) -> float:
        """Return the share of the terms, weighted by rarity, that the best of ``sources`` has (0-1)."""
        return max((self._share(source.covers(term) for term in self.terms) for source in sources), default=0.0)

    def covered_by(self, words: Words) -> float:
        """Return the same share of the terms that stand among ``words``."""
        return self._share([words.covers(term) for term in self.terms])

    def _share(self, present: Iterable[bool]) -> float:
        told = sum([weight for weight, there in zip(self.weights, present, strict=True) if there], 0.0)
        return min(1.0, told / sum(self.weights, 0.0))


def point_of(text: str) -> Point | None:
    """Return a text as a point; ``None`` where it holds no word.

    >>> point_of("Restart the mail server").terms, point_of("!")
    (('restart', 'mail', 'server'), None)
    """
    return next(iter(_points((text,))), None)


def points_of(answer: Answer) -> tuple[tuple[Point, ...], Basis]:
    """Return the points to tell and what they are from: gold labels, else the question (``passages``).

    A question asks for as many things as it has parts that ask. Empty where neither holds a word, and where what is
    asked is to write a text of what is at hand.

    >>> found, basis = points_of(Answer(id="a", question="How long is the leave, and who approves it?"))
    >>> [point.text for point in found], basis
    (['How long is the leave', 'who approves it'], 'passages')
    """
    required = answer.gold.required_points if answer.gold is not None else ()
    found = _points(required)
    if found:
        return found, "gold"
    question = (answer.question or "")[:QUESTION]
    return () if orders_text(question) else _aspects(question), "passages"


# What the context covers of a question is asked by several scorers.
@cached(maxsize=16)
def _aspects(question: str) -> tuple[Point, ...]:
    return _points(_PART.split(plain(question)))


def coverage(points: tuple[Point, ...], passages: Sequence[Passage]) -> tuple[float, ...]:
    """Return for each point the share of its terms that the best of ``passages`` has, as `Point.covered` does."""
    return _coverage(points, tuple(passage.text or "" for passage in passages[:MAX_PASSAGES]))


@cached(maxsize=8)
def _coverage(points: tuple[Point, ...], texts: tuple[str, ...]) -> tuple[float, ...]:
    sources = tuple(map(source_of, within(texts)))
    return tuple(point.covered(sources) for point in points)


def sources_of(passages: Sequence[Passage]) -> tuple[SourceText, ...]:
    """Read ``passages`` as they are read everywhere, within the same bound."""
    return tuple(source_of(text) for text in within(passage.text or "" for passage in passages[:MAX_PASSAGES]))


def _shared(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _points(texts: Iterable[str]) -> tuple[Point, ...]:
    found, known = [], rarity()
    for text in texts:
        read = tuple(dict.fromkeys(terms(text[:QUESTION]).items))
        if read:
            found.append(Point(" ".join(text.split()), read, tuple(map(known.of, read))))
            if len(found) == MAX_POINTS:
                break
    return tuple(found)
