"""What detectors over labels and predictions say in a verdict, beside what `gates.monitoring.report` says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gates.base.verdict import SliceVerdict
from gates.evidence.intervals import WeightedTotals
from gates.evidence.judgeerror import JudgeError
from gates.evidence.powered import sides
from gates.evidence.predictions import LabelRule
from gates.monitoring.detectors import DetectorTable, Monitor
from gates.monitoring.labelled import PoweredMonitor
from gates.monitoring.report import Report
from gates.verdicts.labelled import labelled_figures, with_labels, with_scorer_drift
from gates.windowing.watermark import UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledReport(Report):
    """What is reported of labels that were drawn by a rule; ``name`` is the metric that predicts them.

    ``judge`` is whose labels they are, if not people's.
    """

    name: str
    drawing: LabelRule
    judge: JudgeError | None

    def figures(self, monitor: Monitor, totals: WeightedTotals, now: int) -> list[dict[str, Any]]:
        """Return the figures of recent answers by their labels, by slice-epoch."""
        if not isinstance(monitor, PoweredMonitor):
            return Report.figures(self, monitor, totals, now)
        return labelled_figures(
            monitor.scorer.over((now - 1) // self.rules.part),
            monitor.trusted(),
            self.drawing,
            sign=self.rules.sign,
            scale=self.scale,
            judge=self.judge,
        )

    def since_onset(self, table: DetectorTable, now: int) -> dict[int, dict[str, Any]]:
        """Return nothing: what rose are predictions corrected by labels, and figures are those of labels alone."""
        del table, now
        return {}

    def told(self, verdict: SliceVerdict, monitor: Monitor, epoch: int, now: int) -> SliceVerdict:
        """Return the verdict with what labels add: how many there are, and whether the scorer has drifted."""
        if not isinstance(monitor, PoweredMonitor):
            return verdict
        scorer, part = monitor.scorer, (now - 1) // self.rules.part
        verdict = with_labels(verdict, scorer.over(part), epoch, self.drawing)
        up, down = sides(scorer.evidence[epoch])
        shown = {"scorer_e_value": float(max(up, down))}
        alarmed = int(scorer.alarmed[epoch])
        drifted = alarmed != UNKNOWN and (now - alarmed <= self.rules.hold or monitor.still_differs(epoch, part))
        if not drifted:
            return verdict.model_copy(update={"evidence": {**verdict.evidence, **shown}})
        return with_scorer_drift(verdict, self.name, int(scorer.way[epoch]), shown | {"scorer_drift": 1.0})
