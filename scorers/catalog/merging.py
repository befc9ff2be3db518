"""Listings of several sources as one: an id that two of them give to different documents is told apart."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any

from scorers.catalog.document import Document, split_reference
from scorers.catalog.uri import ends_with, place_of


def merged(
    listings: Iterable[tuple[str, Iterable[Document]]], *, declared: Container[str] = frozenset()
) -> Iterator[Document]:
    """Yield the entries of named listings, the first ones first; what is ``declared`` elsewhere is left out.

    An id of an earlier listing gets the name of the later one before it there, and so do references to it.

    >>> first, second = [Document(id="a.md", uri="/srv/a.md")], [Document(id="a.md", uri="/mnt/a.md")]
    >>> [one.id for one in merged([("hr", first), ("it", second)])]
    ['a.md', 'it:a.md']
    """
    taken: set[str] = set()
    for name, entries in listings:
        held = list(entries)
        own = {entry.id for entry in held}
        names = {each: _free(f"{name}:{each}", taken | own) for each in sorted(own & taken)}
        for entry in held:
            if entry.id in declared:
                continue
            changes: dict[str, Any] = {}
            if entry.id in names:
                changes["id"] = names[entry.id]
            if names and entry.supersedes:
                changes["supersedes"] = tuple(_renamed(reference, names) for reference in entry.supersedes)
            yield entry.model_copy(update=changes) if changes else entry
        taken |= (own - names.keys()) | set(names.values())


class Places:
    """The ids and places of listed documents: what passages alone say of one of these is nothing new.

    >>> places = Places([Document(id="a.md", uri="/srv/docs/a.md")])
    >>> [places.hold(Document(id=name)) for name in ("a.md", "file:///srv/docs/a.md", "/srv/docs/b.md")]
    [True, True, False]
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._names: set[str] = set()
        self._named: dict[str, list[str]] = {}
        for document in documents:
            self._names.add(document.id)
            if document.uri is not None:
                place = place_of(document.uri)
                # The name of a file without its folder is all that some loaders keep.
                name = place.rpartition("/")[2]
                self._names |= {place, name}
                self._named.setdefault(name, []).append(place)

    def hold(self, document: Document) -> bool:
        """Return whether a document is one of those that are listed."""
        names = (document.id, place_of(document.id), place_of(document.uri or document.id))
        if any(name in self._names for name in names):
            return True
        path = names[-1]
        return any(ends_with(place, path) for place in self._named.get(path.rpartition("/")[2], ()))


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"{name}~"
    return name


def _renamed(reference: str, names: dict[str, str]) -> str:
    doc_id, version = split_reference(reference)
    if reference in names:
        return names[reference]
    return f"{names[doc_id]}@{version}" if version is not None and doc_id in names else reference
