"""Fits how an entailment model joins the trees as a second opinion: what `scoring.entailment.asked: doubtful` needs.

Answers of a single claim say of it what their label says; every claim of a good answer is good. A logistic curve over
the log-odds of trees and rules, those of the model and the logarithm of how many claims the answer has, both classes
alike, is what they say together (Wolpert 1992). Its intercept is lowered until no more good answers are flagged than
the trees flag alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from adapters.schema import Answer
from collector.models.calibration import Joint
from collector.models.entailment import LocalEntailment
from scorers.base import Absent
from scorers.memory import Memory
from scorers.ports.entailment import Joining
from scorers.support.judgement import judge
from scorers.support.model import logit_of
from scorers.support.second import doubted_of

LEAST, MOST = 0.02, 0.98
"""Support by the trees below and above which there is no doubt."""

UNFITTED = Joining(intercept=0.0, trees=1.0, model=1.0, crowd=0.0, least=LEAST, most=MOST, rules=0.0)

FEWEST = 50
"""Claims of each kind, good and bad, that a curve is fitted to."""

STEPS = np.linspace(-6, 0, 121)
"""How far the intercept may be lowered."""


@dataclass(frozen=True, slots=True)
class SecondedClaim:
    """A claim: log-odds that it is not supported, by trees and rules and by the model (``None``: not asked of).

    ``ruled``: a rule contradicts it.
    """

    trees: float
    model: float | None
    ruled: bool = False


@dataclass(frozen=True, slots=True)
class SecondedAnswer:
    """An answer: whether it is bad, whether trees and rules flag it, and its claims."""

    bad: bool
    flagged: bool
    claims: tuple[SecondedClaim, ...]


def seconded_answers(model: LocalEntailment, given: Sequence[tuple[Answer, bool]]) -> Iterator[SecondedAnswer]:
    """Yield what trees, rules and model say of the answers that the model may be asked of."""
    for answer, bad in given:
        memory = Memory()
        found = judge(answer, memory)
        asked = {each.at: each for each in doubted_of(answer, memory, UNFITTED)}
        if isinstance(found, Absent) or not asked:
            continue
        claims = []
        for index in found.claims:
            said: float | None = None
            if (each := asked.get(index)) is not None:
                said = -logit_of(float(model.compare([each.premise], [each.hypothesis]).supported[0, 0]))
            ruled = each is not None and each.ruled
            claims.append(SecondedClaim(-logit_of(found.verdicts[index].supported), said, ruled))
        yield SecondedAnswer(bad, found.label != "supported", tuple(claims))


def joint_of(given: Sequence[SecondedAnswer], data: str) -> Joint | None:
    """Return how the model joins the trees; ``None`` where there are too few claims of either kind to fit it."""
    known = [
        ((claim.trees, claim.model, math.log(len(each.claims)), float(claim.ruled)), each.bad)
        for each in given
        for claim in each.claims
        if claim.model is not None and (len(each.claims) == 1 or not each.bad)
    ]
    labels = np.array([bad for _, bad in known])
    if min(labels.sum(), (~labels).sum()) < FEWEST:
        return None
    fitted = LogisticRegression(C=100.0, class_weight="balanced", max_iter=1000).fit([row for row, _ in known], labels)
    trees, model, crowd, rules = fitted.coef_[0]
    if model <= 0:
        return None
    slopes = Joint(
        data=data,
        intercept=float(fitted.intercept_[0]),
        trees=max(0.0, round(float(trees), 3)),
        model=round(float(model), 3),
        crowd=max(0.0, round(float(-crowd), 3)),
        least=LEAST,
        most=MOST,
        rules=round(float(rules), 3),
    )
    return slopes.model_copy(update={"intercept": round(_intercept(given, slopes), 3)})


def _intercept(given: Sequence[SecondedAnswer], joint: Joint) -> float:
    good = [each for each in given if not each.bad]
    allowed = np.mean([each.flagged for each in good])
    worst = np.array([doubt_of(each, joint) for each in good])
    fine = [step for step in STEPS if (worst + step > 0).mean() <= allowed]
    return joint.intercept + float(max(fine, default=STEPS[0]))


def doubt_of(answer: SecondedAnswer, joint: Joint) -> float:
    """Return the log-odds of the worst claim of an answer, at the operating point of trees and model together."""
    crowd = joint.crowd * math.log(len(answer.claims))
    return max(
        each.trees
        if each.model is None
        else joint.intercept
        + joint.trees * each.trees
        + joint.model * each.model
        + (joint.rules or 0.0) * each.ruled
        - crowd
        for each in answer.claims
    )


def told(given: Sequence[SecondedAnswer], joint: Joint) -> str:
    """Say what the second opinion adds on the answers that it was fitted to."""
    bad = np.array([each.bad for each in given])
    alone, both = np.array([each.flagged for each in given]), np.array([doubt_of(each, joint) for each in given])
    trees = np.array([max(claim.trees for claim in each.claims) for each in given])
    flagged = both > 0
    return (
        f"{len(given)} answers; AUROC {roc_auc_score(bad, trees):.3f} by trees and rules, "
        f"{roc_auc_score(bad, both):.3f} with the model; of bad ones {alone[bad].mean():.2f} and "
        f"{flagged[bad].mean():.2f} flagged, of good ones {alone[~bad].mean():.2f} and {flagged[~bad].mean():.2f}"
    )
