"""What changed in the monitored system: gates start evidence at changes, and never compare across scorers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from adapters.schema import Instant
from gates.inputs.slices import Slice
from scorers.base import Value

ChangeKind = Literal["deploy", "documents", "model", "prompt", "index", "retriever", "scorer", "reference"]
MEASURING: frozenset[ChangeKind] = frozenset({"scorer", "reference"})
"""Kinds of change that no answer is touched by: how answers are measured, and what a gate holds them against."""

ChangeSource = Literal["explicit", "observed", "catalog"]
"""Who reported a change: somebody, an answer that showed a version never seen before, or the catalog in force."""

INSTRUMENTS = ("scorer", "judge")
"""Components that do the measuring. With another version of one of these another quantity is measured: what was seen
before is no reference for it."""


_CHECKSUM = re.compile(r"(?:[a-z0-9]{2,10}[:-])?(?=[0-9a-f]*[a-f])(?=[a-f]*[0-9])([0-9a-f]{10,128})")
_SHORT = 8


def shown_version(version: str) -> str:
    """Return the version of a document as people are told it: of a checksum the beginning.

    >>> shown_version("4.10"), shown_version("2026-01-01"), shown_version("20260101120000")
    ('4.10', '2026-01-01', '20260101120000')
    >>> shown_version("sha256:9f86d081884c7d659a2feaa0c55ad015"), shown_version("9f86d081884c7d659a2feaa0c55ad015")
    ('checksum 9f86d081', 'checksum 9f86d081')
    """
    found = _CHECKSUM.fullmatch(version)
    return version if found is None else f"checksum {found[1][:_SHORT]}"


class Change(Value):
    """One change: when, of what, and for which part of the traffic; an empty ``scope`` means all of it.

    >>> from datetime import UTC, datetime
    >>> change = Change(at=datetime(2026, 1, 1, tzinfo=UTC), kind="documents", scope={"domain": "travel"}, version="7")
    >>> change.touches((("domain", "travel"),)), change.touches((("domain", "leave"),)), change.title
    (True, False, 'documents 7')
    """

    at: Instant
    kind: ChangeKind
    scope: Mapping[str, str] = Field(default_factory=dict)
    version: str | None = None

    @property
    def title(self) -> str:
        """Kind and version, as a sentence names it."""
        return self.kind if self.version is None else f"{self.kind} {self.version}"

    def touches(self, slice_: Slice) -> bool:
        """Return whether a slice may be touched: by no dimension that both name does it lie outside the scope."""
        return all(self.scope.get(name, value) == value for name, value in slice_)


def bounded(version: str | None, scope: Mapping[str, str], documents: Sequence[str]) -> bool:
    """Return whether a change says what it is about: the version that took effect, whom it touched, or documents.

    One that says nothing would begin the evidence of every gate over all traffic anew, and nobody could tell why.

    >>> bounded("2.1", {}, ()), bounded(None, {"service": "desk"}, ()), bounded(None, {}, ())
    (True, True, False)
    """
    return bool(version or scope or documents)
