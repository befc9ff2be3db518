"""Which of a text's values answer a question: trained weights over where each stands and how it is written.

Every value of the expected kind has a score; the shares of one text's values are the softmax of their scores, and what
is stated twice counts twice. docs/models/conflict.md says what the weights were learned from.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adapters.caching import cached
from scorers.disagreement.asking import AskedQuestion, Expected
from scorers.disagreement.placing import NAMES, ValueTable, features
from scorers.disagreement.values import StatedValue, ValueReading
from scorers.models.arrays import Floats
from scorers.models.loading import read_model

KEPT = 8
"""Candidates of a passage that are compared with another's."""

WEAKEST = -5.0
"""No best score counts for less."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The values of a passage that answer best, best first, with their shares among all that could.

    ``strength`` is the best score; ``coverage`` and ``relation`` are the shares of the question, and of its words that
    name no subject, that the best ``sentence`` (-1: none) holds. ``anchors`` are the words of the question that
    stand where the best value does: in its sentence, the one before, or the passage's first.
    """

    values: tuple[StatedValue, ...]
    shares: tuple[float, ...]
    strength: float
    coverage: float = 0.0
    relation: float = 0.0
    sentence: int = -1
    anchors: frozenset[str] = frozenset()


@cached(maxsize=1)
def weights() -> Mapping[str, Floats]:
    """Return the trained weights of `NAMES` by expected kind of answer, read once."""
    content = read_model("answering")
    rows = [content["features"].get(name, {}) for name in NAMES]
    return {kind: np.array([row.get(kind, 0.0) for row in rows]) for kind in content["expected"]}


def candidates(question: AskedQuestion, texts: Sequence[str]) -> list[Candidates]:
    """Return for each text the values that answer ``question`` best.

    >>> from scorers.disagreement.asking import asked
    >>> (found,) = candidates(asked("When was the mill built?"), ["The mill was built in 1921 and sold in 1985."])
    >>> found.values[0].text, len(found.values)
    ('1921', 2)
    """
    table = features(question, texts)
    return gathered(question, table, table.columns @ weights()[weighed_as(question.expected)])


def weighed_as(expected: Expected) -> Expected:
    """Return the kind of answer whose weights are used: yes and no, where numbers differ, are weighed by those."""
    return "number" if expected in ("polar", "open") else expected


def gathered(question: AskedQuestion, table: ValueTable, scores: Floats) -> list[Candidates]:
    """Return the candidates of each text from the scores of its values; mentions of one value are added up."""
    result = []
    listed = scores.tolist()
    at = 0
    for reading, keys, rows, cover in zip(table.readings, table.keys, table.rows, table.cover, strict=True):
        own = listed[at : at + len(rows)]
        at += len(rows)
        whole = cover[2]
        sentence = max(range(len(whole)), key=whole.__getitem__, default=-1)
        coverage, relation = (whole[sentence], cover[1][sentence]) if sentence >= 0 else (0.0, 0.0)
        if not rows:
            result.append(Candidates((), (), WEAKEST, coverage, relation, sentence))
            continue
        top = max(own)
        order = _summed(keys, rows, [math.exp(score - top) for score in own])
        total = sum(mass for mass, _ in order)
        kept = order[:KEPT]
        shares = tuple(mass / total for mass, _ in kept)
        stated = reading.values(words=question.of_words)
        found = tuple(stated[row] for _, row in kept)
        near = anchors(question, reading, found[0])
        result.append(Candidates(found, shares, max(top, WEAKEST), coverage, relation, sentence, near))
    return result


def anchors(question: AskedQuestion, reading: ValueReading, value: StatedValue) -> frozenset[str]:
    """Return the words of the question that stand in a value's sentence, in the one before, or in the first.

    >>> from scorers.disagreement.asking import asked
    >>> from scorers.disagreement.values import read_text
    >>> reading = read_text("The notice period is 30 days.")
    >>> sorted(anchors(asked("What is the notice period?"), reading, reading.values()[-1]))
    ['notic', 'period']
    """
    near = {value.sentence, max(value.sentence - 1, 0), 0}
    return frozenset(
        [
            stem
            for stem in question.weights
            if any(reading.sentence_at(place) in near for place in reading.postings.get(stem, ()))
        ]
    )


def _summed(keys: Sequence[Hashable], rows: Sequence[int], masses: Sequence[float]) -> list[tuple[float, int]]:
    """Return the mass of each distinct value and the row of its best mention, the heaviest first."""
    sums: dict[Hashable, float] = {}
    best: dict[Hashable, tuple[float, int]] = {}
    for row, mass in zip(rows, masses, strict=True):
        key = keys[row]
        if key in sums:
            sums[key] += mass
            if mass > best[key][0]:
                best[key] = (mass, row)
        else:
            sums[key] = mass
            best[key] = (mass, row)
    return sorted(((mass, best[key][1]) for key, mass in sums.items()), key=lambda item: (-item[0], item[1]))
