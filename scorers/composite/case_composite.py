"""The case-aware composite: eight scores of a turn in a support case as one, by a profile that a team chooses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal, NamedTuple

from pydantic import Field, model_validator

from adapters.external.case_record import CASE_INPUTS, CaseInput
from adapters.schema import Answer, AnswerJudgement
from scorers.base import Absent, Env, Measured, Metric, Score, Scorer, missing_input
from scorers.composite.case_profile import PROFILES, CaseProfileName, band_of, weighted_sum
from scorers.composite.profile import ROUNDING, Weight

OWN: Mapping[CaseInput, tuple[str, ...]] = {
    "hallucination": ("claim_support", "contradiction_absence"),
    "retrieval_correctness": ("ndcg", "near_miss_suppression"),
    "context_sufficiency": ("answerable_evidence_coverage",),
    "identifier_integrity": ("identifier_integrity",),
    "case_resolution_alignment": ("workflow_order", "attempted_step_avoidance", "constraint_compliance"),
}
"""Metrics of ours that stand in for a score that no judge gave; the lowest of them counts, for a severe failure must
show. Whether an answer helps, fits what was asked and meets the issue takes a judge."""
LEADS: Mapping[CaseInput, str] = {"retrieval_correctness": "ndcg"}
"""Metrics without which the others of an input say too little."""


class CaseScore(NamedTuple):
    """The score of one input, who gave it (an evaluator, or a metric of ours), and whether that was an evaluator."""

    value: float
    given_by: str
    judged: bool


class CaseComposite(Scorer):
    """S_final of the case-aware judge: 0 a turn fails, 1 it complies fully; the weighted sum of eight scores.

    The eight are hallucination, retrieval correctness, context sufficiency, answer helpfulness, answer type fit,
    identifier integrity, case issue identification and case resolution alignment, as a judge of yours gave them
    (``judgements`` of a labelled row). What it did not score is taken from metrics that need no language model, where
    there are some: the lower of ``claim_support`` and ``contradiction_absence`` for hallucination; ``ndcg``, or
    ``near_miss_suppression`` where that is lower, for retrieval correctness; ``answerable_evidence_coverage``;
    ``identifier_integrity``; and for resolution alignment, of which this is the half that can be checked, the lowest of
    ``workflow_order``, ``attempted_step_avoidance`` and ``constraint_compliance``. For helpfulness, type fit and issue
    identification there are none.

    Without a score for inputs that weigh more than 1 - ``known`` together it is ``missing_input``, which names them;
    with less, the other weights are scaled to sum to 1, and the explanation says so. The label is the band of severity:
    ``severe`` up to .30, ``moderate`` to .60, ``minor`` to .85, ``no_issue`` above; the explanation names the input
    that is worst.

    >>> from datetime import UTC, datetime
    >>> scores = dict.fromkeys(CASE_INPUTS, 0.8) | {"hallucination": 0.3}
    >>> answer = Answer(id="t-1", judgements=(AnswerJudgement(evaluator="judge", scores=scores),))
    >>> for profile in ("case-aware", "uniform"):
    ...     found = CaseComposite(profile=profile).score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    ...     print(round(found.value, 4), found.label)
    0.7 minor
    0.7375 minor
    """

    metric: ClassVar[Metric] = Metric(
        name="case_composite",
        family="composite",
        languages="any",
        unit="ratio",
        better="higher",
        help="Weighted sum of eight scores of a turn in a support case: 0 it fails, 1 it complies fully.",
        formula="sum of weight x score over the eight inputs",
        source="Case-aware judge, eq. 1 and 5.2 (weights), 6 (profiles), B.1 (bands of severity).",
        labels=("no_issue", "minor", "moderate", "severe"),
        cost="scores",
        limits="As good as the judge that scores its inputs; a weighted sum hides a single severe failure among good "
        "scores, so read the worst input as well.",
        buckets=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 0.9, 1.0),
    )
    needs: ClassVar[frozenset[str]] = frozenset({"judgements"})
    reads: ClassVar[frozenset[str]] = frozenset(name for names in OWN.values() for name in names)
    type: Literal["case_composite"] = "case_composite"
    profile: CaseProfileName = Field(
        default="case-aware",
        description="Weights of the inputs: `case-aware` (grounding and retrieval weigh most), `uniform`, or "
        "`retrieval-heavy`.",
    )
    weights: dict[CaseInput, Weight] | None = Field(
        default=None, description="Weights of your own in place of the profile's; an input left out weighs 0."
    )
    known: float = Field(
        default=1.0,
        gt=0,
        le=1,
        description="Share of the weights whose inputs must have a score; below 1 the rest is scaled to sum to 1.",
    )

    @model_validator(mode="after")
    def _whole(self) -> CaseComposite:
        total = sum(self.shares.values())
        if abs(total - 1) > ROUNDING:
            msg = f"weights must sum to 1, not {total:g}"
            raise ValueError(msg)
        return self

    @property
    def shares(self) -> Mapping[CaseInput, float]:
        """The weight of each input."""
        return PROFILES[self.profile] if self.weights is None else self.weights

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the weighted sum with how it came about, or which inputs lack a score."""
        found = dict(case_scores(answer.judgements or (), env.scored))
        weighing = {name: weight for name, weight in self.shares.items() if weight > 0}
        lacking = [name for name in CASE_INPUTS if name in weighing and name not in found]
        share = sum(weighing[name] for name in weighing if name in found)
        if share < self.known - ROUNDING or not share:
            return missing_input(f"a score of {', '.join(lacking)}, by a judge or by people")
        used = {name: found[name] for name in CASE_INPUTS if name in weighing and name in found}
        value = weighted_sum({name: score.value for name, score in used.items()}, weighing)
        worst = min(used, key=lambda name: used[name].value)
        parts = [
            " + ".join(f"{name} {score.value:.2f} x {weighing[name] / share:.2f}" for name, score in used.items())
            + f" = {value:.4f}",
            f"worst: {worst} {used[worst].value:.2f} ({band_of(used[worst].value)}, by {used[worst].given_by})",
        ]
        if lacking:
            parts.append(f"no score of {', '.join(lacking)}; remaining weights rescaled to sum to 1")
        own = [f"{name} is {score.given_by}" for name, score in used.items() if not score.judged]
        if own:
            parts.append(f"not judged: {', '.join(own)}")
        value = min(1.0, max(0.0, value))
        return Measured(value=value, label=band_of(value), explanation="; ".join(parts))


def case_scores(
    judgements: tuple[AnswerJudgement, ...], scored: Mapping[str, Score]
) -> Iterator[tuple[CaseInput, CaseScore]]:
    """Yield the score of each input that has one: a judge's, else the lowest of the metrics that stand in for it.

    Scores outside 0 to 1 are of something else by the same name, and are left out.
    """
    for name in CASE_INPUTS:
        judged = next((each for each in judgements if 0.0 <= each.scores.get(name, -1.0) <= 1.0), None)
        if judged is not None:
            yield name, CaseScore(judged.scores[name], judged.measured_by or "an evaluator", judged=True)
            continue
        own = [scored[metric] for metric in OWN.get(name, ()) if metric in scored]
        if own and LEADS.get(name, own[0].metric) in {score.metric for score in own}:
            lowest = min(own, key=lambda score: score.value)
            yield name, CaseScore(lowest.value, lowest.metric, judged=False)
