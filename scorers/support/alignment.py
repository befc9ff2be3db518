"""A claim laid beside its context: which of its terms stand there, where, and which sentences hold most of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice, pairwise
from operator import add, sub

from scorers.models.terms import TermWeights
from scorers.statements.quantities import Quantity
from scorers.support.context import Context, Found
from scorers.support.truth import EXPLAINED, FactVerdict, judge
from scorers.text.normalize import Terms
from scorers.text.record import Fact
from scorers.text.sentences import Sentence
from scorers.text.stemming import stem

SEEN = 0.6
"""A term that the context matches as well as this is seen there; a variant that shares less is another word."""

ROUNDING = 1e-9
"""Sums of the same weights in another order differ by less."""


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
    asked: str = ""


@dataclass(slots=True)
class Alignment:
    """What the context holds of a claim.

    ``unique`` are its distinct terms with ``weight`` (rarity) and ``match`` (1 there, a share for a variant, 0 not);
    ``found`` holds where. ``covered`` is the weight that each sentence of the context covers, ``window`` the first of
    the two adjacent sentences that cover most, ``near`` their terms and ``near_reads`` all that is read of them.
    ``derived`` are values of the claim that follow from those of the things that it names, ``cases`` those that fall
    into a range; ``misrated`` are those to which only a rate comes that is of something else, and ``rated`` the
    statements whose rates come to others.
    """

    claim: Claim
    context: Context
    unique: tuple[str, ...]
    weight: dict[str, float]
    match: dict[str, float]
    found: dict[str, Found]
    total: float
    covered: Sequence[float]
    window: int
    window_weight: float
    near: frozenset[str]
    near_reads: tuple[Terms, ...]
    by_source: list[float]
    facts: tuple[tuple[Fact, FactVerdict], ...] = ()
    derived: tuple[Quantity, ...] = ()
    cases: tuple[Quantity, ...] = ()
    misrated: tuple[Quantity, ...] = ()
    rated: tuple[str, ...] = ()
    ranked: Sequence[tuple[float, int, int]] | None = None

    def nearest_sentences(self) -> Sequence[tuple[float, int, int]]:
        """Return the sentences of prose that hold most of the claim: the weight below 0, the source, the place there.

        They are at most `MOST_NEAR`, each with a share of `LEAST_NEAR` of the claim, and ranked once.
        """
        if self.ranked is None:
            self.ranked = _ranked(self.covered, self.context, LEAST_NEAR * self.total)
        return self.ranked

    @property
    def told_weight(self) -> float:
        """The weight of what the window covers, with what it says in other words or figures."""
        otherwise = (self.weight[term] * (share - self.found[term].match) for term, share in self.match.items())
        return self.window_weight + sum([each for each in otherwise if each > 0], 0.0)

    @property
    def near_sentences(self) -> tuple[str, ...]:
        """The sentences of the window as they are written; none of an empty context."""
        if not self.near_reads:
            return ()
        source = self.context.source_of(self.window)
        start = self.window - self.context.sentence_base[source]
        return tuple(sentence.words for sentence in self.context.sources[source].sentences[start : start + 2])


def align(claim: Claim, context: Context, rarity: TermWeights) -> Alignment:
    """Lay ``claim`` beside ``context``; ``rarity`` weighs its terms."""
    unique = tuple(dict.fromkeys(claim.terms.items))
    weight = rarity.each(unique)
    found = context.find_each(unique)
    match = {term: each.match for term, each in found.items()}
    by_source = [0.0] * len(context.sources)
    for worth, each in zip(weight.values(), found.values(), strict=True):
        for index, share in each.shares:
            by_source[index] += worth * share
    if 0.0 in match.values():
        _compounds(claim.terms, context, match)
        _initials(claim.terms, context, match)
    told = judge(claim.terms, context.facts) if context.facts else ()
    for fact, verdict in told:
        if verdict in EXPLAINED:
            match.update({term: 1.0 for term in (*fact.key, *fact.group, stem(fact.joined)) if term in match})
    covered, window, most = _covered([weight[term] * match[term] for term in unique], found.values(), context)
    reads = tuple(read for at in (window, window + 1) if (read := context.read(at)) is not None) if most else ()
    return Alignment(
        claim=claim,
        context=context,
        unique=unique,
        weight=weight,
        match=match,
        found=found,
        total=sum(weight.values(), 0.0),
        covered=covered,
        window=window,
        window_weight=most,
        near=frozenset().union(*[read.items for read in reads]),
        near_reads=reads,
        by_source=by_source,
        facts=told,
    )


def unseen_share(claims: Iterable[Alignment]) -> float:
    """Return the share of the distinct terms of some claims that their context does not have; 0 of none."""
    shares: dict[str, float] = {}
    for each in claims:
        for term, share in each.match.items():
            shares[term] = max(share, shares.get(term, 0.0))
    return sum([share < SEEN for share in shares.values()], 0) / len(shares) if shares else 0.0


MOST_NEAR, LEAST_NEAR = 8, 0.2
"""Sentences near a claim, and the share of it, weighted by rarity, that each must hold."""


def _ranked(covered: Sequence[float], context: Context, least: float) -> Sequence[tuple[float, int, int]]:
    if not least:
        return ()
    chosen: list[tuple[float, int, int]] = []
    for index, source in enumerate(context.sources):
        if source.record is None:
            base = context.sentence_base[index]
            weights = covered[base : base + len(source.sentences)]
            chosen += [(-weight, index, local) for local, weight in enumerate(weights) if weight >= least]
    return nsmallest(MOST_NEAR, chosen)


def _covered(worths: Iterable[float], found: Iterable[Found], context: Context) -> tuple[Sequence[float], int, float]:
    """Return the weight that each sentence covers, the first of the two adjacent ones that cover most, and how much."""
    covered, twice = [0.0] * (context.sentences + 1), [0.0] * context.sentences
    for worth, (_, _, sentences, both, _) in zip(worths, found, strict=True):
        if worth:
            for at in sentences:
                covered[at] += worth
            for at in both:
                twice[at] += worth
    windows = list(map(sub, map(add, covered, islice(covered, 1, None)), twice))
    most = max(windows, default=0.0)
    if not most:
        return covered, 0, most
    least = most - ROUNDING
    firsts: dict[int, int] = {}
    for window in [window for window, worth in enumerate(windows) if worth >= least]:
        # The gap before a source and its first sentence belong to that source.
        firsts.setdefault(context.source_of(window + (context.read(window) is None)), window)
    if len(firsts) == 1:
        return covered, next(iter(firsts.values())), most
    return covered, min(firsts.values(), key=lambda window: _told(window, covered, context)), most


def _told(window: int, covered: Sequence[float], context: Context) -> tuple[float, tuple[tuple[str, ...], ...]]:
    """Return what tells equal windows of several sources apart, wherever these are ranked.

    The one of which a single sentence holds more comes first, then what they say decides.
    """
    start = window + (context.read(window) is None)
    pair = (context.read(start), context.read(start + 1))
    return -round(max(covered[window : window + 2]), 9), tuple(() if read is None else read.words for read in pair)


def _compounds(claim: Terms, context: Context, match: dict[str, float]) -> None:
    """Count words that the context writes as one ("take out" against "takeout") as there."""
    missing = {term for term, share in match.items() if share == 0.0}
    stems = [stem(word) for word in claim.words]
    for at, (one, other) in enumerate(pairwise(stems)):
        if one in missing or other in missing:
            compound = stem(claim.words[at] + claim.words[at + 1])
            if any(compound in source.at for source in context.sources):
                match.update({word: 1.0 for word in (one, other) if word in match})
                missing -= {one, other}


_SHORT = (2, 5)
"""Letters of what is told by the initials of its words."""


def _initials(claim: Terms, context: Context, match: dict[str, float]) -> None:
    """Count a word as there whose letters begin words of the context in a row: "CFO" of "chief financial officer"."""
    for word in dict.fromkeys(claim.words):
        if (
            _SHORT[0] <= len(word) <= _SHORT[1]
            and match.get(term := stem(word)) == 0.0
            and word.isalpha()
            and any(word in letters for letters in context.initials)
        ):
            match[term] = 1.0
