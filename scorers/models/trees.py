"""Ensembles of decision trees as arrays: every row of an answer walks every tree at once.

A file holds, as JSON: ``kind`` (``"trees"``), ``name``, ``version``, ``data``, ``command``, ``features`` (names, in the
order of the columns), and one entry a node of all trees in ``feature`` (column, -1 at a leaf), ``threshold`` (go left
up to it; at a leaf its probability), ``left`` and ``right`` (how many nodes further); ``roots`` are the first nodes.
The mean over trees is a probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


EDGE = 1e-3
"""No ensemble of this size is surer than this."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Decision trees over named columns, whose mean is a probability.

    ``child`` holds the two successors of each node side by side, a leaf's being the leaf; ``depth`` is that of the
    deepest tree.

    >>> stump = trees({"features": ["x"], "roots": [0], "feature": [0, -1, -1],
    ...                "threshold": [2.0, 0.5, 0.75], "left": [1, 0, 0], "right": [2, 0, 0]})
    >>> stump.logits([[2.0], [3.0]]).round(2).tolist()
    [0.0, 1.1]
    """

    features: tuple[str, ...]
    roots: Integers
    column: Integers
    threshold: Floats
    child: Integers
    value: Floats
    depth: int

    def logits(self, rows: Sequence[Sequence[float]] | Floats) -> Floats:
        """Return the log-odds of each row, at most `EDGE` from certainty; none for no rows."""
        if not len(rows):
            return np.zeros(0)
        table = np.asarray(rows, dtype=np.float64)
        flat = table.ravel()
        start = (np.arange(len(table)) * table.shape[1])[:, None]
        at = np.broadcast_to(self.roots, (len(table), len(self.roots)))
        for _ in range(self.depth):
            right = flat[self.column[at] + start] > self.threshold[at]
            at = self.child[at * 2 + right]
        # Summed in one order whatever the number of rows, so that a row's value does not depend on its neighbours.
        mean = np.cumsum(self.value[at], axis=1)[:, -1] / len(self.roots)
        mean = np.clip(mean, EDGE, 1 - EDGE)
        found: Floats = np.log(mean / (1 - mean))
        return found


def trees(content: Mapping[str, Any]) -> Trees:
    """Return the model that a file's content describes."""
    feature = np.array(content["feature"], dtype=np.int64)
    number = np.arange(len(feature))
    leaf = feature < 0
    threshold = np.array(content["threshold"], dtype=np.float64)
    child = np.stack([number + content["left"], number + content["right"]], axis=1)
    child[leaf] = number[leaf, None]
    return Trees(
        features=tuple(content["features"]),
        roots=np.array(content["roots"], dtype=np.int64),
        column=np.where(leaf, 0, feature),
        threshold=np.where(leaf, np.inf, threshold),
        child=child.ravel(),
        value=np.where(leaf, threshold, 0.0),
        depth=_depth(content["roots"], child, leaf),
    )


def _depth(roots: Sequence[int], child: Integers, leaf: npt.NDArray[np.bool_]) -> int:
    level = np.array(roots, dtype=np.int64)
    depth = 0
    while True:
        level = level[~leaf[level]]
        if not len(level):
            return depth
        level = child[level].ravel()
        depth += 1
