"""What gates have in common that fold whole ticks: their common options, how a tick closes, and how a state is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, Field, field_validator

from gates.base.bounded import BoundedGate
from gates.base.gate import State
from gates.base.verdict import LateAnswers, SliceVerdict, Verdict
from gates.inputs.observations import Batch, Group
from gates.inputs.slices import NONE, Slice
from gates.units.duration import Duration
from gates.units.instants import MICROSECOND, Microseconds, microseconds
from gates.verdicts.late import without_late
from gates.verdicts.summary import concluded, with_capped
from gates.windowing.lateness import HOUR, Barrier
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import LEAST_PROBABILITY, NEVER, Arrivals, Buffer, Key, Windowing
from scorers.base import Metric

TICK = timedelta(minutes=5)
"""The length of a tick, unless a gate has an option for it."""
LONGEST_WAIT, LATEST = timedelta(minutes=30), timedelta(days=7)
"""How long a tick waits for usual lateness, and how late an answer may be, unless a gate says otherwise."""
STATES = 1
"""Version of what states hold; raised with their meaning, so that no checkpoint is taken for what it is not."""


def _possible(tick: timedelta) -> timedelta:
    if not timedelta(seconds=1) <= tick <= timedelta(hours=1):
        raise ValueError("a tick must be from 1s to 1h")
    return tick


TickLength = Annotated[Duration, AfterValidator(_possible)]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TickedState:
    """A state: what has arrived, the index of its series, and what a gate adds."""

    buffer: Buffer = field(default_factory=Buffer)
    index: SeriesIndex = field(default_factory=SeriesIndex)

    def content(self, index: SeriesIndex, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return what a gate adds as JSON takes it, its series and slice-epochs in these orders of ``index``."""
        raise NotImplementedError

    def dumped(self) -> dict[str, Any]:
        """Return a state as JSON takes it; equal states give equal JSON, in whatever order they met their slices."""
        series, index = self.buffer.order(), self.index.extended(self.buffer.keys)
        return {"inbox": self.buffer.dump(), **self.content(index, series, index.epoch_order(series))}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.dumped() == self.dumped()

    __hash__ = None  # type: ignore[assignment]  # compared by content, and not a key of anything


