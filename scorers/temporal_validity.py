"""Temporal validity: whether what the answer rests on was in force when it was asked."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Basis, Env, Evidence, Metric, Score, Scorer, Unscored
from scorers.catalog.lineage import Lineage, Standing
from scorers.freshness.timeline import Timeline, timeline
from scorers.resting import rests_on, rests_on_nothing
from scorers.text.excerpt import excerpt
from scorers.text.grounding import ground

LISTED = 5
_LEAST = 1e-6
"""Weight of a claim that its passages do not support at all."""

_WORDS = {
    "superseded": "was superseded",
    "expired": "had expired",
    "not_yet": "was not yet in force",
}


class TemporalValidity(Scorer):
    """Weight of claims that rest on passages in force when the question was asked: 0 none does, 1 all do.

    A claim rests on the passages it cites, else on the context passage that supports it best. It weighs as much as that
    passage supports it; of several cited passages each takes an equal part. Whether a passage was in force is said by
    the catalog where it lists the document (``basis: catalog``), else by the passage's own effective window and
    supersedes links; of passages with dates that answer the question differently the later one is in force. Claims
    that rest on a passage of which neither says anything are left out; if that is all of them the answer is unscored.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> old = Passage(id="p", text="Hotels up to 150 EUR.", effective_to=datetime(2025, 3, 31, tzinfo=UTC))
    >>> answer = Answer(id="a", answer="Hotels cost up to 150 EUR.", passages=(old,))
    >>> [TemporalValidity().score(answer, Env(now=datetime(year, 1, 1, tzinfo=UTC))).value for year in (2025, 2026)]
    [1.0, 0.0]
    """

    metric: ClassVar[Metric] = Metric(
        name="temporal_validity",
        family="freshness",
        unit="ratio",
        better="higher",
        help="Weight of claims resting on passages in force when the question was asked: 0 none, 1 all.",
        formula="sum of w_c * (share of c's passages in force) / sum of w_c, over claims c with a known window; "
        "w_c: support of c by its passages",
        source="PROBE 3.3, Table 3 (temporal validity: effective-date correctness) and Table A.9.",
        bases=("catalog", "passages"),
        cost="judgement",
        limits="Claims resting on passages without a known window are left out, so it can stand on a small part of the "
        "answer.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["temporal_validity"] = "temporal_validity"

    def score(self, answer: Answer, env: Env) -> Score | Unscored:
        """Return the weight of claims on passages in force, or why there is none."""
        absent = self.missing(answer)
        if absent is not None:
            return absent
        passages = answer.passages or ()
        grounding = ground(answer, passages)
        lineage = Lineage(answer, env)
        dates = timeline(answer, lineage.at, lineage.listed)
        resting_on = rests_on(answer, grounding, passages)
        if dates.exact:
            resting_on = tuple(dates.exact for _ in resting_on)
        valid = total = 0.0
        basis: Basis = "passages"
        resting = known = 0
        evidence: dict[str, Evidence] = {}
        for claim, indices in enumerate(resting_on):
            resting += bool(indices)
            standings = [(index, _dated(lineage.standing(passages[index]), index, dates)) for index in indices]
            told = [(index, s) for index, s in standings if s is not None and s.status != "unknown"]
            if not told:
                continue
            known += 1
            if any(standing.basis == "catalog" for _, standing in told):
                basis = "catalog"
            weight = max(grounding.supports[claim][index].probability for index, _ in told) or _LEAST
            total += weight
            valid += weight * sum(standing.status == "in_force" for _, standing in told) / len(told)
            for index, standing in told:
                if standing.status != "in_force":
                    evidence.setdefault(passages[index].id, _evidence(passages[index].id, standing))
        if not resting:
            return rests_on_nothing(self.metric.name, answer)
        if not known:
            return Unscored(metric=self.metric.name, reason="missing_input", detail="effective windows")
        return Score(
            metric=self.metric.name,
            value=min(1.0, valid / total),
            basis=basis,
            explanation=f"{known} of {resting} claims rest on a passage with a known window, at {lineage.at:%Y-%m-%d}",
            evidence=tuple(evidence.values())[:LISTED],
        )


def _dated(standing: Standing | None, index: int, dates: Timeline) -> Standing | None:
    """Return a standing as the timeline has it, where the catalog does not say."""
    if standing is None or standing.basis == "catalog" or standing.stale or index not in dates.compared:
        return standing
    return replace(standing, status="superseded" if index in dates.replaced else "in_force")


def _evidence(passage_id: str, standing: Standing) -> Evidence:
    document = standing.document
    replacement = standing.replacement
    by = "" if replacement is None else f" by {excerpt(replacement.section(document.section).reference)}"
    return Evidence(
        kind="passage",
        detail=f"{excerpt(document.reference)} {_WORDS[standing.status]}{by}",
        passage_id=passage_id,
        doc_id=document.id,
        version=document.version,
    )
