"""Any gate over recorded evaluations: what it would have said, when and why, in replayed time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import numpy as np

from adapters.schema import Instant
from gates.base.gate import Gate, State, change_reaches
from gates.base.verdict import LateAnswers, Outcome, SliceVerdict, Verdict
from gates.evidence.arrays import Bools, Integers
from gates.inputs.observations import NOT_DRAWN, Batch, pairs
from gates.inputs.slices import NONE, Slice
from gates.replay.reader import LABELLERS, Recording
from gates.units.instants import MICROSECOND, Microseconds, instant, microseconds, tick_end
from gates.verdicts.summary import answers_in
from scorers.base import Value

COLUMNS = ("group", "at", "value", "probability", "cluster", "arm", "share")
OPTIONAL = ("label", "truth", "drawn", "unscored", "textless")
DEFAULT_TICK = timedelta(minutes=5)
SILENCE = timedelta(days=32)
"""How much of a gap without answers is judged tick by tick; by then every window in use has run empty."""


class ReplayEvent(Value):
    """What a gate says at one instant of replayed time: a state that changed, or an alarm.

    ``slice`` is ``{}`` for the gate as a whole, which alarms with one of its slices. ``e_value`` is the evidence that
    something is worse, where the gate measures one. ``reason`` is that of the verdict, ``cause`` what the gate says has
    changed, or else the reason again.
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
    reason: str


@dataclass(slots=True, kw_only=True)
class SliceHistory:
    """The verdicts over one slice: its state, the newest verdict, how often it fired, and the ``first`` time.

    ``answers`` were scored until it first fired, or if it never did until the end.
    """

    state: Outcome = "inconclusive"
    last: SliceVerdict | None = None
    alarms: int = 0
    first: ReplayEvent | None = None
    answers: int = 0

    @property
    def fired_at(self) -> datetime | None:
        """When it first fired."""
        return None if self.first is None else self.first.at

    @property
    def shown(self) -> tuple[float | None, float | None, str | None]:
        """Estimate, e-value and why: of when it first fired, or if it never did of the newest verdict."""
        if self.first is not None:
            cause, reason = self.first.cause, self.first.reason
            told = reason if cause is None or reason.startswith(cause) else f"{cause}: {reason}"
            return self.first.estimate, self.first.e_value, told
        return (None, None, None) if self.last is None else (self.last.estimate, _evidence(self.last), self.last.reason)


