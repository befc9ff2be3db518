"""`groundwire gate plan`: what to expect of the gates of a configuration, by simulation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from math import isinf, isnan
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from collector.commands.columns import aligned
from collector.commands.objects import object_line
from collector.commands.progress import watched
from collector.commands.replay import length_of, reader_for, recorded
from collector.errors import ConfigError
from collector.security.text import one_line
from gates.acceptance import AcceptanceGate
from gates.base.bounded import BoundedGate
from gates.base.gate import Gate
from gates.base.labels import by_label
from gates.drift import DriftGate
from gates.evidence.arrays import Floats
from gates.regression import RegressionGate
from gates.release import ReleaseGate
from gates.replay.reader import LABELLERS, Recording
from gates.simulation import traffic as simulated
from gates.simulation.plan import (
    Delay,
    FalseAlarms,
    Losses,
    Rollout,
    Scenario,
    assumed,
    rollouts,
    steady,
)
from gates.units.duration import format_duration
from gates.units.instants import MICROSECOND
from gates.verdicts.summary import counted

ANSWERS, SLICES = 60.0, 20
"""Scored answers an hour in a slice, and slices of a gate that has some, where neither is known."""
MOST_ANSWERS = 100_000_000
"""Answers simulated for one gate at most: some minutes."""
DELAYS = ("detected", "answers", "median", "time", "median")
ROLLOUTS = ("rolled back", "answers", "promoted", "answers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """What the command line assumes; what is ``None`` comes from a recording, or from the gate."""

    slices: int | None = None
    answers: float | None = None
    level: float | None = None
    to: float | None = None
    spread: float | None = None
    shares: str = "0.05,0.1,0.25,0.5"
    rollout: str = "1d"
    weeks: int = 4
    runs: int = 200
    seed: int = 1


def plan(
    gates: Sequence[Gate],
    assumptions: Assumptions,
    *,
    files: Sequence[Path],
    data: str | None,
    as_json: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Print what to expect of each gate; return 0. Traffic is that of ``files`` or ``data`` where there are any.

    Raises `ConfigError` for impossible assumptions.
    """
    lines: list[str] = []
    with watched(out, err, at_end=True) as progress:

        def over(items: Iterable[Any], what: str) -> Iterator[Any]:
            return progress.over(items, f"{gate.name}: {what}", "steps", every=1)

        past = None
        if files or data is not None:
            past = recorded(files, data, reader_for(gates), progress)
        for gate in gates:
            scenario = _scenario(gate, assumptions, past)
            false: FalseAlarms | None = None
            cases: tuple[Delay | Rollout, ...]
            if isinstance(gate, ReleaseGate):
                cases = rollouts(gate, scenario, over)
            else:
                false, cases = steady(gate, scenario, over)
            lines += (_json if as_json else _text)(gate, scenario, false, cases)
    out.writelines(lines)
    return 0


def _scenario(gate: Gate, assumptions: Assumptions, past: Recording | None) -> Scenario:
    if isinstance(gate, RegressionGate | AcceptanceGate):
        raise ConfigError(f"{gate.name}: a gate of type {gate.type} judges suites, of which no stream can be simulated")
    losses = Losses.of(gate)
    scale = losses.scale
    level, worse = assumed(gate)
    draw, slices, answers = simulated.failing(level, scale), _slices(gate), ANSWERS
    try:
        _possible(gate, assumptions)
        if past is not None:
            values, slices, answers = _observed(gate, past)
            draw, level = simulated.resampled(values), float(values.mean())
            worse = losses.doubled(level)
        if assumptions.level is not None:
            draw, level = simulated.failing(assumptions.level, scale), assumptions.level
            worse = losses.doubled(level)
        if assumptions.spread is not None:
            draw = simulated.graded(level, assumptions.spread, scale)
        worse = worse if assumptions.to is None else assumptions.to
        if not (level < worse if losses.higher_is_worse else worse < level):
            raise ValueError(f"a mean of {worse:.4g} is no worse than {level:.4g}: change --level or --to")  # noqa: TRY301
        scenario = Scenario(
            draw=draw,
            level=level,
            worse=worse,
            scale=scale,
            slices=assumptions.slices or slices,
            answers=assumptions.answers or answers,
            shares=_shares(assumptions.shares),
            rollout=length_of("--rollout", assumptions.rollout, least=timedelta(hours=1), most=timedelta(days=31)),
            weeks=assumptions.weeks,
            runs=assumptions.runs,
            seed=assumptions.seed,
        )
    except ValueError as error:
        raise ConfigError(f"{gate.name}: {error}") from error
    total = scenario.answers * 24 * 7 * (scenario.weeks + 5) * max(scenario.slices, scenario.runs)
    if total > MOST_ANSWERS and not isinstance(gate, ReleaseGate):
        lower = "lower --answers, --slices, --runs or --weeks"
        raise ConfigError(f"{gate.name}: the simulation takes {total:,.0f} answers, at most {MOST_ANSWERS:,}: {lower}")
    return scenario


