"""Train the models of support: is a claim supported, or contradicted, and is every claim of an answer supported?

    python -m training.support --data PATH

Reads ``grounding_ragtruth`` (trained on) and ``grounding_wice``, ``grounding_begin``, ``grounding_faithbench`` (only
measured on). A claim is unsupported where it shares three characters with a span that a person marked, contradicted
where the span is marked as a conflict. Small slips are learned from claims made wrong on purpose. Prints figures cross-
validated by source, and writes scorers/models/support.json, contradiction.json, slip.json, rarity.json and
absence.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from scorers.support.features import NAMES
from scorers.support.model import KINDS, logit_of, with_slip
from training.absence import write_absence
from training.fitting import data_path, platt, read
from training.forest import Forest, probabilities, write_trees
from training.supportdata import Answers, answers_of, rarity_of, replaced, write_rarity
from training.supportfigures import balanced_threshold, elsewhere, floors, print_figures
from training.supportswaps import Swaps, swaps_of

FOLDS = 5
FOREST = Forest()
SMALL = replace(FOREST, count=50, leaves=64)
SURE = replace(FOREST, count=50, tried=0.6)
"""Of slips: the more features a split may choose from, the surer is a tree of what few of them tell."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is learned: the target of each claim and each answer, and the forest."""

    name: str
    target: np.ndarray
    labels: np.ndarray
    forest: Forest


def main() -> None:
    """Train, cross-validate, print, write."""
    path = data_path(__doc__ or "")
    raw = read(path, "grounding_ragtruth")
    rarity = rarity_of(raw)
    answers = answers_of(raw, rarity)
    swaps = swaps_of(raw, rarity)
    print(
        f"{len(answers.labels)} answers, {len(answers.rows)} claims, {int(answers.marked.sum())} marked,"
        f" {len(NAMES)} features"
    )
    others = {name: answers_of(read(path, f"grounding_{name}"), rarity) for name in ("wice", "begin", "faithbench")}
    slip = slips(answers, swaps)
    for task in (
        Task(name="support", target=answers.marked, labels=answers.labels, forest=FOREST),
        Task(name="contradiction", target=answers.contradicted, labels=answers.conflicts, forest=SMALL),
    ):
        learn(task, answers, slip, others if task.name == "support" else {})
    floors(answers)
    write_rarity(rarity, raw)
    write_absence(answers.counts)


@dataclass(frozen=True, kw_only=True)
class Slips:
    """The model of slips, and the probability of a slip of each claim by models that saw no answer of its source."""

    model: dict[str, Any]
    claims: np.ndarray


def slips(answers: Answers, swaps: Swaps) -> Slips:
    """Learn claims made wrong on purpose from claims left unmarked, and write the model."""

    def fitted(train: np.ndarray) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
        own = answers.rows_by(answers.counts, train)
        column = answers.counts.column(train, swaps.absent, answers.groups[swaps.owner])
        wrong = replaced(swaps.rows, column)
        clean = train[~answers.marked[train]]
        made = np.isin(swaps.owner, answers.owner[train])
        target = np.concatenate([np.zeros(len(clean), bool), swaps.wrong[made]])
        weights = np.concatenate([np.ones(len(clean)), swaps.weights[made]])
        return SURE.fit(np.vstack([own[clean], wrong[made]]), target, weights), own, wrong

    claims, made = np.zeros(len(answers.rows)), np.zeros(len(swaps.rows))
    for train, test in answers.folds(FOLDS):
        model, own, wrong = fitted(train)
        claims[test] = probabilities(model, own[test])
        at = np.isin(swaps.owner, answers.owner[test])
        made[at] = probabilities(model, wrong[at])
    clean = claims[~answers.marked]
    figure = roc_auc_score(np.concatenate([np.zeros(len(clean), bool), swaps.wrong]), np.concatenate([clean, made]))
    print(f"slips: {int(swaps.wrong.sum())} claims made wrong against {len(clean)} unmarked, AUROC {figure:.3f}")
    model, _, _ = fitted(np.arange(len(answers.rows)))
    write_trees("slip", model)
    return Slips(model=model, claims=claims)


def learn(task: Task, answers: Answers, slip: Slips, others: Mapping[str, Answers]) -> None:
    """Cross-validate, calibrate out of fold, fit on everything, measure elsewhere, write."""
    alone = np.zeros(len(answers.rows))
    for train, test in answers.folds(FOLDS):
        rows = answers.rows_by(answers.counts, train)
        alone[test] = probabilities(task.forest.fit(rows[train], task.target[train]), rows[test])
    claims = with_slip(alone, slip.claims)
    scores = answers.answer_logits(claims)
    claim = dict(calibrations(answers.claim_kinds, np.array([logit_of(p) for p in claims]), task.target, even=True))
    answer = dict(calibrations(answers.kinds, scores, task.labels))
    print(f"\n{task.name}, cross-validated by source in {FOLDS} folds")
    print_figures(answers, task.labels, scores, answer)
    everything = np.arange(len(answers.rows))
    model = task.forest.fit(answers.rows_by(answers.counts, everything), task.target)
    for name, other in others.items():
        rows = other.rows_by(answers.counts, everything)
        doubt = with_slip(probabilities(model, rows), probabilities(slip.model, rows))
        elsewhere(name, other, other.answer_logits(doubt), answer)
    write_trees(task.name, model, claim=claim, answer=answer)


def calibrations(
    kinds: np.ndarray, scores: np.ndarray, labels: np.ndarray, *, even: bool = False
) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield slope, intercept and threshold for each kind of context, fitted on log-odds out of fold.

    ``even`` weighs both classes alike: a claim is judged without knowing how often this writer invents.
    """
    for kind in KINDS:
        at = kinds == kind
        share = labels[at].mean()
        weights = np.where(labels[at], 0.5 / share, 0.5 / (1 - share)) if even else None
        slope, intercept = platt(scores[at], labels[at], weights)
        cut = balanced_threshold(1 / (1 + np.exp(-slope * scores[at] - intercept)), labels[at])
        yield kind, {"slope": slope, "intercept": intercept, "threshold": 0.5 if even else cut}


if __name__ == "__main__":
    main()
