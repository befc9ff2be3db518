"""Health of the retriever that needs no labels: how far the first stands out, and how much of the context repeats."""

from __future__ import annotations

from collections.abc import KeysView
from typing import ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.retrieval.ranking import DEPTH, LISTED, Depth, ranking_stage
from scorers.support.points import sources_of
from scorers.text.excerpt import excerpt

FEWEST = 3
"""With two scores the gap between them is all there is, and tells nothing."""


class ScoreMargin(Scorer):
    """How far the best passage stands out by its retrieval score: 0 not at all, 1 all others are alike beside it.

    The gap between the first and the second, over the range of the first ``k`` scores of the final ranking, so that
    the scale of the score, and whether distances or similarities, does not matter. A fall over all traffic means
    that the retriever no longer tells passages apart; of one answer it says little. Fewer than three scores on one
    scale: ``missing_input``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passages = tuple(Passage(id=str(score), score=score) for score in (0.9, 0.5, 0.4))
    >>> score = ScoreMargin().score(Answer(id="a", passages=passages), Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    >>> round(score.value, 1)
    0.8
    """

    metric: ClassVar[Metric] = Metric(
        name="score_margin",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        circumstance=True,
        help="Gap between the two best retrieval scores relative to their range: 0 no gap, 1 the first stands alone.",
        formula="|s1 - s2| / (max s - min s) over the top k scores of the final ranking; 0 where all are equal",
        source="Ours; after query performance prediction by score spread (Shtok et al. 2012, ACM TOIS 30(2)).",
        cost="fields",
        limits="Read it over traffic, not per answer; not comparable between retrievers, whose scores are distributed "
        "differently.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["score_margin"] = "score_margin"
    k: Depth = Field(default=DEPTH, description="Number of top-ranked scores considered.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the relative gap of the first two scores, or why there is none."""
        scores = _scores(answer)[: self.k]
        if len(scores) < FEWEST:
            return missing_input("at least three retrieval scores of one step")
        # Halved first: the range of two finite floats need not be one.
        halves = [score / 2 for score in scores]
        spread = max(halves) - min(halves)
        value = abs(halves[0] - halves[1]) / spread if spread > 0 else 0.0
        return Measured(
            value=min(1.0, value), explanation=f"first {scores[0]:.3g}, second {scores[1]:.3g} of {len(scores)}"
        )


class Redundancy(Scorer):
    """How much of the context repeats itself: 0 every passage is new, 1 all say the same.

    Each passage of the context is compared with those before it by the words they share (Jaccard); the value is the
    mean of the highest. The same section indexed twice, or chunks that overlap, raise it, and waste the context.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passages = tuple(Passage(id=str(n), text="Parental leave is 20 weeks.") for n in range(3))
    >>> Redundancy().score(Answer(id="a", passages=passages), Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value
    1.0
    """

    metric: ClassVar[Metric] = Metric(
        name="redundancy",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="lower",
        help="How much of the context repeats earlier passages: 0 every passage is new, 1 all are the same.",
        formula="mean over passages after the first of max over earlier ones of |shared terms| / |terms of either|",
        source="Ours; the novelty criterion of Carbonell and Goldstein 1998 (MMR), with Jaccard similarity.",
        bases=("passages",),
        cost="passages",
        limits="Compares words: content repeated in other words or in another language is not detected.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["redundancy"] = "redundancy"
    k: Depth = Field(default=DEPTH, le=100, description="Number of context passages compared.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the mean overlap with what came before, or why there is none."""
        context = (answer.context_passages() or ())[: self.k]
        if any(passage.text is None for passage in context):
            return missing_input("text of a context passage")
        if len(context) < 2:  # noqa: PLR2004 - it takes two to repeat
            return not_applicable("fewer than two passages")
        sets = [source.at.keys() for source in sources_of(context)]
        repeats: list[tuple[float, int, int]] = []
        for later in range(1, len(sets)):
            overlap, earlier = max((_jaccard(sets[later], sets[before]), -before) for before in range(later))
            repeats.append((overlap, later, -earlier))
        worst = sorted(repeats, key=lambda found: (-found[0], found[1]))[:LISTED]
        return Measured(
            value=min(1.0, sum(overlap for overlap, _, _ in repeats) / len(repeats)),
            basis="passages",
            explanation=f"{len(context)} passages in the context",
            evidence=tuple(
                Evidence.of_passage(
                    context[later], f"shares {overlap:.2f} of its words with {excerpt(context[earlier].id)}"
                )
                for overlap, later, earlier in worst
                if overlap > 0
            ),
        )


def _jaccard(one: KeysView[str], other: KeysView[str]) -> float:
    shared = len(one & other)
    return shared / max(1, len(one) + len(other) - shared)


def _scores(answer: Answer) -> list[float]:
    """Return the scores of one step, in its order: those it told, else those of the passages that came from one."""
    stage = ranking_stage(answer)
    if stage is not None and stage.scores and None not in stage.scores:
        return [score for score in stage.scores if score is not None]
    passages = answer.passages or ()
    if len({passage.stage for passage in passages}) != 1:
        return []
    return [passage.score for passage in passages if passage.score is not None]
