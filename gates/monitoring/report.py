"""What detectors say in a verdict: of each slice, and of all traffic where that fails as a whole."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np

from gates.base.verdict import Outcome, SliceVerdict
from gates.evidence import detector, recovery
from gates.evidence.arrays import Bools, Floats
from gates.evidence.intervals import WeightedTotals
from gates.inputs.changes import Change
from gates.inputs.slices import Slice
from gates.monitoring.alarms import parent_threshold
from gates.monitoring.detectors import MEAN, PARENT, PARTS, CreepTable, Monitor
from gates.monitoring.levels import alarm_rates, alarm_thresholds
from gates.monitoring.rules import Rules
from gates.units.duration import format_duration
from gates.units.instants import tick_end
from gates.units.scale import Scale
from gates.verdicts.summary import ANSWERS_NEEDED, figures, too_few
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import UNKNOWN

NAMED_SUSPECTS = 3
"""Slices that are named where several are worse and not told apart."""

FEWER, FAR_FEWER = 2.0, 10.0
"""A slice has fallen silent with too few answers to be judged and this much less than usual, or with this much less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is reported, and in which words: ``metric`` is judged over the last ``window``.

    ``strata`` says whether answers are compared inside of some, ``reference`` how far back a change may be the cause,
    ``past`` which changes there were.
    """

    metric: str
    scale: Scale
    rules: Rules
    window: timedelta
    reference: timedelta
    min_answers: int
    strata: bool
    past: Sequence[Change]

    def judged(self, monitor: Monitor, index: SeriesIndex, now: int) -> Iterator[SliceVerdict]:
        """Yield the verdicts, all ticks before ``now`` being folded; all traffic comes first, where it fails."""
        epochs, series, recent, rules = monitor.epochs, monitor.series, monitor.recent, self.rules
        totals = recent.over((now - 1) // rules.part, PARTS)
        usual = self._usual(monitor)
        quiet = now - epochs.heard
        silent = (totals.n == 0.0) & (usual >= self.min_answers) & (quiet <= rules.week)
        crept = monitor.creep.epochs.failing
        there = (totals.n > 0.0) | silent | (epochs.failing | crept) & (quiet <= rules.reference)
        yield from self._whole(monitor, index, totals, there & epochs.current)
        shown = self.figures(monitor, totals, now)
        watched = epochs.watched(now, rules)
        thresholds, ratios = alarm_thresholds(series, epochs, watched, rules)
        for epoch in index.latest(recent.last, there):
            slice_, mine = index.epochs[epoch][0], series.epoch == epoch
            evidence = {"e_value": float(epochs.level[epoch]), "threshold": float(thresholds[epoch])}
            evidence |= alarm_rates(float(thresholds[epoch]), float(ratios[epoch]), rules.count(watched))
            evidence |= self._slow(monitor.creep.epochs, epoch, rules.creep_threshold(watched))
            ready = bool(epochs.updated_at[epoch] != UNKNOWN)
            if ready and np.count_nonzero(mine) == 1:
                evidence["level"] = self._own(float(series.q0[mine][0]))
            n, alarmed = shown[epoch]["n"], int(epochs.alarmed[epoch])
            outcome: Outcome = "inconclusive"
            if epochs.failing[epoch]:
                evidence["recovery"] = float(detector.level(epochs.proof[epoch]))
                evidence["recovery_needed"] = recovery.NEEDED
                outcome, reason = "fail", self._fails(alarmed, shown[epoch], evidence)
            elif crept[epoch]:
                alarmed = int(monitor.creep.epochs.alarmed[epoch])
                outcome, reason = "fail", self._has_crept(monitor.creep.epochs, epoch)
                evidence |= {"e_value": evidence["creep_e_value"], "threshold": evidence["creep_threshold"]}
            elif self._fallen(n, float(usual[epoch])):
                reason = self._silent(n, float(usual[epoch]))
            elif not ready:
                reason, needed = self._warming_up(int(series.seen.n[mine].max()))
                evidence[ANSWERS_NEEDED] = float(needed)
            elif n < self.min_answers:
                reason = too_few(n, self.min_answers, self.window)
                evidence[ANSWERS_NEEDED] = float(self.min_answers - n)
            else:
                outcome, reason = "pass", self._passes(n, evidence)
            verdict = SliceVerdict(
                slice=dict(slice_),
                state=outcome,
                reason=reason,
                **shown[epoch],
                evidence=evidence,
                alarmed_at=None if alarmed == UNKNOWN else tick_end(alarmed, rules.tick),
                cause=self._cause(slice_, alarmed, together=bool(epochs.together[epoch]))
                if outcome == "fail"
                else None,
            )
            yield self.told(verdict, monitor, epoch, now)

    def figures(self, monitor: Monitor, totals: WeightedTotals, now: int) -> list[dict[str, Any]]:
        """Return the figures of recent answers, by slice-epoch; ``totals`` are theirs."""
        del monitor, now
        return figures(totals, sign=self.rules.sign, scale=self.scale)

    def told(self, verdict: SliceVerdict, monitor: Monitor, epoch: int, now: int) -> SliceVerdict:
        """Return the verdict over a slice-epoch with what else is to be said of it."""
        del monitor, epoch, now
        return verdict

    def _whole(
        self, monitor: Monitor, index: SeriesIndex, totals: WeightedTotals, there: Bools
    ) -> Iterator[SliceVerdict]:
        """Yield the verdict over all traffic, if it fails as a whole, or by slices that are not told apart yet."""
        epochs, groups = monitor.epochs, monitor.groups
        live = np.zeros(len(groups.level), np.bool_)
        live.reshape(-1, 2)[epochs.group[there]] = True
        rows = sorted(np.flatnonzero(groups.failing & live).tolist(), key=lambda row: (row % 2, groups.alarmed[row]))
        slow = monitor.creep.groups
        creeping = np.flatnonzero(slow.failing & live[PARENT::2]).tolist()
        if not rows and not creeping:
            return
        # The last total is a maximum.
        n, weight, weighted = (np.array([math.fsum(column[there].tolist())]) for column in totals[:-1])
        all_of = WeightedTotals(n, weight, weighted, np.array([totals.heaviest[there].max(initial=0.0)]))
        (shown,) = figures(all_of, sign=self.rules.sign, scale=self.scale)
        count = f"{np.count_nonzero(there):,} slices"
        if not rows:
            alarmed = int(slow.alarmed[creeping[0]])
            threshold = self.rules.creep_parent_threshold
            evidence = {"e_value": float(slow.level[creeping[0]]), "threshold": threshold}
            evidence |= self._slow(slow, creeping[0], threshold)
            reason = f"all {count} together: {self._has_crept(slow, creeping[0])}"
        else:
            row, alarmed = rows[0], int(groups.alarmed[rows[0]])
            evidence = {
                "e_value": float(groups.level[row]),
                "threshold": parent_threshold(monitor, row, self.rules),
                "recovery": float(detector.level(groups.proof[row])),
                "recovery_needed": recovery.NEEDED,
            }
            fails = self._fails(alarmed, shown, evidence)
            most = "" if row % 2 == PARENT else self._suspects(monitor, index, row // 2)
            some = f"some of {count}, not told apart yet (most evidence: {most})"
            reason = f"{some if most else f'all {count} together'}: {fails}"
        yield SliceVerdict(
            slice={},
            state="fail",
            reason=reason,
            **shown,
            evidence=evidence,
            alarmed_at=tick_end(alarmed, self.rules.tick),
            cause=self._cause((), alarmed, together=True),
        )

    def _suspects(self, monitor: Monitor, index: SeriesIndex, group: int) -> str:
        epochs = monitor.epochs
        mine = np.flatnonzero(epochs.suspected[:, MEAN] & (epochs.group == group) & ~epochs.failing).tolist()
        first = sorted(mine, key=lambda epoch: (-epochs.level[epoch], index.epochs[epoch]))[:NAMED_SUSPECTS]
        return ", ".join(
            "/".join(f"{name}={value}" for name, value in index.epochs[epoch][0]) + f" {epochs.level[epoch]:.3g}"
            for epoch in first
        )

    def _usual(self, monitor: Monitor) -> Floats:
        """Return how many answers a window of each slice-epoch has held of late, up to its last ones."""
        epochs, week, window = monitor.epochs, self.rules.week, self.rules.part * PARTS
        age = np.maximum(epochs.heard + 1 - epochs.first, window)
        return np.asarray(epochs.answers * math.log(2.0) * window / week / (1.0 - 0.5 ** (age / week)))

    def _fallen(self, n: int, usual: float) -> bool:
        if n < self.min_answers:
            return usual >= self.min_answers and n * FEWER < usual
        return n * FAR_FEWER < usual

    def _silent(self, n: int, usual: float) -> str:
        answers = "no scored answers" if not n else "1 answer" if n == 1 else f"{n:,} answers"
        within = format_duration(self.window)
        return (
            f"{answers} in the last {within}, where about {usual:,.0f} are usual: the slice has fallen silent,"
            " or its answers are no longer scored"
        )

    def _fails(self, alarmed: int, shown: Mapping[str, Any], evidence: Mapping[str, float]) -> str:
        reason = f"{self.metric} {self._way('fell below', 'rose above')} its reference"
        if "level" in evidence:
            reason += f" {evidence['level']:.3g}"
        reason += f": alarm at {tick_end(alarmed, self.rules.tick):%Y-%m-%d %H:%MZ}, and no recovery shown since"
        reason += f" (evidence {evidence['recovery']:.3g}; {evidence['recovery_needed']:.3g} are needed)"
        within = format_duration(self.window)
        if not shown["n"]:
            return f"{reason}, no scored answers in the last {within}"
        if "estimate" not in shown:
            return f"{reason}, {shown['n']:,} answers in the last {within}"
        return f"{reason}, mean {shown['estimate']:.3g} over {shown['n']:,} answers in the last {within}"

    def _slow(self, table: CreepTable, row: int, threshold: float) -> dict[str, float]:
        """Return the evidence of a slow detector, where it has a reference."""
        if table.updated_at[row] == UNKNOWN:
            return {}
        evidence = {"creep_e_value": float(table.level[row]), "creep_threshold": threshold}
        if table.failing[row]:
            evidence |= {"recovery": float(detector.level(table.proof[row])), "recovery_needed": recovery.NEEDED}
        return evidence

    def _has_crept(self, table: CreepTable, row: int) -> str:
        n, weight, loss, before = table.risen[row].tolist()
        since, alarmed = (tick_end(int(tick), self.rules.tick) for tick in (table.begun[row] - 1, table.alarmed[row]))
        reason = f"{self.metric} has crept from {self._own(before / weight):.3g} to {self._own(loss / weight):.3g}"
        reason += f" since {since:%Y-%m-%d}, over {n:,.0f} answers: alarm at {alarmed:%Y-%m-%d %H:%MZ}, and no recovery"
        reason += f" shown since (evidence {detector.level(table.proof[row]):.3g}; {recovery.NEEDED:.3g} are needed)"
        return reason

    def _warming_up(self, learned: int) -> tuple[str, int]:
        needed = self.rules.min_reference
        if learned < needed:
            return f"warming up: the reference has {learned:,} of the {needed:,} answers it needs", needed - learned
        return f"warming up: the reference is complete with {learned:,} answers, the next ones are judged", 1

    def _passes(self, n: int, evidence: Mapping[str, float]) -> str:
        way, alarm = self._way("fall", "rise"), f"an alarm needs {evidence['threshold']:.3g}"
        return f"no {way} shown over {n:,} answers (evidence {evidence['e_value']:.3g}; {alarm})"

    def _way(self, lower: str, higher: str) -> str:
        """Return the word for the way that is worse."""
        return lower if self.rules.sign < 0 else higher

    def _own(self, loss: float) -> float:
        """Return a loss in the metric's own units."""
        return float(self.scale.own(loss if self.rules.sign > 0 else 1.0 - loss))

    def _cause(self, slice_: Slice, alarmed: int, *, together: bool) -> str:
        what = "quality within strata" if self.strata else "quality, or the mix of traffic"
        what += "; several slices together" if together else ""
        end = tick_end(alarmed, self.rules.tick)
        since = [
            c for c in self.past if c.kind != "reference" and end - self.reference <= c.at <= end and c.touches(slice_)
        ]
        return what + (f"; last change before it: {since[-1].title}" if since else "")
