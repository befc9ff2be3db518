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
from scorers.text.tables import MAX_CELL, MAX_ROWS

ContextKind = Literal["structured", "tables", "passages", "text"]
"""What can be seen of a context: records, tables of many rows, several passages, or one text."""

KINDS: tuple[ContextKind, ...] = ("structured", "tables", "passages", "text")

SupportLabel = Literal["supported", "undecided", "unsupported", "contradicted"]
"""What a claim is, and an answer as its worst claim: contradicted, else unsupported, else supported.

In another language than English, where statements alone are compared, what they do not settle is undecided."""

_EDGE = 1e-6


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line over a log-odds."""

    slope: float
    intercept: float

    def at(self, logit: float) -> float:
        """Return the log-odds at ``logit``."""
        return self.slope * logit + self.intercept


@dataclass(frozen=True, slots=True)
class SlipLine:
    """Turns the trees' log-odds of a slip into those at its operating point, 0 where it is called.

    ``crowd`` is what each doubling of an answer's sentences takes off, by the natural logarithm: of many claims one
    looks like a slip by chance. ``agreed`` is what a statement that agrees takes off.
    """

    slope: float
    intercept: float
    crowd: float
    agreed: float

    def at(self, logit: float, sentences: float, *, agreed: bool = False) -> float:
        """Return the log-odds of one of the ``sentences`` of an answer, with which a statement may have ``agreed``."""
        crowd = self.crowd * math.log(max(1.0, sentences))
        return self.slope * logit + self.intercept - crowd - self.agreed * agreed


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """One bad case, unsupported or contradicted, in one kind of context.

    ``claim`` turns the trees' log-odds of a claim into log-odds at even odds: of both classes alike, and 0 where the
    bad case is called. ``answer`` turns those of an answer's worst claim, over tables those of all together, into the
    log-odds that some claim of the answer is bad. So an answer is called where its worst claim is, at the probability
    `threshold`.
    """

    claim: Line
    answer: Line

    @property
    def threshold(self) -> float:
        """The probability of an answer whose worst claim is called, but only just."""
        return sigmoid(self.answer.intercept)


@dataclass(frozen=True, slots=True)
class SupportModel:
    """Everything that was trained for one kind of context.

    The groups of ``trees``: unsupported, contradicted, slip.
    """

    trees: Trees
    support: OperatingPoint
    conflict: OperatingPoint
    slip: SlipLine


@cached(maxsize=len(KINDS))
def support_model(kind: ContextKind) -> SupportModel:
    """Return the shipped model for a kind of context, read once."""
    support, contradiction = read_model(f"support_{kind}"), read_model(f"contradiction_{CONTRADICTION_OF[kind]}")
    return SupportModel(_trees(kind), _point(support, kind), _point(contradiction, kind), _slip(kind))


CONTRADICTION_OF: Mapping[ContextKind, str] = {
    "structured": "structured", "tables": "tables", "passages": "prose", "text": "prose",
}  # fmt: skip
"""The forest of contradictions of each kind of context: people marked few in prose, so both kinds of it share one."""


def _trees(kind: ContextKind) -> Trees:
    contradiction = read_model(f"contradiction_{CONTRADICTION_OF[kind]}")
    return trees(read_model(f"support_{kind}"), contradiction, read_model("slip"))


def _point(content: Mapping[str, Any], kind: ContextKind) -> OperatingPoint:
    lines = content["points"][kind]
    return OperatingPoint(claim=Line(**lines["claim"]), answer=Line(**lines["answer"]))


def _slip(kind: ContextKind) -> SlipLine:
    return SlipLine(**read_model("slip")["points"][kind])


def kind_of(context: Context) -> ContextKind:
    """Return what can be seen of a context."""
    if context.structured:
        return "tables" if _tabular(context) else "structured"
    if _gridded(context):
        return "tables"
    return "passages" if len(context.sources) > 1 else "text"


def _tabular(context: Context) -> bool:
    """Return whether structured data is a table of many rows, and all of it fits into cells."""
    if max((len(table.rows) for table in context.tables), default=0) < MANY_ROWS:
        return False
    return all(len(sentence.words) <= MAX_CELL for source in context.sources for sentence in source.sentences)


def _gridded(context: Context) -> bool:
    """Return whether every text is nothing but tables of many rows, and keys with values: CSV, columns, markdown."""
    tables = context.tables
    if not tables or max(len(table.rows) for table in tables) < MANY_ROWS:
        return False
    lines = [line.strip(" -|:=+_*\t\r") for source in context.sources for line in source.text.split("\n")]
    read = sum(1 for line in lines if line and line[0] != "#")
    told = sum(len(table.rows) + 1 if len(table.rows) > 1 else len(table.values) for table in tables)
    return told >= GRIDDED * read or any(len(table.rows) == MAX_ROWS for table in tables)


GRIDDED = 0.9
"""Share of the lines of a context that stand in tables from which on it is one, but for comments and headings."""

MANY_ROWS = 4
"""Rows of a table from which on what it says is counted, compared and ranked; fewer are told one by one."""


class ClaimVerdict(NamedTuple):
    """What is said of one claim: the probabilities at even odds that it is supported and contradicted, and its label.

    ``label`` and numbers agree: contradicted from ``contradicted`` one half, supported above ``supported`` one half,
    else unsupported. The two probabilities never add up to more than one.
    """

    supported: float
    contradicted: float
    label: SupportLabel


class AnswerVerdict(NamedTuple):
    """What is said of an answer: how likely some claim is unsupported, and contradicted, and its worst claim's label.

    ``flagged``: the label is not supported, which is where ``unsupported`` is at least its operating point.
    """

    unsupported: float
    conflict: float
    label: SupportLabel

    @property
    def flagged(self) -> bool:
        """Whether some claim is unsupported or contradicted."""
        return self.label != "supported"


def claim_verdicts(
    table: Sequence[Sequence[float]],
    kind: ContextKind,
    strengths: Sequence[float],
    foreign: Sequence[bool],
    settled: Sequence[bool],
    *,
    slips: bool = True,
) -> list[ClaimVerdict]:
    """Return what is said of each claim by its row of features and its strongest decisive difference.

    ``foreign`` ones hold no word of their context, and are doubted at least as much as `FOREIGN`. What is ``settled``
    is told in so many words, or follows from what is told: trees find no fault with it. ``slips`` tells whether one of
    them may be a statement of the context with one thing changed.
    """
    model = support_model(kind)
    doubts, against, slipping = model.trees.logits(table).tolist()
    column, agreed = model.trees.features.index("claims"), model.trees.features.index("statement_agrees")
    return [
        claim_verdict(
            max(doubt, FOREIGN) if other else doubt,
            opposed,
            -math.inf if done or not slips else slip,
            kind,
            strength,
            row[column],
            agreed=done or row[agreed] > 0,
        )
        for doubt, opposed, slip, strength, other, done, row in zip(
            doubts, against, slipping, strengths, foreign, settled, table, strict=True
        )
    ]


def claim_verdict(
    doubt: float,
    against: float,
    slip: float,
    kind: ContextKind,
    strength: float = 0.0,
    sentences: float = 1.0,
    *,
    agreed: bool = False,
) -> ClaimVerdict:
    """Return what is said of a claim by the trees and by the strongest difference of statements.

    ``doubt``, ``against`` and ``slip`` are the trees' log-odds that it is unsupported, contradicted, and a statement of
    the context with one thing changed, which is both, among the ``sentences`` of its answer; ``strength`` is that of a
    `Difference` which contradicts it, 0 where there is none. What is contradicted is unsupported, so the contradiction
    is at most the doubt, and over prose it takes a slip or a difference. A difference at even odds makes the claim
    contradicted, and leaves it a support of at most ``1 - strength``. Below its operating point a slip tells nothing.
    With what a statement has ``agreed`` the first two find no fault, and a slip must be the surer.

    >>> claim_verdict(-6.0, -6.0, -6.0, "text").label
    'supported'
    >>> claim_verdict(-6.0, -6.0, -6.0, "text", strength=0.95)
    ClaimVerdict(supported=0.05, contradicted=0.95, label='contradicted')
    """
    model = support_model(kind)
    slipped = model.slip.at(slip, sentences, agreed=agreed)
    most = ACQUITTED if agreed else math.inf
    if slipped <= 0:
        slipped = -math.inf
    doubted = sigmoid(max(min(model.support.claim.at(doubt), most), slipped))
    opposed = min(doubted, sigmoid(max(min(model.conflict.claim.at(against), most), slipped)))
    if kind in _PROSE and slipped < 0:
        opposed = min(opposed, NO_REASON)
    if strength >= EVEN:
        doubted, opposed = max(doubted, strength), max(opposed, strength)
    supported = round(1 - doubted, _DECIMALS)
    opposed = min(round(opposed, _DECIMALS), round(1 - supported, _DECIMALS))
    if opposed >= EVEN:
        return ClaimVerdict(supported, opposed, "contradicted")
    return ClaimVerdict(supported, opposed, "supported" if supported > EVEN else "unsupported")


_PROSE = ("passages", "text")
NO_REASON = 0.45
"""The contradiction, at most, of a claim over prose that no difference and no slip tells apart from an invention: what
people mark as a conflict there, the forest ranks hardly better than chance."""


def answer_verdict(claims: Sequence[ClaimVerdict], kind: ContextKind, unseen: float | None = None) -> AnswerVerdict:
    """Return what is said of an answer: as its worst claim is. Without a claim nothing is unsupported.

    ``unseen`` is the share of the distinct terms of all claims that the context does not have, where that tells
    anything: see `beside_worst`.

    >>> claims = [claim_verdict(-6.0, -6.0, -6.0, "text"), claim_verdict(2.0, 2.0, 2.0, "text")]
    >>> answer_verdict(claims, "text").label
    'contradicted'
    >>> answer_verdict([], "text")
    AnswerVerdict(unsupported=0.0, conflict=0.0, label='supported')
    """
    if not claims:
        return AnswerVerdict(0.0, 0.0, "supported")
    model = support_model(kind)
    least, most = min(claim.supported for claim in claims), max(claim.contradicted for claim in claims)
    labels = {claim.label for claim in claims}
    doubt, opposed = -logit_of(least), logit_of(most)
    if unseen is not None:
        doubt = beside_worst([-logit_of(claim.supported) for claim in claims], unseen)
    if kind in TOGETHER:
        doubt = together(doubt, sum([-math.log(max(claim.supported, _EDGE)) for claim in claims], 0.0))
        opposed = together(opposed, sum([-math.log(max(1 - claim.contradicted, _EDGE)) for claim in claims], 0.0))
    return AnswerVerdict(
        unsupported=sigmoid(model.support.answer.at(doubt)),
        conflict=sigmoid(model.conflict.answer.at(opposed)),
        label=next(label for label in WORST_FIRST if label in labels),
    )


TOGETHER = frozenset({"tables"})
"""Kinds of context of which answers have many claims of one form, each of which may be wrong: doubts of all add up."""


def together(worst: float, doubts: float) -> float:
    """Return the log-odds that some claim is bad, from those of the worst and the sum of ``-ln(1 - p)`` over all.

    Claims are taken as independent. The sign is that of the worst claim, so that an answer is called where that is.

    >>> round(together(-1.0, math.log1p(math.exp(-1.0))), 9), together(1.0, 3.0) > 1, -1 < together(-1.0, 3.0) < 0
    (-1.0, True, True)
    """
    some = doubts if doubts > _LARGE else math.log(max(math.expm1(doubts), _EDGE))
    return max(some, worst) if worst >= 0 else worst * math.exp(min(0.0, worst - some))


def beside_worst(doubts: Sequence[float], unseen: float) -> float:
    """Return the log-odds that some claim of an answer over prose is bad, from those of each.

    Of two answers whose worst claims are alike, the one whose second worst claim is worse, or more of whose terms the
    context does not have (``unseen``, 0 to 1), is bad more often. The sign is that of the worst claim, so that an
    answer is called where that is.

    >>> beside_worst([-2.0, -4.0], 0.1) < beside_worst([-2.0, -2.0], 0.1) < beside_worst([-2.0, -2.0], 0.4) < 0
    True
    """
    worst, *others = sorted(doubts, reverse=True)
    second = others[0] if others else worst
    moved = worst + _SECOND * (second - worst) + _UNSEEN * unseen - _BOTH
    if (moved >= 0) == (worst >= 0):
        return moved
    near = _NEAR / (1 + abs(moved))
    return near if worst >= 0 else -near


_SECOND, _UNSEEN, _BOTH = 0.5, 3.0, 0.1
"""What the second worst claim counts beside the worst, what unseen terms count if all are, and what keeps the mean
probability of answers of RAGTruth at their share of bad ones (calibration error .05 and .04).

Chosen by AUROC on answers that no figure of the documentation is of: questions (RAGTruth's other split) .795 to .804,
summaries (CLIFF) .823 to .836, dialogue (FaithDial's audit) .774 to .786; XSum and SummEdits .776 to .774 and .585 to
.581, policies .855 to .856."""
_NEAR = 0.02

FOREIGN = 3.0
"""The log-odds of a claim with no word of its context, which trees that hardly met one may take for a matter of taste.
"""

ACQUITTED = -0.2
"""The log-odds that a claim is at most doubted with that a statement agrees with.

Of 1,100 such claims of RAGTruth people marked five, against one in ten of the others."""

EVEN = 0.5
"""The operating point of a claim, at even odds of both classes."""

_DECIMALS = 9
"""Of the probabilities of claims: a threshold is then met alike by a number and by one minus it."""

WORST_FIRST: tuple[SupportLabel, ...] = ("contradicted", "unsupported", "undecided", "supported")


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
