"""Candidates and context, kept apart: whether retrieval found the required sources, and whether they were selected."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer
from scorers.retrieval.ranking import NOTHING_RELEVANT, relevant, retrieved, selected, shown

_SOURCE = "RAG evaluation lesson, 'Separate candidates from selected context'; PROBE 3.3."


class CandidateRecall(Scorer):
    """Share of the required sources that retrieval found, before reranking and selection: 0 none, 1 all.

    Required is what the gold labels call sufficient or partial.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="x"), Passage(id="g")), context=("x",))
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> CandidateRecall().score(answer, env).value, ContextRecall().score(answer, env).value
    (1.0, 0.0)
    """

    metric: ClassVar[Metric] = Metric(
        name="candidate_recall",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the required sources among all retrieval candidates: 0 none, 1 all.",
        formula="required ids among the candidates / required ids",
        source=_SOURCE,
        bases=("gold",),
        cost="fields",
        limits="An unlabelled passage that holds the same evidence in other words does not count.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"gold", "passages"})
    type: Literal["candidate_recall"] = "candidate_recall"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the share of required sources among the candidates, or why there is none."""
        return _recall(answer, retrieved(answer), "retrieved")


class ContextRecall(Scorer):
    """Share of the required sources that were put before the generator: 0 none, 1 all.

    Where it is below `CandidateRecall`, reranking or selection dropped what retrieval had found. Without a known
    selection all passages count as context.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"), GoldPassage(id="h", label="partial")))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="g"), Passage(id="h")), context=("g",))
    >>> ContextRecall().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="context_recall",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the required sources in the generator's context: 0 none, 1 all.",
        formula="required ids in the context / required ids",
        source=_SOURCE,
        bases=("gold",),
        cost="fields",
        limits="An unlabelled passage that holds the same evidence in other words does not count.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"gold", "passages"})
    type: Literal["context_recall"] = "context_recall"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the share of required sources in the context, or why there is none."""
        return _recall(answer, selected(answer), "in the context")


class ContextPrecision(Scorer):
    """Share of the context that is required: 0 nothing but distractors, 1 no distractor. An empty context is 0.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="g"), Passage(id="x")))
    >>> ContextPrecision().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="context_precision",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the generator's context that is required: 0 none, 1 all.",
        formula="required ids in the context / ids in the context",
        source=_SOURCE,
        bases=("gold",),
        cost="fields",
        limits="A useful but unlabelled passage counts as a distractor.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"gold", "passages"})
    type: Literal["context_precision"] = "context_precision"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the share of the context that is required, or why there is none."""
        required, context = relevant(answer), selected(answer)
        if not required:
            return NOTHING_RELEVANT
        useful = required.keys() & set(context)
        others = [name for name in context if name not in useful]
        return Measured(
            value=len(useful) / len(context) if context else 0.0,
            basis="gold",
            explanation=f"{len(useful)} of {len(context)} passages in the context are required"
            + (f"; not required: {shown(others)}" if others else ""),
        )


def _recall(answer: Answer, names: Collection[str], where: str) -> Measured | Absent:
    required = relevant(answer)
    if not required:
        return NOTHING_RELEVANT
    missing = sorted(required.keys() - set(names))
    return Measured(
        value=(len(required) - len(missing)) / len(required),
        basis="gold",
        explanation=f"{len(required) - len(missing)} of {len(required)} required sources {where}"
        + (f"; missing: {shown(missing)}" if missing else ""),
    )
