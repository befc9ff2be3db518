"""The versions of documents as one listing of their source after another showed them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from scorers.catalog.document import Document

KEEP = 5
"""Versions of a document that are kept, the one in force among them."""
_MARK = 8
"""Characters of a checksum that tell texts of one version apart."""


class SourceHistory:
    """What a source has, and what it had before: each version governs from when it came until it was replaced.

    A version says itself from when on it governs. One that says nothing, or only the date of the one that it replaces,
    governs from when it took its place; of the first one seen nobody knows since when. Versions are told apart by their
    checksums. Of a text that came back the older entry goes, so that it counts as what is in force. A file that is
    written again unchanged, as a checkout does, keeps the date that it was first seen with.

    >>> from datetime import UTC
    >>> history, may = SourceHistory(), datetime(2026, 5, 4, tzinfo=UTC)
    >>> history.listed(Document(id="a.md", version="1", checksum="c1"), may)
    >>> history.listed(Document(id="a.md", version="2", checksum="c2"), may)
    >>> [(one.version, one.effective_from == may, one.effective_to == may) for one in history.documents()]
    [('1', False, True), ('2', True, False)]
    """

    def __init__(self, documents: Iterable[Document] = (), *, keep: int = KEEP) -> None:
        self._keep = keep
        self._now: dict[str, Document] = {}
        self._before: dict[str, list[Document]] = {}
        for document in sorted(documents, key=_ended):
            held = self._now.get(document.id)
            if document.effective_to is None and held is None:
                self._now[document.id] = document
            else:
                self._before.setdefault(document.id, []).append(document)

    @property
    def current(self) -> frozenset[str]:
        """The ids of what the source has."""
        return frozenset(self._now)

    def now(self, doc_id: str) -> Document | None:
        """Return what the source has under an id."""
        return self._now.get(doc_id)

    def listed(self, document: Document, at: datetime | None, *, moved_from: str | None = None) -> None:
        """Note that the source has ``document``; what is new of it is so since ``at``.

        ``moved_from`` is the id that it had before, whose last version it then supersedes.
        """
        held = self._now.get(document.id)
        start = document.effective_from
        if held is not None and held.checksum == document.checksum:
            start = held.effective_from or start
            document = document.model_copy(update={"supersedes": document.supersedes or held.supersedes})
        elif held is not None or document.id in self._before or moved_from is not None:
            start = at if start is None or (at is not None and _keeps_date(held, start)) else start
        if held is not None and held.checksum != document.checksum:
            self._close(document.id, start, but=document)
        if moved_from is not None and moved_from in self._now:
            old = self._now[moved_from]
            self._close(moved_from, start)
            document = _dated(document, [old])
            document = document.model_copy(update={"supersedes": (*document.supersedes, old.reference)})
        if start is None or document.effective_to is None or start < document.effective_to:
            document = document.model_copy(update={"effective_from": start})
        kept = self._before.get(document.id, ())
        before = [one for one in kept if one.checksum != document.checksum]
        self._before[document.id] = before
        same = [one for one in kept if one.checksum == document.checksum]
        self._now[document.id] = _dated(document, same if held is None else [held, *same])

    def gone(self, doc_id: str, at: datetime) -> None:
        """Note that the source no longer has a document since ``at``."""
        if doc_id in self._now:
            self._close(doc_id, at)

    def documents(self) -> tuple[Document, ...]:
        """Return all versions that are kept, by id, what is in force last."""
        found: list[Document] = []
        for doc_id in sorted(self._now.keys() | self._before.keys()):
            now = self._now.get(doc_id)
            before = self._before.get(doc_id, [])
            room = self._keep - (now is not None)
            found += before[len(before) - room :] if 0 < room < len(before) else before if room > 0 else []
            if now is not None:
                found.append(now)
        return tuple(found)

    def _close(self, doc_id: str, at: datetime | None, *, but: Document | None = None) -> None:
        """End what is in force; what never was is dropped, as is a version of which nobody knows when it ended."""
        old = self._now.pop(doc_id)
        end = at if old.effective_to is None or at is None else min(at, old.effective_to)
        if end is None or (old.effective_from is not None and old.effective_from >= end):
            return
        version = old.version
        if but is not None and but.version == version:
            version = f"{version or ''}~{(old.checksum or '')[:_MARK]}"
        before = [one for one in self._before.get(doc_id, ()) if one.version != version]
        before.append(old.model_copy(update={"effective_to": end, "version": version}))
        self._before[doc_id] = before[-self._keep :]


def _dated(document: Document, seen: Iterable[Document]) -> Document:
    """Return a document with the first date that its contents were seen with: to write a file again changes nothing."""
    alike = [one.modified_at for one in seen if document.checksum is not None and one.checksum == document.checksum]
    dates = [date for date in (document.modified_at, *alike) if date is not None]
    return document.model_copy(update={"modified_at": min(dates)}) if dates else document


def _keeps_date(held: Document | None, start: datetime) -> bool:
    """Tell whether an edit kept the date of what it replaces: it governs since it came, not since then."""
    return held is not None and held.effective_from is not None and start <= held.effective_from


def _ended(document: Document) -> tuple[bool, float, str, str]:
    end = document.effective_to
    return end is None, 0.0 if end is None else end.timestamp(), document.id, document.version or ""
