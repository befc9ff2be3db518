"""An edition: one version of one document, with all its sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from scorers.catalog.document import Document, within


class EditionKey(NamedTuple):
    """What names an edition: document id and version (empty for a document without versions)."""

    id: str
    version: str

    @property
    def reference(self) -> str:
        """Return ``id@version``, or the bare id of a document without versions."""
        return f"{self.id}@{self.version}" if self.version else self.id


class Sections(Protocol):
    """The entries of an edition in the order of `section_order`, however they were listed; never empty."""

    def __iter__(self) -> Iterator[Document]:
        """Yield them."""
        ...

    def __len__(self) -> int:
        """Return how many there are."""
        ...

    def __getitem__(self, index: int) -> Document:
        """Return one by its place."""
        ...

    def named(self, name: str | None) -> Document | None:
        """Return the first entry for section ``name`` (``None``: for the whole document), if there is one."""
        ...


class Few(tuple[Document, ...]):
    """Sections that are in memory already."""

    __slots__ = ()

    def named(self, name: str | None) -> Document | None:
        """Return the first entry for section ``name``, if there is one."""
        return next((document for document in self if document.section == name), None)


@dataclass(frozen=True, slots=True)
class Edition:
    """One version of one document, all its sections together.

    The window is the union of the sections' windows, ``supersedes`` holds the references of all of them.
    """

    key: EditionKey
    sections: Sections
    effective_from: datetime | None
    effective_to: datetime | None
    supersedes: tuple[str, ...] = ()

    def in_force(self, at: datetime) -> bool:
        """Return whether the edition governs at ``at``."""
        return within(self.effective_from, self.effective_to, at)

    def section(self, name: str | None) -> Document:
        """Return the section called ``name``, else the entry for the whole document, else the first by name."""
        return self.sections.named(name) or self.sections.named(None) or self.sections[0]


def edition(key: EditionKey, sections: Sequence[Document]) -> Edition:
    """Return the edition that these entries make up."""
    starts = [document.effective_from for document in sections]
    ends = [document.effective_to for document in sections]
    return Edition(
        key,
        Few(sorted(sections, key=lambda document: section_order(document.section))),
        None if None in starts else min(start for start in starts if start is not None),
        None if None in ends else max(end for end in ends if end is not None),
        tuple({reference: None for document in sections for reference in document.supersedes}),
    )


def section_order(name: str | None) -> tuple[bool, str]:
    """Return what sections are sorted by: the entry for the whole document first, then by name."""
    return name is not None, name or ""


def key_of(document: Document) -> EditionKey:
    """Return the key of the edition a document belongs to."""
    return EditionKey(document.id, document.version or "")
