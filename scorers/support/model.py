"""The trained model of support: trees over features, calibration and thresholds by kind of context."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from adapters.caching import cached
from scorers.models.loading import read_model
from scorers.models.trees import Trees, trees
from scorers.support.context import Context

ContextKind = Literal["structured", "passages", "text"]
"""What can be seen of a context: structured data, several passages, or one text."""

KINDS: tuple[ContextKind, ...] = ("structured", "passages", "text")

Label = Literal["supported", "unsupported", "contradicted"]
"""What a claim is, and an answer as its worst claim: contradicted, else unsupported, else supported."""

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
class Line:
    """A straight line over a log-odds."""

    slope: float
    intercept: float

    def at(self, logit: float) -> float:
        """Return the log-odds at ``logit``."""
        return self.slope * logit + self.intercept


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """One bad case, unsupported or contradicted, in one kind of context.

    ``claim`` turns the trees' log-odds of a claim into log-odds at even odds: of both classes alike, and 0 where the
    bad case is called. ``answer`` turns those of an answer's worst claim into the log-odds that some claim of the
    answer is bad. So an answer is called where its worst claim is, at the probability `threshold`.
    """

    claim: Line
    answer: Line

    @property
    def threshold(self) -> float:
        """The probability of an answer whose worst claim is called, but only just."""
        return sigmoid(self.answer.intercept)


@dataclass(frozen=True, slots=True)
class SupportModel:
    """Everything that was trained. The groups of ``trees``: unsupported, contradicted, slip."""

    trees: Trees
    unsupported: Bad
    contradicted: Bad
    support_points: Mapping[str, OperatingPoint]
    conflict_points: Mapping[str, OperatingPoint]


@cached(maxsize=1)
def support_model() -> SupportModel:
    """Return the shipped model, read once."""
    support, contradiction, slip = read_model("support"), read_model("contradiction"), read_model("slip")
    return SupportModel(
        trees(support, contradiction, slip),
        _bad(support),
        _bad(contradiction),
        _points(support),
        _points(contradiction),
    )


def _points(content: Mapping[str, Any]) -> dict[str, OperatingPoint]:
    return {
        kind: OperatingPoint(claim=Line(**lines["claim"]), answer=Line(**lines["answer"]))
        for kind, lines in content["points"].items()
    }


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


class ClaimVerdict(NamedTuple):
    """What is said of one claim: the probabilities at even odds that it is supported and contradicted, and its label.

    ``label`` and numbers agree: contradicted from ``contradicted`` one half, supported above ``supported`` one half,
    else unsupported. The two probabilities never add up to more than one.
    """

    supported: float
    contradicted: float
    label: Label


class AnswerVerdict(NamedTuple):
    """What is said of an answer: how likely some claim is unsupported, and contradicted, and its worst claim's label.

    ``flagged``: the label is not supported, which is where ``unsupported`` is at least its operating point.
    """

    unsupported: float
    conflict: float
    label: Label

    @property
    def flagged(self) -> bool:
        """Whether some claim is unsupported or contradicted."""
        return self.label != "supported"


def claim_verdict(doubt: float, against: float, kind: ContextKind, strength: float = 0.0) -> ClaimVerdict:
    """Return what is said of a claim by the trees and by the strongest difference of statements.

    ``doubt`` and ``against`` are the trees' probabilities that it is unsupported and contradicted, slips counted
    (`with_slip`); ``strength`` is that of a `Difference` which contradicts it, 0 where there is none. What is
    contradicted is unsupported, so the contradiction is at most the doubt. A difference at even odds makes the claim
    contradicted, and leaves it a support of at most ``1 - strength``.

    >>> claim_verdict(0.001, 0.001, "text").label
    'supported'
    >>> claim_verdict(0.001, 0.001, "text", strength=0.9)
    ClaimVerdict(supported=0.1, contradicted=0.9, label='contradicted')
    """
    model = support_model()
    doubted = sigmoid(model.support_points[kind].claim.at(logit_of(doubt)))
    opposed = min(doubted, sigmoid(model.conflict_points[kind].claim.at(logit_of(against))))
    if strength >= EVEN:
        doubted, opposed = max(doubted, strength), max(opposed, strength)
    supported = round(1 - doubted, _DECIMALS)
    opposed = min(round(opposed, _DECIMALS), round(1 - supported, _DECIMALS))
    if opposed >= EVEN:
        return ClaimVerdict(supported, opposed, "contradicted")
    return ClaimVerdict(supported, opposed, "supported" if supported > EVEN else "unsupported")


def answer_verdict(claims: Sequence[ClaimVerdict], kind: ContextKind) -> AnswerVerdict:
    """Return what is said of an answer: as its worst claim is. Without a claim nothing is unsupported.

    >>> answer_verdict([claim_verdict(0.001, 0.001, "text"), claim_verdict(0.9, 0.9, "text")], "text").label
    'contradicted'
    >>> answer_verdict([], "text")
    AnswerVerdict(unsupported=0.0, conflict=0.0, label='supported')
    """
    if not claims:
        return AnswerVerdict(0.0, 0.0, "supported")
    model = support_model()
    least, most = min(claim.supported for claim in claims), max(claim.contradicted for claim in claims)
    labels = {claim.label for claim in claims}
    return AnswerVerdict(
        unsupported=sigmoid(model.support_points[kind].answer.at(-logit_of(least))),
        conflict=sigmoid(model.conflict_points[kind].answer.at(logit_of(most))),
        label=next(label for label in WORST_FIRST if label in labels),
    )


EVEN = 0.5
"""The operating point of a claim, at even odds of both classes."""

_DECIMALS = 9
"""Of the probabilities of claims: a threshold is then met alike by a number and by one minus it."""

WORST_FIRST: tuple[Label, ...] = ("contradicted", "unsupported", "supported")


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
