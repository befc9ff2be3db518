"""What each value of a context is tied to, and how well that is what a claim says of its own."""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import brackets, falls, same_kind
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import family
from scorers.statements.ties import LONGEST, TiedSentence, TiedValue, apart, keys_in, keys_of, read_ties
from scorers.statements.words import Word
from scorers.support.alignment import Alignment
from scorers.text.normalize import CAPITAL, Terms

MAX_SENTENCES = 4
"""Sentences with values that are looked at for one claim, those that hold most of its words."""


class ValueMention(NamedTuple):
    """A value of the context: its sentence, the ones before and above, the source and the words."""

    value: TiedValue
    sentence: TiedSentence
    before: str
    above: str
    source: int
    words: str


class ValuePlace(NamedTuple):
    """A sentence of the context that has values, by its source and its place there."""

    source: int
    local: int
    words: str
    quantities: tuple[Quantity, ...]


def places_of(a: Alignment) -> Iterator[ValuePlace]:
    """Yield the sentences with values that hold most of a claim, or its figures; not the rows of tables."""
    context = a.context
    least = 0.0 if len(a.unique) > SHORTEST else -1.0
    chosen: list[tuple[float, int, int]] = []
    for index, source in enumerate(context.sources):
        if source.record is not None:
            continue
        base = context.sentence_base[index]
        for local, read in enumerate(source.read):
            if a.covered[base + local] > least and has_figures(read):
                chosen.append((-a.covered[base + local], index, local))
    for _, index, local in heapq.nsmallest(MAX_SENTENCES, chosen):
        source = context.sources[index]
        sentence = source.sentences[local]
        if not _of_row(source.text, sentence.start):
            yield ValuePlace(index, local, sentence.words, quantities_in(sentence.words[:LONGEST], "en"))


def mentions_of(a: Alignment, places: Iterable[ValuePlace]) -> Iterator[ValueMention]:
    """Yield the values of sentences, with the sentence before and the heading above."""
    for index, local, words, quantities in places:
        if quantities:
            sentences, sentence = a.context.sources[index].sentences, read_ties(words)
            before = sentences[local - 1].words if local else ""
            above = next((s.words for s in reversed(sentences[:local]) if s.kind in ("heading", "lead_in")), "")
            for value in sentence.values:
                yield ValueMention(value, sentence, before, above, index, words)


def has_figures(read: Terms) -> bool:
    """Tell whether a sentence has a figure, in digits or in letters."""
    return max(read.marks, default=0) > CAPITAL


SHORTEST = 3
"""Terms up to which a claim says too little to choose sentences by."""


def _of_row(text: str, at: int) -> bool:
    """Tell whether a row of a table begins shortly before a place: tables are read as such."""
    return "|" in text[max(text.rfind("\n", 0, at) + 1, at - ROW) : at]


ROW = 80
"""Characters before a sentence among which its row of a table begins."""


class AskedCases:
    """The other values of a claim, which pick a case: "six years" falls into "5 to 9 years: 29 days".

    Each is compared once with the values of a sentence, whichever of these is asked about.
    """

    __slots__ = ("_counted", "_weights")

    def __init__(self, cases: Iterable[tuple[Quantity, float]]) -> None:
        self._weights: dict[Quantity, float] = {}
        for case, weight in cases:
            key = case._replace(start=0, end=0)
            self._weights[key] = self._weights.get(key, 0.0) + weight
        self._counted: dict[tuple[Quantity, TiedSentence], list[tuple[int, int]]] = {}

    def tied(self, mention: ValueMention) -> float:
        """Return what the cases say of a value: those that fall into a bracket beside it, and those that do not."""
        found, own = 0.0, mention.value.quantity
        for case, weight in self._weights.items():
            told, met = self._beside(case, mention.sentence)[mention.value.part]
            if _picks(case, own):
                told, met = told - 1, met - falls(case, own)
            if told:
                found += weight * (CASE if met else NO_CASE)
        return found

    def _beside(self, case: Quantity, sentence: TiedSentence) -> list[tuple[int, int]]:
        """Return how many brackets for a case stand in a sentence up to each part, and how many of them it meets."""
        counted = self._counted.get((case, sentence))
        if counted is None:
            counted = [(0, 0)] * (1 + max(each.part for each in sentence.values))
            told = met = at = 0
            for each in sentence.values:
                while at < each.part:
                    counted[at], at = (told, met), at + 1
                if _picks(case, each.quantity):
                    told, met = told + 1, met + falls(case, each.quantity)
            counted[at] = told, met
            self._counted[case, sentence] = counted
        return counted


def _picks(case: Quantity, told: Quantity) -> bool:
    """Tell whether a case may fall into a quantity: a bracket of its kind and unit."""
    return case.unit == told.unit and brackets(told) and same_kind(case, told)


class AskedTies(NamedTuple):
    """What a claim ties a value to: words with their weights, and other values that pick a case.

    ``near`` are the places among the words of those of the value's own part, or of the question of a short reply.
    """

    words: tuple[tuple[Word, float], ...]
    cases: AskedCases
    near: frozenset[int]


