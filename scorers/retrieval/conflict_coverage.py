"""Conflict coverage: whether all sides of a known conflict were retrieved."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.retrieval.governing import governing
from scorers.retrieval.ranking import DEPTH, LISTED, Depth, ranked
from scorers.text.excerpt import excerpt

EXCEPTION = "exception"
"""What the role of a document that takes precedence over a general one holds ("exception", "regional_exception")."""


class ConflictCoverage(Scorer):
    """Share of the sides of a known conflict that were retrieved: 0 none, 1 all, .5 of two sides one.

    With gold labels (``basis: gold``) the sides are the passages labelled conflicting and those labelled sufficient
    beside them. Without, the catalog knows of a conflict where an exception (by its role) and another document both
    govern the question (``basis: catalog``); the documents are the sides. Where no conflict is known:
    ``not_applicable``. Conflicts that only the texts show are found by ``source_conflict``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, GoldPassage, Passage
    >>> sides = (GoldPassage(id="policy", label="conflicting"), GoldPassage(id="memo", label="sufficient"))
    >>> answer = Answer(id="a", gold=Gold(passages=sides), passages=(Passage(id="policy"),))
    >>> ConflictCoverage().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="conflict_coverage",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the sides of a known conflict between sources that were retrieved: 0 none, 1 all.",
        formula="sides in the top k / sides",
        source="PROBE 3.3, Table 3 (conflict coverage), Table A.9 (one-sided against complete retrieval).",
        bases=("gold", "catalog"),
        cost="search",
        limits="Without labels, a conflict is known only where the catalog gives a document the role of an exception.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["conflict_coverage"] = "conflict_coverage"
    k: Depth = Field(default=DEPTH, description="Number of top-ranked passages considered.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of sides that were retrieved, or why there is none."""
        sides = self._labelled(answer)
        basis: Basis = "gold" if sides else "catalog"
        sides = sides or self._listed(answer, env)
        if answer.gold is None and env.catalog is None:
            return missing_input("gold labels or a catalog")
        if not sides:
            return not_applicable("no known conflict on the question")
        missed = [name for name, found in sides.items() if not found]
        return Measured(
            value=(len(sides) - len(missed)) / len(sides),
            basis=basis,
            explanation=f"{len(sides) - len(missed)} of {len(sides)} sides retrieved",
            evidence=tuple(
                Evidence(kind="document", detail=f"{excerpt(name)} was not retrieved") for name in missed[:LISTED]
            ),
        )

    def _labelled(self, answer: Answer) -> dict[str, bool]:
        labels = answer.gold.passages if answer.gold is not None else ()
        if not any(label.label == "conflicting" for label in labels):
            return {}
        first = set(ranked(answer)[: self.k])
        return {label.id: label.id in first for label in labels if label.label in ("conflicting", "sufficient")}

    def _listed(self, answer: Answer, env: Env) -> dict[str, bool]:
        entries = governing(answer, env, self.k)
        exceptions = {each.document.id for each in entries if EXCEPTION in (each.document.role or "").casefold()}
        sides: dict[str, bool] = {}
        for each in entries:
            sides[each.document.id] = sides.get(each.document.id, False) or each.found
        return sides if exceptions and len(sides) > 1 else {}
