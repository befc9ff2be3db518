"""Whether what was retrieved surely holds what was asked: what tells a wrong refusal from a right one without labels.

That passages have the words of a question says that they are about it, and no more. They hold its answer where one
sentence has all of its words, or most of them and a value of the kind that is asked for: "a new card costs 5 pounds".
Where no value is asked for, a passage may have the words in several sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.schema import Answer
from scorers.statements.quantities.reading import quantities_in
from scorers.support.points import Point, Words, points_of, sources_of
from scorers.text.normalize import terms
from scorers.text.source import SourceText

MOST, ALL, LEAST = 0.6, 1 - 1e-9, 2
"""Share of the words of a question, by rarity, beside a value that is asked for; without one; and of how many words."""
NEARLY, SOME = 0.8, 0.3
"""Share of a passage, and of the sentence in it that has the value."""
MAX_SENTENCES = 400
"""Sentences that are looked through."""
SentenceWords = tuple[str, Words]
"""A sentence, and its words as they are looked up."""
_ASKED = (
    (
        re.compile(
            r"\bhow (?:much|expensive)\b|\bwhat(?:'s| is| are| was) the (?:[\w-]{1,20} ){0,2}(?:fee|price|cost|charge"
            r"|fine|excess|deposit|rate|penalty)s?\b|\bwhat (?:does|do|will|would) .{1,80} cost\b",
            re.IGNORECASE,
        ),
        frozenset({"money", "percent"}),
    ),
    (
        re.compile(r"\b(?:how (?:long|soon|quickly|early|late)|when|what time|(?:by|until) when)\b", re.IGNORECASE),
        frozenset({"time", "working time", "date", "clock"}),
    ),
    (re.compile(r"\bhow (?:many|often)\b", re.IGNORECASE), frozenset({"count", "time", "working time", "frequency"})),
)
"""What a question asks for a value of, and the dimensions of those values."""


def surely_holds(answer: Answer) -> bool:
    """Return whether the context surely holds what the question of ``answer`` asks for, each part of it.

    >>> from adapters.schema import Passage
    >>> passages = (Passage(id="p", text="The account fee is 3 pounds. A replacement card costs 5 pounds."),)
    >>> [
    ...     surely_holds(Answer(id="a", question=question, passages=passages))
    ...     for question in ("How much is a replacement card?", "How much is a card reader?", "Who may have a card?")
    ... ]
    [True, False, False]
    """
    points, _ = points_of(answer)
    if not points:
        return False
    question = answer.question or ""
    wanted = next((kinds for asks, kinds in _ASKED if asks.search(question)), None)
    sources = sources_of(answer.context_passages() or ())
    sentences = [each.words for source in sources for each in source.sentences]
    told = [(words, Words(terms(words).items)) for words in sentences[:MAX_SENTENCES]]
    return all(
        any(_tells(point, words, held, wanted) for words, held in told) or _tell(point, sources, told, wanted)
        for point in points
    )


def _tell(
    point: Point, sources: Sequence[SourceText], told: Sequence[SentenceWords], wanted: frozenset[str] | None
) -> bool:
    """Return whether a passage tells what is asked in several sentences, one of them with a value of the kind."""
    share = point.covered(sources)
    if wanted is None:
        return len(point.terms) >= LEAST and share >= ALL
    return share >= NEARLY and any(point.covered_by(held) >= SOME and _has(words, wanted) for words, held in told)


def _tells(point: Point, words: str, held: Words, wanted: frozenset[str] | None) -> bool:
    """Return whether a sentence tells what is asked: it has all words, or most of them and a value of the kind."""
    share = point.covered_by(held)
    if wanted is not None:
        return share >= MOST and _has(words, wanted)
    return share >= ALL and len(point.terms) >= LEAST


def _has(words: str, dimensions: frozenset[str]) -> bool:
    return any(each.dimension in dimensions for each in quantities_in(words, "en"))
