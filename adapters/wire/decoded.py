"""What decoding gives: the spans that could be read, and why the others could not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from adapters.base import MalformedRecord
from adapters.frozen import frozen
from adapters.trace import Span


@frozen(frozen=True, slots=True)
class Decoded:
    """The spans that could be read, and why the others could not."""

    spans: tuple[Span, ...]
    malformed: tuple[MalformedRecord, ...] = ()


@frozen(frozen=True, slots=True)
class SpanOrigin:
    """What the spans of one scope share."""

    resource: Mapping[str, Any] = field(default_factory=dict)
    scope_name: str = ""
    scope_version: str = ""


@frozen(frozen=True, slots=True)
class Decoding:
    """Collects the spans of one message while it is being taken apart."""

    spans: list[Span] = field(default_factory=list)
    malformed: list[MalformedRecord] = field(default_factory=list)

    def refuse(self, reason: str, where: str) -> None:
        """Note that what stands at ``where`` cannot be read."""
        self.malformed.append(MalformedRecord(reason, where))

    def decoded(self) -> Decoded:
        """Return what was collected."""
        return Decoded(tuple(self.spans), tuple(self.malformed))
