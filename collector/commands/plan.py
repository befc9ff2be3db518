"""`groundwire gate plan`: what can be expected of the gates of a configuration, by simulation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from math import isinf, isnan
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from collector.commands.columns import aligned
from collector.commands.escape import one_line
from collector.commands.progress import watched
from collector.commands.replay import length_of, reader_for, recorded
from collector.errors import ConfigError
from gates.base import Gate
from gates.drift import DriftGate
from gates.inputs.observations import MICROSECOND, Floats
from gates.release import ReleaseGate
from gates.replay.reader import Recording
from gates.simulation import traffic as worlds
from gates.simulation.plan import (
    Delay,
    Quiet,
    Rollout,
    Scene,
    assumed,
    doubled,
    rollouts,
    scale_of,
    steady,
    worse_is_higher,
)
from gates.units.duration import format_duration

ANSWERS, SLICES = 60.0, 20
"""Scored answers an hour in a slice, and slices of a gate that has some, where neither is known."""
MOST_ANSWERS = 100_000_000
"""Answers that are simulated for one gate at most: some minutes."""
DELAYS = ("found", "answers", "median", "time", "median")
ROLLOUTS = ("rolled back", "answers", "promoted", "answers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What the command line assumes; what is ``None`` comes from history, or from the gate."""

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
    given: Assumed,
    *,
    files: Sequence[Path],
    data: str | None,
    as_json: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Print what can be expected of each gate; return 0. The traffic is that of ``files`` or ``data`` where given.

    Raises `ConfigError` for assumptions that cannot be.
    """
    told: list[str] = []
    with watched(out, err, at_end=True) as progress:

        def over(items: Iterable[Any], what: str) -> Iterator[Any]:
            return progress.over(items, f"{gate.name}: {what}", "steps")

        past = None
        if files or data is not None:
            past = recorded(files, data, reader_for(gates), progress)
        for gate in gates:
            scene = _scene(gate, given, past)
            quiet: Quiet | None = None
            found: tuple[Delay | Rollout, ...]
            if isinstance(gate, ReleaseGate):
                found = rollouts(gate, scene, over)
            else:
                quiet, found = steady(gate, scene, over)
            told += (_json if as_json else _text)(gate, scene, quiet, found)
    out.writelines(told)
    return 0


def _scene(gate: Gate, given: Assumed, past: Recording | None) -> Scene:
    higher, scale = worse_is_higher(gate), scale_of(gate)
    level, found = assumed(gate)
    draw, slices, answers = worlds.failing(level, scale), _slices(gate), ANSWERS
    try:
        _possible(gate, given)
        if past is not None:
            values, slices, answers = _before(gate, past)
            draw, level = worlds.resampled(values), float(values.mean())
            found = doubled(level, higher=higher, scale=scale)
        if given.level is not None:
            draw, level = worlds.failing(given.level, scale), given.level
            found = doubled(level, higher=higher, scale=scale)
        if given.spread is not None:
            draw = worlds.graded(level, given.spread, scale)
        found = found if given.to is None else given.to
        if not (level < found if higher else found < level):
            raise ValueError(f"from {level:.4g} to {found:.4g} nothing gets worse: see --level and --to")  # noqa: TRY301
        scene = Scene(
            draw=draw,
            level=level,
            found=found,
            scale=scale,
            slices=given.slices or slices,
            answers=given.answers or answers,
            shares=_shares(given.shares),
            rollout=length_of("--rollout", given.rollout, least=timedelta(hours=1), most=timedelta(days=31)),
            weeks=given.weeks,
            runs=given.runs,
            seed=given.seed,
        )
    except ValueError as error:
        raise ConfigError(f"{gate.name}: {error}") from error
    simulated = scene.answers * 24 * 7 * (scene.weeks + 5) * max(scene.slices, scene.runs)
    if simulated > MOST_ANSWERS and not isinstance(gate, ReleaseGate):
        few = "fewer --answers, --slices, --runs or --weeks"
        raise ConfigError(f"{gate.name}: that takes {simulated:,.0f} answers, at most {MOST_ANSWERS:,}: {few}")
    return scene


def _possible(gate: Gate, given: Assumed) -> None:
    """Raise `ValueError` for a mean that no values of the gate's metric can have."""
    scale = scale_of(gate)
    if isinf(scale.upper):
        raise ValueError("traffic is made up for metrics with an upper bound alone")
    for name, mean in (("--level", given.level), ("--to", given.to)):
        if mean is not None and not scale.lower <= mean <= scale.upper:
            raise ValueError(f"{name} {mean:g}: {', '.join(gate.metrics)} has values from {scale}")


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
        raise ConfigError(f"--shares {one_line(text)}: expected numbers between 0 and 1, with commas between them")
    return shares


