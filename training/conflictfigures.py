"""Figures of the models of conflict: cross-validated ones, and what the written models say of other data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from scorers.disagreement.asking import EXPECTED
from scorers.disagreement.disagreement import conflicting, disagreements
from training.conflictdata import Document, Pairs
from training.fitting import calibration_error, read, report


def print_pairs(documents: Sequence[Document], pairs: Pairs, scores: np.ndarray, slope: float, shift: float) -> None:
    """Print the cross-validated figures of pairs: of answers, of all, of strangers, and the calibration."""
    cut = -shift / slope
    report("pairs in which both answer", pairs.differ[pairs.answer], scores[pairs.answer], cut)
    own = ~pairs.stranger
    report("all pairs", pairs.differ[own], scores[own], cut)
    foreign = scores[pairs.stranger] > cut
    print(f"  an answer and a document of another question: {foreign.mean():.3f} of {len(foreign)} called conflicts")
    same = pairs.answer & ~pairs.differ
    print(f"  both answer, and the same: {(scores[same] > cut).mean():.3f} of {same.sum()} called conflicts")
    within = [
        roc_auc_score(pairs.differ[at], scores[at])
        for row in sorted(set(pairs.row.tolist()))
        if 0 < pairs.differ[at := (pairs.row == row) & pairs.answer].sum() < at.sum()
    ]
    print(f"  within one question: mean AUROC {np.mean(within):.3f} over {len(within)}")
    for number, name in enumerate(EXPECTED):
        at = np.array([documents[a].expected == number for a, _ in pairs.places]) & pairs.answer
        report(f"  both answer: {name}", pairs.differ[at], scores[at], cut)
    probabilities = 1 / (1 + np.exp(-slope * scores - shift))
    for name, at in (("all pairs", own), ("with a third of the strangers", own | (np.arange(len(own)) % 3 == 0))):
        print(
            f"calibration error {calibration_error(probabilities[at], pairs.differ[at]):.3f} ({name}):"
            f" mean probability {probabilities[at].mean():.3f}, {pairs.differ[at].mean():.3f} differ"
        )
    for cut_at in (0.36, 0.5, 0.7, 0.8, 0.9):
        flagged = (probabilities >= cut_at) & own
        print(
            f"  all pairs at {cut_at}: precision {pairs.differ[flagged].mean():.3f},"
            f" recall {flagged[pairs.differ].mean():.3f}"
        )


def print_rows(path: Path) -> None:
    """Print what the written models say of questions with several passages: web snippets, and ordinary retrieval."""
    snippets = read(path, "conflict_qacc")
    surest = [disagreements(row["question"], [p["text"] for p in row["passages"]])[0] for row in snippets]
    labels = np.array([row["label"] == "conflict" for row in snippets])
    print(f"QACC: AUROC by row {roc_auc_score(labels, [pair.probability for pair in surest]):.3f}")
    called = np.array([conflicting(pair) for pair in surest])
    print(f"  called conflicts: {called[labels].mean():.3f} with one, {called[~labels].mean():.3f} without")
    asked_once = {row["question"]: row["passages"] for row in read(path, "grounding_ragtruth")}
    retrieved = {question: [p["text"] for p in given] for question, given in asked_once.items() if len(given) > 1}
    pairs = [disagreements(question, texts)[0] for question, texts in retrieved.items()]
    print(f"RAGTruth QA: {sum(map(conflicting, pairs))} of {len(pairs)} questions called conflicts")


def print_opposites(path: Path) -> None:
    """Print how often evidence that opposes by the rule is labelled so, by what the rule says; claims are questions."""
    found = []
    for name in ("conflict_climatefever", "conflict_healthver"):
        for row in read(path, name):
            labels = [label.upper() for label in row["extra"]["evidence_labels"]]
            texts = [passage["text"] for passage in row["passages"]]
            for one, other in combinations(range(len(texts)), 2):
                (pair,) = disagreements(row["answer"], (texts[one], texts[other])) or (None,)
                if pair is not None and pair.probability > 0 and pair.first.value is None:
                    found.append((pair.probability, {labels[one], labels[other]} == {"SUPPORTS", "REFUTES"}))
    for low, high in pairwise((0.0, 0.1, 0.2, 0.3, 0.5, 1.0)):
        within = [opposite for value, opposite in found if low < value <= high]
        print(f"opposites from {low} to {high}: {len(within)} pairs, {np.mean(within or [0]):.2f} labelled opposite")
