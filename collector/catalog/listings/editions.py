"""Editions of a document that a source keeps beside each other: the policy in force, and those that it replaced."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from collector.catalog.listings.notes import Notes
from scorers.catalog import Document


class Editions:
    """What a source has, by id: the last edition of each document, and earlier ones in files of their own.

    Files of one id are editions of one document if each says another version and from when on it governs; an edition
    that names no end ends where the next one begins. Any other file of an id that is taken is listed by its name.

    >>> from datetime import UTC, datetime
    >>> of = lambda version, year: Document(id="HR-1", version=version, effective_from=datetime(year, 1, 1, tzinfo=UTC))
    >>> found = Editions()
    >>> for name, entry in {"leave.md": of("4", 2026), "archive/leave.md": of("3", 2024)}.items():
    ...     found.add(entry, name, Notes(), "file")
    >>> found.last["HR-1"].version, [(one.version, one.effective_to.year) for one in found.earlier]
    ('4', [('3', 2026)])
    """

    def __init__(self) -> None:
        self._found: dict[str, list[Document]] = {}

    def add(self, entry: Document, name: str, notes: Notes, kind: str) -> None:
        """Take in the entry of ``name``, a ``kind`` of thing such as "file"."""
        held = self._found.get(entry.id, [])
        if held and not _apart([*held, entry]):
            notes.add(f"of an id that another {kind} has, listed by name", name)
            entry = entry.model_copy(update={"id": name})
            held = []
        self._found[entry.id] = sorted([*held, entry], key=_start) if held else [entry]

    @property
    def last(self) -> dict[str, Document]:
        """The last edition of each document."""
        return {doc_id: editions[-1] for doc_id, editions in self._found.items()}

    @property
    def earlier(self) -> tuple[Document, ...]:
        """The editions before the last, each with its end."""
        return tuple(
            edition if edition.effective_to else edition.model_copy(update={"effective_to": following.effective_from})
            for editions in self._found.values()
            for edition, following in pairwise(editions)
        )


def with_earlier(documents: Iterable[Document], earlier: Iterable[Document]) -> list[Document]:
    """Return entries with those of earlier editions, in place of what was listed of them before."""
    held = list(earlier)
    keys = {(one.id, one.version) for one in held}
    places = {one.uri: one.id for one in held}
    kept = [one for one in documents if (one.id, one.version) not in keys and places.get(one.uri, one.id) == one.id]
    return [*kept, *held]


def _apart(editions: Iterable[Document]) -> bool:
    """Tell whether each of these says another version and another day from which it governs."""
    held = list(editions)
    versions, starts = {one.version for one in held}, {one.effective_from for one in held}
    return len(versions) == len(starts) == len(held) and None not in starts


def _start(edition: Document) -> float:
    return edition.effective_from.timestamp() if edition.effective_from else 0.0
