"""Which entry of the catalog a passage comes from, and why that cannot be told where several may be meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Literal, NamedTuple

from adapters.schema import Passage
from scorers.catalog.document import Document
from scorers.catalog.edition import Edition, key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.listing import MAX_SHARING
from scorers.catalog.overlap import holding, long_enough
from scorers.catalog.uri import NAMED, ends_with, is_place, named_of, page_of, place_of
from scorers.text.excerpt import excerpt

MAX_TEXTS = 400
"""Texts that a passage is looked for in; where there are more, its text tells nothing."""
_SHOWN = 3
_ROUNDING = timedelta(seconds=1)
"""The end of a day is its last microsecond in one place and the start of the next day in another."""


Join = Literal["id", "checksum", "uri", "file_name", "text"]
"""What leads from a passage to an entry: its names, its checksum, its place, the name of its file, or its words."""


class PassageOrigin(NamedTuple):
    """The entry that a passage comes from; without one, ``unclear`` says which it may be, empty for none.

    ``join`` is what led to it, or to several.
    """

    document: Document | None
    unclear: str = ""
    rivals: tuple[Edition, ...] = ()
    join: Join | None = None


_UNLISTED = PassageOrigin(None)


def origin(passage: Passage, catalog: Catalog) -> PassageOrigin:
    """Return the entry of ``catalog`` that ``passage`` comes from: by id and version, checksum, URI, or its text.

    A document id, a checksum or a URI that several editions have says nothing yet. They are told apart by what the
    passage carries: its checksum; else its text, where that stands in the text of one of them and not of another, or
    much more of it does; else its version; else its window. Where none of that leaves a single edition, none is taken:
    the order in which a catalog lists its entries never decides.

    A document id that is a path or a URI and is not listed is the place of a passage that has no URI of its own. A URI
    often stays the same from version to version, so it does not stand in for the version of a document that is
    listed. A path without its beginning means the one document whose place ends so (see `at_end_of`). Where nothing
    lies at the URI of a passage, a file of the same name elsewhere may be the one, moved, and
    where a passage names nothing that is listed, any entry may be: but only one in whose text it stands.

    >>> uri = "https://docs.test/refunds"
    >>> catalog = Catalog([Document(id="REF", version=v, uri=uri, text=f"Within {v} days.") for v in "34"])
    >>> origin(Passage(id="c1", uri=uri, text="Within 3 days."), catalog).document.reference
    'REF@3'
    >>> origin(Passage(id="c2", uri=uri, text="By transfer."), catalog).unclear
    'REF@3 and REF@4 share the URI https://docs.test/refunds; the passage does not say which one it comes from'
    """
    name, place = passage.doc_id or passage.id, _place(passage)
    edition = catalog.named(name, passage.version)
    if edition is not None:
        return PassageOrigin(edition.section(passage.section), join="id")
    marked = _each(catalog.with_checksum(passage.checksum)) if passage.checksum is not None else []
    join: Join = "id"
    if catalog.knows(name):
        versions = [] if passage.version is not None else [one.section(None) for one in catalog.editions(name)]
        shared = f"are versions of {excerpt(name)}"
    else:
        versions = [] if place is None else _each(_at(place, catalog) or at_end_of(place, catalog))
        shared, join = f"share the URI {excerpt(place or '')}", "uri"
    if marked:
        keys = {key_of(document) for document in versions}
        versions = [document for document in marked if key_of(document) in keys] or marked
        shared, join = "share the checksum of the passage", "checksum"
    if not versions and not catalog.knows(name):
        versions, shared, join = _confirmed(passage, catalog)
    if not versions:
        return _UNLISTED
    if len(versions) == 1:
        return PassageOrigin(_section(versions[0], passage, catalog), join=join)
    if len(versions) <= MAX_SHARING:
        found = _told_apart(passage, [(document, _edition(document, catalog)) for document in versions])
        if found is not None:
            return PassageOrigin(_section(found, passage, catalog), join=join)
    names = [excerpt(document.reference) for document in versions[:_SHOWN]]
    more = f" and {len(versions) - _SHOWN} more" if len(versions) > _SHOWN else ""
    told = f"{', '.join(names)}{more}" if more else f"{', '.join(names[:-1])} and {names[-1]}"
    rivals = tuple(_edition(document, catalog) for document in versions[:MAX_SHARING])
    return PassageOrigin(None, f"{told} {shared}; the passage does not say which one it comes from", rivals, join)


def _place(passage: Passage) -> str | None:
    """Return where a passage says that it is from: its URI, or else a document id that is a path or a URI."""
    if passage.uri is not None or passage.doc_id is None:
        return passage.uri
    return passage.doc_id if is_place(passage.doc_id) else None


def _each(documents: Iterable[Document]) -> list[Document]:
    """Return the first of each edition's entries, editions by their names."""
    return sorted((next(same) for _, same in groupby(documents, key=key_of)), key=key_of)


