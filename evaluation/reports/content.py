"""What a report says, as data: it is written as HTML, Markdown or JSON elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scorers.base import Value

ReportKind = Literal["run", "comparison", "traffic"]
ReportVerdict = Literal["release", "hold", "repair", "fine", "unclear"]
"""``release`` and ``hold`` are of a comparison; ``repair`` and ``fine`` of a run or of traffic."""


class ReportedPassage(Value):
    """A passage that an answer was given."""

    id: str
    document: str | None = None
    text: str | None = None


class ReportedScore(Value):
    """A score with why it is what it is; ``claims`` are what was found claim by claim, each with its passage."""

    metric: str
    value: float
    label: str | None = None
    explanation: str | None = None
    claims: tuple[tuple[str, str | None], ...] = ()


class ReportedAnswer(Value):
    """An answer, with what a report needs of it. ``weight`` is for how many answers it stands.

    ``identifiers``: its case names error codes, versions or the like. ``judging_...`` is what other evaluators took.
    ``expecting``: its row says what it expects of the answer, which is judged by that whatever it claims.
    """

    id: str
    question: str | None = None
    answer: str | None = None
    failed: bool = False
    group: str | None = None
    attributes: Mapping[str, str] = {}
    passages: tuple[ReportedPassage, ...] = ()
    cost_usd: float | None = None
    latency_ms: float | None = None
    total_tokens: int | None = None
    identifiers: bool = False
    expecting: bool = False
    judging_cost_usd: float | None = None
    judging_tokens: int | None = None
    weight: float = 1.0
    scores: tuple[ReportedScore, ...] = ()


class MetricFigure(Value):
    """The mean of a metric with its 95 % interval; no interval where there are fewer than two groups."""

    metric: str
    family: str
    better: Literal["higher", "lower"] | None
    help: str
    n: int
    unscored: int
    mean: float
    low: float | None = None
    high: float | None = None


class CountFigure(Value):
    """How many answers something is so for, of how many."""

    name: str
    count: int
    of: int
    detail: str = ""


class SliceFigure(Value):
    """One value of an attribute: its answers, how many have a fault, and the mean of the headline metric."""

    attribute: str
    value: str
    n: int
    faults: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None


class UsageFigure(Value):
    """Cost, latency or tokens of the answers that report them."""

    name: str
    unit: str
    n: int
    mean: float
    median: float
    p95: float
    p99: float
    total: float | None = None


class DifferenceFigure(Value):
    """A row of a comparison: what differs, how sure it is, and what could have been seen.

    ``span`` is how far the values of the metric can lie apart; of one without bounds, its larger mean.
    """

    run: str
    metric: str
    better: Literal["higher", "lower"] | None
    slice: str
    pairs: int
    baseline: float | None
    candidate: float | None
    difference: float | None
    low: float | None = None
    high: float | None = None
    p_holm: float | None = None
    detectable: float | None = None
    span: float = 1.0
    verdict: str


class RepairStep(Value):
    """What fails, in how many answers, what is to be repaired, and where it is more frequent than elsewhere.

    >>> step = RepairStep(what="citation support", answers=2, remedy="how citations are attached")
    >>> step.advice
    'Repair how citations are attached.'
    """

    what: str
    answers: int
    remedy: str | None = None
    where: str = ""

    @property
    def advice(self) -> str:
        """What to do, in words."""
        told = (self.remedy and f"Repair {self.remedy}.", self.where and f"More frequent where {self.where}.")
        return " ".join(part for part in told if part)


class MissedExpectation(Value):
    """What a row of a suite expects and its answer misses."""

    answer_id: str
    expectation: str
    why: str


class ReportSection(Value):
    """A table with what it says in a sentence, for what only some reports have."""

    title: str
    says: str = ""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class ReportedRun(Value):
    """One run of a report, or a stretch of traffic. ``expecting`` rows have expectations, and some are ``missed``.

    ``unjudged`` are the ids of answers of which no fault is known and no claim was judged, as of most refusals.
    ``correlations`` are Pearson's, of metrics that a judge gave and of their sum; ``helpfulness`` is what it says of
    that beside the sum, of one answer each.
    """

    name: str
    answers: int
    failed: int
    faults: CountFigure
    unjudged: tuple[str, ...] = ()
    metrics: tuple[MetricFigure, ...]
    caps: tuple[CountFigure, ...] = ()
    categories: tuple[CountFigure, ...] = ()
    slices: tuple[SliceFigure, ...] = ()
    usage: tuple[UsageFigure, ...] = ()
    worst: tuple[ReportedAnswer, ...] = ()
    expecting: int = 0
    missed: tuple[MissedExpectation, ...] = ()
    repairs: tuple[RepairStep, ...] = ()
    sections: tuple[ReportSection, ...] = ()
    correlations: tuple[tuple[str, str, float], ...] = ()
    helpfulness: tuple[tuple[float, float], ...] = ()
    headline: str | None = None
    origin: Mapping[str, str] = {}


class ReportSummary(Value):
    """What a list of reports says of one: the decision, and the ``runs`` that it compares or is about."""

    kind: ReportKind
    title: str
    made_at: str
    verdict: ReportVerdict
    decision: str
    runs: tuple[str, ...]
    answers: int


class ReportContent(Value):
    """A whole report. ``notes`` say what it cannot show."""

    kind: ReportKind
    title: str
    made_at: str
    groundwire: str
    verdict: ReportVerdict
    decision: str
    reasons: tuple[str, ...] = ()
    runs: tuple[ReportedRun, ...]
    differences: tuple[DifferenceFigure, ...] = ()
    decisions: tuple[Mapping[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    sections: tuple[ReportSection, ...] = ()

    @property
    def summary(self) -> ReportSummary:
        """The report in a few words."""
        return ReportSummary(
            kind=self.kind,
            title=self.title,
            made_at=self.made_at,
            verdict=self.verdict,
            decision=self.decision,
            runs=tuple(run.name for run in self.runs),
            answers=sum(run.answers for run in self.runs),
        )