@dataclass(slots=True, kw_only=True)
class Replay:
    """One gate over a recording, judged at the end of every ``tick``; ``histories`` are kept by slice as it goes on.

    In the order of arrival the gate sees what an agent would have seen at each moment, and ``late`` counts what came
    after its tick had closed. ``whole`` is the history of all traffic beside slices, of which a gate says only alarms.

    >>> from gates.replay.reader import EvaluationReader
    >>> from gates.threshold import ThresholdGate
    >>> line = b'{"at": "2026-01-01T12:%02d:00Z", "answer_id": "a", "metric": "m", "value": 1, "probability": 1}'
    >>> reader = EvaluationReader()
    >>> reader.add([line % minute for minute in range(60)])
    >>> gate = ThresholdGate(type="threshold", name="few", metric="m", at_most=0.1)
    >>> replay = Replay(gate=gate, recording=reader.recording())
    >>> [(event.at.minute, event.state, event.alarm) for event in replay.events()]
    [(30, 'fail', True)]
    >>> replay.histories[()].answers
    30
    """

    gate: Gate
    recording: Recording
    tick: timedelta = DEFAULT_TICK
    verdict: Verdict | None = None
    late: LateAnswers = field(default_factory=LateAnswers)
    histories: dict[Slice, SliceHistory] = field(default_factory=dict)
    whole: SliceHistory = field(default_factory=SliceHistory)

    def events(self) -> Iterator[ReplayEvent]:
        """Yield what the gate would have said: where a state differs from the one before it, and at every alarm.

        Nothing said before is ``inconclusive``. A gate that never says anything else says so once, at the end, whatever
        its slices said.
        """
        for events in self.by_verdict():
            yield from events

    def by_verdict(self) -> Iterator[Sequence[ReplayEvent]]:
        """Yield the `events` of each verdict, most often none, and last what is said at the end.

        Whoever has others waiting can pause between two verdicts.
        """
        state: Outcome = "inconclusive"
        told = False
        for verdict, answers in self._verdicts():
            events = [*self._of_whole(verdict), *self._of_slices(verdict, answers)]
            # A gate without slices has said it of the only one.
            if verdict.state != state and () not in self.histories and not any(not event.slice for event in events):
                events.append(_of_gate(verdict))
            told = told or any(not event.slice for event in events)
            state, self.verdict = verdict.state, verdict
            yield events
        yield [] if told or self.verdict is None else [_of_gate(self.verdict)]
        answers = self._taken()[0]
        for key, history in self.histories.items():
            if history.first is None:
                history.answers = _counted(answers, dict(key))

    def _of_whole(self, verdict: Verdict) -> Iterator[ReplayEvent]:
        """Yield an alarm over all traffic of a gate that judges slices."""
        parts = [part for part in verdict.slices if not part.slice] if self.gate.dimensions else []
        for part in parts:
            if fires(part, self.whole.state, self.whole.last):
                event = _of_slice(verdict, part, alarm=True)
                self.whole.alarms, self.whole.first = self.whole.alarms + 1, self.whole.first or event
                yield event
            self.whole.state, self.whole.last = part.state, part

    def _of_slices(self, verdict: Verdict, answers: Batch) -> Iterator[ReplayEvent]:
        for part in verdict.slices:
            if not part.slice and self.gate.dimensions:
                continue
            if not part.slice:
                # What is said of the gate as a whole, such as a warning, is said of its only part.
                part = part.model_copy(update={"reason": verdict.reason})  # noqa: PLW2901
            key = pairs(part.slice)
            history = self.histories.setdefault(key, SliceHistory())
            alarm = fires(part, history.state, history.last)
            if alarm or history.state != part.state:
                event = _of_slice(verdict, part, alarm=alarm)
                if alarm:
                    history.alarms += 1
                if alarm and history.first is None:
                    history.first, history.answers = event, _counted(answers, part.slice)
                yield event
            history.state, history.last = part.state, part
        judged = {pairs(part.slice) for part in verdict.slices}
        for key, history in self.histories.items():
            if key not in judged and history.state != "inconclusive":
                history.state = "inconclusive"
                reason = "no recent answers" if key else verdict.reason
                gone = SliceVerdict(slice=dict(key), state="inconclusive", reason=reason, n=0, effective_n=0)
                yield _of_slice(verdict, gone, alarm=False)

    def _verdicts(self) -> Iterator[tuple[Verdict, Batch]]:
        """Yield the verdict at the end of every tick, with the answers until then."""
        gate, everything, all_arrived = self.gate, self.recording.batch, self.recording.arrived
        mine, arrived = self._taken()
        length = self.tick // MICROSECOND
        changes = [
            each.change for each in self.recording.changes if change_reaches(gate, each.change.kind, each.component)
        ]
        state: State = gate.initial()
        start, end = 0, Microseconds(0)
        for tick, stop in _ticks(arrived, length, int(all_arrived[-1]) // length if len(everything) else 0):
            end = Microseconds((tick + 1) * length)
            while changes and microseconds(changes[0].at) < end:
                cut = start + int(np.searchsorted(arrived[start:stop], microseconds(changes[0].at)))
                state = gate.change(gate.fold(state, _rows(mine, slice(start, cut))), changes.pop(0))
                start = cut
            state = gate.fold(state, _rows(mine, slice(start, stop)))
            start = stop
            if self.recording.in_order:
                # Nothing can come for a tick that has ended.
                state = gate.settled(state, instant(end))
            yield gate.verdict(state, instant(end)), _rows(mine, slice(stop))
        self.late = gate.lateness(state)
        # What is usually late has not been waited for yet, and nothing more will come.
        lag = timedelta() if self.recording.in_order else gate.lag(state)
        for _ in range(-(lag // -self.tick)):
            end = Microseconds(end + length)
            yield gate.verdict(state, instant(end)), mine
        own = gate.length // MICROSECOND
        if own and end % own:
            # A tick of the gate that is longer than one of the replay has not ended yet, and nothing more will come.
            yield gate.verdict(state, tick_end(end // own, Microseconds(own)) + lag), mine

    def _taken(self) -> tuple[Batch, Integers]:
        """Return what the gate takes of the recording, and when each row arrived."""
        batch, labeller = self.recording.batch, self.recording.labeller
        wanted = np.array([group.metric in self.gate.metrics for group in batch.groups], np.bool_)
        rows = wanted[batch.group]
        if labeller is not None:
            by = [name is None or self.gate.takes_labels_by(name) for name in LABELLERS]
            rows &= np.array(by, np.bool_)[labeller]
        if rows.all():
            return batch, self.recording.arrived
        # Of the groups only those that are left.
        groups = tuple(group for group, kept in zip(batch.groups, wanted.tolist(), strict=True) if kept)
        mine = _rows(batch, rows)
        mine = replace(mine, groups=groups, group=(np.cumsum(wanted) - 1)[mine.group])
        return mine, self.recording.arrived[rows]


def fires(part: SliceVerdict, state: Outcome, last: SliceVerdict | None) -> bool:
    """Return whether a slice fires with this verdict, after a ``state`` and the ``last`` verdict before it.

    A gate without alarms of its own fires when it begins to fail.
    """
    if "e_value" in part.evidence and part.state == "fail":
        return part.alarmed_at != (None if last is None else last.alarmed_at)
    return part.state == "fail" and state != "fail"


def _rows(batch: Batch, rows: Bools | slice) -> Batch:
    columns = {name: getattr(batch, name)[rows] for name in COLUMNS}
    given = {name: column[rows] for name in OPTIONAL if (column := getattr(batch, name)) is not None}
    return Batch(groups=batch.groups, **columns, **given)


def _ticks(at: Integers, length: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield every tick from the first with an answer to ``last``, and how many answers have come at its end.

    Of a longer gap only the first `SILENCE` and the tick after it.
    """
    if not len(at):
        return
    starts = np.flatnonzero(np.diff(at // length, prepend=-1))
    ticks = (at[starts] // length).tolist()
    ends = [*starts[1:].tolist(), len(at)]
    for tick, stop, following in zip(ticks, ends, [*ticks[1:], last + 1], strict=True):
        for each in range(tick, min(following, tick + 1 + SILENCE // MICROSECOND // length)):
            yield each, stop


def _of_slice(verdict: Verdict, part: SliceVerdict, *, alarm: bool) -> ReplayEvent:
    return ReplayEvent(
        at=verdict.at,
        gate=verdict.gate,
        slice=part.slice,
        state=part.state,
        alarm=alarm,
        e_value=_evidence(part),
        estimate=part.estimate,
        interval=None if part.lower is None or part.upper is None else (part.lower, part.upper),
        n=part.n,
        cause=part.cause or part.reason,
        reason=part.reason,
    )


def _evidence(part: SliceVerdict) -> float | None:
    return part.evidence.get("e_value", part.evidence.get("e_rollback"))


def _of_gate(verdict: Verdict) -> ReplayEvent:
    n = answers_in(verdict.slices)
    whole = SliceVerdict(slice={}, state=verdict.state, reason=verdict.reason, n=n, effective_n=0)
    return _of_slice(verdict, whole, alarm=False)


def _counted(batch: Batch, slice_: Mapping[str, str]) -> int:
    """Return how many scored answers lie in a slice: of several metrics, of the one that has most."""
    inside = [
        all(dict(group.slice).get(name, NONE) == value for name, value in slice_.items()) for group in batch.groups
    ]
    scored = np.ones(len(batch), np.bool_) if batch.unscored is None else ~batch.unscored
    if batch.drawn is not None:
        # A label of an answer is no answer.
        scored = scored & (batch.drawn >= NOT_DRAWN)
    answers: dict[str, int] = {}
    counts = np.bincount(batch.group[scored], minlength=len(inside)).tolist()
    for group, mine, count in zip(batch.groups, inside, counts, strict=True):
        answers[group.metric] = answers.get(group.metric, 0) + (count if mine else 0)
    return max(answers.values(), default=0)
