"""Figures of the support model: AUROC, balanced accuracy at the shipped thresholds, calibration, floors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.metrics import f1_score, roc_auc_score

from training.fitting import calibration_error, platt
from training.supportdata import Answers, whole_of
from training.supportswaps import Swaps

Points = Mapping[str, Mapping[str, Mapping[str, float]]]


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


def print_figures(answers: Answers, truth: np.ndarray, claims: np.ndarray, points: Points) -> None:
    """Print figures by task and pooled, from the log-odds of claims at even odds."""
    heads = ("n", 6), ("bad", 6), ("AUROC", 8), ("within", 8), ("bAcc", 8), ("F1 bad", 8), ("ECE", 8), ("called", 8)
    print("\n" + f"{'task':12s}" + "".join(f"{name:>{width}s}" for name, width in heads))
    worst = whole_of(answers.owner, answers.asserts, claims, answers.kinds)
    probabilities = answer_probabilities(answers, worst, points)
    for task in (*sorted(set(answers.tasks)), "pooled"):
        at = np.ones(len(truth), bool) if task == "pooled" else answers.tasks == task
        labels, found = truth[at], worst[at] > 0
        ranked = probabilities if task == "pooled" else worst
        print(
            f"{task:12s}{at.sum():6d}{labels.mean():6.2f}{roc_auc_score(labels, ranked[at]):8.3f}"
            f"{within(ranked[at], labels, answers.writers[at]):8.3f}{balanced_accuracy(found, labels):8.3f}"
            f"{f1_score(labels, found):8.3f}{calibration_error(probabilities[at], labels):8.3f}"
            f"{found[labels].mean():8.2f} of bad, {found[~labels].mean():.2f} of good"
        )


def answer_probabilities(answers: Answers, worst: np.ndarray, points: Points) -> np.ndarray:
    """Return probabilities of answers by kind of context, from their log-odds."""
    slope = np.array([points[kind]["answer"]["slope"] for kind in answers.kinds])
    intercept = np.array([points[kind]["answer"]["intercept"] for kind in answers.kinds])
    return np.asarray(1 / (1 + np.exp(-slope * worst - intercept)))


def print_pairs(swaps: Swaps, claims: np.ndarray) -> None:
    """Print the share of changed claims that is called, wrong ones and reworded ones by kind."""
    for name, own in (("public prose", ~swaps.policy), ("policies", swaps.policy)):
        print(f"\n{name}: AUROC {roc_auc_score(swaps.wrong[own], claims[own]):.3f}")
        for side, label in ((True, "wrong"), (False, "right")):
            at = own & (swaps.wrong == side)
            kinds = (
                f"{way} {(claims[at & (swaps.ways == way)] > 0).mean():.2f}" for way in sorted(set(swaps.ways[at]))
            )
            print(f"{label} called {(claims[at] > 0).mean():.3f} of {at.sum()}: {', '.join(kinds)}")


def floors(answers: Answers) -> None:
    """Print what the length of the answer, and the share of unseen words of its worst claim, reach alone."""
    for name, values in (("answer length", answers.lengths), ("unseen words", answers.column("unseen"))):
        by_task = (
            f"{task} {roc_auc_score(answers.labels[at], values[at]):.3f}"
            for task in sorted(set(answers.tasks))
            if (at := answers.tasks == task).any()
        )
        print(f"floor, AUROC of {name}: {', '.join(by_task)}")


def elsewhere(name: str, answers: Answers, claims: np.ndarray, points: Points) -> None:
    """Print figures on another file: as shipped, and with calibration fitted there (same rows).

    An answer that claims nothing, only asks or greets, is not judged and left out.
    """
    claiming = np.zeros(len(answers.labels), bool)
    claiming[answers.owner[answers.asserts]] = True
    worst = whole_of(answers.owner, answers.asserts, claims, answers.kinds)
    shipped, worst, labels = (
        answer_probabilities(answers, worst, points)[claiming],
        worst[claiming],
        answers.labels[claiming],
    )
    slope, intercept = platt(worst, labels)
    own = 1 / (1 + np.exp(-slope * worst - intercept))
    print(
        f"{name:12s} n {len(worst):5d} bad {labels.mean():.2f}"
        f"  AUROC {roc_auc_score(labels, worst):.3f}"
        f"  bAcc as shipped {balanced_accuracy(worst > 0, labels):.3f}"
        f"  recalibrated {balanced_accuracy(own >= balanced_threshold((own, labels)), labels):.3f}"
        f"  ECE as shipped {calibration_error(shipped, labels):.3f}"
        f"  recalibrated {calibration_error(own, labels):.3f}"
    )
