"""Train the models of support: is a claim supported, or contradicted, and is every claim of an answer supported?

    python -m training.support --data PATH

Reads ``grounding_ragtruth`` (trained on) and ``grounding_wice``, ``grounding_begin``, ``grounding_faithbench`` (only
measured on). A claim is unsupported where it shares three characters with a span that a person marked, contradicted
where the span is marked as a conflict. Small slips are learned from claims made wrong on purpose. Prints figures cross-
validated by source, and writes scorers/models/support.json, contradiction.json and rarity.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from scorers.support.features import NAMES
from scorers.support.model import KINDS, logit_of, with_slip
from training.fitting import data_path, platt, read
from training.forest import Forest, probabilities, write_trees
from training.supportdata import Answers, answers_of, rarity_of, write_rarity
from training.supportfigures import balanced_threshold, elsewhere, floors, print_figures
from training.supportswaps import Swaps, swaps_of

FOLDS = 5
FOREST = Forest()
SMALL = replace(FOREST, count=60, leaves=64)


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


@dataclass(frozen=True, kw_only=True)
class Slips:
    """The model of slips, and the probability of a slip of each claim by models that saw no answer of its source."""

    model: dict[str, Any]
    claims: np.ndarray


def slips(answers: Answers, swaps: Swaps) -> Slips:
    """Learn claims made wrong on purpose from claims left unmarked, and write the model."""

    def fitted(train: np.ndarray) -> dict[str, Any]:
        clean = train[~answers.marked[train]]
        made = np.isin(swaps.owner, answers.owner[train])
        target = np.concatenate([np.zeros(len(clean), bool), swaps.wrong[made]])
        return SMALL.fit(np.vstack([answers.rows[clean], swaps.rows[made]]), target)

    claims, made = np.zeros(len(answers.rows)), np.zeros(len(swaps.rows))
    for train, test in answers.folds(FOLDS):
        model = fitted(train)
        claims[test] = probabilities(model, answers.rows[test])
        at = np.isin(swaps.owner, answers.owner[test])
        made[at] = probabilities(model, swaps.rows[at])
    clean = claims[~answers.marked]
    figure = roc_auc_score(np.concatenate([np.zeros(len(clean), bool), swaps.wrong]), np.concatenate([clean, made]))
    print(f"slips: {int(swaps.wrong.sum())} claims made wrong against {len(clean)} unmarked, AUROC {figure:.3f}")
    model = fitted(np.arange(len(answers.rows)))
    write_trees("slip", model)
    return Slips(model=model, claims=claims)


def learn(task: Task, answers: Answers, slip: Slips, others: Mapping[str, Answers]) -> None:
    """Cross-validate, calibrate out of fold, fit on everything, measure elsewhere, write."""
    alone = np.zeros(len(answers.rows))
    for train, test in answers.folds(FOLDS):
        alone[test] = probabilities(task.forest.fit(answers.rows[train], task.target[train]), answers.rows[test])
    claims = with_slip(alone, slip.claims)
    scores = answers.answer_logits(claims)
    claim = dict(calibrations(answers.claim_kinds, np.array([logit_of(p) for p in claims]), task.target, even=True))
    answer = dict(calibrations(answers.kinds, scores, task.labels))
    print(f"\n{task.name}, cross-validated by source in {FOLDS} folds")
    print_figures(answers, task.labels, scores, answer)
    model = task.forest.fit(answers.rows, task.target)
    for name, other in others.items():
        doubt = with_slip(probabilities(model, other.rows), probabilities(slip.model, other.rows))
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
