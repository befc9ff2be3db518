"""A release that nothing is routed to: what came after it against what was served before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gates.base import Outcome, SliceVerdict
from gates.inputs.changes import Change
from gates.inputs.observations import Bools, instant, microseconds
from gates.monitoring import advance as steps
from gates.monitoring import detectors as monitor
from gates.monitoring.detectors import PARTS, Monitor, Rules
from gates.units.scale import Scale
from gates.verdicts.summary import figures
from gates.windowing.strata import Keyed
from gates.windowing.watermark import UNKNOWN, Rows


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unrouted:
    """The detectors of a release that is worse, and of one as good; the tick of the last release, and its version.

    ``told`` is the tick in which the last one took effect that was of the component whose version names a candidate.
    """

    worse: Monitor = field(default_factory=Monitor.empty)
    kept: Monitor = field(default_factory=Monitor.empty)
    since: int = UNKNOWN
    version: str | None = None
    told: int = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What both detectors are told, when a release passes, and with how many answers.

    ``margin`` is in the metric's unit. ``kind`` is that of a change that names a candidate; what changes within
    ``brought`` ticks after it came with it.
    """

    worse: Rules
    kept: Rules
    margin: float
    scale: Scale
    least: int
    kind: str | None
    brought: int


def advance(
    state: Unrouted, rows: Rows, watch: Watch, keyed: Keyed, releases: Sequence[tuple[int, Change, Bools]]
) -> Unrouted:
    """Return the state after these ticks; ``releases`` are those since the last, with the cells that each touches."""
    lumps = [(tick, touched) for tick, _, touched in releases]
    worse, kept = (
        steps.advance(each.grown(keyed.cell_of, keyed.names), rows, rules, lumps)
        for each, rules in ((state.worse, watch.worse), (state.kept, watch.kept))
    )
    state = replace(state, worse=worse, kept=kept)
    for tick, change, _ in releases:
        # Its own time: one that is told of late is folded later than it took effect.
        at = microseconds(change.at) // watch.worse.tick
        if change.kind == watch.kind:
            state = replace(state, since=tick, version=change.version, told=at)
        else:
            came_along = state.told != UNKNOWN and 0 <= at - state.told <= watch.brought
            state = replace(state, since=tick, version=state.version if came_along else None)
    return state


def judged(state: Unrouted, keyed: Keyed, watch: Watch, last: int) -> Iterator[SliceVerdict]:
    """Yield the verdict over every slice with answers, as of the end of the tick ``last``."""
    worse, kept, rules, lines = state.worse.cells, state.kept.cells, watch.worse, state.worse.lines
    parts = max(0, last // rules.part - state.since // rules.part)
    shown = figures(state.worse.recent.over(last // rules.part, min(parts, PARTS)), sign=rules.sign, scale=watch.scale)
    stamp = state.worse.recent.stamp.max(axis=1, initial=UNKNOWN)
    learned = np.bincount(lines.cell, weights=lines.moments[:, 0], minlength=len(shown))
    for cell in keyed.latest(stamp, stamp >= 0):
        n = shown[cell]["n"]
        outcome: Outcome = "inconclusive"
        if worse.changed[cell] == UNKNOWN:
            reason = f"no reference: {int(learned[cell])} of at least {rules.least} answers before the release"
        elif worse.alarmed[cell] >= worse.changed[cell]:
            outcome, reason = "fail", "worse than before the release"
        elif kept.alarmed[cell] >= kept.changed[cell] > UNKNOWN and n >= watch.least:
            outcome, reason = "pass", f"not worse by {watch.margin:g} than before the release"
        else:
            reason = f"{n} answers since the release, evidence not decisive yet"
        yield SliceVerdict(
            slice=dict(keyed.cells[cell][0]),
            state=outcome,
            reason=reason,
            **shown[cell],
            evidence={
                "e_rollback": float(worse.level[cell]),
                "e_promote": float(kept.level[cell]),
                "n_candidate": float(n),
                "n_baseline": float(learned[cell]),
            },
            alarmed_at=instant((int(worse.alarmed[cell]) + 1) * rules.tick) if outcome == "fail" else None,
            cause=f"release {state.version or ''}".strip() if outcome == "fail" else None,
        )


def dumped(state: Unrouted, keyed: Keyed, lines: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
    """Return a state as JSON takes it, its lines and cells in the orders given."""
    return {
        "worse": monitor.dumped(state.worse.grown(keyed.cell_of, keyed.names), lines, cells),
        "kept": monitor.dumped(state.kept.grown(keyed.cell_of, keyed.names), lines, cells),
        "since": state.since,
        "version": state.version,
        "told": state.told,
    }


def load(data: Mapping[str, Any], keyed: Keyed) -> Unrouted:
    """Restore what `dumped` returned, for keys in its order."""
    return Unrouted(
        worse=monitor.load(data["worse"], keyed.cell_of, keyed.names),
        kept=monitor.load(data["kept"], keyed.cell_of, keyed.names),
        since=data["since"],
        version=data["version"],
        told=data["told"],
    )