class TickedGate(BoundedGate):
    """A gate over one metric that folds a tick as a whole, once it has closed (`gates.windowing.watermark`)."""

    worse: Literal["lower", "higher"] = Field(description="Which way the metric moves when quality falls.")
    by: tuple[str, ...] = Field(
        default=(), max_length=8, description="Slice dimensions judged separately; none: all traffic together."
    )
    grace: Duration = Field(
        default=timedelta(minutes=2), description="Allowed lateness: how long after its end a tick still takes answers."
    )
    longest_wait: Duration = Field(
        default=LONGEST_WAIT,
        description="Where answers usually come later than `grace`, a tick waits for them, at most this long. Those"
        " that come later still count when they arrive.",
    )
    latest: Duration = Field(
        default=LATEST, description="Answers that are later than this are left out, and the verdict says how many."
    )

    @field_validator("by")
    @classmethod
    def _distinct(cls, by: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(by)) != len(by):
            raise ValueError("duplicate dimension")
        return by

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The slice dimensions whose slices are judged apart."""
        return self.by

    @property
    def length(self) -> timedelta:
        """The length of a tick."""
        return TICK

    @property
    def sign(self) -> int:
        """1 where a higher value is worse, -1 where a lower one is."""
        return 1 if self.worse == "higher" else -1

    @property
    def windowing(self) -> Windowing:
        """When ticks close."""
        lengths = (self.length, self.grace, self.longest_wait, self.latest)
        return Windowing(*(Microseconds(length // MICROSECOND) for length in lengths))

    def _direction_problems(self, metric: Metric) -> Iterator[tuple[str, str]]:
        if metric.better == self.worse:
            yield "worse", f"{self.metric!r} is better when {metric.better}, so worse is not {self.worse}"

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; others' metrics are ignored. Raises `ValueError` on a value outside the metric's range."""
        known: TickedState = state
        batch, mine = self._parts(batch)
        if not mine.any():
            return state
        batch = self._marked(known, batch)
        barrier = self._barrier(known, batch)
        return self._folded(known, *known.buffer.receive(batch, mine, self._key, self.windowing, barrier=barrier))

    def newest(self, state: State) -> Microseconds | None:
        """Return the time of the newest answer seen."""
        known: TickedState = state
        return None if known.buffer.watermark == NEVER else known.buffer.watermark

    def settled(self, state: State, at: datetime) -> State:
        """Return the state with all ticks folded that have ended at ``at``."""
        known: TickedState = state
        return self._folded(known, *known.buffer.closing(self._now(at)))

    def lag(self, state: State) -> timedelta:
        """Return how long after its end a tick is read: the lateness that is usual, where ``grace`` does not do."""
        known: TickedState = state
        return known.buffer.usual(self.windowing) * MICROSECOND

    def lateness(self, state: State) -> LateAnswers:
        """Return how many answers came late so far, and how many of them were left out."""
        known: TickedState = state
        total = 0 if known.buffer.lateness is None else known.buffer.lateness.total
        return LateAnswers(late=total, left_out=known.buffer.left_out)

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge as of ``at``, by all ticks that have ended then and that nothing more is expected for.

        Nothing passes while too many answers came too late to count.
        """
        known, now = self.settled(state, at - self.lag(state)), self._now(at)
        candidate, baseline = self._about(known, now)
        verdict = concluded(
            self, at, self._judged(known, now), self._nothing(known, now), candidate=candidate, baseline=baseline
        )
        verdict = with_capped(verdict, known.buffer.capped, LEAST_PROBABILITY)
        lateness = known.buffer.lateness
        if lateness is None or not known.buffer.left_out:
            return verdict
        return without_late(verdict, lateness.recent(max(known.buffer.watermark, microseconds(at)) // HOUR))

    def dump(self, state: State) -> bytes:
        """Serialize a state as JSON; equal states give equal bytes."""
        known: TickedState = state
        return orjson.dumps({**self._origin(), **known.dumped()})

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if a gate of another configuration or version wrote it."""
        decoded: Any = orjson.loads(data)
        if not isinstance(decoded, dict) or {k: decoded.get(k) for k in self._origin()} != self._origin():
            raise ValueError(f"not a state of the gate {self.name!r} as it is configured")
        try:
            buffer = Buffer.load(decoded["inbox"], self.windowing)
            return self._restored(decoded, buffer, SeriesIndex().extended(buffer.keys))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ValueError(f"not a state of this version of the gate {self.name!r}: {error!r}") from error

    def _now(self, at: datetime) -> int:
        """Return the tick that ``at`` is in: the first that has not ended."""
        return microseconds(at) // self.windowing.tick

    def _origin(self) -> dict[str, Any]:
        return {"gate": self.type, "policy": self.policy_version, "states": STATES}

    def _folded(self, state: TickedState, buffer: Buffer, rows: Arrivals | None) -> TickedState:
        if rows is None:
            return replace(state, buffer=buffer)
        folded: TickedState = self._advanced(
            replace(state, buffer=buffer, index=state.index.extended(buffer.keys)), rows
        )
        return folded

    def _sliced(self, group: Group) -> Slice:
        """Return the slice of a group by the dimensions of ``by``."""
        named = dict(group.slice)
        return tuple((name, named.get(name, NONE)) for name in self.by)

    def _own(self, loss: float) -> float:
        """Return a loss in the metric's own units."""
        own: float = self.scale.own(loss if self.sign > 0 else 1.0 - loss)
        return own

    def _loss(self, value: float) -> float:
        """Return a value of the metric as a loss: 0 the best there is, 1 the worst."""
        part: float = self.scale.part(value)
        return part if self.sign > 0 else 1.0 - part

    def _marked(self, state: Any, batch: Batch) -> Batch:
        """Return the batch with what `_key` needs to know marked among its versions."""
        del state
        return batch

    def _barrier(self, state: Any, batch: Batch) -> Barrier | None:
        """Return from when on answers are of another system than those before; most gates have no such moment."""
        del state, batch
        return None

    def _unused(self) -> set[str]:
        """Return the options that a configuration of before they were there did not have either."""
        unchanged = {"longest_wait": LONGEST_WAIT, "latest": LATEST}
        return super()._unused() | {name for name, value in unchanged.items() if getattr(self, name) == value}

    def _key(self, group: Group) -> Key:
        """Return what a group is told apart by."""
        raise NotImplementedError

    def _advanced(self, state: Any, rows: Arrivals) -> Any:
        """Return the state with the rows of closed ticks folded; their keys are numbered already."""
        raise NotImplementedError

    def _judged(self, state: Any, now: int) -> Iterator[SliceVerdict]:
        """Yield the verdicts over slices, all ticks before ``now`` being folded."""
        raise NotImplementedError

    def _about(self, state: Any, now: int) -> tuple[str | None, str | None]:
        """Return the versions of candidate and baseline that the verdict is over; most gates judge no release."""
        del state, now
        return None, None

    def _nothing(self, state: Any, now: int) -> str:
        """Return why there is no verdict over any slice."""
        raise NotImplementedError

    def _restored(self, decoded: Mapping[str, Any], buffer: Buffer, index: SeriesIndex) -> TickedState:
        """Return the state of what `TickedState.content` returned."""
        raise NotImplementedError
