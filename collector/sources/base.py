"""What a source is: something the agent reads by itself, piece by piece, and resumes where it left off.

A source knows how to fetch and where it stands. Storing, timing, retrying, counting and telling people belong to the
frame, `collector.sources.pull`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, model_validator

from adapters.base import MalformedRecord
from adapters.schema import Answer
from adapters.trace import Span
from gates.units.duration import Duration


@dataclass(frozen=True, slots=True)
class Batch:
    """What one fetch brought, and where the source stands after it.

    ``cursor`` is stored in one transaction with everything else here. ``more`` says to look again at once.
    """

    cursor: bytes
    spans: Sequence[Span] = ()
    answers: Sequence[Answer] = ()
    malformed: Sequence[MalformedRecord] = ()
    more: bool = False


@runtime_checkable
class Source(Protocol):
    """An opened source. One thread fetches; `close` may come from another and while a fetch is under way."""

    def fetch(self, cursor: bytes | None, *, now: int) -> Batch:
        """Return what lies behind ``cursor`` (``None``: from the start): one bounded page, or one closed window.

        ``now`` is Unix nanoseconds. Pure but for reading: with the same cursor it may be called again, and whatever the
        batch before did not get stored comes once more. A cursor it cannot read counts as none. Raises `Unreachable`.
        """
        ...

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands, as a small JSON object; ``{}`` where it cannot be read."""
        ...

    def close(self) -> None:
        """Release connections and files; a fetch under way may fail."""
        ...


class SourceOptions(BaseModel):
    """The options every source has. The fields of a subclass are its YAML options, tagged by ``type``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str = Field(description="What kind of source this is.")
    name: str = Field(
        default="",
        pattern=r"^([a-z0-9][a-z0-9_.-]{0,62})?$",
        description="Name of the source in metrics, in the API and in the store; the type if left out.",
    )
    poll: Duration = Field(
        default=timedelta(seconds=10), description="Time between two looks while there is nothing new."
    )
    resource: Mapping[str, str] = Field(
        default_factory=dict,
        description="Resource attributes given to every span that comes from here, such as `service.name`.",
    )

    @model_validator(mode="before")
    @classmethod
    def _named(cls, raw: Any) -> Any:
        if isinstance(raw, Mapping) and not raw.get("name"):
            return {**raw, "name": raw.get("type", cls.model_fields["type"].default)}
        return raw

    def open(self, where: str) -> Source:
        """Return the source; ``where`` is the path of this section. No network yet.

        Raises `ConfigError` naming the key for a secret that cannot be read.
        """
        raise NotImplementedError

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section at path ``where``, each as ``path: problem``."""
        del where
        yield from ()

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed and unwise, each as ``path: problem``."""
        del where
        yield from ()
