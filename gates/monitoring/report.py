"""What detectors say in a verdict: of each slice, and of all traffic where that fails as a whole."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import numpy as np

from gates.base.verdict import Outcome, SliceVerdict
from gates.evidence import creep, detector, recovery
from gates.evidence.arrays import Bools
from gates.evidence.intervals import WeightedTotals
from gates.inputs.changes import Change
from gates.inputs.slices import Slice
from gates.monitoring.alarms import parent_threshold
from gates.monitoring.detectors import MEAN, PARENT, PARTS, CreepSums, CreepTable, DetectorTable, Monitor, Rise
from gates.monitoring.levels import HeldAgainst, alarm_thresholds, held_against
from gates.monitoring.measured import OTHERS, creep_evidence, measured
from gates.monitoring.passing import recovered, smallest_found, worth_since
from gates.monitoring.rules import Rules
from gates.monitoring.silence import (
    USUAL,
    fallen,
    missing,
    never_enough,
    unjudged_strata,
    usual_answers,
    warming_strata,
    warming_up,
)
from gates.units.duration import format_duration
from gates.units.instants import tick_end
from gates.units.scale import Scale
from gates.verdicts.summary import ANSWERS_NEEDED, DETECTABLE, REFERENCE, agreeing, counted, figures, subject, too_few
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import UNKNOWN

MIXED = " for the mix of strata of the last two days"
"""What a reference is over where answers are compared inside of strata: another mix has another mean."""

NAMED_SUSPECTS = 3
"""Slices that are named where several are worse and not told apart."""

ALPHA = 0.05
"""The error of each end of an interval, over all beginnings of a fall together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is reported, and in which words: ``metric`` is judged over the last ``window``.

    ``strata`` says whether answers are compared inside of some, ``reference`` how far back a change may be the cause,
    ``past`` which changes there were, and ``unscored`` how many answers of a slice came without a score in that time.
    """

    metric: str
    scale: Scale
    rules: Rules
    window: timedelta
    reference: timedelta
    min_answers: int
    strata: bool
    past: Sequence[Change]
    unscored: Mapping[Slice, int] = field(default_factory=dict)

    def judged(self, monitor: Monitor, index: SeriesIndex, now: int) -> Iterator[SliceVerdict]:
        """Yield the verdicts, all ticks before ``now`` being folded; all traffic comes first, where it fails."""
        epochs, series, recent, rules = monitor.epochs, monitor.series, monitor.recent, self.rules
        totals, usual = recent.over((now - 1) // rules.part, PARTS), usual_answers(epochs, rules)
        quiet = now - epochs.heard
        silent = (totals.n == 0.0) & (usual >= self.min_answers) & (quiet <= rules.week)
        crept = monitor.creep.epochs.failing
        there = (totals.n > 0.0) | silent | (epochs.failing | crept) & (quiet <= rules.reference)
        levels = held_against(series, len(epochs.level))
        yield from self._whole(monitor, index, totals, there & epochs.current, levels, now)
        shown = self.figures(monitor, totals, now)
        watched = epochs.watched(now, rules)
        thresholds, ratios = alarm_thresholds(series, epochs, watched, rules)
        risen = self.since_onset(epochs, now)
        back, eras = recovered(monitor, now, rules), np.bincount(epochs.slice)
        worth = np.array([each["effective_n"] for each in shown])
        found = smallest_found(levels, worth_since(monitor, worth, back, now, rules), thresholds, rules)
        learned = np.zeros(len(epochs.level))
        np.maximum.at(learned, series.epoch, series.seen.n)
        evidences = measured(monitor, levels, (thresholds, ratios), now, rules, self._own)
        for epoch in index.latest(recent.last, there):
            slice_ = index.epochs[epoch][0]
            about, figures_of = subject(self.metric, slice_), shown[epoch]
            evidence, ready = evidences[epoch], bool(epochs.updated_at[epoch] != UNKNOWN)
            n, alarmed, inside = figures_of["n"], int(epochs.alarmed[epoch]), False
            outcome: Outcome = "inconclusive"
            if epochs.failing[epoch]:
                outcome, inside = "fail", epoch in risen
                reason, figures_of = self._has_fallen(about, epochs, epoch, risen.get(epoch), figures_of, evidence)
            elif crept[epoch]:
                slow, outcome, inside = monitor.creep.epochs, "fail", True
                alarmed, lately = int(slow.alarmed[epoch]), self._lately(figures_of)
                reason, figures_of = (
                    self._has_crept(about, slow, epoch, lately),
                    self._since_creep(slow, epoch, evidence),
                )
            elif undecided := self._undecided(
                about,
                n,
                unscored=self.unscored.get(slice_, 0),
                usual=float(usual[epoch]),
                learned=None if ready else int(learned[epoch]),
                anew=bool(eras[epochs.slice[epoch]] > 1),
                learning=float(levels.learning[epoch]),
                age=now - int(epochs.first[epoch]),
            ):
                reason, facts = undecided
                evidence |= facts
            else:
                evidence[DETECTABLE] = self._own(float(found[epoch]))
                outcome, reason = "pass", self._passes(about, figures_of, evidence, int(back[epoch]))
                reason += unjudged_strata(float(levels.learning[epoch]))
            verdict = SliceVerdict(
                slice=dict(slice_),
                state=outcome,
                reason=reason,
                **figures_of,
                evidence=evidence,
                alarmed_at=None if alarmed == UNKNOWN else tick_end(alarmed, rules.tick),
                cause=self._cause(slice_, alarmed, together=bool(epochs.together[epoch]))
                if outcome == "fail"
                else None,
            )
            if ready:
                verdict = agreeing(verdict, evidence["level"], worse=rules.sign, inside=inside)
            yield self.told(verdict, monitor, epoch, now)

    def figures(self, monitor: Monitor, totals: WeightedTotals, now: int) -> list[dict[str, Any]]:
        """Return the figures of recent answers, by slice-epoch; ``totals`` are theirs."""
        del monitor, now
        return figures(totals, sign=self.rules.sign, scale=self.scale)

    def since_onset(self, table: DetectorTable, now: int) -> dict[int, dict[str, Any]]:
        """Return the figures of the answers since the evidence of what fails began to grow, by row of the table.

        When that was is told by the answers themselves. So the interval holds for all beginnings together: one ``j``
        ticks ago has an error of ``ALPHA / (j (j + 1))`` at each end, and these sum to `ALPHA` (the union bound).
        """
        rows = np.flatnonzero(table.failing & (table.onset != UNKNOWN) & (table.rise[:, 0] > 0.0))
        if not rows.size:
            return {}
        age = np.maximum(now - table.onset[rows], 1).astype(np.float64)
        rise = Rise(*table.rise[rows].T)
        shown = figures(rise.totals, sign=self.rules.sign, scale=self.scale, alpha=ALPHA / (age * (age + 1.0)))
        return dict(zip(rows.tolist(), shown, strict=True))

    def told(self, verdict: SliceVerdict, monitor: Monitor, epoch: int, now: int) -> SliceVerdict:
        """Return the verdict over a slice-epoch with what else is to be said of it."""
        del monitor, epoch, now
        return verdict

    def _whole(
        self, monitor: Monitor, index: SeriesIndex, totals: WeightedTotals, there: Bools, levels: HeldAgainst, now: int
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
            yield self._together(monitor, creeping[0], shown, count)
            return
        row, alarmed = rows[0], int(groups.alarmed[rows[0]])
        lately, risen, onset = self._lately(shown), self.since_onset(groups, now), UNKNOWN
        evidence = {
            "e_value": float(groups.level[row]),
            "threshold": parent_threshold(monitor, row, self.rules),
            "recovery": float(detector.level(groups.proof[row])),
            "recovery_needed": recovery.NEEDED,
        }
        if row in risen:
            shown, onset = risen[row], int(groups.onset[row])
            held = there & (epochs.group == row // 2) & (levels.level > 0.0)
            evidence["level"] = self._own(_mean_level(groups, row))
            evidence[REFERENCE] = self._own(float(np.average(levels.mean[held], weights=levels.traffic[held])))
        told = self._fails(self.metric, alarmed, onset, shown, evidence, lately)
        if row % 2 == PARENT:
            reason = f"all {count} together: {told}"
        else:
            most = self._suspects(monitor, index, row // 2)
            reason = f"some of {count}, not told apart yet (most evidence: {most}): {told}"
        verdict = SliceVerdict(
            slice={},
            state="fail",
            reason=reason,
            **shown,
            evidence=evidence,
            alarmed_at=tick_end(alarmed, self.rules.tick),
            cause=self._cause((), alarmed, together=True),
        )
        yield agreeing(verdict, evidence["level"], worse=self.rules.sign, inside=True) if row in risen else verdict

    def _suspects(self, monitor: Monitor, index: SeriesIndex, group: int) -> str:
        epochs = monitor.epochs
        mine = np.flatnonzero(epochs.suspected[:, MEAN] & (epochs.group == group) & ~epochs.failing).tolist()
        first = sorted(mine, key=lambda epoch: (-epochs.level[epoch], index.epochs[epoch]))[:NAMED_SUSPECTS]
        return ", ".join(
            "/".join(f"{name}={value}" for name, value in index.epochs[epoch][0]) + f" {epochs.level[epoch]:.3g}"
            for epoch in first
        )

    def _has_fallen(
        self,
        about: str,
        epochs: DetectorTable,
        epoch: int,
        risen: dict[str, Any] | None,
        shown: dict[str, Any],
        evidence: dict[str, float],
    ) -> tuple[str, dict[str, Any]]:
        """Return why a slice fails and the figures of it: since its evidence began to grow, where that is known."""
        evidence["recovery"] = float(detector.level(epochs.proof[epoch]))
        evidence["recovery_needed"] = recovery.NEEDED
        lately, onset = self._lately(shown), UNKNOWN
        if risen is not None:
            shown, onset = risen, int(epochs.onset[epoch])
            evidence["level"] = self._own(_mean_level(epochs, epoch))
        return self._fails(about, int(epochs.alarmed[epoch]), onset, shown, evidence, lately), shown

    def _fails(
        self,
        about: str,
        alarmed: int,
        onset: int,
        shown: Mapping[str, Any],
        evidence: Mapping[str, float],
        lately: str,
    ) -> str:
        tick = self.rules.tick
        others = evidence.get(OTHERS, 0.0)
        if others == 1.0:
            # It need never have been better, so it moved from nowhere.
            reason = f"{about} is {self._way('below', 'above')} the other slices' mean"
        else:
            reason = f"{about} {self._way('fell below', 'rose above')} its reference"
        if REFERENCE in evidence:
            reason += f" {evidence[REFERENCE]:.3g}{MIXED if self.strata else ''}"
        if others:
            reason += f" ({_held_against_others(others)})"
        if onset != UNKNOWN:
            moved = "" if others == 1.0 else f"from {evidence.get(REFERENCE, evidence['level']):.3g} to "
            reason += f": {moved}{shown['estimate']:.3g} over {counted(shown['n'])}"
            reason += f" since {tick_end(onset - 1, tick):%Y-%m-%d %H:%M UTC}"
        reason += f"; alarm at {tick_end(alarmed, tick):%Y-%m-%d %H:%M UTC}, and no recovery shown since"
        return f"{reason} {_recovering(evidence['recovery'])}; {lately}"

    def _lately(self, shown: Mapping[str, Any]) -> str:
        """Return what the last window holds."""
        within = format_duration(self.window)
        if not shown["n"]:
            return f"no scored answers in the last {within}"
        mean = f"mean {shown['estimate']:.3g} over " if "estimate" in shown else ""
        return f"{mean}{counted(shown['n'])} in the last {within}"

    def _together(self, monitor: Monitor, row: int, shown: Mapping[str, Any], count: str) -> SliceVerdict:
        """Return the verdict over all traffic that has crept; ``shown`` are the figures of the window."""
        slow, threshold = monitor.creep.groups, self.rules.creep_parent_threshold
        told = self._has_crept(self.metric, slow, row, self._lately(shown))
        evidence = creep_evidence(slow, row, threshold)
        risen = self._since_creep(slow, row, evidence)
        alarmed = int(slow.alarmed[row])
        verdict = SliceVerdict(
            slice={},
            state="fail",
            reason=f"all {count} together: {told}",
            **risen,
            evidence=evidence,
            alarmed_at=tick_end(alarmed, self.rules.tick),
            cause=self._cause((), alarmed, together=True),
        )
        return agreeing(verdict, evidence["level"], worse=self.rules.sign, inside=True)

    def _since_creep(self, table: CreepTable, row: int, evidence: dict[str, float]) -> dict[str, Any]:
        """Return the figures of the answers since a creep began, and add to the evidence what they are held against.

        The interval holds for every cohort at once.
        """
        evidence["level"] = evidence[REFERENCE] = self._before(table, row)
        evidence |= {"e_value": evidence["creep_e_value"], "threshold": evidence["creep_threshold"]}
        return self._crept(table, row)

    def _crept(self, table: CreepTable, row: int) -> dict[str, Any]:
        sums = CreepSums(*table.risen[row : row + 1].T)
        totals = WeightedTotals(sums.n, sums.weight, sums.loss, sums.heaviest)
        return figures(totals, sign=self.rules.sign, scale=self.scale, alpha=ALPHA / creep.COHORTS)[0]

    def _before(self, table: CreepTable, row: int) -> float:
        """Return the mean of the reference that the answers since a creep began are held against."""
        sums = CreepSums(*table.risen[row].tolist())
        return float(self._own(sums.before / sums.weight))

    def _has_crept(self, about: str, table: CreepTable, row: int, lately: str) -> str:
        since, alarmed = (tick_end(int(tick), self.rules.tick) for tick in (table.begun[row] - 1, table.alarmed[row]))
        shown = self._crept(table, row)
        reason = f"{about} has crept from {self._before(table, row):.3g} to {shown['estimate']:.3g} over"
        reason += f" {counted(shown['n'])} since {since:%Y-%m-%d %H:%M UTC}; alarm at {alarmed:%Y-%m-%d %H:%M UTC}"
        return f"{reason}, and no recovery shown since {_recovering(float(detector.level(table.proof[row])))}; {lately}"

    def _undecided(
        self,
        about: str,
        n: int,
        *,
        unscored: int,
        usual: float,
        learned: int | None,
        anew: bool,
        learning: float,
        age: int,
    ) -> tuple[str, Mapping[str, float]] | None:
        """Return why a slice of ``age`` ticks with ``n`` recent answers cannot pass, with evidence of that, if so.

        ``usual`` is how many answers a window usually holds, ``learned`` how many its reference has while it warms up,
        ``anew`` says that it had another before, and ``learning`` is the part of its answers in strata that have none.
        """
        least, window = self.min_answers, self.window
        if fallen(n, usual, least):
            return missing(about, n, unscored, usual, least, window), {USUAL: usual, "unscored": float(unscored)}
        if learned is not None:
            reason, needed = warming_up(about, learned, usual, age, self.rules)
            reason += "; it begins anew since the scorer changed, or somebody asked for it" if anew else ""
            return reason, {ANSWERS_NEEDED: float(needed)}
        if warming := warming_strata(about, learning, self.rules):
            return warming, {ANSWERS_NEEDED: float(self.rules.min_reference)}
        if n >= least:
            return None
        needs = {ANSWERS_NEEDED: float(least - n)}
        if usual < least and age >= self.rules.part * PARTS:
            return never_enough(about, n, usual, least, window), {USUAL: usual, **needs}
        return too_few(about, n, least, window), needs

    def _passes(self, about: str, shown: Mapping[str, Any], evidence: Mapping[str, float], back: int) -> str:
        """Return why a slice passes; the window of one that came ``back`` in it holds the answers of before as well."""
        way, alarm = self._way("fall", "rise"), f"an alarm needs {evidence['threshold']:.3g}"
        reason = f"no {way} of {about} shown over {counted(shown['n'])} in the last {format_duration(self.window)}"
        mean = f"mean {shown['estimate']:.3g}, " if "estimate" in shown else ""
        if back != UNKNOWN:
            since, mean = f"{tick_end(back, self.rules.tick):%Y-%m-%d %H:%M UTC}", ""
            reason = f"no {way} of {about} shown since its recovery at {since}"
        others = evidence.get(OTHERS, 0.0)
        held = ("the other slices' mean" if others == 1.0 else "reference") + f" {evidence[REFERENCE]:.3g}"
        held += MIXED if self.strata else ""
        held += f", as {_held_against_others(others)}" if others else ""
        reason += f" ({mean}{held}; evidence {evidence['e_value']:.3g}; {alarm})"
        if back != UNKNOWN:
            reason += f"; with what came before that, {self._lately(shown)}"
        if evidence[DETECTABLE] == self._own(1.0):
            return f"{reason}; no {way} would have been found by so few answers"
        return f"{reason}; a {way} to {evidence[DETECTABLE]:.3g} would have been found"

    def _way(self, lower: str, higher: str) -> str:
        """Return the word for the way that is worse."""
        return lower if self.rules.sign < 0 else higher

    def _own(self, loss: Any) -> Any:
        """Return a loss, or many, in the metric's own units."""
        return self.scale.own(loss if self.rules.sign > 0 else 1.0 - loss)

    def _cause(self, slice_: Slice, alarmed: int, *, together: bool) -> str:
        what = "quality within strata" if self.strata else "quality, or the mix of traffic"
        what += "; several slices together" if together else ""
        end = tick_end(alarmed, self.rules.tick)
        since = [
            c for c in self.past if c.kind != "reference" and end - self.reference <= c.at <= end and c.touches(slice_)
        ]
        return what + (f"; last change before it: {since[-1].title}" if since else "")


def _recovering(evidence: float) -> str:
    """Return the evidence of a recovery and what it must reach.

    >>> _recovering(0.0312), _recovering(1240.4)
    ('(evidence 0.0312; 2,000 are needed)', '(evidence 1,240; 2,000 are needed)')
    """
    shown = float(f"{evidence:.3g}")
    return f"(evidence {shown:,.12g}; {recovery.NEEDED:,.0f} are needed)"


def _held_against_others(part: float) -> str:
    """Return why a slice is held against other slices, for this part of its traffic."""
    if part == 1.0:
        return "it has too few answers for a reference of its own"
    return f"{100.0 * part:.0f} % of it has too few answers for that and is held against the other slices"


def _mean_level(table: DetectorTable, row: int) -> float:
    """Return the mean level that the answers since the onset were held against."""
    rise = Rise(*table.rise[row].tolist())
    return float(rise.level / rise.weight)
