"""Operating points of the support model: where a claim is called, and how likely an answer then is bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from scorers.support.features import NAMES
from scorers.support.model import ACQUITTED, KINDS, TOGETHER, ContextKind
from training.fitting import platt
from training.supportdata import Answers, whole_of, worst_of
from training.supportfigures import balanced_threshold
from training.supportswaps import Swaps

Line = Mapping[str, float]
"""Slope and intercept."""

Points = Mapping[str, Mapping[str, Line]]
"""By kind of context, the lines of a ``claim`` and of an ``answer``."""

REWORDED = 0.008
"""The share of rewordings, each an answer of its own, that may be called a slip."""

AGREED = 0.01
"""The share of rewordings that a statement agrees with that may be."""

ACQUITTAL = 1.0
"""Log-odds by which a slip must be the surer, at least, where a statement agrees; chosen on hand-written policies."""

FEWEST = 100
"""Answers of a task from which on it has a say in where a kind of context is called."""

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
    tasks: np.ndarray

    @classmethod
    def of(cls, answers: Answers, claims: np.ndarray, marked: np.ndarray, labels: np.ndarray) -> Scored:
        """Return the claims of answers with these log-odds and labels, and the labels of the answers."""
        return cls(
            kinds=answers.claim_kinds,
            claims=claims,
            marked=marked,
            owner=answers.owner,
            asserts=answers.asserts,
            answer_kinds=answers.kinds,
            labels=labels,
            rows=answers.rows,
            tasks=answers.tasks,
        )


class SlipScores(Protocol):
    """Log-odds of a slip, of claims of answers and of changed ones."""

    @property
    def answers(self) -> np.ndarray: ...  # noqa: D102
    @property
    def swaps(self) -> np.ndarray: ...  # noqa: D102


def slip_lines(scores: SlipScores, answers: Answers, swaps: Swaps) -> dict[str, Line]:
    """Return by kind of context the line that is 0 where a slip is called: seldom of what is right, however told.

    The intercept is set by rewordings that are an answer of their own, ``crowd`` by clean claims among others,
    ``agreed`` by rewordings that a statement agrees with.
    """
    alone = _sentences(swaps.rows) == 1
    weights = np.where(swaps.wrong, 0.5 / swaps.wrong.mean(), 0.5 / (1 - swaps.wrong.mean()))
    slope, _ = platt(scores.swaps, swaps.wrong.tolist(), weights.tolist())
    cut = max(
        float(np.quantile(scores.swaps[~swaps.wrong & alone & own], 1 - REWORDED))
        for own in (swaps.policy, ~swaps.policy)
    )
    same = scores.swaps[~swaps.wrong & alone & agrees(swaps.rows)]
    agreed = max(ACQUITTAL, float(np.quantile(same, 1 - AGREED)) - cut)
    found: dict[str, Line] = {}
    for kind in KINDS:
        clean = answers.asserts & ~answers.marked & (answers.claim_kinds == kind)
        many = _sentences(answers.rows)[clean]
        # What each claim would need to be called, by the logarithm of how many there are; the few surest give way.
        needed = (scores.answers[clean] - cut) / np.log(np.maximum(many, 2.0))
        crowd = max(0.0, float(np.quantile(needed, 1 - CLEAN)))
        found[kind] = {"slope": slope, "intercept": -slope * cut, "crowd": slope * crowd, "agreed": slope * agreed}
    return found


def agrees(rows: np.ndarray) -> np.ndarray:
    """Return of each claim whether a statement of the context agrees with it."""
    return np.asarray(rows[:, NAMES.index("statement_agrees")] == 1)


def _sentences(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows[:, NAMES.index("claims")])


def points_of(
    own: Scored,
    slips: Mapping[str, Line],
    slip: np.ndarray,
    others: Mapping[str, Sequence[tuple[np.ndarray, np.ndarray]]],
    kinds: Sequence[ContextKind] = KINDS,
) -> dict[str, dict[str, Line]]:
    """Return the operating points by kind of context.

    An answer is called by its worst claim, at the log-odds where a curve over answers with both classes alike is at
    one half. Each task counts alike, and so do ``others`` (log-odds and labels) of a kind. The line of claims is
    fitted with both classes alike and passes that point at even odds; that of answers is fitted over it, with slips.
    Over tables it is the mean of where each task has both errors alike.
    """
    found: dict[str, dict[str, Line]] = {}
    worst = worst_of(own.owner, own.asserts, own.claims, len(own.labels))
    for kind in kinds:
        tasks = sorted(set(own.tasks[own.answer_kinds == kind]))
        parts = [(own.answer_kinds == kind) & (own.tasks == task) for task in tasks]
        sets = [*((worst[at], own.labels[at]) for at in parts if at.sum() >= FEWEST), *others.get(kind, ())]
        if kind in TOGETHER:
            cut = sum((_even(*each) for each in sets), 0.0) / len(sets)
        else:
            cut = _logit(balanced_threshold(*((1 / (1 + np.exp(-logits)), labels) for logits, labels in sets)))
        of = own.kinds == kind
        share = own.marked[of].mean()
        weights = np.where(own.marked[of], 0.5 / share, 0.5 / (1 - share))
        slope, _ = platt(own.claims[of], own.marked[of].tolist(), weights.tolist())
        found[kind] = {"claim": {"slope": slope, "intercept": -slope * cut}}
    doubt = combined(own.kinds, own.claims, slip, own.rows, found, slips)
    whole = whole_of(own.owner, own.asserts, doubt, own.answer_kinds)
    for kind in kinds:
        at = own.answer_kinds == kind
        line, shift = platt(whole[at], own.labels[at].tolist())
        found[kind]["answer"] = {"slope": line, "intercept": shift}
    return found


def _even(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the log-odds from which on as large a share of the bad is called as of the others is not.

    Steadier than a curve where both classes are hardly told apart.
    """
    cuts = np.unique(logits)
    apart = [abs((logits[labels] >= cut).mean() - (logits[~labels] < cut).mean()) for cut in cuts]
    return float(cuts[int(np.argmin(apart))])


def combined(
    kinds: np.ndarray, claims: np.ndarray, slip: np.ndarray, rows: np.ndarray, points: Points, slips: Mapping[str, Line]
) -> np.ndarray:
    """Return the log-odds of claims at even odds, as the product combines forest and slip.

    What is called a slip has the larger of both; below its operating point a slip tells nothing.
    """
    found = np.zeros(len(claims))
    many = np.log(np.maximum(1.0, _sentences(rows)))
    for kind in points:
        at = kinds == kind
        line, other = points[kind]["claim"], slips[kind]
        same = agrees(rows[at])
        own = line["slope"] * claims[at] + line["intercept"]
        own = np.where(same, np.minimum(own, ACQUITTED), own)
        slipped = other["slope"] * slip[at] + other["intercept"] - other["crowd"] * many[at] - other["agreed"] * same
        found[at] = np.where(slipped > 0, np.maximum(own, slipped), own)
    return found


def _logit(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))
