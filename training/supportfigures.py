"""Figures of the support model: AUROC, balanced accuracy at the shipped thresholds, calibration, floors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.metrics import f1_score, roc_auc_score

from training.fitting import calibration_error, platt
from training.supportdata import Answers

Calibrations = Mapping[str, Mapping[str, float]]


def balanced_threshold(*sets: tuple[np.ndarray, np.ndarray]) -> float:
    """Return the probability from which a row is called, both errors weighing alike, and all ``sets``.

    Where a logistic curve fitted with the classes of each set weighed alike is at one half: steadier than the best cut
    found. A set is its probabilities and its labels.
    """
    probabilities, labels = (np.concatenate(parts) for parts in zip(*sets, strict=True))
    weights = np.concatenate([np.where(own, 0.5 / own.mean(), 0.5 / (1 - own.mean())) / len(own) for _, own in sets])
    logits = np.log(probabilities / (1 - probabilities))
    slope, intercept = platt(logits, labels, weights * len(labels) / len(sets))
    return float(1 / (1 + np.exp(intercept / slope)))


def balanced_accuracy(found: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean of the two classes' recalls."""
    return float((found[labels].mean() + (~found[~labels]).mean()) / 2)


def within(scores: np.ndarray, labels: np.ndarray, writers: np.ndarray) -> float:
    """Return the mean AUROC within each writer: what is left when recognising the writer does not help."""
    values = []
    for writer in sorted(set(writers)):
        own = writers == writer
        if labels[own].any() and not labels[own].all():
            values.append(roc_auc_score(labels[own], scores[own]))
    return float(np.mean(values)) if values else float("nan")


def print_figures(answers: Answers, truth: np.ndarray, scores: np.ndarray, calibrated: Calibrations) -> None:
    """Print figures by task and pooled."""
    print(f"\n{'task':12s}{'n':>6s}{'bad':>6s}{'AUROC':>8s}{'within':>8s}{'bAcc':>8s}{'F1 bad':>8s}{'ECE':>8s}")
    probabilities = calibrated_probabilities(answers, scores, calibrated)
    cuts = np.array([calibrated[kind]["threshold"] for kind in answers.kinds])
    for task in (*sorted(set(answers.tasks)), "pooled"):
        at = np.ones(len(scores), bool) if task == "pooled" else answers.tasks == task
        labels, found = truth[at], (probabilities >= cuts)[at]
        ranked = probabilities if task == "pooled" else scores
        print(
            f"{task:12s}{at.sum():6d}{labels.mean():6.2f}{roc_auc_score(labels, ranked[at]):8.3f}"
            f"{within(ranked[at], labels, answers.writers[at]):8.3f}{balanced_accuracy(found, labels):8.3f}"
            f"{f1_score(labels, found):8.3f}{calibration_error(probabilities[at], labels):8.3f}"
        )


def calibrated_probabilities(answers: Answers, scores: np.ndarray, calibrated: Calibrations) -> np.ndarray:
    """Return probabilities by kind of context."""
    slope = np.array([calibrated[kind]["slope"] for kind in answers.kinds])
    intercept = np.array([calibrated[kind]["intercept"] for kind in answers.kinds])
    return np.asarray(1 / (1 + np.exp(-slope * scores - intercept)))


def floors(answers: Answers) -> None:
    """Print what the length of the answer, and the share of unseen words of its worst claim, reach alone."""
    for name, values in (("answer length", answers.lengths), ("unseen words", answers.column("unseen"))):
        by_task = (
            f"{task} {roc_auc_score(answers.labels[at], values[at]):.3f}"
            for task in sorted(set(answers.tasks))
            if (at := answers.tasks == task).any()
        )
        print(f"floor, AUROC of {name}: {', '.join(by_task)}")


def elsewhere(name: str, answers: Answers, scores: np.ndarray, calibrated: Calibrations) -> None:
    """Print figures on another file: as shipped, and with calibration fitted there (same rows)."""
    shipped = calibrated_probabilities(answers, scores, calibrated)
    cuts = np.array([calibrated[kind]["threshold"] for kind in answers.kinds])
    slope, intercept = platt(scores, answers.labels)
    own = 1 / (1 + np.exp(-slope * scores - intercept))
    print(
        f"{name:12s} n {len(scores):5d} bad {answers.labels.mean():.2f}"
        f"  AUROC {roc_auc_score(answers.labels, scores):.3f}"
        f"  bAcc as shipped {balanced_accuracy(shipped >= cuts, answers.labels):.3f}"
        f"  recalibrated {balanced_accuracy(own >= balanced_threshold((own, answers.labels)), answers.labels):.3f}"
        f"  ECE as shipped {calibration_error(shipped, answers.labels):.3f}"
        f"  recalibrated {calibration_error(own, answers.labels):.3f}"
    )
