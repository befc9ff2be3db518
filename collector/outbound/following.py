"""Links that tell another system what the store records: each stands at a position, which the store keeps."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, Self, TypeVar

import msgspec

from collector.outbound.link import Link, Options, Runtime
from collector.store.store import Store


class StoredPosition(msgspec.Struct, frozen=True):
    """How far a link has come, as the store keeps it: its fields are the JSON."""

    def dump(self) -> bytes:
        """Serialize for the store."""
        return msgspec.json.encode(self)

    @classmethod
    def load(cls, data: bytes | None) -> Self | None:
        """Restore what `dump` wrote; ``None`` for nothing, and for anything else."""
        try:
            return msgspec.json.decode(data or b"", type=cls)
        except msgspec.DecodeError:
            return None


At = TypeVar("At", bound=StoredPosition)


class FollowingLink(Link[Options], Generic[Options, At]):
    """A link that stands ``at`` a position. What is cut short before the position moves is sent again."""

    at: At

    def __init__(self, options: Options, runtime: Runtime, store: Store, position: type[At]) -> None:
        super().__init__(options, runtime)
        self.store = store
        self._load = position.load

    @abstractmethod
    def first(self) -> At:
        """Return where a link begins that never ran before."""

    def resume(self) -> None:
        """Go on where the last run ended; a first position is kept from the beginning."""
        saved = self._load(self.store.cursor(self.stage))
        if saved is None:
            saved = self.first()
            self.store.set_cursor(self.stage, saved.dump(), at=self.clock())
        self.at = saved

    def move(self, to: At) -> None:
        """Stand at another position from now on."""
        if to != self.at:
            self.store.set_cursor(self.stage, to.dump(), at=self.clock())
            self.at = to
