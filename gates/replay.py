"""Any gate over evaluations that were kept: when it would have said what, and why, in replayed time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

import orjson
from pydantic import Field, ValidationError

from adapters.schema import Instant
from gates.base import Gate, Outcome, SliceVerdict, State, Verdict
from gates.changes import Change
from gates.observations import MICROSECOND, Batch, Observation, instant, microseconds, pairs
from gates.values import Slice, Value

DEFAULT_TICK = timedelta(minutes=5)


class Event(Value):
    """What a gate says at one instant of replayed time: a state that changed, or an alarm.

    ``slice`` is ``{}`` for the gate as a whole. ``e_value`` is the evidence that something is worse, where the gate
    measures one.
    """

    at: Instant
    gate: str
    slice: Mapping[str, str]
    state: Outcome
    alarm: bool
    e_value: float | None = None
    estimate: float | None = None
    interval: tuple[float, float] | None = None
    n: int
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read, by its number from 1, and why."""

    number: int
    reason: str


class _Announced(Value):
    kind: Literal["deploy", "documents", "model", "prompt", "index", "retriever", "scorer"]
    scope: Mapping[str, str] = Field(default_factory=dict)
    version: str | None = None


class _ChangeLine(Value):
    at: Instant
    change: _Announced


@dataclass(slots=True)
class Recording:
    """Evaluations and changes in the order of their times, and the lines that could not be read."""

    observations: list[Observation] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)


def read(lines: Iterable[bytes | str]) -> Recording:
    """Read evaluations and changes, a line of JSON each, in any order; empty lines are passed over.

    An evaluation has ``at``, ``answer_id``, ``metric``, ``value`` and ``probability``, and may have ``slice``,
    ``cluster``, ``versions``, ``arm``, ``share`` and ``label``; a change has ``at`` and ``change``.

    >>> recording = read([
    ...     '{"at": "2026-01-01T12:00:00Z", "answer_id": "a", "metric": "m", "value": 1, "probability": 0.5}',
    ...     '{"at": "2026-01-01T11:00:00Z", "change": {"kind": "deploy", "version": "7"}}',
    ...     '{"at": "yesterday"}',
    ... ])
    >>> len(recording.observations), recording.changes[0].title, recording.bad[0].number
    (1, 'deploy 7', 3)
    """
    recording = Recording()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            decoded: Any = orjson.loads(line)
            if isinstance(decoded, dict) and "change" in decoded:
                announced = _ChangeLine.model_validate(decoded)
                recording.changes.append(Change(at=announced.at, **announced.change.model_dump()))
            else:
                recording.observations.append(Observation.model_validate(decoded))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            recording.bad.append(BadLine(number, f"{where}: {first['msg']}" if where else first["msg"]))
        except ValueError as error:
            recording.bad.append(BadLine(number, str(error)))
    recording.observations.sort(key=lambda each: each.at)
    recording.changes.sort(key=lambda each: each.at)
    return recording


def replay(gate: Gate, recording: Recording, *, tick: timedelta = DEFAULT_TICK) -> Iterator[Event]:
    """Yield what ``gate`` would have said, judged at the end of every tick that had answers, and after the last.

    An event is yielded where a state differs from the one before (nothing before is ``inconclusive``) and at every
    alarm. Raises `ValueError` on a value the gate cannot judge, as a value outside [0, 1].
    """
    told: dict[Slice | None, Outcome] = {}
    alarmed: dict[Slice, Any] = {}
    for verdict in verdicts(gate, recording, tick=tick):
        for part in verdict.slices:
            key = pairs(part.slice)
            new = part.alarmed_at is not None and part.alarmed_at != alarmed.get(key) and part.state == "fail"
            # A gate without alarms of its own alarms when it begins to fail.
            alarm = told.get(key) != "fail" and part.state == "fail" if "e_value" not in part.evidence else new
            alarmed[key] = part.alarmed_at
            if alarm or told.get(key, "inconclusive") != part.state:
                yield _event(verdict, part, alarm=alarm)
            told[key] = part.state
        judged = {pairs(part.slice) for part in verdict.slices}
        for key in [key for key in told if key is not None and key not in judged]:
            if told.pop(key) != "inconclusive":
                yield Event(at=verdict.at, gate=gate.name, slice=dict(key), state="inconclusive", alarm=False, n=0)
        if told.get(None, "inconclusive") != verdict.state:
            n = sum(part.n for part in verdict.slices)
            alarm = verdict.state == "fail"
            yield Event(
                at=verdict.at, gate=gate.name, slice={}, state=verdict.state, alarm=alarm, n=n, cause=verdict.reason
            )
        told[None] = verdict.state


def verdicts(gate: Gate, recording: Recording, *, tick: timedelta = DEFAULT_TICK) -> Iterator[Verdict]:
    """Yield the verdicts of ``gate`` at the end of every tick with answers it listens to."""
    length = tick // MICROSECOND
    mine = [each for each in recording.observations if each.metric in gate.metrics]
    ends = [microseconds(each.at) // length for each in mine]
    changes = list(recording.changes)
    state: State = gate.initial()
    start = 0
    while start < len(mine):
        stop = start
        while stop < len(mine) and ends[stop] == ends[start]:
            stop += 1
        begin = start
        while changes and microseconds(changes[0].at) < (ends[start] + 1) * length:
            cut = _first_from(mine, begin, stop, changes[0])
            state = gate.change(gate.fold(state, Batch.of(mine[begin:cut])), changes.pop(0))
            begin = cut
        state = gate.fold(state, Batch.of(mine[begin:stop]))
        yield gate.verdict(state, instant((ends[start] + 1) * length))
        start = stop


def _first_from(observations: list[Observation], begin: int, stop: int, change: Change) -> int:
    while begin < stop and observations[begin].at < change.at:
        begin += 1
    return begin


def _event(verdict: Verdict, part: SliceVerdict, *, alarm: bool) -> Event:
    evidence = part.evidence.get("e_value", part.evidence.get("e_rollback"))
    return Event(
        at=verdict.at,
        gate=verdict.gate,
        slice=part.slice,
        state=part.state,
        alarm=alarm,
        e_value=evidence,
        estimate=part.estimate,
        interval=None if part.lower is None or part.upper is None else (part.lower, part.upper),
        n=part.n,
        cause=part.cause or part.reason,
    )
