"""Which side of a disagreement an answer takes: by the values it states, else by what it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from adapters.schema import Answer, Passage
from scorers.disagreement.disagreement import ALIKE, Disagreement, Side
from scorers.disagreement.opposing import contradicted
from scorers.disagreement.polarity import yes_and_no
from scorers.disagreement.values import reading_of, same
from scorers.text.sentences import split_sentences

MAX_ANSWER = 8_000
"""Characters of an answer that are read."""

MAX_SENTENCES = 40

EVEN = 0.5

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


class Taken(Enum):
    """What an answer states of a disagreement."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NEITHER = "neither"


def taken(answer: Answer, passages: Sequence[Passage], pair: Disagreement) -> Taken:
    """Return the side that ``answer`` takes; ``passages`` are those that the sides of ``pair`` count.

    The values it states say so; opposite statements are told by which of the two the answer does not oppose. Where it
    states neither, a citation of just one of the two passages counts.
    """
    text = (answer.answer or "")[:MAX_ANSWER]
    first, second = _stated(text, pair)
    if not first and not second:
        cited = {citation.passage_id for citation in answer.citations or ()}
        first, second = (passages[side.passage].id in cited for side in (pair.first, pair.second))
        if first and second:
            return Taken.NEITHER
    if first and second:
        return Taken.BOTH
    return Taken.FIRST if first else Taken.SECOND if second else Taken.NEITHER


def _stated(text: str, pair: Disagreement) -> tuple[bool, bool]:
    if pair.first.value is None or pair.second.value is None:
        return _not_opposed(text, pair.first, pair.second)
    words = "word" in (pair.first.value.kind, pair.second.value.kind)
    stated = [
        value
        for value in reading_of(text).values(words=words)
        if value.kind in (pair.first.value.kind, pair.second.value.kind)
    ]
    first, second = (
        any(same(side.value, value) >= ALIKE for value in stated) if side.value is not None else False
        for side in (pair.first, pair.second)
    )
    return first, second


def _not_opposed(text: str, first: Side, second: Side) -> tuple[bool, bool]:
    """Return which of two opposite sentences the answer agrees with."""
    if yes_and_no(text, first.sentence) or yes_and_no(text, second.sentence):
        return yes_and_no(text, second.sentence), yes_and_no(text, first.sentence)
    sentences = [sentence.words for sentence in split_sentences(text)[:MAX_SENTENCES]]
    against_first = any(contradicted(sentence, first.sentence) >= EVEN for sentence in sentences)
    against_second = any(contradicted(sentence, second.sentence) >= EVEN for sentence in sentences)
    return (against_second, against_first) if against_first or against_second else _by_figures(text, first, second)


def _by_figures(text: str, first: Side, second: Side) -> tuple[bool, bool]:
    """Return which of two sentences the answer gives a figure of that the other has not."""
    ours, theirs = (set(_FIGURE.findall(side.sentence)) for side in (first, second))
    said = set(_FIGURE.findall(text))
    return not said.isdisjoint(ours - theirs), not said.isdisjoint(theirs - ours)
