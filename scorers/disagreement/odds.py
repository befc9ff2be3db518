"""How surely two passages give different answers: that their values differ, times that both answer at all."""

from __future__ import annotations

import numpy as np

from scorers.disagreement.pairs import NAMES
from scorers.models.arrays import Floats
from scorers.models.linear import LinearModel, linear_model

HALF = 0.2
"""Two passages that both answer with this probability count for a little more than half of two that surely do."""

_LARGE = 50.0
"""Beyond this logit nothing changes."""

_EDGE = 1e-9


def log_odds(table: Floats, differ: LinearModel, both: LinearModel) -> Floats:
    """Return the log-odds, before calibration, of a conflict for each row of `NAMES`.

    ``differ`` tells of two passages that answer whether they answer differently, ``both`` whether two passages answer.
    That values differ says little where a passage speaks of something else; that both answer, nothing alone.
    """
    found, answer = _probability(table, differ), _probability(table, both)
    joint = np.clip(found * answer * (1 + HALF) / (answer + HALF), _EDGE, 1 - _EDGE)
    return np.asarray(np.log(joint / (1 - joint)))


def probabilities(table: Floats) -> list[float]:
    """Return the calibrated probability of a conflict for each row of `NAMES`."""
    differ = linear_model("conflict")
    logits = differ.slope * log_odds(table, differ, linear_model("both_answer")) + differ.shift
    result: list[float] = _sigmoid(logits).tolist()
    return result


def _probability(table: Floats, model: LinearModel) -> Floats:
    coefficients = np.array([model.features.get(name, 0.0) for name in NAMES])
    return _sigmoid((table * coefficients).sum(axis=1) + model.intercept)


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -_LARGE, _LARGE))))
