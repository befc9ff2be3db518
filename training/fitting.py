"""Fitting the linear models of `scorers.models`: grouped cross-validation, pruning, calibration, and the file.

Needs scikit-learn (the ``train`` extra). Everything is deterministic: same data, same file.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import GroupKFold

from scorers.models.linear import LinearModel

MODELS = Path(__file__).parent.parent / "scorers" / "models"
DIGITS = 4
"""Decimals of a coefficient in the file: more changes no decision."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One labelled text: its features, its n-grams, its label, the group that no fold may split, and its weight."""

    features: dict[str, float]
    ngrams: frozenset[str]
    label: bool
    group: str
    part: str = ""
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a model is fitted: inverse regularization, scale of the n-grams, how many are kept, rows each must be in.

    ``threshold`` is the probability from which the model's decision is yes.
    """

    c: float = 0.3
    scale: float = 3.0
    kept: int = 800
    min_rows: int = 4
    threshold: float = 0.5


def data_path(description: str) -> Path:
    """Return the folder of labelled files named on the command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the labelled files (*.jsonl.gz)")
    path: Path = parser.parse_args().data
    return path


def read(path: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of one labelled file, in order."""
    with gzip.open(path / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def fit(
    rows: Sequence[Row], recipe: Recipe, *, name: str = "", calibration: tuple[float, float] = (1, 0)
) -> LinearModel:
    """Fit a logistic model with an L2 penalty; of the n-grams, those with the largest coefficients of a first fit."""
    counts = Counter(gram for row in rows for gram in row.ngrams)
    vocabulary = sorted(gram for gram, count in counts.items() if count >= recipe.min_rows)
    coefficients, intercept = _solve(rows, vocabulary, recipe)
    if len(vocabulary) > recipe.kept:
        vocabulary = sorted(sorted(vocabulary, key=lambda gram: (-abs(coefficients["\t" + gram]), gram))[: recipe.kept])
        coefficients, intercept = _solve(rows, vocabulary, recipe)
    named = {key: round(value, DIGITS) for key, value in sorted(coefficients.items())}
    return LinearModel(
        name=name,
        version="1",
        intercept=round(intercept, DIGITS),
        features={key: value for key, value in named.items() if key[0] != "\t" and value},
        ngrams={key[1:]: value for key, value in named.items() if key[0] == "\t" and value},
        slope=round(calibration[0], DIGITS),
        shift=round(calibration[1], DIGITS),
        threshold=recipe.threshold,
    )


def _solve(rows: Sequence[Row], vocabulary: Sequence[str], recipe: Recipe) -> tuple[dict[str, float], float]:
    known = set(vocabulary)
    table = []
    for row in rows:
        present = row.ngrams & known
        value = recipe.scale / len(present) ** 0.5 if present else 0.0
        table.append({**row.features, **{"\t" + gram: value for gram in sorted(present)}})
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(table)
    model = LogisticRegression(C=recipe.c, max_iter=5000)
    model.fit(matrix, [row.label for row in rows], sample_weight=[row.weight for row in rows])
    found = zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True)
    scaled = {key: float(value) * (recipe.scale if key[0] == "\t" else 1) for key, value in found}
    return {**dict.fromkeys(("\t" + gram for gram in vocabulary), 0.0), **scaled}, float(model.intercept_[0])


def logits(model: LinearModel, rows: Sequence[Row]) -> np.ndarray:
    """Return the uncalibrated log-odds of each row, computed by the product's own code."""
    return np.array([model.logit(row.features, row.ngrams) for row in rows])


def cross_validated(rows: Sequence[Row], recipe: Recipe, folds: int = 8) -> np.ndarray:
    """Return log-odds of each row by a model that saw no row of its group."""
    result = np.zeros(len(rows))
    for train, test in GroupKFold(folds).split(rows, groups=[row.group for row in rows]):
        model = fit([rows[i] for i in train], recipe)
        result[test] = logits(model, [rows[i] for i in test])
    return result


def leaving_out(rows: Sequence[Row], recipe: Recipe) -> np.ndarray:
    """Return log-odds of each row by a model that saw no row of its part; rows without a part are trained on only."""
    result = np.zeros(len(rows))
    for part in sorted({row.part for row in rows} - {""}):
        model = fit([row for row in rows if row.part != part], recipe)
        at = [i for i, row in enumerate(rows) if row.part == part]
        result[at] = logits(model, [rows[i] for i in at])
    return result


def platt(scores: np.ndarray, labels: Sequence[bool], weights: Sequence[float] | None = None) -> tuple[float, float]:
    """Return slope and intercept of the calibrated log-odds (J. Platt, 1999), fitted on cross-validated ones."""
    model = LogisticRegression(C=1e6, max_iter=5000)
    model.fit(scores[:, None], labels, sample_weight=weights)
    return float(model.coef_[0][0]), float(model.intercept_[0])


def calibration_error(probabilities: np.ndarray, labels: np.ndarray, bins: int = 10) -> float:
    """Return the expected calibration error over equally filled bins."""
    order = np.array_split(np.argsort(probabilities, kind="stable"), bins)
    return float(sum(len(at) * abs(probabilities[at].mean() - labels[at].mean()) for at in order) / len(probabilities))


def interval(measure: Callable[[np.ndarray, np.ndarray], float], labels: np.ndarray, scores: np.ndarray) -> str:
    """Return a figure with its 95 % bootstrap interval over rows."""
    rng = np.random.default_rng(7)
    drawn = []
    for _ in range(500):
        at = rng.integers(0, len(labels), len(labels))
        if labels[at].any() and not labels[at].all():
            drawn.append(measure(labels[at], scores[at]))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{measure(labels, scores):.3f} [{low:.3f}-{high:.3f}]"


def report(title: str, labels: np.ndarray, scores: np.ndarray, cut: float = 0.0) -> None:
    """Print AUROC, F1 and balanced accuracy of log-odds at ``cut``."""
    found = scores > cut
    balanced = (found[labels].mean() + (~found[~labels]).mean()) / 2
    auroc = interval(lambda y, s: float(roc_auc_score(y, s)), labels, scores)
    f1 = interval(lambda y, s: float(f1_score(y, s > cut)), labels, scores)
    print(f"{title:44s} n {len(labels):5d}  AUROC {auroc}  F1 {f1}  balanced accuracy {balanced:.3f}")


def write(model: LinearModel, *, data: str, command: str | None = None) -> None:
    """Write the file of a model; ``command`` trains it, if not the module of its name."""
    content = {
        "kind": "linear",
        "name": model.name,
        "version": model.version,
        "data": data,
        "command": command or f"python -m training.{model.name} --data PATH",
        "intercept": model.intercept,
        "calibration": {"slope": model.slope, "intercept": model.shift},
        "threshold": model.threshold,
        "features": dict(model.features),
        "ngrams": dict(model.ngrams),
    }
    target = MODELS / f"{model.name}.json"
    target.write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(model.features)} features, {len(model.ngrams)} n-grams, {target.stat().st_size} bytes")