def _before(gate: Gate, past: Recording) -> tuple[Floats, int, float]:
    """Return the values of what was recorded, its number of slices, and answers an hour in each."""
    batch = past.batch
    mine = np.array([group.metric in gate.metrics for group in batch.groups], np.bool_)[batch.group]
    if not mine.any():
        raise ValueError(f"nothing is recorded of {', '.join(sorted(gate.metrics))}")
    at, values = batch.at[mine], batch.value[mine]
    seen = [dict(batch.groups[code].slice) for code in np.unique(batch.group[mine]).tolist()]
    slices = len({tuple(slice_.get(name) for name in getattr(gate, "by", ())) for slice_ in seen})
    hours = max(1.0, float(at[-1] - at[0]) / (timedelta(hours=1) / MICROSECOND))
    return values, slices, len(values) / hours / slices


def _text(gate: Gate, scene: Scene, quiet: Quiet | None, found: Sequence[Delay | Rollout]) -> Iterator[str]:
    many = f"{scene.slices} slices with {scene.answers:.4g}" if quiet is not None else f"{scene.answers:.4g}"
    yield f"{gate.name} ({gate.type}): {many} scored answers an hour, {scene.runs} runs\n"
    if quiet is not None:
        accepted = "" if quiet.accepted is None else f"; accepted: {quiet.accepted:g}"
        yield f"  false alarms a week: {quiet.alarms:.2g} +- {quiet.error:.1g}{accepted}\n"
    rows = [["  mean", *(DELAYS if quiet is not None else ROLLOUTS)]]
    rows += [[f"  {each.case}", *_cells(each)] for each in found]
    yield from aligned(rows, right=range(1, len(rows[0])))


def _cells(found: Delay | Rollout) -> list[str]:
    if isinstance(found, Delay):
        answers = [_number(each) for each in (found.answers, found.median_answers)]
        return [f"{found.share:.1%}", *answers, _hours(found.hours), _hours(found.median_hours)]
    back, on = (
        f"{share:.1%}" + (f" (at most {found.allowed:.0%})" if found.wrong == what else "")
        for share, what in ((found.rolled_back, "rolled back"), (found.promoted, "promoted"))
    )
    return [back, _number(found.rolled_back_answers), on, _number(found.promoted_answers)]


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:,.0f}"


def _hours(value: float) -> str:
    return "-" if isnan(value) else format_duration(timedelta(minutes=round(60 * value)))


def _json(gate: Gate, scene: Scene, quiet: Quiet | None, found: Sequence[Delay | Rollout]) -> Iterator[str]:
    given = {"slices": scene.slices, "answers": scene.answers, "level": scene.level, "to": scene.found}
    rows = [{name: _finite(value) for name, value in asdict(each).items()} for each in found]
    told = {
        "gate": gate.name,
        "type": gate.type,
        "policy_version": gate.policy_version,
        "assumed": given | {"runs": scene.runs, "weeks": scene.weeks, "seed": scene.seed},
        "false_alarms_per_week": None if quiet is None else asdict(quiet),
        "cases": rows,
    }
    yield json.dumps(told, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value
