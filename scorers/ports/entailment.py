"""What an entailment model has to offer; which one there is, if any, is for whoever makes an `Env` to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Probabilities = npt.NDArray[np.float64]
"""A row a claim, a column a passage."""


@dataclass(frozen=True, slots=True)
class Temperatures:
    """What the log-odds of a model are divided by, fitted on labels: of a claim, of a contradiction, of an answer.

    ``threshold`` is the calibrated probability of an unsupported claim from which an answer is called unsupported.
    Source: C. Guo et al. 2017, On calibration of modern neural networks (temperature scaling).
    """

    claim: float = 1.0
    contradiction: float = 1.0
    answer: float = 1.0
    threshold: float = 0.5


@dataclass(frozen=True, slots=True)
class Joining:
    """How a model of pairs joins trees and rules where they doubt a claim, fitted on labels.

    The joint log-odds that a claim is not supported are ``intercept``, plus ``trees`` times those of trees and rules,
    plus ``model`` times those of the model, plus ``rules`` where a rule contradicts it, minus ``crowd`` times the
    natural logarithm of how many claims the answer has: of many claims one looks wrong by chance. A claim is asked of
    whose support by trees and rules lies from ``least`` to ``most``; what a rule contradicts is asked of unless
    ``rules`` is ``None``. Source: D. Wolpert 1992, Stacked generalization.
    """

    intercept: float
    trees: float
    model: float
    crowd: float
    least: float
    most: float
    rules: float | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """What a model says of claims against passages, each claim with each passage.

    ``supported`` is the probability that a passage entails a claim, ``contradicted`` that it contradicts it; that is
    ``None`` for a model that knows support alone. ``truncated``: not all of the texts was read.
    """

    supported: Probabilities
    contradicted: Probabilities | None
    truncated: bool = False


class Entailment(Protocol):
    """Tells for a claim and a passage whether the one follows from the other."""

    @property
    def name(self) -> str:
        """What tells one model from another."""
        ...

    @property
    def temperatures(self) -> Temperatures | None:
        """The calibration that was fitted for the model, if there is one."""
        ...

    def compare(self, passages: Sequence[str], claims: Sequence[str]) -> Compared:
        """Compare each claim with each passage; the same pair has the same probabilities."""
        ...


class SecondOpinion(Protocol):
    """Tells the same of a claim and the few sentences nearest to it, where trees doubt and no rule decides."""

    @property
    def name(self) -> str:
        """What tells one model from another."""
        ...

    @property
    def joining(self) -> Joining:
        """How it joins the trees."""
        ...

    def compare(self, passages: Sequence[str], claims: Sequence[str]) -> Compared:
        """Compare each claim with each passage; the same pair has the same probabilities."""
        ...
