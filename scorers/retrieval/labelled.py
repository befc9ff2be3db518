"""The standard measures of retrieval against gold labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer
from scorers.retrieval import measures
from scorers.retrieval.ranking import DEPTH, NOTHING_RELEVANT, Depth, ranked, relevant, shown

AtDepth = Callable[[Sequence[str], Mapping[str, float], int], float]
"""A measure of a ranking by the grades of what is relevant, down to a depth."""


class _Labelled(Scorer):
    """A measure of the ranking that retrieval handed on: the last reranker's, else the retriever's."""

    needs: ClassVar[frozenset[str]] = frozenset({"gold", "passages"})
    at_depth: ClassVar[AtDepth]
    type: str
    k: Depth = Field(default=DEPTH, description="Number of top-ranked passages considered.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the measure over the first k passages, or why there is none."""
        grades, ranking, k = relevant(answer), ranked(answer), self.k
        if not grades:
            return NOTHING_RELEVANT
        missed = sorted(grades.keys() - set(ranking[:k]))
        return Measured(
            value=type(self).at_depth(ranking, grades, k),
            basis="gold",
            explanation=f"{len(grades) - len(missed)} of {len(grades)} relevant passages in the top {k} of "
            f"{len(ranking)}" + (f"; missed: {shown(missed)}" if missed else ""),
        )


class Ndcg(_Labelled):
    """How near the ranking comes to the ideal one by gold labels: 0 nothing relevant was found, 1 ideal.

    Graded: a partial passage counts half of a sufficient one.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="x"), Passage(id="g")))
    >>> round(Ndcg().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value, 2)
    0.63
    """

    metric: ClassVar[Metric] = Metric(
        name="ndcg",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Discounted gain of the top k passages relative to the ideal ranking: 0 nothing relevant, 1 ideal.",
        formula="sum over ranks i to k of grade_i / log2(i + 1), divided by that sum for the ideal ranking; "
        "sufficient 1, partial .5",
        source="PROBE Table 3, A.6 (NDCG@10); Järvelin and Kekäläinen 2002, ACM TOIS 20(4); trec_eval ndcg_cut.",
        bases=("gold",),
        cost="fields",
        limits="Unlabelled passages count as not relevant; needs labels, so it says nothing about unlabelled traffic.",
    )
    at_depth: ClassVar[AtDepth] = staticmethod(measures.ndcg)
    type: Literal["ndcg"] = "ndcg"


class ReciprocalRank(_Labelled):
    """How early the first relevant passage comes: 1 first, 0.5 second, 0 not in the first k.

    Sufficient and partial passages count alike.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="x"), Passage(id="g")))
    >>> round(ReciprocalRank().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value, 2)
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="reciprocal_rank",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Reciprocal rank of the first relevant passage: 1 it comes first, 0 none in the top k.",
        formula="1 / rank of the first sufficient or partial passage, 0 beyond k",
        source="PROBE 3.3 (standard rank measures); trec_eval recip_rank.",
        bases=("gold",),
        cost="fields",
        limits="Considers only the first relevant passage, not whether others that are needed were found.",
    )
    at_depth: ClassVar[AtDepth] = staticmethod(measures.reciprocal_rank)
    type: Literal["reciprocal_rank"] = "reciprocal_rank"


class AveragePrecision(_Labelled):
    """How early the relevant passages come, all together: 1 before all others, 0 none in the first k.

    Sufficient and partial passages count alike.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="x"), Passage(id="g")))
    >>> round(AveragePrecision().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value, 2)
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="average_precision",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Mean precision at the ranks of the relevant passages: 0 none in the top k, 1 all come first.",
        formula="sum of precision at each relevant rank up to k / relevant passages",
        source="PROBE 3.3 (standard rank measures); trec_eval map_cut.",
        bases=("gold",),
        cost="fields",
        limits="Does not distinguish partial from sufficient passages; unlabelled passages count as not relevant.",
    )
    at_depth: ClassVar[AtDepth] = staticmethod(measures.average_precision)
    type: Literal["average_precision"] = "average_precision"


class Recall(_Labelled):
    """Share of the relevant passages that were found: 0 none, 1 all.

    Sufficient and partial passages count alike.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="x"), Passage(id="g")))
    >>> round(Recall().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value, 2)
    1.0
    """

    metric: ClassVar[Metric] = Metric(
        name="recall",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the relevant passages that are in the top k: 0 none, 1 all.",
        formula="relevant passages in the top k / relevant passages",
        source="PROBE A.6 (recall at 10); trec_eval recall.",
        bases=("gold",),
        cost="fields",
        limits="Relevant passages that are unlabelled do not count as missed; ignores the order within the top k.",
    )
    at_depth: ClassVar[AtDepth] = staticmethod(measures.recall)
    type: Literal["recall"] = "recall"


class Precision(_Labelled):
    """Share of the first k places that hold a relevant passage: 0 none, 1 all.

    A retriever that returns fewer than k cannot reach 1; set ``k`` to what it returns.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="x"), Passage(id="g")))
    >>> round(Precision().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value, 2)
    0.1
    """

    metric: ClassVar[Metric] = Metric(
        name="precision",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the top k ranks that hold a relevant passage: 0 none, 1 all.",
        formula="relevant passages in the top k / k",
        source="PROBE 3.3 (standard rank measures); trec_eval P.",
        bases=("gold",),
        cost="fields",
        limits="Cannot reach 1 where the retriever returns fewer than k passages or fewer than k are relevant.",
    )
    at_depth: ClassVar[AtDepth] = staticmethod(measures.precision)
    type: Literal["precision"] = "precision"


class HitRate(_Labelled):
    """Whether anything relevant was found at all: 1 it was, 0 it was not.

    Sufficient and partial passages count alike.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="g", label="sufficient"),))
    >>> answer = Answer(id="a", gold=gold, passages=(Passage(id="x"), Passage(id="g")))
    >>> round(HitRate().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value, 2)
    1.0
    """

    metric: ClassVar[Metric] = Metric(
        name="hit",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Whether the top k contain a relevant passage: 1 yes, 0 no.",
        formula="1 if a sufficient or partial passage is in the top k, else 0",
        source="PROBE Table A.9 (hit rate); trec_eval success.",
        bases=("gold",),
        cost="fields",
        limits="One partial passage is enough, even where the answer needs several.",
    )
    at_depth: ClassVar[AtDepth] = staticmethod(measures.hit)
    type: Literal["hit"] = "hit"