OF_SENTENCE, OF_OTHER, OF_QUESTION, OF_REPLY = 0.6, 0.15, 0.2, 0.8
"""What a word counts in the rest of a claim, beside another value of it, in the question, and in that of a short
reply."""
SHORT = 2
"""Words up to which a claim is a short reply."""


def asked_of(value: TiedValue, claim: TiedSentence, asked: TiedSentence | None) -> AskedTies:
    """Return what a claim ties a value to: its own part, the rest of the sentence, the question."""
    taken = {
        each.part
        for each in claim.values
        if each.part != value.part and family(each.quantity) == family(value.quantity)
    }
    own = {value.part}
    if sum([part == value.part for _, part in claim.words]) <= SHORT:
        own |= {value.part - 1} - {each.part for each in claim.values}  # "As part of a degree, it pays 900 euros."
    weights: dict[str, tuple[Word, float]] = {}
    for word, part in claim.words:
        weight = 1.0 if part in own else OF_OTHER if part in taken else OF_SENTENCE
        known = weights.get(word.root)
        if known is None or known[1] < weight:
            weights[word.root] = word, weight
    near = len([weight for _, weight in weights.values() if weight > OF_OTHER])
    if asked is not None:
        share = OF_REPLY if near <= SHORT else OF_QUESTION
        for word, _ in asked.words:
            weights.setdefault(word.root, (word, share))
    cases = [
        (each.quantity, 1.0 if each.part == value.part else 0.6)
        for each in claim.values
        if each is not value and each.part not in taken
    ]
    cases += [(each.quantity, 1.0) for each in (asked.values if asked is not None else ())]
    words = tuple(weights.values())
    return AskedTies(
        words, AskedCases(cases), frozenset(at for at, (_, weight) in enumerate(words) if weight >= OF_REPLY)
    )


def rarity_of(wanted: AskedTies, mentions: Sequence[ValueMention]) -> tuple[float, ...]:
    """Return the weight of each word: the less the more sentences have it; 0 for one that none has."""
    told = [sentence.parts.keys() for sentence in {id(each.sentence): each.sentence for each in mentions}.values()]
    around = frozenset().union(*[keys_in(text) for text in {x for each in mentions for x in (each.before, each.above)}])
    found: list[float] = []
    for word, weight in wanted.words:
        keys = keys_of(word)
        held = sum([not parts.isdisjoint(keys) for parts in told])
        found.append(weight / (held or CARRIED) ** 0.5 if held or not around.isdisjoint(keys) else 0.0)
    return tuple(found)


CARRIED = 2
"""In how many sentences a word is taken to be that only sentences before these or headings have."""
INHERITED, OF_RIVAL, SHARED, BEFORE, ABOVE = 0.75, 0.1, 0.7, 0.35, 0.4
"""How well a word is tied to a value that stands with an earlier value of a list, with a later one, with none, in the
sentence before, in the heading."""
LEAST = 1.0
"""Weight of words that a value must be tied by to be tied wholly."""
CASE, NO_CASE = 0.7, -0.5
"""What a case counts that falls into the bracket beside a value, and one that does not."""


class Tie(NamedTuple):
    """How well each word of a claim is tied to a value, weighed; and what other values, bound and unit add."""

    mention: ValueMention
    words: tuple[float, ...]
    cases: float
    form: float

    @property
    def total(self) -> float:
        """All of it."""
        return max(0.0, sum(self.words, 0.0)) + self.cases + self.form


def tie(mention: ValueMention, wanted: AskedTies, rarity: Sequence[float], form: float) -> Tie:
    """Return how well what a claim says is tied to a value of the context: shares of its words."""
    part, sentence = mention.value.part, mention.sentence
    kind = mention.value.quantity
    rivals = {each.part for each in sentence.values if each.part != part and same_kind(each.quantity, kind)}
    total = max(sum(rarity, 0.0), LEAST)
    before, above = keys_in(mention.before), keys_in(mention.above)
    held: list[float] = []
    for (word, _), weight in zip(wanted.words, rarity, strict=True):
        best = 0.0
        if weight:
            for rank, key in enumerate(keys_of(word)):
                share = SYNONYM if rank else 1.0
                for place in sentence.parts.get(key, ()):
                    best = max(best, share * _share(place, part, rivals))
                if best < SHARED:
                    best = max(best, share * BEFORE * (key in before), share * ABOVE * (key in above))
            if best < SHARED and apart(word, sentence, part):
                best += EXCLUDES
        held.append(weight * best / total)
    return Tie(mention, tuple(held), wanted.cases.tied(mention), form)


def _share(place: int, part: int, rivals: Container[int]) -> float:
    """Return how well a word of one part of a sentence is tied to a value of another."""
    if place == part:
        return 1.0
    if place in rivals:
        return INHERITED if place < part else OF_RIVAL
    return SHARED


SYNONYM, EXCLUDES = 0.8, -0.6
"""What a word of the same meaning counts, and another member of a set beside the value."""
