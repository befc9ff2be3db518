"""Near miss suppression: how well tempting wrong passages are kept out of the top."""

from __future__ import annotations

from math import log2
from typing import ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.lineage import lineage_of
from scorers.retrieval.ranking import DEPTH, LISTED, Depth, ranked


class NearMissSuppression(Scorer):
    """How well near misses are kept out of the first k passages: 1 none is there, 0 nothing else is.

    Near misses are what the gold labels call so, or superseded (``basis: gold``). Where they name none, passages that
    were superseded or had expired when the question was asked, by the catalog or by their own metadata
    (``basis: catalog`` or ``passages``). One at the top weighs more than one further down. Where nothing tells of
    near misses: ``missing_input``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> gold = Gold(passages=(GoldPassage(id="old", label="superseded", near_miss=True),))
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> for order in (("old", "new"), ("new", "old")):
    ...     answer = Answer(id="a", gold=gold, passages=tuple(Passage(id=name) for name in order))
    ...     print(round(NearMissSuppression().score(answer, env).value, 2))
    0.39
    0.61
    """

    metric: ClassVar[Metric] = Metric(
        name="near_miss_suppression",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="How well near misses are kept out of the top k passages: 1 none is there, 0 nothing else is.",
        formula="1 - sum over near misses in the top k of 1 / log2(rank + 1), divided by that sum over all passages "
        "there",
        source="PROBE 3.3, Table 3 (near-miss suppression); the discount is that of NDCG, the formula is ours.",
        bases=("gold", "catalog", "passages"),
        cost="fields",
        limits="Without labels, only superseded and expired passages count as near misses; a current passage about a "
        "similar topic is not detected.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["near_miss_suppression"] = "near_miss_suppression"
    k: Depth = Field(default=DEPTH, description="Number of top-ranked passages considered.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return what near misses leave of the top, or why there is none."""
        first = ranked(answer)[: self.k]
        if not first:
            return not_applicable("nothing was retrieved")
        labelled = {
            label.id
            for label in (answer.gold.passages if answer.gold is not None else ())
            if label.near_miss or label.label == "superseded"
        }
        found: tuple[set[str], Basis] | None = (labelled, "gold") if labelled else _stale(answer, env, set(first))
        if found is None:
            return missing_input("gold near misses, effective dates or supersession")
        names, basis = found
        weights = [1 / log2(rank + 1) for rank in range(1, len(first) + 1)]
        taken = [(rank, name) for rank, name in enumerate(first) if name in names]
        known = {passage.id for passage in answer.passages or ()}
        return Measured(
            value=min(1.0, max(0.0, 1 - sum(weights[rank] for rank, _ in taken) / sum(weights))),
            basis=basis,
            explanation=f"{len(taken)} of the top {len(first)} passages are near misses",
            evidence=tuple(
                Evidence(kind="passage", detail=f"near miss at rank {rank + 1}", passage_id=name)
                for rank, name in taken[:LISTED]
                if name in known
            ),
        )


def _stale(answer: Answer, env: Env, first: set[str]) -> tuple[set[str], Basis] | None:
    """Return the ids among ``first`` that no longer governed, and by what; ``None`` where nothing tells."""
    lineage = lineage_of(answer, env)
    statuses = {
        passage.id: status
        for passage in answer.passages or ()
        if passage.id in first and (status := lineage.status(passage)) is not None and status.validity != "unknown"
    }
    if not statuses:
        return None
    basis: Basis = "catalog" if any(status.basis == "catalog" for status in statuses.values()) else "passages"
    return {name for name, status in statuses.items() if status.stale}, basis
