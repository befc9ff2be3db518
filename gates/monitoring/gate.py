"""What gates have in common that take labels by people as evidence: their options, and how ticks wait for labels."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal, TypeAlias

from pydantic import Field, model_validator

from gates.base.gate import State
from gates.evidence.judgeerror import JudgeError
from gates.evidence.predictions import LabelRule, quantile
from gates.evidence.reference import ALPHA
from gates.monitoring.detectors import Monitor
from gates.monitoring.labelled import PoweredMonitor
from gates.monitoring.labelledreport import LabelledReport
from gates.monitoring.report import Report
from gates.monitoring.rules import Rules
from gates.units.duration import Duration
from gates.units.instants import MICROSECOND, Microseconds
from gates.windowing.gate import TickedGate
from gates.windowing.watermark import UNKNOWN, Windowing

LABEL_WAIT = timedelta(days=1)
LEAST_DRAWN = 0.02
MonitorKind: TypeAlias = type[Monitor]
OPTIONS = ("labels", "label_rule", "label_probability", "label_wait", "label_judge")


class LabelledGate(TickedGate):
    """A gate over one metric that may judge by labels of few answers and the metric of all."""

    labels: Literal["prediction-powered"] | None = Field(
        default=None,
        description="`prediction-powered`: labels by people are judged, and the metric predicts them where there are"
        " none, so that a scorer that drifts cannot alarm. Not given: the metric is judged.",
    )
    label_rule: Literal["active", "uniform"] = Field(
        default="active",
        description="How answers are drawn to be labelled. `active`: an answer with a predicted loss of f (0 the best"
        " value of the metric, 1 the worst) with a probability of at least f / (1 + f), and never less than"
        " `label_probability`. `uniform`: all with at least `label_probability`.",
    )
    label_probability: float = Field(
        default=LEAST_DRAWN, gt=0, le=1, description="The least probability with which any answer is labelled."
    )
    label_wait: Duration = Field(
        default=LABEL_WAIT,
        description="How long people take: a tick is folded this long after its end, with the labels that came until"
        " then. Later ones count when they arrive.",
    )
    label_judge: JudgeError | None = Field(
        default=None,
        description="Where a model labels in place of people: how often it was right on answers whose quality is known."
        " Estimates and intervals are corrected by it.",
    )

    @model_validator(mode="after")
    def _used(self) -> LabelledGate:
        fields = type(self).model_fields
        unused = sorted(name for name in OPTIONS[1:] if getattr(self, name) != fields[name].default)
        if self.labels is None and unused:
            raise ValueError(f"{unused[0]} needs labels: prediction-powered")
        return self

    @property
    def takes_labels(self) -> bool:
        """Whether labels by people are evidence."""
        return self.labels is not None

    def takes_labels_by(self, labeller: str) -> bool:
        """Whether labels by such a labeller are evidence: those of a model if its errors are known."""
        return self.takes_labels and (labeller == "model") == (self.label_judge is not None)

    @property
    def drawing(self) -> LabelRule:
        """The rule that labels are drawn by."""
        return LabelRule(self.label_probability, self.label_rule == "active")

    @property
    def waiting(self) -> timedelta:
        """How long ticks wait for labels."""
        return self.label_wait if self.takes_labels else timedelta()

    @property
    def windowing(self) -> Windowing:
        """When ticks close: later where they wait for labels."""
        plain = super().windowing
        longer = Microseconds(plain.allowed_lateness + self.waiting // MICROSECOND)
        return replace(plain, allowed_lateness=longer)

    def lag(self, state: State) -> timedelta:
        """Return how long after its end a tick is read."""
        return super().lag(state) + self.waiting

    @property
    def rules(self) -> Rules:
        """What the detectors go by."""
        raise NotImplementedError

    @property
    def _monitor(self) -> MonitorKind:
        """What detectors keep."""
        return PoweredMonitor if self.takes_labels else Monitor

    def _corrected(self, rules: Rules) -> Rules:
        """Return the rules with limits as the judge of the labels shows them: that is what is bet against."""
        judge = self.label_judge
        if judge is None:
            return rules
        tolerance = None if rules.tolerance is None else rules.tolerance * judge.power
        if rules.declared is None:
            return replace(rules, tolerance=tolerance)
        shown = judge.shown(rules.declared) + quantile(ALPHA) * judge.error(rules.declared)
        return replace(rules, tolerance=tolerance, declared=min(shown, 1.0))

    def _as_of(self, monitor: Monitor, now: int) -> int:
        """Return the tick as of which is judged: none is read before its labels were waited for."""
        if not self.takes_labels:
            return now
        folded: int = (int(monitor.recent.last.max(initial=UNKNOWN)) + 1) * self.rules.part
        return min(now, max(folded, now - self.waiting // self.length))

    def _report(self, **options: Any) -> Report:
        """Return what verdicts are told by."""
        if not self.takes_labels:
            return Report(**options)
        return LabelledReport(**options, name=self.metric, drawing=self.drawing, judge=self.label_judge)

    def _unused(self) -> set[str]:
        given: Any = () if self.takes_labels else OPTIONS
        return super()._unused() | {*given}
