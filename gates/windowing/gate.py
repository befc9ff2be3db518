"""What gates have in common that fold whole ticks: their first options, how a tick closes, and how a state is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, Field, field_validator

from gates.base import SliceVerdict, State, Verdict
from gates.bounded import BoundedGate
from gates.inputs.observations import MICROSECOND, Batch, Group, microseconds
from gates.inputs.slices import NONE
from gates.inputs.values import Slice
from gates.units.duration import Duration
from gates.verdicts.summary import concluded
from gates.windowing.strata import Keyed, dimension_problems, metric_problems
from gates.windowing.watermark import NEVER, Inbox, Key, Rows, Shape
from scorers.base import Metric

TICK = timedelta(minutes=5)
"""The length of a tick, unless a gate has an option for it."""
STATES = 1
"""Version of what states hold; raised with their meaning, so that no checkpoint is taken for what it is not."""


def _possible(tick: timedelta) -> timedelta:
    if not timedelta(seconds=1) <= tick <= timedelta(hours=1):
        raise ValueError("a tick must be 1s to 1h")
    return tick


TickLength = Annotated[Duration, AfterValidator(_possible)]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ticked:
    """A state: what has arrived, the numbering of what it is told apart by, and what a gate adds."""

    inbox: Inbox = field(default_factory=lambda: Inbox(index={}))
    keyed: Keyed = field(default_factory=Keyed)

    def content(self, keyed: Keyed, lines: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
        """Return what a gate adds as JSON takes it, its lines and cells in these orders of ``keyed``."""
        raise NotImplementedError

    def dumped(self) -> dict[str, Any]:
        """Return a state as JSON takes it; equal states give equal JSON, in whatever order they met their slices."""
        lines, keyed = self.inbox.order(), self.keyed.extended(self.inbox.keys)
        return {"inbox": self.inbox.dump(), **self.content(keyed, lines, keyed.order(lines))}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.dumped() == self.dumped()

    __hash__ = None  # type: ignore[assignment]  # compared by content, and not a key of anything


class TickedGate(BoundedGate):
    """A gate over one metric that folds a tick as a whole, once it has closed (`gates.windowing.watermark`)."""

    worse: Literal["lower", "higher"] = Field(description="Which way the metric goes when quality falls.")
    by: tuple[str, ...] = Field(
        default=(), max_length=8, description="Slice dimensions judged apart; none: all traffic as one."
    )
    grace: Duration = Field(default=timedelta(minutes=2), description="How long after its end a tick takes answers.")

    @field_validator("by")
    @classmethod
    def _distinct(cls, by: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(by)) != len(by):
            raise ValueError("a dimension is named twice")
        return by

    @property
    def length(self) -> timedelta:
        """The length of a tick."""
        return TICK

    @property
    def sign(self) -> int:
        """1 where a higher value is worse, -1 where a lower one is."""
        return 1 if self.worse == "higher" else -1

    @property
    def shape(self) -> Shape:
        """When ticks close."""
        return Shape(self.length // MICROSECOND, self.grace // MICROSECOND)

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working: an unknown or unbounded metric, a dimension nobody cuts by."""
        yield from metric_problems(self.metric, metrics, self.worse)
        yield from self.range_problems(metrics.get(self.metric))
        yield from dimension_problems("by", self.by, dimensions)

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; others' metrics are ignored. Raises `ValueError` on a value outside the metric's range."""
        known: Ticked = state
        batch, mine = self._parts(batch)
        if not mine.any():
            return state
        return self._folded(known, *known.inbox.receive(self._marked(known, batch), mine, self._key, self.shape))

    def newest(self, state: State) -> int | None:
        """Return the time of the newest answer seen."""
        known: Ticked = state
        return None if known.inbox.clock == NEVER else known.inbox.clock

    def settled(self, state: State, at: datetime) -> State:
        """Return the state with all ticks folded that have ended at ``at``."""
        known: Ticked = state
        return self._folded(known, *known.inbox.closing(self._now(at) * self.shape.tick))

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge as of ``at``, by all ticks that have ended then."""
        known, now = self.settled(state, at), self._now(at)
        candidate, baseline = self._about(known, now)
        return concluded(
            self, at, self._judged(known, now), self._nothing(known, now), candidate=candidate, baseline=baseline
        )

    def dump(self, state: State) -> bytes:
        """Serialize a state as JSON; equal states give equal bytes."""
        known: Ticked = state
        return orjson.dumps({**self._origin(), **known.dumped()})

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if a gate of another configuration or version wrote it."""
        decoded: Any = orjson.loads(data)
        if not isinstance(decoded, dict) or {k: decoded.get(k) for k in self._origin()} != self._origin():
            raise ValueError(f"not a state of the gate {self.name!r} as it is configured")
        try:
            inbox = Inbox.load(decoded["inbox"])
            return self._restored(decoded, inbox, Keyed().extended(inbox.keys))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ValueError(f"not a state of this version of the gate {self.name!r}: {error!r}") from error

    def _now(self, at: datetime) -> int:
        """Return the tick that ``at`` is in: the first that has not ended."""
        return microseconds(at) // self.shape.tick

    def _origin(self) -> dict[str, Any]:
        return {"gate": self.type, "policy": self.policy_version, "states": STATES}

    def _folded(self, state: Ticked, inbox: Inbox, rows: Rows | None) -> Ticked:
        state = replace(state, inbox=inbox)
        if rows is not None:
            state = self._advanced(replace(state, keyed=state.keyed.extended(inbox.keys)), rows)
        return state

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

    def _key(self, group: Group) -> Key:
        """Return what a group is told apart by."""
        raise NotImplementedError

    def _advanced(self, state: Any, rows: Rows) -> Any:
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

    def _restored(self, decoded: Mapping[str, Any], inbox: Inbox, keyed: Keyed) -> Ticked:
        """Return the state of what `Ticked.content` returned."""
        raise NotImplementedError
