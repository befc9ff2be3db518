"""`groundwire replay`: gates over recorded evaluations, from files or a store."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO, get_args

import numpy as np

from collector.commands.columns import aligned
from collector.commands.evaluations import lines_of, stored_lines
from collector.commands.progress import Progress, watched
from collector.errors import ConfigError
from collector.security.text import one_line
from gates.base.gate import Gate
from gates.inputs.observations import ARMS, NO_LABEL
from gates.release import RELEASED, ReleaseGate
from gates.replay.reader import EvaluationReader, Recording, ReplayOrder
from gates.replay.replay import Replay, SliceHistory
from gates.units.duration import format_duration, parse_duration
from gates.units.instants import Microseconds, instant
from gates.units.names import suggestion
from gates.windowing.watermark import LEAST_PROBABILITY

FINE, UNREAD = 0, 2
MAX_BAD = 20
"""Bad lines that are printed one by one; the rest are counted."""
NEVER = datetime.max.replace(tzinfo=UTC)
DIMENSIONS = ("by", "case", "strata")
"""Options of gates that name slice dimensions."""
NAMED_VERSIONS = 3
"""Versions that a note names."""
CHUNK = 50_000
"""Lines of a store that are put into columns at once."""


def replay(
    files: Sequence[Path],
    gates: Sequence[Gate],
    *,
    data: str | None,
    tick: timedelta,
    as_json: bool,
    out: TextIO,
    err: TextIO,
    order: ReplayOrder = "time",
) -> int:
    """Print the verdicts that ``gates`` would have given on the evaluations in ``files``, or in the store in ``data``.

    They are taken in the order of their times, or in that in which they arrived.
    Returns 0, or 2 if a line could not be read; all others are replayed, and bad ones are reported on ``err``. Raises
    `ConfigError` for a file that cannot be read at all.
    """
    with watched(out, err, at_end=not as_json) as progress:
        recording = recorded(files, data, reader_for(gates), progress, order)
        replays = [Replay(gate=gate, recording=recording, tick=tick) for gate in gates]
        events = heapq.merge(*(each.events() for each in replays), key=lambda event: event.at)
        for event in progress.over(events, "replaying", "events"):
            if as_json:
                out.write(f"{event.model_dump_json()}\n")
    if not as_json:
        out.writelines(_table(recording, replays, tick))
    out.flush()
    notes = itertools.chain(_notes(recording, gates), _late(replays))
    err.writelines(f"groundwire: {one_line(note)}\n" for note in notes)
    return UNREAD if recording.n_bad else FINE


def reader_for(gates: Sequence[Gate]) -> EvaluationReader:
    """Return what takes the evaluations of these gates' metrics."""
    scales = {metric: scale for gate in gates for metric, scale in gate.scales.items()}
    return EvaluationReader(frozenset(metric for gate in gates for metric in gate.metrics), scales=scales)


def chosen(gates: Sequence[Gate], names: Sequence[str]) -> tuple[Gate, ...]:
    """Return the gates of these names, all if none is named. Raises `ConfigError` where there is none."""
    known = [gate.name for gate in gates]
    if not known:
        raise ConfigError("there are no gates: give a configuration that has some with --config FILE")
    problems = [
        f"--gate {one_line(name)}: no such gate{suggestion(name, known)}; choose from: {', '.join(known)}"
        for name in names
        if name not in known
    ]
    if problems:
        raise ConfigError(*problems)
    return tuple(gate for gate in gates if not names or gate.name in names)


def tick_of(text: str) -> timedelta:
    """Return how often gates are judged. Raises `ConfigError` where that is no length of time from 1s to 1d."""
    return length_of("--tick", text, least=timedelta(seconds=1), most=timedelta(days=1))


def length_of(option: str, text: str, *, least: timedelta, most: timedelta) -> timedelta:
    """Return the length of time that an option gives. Raises `ConfigError` where it is none within these bounds."""
    try:
        length = parse_duration(text)
    except ValueError as error:
        raise ConfigError(f"{option}: {error}") from error
    if not least <= length <= most:
        raise ConfigError(f"{option}: must be {format_duration(least)} to {format_duration(most)}, got {text}")
    return length


