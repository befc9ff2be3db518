"""What a gate is: a pure fold over observations, and a verdict that may be read at any time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, ClassVar, Self

from pydantic import Field

from gates.base.verdict import LateAnswers, Verdict
from gates.inputs.changes import Change, ChangeKind
from gates.inputs.observations import Batch, Observation
from gates.units.instants import Microseconds
from gates.units.scale import Scale
from scorers.base import Metric, Value

State = Any
"""A gate's state: whatever its gate makes of it, and never changed from outside; ``dump`` and ``load`` see inside."""


JUDGE = "judge"
"""The component that a change of the model behind scorers is about: it may stand behind any metric."""


class Gate(Value):
    """A decision over a stream of scores. The fields of a subclass are its YAML options, tagged by ``type``.

    Every gate gives an ``example``, by which the laws of gates try it.
    """

    example: ClassVar[Mapping[str, Any]]
    """Its least options beside type, name and metric, under which a hundred answers are enough to be judged."""

    type: str
    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$", description="Name of the gate, in the API, in metrics and in alerts."
    )

    @property
    def policy_version(self) -> str:
        """A short hash of the configuration: another policy, another state."""
        return sha256(self.model_dump_json(exclude=self._unused()).encode()).hexdigest()[:12]

    def _unused(self) -> set[str]:
        """Return the options that are no part of the policy, because they are left out."""
        return set()

    @property
    def metrics(self) -> frozenset[str]:
        """The metrics this gate listens to."""
        raise NotImplementedError

    @property
    def scales(self) -> Mapping[str, Scale]:
        """The ranges of the metrics it judges."""
        return {}

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The slice dimensions whose slices are judged apart; none: all traffic as one."""
        return ()

    @property
    def limit(self) -> float | None:
        """The value of its metric that is not to be passed, where it has one: a board draws it as a line."""
        return None

    @property
    def expectation(self) -> str:
        """What to expect of its verdicts with these options, in words; empty where a gate says nothing of it."""
        return ""

    @property
    def accepted_alarms(self) -> float | None:
        """How many false alarms are accepted in a week, over all slices; ``None`` where a gate states no such rate."""
        return None

    @property
    def asked_alarms(self) -> float | None:
        """What its configuration says that it accepts; ``None`` where it says nothing."""
        return None

    def allotted(self, alarms: float) -> Self:
        """Return the gate with so many false alarms a week; one that states no such rate as it is."""
        del alarms
        return self

    @property
    def counts_labels(self) -> bool:
        """Whether answers are judged by the label of their score rather than by its value."""
        return False

    @property
    def counts_unscored(self) -> bool:
        """Whether answers that came without a score are told apart from those that did not come."""
        return False

    @property
    def takes_labels(self) -> bool:
        """Whether labels by people are evidence, beside scores."""
        return False

    def takes_labels_by(self, labeller: str) -> bool:
        """Whether labels by ``human``, ``gold`` or ``model`` are evidence to this gate."""
        del labeller
        return self.takes_labels

    @property
    def learns_reference(self) -> bool:
        """Whether answers are held against a reference learned from the past, which can be begun anew."""
        return False

    @property
    def estimates_metric(self) -> bool:
        """Whether estimates are values of the metric, rather than shares of answers."""
        return True

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield ``(field, what is wrong)`` of a gate that cannot work with these metrics and slice dimensions."""
        raise NotImplementedError

    def stratified(self, names: tuple[str, ...]) -> Gate:
        """Return the gate as it is where sampling rules go by these slice dimensions. Most gates need not know."""
        del names
        return self

    def initial(self) -> State:
        """Return the state before any observation."""
        raise NotImplementedError

    def fold(self, state: State, batch: Batch) -> State:
        """Return ``state`` with observations folded in; the state given stays as it was.

        Same observations in the same order, same state, in batches of any size and wherever a restart falls.
        """
        raise NotImplementedError

    def update(self, state: State, observation: Observation) -> State:
        """Return ``state`` with one observation folded in: a batch of one."""
        return self.fold(state, Batch.of([observation]))

    def change(self, state: State, change: Change) -> State:
        """Return ``state`` with a change noted, in its place among the observations. Most gates need none."""
        del change
        return state

    @property
    def length(self) -> timedelta:
        """The length of a tick that is folded as a whole; nothing where every answer counts at once."""
        return timedelta()

    def newest(self, state: State) -> Microseconds | None:
        """Return up to when there is evidence in ``state``; ``None`` where there is none.

        A gate that has seen later answers drops earlier ones as too late.
        """
        del state
        return None

    def lag(self, state: State) -> timedelta:
        """Return how long after its end a tick is read; nothing where every answer counts at once."""
        del state
        return timedelta()

    def lateness(self, state: State) -> LateAnswers:
        """Return how many answers have come late so far, and how many of them were left out."""
        del state
        return LateAnswers()

    def settled(self, state: State, at: datetime) -> State:
        """Return ``state`` with all ticks folded that have ended at ``at``: nothing more will come for them."""
        del at
        return state

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge as of ``at``."""
        raise NotImplementedError

    def dump(self, state: State) -> bytes:
        """Serialize a state for a checkpoint."""
        raise NotImplementedError

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if another configuration wrote it: then replay rebuilds it."""
        raise NotImplementedError


def change_reaches(gate: Gate, kind: ChangeKind, component: str | None) -> bool:
    """Return whether a gate is told of a change.

    One of a scorer is news to gates that listen to its metric, one of a reference to the gate it names, any other to
    all.
    """
    if kind == "scorer":
        return component in (None, JUDGE, *gate.metrics)
    return kind != "reference" or component == gate.name
