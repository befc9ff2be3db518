"""A document of the catalog: one section of one version, with its authority and the window in which it governs."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from adapters.schema import Instant, Proportion, Record


class Document(Record):
    """What the catalog knows of one section of one version of a document.

    The document governs from ``effective_from`` up to, and not at, ``effective_to``; ``None`` is an open end.
    ``version`` ``None`` means the document has no versions, ``section`` ``None`` that the entry is the whole document.
    ``supersedes`` holds references: ``id@version``, a bare version of the same document, or a bare id of another one.
    ``permitted`` names the groups that may see it, ``None`` for everyone. ``modified_at`` is when its source was last
    changed, by a listing of the source; it says nothing of when the document governs.

    >>> Document(id="HR-010", version="4.0").reference
    'HR-010@4.0'
    """

    id: str
    version: str | None = None
    section: str | None = None
    title: str | None = None
    effective_from: Instant | None = None
    effective_to: Instant | None = None
    authority: Proportion | None = None
    role: str | None = None
    supersedes: tuple[str, ...] = ()
    checksum: str | None = None
    permitted: tuple[str, ...] | None = None
    text: str | None = None
    uri: str | None = None
    modified_at: Instant | None = None

    @property
    def reference(self) -> str:
        """Return ``id@version``, or the bare id of a document without versions."""
        return self.id if self.version is None else f"{self.id}@{self.version}"

    def in_force(self, at: datetime) -> bool:
        """Return whether ``at`` lies in the effective window; an open window holds every instant."""
        return within(self.effective_from, self.effective_to, at)


def within(start: datetime | None, end: datetime | None, at: datetime) -> bool:
    """Return whether ``start <= at < end``, with ``None`` as an open end."""
    return (start is None or start <= at) and (end is None or at < end)


def parse_instant(raw: str, *, end: bool) -> datetime | None:
    """Return the instant that a date or time of the catalog means, in UTC.

    A date without a time is the start of that day, or with ``end`` the end of it. A time without an offset is UTC.
    Raises ``ValueError`` on anything else.

    The last day of the calendar is how some write "no end": as an end it is ``None``.

    >>> parse_instant("2025-03-31", end=True).isoformat()
    '2025-04-01T00:00:00+00:00'
    """
    text = raw.strip()
    try:
        if len(text) == len("2025-03-31"):
            day = date.fromisoformat(text)
            if end and day == date.max:
                return None
            return datetime.combine(day + timedelta(days=1) if end else day, time(), UTC)
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        msg = f"{raw[:40]!r} is not an ISO 8601 date or time"
        raise ValueError(msg) from None


def split_reference(reference: str) -> tuple[str, str | None]:
    """Split ``id@version`` at its last ``@``; the version of a bare reference is ``None``.

    >>> split_reference("HR-010@4.0"), split_reference("HR-010")
    (('HR-010', '4.0'), ('HR-010', None))
    """
    name, at, version = reference.rpartition("@")
    return (name, version) if at and name and version else (reference, None)
