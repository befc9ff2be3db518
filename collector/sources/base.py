"""What a source is: something the agent reads by itself, page by page, and resumes where it left off.

A source knows how to fetch and where it stands. Storing belongs to `collector.sources.pull`; timing, retrying, counting
and logging to the frame of every link, `collector.outbound.link`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, runtime_checkable

from pydantic import Field

from adapters.base import MalformedRecord
from adapters.schema import Answer
from adapters.trace import Span
from collector.outbound.options import Closable, LinkOptions
from gates.units.duration import Duration


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What one fetch brought, and where the source stands after it.

    ``cursor`` is stored in one transaction with everything else here. ``more`` says to look again at once.
    """

    cursor: bytes
    spans: Sequence[Span] = ()
    answers: Sequence[Answer] = ()
    malformed: Sequence[MalformedRecord] = ()
    more: bool = False


@runtime_checkable
class Source(Closable, Protocol):
    """An opened source."""

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return what lies behind ``cursor`` (``None``: from the start): one bounded page, or one closed window.

        ``now`` is Unix nanoseconds. Pure but for reading: with the same cursor it may be called again, and whatever the
        page before did not get stored comes once more. A cursor it cannot read counts as none. Raises `Unreachable`.
        """
        ...

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands, as a small JSON object; ``{}`` where it cannot be read."""
        ...


class SourceOptions(LinkOptions):
    """The options every source has. The fields of a subclass are its YAML options, tagged by ``type``."""

    poll: Duration = Field(
        default=timedelta(seconds=10), description="Time between two looks while there is nothing new."
    )
    resource: Mapping[str, str] = Field(
        default_factory=dict,
        description="Resource attributes added to every span of this source, such as `service.name`.",
    )
