"""A claim laid beside its context: which of its terms stand there, where, and which sentences hold most of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scorers.models.rarity import Rarity
from scorers.support.facts import EXPLAINED, judge
from scorers.text.normalize import Terms, stem
from scorers.text.record import Fact
from scorers.text.sentences import Sentence
from scorers.text.source import Source, variants

GAP = 1_000
"""Positions between two sources, so that words of different passages are never near each other."""

MAX_HITS = 64
"""Occurrences of one term that are looked at; a word that is everywhere says nothing by where it is."""

_ROUNDING = 1e-9


class Context:
    """Several sources as one: positions and sentences are counted through all of them."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = tuple(sources)
        self.position_base: list[int] = []
        self.sentence_base: list[int] = []
        position = sentence = 0
        for source in self.sources:
            self.position_base.append(position)
            self.sentence_base.append(sentence)
            position += source.length + GAP
            sentence += len(source.sentences) + 1  # sentences of two sources are no neighbours
        self.sentences = sentence
        self.length = sum(source.length for source in self.sources)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of all structured sources."""
        return tuple(fact for source in self.sources if source.record for fact in source.record.facts)

    @cached_property
    def hours(self) -> Mapping[int, tuple[int, int]]:
        """Opening hours by weekday, of the last source that has them."""
        found: dict[int, tuple[int, int]] = {}
        for source in self.sources:
            if source.record:
                found.update(source.record.hours)
        return found

    @cached_property
    def ratings(self) -> tuple[float, ...]:
        """Ratings of all structured sources."""
        return tuple(rating for source in self.sources if source.record for rating in source.record.ratings)

    @cached_property
    def structured(self) -> bool:
        """Whether any source is structured."""
        return any(source.record is not None for source in self.sources)

    def source_of(self, sentence: int) -> int:
        """Return the index of the source that holds a sentence counted through all of them."""
        for index in range(len(self.sources) - 1, 0, -1):
            if sentence >= self.sentence_base[index]:
                return index
        return 0

    def read(self, sentence: int) -> Terms | None:
        """Return the terms of a sentence counted through all sources; ``None`` between two of them."""
        index = self.source_of(sentence)
        local = sentence - self.sentence_base[index]
        source = self.sources[index]
        return source.read[local] if 0 <= local < len(source.read) else None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an answer with its terms, its place among the claims, and the terms of the question."""

    sentence: Sentence
    terms: Terms
    index: int
    total: int
    answer_terms: int
    question: frozenset[str]
    bullet: bool


@dataclass(slots=True)
class Alignment:
    """What the context holds of a claim.

    ``unique`` are its distinct terms with ``weight`` (rarity) and ``match`` (1 there, a share for a variant, 0 not);
    ``places`` holds their positions. ``covered`` is the weight that each sentence covers, ``window`` the first of the
    two adjacent sentences that cover most, ``near`` their terms.
    """

    claim: Claim
    context: Context
    unique: tuple[str, ...]
    weight: dict[str, float]
    match: dict[str, float]
    places: dict[str, list[int]]
    held: dict[str, list[int]]
    total: float
    covered: dict[int, float]
    window: int
    window_weight: float
    near: frozenset[str]
    near_reads: tuple[Terms, ...]
    by_source: list[float]
    facts: tuple[tuple[Fact, str], ...] = ()


def align(claim: Claim, context: Context, rarity: Rarity) -> Alignment:
    """Lay ``claim`` beside ``context``; ``rarity`` weighs its terms."""
    unique = tuple(dict.fromkeys(claim.terms.items))
    weight = {term: rarity.of(term) for term in unique}
    match: dict[str, float] = {}
    places: dict[str, list[int]] = {}
    held: dict[str, list[int]] = {}
    by_source = [0.0] * len(context.sources)
    for term in unique:
        positions: list[int] = []
        sentences: list[int] = []
        for index, source in enumerate(context.sources):
            where = source.at.get(term)
            if where is not None:
                by_source[index] += weight[term]
                base = context.position_base[index]
                positions.extend([base + at for at in where[:MAX_HITS]])
                base = context.sentence_base[index]
                sentences.extend([base + at for at in source.postings[term]])
        best = 1.0 if positions else _variants(term, context, positions, sentences, by_source, weight[term])
        match[term], places[term], held[term] = best, positions, sentences
    if 0.0 in match.values():
        _compounds(claim.terms, context, match)
    told = judge(claim.terms, context.facts) if context.facts else ()
    for fact, verdict in told:
        if verdict in EXPLAINED:
            match.update({term: 1.0 for term in (*fact.key, *fact.group, stem(fact.joined)) if term in match})
    covered, windows = _covered(unique, {term: weight[term] * match[term] for term in unique}, held)
    # The first of equal windows wins; sums of the same weights in another order differ by a rounding.
    most = max(windows.values(), default=0.0)
    window = min((at for at, worth in windows.items() if worth >= most - _ROUNDING), default=0)
    reads = tuple(found for at in (window, window + 1) if (found := context.read(at)) is not None) if windows else ()
    return Alignment(
        claim=claim,
        context=context,
        unique=unique,
        weight=weight,
        match=match,
        places=places,
        held=held,
        total=sum(weight.values()),
        covered=covered,
        window=window,
        window_weight=most,
        near=frozenset(term for found in reads for term in found.items),
        near_reads=reads,
        by_source=by_source,
        facts=told,
    )


def _covered(
    unique: Sequence[str], worths: Mapping[str, float], held: Mapping[str, list[int]]
) -> tuple[dict[int, float], dict[int, float]]:
    """Return the weight that each sentence covers, and each two adjacent ones by the first of them."""
    covered: dict[int, float] = {}
    windows: dict[int, float] = {}
    for term in unique:
        worth = worths[term]
        last = -1
        for at in held[term]:
            covered[at] = covered.get(at, 0.0) + worth
            if at and at - 1 != last:
                windows[at - 1] = windows.get(at - 1, 0.0) + worth
            windows[at] = windows.get(at, 0.0) + worth
            last = at
    return covered, windows


def _variants(
    term: str, context: Context, positions: list[int], sentences: list[int], by_source: list[float], weight: float
) -> float:
    best = 0.0
    for index, source in enumerate(context.sources):
        found = variants(term, source)
        for word, ratio in found[:3]:
            best = max(best, ratio)
            positions.extend([context.position_base[index] + at for at in source.at[word][:MAX_HITS]])
            sentences.extend([context.sentence_base[index] + at for at in source.postings[word]])
        if found:
            by_source[index] += weight * max(ratio for _, ratio in found)
        elif term in source.joined:
            best = 1.0
    positions.sort()
    sentences[:] = sorted(set(sentences))
    return best


def _compounds(claim: Terms, context: Context, match: dict[str, float]) -> None:
    """Count words that the context writes as one ("take out" against "takeout") as there."""
    for first, second in zip(claim.words, claim.words[1:], strict=False):
        one, other = stem(first), stem(second)
        if match.get(one, 1.0) == 0.0 or match.get(other, 1.0) == 0.0:
            compound = stem(first + second)
            if any(compound in source.at for source in context.sources):
                match.update({word: 1.0 for word in (one, other) if word in match})
