"""What a labelled benchmark says of evaluators and configurations: PROBE's Tables 4 to 8, and a release decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from evaluation.fitting.ablation import VARIANTS
from evaluation.fitting.baselines import BASELINES, TunedBaseline, tuned_baseline
from evaluation.fitting.behaviour import ObservedChange, behaviour, expected
from evaluation.fitting.calibration import calibration_error
from evaluation.fitting.configurations import AnswerFacts, ConfigurationRow, configurations
from evaluation.fitting.fit import FittedRule, TuningStep, fit_rule
from evaluation.fitting.measures import EvaluatorFigures, SpearmanDifference, f1, figures, spearman_difference
from evaluation.fitting.splits import split
from evaluation.fitting.table import LabelledTable, MetricColumn
from evaluation.statistics.multiplicity import holm
from gates.evidence.arrays import Floats

ALPHA = 0.05
LEAST_PAIRS = 30
"""With fewer answers that have both values, a rank correlation says nothing."""
CORRELATED = (
    "ndcg", "recall", "authority_weighted_recall", "freshness_weighted_recall", "conflict_coverage",
    "near_miss_suppression", "answerable_evidence_coverage", "citation_precision", "citation_recall", "claim_support",
    "faithfulness", "contradiction_absence", "source_authority_alignment", "temporal_validity", "answer_completeness",
    "protected_data_control", "policy_boundary_handling", "refusal_appropriateness", "regulated_advice_control",
    "latency", "cost", "composite",
)  # fmt: skip
ACCEPTABILITY = "acceptability"


class UnexpectedBehaviourError(ValueError):
    """Metrics do not move as they should where a failure is known: nothing may be claimed by them."""

    def __init__(self, changes: Sequence[ObservedChange]) -> None:
        """Name what did not move."""
        super().__init__("metrics do not move as expected on known failures")
        self.changes = changes


class EvaluatorRow(NamedTuple):
    """An evaluator with its figures on the held-out part, and F1 at its recommended threshold, if it has one."""

    name: str
    kind: str
    figures: EvaluatorFigures
    recommended_f1: float | None


class MetricCorrelation(NamedTuple):
    """The rank correlation of two metrics over the answers that have both; ``None`` where it says nothing."""

    first: str
    second: str
    n: int
    rho: float | None


class EvaluatorDifference(NamedTuple):
    """The composite against another evaluator, by how they go with acceptability; ``holm`` is over all of these.

    ``shown``: the adjusted p-value is at most 5 %, and the interval excludes 0.
    """

    name: str
    found: SpearmanDifference
    holm: float
    shown: bool


class BenchmarkReport(NamedTuple):
    """All of it. Figures are of the held-out part unless they say otherwise."""

    answers: Mapping[str, int]
    rule: FittedRule
    evaluators: Sequence[EvaluatorRow]
    differences: Sequence[EvaluatorDifference]
    ablation: Sequence[EvaluatorRow]
    configurations: Sequence[ConfigurationRow]
    correlations: Sequence[MetricCorrelation]
    behaviour: Sequence[ObservedChange]
    calibration: Mapping[str, float]
    confusion: Mapping[str, Mapping[str, int]]
    log: Sequence[TuningStep]


def report(
    table: LabelledTable, facts: AnswerFacts, rng: np.random.Generator, split_rng: np.random.Generator, resamples: int
) -> BenchmarkReport:
    """Fit on training and calibration, check that metrics behave, and report on what was held out.

    Raises `UnexpectedBehaviourError` where enough answers have a known failure and a metric does not move as A.9 says.
    """
    parts = split(table, split_rng)
    rule = fit_rule(parts)
    question = {row.answer_id: name for row, name in zip(table.rows, facts.question, strict=True)}
    rows = expected(rule.thresholds.composite, rule.profile)
    changes = behaviour(table, rows, rule.profile, rng, question=question)
    unexpected = [change for change in changes if change.contradicted]
    if unexpected:
        raise UnexpectedBehaviourError(unexpected)
    held = parts.held_out
    baselines = [tuned_baseline(evaluator, parts) for evaluator in BASELINES]
    ablated = [fit_rule(parts, variant, rule.profile) for variant in VARIANTS]
    own = _rule_row(rule, held, rng, resamples)
    return BenchmarkReport(
        answers={"training": len(parts.training), "calibration": len(parts.calibration), "held_out": len(held)},
        rule=rule,
        evaluators=[
            *(
                EvaluatorRow(
                    each.evaluator.name,
                    each.evaluator.kind,
                    figures(held, each.scores(held), each.accepted(held), rng, resamples=resamples),
                    _recommended(each.evaluator.recommended, each.scores(held), held),
                )
                for each in baselines
            ),
            own._replace(name="composite with its rule", kind="PROBE"),
        ],
        differences=_differences(rule, baselines, held, rng, resamples),
        ablation=[_rule_row(each, held, rng, resamples) for each in ablated],
        configurations=configurations(rule, held, facts.of(table, held)),
        correlations=_correlations(held),
        behaviour=changes,
        calibration=_calibration(rule, held),
        confusion=_confusion(held),
        log=[*rule.log, *(step for each in baselines for step in each.log)],
    )


def _rule_row(rule: FittedRule, held: LabelledTable, rng: np.random.Generator, resamples: int) -> EvaluatorRow:
    read = rule.judged(held)
    accepted = read.accepted(rule.thresholds)
    return EvaluatorRow(
        rule.variant.name, "PROBE", figures(held, read.composite, accepted, rng, resamples=resamples), None
    )


def _differences(
    rule: FittedRule, baselines: Sequence[TunedBaseline], held: LabelledTable, rng: np.random.Generator, resamples: int
) -> list[EvaluatorDifference]:
    composite = rule.judged(held).composite
    found = [
        (each.evaluator.name, spearman_difference(held, composite, each.scores(held), rng, resamples=resamples))
        for each in baselines
    ]
    adjusted = holm([each.p_value for _, each in found])
    return [
        EvaluatorDifference(name, each, p, p <= ALPHA and not low <= 0.0 <= high)
        for (name, each), p in zip(found, adjusted, strict=True)
        for low, high in (each.difference.interval,)
    ]


def _recommended(threshold: float | None, score: Floats, held: LabelledTable) -> float | None:
    return None if threshold is None else f1(score < threshold, held.unsafe)


def _calibration(rule: FittedRule, held: LabelledTable) -> Mapping[str, float]:
    raw = held.column("unsafe_probability").values
    return {
        "expected calibration error before": calibration_error(raw, held.unsafe),
        "expected calibration error after": calibration_error(rule.judged(held).unsafe, held.unsafe),
    }


def _confusion(held: LabelledTable) -> Mapping[str, Mapping[str, int]]:
    """Return, for each category of the labels, what the failure category said."""
    found: dict[str, Counter[str]] = {}
    for label, row in zip(held.labels, held.rows, strict=True):
        if label.category is not None:
            found.setdefault(label.category, Counter())[row.categories[0] if row.categories else "none"] += 1
    return {name: dict(found[name].most_common()) for name in sorted(found, key=lambda n: -found[n].total())}


def _correlations(held: LabelledTable) -> list[MetricCorrelation]:
    every = {name: held.column(name) for name in CORRELATED}
    every[ACCEPTABILITY] = MetricColumn(held.acceptable.astype(np.float64), np.ones(len(held), np.bool_))
    names = list(every)
    found = []
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            both = every[first].present & every[second].present
            left, right = every[first].values[both], every[second].values[both]
            told = len(left) >= LEAST_PAIRS and np.ptp(left) > 0.0 and np.ptp(right) > 0.0
            rho = float(stats.spearmanr(left, right).statistic) if told else None
            found.append(MetricCorrelation(first, second, len(left), rho))
    return found
