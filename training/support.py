"""Train the models of support: is a claim supported, or contradicted, and is every claim of an answer supported?

    python -m training.support --data PATH

Reads ``grounding_ragtruth`` and ``grounding_wice`` (trained on), ``grounding_begin`` and ``grounding_faithbench`` (only
measured on). A claim is unsupported where it shares three characters with a span that a person marked, contradicted
where the span is marked as a conflict; of WiCE, where the label says so. Small slips are learned from claims made wrong
on purpose. Prints figures cross-validated by source, and writes scorers/models/support.json, contradiction.json,
slip.json, rarity.json and absence.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from scorers.support.features import NAMES
from scorers.support.model import KINDS, logit_of, with_slip
from training.absence import write_absence
from training.fitting import data_path, platt, read
from training.forest import Forest, probabilities, write_trees
from training.supportdata import Answers, answers_of, rarity_of, replaced, write_rarity
from training.supportfigures import (
    Calibrations,
    balanced_threshold,
    calibrated_probabilities,
    elsewhere,
    floors,
    print_figures,
)
from training.supportswaps import Swaps, swaps_of

FOLDS = 5
ANSWERS = "RAGTruth (MIT annotations): sentences of answers, spans marked by people"
DOCUMENTS = "WiCE (ODC-BY): claims of articles labelled against the pages that they cite"
FOREST = Forest(leaves=144)
SMALL = Forest(count=50, leaves=64)
SURE = Forest(count=50, tried=0.6)
"""Of slips: the more features a split may choose from, the surer is a tree of what few of them tell."""

OTHERS = ("begin", "faithbench")
"""Files that are only measured on."""

DOCUMENTED = (0.7, 0.17)
"""What a supported and an unsupported claim of a document weigh beside claims of answers: two in three of WiCE's are
unsupported, one in ten of those of answers."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is learned: the target of each claim and each answer, the forest, and whether claims of documents help."""

    name: str
    target: np.ndarray
    labels: np.ndarray
    forest: Forest
    documents: bool = False

    def fit(self, answers: Answers, train: np.ndarray, documents: Answers, taught: np.ndarray) -> dict[str, Any]:
        """Fit the forest on the ``train`` claims of answers, and the ``taught`` ones of documents where these help."""
        rows, target, weights = answers.rows_by(answers.counts, train)[train], self.target[train], np.ones(len(train))
        if self.documents:
            doubted = documents.doubted[taught]
            rows = np.vstack([rows, documents.rows_by(answers.counts, train)[taught]])
            target = np.concatenate([target, doubted])
            weights = np.concatenate([weights, np.take(DOCUMENTED, doubted.astype(int))])
        return self.forest.fit(rows, target, weights)


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
    documents, *others = (answers_of(read(path, f"grounding_{name}"), rarity) for name in ("wice", *OTHERS))
    slip = slips(answers, swaps, documents)
    support = Task(name="support", target=answers.marked, labels=answers.labels, forest=FOREST, documents=True)
    model = learn(support, answers, documents, slip)
    for name, other in zip(OTHERS, others, strict=True):
        rows = other.rows_by(answers.counts, np.arange(len(answers.rows)))
        doubt = with_slip(probabilities(model, rows), probabilities(slip.model, rows))
        elsewhere(name, other, other.answer_logits(doubt), model["answer"])
    against = Task(name="contradiction", target=answers.contradicted, labels=answers.conflicts, forest=SMALL)
    learn(against, answers, documents, slip)
    floors(answers)
    write_rarity(rarity, raw)
    write_absence(answers.counts)


@dataclass(frozen=True, kw_only=True)
class Slips:
    """The model of slips, and how likely each claim of answers and documents is one, by models without its source."""

    model: dict[str, Any]
    claims: np.ndarray
    documents: np.ndarray


