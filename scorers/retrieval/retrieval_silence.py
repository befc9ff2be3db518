"""Retrieval silence: nothing to the point was retrieved, and yet an answer was given."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input
from scorers.models.terms import rarity
from scorers.support.claims import terms_asked
from scorers.support.judgement import judge
from scorers.support.points import sources_of
from scorers.text.counts import several
from scorers.text.excerpt import excerpt


class RetrievalSilence(Scorer):
    """How little the retriever brought for an answer that was given all the same: 1 nothing at all (bad), 0 enough.

    The evidence at hand is the better of two, both weighted by rarity: the share of the question's words that the best
    retrieved passage has, and the share of a claim's words that two adjacent sentences of the context have, of the
    claim that they have most of. The value is what is missing to 1. An answer that says it has no answer is 0, however
    little was retrieved: that is what should happen. So is an answer without any claim.

    This is health of the retriever, without labels: the value rises where the index lost documents, the query was
    rewritten past recognition, or the question is out of scope, and the generator filled the gap. Words alone are
    compared: whether the passages support what the answer makes of them is `ClaimSupport`.

    >>> from datetime import UTC, datetime
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> question = "What is the hotel limit?"
    >>> invented = Answer(id="a", question=question, answer="The hotel limit is 150 EUR.", passages=())
    >>> RetrievalSilence().score(invented, env).value
    1.0
    >>> honest = invented.model_copy(update={"answer": "I don't know: the documents do not mention it."})
    >>> RetrievalSilence().score(honest, env).value
    0.0
    """

    metric: ClassVar[Metric] = Metric(
        name="retrieval_silence",
        family="retrieval",
        languages="any",
        words=("question", "passages"),
        unit="ratio",
        better="lower",
        help="Lack of retrieved evidence for an answer given anyway: 1 nothing the question needs, 0 enough.",
        formula="0 if the answer makes no claim, else 1 - max(a, b); a: max over passages of the rarity-weighted "
        "share of the question's terms present; b: max over claims of the rarity-weighted share of the claim's terms "
        "present in two adjacent sentences of the context",
        source="PROBE Table 8 rank 8 and Table A.9 (retrieval silence with invented answer: low evidence, "
        "high-confidence response); the formula is ours.",
        bases=("passages",),
        cost="judgement",
        limits="Compares words: a passage on another topic that shares words with the question counts as evidence.",
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["retrieval_silence"] = "retrieval_silence"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return how little evidence stood behind the answer, or why that cannot be said."""
        passages = answer.passages or ()
        if any(passage.text is None for passage in passages):
            return missing_input("text of a passage")
        found = judge(answer, env.memory)
        if isinstance(found, Absent) or not found.claims:
            return Measured(value=0.0, basis="passages", explanation="the answer makes no claim")
        weights = rarity().each(terms_asked(answer.question or ""))
        total = sum(weights.values())
        relevance, nearest = 0.0, None
        for passage, source in zip(passages, sources_of(passages), strict=False):
            share = sum(weight for term, weight in weights.items() if term in source.at or source.covers(term))
            share = share / total if total else 0.0
            if share > relevance:
                relevance, nearest = share, passage
        claims = [found.aligned[claim] for claim in found.claims]
        told = max(claim.window_weight / claim.total if claim.total else 0.0 for claim in claims)
        evidence: tuple[Evidence, ...] = ()
        if nearest is not None:
            detail = (
                f"nearest passage contains {relevance:.2f} of the question's terms: {excerpt(nearest.text or '')!r}"
            )
            evidence = (Evidence(kind="passage", detail=detail, passage_id=nearest.id),)
        return Measured(
            value=min(1.0, max(0.0, 1 - max(relevance, told))),
            basis="passages",
            explanation=f"in {several(len(passages), 'passage')} at best {relevance:.2f} of the question"
            f" and {told:.2f} of a claim",
            evidence=evidence,
        )
