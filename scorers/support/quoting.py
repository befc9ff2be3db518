"""What a text says nearest to a claim: its best sentence, the one beside it, and how much of the claim they hold."""

from __future__ import annotations

from dataclasses import dataclass

from scorers.support.alignment import ROUNDING, Alignment
from scorers.support.context import Context
from scorers.support.judgement import nearest_sentence
from scorers.text.source import read_source


@dataclass(frozen=True, slots=True)
class Quoted:
    """The sentence of one of several texts that is nearest to a claim.

    ``share`` is what it and the sentence beside it, both in ``beside``, hold of the claim, weighted by rarity.
    """

    text: int
    sentence: str
    share: float
    beside: str

    @property
    def context(self) -> Context:
        """The two sentences as a context of their own."""
        return Context([read_source(self.beside)])


def nearest_of(aligned: Alignment) -> Quoted | None:
    """Return what is nearest to a claim in all texts it was laid beside; ``None`` where none shares a word with it."""
    found = nearest_sentence(aligned)
    return None if found is None else nearest_in(aligned, found[0])


def nearest_in(aligned: Alignment, source: int) -> Quoted | None:
    """Return what is nearest to a claim in one of the texts it was laid beside."""
    base = aligned.context.sentence_base[source]
    sentences = aligned.context.sources[source].sentences
    covered = aligned.covered[base : base + len(sentences)]
    if not any(covered):
        return None
    twice = [0.0] * len(covered)
    for term, found in aligned.found.items():
        for at in found.both:
            if base <= at < base + len(covered):
                twice[at - base] += aligned.weight[term] * aligned.match[term]
    held = [one + other - both for one, other, both in zip(covered, [*covered[1:], 0.0], twice, strict=True)]
    most = max(held)
    first = next(at for at, worth in enumerate(held) if worth >= most - ROUNDING)
    pair = range(first, min(first + 2, len(sentences)))
    best = max(pair, key=lambda at: (covered[at], -at))
    beside = " ".join(sentences[at].words for at in pair)
    return Quoted(source, sentences[best].words, most / aligned.total, beside)