def slips(answers: Answers, swaps: Swaps, documents: Answers) -> Slips:
    """Learn claims made wrong on purpose from claims left unmarked or labelled as supported, and write the model."""

    def fitted(train: np.ndarray, taught: np.ndarray) -> tuple[dict[str, Any], tuple[np.ndarray, ...]]:
        own = answers.rows_by(answers.counts, train)
        column = answers.counts.column(train, swaps.absent, answers.groups[swaps.owner])
        wrong = replaced(swaps.rows, column)
        told = documents.rows_by(answers.counts, train)
        clean = np.vstack([own[train[~answers.marked[train]]], told[taught[~documents.doubted[taught]]]])
        made = np.isin(swaps.owner, answers.owner[train])
        target = np.concatenate([np.zeros(len(clean), bool), swaps.wrong[made]])
        weights = np.concatenate([np.ones(len(clean)), swaps.weights[made]])
        return SURE.fit(np.vstack([clean, wrong[made]]), target, weights), (own, told, wrong)

    claims, told, made = (np.zeros(len(each)) for each in (answers.rows, documents.rows, swaps.rows))
    for train, test, taught, held in both_folds(answers, documents):
        model, (own, of_documents, wrong) = fitted(train, taught)
        claims[test] = probabilities(model, own[test])
        told[held] = probabilities(model, of_documents[held])
        at = np.isin(swaps.owner, answers.owner[test])
        made[at] = probabilities(model, wrong[at])
    clean = claims[~answers.marked]
    figure = roc_auc_score(np.concatenate([np.zeros(len(clean), bool), swaps.wrong]), np.concatenate([clean, made]))
    print(f"slips: {int(swaps.wrong.sum())} claims made wrong against {len(clean)} unmarked, AUROC {figure:.3f}")
    model, _ = fitted(np.arange(len(answers.rows)), np.arange(len(documents.rows)))
    write_trees("slip", model, f"{ANSWERS}; {DOCUMENTS}")
    return Slips(model=model, claims=claims, documents=told)


def both_folds(answers: Answers, documents: Answers) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield claims of answers to train on and to test on, and claims of documents to train on and to test on."""
    for (train, test), (taught, held) in zip(answers.folds(FOLDS), documents.folds(FOLDS), strict=True):
        yield train, test, taught, held


def learn(task: Task, answers: Answers, documents: Answers, slip: Slips) -> dict[str, Any]:
    """Cross-validate, calibrate out of fold, fit on everything, write; return the model with its calibration."""
    alone, told = np.zeros(len(answers.rows)), np.zeros(len(documents.rows))
    for train, test, taught, held in both_folds(answers, documents):
        model = task.fit(answers, train, documents, taught)
        alone[test] = probabilities(model, answers.rows_by(answers.counts, train)[test])
        told[held] = probabilities(model, documents.rows_by(answers.counts, train)[held])
    claims = with_slip(alone, slip.claims)
    scores = answers.answer_logits(claims)
    claim = dict(calibrations(answers.claim_kinds, np.array([logit_of(p) for p in claims]), task.target, even=True))
    answer = dict(calibrations(answers.kinds, scores, task.labels))
    print(f"\n{task.name}, cross-validated by source in {FOLDS} folds")
    if task.documents:
        scored = documents.answer_logits(with_slip(told, slip.documents))
        answer["text"]["threshold"] = shared_threshold(answers, scores, documents, scored, answer)
        elsewhere("wice", documents, scored, answer)
    print_figures(answers, task.labels, scores, answer)
    model = task.fit(answers, np.arange(len(answers.rows)), documents, np.arange(len(documents.rows)))
    data = f"{ANSWERS}; {DOCUMENTS}" if task.documents else ANSWERS
    write_trees(task.name, model, data, claim=claim, answer=answer)
    return {**model, "answer": answer}


def shared_threshold(
    answers: Answers, scores: np.ndarray, documents: Answers, scored: np.ndarray, calibrated: Calibrations
) -> float:
    """Return the threshold of a context of one text, summaries and claims of documents weighing alike."""
    at = answers.kinds == "text"
    own = calibrated_probabilities(answers, scores, calibrated)[at]
    return balanced_threshold(
        (own, answers.labels[at]), (calibrated_probabilities(documents, scored, calibrated), documents.labels)
    )


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
        cut = balanced_threshold((1 / (1 + np.exp(-slope * scores[at] - intercept)), labels[at]))
        yield kind, {"slope": slope, "intercept": intercept, "threshold": 0.5 if even else cut}


if __name__ == "__main__":
    main()
