"""The trained model of support: trees over features, calibration and thresholds by kind of context."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from adapters.caching import cached
from scorers.models.loading import read_model
from scorers.models.trees import Trees, trees
from scorers.support.context import Context

ContextKind = Literal["structured", "passages", "text"]
"""What can be seen of a context: structured data, several passages, or one text."""

KINDS: tuple[ContextKind, ...] = ("structured", "passages", "text")

_EDGE = 1e-6


@dataclass(frozen=True, slots=True)
class Calibration:
    """Slope and intercept over a log-odds (J. Platt, 1999), and the probability from which the bad case is called."""

    slope: float
    intercept: float
    threshold: float = 0.5

    def probability(self, logit: float) -> float:
        """Return the calibrated probability, strictly between 0 and 1."""
        return sigmoid(self.slope * logit + self.intercept)


@dataclass(frozen=True, slots=True)
class Bad:
    """One bad case, unsupported or contradicted: the calibration of its log-odds, of a claim and of an answer."""

    claim: Mapping[str, Calibration]
    answer: Mapping[str, Calibration]


@dataclass(frozen=True, slots=True)
class SupportModel:
    """Everything that was trained. The groups of ``trees``: unsupported, contradicted, slip."""

    trees: Trees
    unsupported: Bad
    contradicted: Bad


@cached(maxsize=1)
def support_model() -> SupportModel:
    """Return the shipped model, read once."""
    support, contradiction, slip = read_model("support"), read_model("contradiction"), read_model("slip")
    return SupportModel(trees(support, contradiction, slip), _bad(support), _bad(contradiction))


def _bad(content: Mapping[str, Any]) -> Bad:
    return Bad(
        claim={kind: Calibration(**values) for kind, values in content["claim"].items()},
        answer={kind: Calibration(**values) for kind, values in content["answer"].items()},
    )


def kind_of(context: Context) -> ContextKind:
    """Return what can be seen of a context."""
    if context.structured:
        return "structured"
    return "passages" if len(context.sources) > 1 else "text"


def with_slip(probability: float, slip: float) -> float:
    """Return the probability of the bad case where a slip counts, too: ``1 - (1 - p)(1 - s^32 / 2)``.

    People mark few slips, since writers make few; the model of slips learned from claims made wrong on purpose. The
    power leaves only slips that are all but sure (one unmarked claim in a hundred), the half that they may be right.

    >>> round(with_slip(0.1, 0.5), 3), round(with_slip(0.1, 0.98), 3)
    (0.1, 0.336)
    """
    return 1 - (1 - probability) * (1 - SLIP_WEIGHT * slip**SLIP_POWER)


SLIP_POWER = 32
SLIP_WEIGHT = 0.5


def answer_logit(probabilities: Sequence[float]) -> float:
    """Return the log-odds that some claim is unsupported, before calibration.

    The worst claim decides, and many doubtful ones add to it: ``logit(max p) + ln(-sum ln(1 - p)) / 2``.

    >>> round(answer_logit([0.5]), 3), round(answer_logit([0.5, 0.5]), 3)
    (-0.183, 0.163)
    """
    bounded = [min(max(p, _EDGE), 1 - _EDGE) for p in probabilities]
    return logit_of(max(bounded)) + 0.5 * math.log(-math.fsum(math.log1p(-p) for p in bounded))


def logit_of(probability: float) -> float:
    """Return the log-odds of a probability, kept off certainty.

    >>> logit_of(0.5)
    0.0
    """
    bounded = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(bounded / (1 - bounded))


def sigmoid(logit: float) -> float:
    """Return the probability of a log-odds.

    >>> sigmoid(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-logit)) if logit > -_LARGE else 0.0


_LARGE = 700.0
"""Beyond this log-odds the exponential leaves the floats."""
