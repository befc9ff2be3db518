"""A gate over one metric that may judge several, each with a state of its own (`gates.comparison.several`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

import orjson
from pydantic import Field, model_validator

from gates.base.gate import State
from gates.base.verdict import LateAnswers, Verdict
from gates.comparison import several
from gates.comparison.several import MOST, AlsoJudged
from gates.inputs.changes import Change
from gates.inputs.observations import Batch
from gates.units.instants import Microseconds
from gates.units.scale import Scale
from gates.windowing.gate import TickedGate
from scorers.base import Metric


class SeveralMetrics(TickedGate):
    """What a gate over releases does where it judges several metrics: it is as many gates, and one verdict."""

    if TYPE_CHECKING:
        alpha_rollback: float
    also: tuple[AlsoJudged, ...] = Field(
        default=(),
        max_length=MOST,
        description="Further metrics of the same verdict, each with `metric`, `worse` and, if wanted, `margin`, `good`,"
        " `bounds` and its own `alpha_rollback`: the release fails with any of them and passes with all.",
    )

    @model_validator(mode="after")
    def _several(self) -> Self:
        names = [self.metric, *(each.metric for each in self.also)]
        if len(set(names)) != len(names):
            raise ValueError("also: each metric can be judged once")
        if self.also and not self.each:
            raise ValueError("also: expected further metrics")
        return self

    @property
    def each(self) -> tuple[Self, ...]:
        """The gates of several metrics, one for each, with the error that each may make."""
        errors = several.shared(self.alpha_rollback, [None, *(each.alpha_rollback for each in self.also)])
        plain = self.model_dump(exclude={"also", "margin", "good", "bounds", "metric", "worse"})
        own = self.model_copy(update={"also": (), "alpha_rollback": errors[0]})
        given = (each.model_dump(exclude_none=True) for each in self.also)
        rest = zip(given, errors[1:], strict=True)
        return own, *(type(self).model_validate({**plain, **told, "alpha_rollback": error}) for told, error in rest)

    @property
    def metrics(self) -> frozenset[str]:
        """The metrics this gate listens to."""
        return frozenset({self.metric, *(each.metric for each in self.also)})

    @property
    def scales(self) -> Mapping[str, Scale]:
        """The ranges of its metrics."""
        others = self.each[1:] if self.also else ()
        return {**super().scales, **{name: scale for gate in others for name, scale in gate.scales.items()}}

    @property
    def counts_labels(self) -> bool:
        """Whether answers are judged by a label, of any metric."""
        return super().counts_labels or any(each.good is not None for each in self.also)

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working, with any of its metrics."""
        yield from super().problems(metrics, dimensions)
        for place, each in enumerate(self.each[1:] if self.also else ()):
            for option, problem in each.problems(metrics, dimensions):
                if option in ("metric", "worse", "bounds", "good"):
                    yield f"also[{place}].{option}", problem

    def initial(self) -> State:
        """Return the state before any observation; of several metrics, that of each."""
        return tuple(each.initial() for each in self.each) if self.also else self._begun()

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; others' metrics are ignored. Raises `ValueError` on a value outside its range."""
        if self.also:
            return tuple(each.fold(part, batch) for each, part in zip(self.each, state, strict=True))
        return super().fold(state, batch)

    def change(self, state: State, change: Change) -> State:
        """Note a change: a release begins in its tick, or the next one to be folded if that is closed already."""
        if self.also:
            return tuple(each.change(part, change) for each, part in zip(self.each, state, strict=True))
        return self._changed(state, change)

    def newest(self, state: State) -> Microseconds | None:
        """Return the time of the newest answer seen."""
        if self.also:
            parts = (each.newest(part) for each, part in zip(self.each, state, strict=True))
            return max((part for part in parts if part is not None), default=None)
        return super().newest(state)

    def settled(self, state: State, at: datetime) -> State:
        """Return the state with all ticks folded that have ended at ``at``."""
        if self.also:
            return tuple(each.settled(part, at) for each, part in zip(self.each, state, strict=True))
        return super().settled(state, at)

    def lag(self, state: State) -> timedelta:
        """Return how long after its end a tick is read, of any metric."""
        if self.also:
            return max(each.lag(part) for each, part in zip(self.each, state, strict=True))
        return super().lag(state)

    def lateness(self, state: State) -> LateAnswers:
        """Return how many answers came late so far, of the metric with the most of them."""
        if self.also:
            parts = (each.lateness(part) for each, part in zip(self.each, state, strict=True))
            return max(parts, key=lambda part: (part.left_out, part.late))
        return super().lateness(state)

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge as of ``at``; the reason warns where clusters are not what traffic is routed by."""
        known = self.settled(state, at - self.lag(state))
        if self.also:
            judged = {each.judged: each.verdict(part, at) for each, part in zip(self.each, known, strict=True)}
            return several.together(judged).model_copy(update={"policy_version": self.policy_version})
        verdict, warning = super().verdict(known, at), self._warning(known)
        return verdict if warning is None else verdict.model_copy(update={"reason": f"{verdict.reason}; {warning}"})

    def dump(self, state: State) -> bytes:
        """Serialize a state as JSON; equal states give equal bytes."""
        if self.also:
            parts = [orjson.loads(each.dump(part)) for each, part in zip(self.each, state, strict=True)]
            return orjson.dumps({**self._origin(), "metrics": parts})
        return super().dump(state)

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if a gate of another configuration or version wrote it."""
        if not self.also:
            return super().load(data)
        decoded: Any = orjson.loads(data)
        if not isinstance(decoded, dict) or {k: decoded.get(k) for k in self._origin()} != self._origin():
            raise ValueError(f"not a state of the gate {self.name!r} as it is configured")
        parts = zip(self.each, decoded["metrics"], strict=True)
        return tuple(each.load(orjson.dumps(part)) for each, part in parts)

    def _unused(self) -> set[str]:
        """Return the options that a configuration of before they were there did not have either."""
        return super()._unused() | ({"also"} if not self.also else set())

    def _begun(self) -> State:
        """Return the state of one metric before any observation."""
        raise NotImplementedError

    def _changed(self, state: Any, change: Change) -> State:
        """Return the state of one metric with a change noted."""
        raise NotImplementedError

    def _warning(self, state: Any) -> str | None:
        """Return what a verdict must be read with, as a sentence, if there is anything."""
        raise NotImplementedError
