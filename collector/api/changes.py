"""A change that somebody announces: what may be said of it, and the row of the ledger that it becomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Annotated, Any

import orjson
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from adapters.schema import Instant
from adapters.trace import Nanoseconds
from collector.clock import duration, instant, nanoseconds
from collector.store.chain import canonical
from collector.store.entries import Entry
from gates.inputs.changes import ChangeKind, bounded

MAX_BODY = 64 * 1024
"""Bytes of an announcement: a hundred documents with long names fit."""
AHEAD = duration(timedelta(minutes=5))
"""How far a clock may run ahead of the agent's; a change is not announced before it took effect."""
SHOWN = 5
"""Problems that are told at once."""
COMPONENTS: Mapping[ChangeKind, str] = {
    "deploy": "release",
    "documents": "documents",
    "model": "model",
    "prompt": "prompt",
    "index": "index",
    "retriever": "retriever",
}
"""What changed where the announcement does not say it; of a scorer it has to: the metric."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has a character that cannot be printed")
    return text


def _storable(text: str) -> str:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("has a character that is none")
    return text


def _text_only(value: Any) -> Any:
    if not isinstance(value, str | datetime):
        raise ValueError("expected a time as text, like 2026-03-01T12:00:00Z")  # noqa: TRY004 - pydantic's protocol
    return value


Name = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(_printable)]
Label = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(_printable)]


class Announcement(BaseModel):
    """A change, as somebody announces it. ``at`` is when it took effect; now, if left out.

    ``scope`` names the slice dimensions and values that it touches; none: all traffic. ``id`` makes it safe to announce
    it again: the same id is the same change. ``documents`` are ids of documents, for changes of documents.

    >>> Announcement(kind="deploy", version="2.1", scope={"service": "desk"}).entry(now=10**9).component
    'release'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ChangeKind
    version: Name | None = None
    previous: Name | None = None
    component: Name | None = None
    scope: Annotated[Mapping[Label, Label], Field(max_length=16)] = Field(default_factory=dict)
    documents: Annotated[tuple[Name, ...], Field(max_length=100)] = ()
    at: Annotated[Instant, BeforeValidator(_text_only)] | None = None
    id: Label | None = None
    note: Annotated[str, Field(max_length=1000), AfterValidator(_storable)] | None = None

    def entry(self, *, now: Nanoseconds) -> Entry:
        """Return the row of the ledger, learned of ``now`` (ns)."""
        at = now if self.at is None else min(nanoseconds(self.at), now)
        content = self.model_dump(mode="json", exclude={"id"})
        # Announced without a time it is of now, and another one than the one announced before.
        said = canonical([content, None if self.at is not None else now])
        return Entry(
            id=self.id or f"explicit-{blake2b(said.encode(), digest_size=12).hexdigest()}",
            at=at,
            recorded_at=now,
            kind=self.kind,
            source="explicit",
            component=self.component or COMPONENTS[self.kind],
            scope=dict(self.scope),
            version=self.version,
            previous=self.previous,
            documents=self.documents,
            note=self.note,
        )

    def says(self, row: Entry) -> bool:
        """Whether ``row``, of the same id, is this change; a time left out is that of the row."""
        mine = self.entry(now=row.recorded_at)
        return replace(mine, at=row.at if self.at is None else mine.at) == replace(row, seq=0)


def read_announcement(body: bytes, *, dimensions: Collection[str], now: Nanoseconds) -> Announcement:
    """Read an announcement. Raises `ValueError` that says what is wrong with it, on one line."""
    try:
        found = Announcement.model_validate(orjson.loads(body))
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the body is no JSON: {error}") from error
    except ValidationError as error:
        problems = [_told(problem) for problem in error.errors(include_url=False, include_input=False)]
        more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise ValueError("; ".join(problems[:SHOWN]) + more) from error
    for name in found.scope:
        if name not in dimensions:
            raise ValueError(f"scope: no slice dimension {name[:40]!r}; there are: {', '.join(dimensions) or 'none'}")
    if found.component is None and found.kind not in COMPONENTS:
        raise ValueError("component: a change of a scorer names its metric")
    if found.documents and found.kind != "documents":
        raise ValueError("documents: only a change of kind documents names documents")
    if found.at is not None and not 0 <= nanoseconds(found.at) <= now + AHEAD:
        raise ValueError(f"at: expected a time in the past, it is {instant(now).isoformat()} here")
    if not bounded(found.version, found.scope, found.documents):
        also = ", or the documents that changed" if found.kind == "documents" else ""
        raise ValueError(
            "version: give the version that took effect, or the scope of the traffic that it touched"
            f"{also}; without these the evidence of every gate would begin anew"
        )
    return found


def _told(problem: Mapping[str, Any]) -> str:
    where = ".".join(str(part)[:40] for part in problem["loc"])
    said = str(problem["msg"]).removeprefix("Value error, ")
    return f"{where}: {said}" if where else said
