"""Evaluators of other kinds over the same answers: what their families would say, by metrics that need no labels.

PROBE compares itself with RAGAS, TruLens, DeepEval and ARES, which ask language models. Their place is taken here by
metrics of the same kind that need none: shares of supported claims, a triad, criteria, a judge trained on the training
part. None of them sees authority, dates, conflicts or labels of evidence. They are no measurements of those products.

Source: PROBE 5.4, Table 7, A.8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evaluation.fitting.fit import Tried, TuningStep, tuned
from evaluation.fitting.splits import TableSplit
from evaluation.fitting.table import LabelledTable
from gates.evidence.arrays import Bools, Floats

CANDIDATES = 60
"""Thresholds that are tried: quantiles of the scores of the calibration part."""
RECOMMENDED = 0.5
"""What frameworks of such scores use where nobody tuned anything."""
TRIAD = ("answerable_evidence_coverage", "claim_support", "answer_completeness")
CRITERIA: Mapping[str, float] = {
    "faithfulness": 0.5,
    "citation_coverage": 0.8,
    "protected_data_control": 1.0,
    "numeric_fidelity": 1.0,
    "answerable_evidence_coverage": 0.5,
}
JUDGED = (
    "claim_support",
    "faithfulness",
    "numeric_fidelity",
    "citation_coverage",
    "citation_precision",
    "citation_recall",
    "answerable_evidence_coverage",
    "retrieval_silence",
    "protected_data_control",
    "refusal",
    "abstention",
)
PENALTY = 1.0
"""Inverse strength of the ridge of the trained judge."""

ScoreOf = Callable[[LabelledTable], Floats]


class BaselineEvaluator(NamedTuple):
    """An evaluator by one score, higher for better; ``scores`` is made from the training part."""

    name: str
    kind: str
    recommended: float | None
    made: Callable[[LabelledTable], ScoreOf]


class TunedBaseline(NamedTuple):
    """A baseline with its threshold."""

    evaluator: BaselineEvaluator
    scores: ScoreOf
    threshold: float
    log: Sequence[TuningStep]

    def accepted(self, table: LabelledTable) -> Bools:
        """Return which answers it accepts."""
        return self.scores(table) >= self.threshold


def tuned_baseline(evaluator: BaselineEvaluator, split: TableSplit) -> TunedBaseline:
    """Return a baseline with the threshold that is best on the calibration part."""
    scores = evaluator.made(split.training)
    given = scores(split.calibration)
    tried = np.unique(np.quantile(given, np.linspace(0.0, 1.0, CANDIDATES)))
    place, log = tuned(evaluator.name, [Tried(f"score {each:.4g}", given >= each) for each in tried], split.calibration)
    return TunedBaseline(evaluator, scores, float(tried[place]), log)


def _one(name: str) -> Callable[[LabelledTable], ScoreOf]:
    return lambda training: lambda table: _filled(table, name, _mean(training, name))


def _triad(training: LabelledTable) -> ScoreOf:
    means = {name: _mean(training, name) for name in TRIAD}
    return lambda table: np.mean([_filled(table, name, mean) for name, mean in means.items()], axis=0)


def _criteria(_training: LabelledTable) -> ScoreOf:
    # A criterion that does not apply is met.
    return lambda table: np.mean([_filled(table, name, 1.0) >= least for name, least in CRITERIA.items()], axis=0)


def _judge(training: LabelledTable) -> ScoreOf:
    from sklearn.linear_model import LogisticRegression

    means = {name: _mean(training, name) for name in JUDGED}

    def features(table: LabelledTable) -> Floats:
        present = [table.column(name).present.astype(np.float64) for name in JUDGED]
        return np.stack([*(_filled(table, name, mean) for name, mean in means.items()), *present], axis=1)

    model = LogisticRegression(C=PENALTY, max_iter=1_000)
    model.fit(features(training), training.acceptable)
    return lambda table: np.asarray(model.predict_proba(features(table))[:, 1], np.float64)


def _mean(table: LabelledTable, name: str) -> float:
    values, present = table.column(name)
    return float(values[present].mean()) if present.any() else 0.0


def _filled(table: LabelledTable, name: str, absent: float) -> Floats:
    values, present = table.column(name)
    return np.where(present, values, absent)


BASELINES: Sequence[BaselineEvaluator] = (
    BaselineEvaluator("NDCG@10", "retrieval rank", None, _one("ndcg")),
    BaselineEvaluator("share of supported claims", "as RAGAS faithfulness", RECOMMENDED, _one("claim_support")),
    BaselineEvaluator("triad", "as TruLens", RECOMMENDED, _triad),
    BaselineEvaluator("criteria", "as DeepEval", RECOMMENDED, _criteria),
    BaselineEvaluator("trained judge", "as ARES", RECOMMENDED, _judge),
)
