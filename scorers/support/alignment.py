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

FAR = 12
"""Positions between two words past which they are not said of each other."""

MAX_PLACES = 512
"""Occurrences of one term in all sources together that are looked at."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Found:
    """What stands for a term: how well at best, its positions and sentences, and how well in which sources."""

    match: float
    positions: Sequence[int]
    sentences: Sequence[int]
    shares: Sequence[tuple[int, float]]


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
        self._found: dict[str, Found] = {}
        self._distances: dict[tuple[str, str], int] = {}

    def find(self, term: str) -> Found:
        """Return where the sources have ``term`` or what stands for it; looked up once for all claims."""
        found = self._found.get(term)
        if found is None:
            found = self._found[term] = self._find(term)
        return found

    def distance(self, term: str, other: str) -> int:
        """Return how far two terms stand apart at the nearest, negative if ``other`` comes first; `GAP` past `FAR`."""
        distance = self._distances.get((term, other))
        if distance is None:
            distance = nearest(self.find(term).positions, self.find(other).positions)
            self._distances[term, other] = distance
            self._distances[other, term] = -distance
        return distance

    def _find(self, term: str) -> Found:
        held: list[tuple[int, tuple[tuple[str, float], ...]]]
        exact = [index for index, source in enumerate(self.sources) if term in source.at]
        if exact:
            held = [(index, ((term, 1.0),)) for index in exact]
        else:
            held = [(index, found) for index, each in enumerate(self.sources) if (found := variants(term, each)[:3])]
        positions = [
            self.position_base[index] + at
            for index, words in held
            for word, _ in words
            for at in self.sources[index].at[word][:MAX_HITS]
        ]
        sentences = [
            self.sentence_base[index] + at
            for index, words in held
            for word, _ in words
            for at in self.sources[index].postings[word]
        ]
        if not exact:
            positions, sentences = sorted(positions), sorted(set(sentences))
        best = max((ratio for _, words in held for _, ratio in words), default=0.0)
        if not held and any(term in source.joined for source in self.sources):
            best = 1.0
        shares = tuple((index, max(ratio for _, ratio in words)) for index, words in held)
        return Found(best, positions[:MAX_PLACES], sentences, shares)

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
    ``found`` holds where. ``covered`` is the weight that each sentence covers, ``window`` the first of the
    two adjacent sentences that cover most, ``near`` their terms.
    """

    claim: Claim
    context: Context
    unique: tuple[str, ...]
    weight: dict[str, float]
    match: dict[str, float]
    found: dict[str, Found]
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
    found = {term: context.find(term) for term in unique}
    match = {term: each.match for term, each in found.items()}
    by_source = [0.0] * len(context.sources)
    for term, each in found.items():
        for index, share in each.shares:
            by_source[index] += weight[term] * share
    if 0.0 in match.values():
        _compounds(claim.terms, context, match)
    told = judge(claim.terms, context.facts) if context.facts else ()
    for fact, verdict in told:
        if verdict in EXPLAINED:
            match.update({term: 1.0 for term in (*fact.key, *fact.group, stem(fact.joined)) if term in match})
    covered, windows = _covered(unique, {term: weight[term] * match[term] for term in unique}, found)
    # The first of equal windows wins; sums of the same weights in another order differ by a rounding.
    most = max(windows.values(), default=0.0)
    window = min((at for at, worth in windows.items() if worth >= most - _ROUNDING), default=0)
    reads = tuple(read for at in (window, window + 1) if (read := context.read(at)) is not None) if windows else ()
    return Alignment(
        claim=claim,
        context=context,
        unique=unique,
        weight=weight,
        match=match,
        found=found,
        total=sum(weight.values()),
        covered=covered,
        window=window,
        window_weight=most,
        near=frozenset(term for read in reads for term in read.items),
        near_reads=reads,
        by_source=by_source,
        facts=told,
    )


def _covered(
    unique: Sequence[str], worths: Mapping[str, float], found: Mapping[str, Found]
) -> tuple[dict[int, float], dict[int, float]]:
    """Return the weight that each sentence covers, and each two adjacent ones by the first of them."""
    covered: dict[int, float] = {}
    windows: dict[int, float] = {}
    for term in unique:
        worth = worths[term]
        last = -1
        for at in found[term].sentences:
            covered[at] = covered.get(at, 0.0) + worth
            if at and at - 1 != last:
                windows[at - 1] = windows.get(at - 1, 0.0) + worth
            windows[at] = windows.get(at, 0.0) + worth
            last = at
    return covered, windows


def _compounds(claim: Terms, context: Context, match: dict[str, float]) -> None:
    """Count words that the context writes as one ("take out" against "takeout") as there."""
    for first, second in zip(claim.words, claim.words[1:], strict=False):
        one, other = stem(first), stem(second)
        if match.get(one, 1.0) == 0.0 or match.get(other, 1.0) == 0.0:
            compound = stem(first + second)
            if any(compound in source.at for source in context.sources):
                match.update({word: 1.0 for word in (one, other) if word in match})


def nearest(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the signed distance from ``first`` to ``second``, both sorted, that is smallest; `GAP` past `FAR`.

    >>> nearest([3, 40], [10, 38]), nearest([3], [99]) == GAP
    (-2, True)
    """
    best = FAR + 1
    i = j = 0
    ends, others = len(first), len(second)
    while i < ends and j < others:
        distance = second[j] - first[i]
        if distance < 0:
            if -distance < abs(best):
                best = distance
            j += 1
        else:
            if distance < abs(best):
                best = distance
            i += 1
        if best in (1, -1):
            break
    return best if abs(best) <= FAR else GAP
