"""Passages against one question, pair by pair, as named features: do they give the same answer?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from scorers.disagreement.asking import AskedQuestion
from scorers.disagreement.ranking import KEPT, Candidates
from scorers.disagreement.values import CLOSE, OTHER_UNIT, StatedValue, ValueReading
from scorers.models.arrays import Floats

NAMES = (
    "agreement", "agreement_low", "best_same", "best_of_three", "filledlow", "filledhigh", "comparable",
    "strength_low", "strength_high", "coverage_low", "coverage_high", "relation_low", "margin_low", "sentences_shared",
    "agreement*strength_low", "agreement*coverage_low", "agreement*what", "vocabulary_shared", "vocabulary", "date",
    "number", "who", "where", "anchor_low", "anchor_high", "anchor_both", "missing_high", "missing_low", "other_unit",
)  # fmt: skip
"""What two passages are held against each other by; `DIFFER` and `BOTH` are what each of the two models reads.

``agreement``: the mass of each passage's candidates that the other repeats, both ways; ``best_same``: whether their
best candidates are one; ``found``: whether the best of one stands anywhere in the other; ``comparable``: the mass of
candidates of one kind and unit; ``strength``, ``coverage``, ``relation``, ``margin``: how well the passages answer at
all; ``date`` and the like say what is asked. ``anchor``: the share of the question, by rarity, that stands where the
best candidate of each does, and ``anchor_both`` what stands at both; ``missing``: the share that stands at the one's
and is nowhere in the other passage; ``other_unit``: whether the best two are numbers of different units."""

_PLACED = frozenset({"anchor_low", "anchor_high", "anchor_both", "missing_high", "missing_low", "other_unit"})
DIFFER = tuple(name for name in NAMES if name not in _PLACED)
"""What tells whether two passages that both answer say the same."""

BOTH = (
    "strength_low", "strength_high", "coverage_low", "coverage_high", "relation_low", "margin_low", "sentences_shared",
    "comparable", "vocabulary", "date", "number", "who", "where", *sorted(_PLACED),
)  # fmt: skip
"""What tells whether two passages both answer, whatever they say."""

_THREE = 3


def agreements(passages: Sequence[Candidates]) -> Floats:
    """Return how well candidate i of passage p agrees with candidate j of passage q, as an array (p, i, q, j).

    The same as `scorers.disagreement.values.same`, for all at once.
    """
    count = len(passages)
    shape = (count, KEPT, count, KEPT)
    values: list[StatedValue | None] = [v for p in passages for v in (*p.values, *(None,) * (KEPT - len(p.values)))]
    kinds = {v.kind for v in values if v is not None}
    result = np.zeros((count * KEPT, count * KEPT))
    if "number" in kinds:
        result += _numbers(values)
    if "date" in kinds:
        result += _dates(values)
    if "name" in kinds or "word" in kinds:
        result += _words(values)
    return result.reshape(shape)


def features(
    question: AskedQuestion, readings: Sequence[ValueReading], passages: Sequence[Candidates], agree: Floats
) -> tuple[list[tuple[int, int]], Floats]:
    """Return every pair of passages and its `NAMES`, the same whichever of the two is named first.

    ``agree`` is what `agreements` returns.
    """
    pairs = list(combinations(range(len(passages)), 2))
    first, second = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    shares = np.array([(*p.shares, *(0.0,) * (KEPT - len(p.shares))) for p in passages])
    repeated = np.einsum("pi,piq->pq", shares, agree.max(axis=3))
    forward, backward = repeated[first, second], repeated[second, first]
    of_three = agree[:, :_THREE, :, :_THREE].max(axis=(1, 3))[first, second]
    found = np.array([[_stands(p, reading) for reading in readings] for p in passages])
    facts = np.array([(p.strength, p.coverage, p.relation, _margin(p)) for p in passages])
    low, high = np.minimum(facts[first], facts[second]), np.maximum(facts[first], facts[second])
    masses = [_masses(p) for p in passages]
    said = [frozenset(w for v in p.values for w in v.words & question.vocabulary) for p in passages]
    sentences = [
        r.stems(p.sentence) if p.sentence >= 0 else frozenset() for r, p in zip(readings, passages, strict=True)
    ]
    held = np.array([_share(question, p.anchors) for p in passages])
    absent = np.array(
        [[_share(question, p.anchors - reading.postings.keys()) for reading in readings] for p in passages]
    )
    agreement = forward + backward
    what = float(question.expected == "what")
    columns: tuple[Floats | Sequence[float] | float, ...] = (
        agreement,
        np.minimum(forward, backward),
        agree[:, 0, :, 0][first, second],
        of_three,
        np.minimum(found[first, second], found[second, first]),
        np.maximum(found[first, second], found[second, first]),
        [sum(mass * masses[b].get(kind, 0.0) for kind, mass in masses[a].items()) for a, b in pairs],
        low[:, 0],
        high[:, 0],
        low[:, 1],
        high[:, 1],
        low[:, 2],
        low[:, 3],
        [_overlap(sentences[a], sentences[b]) for a, b in pairs],
        agreement * low[:, 0],
        agreement * low[:, 1],
        agreement * what,
        [float(not said[a].isdisjoint(said[b])) for a, b in pairs],
        float(bool(question.vocabulary)),
        *(float(question.expected == kind) for kind in ("date", "number", "who", "where")),
        np.minimum(held[first], held[second]),
        np.maximum(held[first], held[second]),
        [_share(question, passages[a].anchors & passages[b].anchors) for a, b in pairs],
        np.maximum(absent[first, second], absent[second, first]),
        np.minimum(absent[first, second], absent[second, first]),
        [float(_other_unit(passages[a], passages[b])) for a, b in pairs],
    )
    table = np.empty((len(pairs), len(NAMES)))
    for column, filled in enumerate(columns):
        table[:, column] = filled
    return pairs, table


def _numbers(values: Sequence[StatedValue | None]) -> Floats:
    units: dict[str, int] = {"": 0}
    for v in values:
        if v is not None:
            units.setdefault(v.unit, len(units))
    is_number = np.array([v is not None and v.kind == "number" for v in values])
    unit = np.array([0 if v is None else units[v.unit] for v in values])
    number = np.array([0.0 if v is None else v.number for v in values])
    size = np.abs(number)
    close = np.abs(number[:, None] - number) <= CLOSE * np.maximum(size[:, None], size)
    clash = (unit[:, None] != unit) & (unit[:, None] > 0) & (unit > 0)
    alike = np.where(clash, OTHER_UNIT * (number[:, None] == number), close)
    return np.asarray(alike * (is_number[:, None] & is_number), dtype=np.float64)


def _dates(values: Sequence[StatedValue | None]) -> Floats:
    said = np.array([(0, 0, 0) if v is None else v.date for v in values])
    both = (said[:, None] > 0) & (said > 0)
    return np.asarray(both.any(axis=2) & ((said[:, None] == said) | ~both).all(axis=2), dtype=np.float64)


def _words(values: Sequence[StatedValue | None]) -> Floats:
    places: dict[str, int] = {}
    for v in values:
        for word in v.words if v is not None else ():
            places.setdefault(word, len(places))
    has = np.zeros((len(values), len(places) or 1))
    for row, v in enumerate(values):
        for word in v.words if v is not None else ():
            has[row, places[word]] = 1.0
    sizes = np.maximum(has.sum(axis=1), 1.0)
    shared = has @ has.T
    own = np.array([v is not None and v.kind == "word" for v in values])
    mixed = own[:, None] != own
    return np.asarray(np.where(mixed, shared > 0, shared / np.minimum(sizes[:, None], sizes)))


def _stands(passage: Candidates, reading: ValueReading) -> float:
    """Return how well the best candidate of a passage is found anywhere in another."""
    if not passage.values:
        return 0.0
    best = passage.values[0]
    if best.kind == "number":
        return float(best.number in reading.numbers)
    if best.kind == "date":
        return float(best.date in reading.dates or (bool(best.date[0]) and (best.date[0], 0, 0) in reading.dates))
    return sum(word in reading.postings for word in best.words) / len(best.words)


def _masses(passage: Candidates) -> dict[tuple[str, str], float]:
    masses: dict[tuple[str, str], float] = {}
    for share, value in zip(passage.shares, passage.values, strict=True):
        dimension = (value.kind, value.unit)
        masses[dimension] = masses.get(dimension, 0.0) + share
    return masses


def _margin(passage: Candidates) -> float:
    return passage.shares[0] - (passage.shares[1] if len(passage.shares) > 1 else 0.0) if passage.shares else 0.0


def _share(question: AskedQuestion, stems: frozenset[str]) -> float:
    return question.weight(stems) / question.total


def _other_unit(one: Candidates, other: Candidates) -> bool:
    if not one.values or not other.values:
        return False
    mine, theirs = one.values[0], other.values[0]
    return mine.kind == theirs.kind == "number" and bool(mine.unit and theirs.unit) and mine.unit != theirs.unit


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0
