"""Answerable evidence coverage: whether what was retrieved holds what the question needs."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.retrieval.ranking import LISTED
from scorers.support.points import MET, coverage, points_of
from scorers.text.excerpt import excerpt


class AnswerableEvidenceCoverage(Scorer):
    """Share of what is needed that the retrieved text covers: 0 nothing of it, 1 all of it.

    Needed are the required points of the gold labels (``basis: gold``), else what the question asks, part by part
    (``basis: passages``). A point is covered as far as one passage has its words, weighted by rarity. Without gold
    this tells whether passages are about the question, not whether they answer it.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> passages = (Passage(id="p", text="The hotel limit is 180 EUR."),)
    >>> answer = Answer(id="a", question="What is the hotel limit?", passages=passages)
    >>> AnswerableEvidenceCoverage().score(answer, env).value
    1.0
    """

    metric: ClassVar[Metric] = Metric(
        name="answerable_evidence_coverage",
        family="retrieval",
        languages=("en",),
        words=("question", "passages"),
        unit="ratio",
        better="higher",
        help="Share of what the question needs that the retrieved passages cover: 0 nothing, 1 all.",
        formula="mean over points of max over passages of the rarity-weighted share of the point's terms present",
        source="PROBE 3.3 (answerable-evidence coverage); the formula is ours.",
        bases=("gold", "passages"),
        cost="passages",
        limits="Compares words: without labels, it shows whether passages are about the question, not whether they "
        "answer it. A question that orders a text (summarize, write, translate) has no value without labels.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["answerable_evidence_coverage"] = "answerable_evidence_coverage"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the mean coverage of the points, or why there is none."""
        passages = answer.passages or ()
        points, basis = points_of(answer)
        if answer.question is None and basis != "gold":
            return missing_input("question or gold.required_points")
        if not points:
            return not_applicable("the question asks for no evidence")
        if any(passage.text is None for passage in passages):
            return missing_input("text of a passage")
        shares = coverage(points, passages)
        worst = sorted(range(len(points)), key=lambda at: (shares[at], at))[:LISTED]
        return Measured(
            value=sum(shares) / len(shares),
            basis=basis,
            explanation=f"{sum(share >= MET for share in shares)} of {len(points)} points covered"
            f" by {len(passages)} passages",
            evidence=tuple(
                Evidence(kind="claim", detail=f"{excerpt(points[at].text)!r} covered {shares[at]:.2f}")
                for at in worst
                if shares[at] < MET
            ),
        )
