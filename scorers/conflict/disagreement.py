"""Which passages disagree about a question, how surely, and on which values. Worked out once for every scorer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np

from scorers.conflict.asking import Asked, asked
from scorers.conflict.pairs import NAMES, Floats, agreements, features
from scorers.conflict.polarity import SUREST, opposed, yes_and_no
from scorers.conflict.ranking import KEPT, Candidates, candidates
from scorers.conflict.values import Reading, Value, comparable, values_of
from scorers.models.linear import linear_model

MAX_PASSAGES = 8
"""Passages of one answer that are compared, those that answer best: 28 pairs."""

_EDGE = 1e-9
_LARGE = 50.0
"""Beyond this logit nothing changes."""

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
    pairs = list(_compared(asks, [texts[place] for place in places], found, places))
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
    readings = [values_of(text) for text in texts]
    best = [_best(reading, one) for reading, one in zip(readings, found, strict=True)]
    told = _told(asks, readings, found)
    if asks.expected in ("who", "where") and any(values is None for values, _ in told.values()):
        # "The shift lead", "in the basement": persons and places need no capital letter.
        things = replace(asks, expected="what")
        instead = _told(things, readings, candidates(things, texts))
        told = {pair: instead[pair] if one[0] is None else one for pair, one in told.items()}
    for (one, other), (values, stated) in told.items():
        turned = _turned(asks, (found[one], found[other]), (best[one], best[other]), (texts[one], texts[other]))
        if values is None or turned > stated:
            sides = Side(places[one], best[one], None), Side(places[other], best[other], None)
        else:
            sides = (
                Side(places[one], readings[one].sentences[values[0].sentence], values[0]),
                Side(places[other], readings[other].sentences[values[1].sentence], values[1]),
            )
        yield Disagreement(_among(max(turned, stated), len(told)), *sides)


_Told = dict[tuple[int, int], tuple[tuple[Value, Value] | None, float]]


def _told(asks: Asked, readings: Sequence[Reading], found: Sequence[Candidates]) -> _Told:
    """Return for each pair the values that differ and the probability that they do; ``None`` and 0 for none."""
    if len(readings) < 2:  # noqa: PLR2004 - a pair
        return {}
    agree = agreements(found)
    pairs, table = features(asks, readings, found, agree)
    probabilities = _probabilities(table)
    alone = (agree.max(axis=3) < ALIKE).transpose(0, 2, 1).tolist()
    result: _Told = {}
    for (one, other), probability in zip(pairs, probabilities, strict=True):
        mine = [value for value, own in zip(found[one].values, alone[one][other], strict=False) if own]
        theirs = [value for value, own in zip(found[other].values, alone[other][one], strict=False) if own]
        values = differing(mine, theirs)
        result[one, other] = (values, 0.0 if values is None else probability)
    return result


def _probabilities(table: Floats) -> list[float]:
    """Return the calibrated probability of each row of `NAMES`, as `LinearModel.probability` does one by one."""
    model = linear_model("conflict")
    coefficients = np.array([model.features.get(name, 0.0) for name in NAMES])
    logits = model.slope * ((table * coefficients).sum(axis=1) + model.intercept) + model.shift
    found: list[float] = (1 / (1 + np.exp(-np.clip(logits, -_LARGE, _LARGE)))).tolist()
    return found


def differing(mine: Sequence[Value], theirs: Sequence[Value]) -> tuple[Value, Value] | None:
    """Return the likeliest two that can be held against each other, of values that only one of two passages states.

    ``None`` where there are none: a passage without a value of the kind that is asked for contradicts none.
    """
    for i, j in _BY_SUM:
        if i < len(mine) and j < len(theirs) and comparable(mine[i], theirs[j]):
            return mine[i], theirs[j]
    return None


def _best(reading: Reading, found: Candidates) -> str:
    return reading.sentences[found.sentence] if found.sentence >= 0 else ""


def _turned(
    asks: Asked, found: tuple[Candidates, Candidates], sentences: tuple[str, str], texts: tuple[str, str]
) -> float:
    """Return how surely two passages answer yes and no, or say the opposite."""
    if asks.expected not in ("open", "what"):
        return 0.0
    coverage = min(found[0].coverage, found[1].coverage)
    if asks.expected == "open" and yes_and_no(*texts):
        return SUREST * math.sqrt(coverage)
    return opposed(*sentences) * coverage
