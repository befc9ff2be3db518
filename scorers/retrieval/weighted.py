"""Recall weighted by what makes evidence govern: its authority, and whether it is in force."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer, GoldPassage
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.catalog.document import within
from scorers.catalog.edition import EditionKey, key_of
from scorers.lineage import asked_at, lineage_of
from scorers.retrieval.governing import governing
from scorers.retrieval.ranking import DEPTH, GRADES, LISTED, Depth, ranked
from scorers.text.excerpt import excerpt

Weighted = tuple[str, float, bool]
"""A piece of evidence by name, its weight, and whether it was retrieved."""


class AuthorityWeightedRecall(Scorer):
    """Share of the governing evidence that was retrieved, each piece weighted by its authority: 0 none, 1 all.

    With gold labels (``basis: gold``) the weight is the grade (sufficient 1, partial .5) times the authority that the
    label, else the catalog, gives. Without, the evidence is what the catalog says governs the question
    (``basis: catalog``): entries in force when it was asked that hold half of its words and at least half of the best
    one's search score. What has no authority is left out; if that is all, ``missing_input``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold, Passage
    >>> labels = (GoldPassage(id="memo", label="sufficient", authority=0.9), GoldPassage(id="guide", label="partial",
    ...     authority=0.6))
    >>> answer = Answer(id="a", gold=Gold(passages=labels), passages=(Passage(id="guide"),))
    >>> AuthorityWeightedRecall().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value
    0.25
    """

    metric: ClassVar[Metric] = Metric(
        name="authority_weighted_recall",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the governing evidence that was retrieved, weighted by authority: 0 none, 1 all.",
        formula="sum of grade x authority of the evidence in the top k / the same sum over all evidence",
        source="PROBE 3.3, Table 3 (authority-weighted recall), A.4 (grades and authorities); the weighting is ours.",
        bases=("gold", "catalog"),
        cost="search",
        limits="Without labels, governing evidence is what catalog search finds by words (and embeddings where "
        "configured): an entry worded differently from the question does not count as missed.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["authority_weighted_recall"] = "authority_weighted_recall"
    k: Depth = Field(default=DEPTH, description="Number of top-ranked passages considered.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the weighted share that was retrieved, or why there is none."""
        first = set(ranked(answer)[: self.k])
        rows = [
            (label.id, GRADES[label.label] * authority, label.id in first)
            for label in _evidence(answer)
            if (authority := _authority(label, env)) is not None
        ]
        if rows:
            return _recall(rows, "gold")
        rows = [
            (_called(each.document.reference, each.document.section), each.document.authority, each.found)
            for each in governing(answer, env, self.k)
            if each.document.authority is not None
        ]
        if rows:
            return _recall(rows, "catalog")
        detail = "authority of gold passages, or of catalog entries on the question"
        return missing_input(detail)


class FreshnessWeightedRecall(Scorer):
    """Share of the evidence in force when the question was asked that was retrieved: 0 none, 1 all.

    With gold labels (``basis: gold``) the evidence is what they call sufficient or partial, weighted 1 and .5, if its
    window holds the instant; a label without dates is of evidence in force. Without, each retrieved passage speaks for
    the edition that governed in its place (``basis: catalog`` where the catalog says which, else ``passages``): a
    superseded passage without its replacement is a miss. Where neither tells of windows: ``missing_input``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> old = Passage(id="old", doc_id="T", version="2", text="150 EUR")
    >>> new = Passage(id="new", doc_id="T", version="3", text="180 EUR", supersedes=("2",))
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> [FreshnessWeightedRecall(k=k).score(Answer(id="a", passages=(old, new)), env).value for k in (1, 2)]
    [0.0, 1.0]
    """

    metric: ClassVar[Metric] = Metric(
        name="freshness_weighted_recall",
        family="retrieval",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the evidence in force when the question was asked that was retrieved: 0 none, 1 all.",
        formula="sum of grade x in_force of the evidence in the top k / the same sum over all evidence",
        source="PROBE 3.3, Table 3 (freshness-weighted recall) and Table A.9; the weighting is ours.",
        bases=("gold", "catalog", "passages"),
        cost="fields",
        limits="Without labels, only documents with at least one retrieved edition are considered; a document with "
        "none does not count as missed.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["freshness_weighted_recall"] = "freshness_weighted_recall"
    k: Depth = Field(default=DEPTH, description="Number of top-ranked passages considered.")

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of current evidence that was retrieved, or why there is none."""
        labels = _evidence(answer)
        if labels:
            at, first = asked_at(answer, env), set(ranked(answer)[: self.k])
            rows = [
                (label.id, GRADES[label.label], label.id in first)
                for label in labels
                if within(label.effective_from, label.effective_to, at)
            ]
            if not rows:
                detail = "no gold passage was in force when the question was asked"
                return not_applicable(detail)
            return _recall(rows, "gold")
        return self._by_lineage(answer, env)

    def _by_lineage(self, answer: Answer, env: Env) -> Measured | Absent:
        lineage = lineage_of(answer, env)
        first = set(ranked(answer)[: self.k])
        needed: dict[EditionKey, bool] = {}
        unknown: set[EditionKey] = set()
        basis: Basis = "passages"
        for passage in answer.passages or ():
            status = lineage.status(passage) if passage.id in first else None
            if status is None or status.validity == "unknown":
                continue
            if status.basis == "catalog":
                basis = "catalog"
            if status.validity == "in_force":
                needed[key_of(status.document)] = True
            else:
                governs = status.replacement
                needed.setdefault(key_of(status.document) if governs is None else governs.key, False)
                if governs is None:
                    unknown.add(key_of(status.document))
        if not needed:
            detail = f"effective dates or supersession{lineage.unclear(answer.passages or ())}"
            return missing_input(detail)
        rows = [
            (f"what governs in place of {key.reference}" if key in unknown else key.reference, 1.0, found)
            for key, found in needed.items()
        ]
        return _recall(rows, basis)


def _evidence(answer: Answer) -> list[GoldPassage]:
    """Return the gold passages that are relevant, each id once, the better label first."""
    labels = [label for label in (answer.gold.passages if answer.gold is not None else ()) if label.label in GRADES]
    best: dict[str, GoldPassage] = {}
    for label in sorted(labels, key=lambda label: -GRADES[label.label]):
        best.setdefault(label.id, label)
    return list(best.values())


def _authority(label: GoldPassage, env: Env) -> float | None:
    if label.authority is not None or env.catalog is None:
        return label.authority
    edition = env.catalog.named(label.id)
    return None if edition is None else edition.section(None).authority


def _called(reference: str, section: str | None) -> str:
    return reference if section is None else f"{reference} section {section}"


def _recall(rows: list[Weighted], basis: Basis) -> Measured | Absent:
    total = sum(weight for _, weight, _ in rows)
    if total <= 0:
        return not_applicable("no evidence on the question has a weight above 0")
    missed = sorted(((weight, name) for name, weight, found in rows if not found), reverse=True)
    return Measured(
        value=min(1.0, sum(weight for _, weight, found in rows if found) / total),
        basis=basis,
        explanation=f"{len(rows) - len(missed)} of {len(rows)} pieces of governing evidence retrieved",
        evidence=tuple(
            Evidence(kind="document", detail=f"{excerpt(name)} was not retrieved, weight {weight:.2f}")
            for weight, name in missed[:LISTED]
        ),
    )