def order_of(text: str) -> ReplayOrder:
    """Return the order in which evaluations are taken. Raises `ConfigError` where there is no such order."""
    orders: tuple[ReplayOrder, ...] = get_args(ReplayOrder)
    for order in orders:
        if order == text:
            return order
    raise ConfigError(f"--order: must be {' or '.join(orders)}, got {one_line(text)}")


def recorded(
    files: Sequence[Path], data: str | None, reader: EvaluationReader, progress: Progress, order: ReplayOrder = "time"
) -> Recording:
    """Return what the files hold, or the store in ``data``. Raises `ConfigError` where that cannot be read at all."""
    try:
        if data is not None:
            lines = progress.over(stored_lines(data, None), f"reading {data}", "lines")
            while chunk := list(itertools.islice(lines, CHUNK)):
                reader.add(chunk)
        for path in files:
            first = 1
            for block in progress.over(lines_of(path), f"reading {path}", "blocks"):
                reader.add(block, first=first, file=str(path))
                first += len(block)
        return reader.recording(order)
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _notes(recording: Recording, gates: Sequence[Gate]) -> Iterator[str]:
    for bad in recording.bad[:MAX_BAD]:
        yield f"{bad.file}: line {bad.number}: {bad.reason}"
    if recording.n_bad:
        yield f"{recording.n_bad:,} lines could not be read and were skipped"
    if recording.repeated:
        yield f"{recording.repeated:,} duplicate lines were counted once"
    if recording.contradicting:
        yield (
            f"{recording.contradicting:,} evaluations of the same answer, metric, slice and time as another one differ"
            " from it; only the first was counted"
        )
    if recording.improbable:
        yield (
            f"{recording.improbable:,} evaluations have a probability below {LEAST_PROBABILITY:g}; drift, release and"
            f" objective gates weigh them as if it were {LEAST_PROBABILITY:g}"
        )
    if recording.unknown:
        yield f"unknown keys ignored: {', '.join(recording.unknown)}"
    if recording.unrouted and any(isinstance(gate, ReleaseGate) for gate in gates):
        yield f"{recording.unrouted:,} evaluations name an arm but no share; release gates ignore them"
    if recording.unspread and any(isinstance(gate, ReleaseGate) for gate in gates):
        yield (
            f"{recording.unspread:,} evaluations name an arm and a share of 0: no traffic was routed to the candidate"
            " then, so they are no evidence for release gates"
        )
    yield from _notes_of_changes(recording, gates)
    present = {group.metric for group in recording.batch.groups}
    for gate in gates:
        yield from _notes_of(gate, recording, present)


def _notes_of_changes(recording: Recording, gates: Sequence[Gate]) -> Iterator[str]:
    """Yield what changes name that is not replayed: a gate, or a dimension that no answer has."""
    names = [gate.name for gate in gates]
    known = {name for group in recording.batch.groups for name, _ in group.slice}
    for each in recording.changes:
        where = (
            f"{each.file}: line {each.number}: " if each.file else f"change of {each.change.at:%Y-%m-%d %H:%M:%SZ}: "
        )
        if each.change.kind == "reference" and each.component not in names:
            named = each.component or ""
            yield f"{where}no gate {named!r} is replayed{suggestion(named, names)}, so no reference begins anew"
        for name in sorted(each.change.scope.keys() - known) if known else ():
            yield f"{where}scope: no answer has the dimension {name!r}, so the change counts for every slice"


def _late(replays: Sequence[Replay]) -> Iterator[str]:
    for each in replays:
        if each.late.late:
            left_out = f"; {each.late.left_out:,} of them came too late and were left out" if each.late.left_out else ""
            yield f"{each.gate.name}: {each.late.late:,} evaluations arrived after their tick had closed{left_out}"


