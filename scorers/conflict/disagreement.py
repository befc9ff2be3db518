"""Which passages disagree about a question, how surely, and on which values. Worked out once for every scorer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from scorers.conflict.asking import Asked, asked
from scorers.conflict.pairs import NAMES, Floats, agreements, features
from scorers.conflict.polarity import SUREST, opposed, yes_and_no
from scorers.conflict.ranking import KEPT, Candidates, candidates
from scorers.conflict.values import Reading, Value, comparable, values_of
from scorers.models.linear import linear_model

MAX_PASSAGES = 8
"""Passages of one answer that are compared, those that answer best: 28 pairs."""

_EDGE = 1e-9
_BY_SUM = tuple(sorted(product(range(KEPT), repeat=2), key=lambda pair: (sum(pair), pair)))
"""Places in two lists of candidates, the best of both first."""

ALIKE = 0.9
"""Two values that agree this well are one."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one passage of a disagreement says: its place, its sentence, and the value that the other has not."""

    passage: int
    sentence: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two passages and the probability that they give different answers.

    Where the sides have no values they say the opposite of each other.
    """

    probability: float
    first: Side
    second: Side


def disagreements(question: str, texts: Sequence[str]) -> tuple[Disagreement, ...]:
    """Return every pair of passages, the surest disagreement first; of more than `MAX_PASSAGES` the best answering.

    The more pairs there are, the less sure each is.

    >>> found = disagreements("When was the mill built?", ("The mill was built in 1921.", "It was built in 1955."))
    >>> found[0].first.value.text, found[0].second.value.text, found[0].probability > 0.5
    ('1921', '1955', True)
    """
    return _disagreements(question, tuple(texts))


def conflicting(found: Disagreement) -> bool:
    """Tell whether a disagreement is called one: the decision at the operating point of the model's file."""
    return found.probability >= linear_model("conflict").threshold


# A memo of a pure function, for speed alone: the scorers of one panel ask the same of one answer.
@lru_cache(maxsize=8)
def _disagreements(question: str, texts: tuple[str, ...]) -> tuple[Disagreement, ...]:
    asks = asked(question)
    places = [place for place, text in enumerate(texts) if text.strip()]
    found = candidates(asks, [texts[place] for place in places])
    if len(places) > MAX_PASSAGES:
        order = sorted(range(len(places)), key=lambda i: (-found[i].strength, -found[i].coverage, i))
        kept = sorted(order[:MAX_PASSAGES])
        places, found = [places[i] for i in kept], [found[i] for i in kept]
    compared = list(_compared(asks, [texts[place] for place in places], found, places))
    pairs = [replace(pair, probability=_among(pair.probability, len(compared))) for pair in compared]
    return tuple(sorted(pairs, key=lambda pair: (-pair.probability, pair.first.passage, pair.second.passage)))


def _among(probability: float, pairs: int) -> float:
    """Return the probability of a pair that is one of so many: half the logarithm of their number off its log-odds.

    The surest of many looks sure by chance: of 763 questions with nine web snippets each (QACC), a fifth of them in
    conflict, 94 % had a pair above .5 without this, 38 % have one with it. For two passages it is nothing.
    """
    odds = probability / (max(1 - probability, _EDGE) * math.sqrt(pairs))
    return odds / (1 + odds)


def _compared(
    asks: Asked, texts: Sequence[str], found: Sequence[Candidates], places: Sequence[int]
) -> Iterator[Disagreement]:
    """Yield every pair of texts; ``places`` are what their sides call them."""
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return
    readings = [values_of(text) for text in texts]
    agree = agreements(found)
    pairs, table = features(asks, readings, found, agree)
    model = linear_model("conflict")
    for (one, other), row in zip(pairs, table.tolist(), strict=True):
        values = differing(found[one], found[other], agree[one, :, other])
        sentences = (_best(readings[one], found[one]), _best(readings[other], found[other]))
        turned = _turned(asks, found[one], found[other], sentences, (texts[one], texts[other]))
        stated = 0.0 if values is None else model.probability(dict(zip(NAMES, row, strict=True)))
        if values is None and asks.expected in ("who", "where"):
            # "The shift lead", "in the basement": persons and places need no capital letter.
            yield from _as_things(asks, (texts[one], texts[other]), (places[one], places[other]))
        elif values is None or turned > stated:
            yield Disagreement(turned, Side(places[one], sentences[0], None), Side(places[other], sentences[1], None))
        else:
            yield Disagreement(
                stated,
                Side(places[one], readings[one].sentences[values[0].sentence], values[0]),
                Side(places[other], readings[other].sentences[values[1].sentence], values[1]),
            )


def _as_things(asks: Asked, texts: tuple[str, str], places: tuple[int, int]) -> Iterator[Disagreement]:
    things = replace(asks, expected="what")
    return _compared(things, texts, candidates(things, texts), places)


def differing(one: Candidates, other: Candidates, agree: Floats) -> tuple[Value, Value] | None:
    """Return the likeliest answers of two passages that neither repeats and that can be held against each other.

    ``None`` where there are none: a passage without a value of the kind that is asked for contradicts none. ``agree``
    says how well each candidate of the one agrees with each of the other.
    """
    mine = [v for v, best in zip(one.values, agree.max(axis=1).tolist(), strict=False) if best < ALIKE]
    theirs = [v for v, best in zip(other.values, agree.max(axis=0).tolist(), strict=False) if best < ALIKE]
    for i, j in _BY_SUM:
        if i < len(mine) and j < len(theirs) and comparable(mine[i], theirs[j]):
            return mine[i], theirs[j]
    return None


def _best(reading: Reading, found: Candidates) -> str:
    return reading.sentences[found.sentence] if found.sentence >= 0 else ""


def _turned(
    asks: Asked, one: Candidates, other: Candidates, sentences: tuple[str, str], texts: tuple[str, str]
) -> float:
    """Return how surely two passages answer yes and no, or say the opposite."""
    if asks.expected not in ("open", "what"):
        return 0.0
    coverage = min(one.coverage, other.coverage)
    if asks.expected == "open" and yes_and_no(*texts):
        return SUREST * math.sqrt(coverage)
    return opposed(*sentences) * coverage
