"""The claims of an answer against the passages it was given: computed once, read by every scorer that needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adapters.schema import Answer, Passage
from scorers.text.align import (
    ABSENT_NUMBER,
    NEGATION_MISMATCH,
    Support,
    probability,
    rarities,
    support,
)
from scorers.text.normalize import Terms, terms
from scorers.text.sentences import Sentence, claim_at, split_claims, split_statements
from scorers.text.source import MAX_CONTEXT, Source, source_of

RESTS = 0.25
"""An uncited claim rests on the passage that supports it best if that passage reaches this probability: half of
`scorers.text.align.SUPPORTED`,
because a paraphrase of a passage rests on it even where it is not proven by it."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """Claims, sources, and ``supports[claim][source]``. ``truncated`` says that not all of the sources was read."""

    claims: tuple[Sentence, ...]
    claim_terms: tuple[Terms, ...]
    sources: tuple[Source, ...]
    weights: Mapping[str, float]
    supports: tuple[tuple[Support, ...], ...]
    truncated: bool

    def best(self, claim: int) -> tuple[int, Support] | None:
        """Return the source that supports ``claim`` best, the first of equals; ``None`` where there are no sources."""
        row = self.supports[claim]
        if not row:
            return None
        index = max(range(len(row)), key=lambda i: (row[i].strength, -i))
        return index, row[index]

    def against(self, claim: int, text: str) -> tuple[Support, str]:
        """Return the support of ``claim`` by any other text, on the same scale, and the nearest sentence of it."""
        source = source_of(text)
        found = support(self.claim_terms[claim], source, self.weights)
        return found, text if found.sentence is None else source.sentences[found.sentence].words


def ground(answer: Answer, passages: Sequence[Passage]) -> Grounding:
    """Align the claims of ``answer`` with ``passages``; a passage without text supports nothing."""
    return _ground(answer.answer or "", _markers(answer), tuple(passage.text or "" for passage in passages))


def claims_of(answer: Answer) -> tuple[Sentence, ...]:
    """Return the claims of ``answer``, the same that `ground` aligns."""
    return _claims(answer.answer or "", _markers(answer))


def statements_of(answer: Answer) -> tuple[Sentence, ...]:
    """Return the claims of ``answer`` with what leads to them, asks or abstains."""
    return _statements(answer.answer or "", _markers(answer))


def cited_passages(answer: Answer, claims: tuple[Sentence, ...]) -> tuple[tuple[str | None, ...], ...]:
    """Return for each claim the passage ids its citations point at, in order; ``None`` for one that points nowhere."""
    by_claim: list[list[str | None]] = [[] for _ in claims]
    text = answer.answer or ""
    for citation in sorted(answer.citations or (), key=lambda c: (c.start, c.end)):
        index = claim_at(claims, citation.start, text)
        if index is not None and citation.passage_id not in by_claim[index]:
            by_claim[index].append(citation.passage_id)
    return tuple(tuple(ids) for ids in by_claim)


def joint_support(grounding: Grounding, claim: int, sources: Sequence[int]) -> Support:
    """Return the support of a claim by several sources together: a term counts where any of them covers it.

    Each source contributes its best window, so that words scattered over long passages do not add up.
    """
    unique = tuple(dict.fromkeys(grounding.claim_terms[claim].items))
    rows = [grounding.supports[claim][index] for index in sources]
    total = sum(grounding.weights[term] for term in unique)
    if not rows or not unique:
        return Support(0.0, probability(0.0), None, unique)
    missing = tuple(term for term in unique if all(term in row.missing for row in rows))
    strength = 1 - sum(grounding.weights[term] for term in missing) / total
    for term in missing:
        if term.startswith("#"):
            strength *= ABSENT_NUMBER
    if all(row.negation for row in rows):
        strength *= NEGATION_MISMATCH
    return Support(strength, probability(strength), None, missing, all(row.negation for row in rows))


def difference(found: Support) -> str:
    """Say in words what separates a claim from the nearest sentence.

    >>> difference(Support(0.2, 0.05, 0, ("#16", "paternal"), True))
    'number 16 not there; words not there: paternal; one of the two is negated'
    """
    parts: list[str] = []
    if found.missing_numbers:
        noun = "number" if len(found.missing_numbers) == 1 else "numbers"
        parts.append(f"{noun} {', '.join(found.missing_numbers[:5])} not there")
    if found.missing_words:
        parts.append(f"words not there: {', '.join(found.missing_words[:8])}")
    if found.negation:
        parts.append("one of the two is negated")
    return "; ".join(parts) or "every word is there"


def _markers(answer: Answer) -> tuple[tuple[int, int], ...]:
    return tuple(sorted({(citation.start, citation.end) for citation in answer.citations or ()}))


# Memos of pure functions, for speed alone: the scorers of one panel read the same answer one after the other, and the
# same passages are retrieved again and again. They are bounded, and nothing observable depends on what they hold.
@lru_cache(maxsize=8)
def _claims(answer: str, markers: tuple[tuple[int, int], ...]) -> tuple[Sentence, ...]:
    return split_claims(answer, markers)


@lru_cache(maxsize=8)
def _statements(answer: str, markers: tuple[tuple[int, int], ...]) -> tuple[Sentence, ...]:
    return split_statements(answer, markers)


@lru_cache(maxsize=8)
def _ground(answer: str, markers: tuple[tuple[int, int], ...], texts: tuple[str, ...]) -> Grounding:
    claims = _claims(answer, markers)
    claim_terms = tuple(terms(claim.words) for claim in claims)
    sources: list[Source] = []
    budget = MAX_CONTEXT
    for text in texts:
        sources.append(source_of(text[: max(0, budget)]))
        budget -= len(text)
    weights = rarities(sources, {term for claim in claim_terms for term in claim.items})
    supports = tuple(tuple(support(claim, source, weights) for source in sources) for claim in claim_terms)
    return Grounding(claims, claim_terms, tuple(sources), weights, supports, budget < 0)
