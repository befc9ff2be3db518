"""Which passages disagree about a question, how surely, and on which values. Worked out once for every scorer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple, TypeVar

from adapters.caching import cached
from scorers.disagreement.asking import AskedQuestion, Expected, asked
from scorers.disagreement.cases import of_two_cases
from scorers.disagreement.clashing import BearingSentence, Clash, bearing_on, clash, one_quantity
from scorers.disagreement.editions import changed_about, one_wording, titled_apart, told_by_both
from scorers.disagreement.odds import probabilities
from scorers.disagreement.opposing import BearingStatement, Opposition, bearing, opposition
from scorers.disagreement.pairs import agreements, features
from scorers.disagreement.polarity import SUREST, opening
from scorers.disagreement.ranking import KEPT, Candidates, candidates
from scorers.disagreement.values import StatedValue, ValueReading, comparable, reading_of
from scorers.models.linear import linear_model

MAX_PASSAGES = 8
"""Passages of one answer that are compared, those that answer best: 28 pairs."""

MUCH = 0.5
"""Share of the question that the best sentence of a passage holds, if values of another kind are to answer it."""

_INSTEAD: Mapping[Expected, Expected] = {"who": "what", "where": "what", "date": "number"}

_EDGE = 1e-9
_AGREED = Opposition(0.0, "", "")
_ANSWERS = {"yes", "no"}

_BY_SUM = tuple(sorted(product(range(KEPT), repeat=2), key=lambda pair: (sum(pair), pair)))
"""Places in two lists of candidates, the best of both first."""

ALIKE = 0.9
"""Two values that agree this well are one."""

BESIDE = 0.25
"""What is left of the probability that two values differ where their sentences speak of two cases, or of one value."""


class Side(NamedTuple):
    """What one passage of a disagreement says: its place, its sentence, and the value that the other has not."""

    passage: int
    sentence: str
    value: StatedValue | None


class Disagreement(NamedTuple):
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


# The scorers of one panel ask the same of one answer.
@cached(maxsize=8)
def _disagreements(question: str, texts: tuple[str, ...]) -> tuple[Disagreement, ...]:
    asks = asked(question)
    places = [place for place, text in enumerate(texts) if text.strip()]
    found = candidates(asks, [texts[place] for place in places])
    if len(places) > MAX_PASSAGES:
        order = sorted(range(len(places)), key=lambda i: (-found[i].strength, -found[i].coverage, i))
        kept = sorted(order[:MAX_PASSAGES])
        places, found = [places[i] for i in kept], [found[i] for i in kept]
    pairs = list(_compared(question, [texts[place] for place in places], found, places))
    return tuple(sorted(pairs, key=lambda pair: (-pair.probability, pair.first.passage, pair.second.passage)))


def _among(probability: float, pairs: int) -> float:
    """Return the probability of a pair that is one of so many: half the logarithm of their number off its log-odds.

    The surest of many looks sure by chance: of 763 questions with nine web snippets each (QACC), a fifth of them in
    conflict, 94 % had a pair above .5 without this, 38 % have one with it. For two passages it is nothing.
    """
    odds = probability / (max(1 - probability, _EDGE) * math.sqrt(pairs))
    return odds / (1 + odds)


def _compared(
    question: str, texts: Sequence[str], found: Sequence[Candidates], places: Sequence[int]
) -> Iterator[Disagreement]:
    """Yield every pair of texts; ``places`` are what their sides call them."""
    asks = asked(question)
    readings = [reading_of(text) for text in texts]
    best = [
        reading.sentences[one.sentence] if one.sentence >= 0 else ""
        for reading, one in zip(readings, found, strict=True)
    ]
    alike = _alike(question, texts, asks)
    told = _told(question, asks, readings, found)
    instead = _INSTEAD.get(asks.expected)
    if instead is not None:
        told |= _instead(question, replace(asks, expected=instead), texts, found, told)
    turned = _turned(asks, found, texts, alike)
    for pair, clashing in (*_clashing(question, texts, alike), *alike.changed):
        if pair not in turned or clashing.probability > turned[pair].probability:
            turned[pair] = Opposition(*clashing)
    silent = [Side(place, sentence, None) for place, sentence in zip(places, best, strict=True)]
    pairs = list(combinations(range(len(texts)), 2))
    for one, other in pairs:
        values, stated = told.get((one, other), (None, 0.0))
        if values is not None and not alike.both(one, other).isdisjoint([said for said, _ in values]):
            values, stated = None, 0.0
        turn = turned.get((one, other), _AGREED)
        if (one, other) in alike.apart:
            stated, turn = stated * BESIDE, turn._replace(probability=turn.probability * BESIDE)
        if values is not None and {said for said, _ in values} == {turn.first, turn.second}:
            stated = max(stated, turn.probability)  # the values are what was changed
        if values is None or turn.probability > stated:
            first_side, second_side = silent[one], silent[other]
            if turn.first:
                first_side = first_side._replace(sentence=turn.first)
                second_side = second_side._replace(sentence=turn.second)
            yield Disagreement(_among(max(turn.probability, stated), len(pairs)), first_side, second_side)
        else:
            first, second = values
            sides = Side(places[one], *first), Side(places[other], *second)
            yield Disagreement(_among(stated, len(pairs)), *sides)


_Stated = tuple[str, StatedValue]
"""A value with its sentence."""

_Told = dict[tuple[int, int], tuple[tuple[_Stated, _Stated], float]]


def _told(question: str, asks: AskedQuestion, readings: Sequence[ValueReading], found: Sequence[Candidates]) -> _Told:
    """Return the values that differ, and the probability that they do, for each pair that has such values."""
    rows = [row for row, one in enumerate(found) if one.values]
    if len(rows) < 2:  # noqa: PLR2004 - a pair
        return {}
    read, own = [readings[row] for row in rows], [found[row] for row in rows]
    agree = agreements(own)
    pairs, table = features(asks, read, own, agree)
    alone = (agree.max(axis=3) < ALIKE).transpose(0, 2, 1).tolist()
    result: _Told = {}
    for (one, other), probability in zip(pairs, probabilities(table), strict=True):
        mine = [value for value, kept in zip(own[one].values, alone[one][other], strict=False) if kept]
        theirs = [value for value, kept in zip(own[other].values, alone[other][one], strict=False) if kept]
        values = differing(mine, theirs)
        if values is not None:
            first, second = values
            said, told = read[one].sentences[first.sentence], read[other].sentences[second.sentence]
            beside = one_quantity(said, told) or of_two_cases(question, said, told, (first.text, second.text))
            result[rows[one], rows[other]] = ((said, first), (told, second)), probability * (BESIDE if beside else 1)
    return result


def _instead(
    question: str, asks: AskedQuestion, texts: Sequence[str], found: Sequence[Candidates], told: _Told
) -> _Told:
    """Return what passages tell that have no value of the expected kind: "the shift lead", "after 90 days".

    Read only where a sentence holds much of the question, because any word or number of it could be that.
    """
    rows = [row for row, one in enumerate(found) if one.coverage >= MUCH]
    if all(pair in told for pair in combinations(rows, 2)):
        return {}
    own = [texts[row] for row in rows]
    instead = _told(question, asks, [reading_of(text) for text in own], candidates(asks, own))
    return {
        (rows[one], rows[other]): stated
        for (one, other), stated in instead.items()
        if (rows[one], rows[other]) not in told
    }


def differing(mine: Sequence[StatedValue], theirs: Sequence[StatedValue]) -> tuple[StatedValue, StatedValue] | None:
    """Return the likeliest two that can be held against each other, of values that only one of two passages states.

    ``None`` where there are none: a passage without a value of the kind that is asked for contradicts none.
    """
    for i, j in _BY_SUM:
        if i < len(mine) and j < len(theirs) and comparable(mine[i], theirs[j]):
            return mine[i], theirs[j]
    return None


def _turned(
    asks: AskedQuestion, found: Sequence[Candidates], texts: Sequence[str], alike: _Alike
) -> dict[tuple[int, int], Opposition]:
    """Return how surely two passages answer yes and no, or say the opposite, for each pair that does."""
    if asks.expected not in ("open", "polar", "what"):
        return {}
    result: dict[tuple[int, int], Opposition] = {}
    said = [bearing(asks, text) for text in texts]
    openings = [""] * len(texts) if asks.expected == "what" else [opening(text) for text in texts]
    for one, other in combinations(range(len(texts)), 2):
        turn = opposition(alike.own(said, one, other), alike.own(said, other, one))
        if {openings[one], openings[other]} == _ANSWERS:
            surely = SUREST * math.sqrt(max(found[one].coverage, found[other].coverage))
            if turn is None or surely > turn.probability:
                turn = Opposition(surely, "", "")
        if turn is not None:
            result[one, other] = turn
    return result


_Worded = TypeVar("_Worded", BearingStatement, BearingSentence)
_NONE: frozenset[str] = frozenset()


class _Alike(NamedTuple):
    """What pairs of passages have of each other: the sentences that tell of no difference, pairs ``apart``, changes."""

    told: dict[tuple[int, int], frozenset[str]]
    apart: set[tuple[int, int]]
    changed: list[tuple[tuple[int, int], Clash]]

    def both(self, one: int, other: int) -> frozenset[str]:
        """Return the sentences that two passages both tell."""
        return self.told.get((min(one, other), max(one, other)), _NONE)

    def own(self, said: Sequence[Sequence[_Worded]], one: int, other: int) -> list[_Worded]:
        """Return what is ``said`` in one passage and not in the other as well."""
        both = self.both(one, other)
        return [each for each in said[one] if each.words not in both]


def _alike(question: str, texts: Sequence[str], asks: AskedQuestion) -> _Alike:
    """Lay passages beside each other.

    What both tell contradicts nothing in either of them: "from 50 EUR", "below 50 EUR" are two sentences of one page.
    """
    found = _Alike({}, set(), [])
    for one, other in combinations(range(len(texts)), 2):
        told = told_by_both(texts[one], texts[other])
        if titled_apart(question, texts[one], texts[other]):
            found.apart.add((one, other))
        wording = one_wording(texts[one], texts[other], asks.expected)
        if wording is not None:
            told |= wording.same
            if wording.apart:
                found.apart.add((one, other))
            elif (change := changed_about(question, texts[one], texts[other], wording)) is not None:
                found.changed.append(((one, other), Clash(*change)))
        if told:
            found.told[one, other] = told
    return found


def _clashing(question: str, texts: Sequence[str], alike: _Alike) -> Iterator[tuple[tuple[int, int], Clash]]:
    """Yield for each pair of passages the sentences that clash about a question, if any do."""
    said = [bearing_on(question, text) for text in texts]
    for one, other in combinations(range(len(texts)), 2):
        if (found := clash(question, alike.own(said, one, other), alike.own(said, other, one))) is not None:
            yield (one, other), found