def _at(uri: str, catalog: Catalog) -> list[Document]:
    """Return the entries that a URI may mean, those of an edition side by side.

    Where some are at this very place, only other versions of the same documents elsewhere on the page count beside
    them; a place on the page is no other place on it.
    """
    place, page = place_of(uri), page_of(uri)
    exact = [document for document in catalog.at(place) if place_of(document.uri or "") == place]
    beside = [
        document
        for document in catalog.at(page)
        if (other := place_of(document.uri or "")) != place and page in (place, other)
    ]
    if exact:
        ids, keys = {document.id for document in exact}, {key_of(document) for document in exact}
        beside = [document for document in beside if document.id in ids and key_of(document) not in keys]
    return exact + beside


def at_end_of(path: str, catalog: Catalog) -> Sequence[Document]:
    """Return the entries of the one document whose place ends with ``path``, or with whose place ``path`` ends.

    Where one side was listed or loaded from another directory than the other, a path lacks its beginning. With a folder
    before the name of the file it tells, if one document alone lies so; a name alone is that of many files.

    >>> listed = Catalog([Document(id="it/a.md", uri="/srv/kb/it/a.md"), Document(id="hr/a.md", uri="/srv/kb/hr/a.md")])
    >>> [entry.id for entry in at_end_of("it/a.md", listed)], at_end_of("a.md", listed)
    (['it/a.md'], [])
    """
    named = named_of(path)
    if named is None:
        return []
    alike = catalog.at(named)
    found = [one for one in alike if one.uri and (ends_with(one.uri, path) or ends_with(path, one.uri))]
    # Of more editions than are looked at, others may lie so as well.
    certain = len({one.id for one in found}) == 1 and len({key_of(one) for one in alike}) <= MAX_SHARING
    return found if certain else []


def _confirmed(passage: Passage, catalog: Catalog) -> tuple[list[Document], str, Join]:
    """Return the entries in whose text a passage stands that names none, and what they share: first moved files."""
    text = passage.text or ""
    if not len(catalog) or not long_enough(text):
        return [], "", "text"
    for shared, documents, join in _likely(passage, text, catalog):
        found = [documents[place] for place in holding(text, [[document.text or ""] for document in documents])]
        if found:
            return _each(sorted(found, key=key_of)), shared, join
    return [], "", "text"


def _likely(passage: Passage, text: str, catalog: Catalog) -> Iterator[tuple[str, Sequence[Document], Join]]:
    """Yield what entries share with a passage, and the entries with a text that do."""
    place = _place(passage)
    named = None if place is None else named_of(place)
    if named is not None:
        yield (
            f"are files called {excerpt(named.removeprefix(NAMED))}",
            [document for document in catalog.at(named) if document.text],
            "file_name",
        )
    yield "contain the text of the passage", catalog.like(text), "text"


def _edition(document: Document, catalog: Catalog) -> Edition:
    edition = catalog.edition(document.id, document.version or "")
    assert edition is not None
    return edition


def _section(document: Document, passage: Passage, catalog: Catalog) -> Document:
    if passage.section is None or passage.section == document.section:
        return document
    return _edition(document, catalog).sections.named(passage.section) or document


_Candidates = Sequence[tuple[Document, Edition]]


def _told_apart(passage: Passage, candidates: _Candidates) -> Document | None:
    for agreeing in (_by_text, _by_version, _by_window):
        candidates = agreeing(passage, candidates) or candidates
        if len(candidates) == 1:
            return candidates[0][0]
    return None


def _by_text(passage: Passage, candidates: _Candidates) -> _Candidates:
    """Return the editions in a text of which the passage stands; none where not all of their texts are known."""
    if sum(len(edition.sections) for _, edition in candidates) > MAX_TEXTS:
        return ()
    texts = [
        [document.text for document in edition.sections if _speaks(document, edition)] for _, edition in candidates
    ]
    if not all(own and all(own) for own in texts):
        return ()
    return [candidates[place] for place in holding(passage.text or "", [[*map(str, own)] for own in texts])]


def _speaks(document: Document, edition: Edition) -> bool:
    """Tell whether an entry should have a text: one for the whole document leaves that to its sections."""
    return bool(document.text) or document.section is not None or len(edition.sections) == 1


def _by_version(passage: Passage, candidates: _Candidates) -> _Candidates:
    return [one for one in candidates if passage.version is not None and one[1].key.version == passage.version]


def _by_window(passage: Passage, candidates: _Candidates) -> _Candidates:
    start, end = passage.effective_from, passage.effective_to
    if start is None and end is None:
        return ()
    return [one for one in candidates if _same(start, one[1].effective_from) and _same(end, one[1].effective_to)]


def _same(told: datetime | None, listed: datetime | None) -> bool:
    return told is None or (listed is not None and abs(told - listed) < _ROUNDING)
