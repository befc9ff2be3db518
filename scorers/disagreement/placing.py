"""Where the values of texts stand to the words of a question: the features by which they are ranked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scorers.disagreement.asking import AskedQuestion, Expected
from scorers.disagreement.lexicon import BORN, DIED, LOCATED, POPULATION
from scorers.disagreement.values import ValueKind, ValueReading, reading_of
from scorers.disagreement.writing import AT, WRITTEN, Written, written
from scorers.models.arrays import Floats, Integers

NOWHERE = 200.0
"""Tokens to a word of the question that the text does not have."""

KINDS: Mapping[Expected, tuple[ValueKind, ...]] = {
    "date": ("date",),
    "number": ("number",),
    "who": ("name",),
    "where": ("name",),
    "what": ("name", "word", "number"),
    "polar": ("number", "date"),
    "open": (),
}
_ASKED = (
    "cover", "cover_before", "cover_carried", "cover_about", "cover_relation", "near_relation", "by_relation",
    "after_relation", "near_about", "by_about", "after_about", "known_part", "unit_asked", "in_vocabulary",
    "not_in_vocabulary", "born_open", "died_dash", "population_counted", "population_other", "located_in",
)  # fmt: skip
"""What a value has to do with the question."""

NAMES = (*WRITTEN, *_ASKED)

CARRIED = 0.6
"""Share of what a sentence says of the question that the next one inherits ("It was built ...")."""

_NEAR, _BY = 4.0, 15.0


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The values of several texts that could answer a question: `NAMES` of each, a row a value.

    ``rows[i]`` are the places of text i's values among all of that text, and ``cover[i]`` what its sentences hold of
    the question, as `covered` says.
    """

    readings: tuple[ValueReading, ...]
    keys: tuple[tuple[Hashable, ...], ...]
    rows: tuple[tuple[int, ...], ...]
    cover: tuple[tuple[list[float], list[float], list[float]], ...]
    columns: Floats


def covered(question: AskedQuestion, reading: ValueReading) -> tuple[list[float], list[float], list[float]]:
    """Return for each sentence what it holds of the question's subject, of its relation, and of the whole, each 0-1."""
    about, relation = [0.0] * len(reading.sentences), [0.0] * len(reading.sentences)
    for stem, weight in question.weights.items():
        places = reading.postings.get(stem)
        if places:
            side = about if stem in question.about else relation
            for number in {reading.sentence_at(place) for place in places}:
                side[number] += weight
    of_about = question.weight(question.about)
    of_relation = question.total - of_about
    return (
        [weight / (of_about or 1.0) for weight in about],
        [weight / (of_relation or 1.0) for weight in relation],
        [(x + y) / question.total for x, y in zip(about, relation, strict=True)],
    )


