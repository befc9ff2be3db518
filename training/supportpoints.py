"""Operating points of the support model: where a claim is called, and how likely an answer then is bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scorers.support.model import KINDS
from training.fitting import platt
from training.supportfigures import balanced_threshold

Points = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By kind of context, ``claim`` and ``answer``: slope and intercept each."""


@dataclass(frozen=True, kw_only=True)
class Scored:
    """Log-odds of claims out of fold with their labels, and of each answer's worst claim with the answer's."""

    kinds: np.ndarray
    claims: np.ndarray
    marked: np.ndarray
    answer_kinds: np.ndarray
    worst: np.ndarray
    labels: np.ndarray


def points_of(own: Scored, others: Mapping[str, Sequence[tuple[np.ndarray, np.ndarray]]] | None = None) -> Points:
    """Return the operating points by kind of context.

    An answer is called by its worst claim, at the log-odds where a curve over answers with both classes alike is at
    one half. Of a kind among ``others`` these (log-odds and labels) count like the own answers. The line of claims is
    fitted with both classes alike and passes that point at even odds; that of answers is fitted over it.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    for kind in KINDS:
        at = own.answer_kinds == kind
        sets = [(own.worst[at], own.labels[at]), *(others or {}).get(kind, ())]
        cut = _logit(balanced_threshold(*((1 / (1 + np.exp(-logits)), labels) for logits, labels in sets)))
        of = own.kinds == kind
        share = own.marked[of].mean()
        weights = np.where(own.marked[of], 0.5 / share, 0.5 / (1 - share))
        slope, _ = platt(own.claims[of], own.marked[of], weights)
        line, shift = platt(slope * (own.worst[at] - cut), own.labels[at])
        found[kind] = {
            "claim": {"slope": slope, "intercept": -slope * cut},
            "answer": {"slope": line, "intercept": shift},
        }
    return found


def _logit(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))


def worst_of(owner: np.ndarray, asserts: np.ndarray, claims: np.ndarray, answers: int, none: float) -> np.ndarray:
    """Return the largest log-odds of each answer's claims: of those that assert, else of all; ``none`` without any."""
    worst = np.full(answers, -np.inf)
    np.maximum.at(worst, owner[asserts], claims[asserts])
    rest = np.full(answers, none)
    np.maximum.at(rest, owner, claims)
    return np.where(np.isinf(worst), rest, worst)
