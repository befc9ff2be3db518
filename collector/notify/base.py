"""What a notifier is: it sends decisions to one server, one file a kind.

A notifier plans what to send, without a clock and without a network, and sends one notification. Its position in the
decision log belongs to `collector.notify.step`; timing, retrying, counting and logging to the frame of every link,
`collector.outbound.link`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from collector.notify.notice import Names, Notice
from collector.outbound.credentials import TokenOptions
from collector.outbound.options import LinkOptions
from collector.store.entries import Entry

NotifierMemory: TypeAlias = Mapping[str, Any]
"""What a notifier remembers: a small JSON object, stored together with its position."""

EMPTY: NotifierMemory = MappingProxyType({})

RollbackOutcome = Literal[
    "requested",
    "dry_run",
    "hold",
    "not_configured",
    "unknown_target",
    "repeated",
    "returns",
    "cooling_down",
    "capped",
]
"""What became of a recommendation to roll back: requested, or the reason why not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """One request. ``id`` is the same whenever it is sent, so that a receiver can drop what comes twice."""

    id: str
    kind: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotificationPlan:
    """What is to be sent of one piece of news, and what is remembered once all of it was sent."""

    notifications: Sequence[Notification]
    memory: NotifierMemory
    rollback: RollbackOutcome | None = None
    detail: str = ""


TRIAL = "Test message of Groundwire: notifications reach you; nothing is failing"
"""What a test message says."""


class Notifier(ABC):
    """An opened notifier; of the news that it does not know it sends nothing."""

    def decided(self, notice: Notice, memory: NotifierMemory, *, now: int) -> NotificationPlan:
        """Plan what to send of a decision at ``now`` (Unix nanoseconds). Pure: planning again changes nothing."""
        del notice, now
        return NotificationPlan((), memory)

    def changed(self, entry: Entry, memory: NotifierMemory, *, now: int) -> NotificationPlan:
        """Plan what to send of a row of the change ledger."""
        del entry, now
        return NotificationPlan((), memory)

    def standing(self, newest: Sequence[Notice], memory: NotifierMemory, *, now: int) -> NotificationPlan:
        """Plan how to send again what holds now, from the newest decision of every (gate, slice)."""
        del newest, now
        return NotificationPlan((), memory)

    @abstractmethod
    def trial(self, names: Names, *, now: int) -> Notification:
        """Return a message that says of itself that it is a test, in the form in which failures are told."""

    @abstractmethod
    def send(self, notification: Notification, *, now: int) -> None:
        """Send one notification. Raises `Refused` where it is at fault, `Unreachable` where it may work later."""

    @abstractmethod
    def close(self) -> None:
        """Release connections; a notification under way may fail."""


class NotifierOptions(TokenOptions, LinkOptions):
    """The options every notifier has. The fields of a subclass are its YAML options, tagged by ``type``."""

    follows_changes: ClassVar[bool] = False
    """Whether rows of the change ledger are news to it."""

    gates: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="Gates whose verdicts are sent; all if left out."
    )
    slices: bool = Field(
        default=True, description="Whether verdicts on single slices are sent, beside that of the gate as a whole."
    )

    question: bool = Field(
        default=False,
        description="Whether messages quote what was asked in their example, cut short. It is text of your users.",
    )

    @abstractmethod
    def open(self, where: str) -> Notifier:
        """Return the notifier. Raises `ConfigError` for a secret that cannot be read."""

    @property
    def acts(self) -> bool:
        """Whether it may ask for more than attention."""
        return False

    @property
    def resend_seconds(self) -> float | None:
        """How often what holds is sent again, for a receiver that forgets; ``None``: it is sent news only."""
        return None

    def wants(self, notice: Notice) -> bool:
        """Return whether a decision is to be sent."""
        of_gate = self.gates is None or notice.gate in self.gates
        return of_gate and (self.slices or not notice.slice)

    def mismatches(self, where: str, gates: Sequence[str], names: Names) -> Iterator[str]:
        """Yield what does not fit the gates and the slice dimensions there are, each as ``path: problem``."""
        del names
        for index, name in enumerate(self.gates or ()):
            if name not in gates:
                yield f"{where}.gates[{index}]: no gate {name!r}; known: {', '.join(sorted(gates)) or 'none'}"