def features(question: AskedQuestion, texts: Sequence[str]) -> ValueTable:
    """Return which values of each text could answer, and the `NAMES` of each; all texts in one sweep."""
    readings = tuple(reading_of(text) for text in texts)
    cover = tuple(covered(question, reading) for reading in readings)
    if question.expected == "open":
        none: tuple[tuple[int, ...], ...] = ((),) * len(readings)
        return ValueTable(readings, none, none, cover, np.zeros((0, len(NAMES))))
    known = [written(text, words=question.of_words) for text in texts]
    keys = tuple(one.keys for one in known)
    rows = tuple(_answering(question, one) for one in known)
    size = sum(map(len, rows))
    table = np.zeros((size, len(NAMES)))
    if not size:
        return ValueTable(readings, keys, rows, cover, table)
    taken = [np.array(own, dtype=np.int64) for own in rows]
    fixed = np.concatenate([one.table[own] for one, own in zip(known, taken, strict=True)])
    table[:, : len(WRITTEN)] = fixed
    starts, ends, sentences, relation, about = _placed(question, readings, known, taken)
    held = [np.array([value for one in cover for value in one[part]]) for part in range(3)]
    before = np.array([value for one in cover for value in (0.0, *one[2][:-1])][: len(held[2])])
    near_relation, after_relation = _gaps(relation, starts, ends)
    near_about, after_about = _gaps(about, starts, ends)
    counted = fixed[:, AT["population"]]
    asked_for = question.weights.keys()
    values = [
        stated[row]
        for reading, own in zip(readings, rows, strict=True)
        for stated in (reading.values(words=question.of_words),)
        for row in own
    ]
    by_words = question.expected in ("who", "where", "what")
    listed = [not value.words.isdisjoint(question.vocabulary) for value in values] if question.vocabulary else None
    columns: tuple[Floats | Sequence[float] | float, ...] = (
        held[2][sentences],
        before[sentences],
        np.maximum(held[2], CARRIED * before)[sentences] ** 1.5,
        held[0][sentences],
        held[1][sentences],
        1 / (1 + near_relation / _NEAR),
        1 / (1 + near_relation / _BY),
        after_relation / (1 + near_relation / _NEAR),
        1 / (1 + near_about / _NEAR),
        1 / (1 + near_about / _BY),
        after_about / (1 + near_about / _NEAR),
        [len(v.words & asked_for) / len(v.words) if v.words else 0.0 for v in values] if by_words else 0.0,
        [float(bool(v.unit) and (v.unit in asked_for or v.unit in question.units)) for v in values],
        0.0 if listed is None else np.array(listed, dtype=np.float64),
        0.0 if listed is None else 1.0 - np.array(listed, dtype=np.float64),
        fixed[:, AT["open_"]] * (BORN in asked_for),
        fixed[:, AT["dash_"]] * (DIED in asked_for),
        counted * (POPULATION in asked_for),
        fixed[:, AT["unit"]] * (1 - counted) * (POPULATION in asked_for),
        fixed[:, AT["in_"]] * (LOCATED in asked_for),
    )
    for column, found in enumerate(columns, start=len(WRITTEN)):
        table[:, column] = found
    return ValueTable(readings, keys, rows, cover, table)


def _answering(question: AskedQuestion, known: Written) -> tuple[int, ...]:
    """Return the rows of values of the expected kinds that the question does not itself state."""
    kinds = KINDS[question.expected]
    rows = (
        sorted(row for kind in kinds for row in known.kinds[kind])
        if len(kinds) > 1
        else known.kinds[kinds[0]]
        if kinds
        else ()
    )
    asked_for = question.weights.keys()
    return tuple(row for row in rows if not (words := known.words[row]) or not words <= asked_for)


def _placed(
    question: AskedQuestion, readings: Sequence[ValueReading], known: Sequence[Written], taken: Sequence[Integers]
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """Return starts, ends and sentences of the values, and the places of the question's words, over all texts.

    Texts are laid one after the other, so far apart that a word of one is nowhere near a value of the next.
    """
    starts, ends, sentences = [], [], []
    relation: list[int] = []
    about: list[int] = []
    offset = told = 0
    for reading, one, own in zip(readings, known, taken, strict=True):
        starts.append(one.starts[own] + offset)
        ends.append(one.ends[own] + offset)
        sentences.append(one.sentences[own] + told)
        for stem in question.weights:
            places = reading.postings.get(stem)
            if places:
                (about if stem in question.about else relation).extend(place + offset for place in places)
        offset += sum(map(len, reading.tokens)) + int(NOWHERE)
        told += len(reading.sentences)
    return (
        np.concatenate(starts),
        np.concatenate(ends),
        np.concatenate(sentences),
        np.array(sorted(relation), dtype=np.int64),
        np.array(sorted(about), dtype=np.int64),
    )


def _gaps(places: Integers, starts: Integers, ends: Integers) -> tuple[Floats, Floats]:
    """Return the tokens from each value to the nearest place, at most `NOWHERE`, and whether that stands before it."""
    if not len(places):
        return np.full(len(starts), NOWHERE), np.zeros(len(starts))
    after = np.searchsorted(places, starts)
    last = len(places) - 1
    right = np.where(after <= last, np.maximum(places[np.minimum(after, last)] - ends + 1, 0), NOWHERE)
    left = np.where(after > 0, starts - places[np.maximum(after - 1, 0)], NOWHERE)
    # A place in the text before is as far as none: which of the texts comes first must not matter.
    before = (left <= right) & (left < NOWHERE)
    return np.minimum(np.minimum(left, right), NOWHERE), before.astype(np.float64)
