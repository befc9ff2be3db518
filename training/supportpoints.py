"""Operating points of the support model: where a claim is called, and how likely an answer then is bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from scorers.support.features import NAMES
from scorers.support.model import KINDS
from training.fitting import platt
from training.supportdata import Answers, worst_of
from training.supportfigures import balanced_threshold
from training.supportswaps import Swaps

Line = Mapping[str, float]
"""Slope and intercept."""

Points = Mapping[str, Mapping[str, Line]]
"""By kind of context, the lines of a ``claim`` and of an ``answer``."""

REWORDED = 0.03
"""The share of rewordings, each an answer of its own, that may be called a slip."""

CLEAN = 0.004
"""The share of clean claims among others that may be."""


@dataclass(frozen=True, kw_only=True)
class Scored:
    """Log-odds of claims out of fold with their labels, which assert, the answers they are of, and their labels."""

    kinds: np.ndarray
    claims: np.ndarray
    marked: np.ndarray
    owner: np.ndarray
    asserts: np.ndarray
    answer_kinds: np.ndarray
    labels: np.ndarray
    rows: np.ndarray


class SlipScores(Protocol):
    """Log-odds of a slip, of claims of answers and of changed ones."""

    @property
    def answers(self) -> np.ndarray: ...  # noqa: D102
    @property
    def swaps(self) -> np.ndarray: ...  # noqa: D102


def slip_lines(scores: SlipScores, answers: Answers, swaps: Swaps) -> dict[str, Line]:
    """Return by kind of context the line that is 0 where a slip is called: seldom of what is right, however told.

    The intercept is set by rewordings that are an answer of their own, ``crowd`` by clean claims among others.
    """
    alone = _sentences(swaps.rows) == 1
    weights = np.where(swaps.wrong, 0.5 / swaps.wrong.mean(), 0.5 / (1 - swaps.wrong.mean()))
    slope, _ = platt(scores.swaps, swaps.wrong.tolist(), weights.tolist())
    cut = max(
        float(np.quantile(scores.swaps[~swaps.wrong & alone & own], 1 - REWORDED))
        for own in (swaps.policy, ~swaps.policy)
    )
    found: dict[str, Line] = {}
    for kind in KINDS:
        clean = answers.asserts & ~answers.marked & (answers.claim_kinds == kind)
        many = _sentences(answers.rows)[clean]
        # What each claim would need to be called, by the logarithm of how many there are; the few surest give way.
        needed = (scores.answers[clean] - cut) / np.log(np.maximum(many, 2.0))
        crowd = max(0.0, float(np.quantile(needed, 1 - CLEAN)))
        found[kind] = {"slope": slope, "intercept": -slope * cut, "crowd": slope * crowd}
    return found


def _sentences(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows[:, NAMES.index("claims")])


def points_of(
    own: Scored,
    slips: Mapping[str, Line],
    slip: np.ndarray,
    others: Mapping[str, Sequence[tuple[np.ndarray, np.ndarray]]],
) -> dict[str, dict[str, Line]]:
    """Return the operating points by kind of context.

    An answer is called by its worst claim, at the log-odds where a curve over answers with both classes alike is at
    one half. Of a kind among ``others`` these (log-odds and labels) count like the own answers. The line of claims is
    fitted with both classes alike and passes that point at even odds; that of answers is fitted over it, with slips.
    """
    found: dict[str, dict[str, Line]] = {}
    worst = worst_of(own.owner, own.asserts, own.claims, len(own.labels))
    for kind in KINDS:
        at = own.answer_kinds == kind
        sets = [(worst[at], own.labels[at]), *others.get(kind, ())]
        cut = _logit(balanced_threshold(*((1 / (1 + np.exp(-logits)), labels) for logits, labels in sets)))
        of = own.kinds == kind
        share = own.marked[of].mean()
        weights = np.where(own.marked[of], 0.5 / share, 0.5 / (1 - share))
        slope, _ = platt(own.claims[of], own.marked[of].tolist(), weights.tolist())
        found[kind] = {"claim": {"slope": slope, "intercept": -slope * cut}}
    doubt = combined(own.kinds, own.claims, slip, own.rows, found, slips)
    worst = worst_of(own.owner, own.asserts, doubt, len(own.labels))
    for kind in KINDS:
        at = own.answer_kinds == kind
        line, shift = platt(worst[at], own.labels[at].tolist())
        found[kind]["answer"] = {"slope": line, "intercept": shift}
    return found


def combined(
    kinds: np.ndarray, claims: np.ndarray, slip: np.ndarray, rows: np.ndarray, points: Points, slips: Mapping[str, Line]
) -> np.ndarray:
    """Return the log-odds of claims at even odds, as the product combines forest and slip: the larger of both."""
    found = np.zeros(len(claims))
    many = np.log(np.maximum(1.0, _sentences(rows)))
    for kind in KINDS:
        at = kinds == kind
        line, other = points[kind]["claim"], slips[kind]
        own = line["slope"] * claims[at] + line["intercept"]
        found[at] = np.maximum(own, other["slope"] * slip[at] + other["intercept"] - other["crowd"] * many[at])
    return found


def _logit(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))