def _possible(gate: Gate, assumptions: Assumptions) -> None:
    """Raise `ValueError` for a mean that no values of the gate's metric can have."""
    scale = Losses.of(gate).scale
    if isinf(scale.upper):
        raise ValueError("only metrics with an upper bound can be simulated")
    for name, mean in (("--level", assumptions.level), ("--to", assumptions.to)):
        if mean is not None and not scale.lower <= mean <= scale.upper:
            raise ValueError(f"{name} {mean:g}: {', '.join(gate.metrics)} ranges from {scale}")


def _slices(gate: Gate) -> int:
    if isinstance(gate, DriftGate) and gate.slices is not None:
        return gate.slices
    return SLICES if getattr(gate, "by", ()) else 1


def _shares(text: str) -> tuple[float, ...]:
    try:
        shares = tuple(float(part) for part in text.split(","))
    except ValueError:
        shares = ()
    if not shares or not all(0.0 < share < 1.0 for share in shares):
        raise ConfigError(f"--shares {one_line(text)}: expected comma-separated numbers between 0 and 1")
    return shares


def _observed(gate: Gate, past: Recording) -> tuple[Floats, int, float]:
    """Return the values of what was recorded, its number of slices, and answers an hour in each."""
    batch = past.batch
    mine = np.array([group.metric in gate.metrics for group in batch.groups], np.bool_)[batch.group]
    if past.labeller is not None:
        mine &= past.labeller == LABELLERS[None]
    values = batch.value
    if isinstance(gate, BoundedGate) and gate.counts_labels and batch.label is not None:
        mine, good = by_label(batch, mine, gate.good_labels)
        values = good.astype(np.float64)
        if not mine.any():
            raise ValueError(f"no evaluation of {gate.metric} in the recording carries a label")
    if not mine.any():
        raise ValueError(f"the recording has no evaluations of {', '.join(sorted(gate.metrics))}")
    at, values = batch.at[mine], values[mine]
    cuts = [dict(batch.groups[code].slice) for code in np.unique(batch.group[mine]).tolist()]
    slices = len({tuple(slice_.get(name) for name in getattr(gate, "by", ())) for slice_ in cuts})
    hours = max(1.0, float(at[-1] - at[0]) / (timedelta(hours=1) / MICROSECOND))
    return values, slices, len(values) / hours / slices


def _text(gate: Gate, scenario: Scenario, false: FalseAlarms | None, cases: Sequence[Delay | Rollout]) -> Iterator[str]:
    many = (
        f"{counted(scenario.slices, 'slice')} with {scenario.answers:.4g}"
        if false is not None
        else f"{scenario.answers:.4g}"
    )
    yield f"{gate.name} ({gate.type}): {many} scored answers an hour, {scenario.runs} runs\n"
    if false is not None:
        accepted = "" if false.accepted is None else f"; accepted: {false.accepted:g}"
        yield f"  false alarms a week: {false.alarms:.2g} +- {false.error:.1g}{accepted}\n"
    rows = [["  mean", *(DELAYS if false is not None else ROLLOUTS)]]
    rows += [[f"  {each.case}", *_cells(each)] for each in cases]
    yield from aligned(rows, right=range(1, len(rows[0])))


def _cells(case: Delay | Rollout) -> list[str]:
    if isinstance(case, Delay):
        answers = [_number(each) for each in (case.answers, case.median_answers)]
        return [f"{case.share:.1%}", *answers, _hours(case.hours), _hours(case.median_hours)]
    back, on = (
        f"{share:.1%}" + (f" (at most {case.allowed:.0%})" if case.wrong == what else "")
        for share, what in ((case.rolled_back, "rolled back"), (case.promoted, "promoted"))
    )
    return [back, _number(case.rolled_back_answers), on, _number(case.promoted_answers)]


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:,.0f}"


def _hours(value: float) -> str:
    return "-" if isnan(value) else format_duration(timedelta(minutes=round(60 * value)))


def _json(gate: Gate, scenario: Scenario, false: FalseAlarms | None, cases: Sequence[Delay | Rollout]) -> Iterator[str]:
    assumed = {"slices": scenario.slices, "answers": scenario.answers, "level": scenario.level, "to": scenario.worse}
    rows = [{name: _finite(value) for name, value in asdict(each).items()} for each in cases]
    report = {
        "gate": gate.name,
        "type": gate.type,
        "policy_version": gate.policy_version,
        "assumed": assumed | {"runs": scenario.runs, "weeks": scenario.weeks, "seed": scenario.seed},
        "false_alarms_per_week": None if false is None else asdict(false),
        "cases": rows,
    }
    yield object_line(report)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value
