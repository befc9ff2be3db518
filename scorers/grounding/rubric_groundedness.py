"""Rubric groundedness: how much of a question's rubric the answer tells and its context supports, by weight.

It is no part of the panel that runs on traffic, which has no rubrics; `groundwire evaluate` adds it where rows have
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from adapters.schema import Answer, RubricItem
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, not_applicable
from scorers.grounding.answer_completeness import told_points
from scorers.grounding.ledger import ClaimLedger, folded, ledger_of
from scorers.retrieval.ranking import LISTED
from scorers.support.points import MET, point_of
from scorers.text.excerpt import excerpt

GOLD: Basis = "gold"


class RubricGroundedness(Scorer):
    """Weighted share of the rubric that the answer tells and its context supports: 0 nothing of it, 1 all of it.

    The labels hold the rubric of a question (``gold.rubric``): criteria, each with a weight. A criterion is met as far
    as supported claims of the answer have its words, weighted by rarity, and at most as far as the context has them.
    The claim ledger of a labelled row is judged exactly: a criterion is met if a claim whose ``point`` is its words or
    its id is supported.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> texts = ("Parental leave is 20 weeks.", "The line manager approves the leave.")
    >>> rubric = (RubricItem(criterion=texts[0], weight=3), RubricItem(criterion=texts[1]))
    >>> passages = tuple(Passage(id=text[:8], text=text) for text in texts)
    >>> answer = Answer(id="a", answer=texts[0], passages=passages, gold=Gold(rubric=rubric))
    >>> 0.75 <= RubricGroundedness().score(answer, env).value < 0.9
    True
    """

    metric: ClassVar[Metric] = Metric(
        name="rubric_groundedness",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Weighted share of a question's rubric that an answer states and its context supports: 0 nothing, 1 all.",
        formula="sum over criteria r of w(r) * G(r) / sum of w(r), with G(r) the rarity-weighted share of the terms of "
        "r in the supported claims, at most the share in the context",
        source="Managwu et al. 2025, IJARCS 16(5), eq. 5 (G_rubric), as a weighted mean instead of a sum, so that "
        "rubrics of any length compare. Matching by words is ours.",
        bases=(GOLD,),
        cost="judgement",
        limits="Compares words: a criterion that an answer meets in quite different words counts as not met. Write "
        "criteria as the sentence that a right answer holds.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages", "gold"})

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the weighted share of criteria that are met, or why there is none."""
        rubric = () if answer.gold is None else answer.gold.rubric
        items = [item for item in rubric if point_of(item.criterion) is not None]
        if not items:
            return not_applicable("the labels have no rubric")
        ledger = ledger_of(answer, env.memory)
        if isinstance(ledger, Absent):
            return ledger
        if isinstance(ledger, ClaimLedger):
            told: Sequence[float] = _by_ledger(items, ledger)
        else:
            points = tuple(point for item in items if (point := point_of(item.criterion)) is not None)
            found = told_points(answer, env, points, GOLD)
            if isinstance(found, Absent):
                return found
            told = found
        return _result(items, told)


def _by_ledger(items: Sequence[RubricItem], ledger: ClaimLedger) -> list[float]:
    named = {folded(entry.claim.point) for entry in ledger.entries if entry.supported and entry.claim.point is not None}
    return [float(not named.isdisjoint({folded(item.criterion), folded(item.id or item.criterion)})) for item in items]


def _result(items: Sequence[RubricItem], told: Sequence[float]) -> Measured:
    whole = sum(item.weight for item in items)
    lost = sorted(range(len(items)), key=lambda at: (-(1.0 - told[at]) * items[at].weight, at))[:LISTED]
    return Measured(
        value=min(1.0, sum(item.weight * share for item, share in zip(items, told, strict=True)) / whole),
        basis=GOLD,
        explanation=f"{sum(share >= MET for share in told)} of {len(items)} criteria are stated and supported",
        evidence=tuple(
            Evidence(
                kind="claim",
                detail=f"{excerpt(items[at].criterion)!r} (weight {items[at].weight:g}) stated {told[at]:.2f}",
            )
            for at in lost
            if told[at] < MET
        ),
    )
