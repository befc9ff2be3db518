"""Answer completeness: whether the answer tells all that was needed, and the context supports it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.grounding.ledger import complete
from scorers.retrieval.ranking import LISTED
from scorers.support.entailed import judge_with
from scorers.support.judgement import Judgement
from scorers.support.points import MET, Point, Words, coverage, points_of
from scorers.text.excerpt import excerpt

SUPPORTED = 0.5


class AnswerCompleteness(Scorer):
    """Share of what was needed that the answer states and the context supports: 0 nothing of it, 1 all of it.

    Needed are the required points of the gold labels (``basis: gold``), else what the question asks, part by part
    (``basis: passages``). A point is told as far as supported claims of the answer have its words, weighted by rarity;
    for the parts of a question, the sentences of the context that those claims come from speak for them, because
    "20 weeks" answers without repeating the question. An answer without words is 0. One that says the evidence does
    not hold the answer is 0 where the context does cover the question, and ``not_applicable`` where it does not.

    The claim ledger of a labelled row is judged exactly (``basis: gold``): the share of the required points that its
    supported claims tell.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> texts = ("Parental leave is 20 weeks.", "The line manager approves the leave.")
    >>> passages = tuple(Passage(id=text[:8], text=text) for text in texts)
    >>> question = "How long is parental leave, and who approves the leave?"
    >>> whole = Answer(id="a", question=question, answer=" ".join(texts), passages=passages)
    >>> half = whole.model_copy(update={"answer": texts[0]})
    >>> AnswerCompleteness().score(whole, env).value > 0.8 > AnswerCompleteness().score(half, env).value
    True
    """

    metric: ClassVar[Metric] = Metric(
        name="answer_completeness",
        family="grounding",
        languages=("en",),
        words=("question", "answer", "passages"),
        unit="ratio",
        better="higher",
        help="Share of what the question needs that an answer states and its context supports: 0 nothing, 1 all.",
        formula="mean over points of the rarity-weighted share of the point's terms in the supported claims, at most "
        "the share in the context",
        source="RAG evaluation lesson, 'Check whether the answer finished the task' (supported point coverage); PROBE "
        "3.3, A.6. Matching by words is ours.",
        bases=("gold", "passages"),
        cost="judgement",
        limits="Compares words: without labels, a part of the question answered in quite different words counts as "
        "unanswered, and a part answered wrongly in the same words counts as answered unless a claim is "
        "flagged. A question that orders a text (summarize, write, translate) has no value without labels.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["answer_completeness"] = "answer_completeness"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of points that are told with support, or why there is none."""
        if (exact := complete(answer, env)) is not None:
            return exact
        points, basis = points_of(answer)
        if answer.question is None and basis != "gold":
            return missing_input("question or gold.required_points")
        if not points:
            return not_applicable("the question asks for no evidence")
        told = told_points(answer, env, points, basis)
        if isinstance(told, Absent):
            return told
        return self._result(points, told, coverage(points, answer.context_passages() or ()), basis)

    def _result(
        self, points: tuple[Point, ...], told: Sequence[float], held: Sequence[float], basis: Basis
    ) -> Measured:
        worst = sorted(range(len(points)), key=lambda at: (told[at], at))[:LISTED]
        return Measured(
            value=sum(told) / len(told),
            basis=basis,
            explanation=f"{sum(share >= MET for share in told)} of {len(points)} points are stated and supported",
            evidence=tuple(
                Evidence(kind="claim", detail=f"{excerpt(point.text)!r} stated {said:.2f}, in the context {have:.2f}")
                for said, have, point in ((told[at], held[at], points[at]) for at in worst)
                if said < MET
            ),
        )


def told_points(answer: Answer, env: Env, points: tuple[Point, ...], basis: Basis) -> Sequence[float] | Absent:
    """Return how far supported claims of an answer tell each point, or why that cannot be said."""
    held = coverage(points, answer.context_passages() or ())
    if not (answer.answer or "").strip():
        return [0.0] * len(points)
    found = judge_with(answer, env)
    if isinstance(found, Absent):
        if found.reason == "missing_input":
            return found
        if sum(held) < MET * len(held):
            return not_applicable("the answer abstains, and the context does not cover the question")
        return [0.0] * len(points)
    said = Words(_said(found, basis))
    return [min(share, point.covered_by(said)) for point, share in zip(points, held, strict=True)]


def _said(found: Judgement, basis: Basis) -> Iterator[str]:
    """Yield the terms of the supported claims, and for the parts of a question of the sentences they come from."""
    for index in found.claims:
        if found.supported[index] >= SUPPORTED:
            aligned = found.aligned[index]
            yield from aligned.claim.terms.items
            nearest = found.nearest(index) if basis != "gold" else None
            if nearest is not None:
                source, at = nearest
                yield from aligned.context.sources[source].read[at].items
