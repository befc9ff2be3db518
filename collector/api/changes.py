"""The announcement of a change: what it may say, and the row of the ledger that it becomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from adapters.schema import Instant
from adapters.trace import Nanoseconds
from collector.api.exchange import parsed
from collector.api.parameters import Text, printable
from collector.clock import duration, instant, nanoseconds
from collector.store.chain import canonical
from collector.store.entries import Entry
from gates.inputs.changes import ChangeKind, bounded

AHEAD = duration(timedelta(minutes=5))
"""How far a clock may run ahead of the agent's; a change is not announced before it took effect."""
COMPONENTS: Mapping[ChangeKind, str] = {
    "deploy": "release",
    "documents": "documents",
    "model": "model",
    "prompt": "prompt",
    "index": "index",
    "retriever": "retriever",
}
"""What changed, where the announcement does not say it; one about a scorer has to name the metric."""


def storable(text: str) -> str:
    """Return ``text`` as it is. Raises `ValueError` if it holds a character that cannot be stored."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("has a character that cannot be stored")
    return text


def text_only(value: Any) -> Any:
    """Return a time as it is. Raises `ValueError` if it is not written as text."""
    if not isinstance(value, str | datetime):
        raise ValueError("must be a time as text, like 2026-03-01T12:00:00Z")  # noqa: TRY004 - pydantic's protocol
    return value


Label = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(printable)]


class Announcement(BaseModel):
    """A change, as somebody announces it. ``at`` is when it took effect; now, if left out.

    ``scope`` names the slice dimensions and values it affects; without one, all traffic. ``id`` makes it safe to send
    again: the same id is the same change. ``documents`` are the ids of documents that changed. A change that has
    neither version, scope nor documents has to say that it is ``everywhere``: it begins all evidence of gates anew.
    With the kind ``reference`` the gate that ``component`` names begins its reference anew; ``note`` says why.

    >>> Announcement(kind="deploy", version="2.1", scope={"service": "desk"}).entry(now=10**9).component
    'release'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ChangeKind
    version: Text | None = None
    previous: Text | None = None
    component: Text | None = None
    scope: Annotated[Mapping[Label, Label], Field(max_length=16)] = Field(default_factory=dict)
    documents: Annotated[tuple[Text, ...], Field(max_length=100)] = ()
    at: Annotated[Instant, BeforeValidator(text_only)] | None = None
    id: Label | None = None
    note: Annotated[str, Field(max_length=1000), AfterValidator(storable)] | None = None
    everywhere: bool = False

    def entry(self, *, now: Nanoseconds) -> Entry:
        """Return the row of the ledger for a change announced ``now`` (ns)."""
        at = now if self.at is None else min(nanoseconds(self.at), now)
        content = self.model_dump(mode="json", exclude={"id", "everywhere"})
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


def read_announcement(
    body: bytes, *, dimensions: Collection[str], references: Collection[str] = (), now: Nanoseconds
) -> Announcement:
    """Read an announcement. Raises `ValueError` that says what is wrong with it, on one line."""
    announcement = parsed(body, Announcement)
    for name in announcement.scope:
        if name not in dimensions:
            raise ValueError(f"scope: unknown slice dimension {name[:40]!r}; known: {', '.join(dimensions) or 'none'}")
    if announcement.kind == "reference":
        _check_reference(announcement, references)
    elif announcement.component is None and announcement.kind not in COMPONENTS:
        raise ValueError("component: required for a change of a scorer: the name of its metric")
    if announcement.documents and announcement.kind != "documents":
        raise ValueError("documents: allowed only for changes of kind documents")
    if announcement.at is not None and not 0 <= nanoseconds(announcement.at) <= now + AHEAD:
        raise ValueError(f"at: must be in the past; it is {instant(now).isoformat()} here")
    if announcement.everywhere and announcement.scope:
        raise ValueError("everywhere: scope names a part of the traffic; leave out one of the two")
    said = announcement.everywhere or announcement.kind == "reference"
    if not (said or bounded(announcement.version, announcement.scope, announcement.documents)):
        also = ", or the documents that changed" if announcement.kind == "documents" else ""
        raise ValueError(
            f"version: neither version nor scope is given: give the version that took effect, or the scope of the"
            f' traffic it affects{also}. If it has no version and affects all traffic, say "everywhere": true; then'
            " every gate begins its evidence anew"
        )
    return announcement


def _check_reference(announcement: Announcement, references: Collection[str]) -> None:
    """Raise `ValueError` where it is not said which gate begins its reference anew, and why."""
    if announcement.component not in references:
        named = "missing" if announcement.component is None else f"{announcement.component[:40]!r} learns no reference"
        raise ValueError(f"component: {named}; gates that do: {', '.join(references) or 'none'}")
    if announcement.version is not None or announcement.previous is not None:
        raise ValueError("version: a reference has none; leave out version and previous")
    if not (announcement.note or "").strip():
        raise ValueError("note: say why the reference is begun anew")