def _notes_of(gate: Gate, recording: Recording, present: set[str]) -> Iterator[str]:
    if missing := gate.metrics - present:
        others = ", ".join(sorted({*present, *recording.others})) or "none"
        yield f"{gate.name}: no evaluations of {', '.join(sorted(missing))}; the recording has: {others}"
        return
    if gate.counts_labels and not _labelled(recording, gate):
        yield f"{gate.name}: no evaluation of {', '.join(sorted(gate.metrics))} carries a label, so none is counted"
    slices = [dict(group.slice) for group in recording.batch.groups if group.metric in gate.metrics]
    known = frozenset(name for slice_ in slices for name in slice_)
    for field, problem in gate.problems({}, known):
        # A recording may hold any metric; what it has to have are the dimensions.
        if field.partition("[")[0] in DIMENSIONS:
            yield f"{gate.name}: {field}: {problem}"
    if isinstance(gate, ReleaseGate):
        yield from _unannounced(gate, recording)


def _unannounced(gate: ReleaseGate, recording: Recording) -> Iterator[str]:
    """Yield that answers name several releases which nothing tells apart: neither an arm nor a change."""
    batch = recording.batch
    releases = {each.change.kind for each in recording.changes} & {*RELEASED.values()}
    if releases or (batch.arm != ARMS[None]).any():
        return
    names = {dict(group.versions).get(gate.component) for group in batch.groups if group.metric in gate.metrics}
    if len(versions := sorted(name for name in names if name is not None)) > 1:
        listed = ", ".join(versions[:NAMED_VERSIONS]) + (", ..." if len(versions) > NAMED_VERSIONS else "")
        yield (
            f"{gate.name}: answers name {len(versions):,} versions of {gate.component} ({listed}), but no arm, and"
            " there is no change event, so nothing is judged: add a line such as"
            ' {"at": "2026-01-31T12:00:00Z", "change": {"kind": "deploy", "version": "2"}}'
        )


def _labelled(recording: Recording, gate: Gate) -> bool:
    batch = recording.batch
    mine = np.array([group.metric in gate.metrics for group in batch.groups], np.bool_)[batch.group]
    return batch.label is not None and bool((batch.label[mine] != NO_LABEL).any())


def _table(recording: Recording, replays: Sequence[Replay], tick: timedelta) -> Iterator[str]:
    rows = [["gate", "slice", "state", "first fired", "alarms", "answers", "estimate", "e-value", "why"]]
    for each in replays:
        if () not in each.histories:
            rows.append([each.gate.name, "all", *_of_gate(each)])
        for key, history in sorted(each.histories.items(), key=lambda item: (item[1].fired_at or NEVER, item[0])):
            slice_ = ", ".join(f"{name}={value}" for name, value in key) or "all"
            rows.append([each.gate.name, slice_, *_of_slice(history)])
    yield from aligned([[one_line(cell) for cell in row] for row in rows], right={4, 5, 6, 7})
    at = recording.batch.at
    ends = [_time(instant(Microseconds(int(at[place])))) for place in (0, -1) if len(at)]
    span = f", {ends[0]} to {ends[1]}" if ends else ""
    changes = f", {len(recording.changes):,} changes" if recording.changes else ""
    sent = 0 if recording.labeller is None else int(np.count_nonzero(recording.labeller))
    labels = f", {sent:,} labels" if sent else ""
    yield f"{len(at) - sent:,} evaluations{span}{labels}{changes}, judged every {format_duration(tick)}\n"


def _of_gate(replay: Replay) -> list[str]:
    verdict, histories = replay.verdict, [replay.whole, *replay.histories.values()]
    state, why = ("inconclusive", "no evaluations") if verdict is None else (verdict.state, verdict.reason)
    first = min((history.fired_at for history in histories if history.fired_at is not None), default=None)
    return [state, _time(first), str(sum(history.alarms for history in histories)), "-", "-", "-", why]


def _of_slice(history: SliceHistory) -> list[str]:
    estimate, e_value, cause = history.shown
    counts = str(history.alarms), f"{history.answers:,}"
    return [history.state, _time(history.fired_at), *counts, _figure(estimate), _figure(e_value), cause or ""]


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def _time(at: datetime | None) -> str:
    return "-" if at is None else f"{at:%Y-%m-%d %H:%M:%SZ}"
