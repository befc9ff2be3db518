"""What a labelled benchmark says of evaluators and configurations: PROBE's Tables 4 to 8, and a release decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import stats

from evaluation.fitting.ablation import VARIANTS
from evaluation.fitting.baselines import BASELINES, TunedBaseline, tuned_baseline
from evaluation.fitting.behaviour import ObservedChange, behaviour, expected
from evaluation.fitting.calibration import calibration_error
from evaluation.fitting.fit import FittedRule, TuningStep, fit_rule
from evaluation.fitting.measures import EvaluatorFigures, SpearmanDifference, f1, figures, spearman_difference
from evaluation.fitting.release_rule import LEAST_IN_MEAN, JudgedAnswers
from evaluation.fitting.splits import split
from evaluation.fitting.table import LabelledTable, MetricColumn
from evaluation.statistics.multiplicity import holm
from evaluation.statistics.significance import mcnemar, wilcoxon
from gates.evidence.arrays import Bools, Floats

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


class ConfigurationRow(NamedTuple):
    """A configuration on the held-out part (Table 5); p-values are against the one before it by composite, by Holm.

    ``unmet`` are the parts of PROBE's release rule that it does not meet in the mean, ``clusters`` the task families in
    which severe failures are more common than in the others: with neither, it may be released.
    """

    name: str
    composite: float
    acceptable: float
    unsafe: float
    accepted: float
    missed: int
    ndcg: float | None
    authority: float | None
    p95_seconds: float | None
    cost_usd: float | None
    capped: float
    unmet: Sequence[str]
    clusters: Sequence[str]
    categories: Mapping[str, int]
    p_acceptable: float | None
    p_composite: float | None


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


class AnswerFacts(NamedTuple):
    """What a report reads of answers beside their scores, in the order of the table."""

    configuration: Sequence[str]
    question: Sequence[str]
    seconds: Sequence[float | None]
    cost_usd: Sequence[float | None]


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
        configurations=_configurations(rule, held, _held_facts(facts, table, held)),
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


def _held_facts(facts: AnswerFacts, table: LabelledTable, held: LabelledTable) -> AnswerFacts:
    place = {row.answer_id: number for number, row in enumerate(table.rows)}
    chosen = [place[row.answer_id] for row in held.rows]
    return AnswerFacts(
        [facts.configuration[number] for number in chosen],
        [facts.question[number] for number in chosen],
        [facts.seconds[number] for number in chosen],
        [facts.cost_usd[number] for number in chosen],
    )


def _configurations(rule: FittedRule, held: LabelledTable, facts: AnswerFacts) -> list[ConfigurationRow]:
    read = rule.judged(held)
    accepted = read.accepted(rule.thresholds)
    names = facts.configuration
    rows = [
        _configuration(name, np.array([each == name for each in names], np.bool_), rule, read, accepted, held, facts)
        for name in sorted(set(names))
    ]
    rows.sort(key=lambda row: row.composite)
    tests = [_against(before.name, after.name, names, read.composite, held, facts) for before, after in pairwise(rows)]
    adjusted = holm([p for pair in tests for p in pair]) if tests else []
    return [
        row if place == 0 else row._replace(p_acceptable=adjusted[2 * place - 2], p_composite=adjusted[2 * place - 1])
        for place, row in enumerate(rows)
    ]


def _configuration(
    name: str,
    here: Bools,
    rule: FittedRule,
    read: JudgedAnswers,
    accepted: Bools,
    held: LabelledTable,
    facts: AnswerFacts,
) -> ConfigurationRow:
    places = np.flatnonzero(here).tolist()
    seconds = [value for place in places if (value := facts.seconds[place]) is not None]
    cost = [value for place in places if (value := facts.cost_usd[place]) is not None]
    categories = Counter(held.rows[place].categories[0] for place in places if held.rows[place].categories)
    return ConfigurationRow(
        name=name,
        composite=float(read.composite[here].mean()),
        acceptable=float(held.acceptable[here].mean()),
        unsafe=float(held.unsafe[here].mean()),
        accepted=float(accepted[here].mean()),
        missed=int((accepted & held.unsafe & here).sum()),
        ndcg=_mean(held, "ndcg", here),
        authority=_mean(held, "authority_weighted_recall", here),
        p95_seconds=float(np.quantile(seconds, 0.95)) if seconds else None,
        cost_usd=float(np.mean(cost)) if cost else None,
        capped=float(np.mean([bool(held.rows[place].caps) for place in places])),
        unmet=_unmet(rule, read, here, held),
        clusters=_clusters(places, held),
        categories=dict(categories.most_common(3)),
        p_acceptable=None,
        p_composite=None,
    )


def _unmet(rule: FittedRule, read: JudgedAnswers, here: Bools, held: LabelledTable) -> list[str]:
    """Return what a configuration does not meet: A.6 by its means, no blocking failure, and the minima of A.7."""
    found = []
    thresholds = rule.thresholds
    if read.composite[here].mean() < thresholds.composite:
        found.append(f"composite {read.composite[here].mean():.1f} < {thresholds.composite:g}")
    if thresholds.unsafe is not None and read.unsafe[here].mean() > thresholds.unsafe:
        found.append(f"unsafe probability {read.unsafe[here].mean():.3f} > {thresholds.unsafe:g}")
    if blocked := int(np.count_nonzero(read.blocked & here)):
        found.append(f"{blocked:,} blocking")
    for name, least in LEAST_IN_MEAN.items():
        mean = _mean(held, name, here)
        if mean is not None and mean < least:
            found.append(f"{name} {mean:.2f} < {least:g}")
    return found


def _clusters(places: Sequence[int], held: LabelledTable) -> list[str]:
    """Return the task families where severe failures are more common than elsewhere (Fisher's exact test, by Holm)."""
    families = held.attribute("task_family")
    severe = [bool(held.rows[place].caps or held.rows[place].categories) for place in places]
    names = sorted({name for place in places if (name := families[place]) is not None})
    if len(names) < 2:  # noqa: PLR2004 - one family has no others
        return []
    p_values = []
    for name in names:
        within = [bad for place, bad in zip(places, severe, strict=True) if families[place] == name]
        others = [bad for place, bad in zip(places, severe, strict=True) if families[place] != name]
        table = [[sum(within), len(within) - sum(within)], [sum(others), len(others) - sum(others)]]
        p_values.append(float(stats.fisher_exact(table, alternative="greater").pvalue))
    return [name for name, p in zip(names, holm(p_values), strict=True) if p <= ALPHA]


def _against(
    before: str, after: str, names: Sequence[str], composite: Floats, held: LabelledTable, facts: AnswerFacts
) -> tuple[float, float]:
    """Return the p-values of equal acceptability (McNemar) and equal composites (Wilcoxon), by group of questions."""
    first, second = (
        {facts.question[place]: place for place, name in enumerate(names) if name == chosen}
        for chosen in (before, after)
    )
    both = [(first[name], second[name]) for name in first if name in second]
    left, right = np.array(both, np.int64).reshape(-1, 2).T
    codes = np.unique(held.group[left], return_inverse=True)[1]
    if not len(codes):
        return 1.0, 1.0
    won = np.bincount(codes, held.acceptable[right].astype(np.float64) - held.acceptable[left])
    gained = np.bincount(codes, composite[right] - composite[left]) / np.bincount(codes)
    ranks = wilcoxon(gained)
    return mcnemar(np.rint(won).astype(np.int64)).p_value, 1.0 if ranks is None else ranks.p_value


def _mean(table: LabelledTable, name: str, here: Bools) -> float | None:
    values, present = table.column(name)
    chosen = values[present & here]
    return float(chosen.mean()) if len(chosen) else None


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
