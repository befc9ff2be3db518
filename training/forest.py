"""Extremely randomized trees, fitted with scikit-learn and written as the arrays that `scorers.models.trees` reads.

P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

from scorers.models.trees import trees
from scorers.support.features import NAMES
from training.fitting import MODELS

DIGITS = 4
"""Decimals of a leaf's value: more changes no decision."""


@dataclass(frozen=True, kw_only=True)
class Forest:
    """How a forest is fitted: trees, leaves and depth of each, rows of a leaf, share of features tried at a split.

    With ``columns`` it reads these alone, and with ``rising`` 1 where the probability may only rise with one of them,
    -1 where it may only fall.
    """

    count: int = 120
    leaves: int = 128
    depth: int = 12
    smallest: int = 2
    tried: float = 0.3
    seed: int = 7
    columns: tuple[int, ...] = ()
    rising: tuple[int, ...] = ()

    def fit(self, rows: np.ndarray, labels: np.ndarray, weights: np.ndarray | None = None) -> dict[str, Any]:
        """Fit and return the content of the model's file."""
        model = ExtraTreesClassifier(
            self.count,
            max_leaf_nodes=self.leaves,
            max_depth=self.depth,
            min_samples_leaf=self.smallest,
            max_features=self.tried,
            random_state=self.seed,
            n_jobs=1,
            monotonic_cst=self.rising or None,
        )
        columns = self.columns or tuple(range(rows.shape[1]))
        model.fit(rows[:, columns], labels, sample_weight=weights)
        return exported(model, columns)


def exported(model: ExtraTreesClassifier, columns: Sequence[int]) -> dict[str, Any]:
    """Return the trees of a model fitted on some columns as flat arrays."""
    content: dict[str, Any] = {"features": list(NAMES), "roots": []}
    content.update({name: [] for name in ("feature", "threshold", "left", "right")})
    for estimator in model.estimators_:
        tree = estimator.tree_
        content["roots"].append(len(content["feature"]))
        shares = tree.value[:, 0, 1] / tree.value[:, 0, :].sum(axis=1)
        for number in range(tree.node_count):
            leaf = tree.children_left[number] < 0
            content["feature"].append(-1 if leaf else columns[int(tree.feature[number])])
            content["threshold"].append(
                round(float(shares[number]), DIGITS) if leaf else float(f"{tree.threshold[number]:.5g}")
            )
            content["left"].append(0 if leaf else int(tree.children_left[number]) - number)
            content["right"].append(0 if leaf else int(tree.children_right[number]) - number)
    return content


def logits(model: Mapping[str, Any], rows: np.ndarray) -> np.ndarray:
    """Return log-odds by the product's own walk."""
    walked = trees(model)
    parts = [walked.logits(part)[0] for part in np.array_split(rows, max(1, len(rows) // 500))]
    return np.concatenate(parts)


def write_trees(name: str, model: Mapping[str, Any], data: str, *, points: Mapping[str, Any]) -> None:
    """Write the file of a model."""
    content = {
        "kind": "trees",
        "name": name,
        "version": "1",
        "data": data,
        "command": "python -m training.support --data PATH",
        "points": _rounded(points),
        **model,
    }
    lines = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in content.items()
    )
    target = MODELS / f"{name}.json"
    target.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    print(f"{target.name}: {len(model['roots'])} trees, {len(model['feature'])} nodes, {target.stat().st_size} bytes")


def _rounded(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _rounded(value) if isinstance(value, Mapping) else round(float(value), DIGITS)
        for key, value in values.items()
    }
