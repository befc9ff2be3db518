"""What a notifier is: it says what became of a decision to one server, one file a kind.

A notifier plans what to say, without a clock and without a network, and sends one message. Position, timing, retrying,
counting and telling people belong to the frame, `collector.notify.step`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

from pydantic import Field

from collector.notify.notice import Names, Notice
from collector.outbound.options import LinkOptions
from collector.security.secrets import read_secret
from collector.store.entries import Entry

Memory: TypeAlias = Mapping[str, Any]
"""What a notifier remembers: a small JSON object, stored together with its position."""

EMPTY: Memory = MappingProxyType({})

Action = Literal[
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
"""What came of a recommendation to roll back: requested, or the reason why not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One request. ``id`` is the same whenever it is sent, so that a receiver can drop what comes twice."""

    id: str
    kind: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be said of one piece of news, and what is remembered once all of it was said."""

    messages: Sequence[Message]
    memory: Memory
    action: Action | None = None
    detail: str = ""


class Notifier(Protocol):
    """An opened notifier. One thread plans and sends; `close` may come from another while a message is under way."""

    def decided(self, notice: Notice, memory: Memory, *, now: int) -> Plan:
        """Plan what to say of a decision at ``now`` (Unix nanoseconds). Pure: planning again changes nothing."""
        ...

    def changed(self, entry: Entry, memory: Memory, *, now: int) -> Plan:
        """Plan what to say of a row of the change ledger."""
        ...

    def standing(self, newest: Sequence[Notice], memory: Memory, *, now: int) -> Plan:
        """Plan how to say again what holds now, from the newest decision of every (gate, slice)."""
        ...

    def send(self, message: Message, *, now: int) -> None:
        """Send one message. Raises `collector.outbound.options.Refused`, or `collector.outbound.errors.Unreachable`."""
        ...

    def close(self) -> None:
        """Release connections; a message under way may fail."""
        ...


class NotifierOptions(LinkOptions):
    """The options every notifier has. The fields of a subclass are its YAML options, tagged by ``type``."""

    follows_changes: ClassVar[bool] = False
    """Whether rows of the change ledger are news to it."""

    token_file: Path | None = Field(
        default=None, description="File that holds a token, sent as `Authorization: Bearer TOKEN`."
    )
    gates: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="The gates to tell of; all if left out."
    )
    slices: bool = Field(
        default=True, description="Whether verdicts on single slices are told, beside that of the gate as a whole."
    )

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret."""
        return self.token_file is not None

    @property
    def acts(self) -> bool:
        """Whether it may ask for more than attention."""
        return False

    @property
    def resend_seconds(self) -> float | None:
        """How often what holds is said again, for a receiver that forgets; ``None``: it is told of news only."""
        return None

    def wants(self, notice: Notice) -> bool:
        """Return whether a decision is to be told."""
        of_gate = self.gates is None or notice.gate in self.gates
        return of_gate and (self.slices or not notice.slice)

    def open(self, where: str) -> Notifier:
        """Return the notifier; ``where`` is the path of this section. No network yet.

        Raises `ConfigError` naming the key for a secret or a certificate that cannot be read.
        """
        raise NotImplementedError

    def mismatches(self, where: str, gates: Sequence[str], names: Names) -> Iterator[str]:
        """Yield what does not fit the gates and the slice dimensions there are, each as ``path: problem``."""
        del names
        for index, name in enumerate(self.gates or ()):
            if name not in gates:
                yield f"{where}.gates[{index}]: no gate {name!r}; there are: {', '.join(sorted(gates)) or 'none'}"

    def bearer(self, where: str) -> dict[str, str]:
        """Return the headers that carry the token, if there is one. Raises `ConfigError` naming the key."""
        token = read_secret(None, self.token_file, f"{where}.token_file")
        return {} if token is None else {"authorization": f"Bearer {token}"}


class Quiet:
    """A notifier that has nothing to say: a base for those that know one kind of news only."""

    def decided(self, notice: Notice, memory: Memory, *, now: int) -> Plan:
        """Say nothing of a decision."""
        del notice, now
        return Plan((), memory)

    def changed(self, entry: Entry, memory: Memory, *, now: int) -> Plan:
        """Say nothing of a change."""
        del entry, now
        return Plan((), memory)

    def standing(self, newest: Sequence[Notice], memory: Memory, *, now: int) -> Plan:
        """Say nothing of what holds."""
        del newest, now
        return Plan((), memory)
