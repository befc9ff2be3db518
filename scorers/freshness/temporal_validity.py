"""Temporal validity: whether what the answer rests on was in force when it was asked."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, missing_input
from scorers.freshness.timeline import Timeline, timeline
from scorers.lineage import PassageStatus, lineage_of
from scorers.support.attribution import attribution
from scorers.support.resting import rests_on, rests_on_nothing
from scorers.text.excerpt import excerpt

LISTED = 5
_LEAST = 1e-6
"""Weight of a claim that its passages do not support at all."""

_WORDS = {"superseded": "was superseded", "expired": "had expired", "not_yet": "was not yet in force"}


class TemporalValidity(Scorer):
    """Weight of claims that rest on passages in force when the question was asked: 0 none does, 1 all do.

    A claim rests on the passages it cites, else on the context passage that it has most of its words from. It weighs as
    much as that passage supports it; of several cited passages each takes an equal part. Whether a passage was in force
    is said by the catalog where it lists the document (``basis: catalog``), else by the passage's own effective window
    and supersedes links; of passages with dates that answer the question differently the later one is in force. Claims
    that rest on a passage of which neither says anything are left out; if that is all of them the answer is unscored.
    That a document is listed says nothing of the state that the index has of it: an entry without window and links
    tells only of a passage of its very version (by version, checksum or whole text), in a catalog that has windows or
    links of others.

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
        languages="any",
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Support-weighted share of claims resting on passages in force when the question was asked: 0 none, 1 "
        "all.",
        formula="sum of w_c * (share of c's passages in force) / sum of w_c, over claims c resting on passages "
        "of which it is known whether they were in force; w_c: probability that the best of its passages supports c",
        source="PROBE 3.3, Table 3 (temporal validity: effective-date correctness) and Table A.9.",
        bases=("catalog", "passages"),
        cost="judgement",
        limits="Claims resting on passages of which that is unknown are left out, so the value may rest on a "
        "small part of the answer.",
        version="5",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["temporal_validity"] = "temporal_validity"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the weight of claims on passages in force, or why there is none."""
        passages = answer.passages or ()
        found = attribution(answer, env.memory)
        lineage = lineage_of(answer, env)
        dates = timeline(answer, env.memory, lineage.at, lineage.listed)
        resting = dates.narrowed(rests_on(found))
        if found is None or not any(resting):
            return rests_on_nothing(answer)
        dated = ([(at, _dated(lineage.status(passages[at]), at, dates)) for at in places] for places in resting)
        told = [[(at, s) for at, s in one if s is not None and s.validity != "unknown"] for one in dated]
        judged = iter(found.alone((claim, [at]) for claim, one in enumerate(told) for at, _ in one))
        valid = total = 0.0
        evidence: dict[str, Evidence] = {}
        for one in filter(None, told):
            weight = max(next(judged).support for _ in one) or _LEAST
            total += weight
            valid += weight * sum(status.validity == "in_force" for _, status in one) / len(one)
            for at, status in one:
                if status.validity != "in_force":
                    evidence.setdefault(passages[at].id, _evidence(passages[at].id, status))
        known = sum(bool(one) for one in told)
        used = sum(bool(places) for places in resting)
        basis: Basis = "catalog" if any(s.basis == "catalog" for one in told for _, s in one) else "passages"
        if not known:
            return missing_input(lineage.untimed(passages[at] for places in resting for at in places))
        return Measured(
            value=min(1.0, valid / total),
            basis=basis,
            explanation=f"{known} of {used} claims rest on a passage of which it is known whether it was in force,"
            f" as of {lineage.at:%Y-%m-%d}",
            evidence=tuple(evidence.values())[:LISTED],
        )


def _dated(status: PassageStatus | None, index: int, dates: Timeline) -> PassageStatus | None:
    """Return a status as the timeline has it, where the catalog does not say."""
    if status is None or status.settled or status.stale or index not in dates.compared:
        return status
    return replace(status, validity="superseded" if index in dates.replaced else "in_force")


def _evidence(passage_id: str, status: PassageStatus) -> Evidence:
    document = status.document
    replacement = status.replacement
    by = "" if replacement is None else f" by {excerpt(replacement.section(document.section).reference)}"
    detail = f"{excerpt(document.reference)} {_WORDS[status.validity]}{by}"
    return Evidence.of_document(document, detail, passage_id)
