"""How far an index is behind its source: documents that it serves in an older state, after their end, or not at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Literal, NamedTuple

from adapters.schema import Passage, Record
from scorers.catalog.copies import copy_of
from scorers.catalog.document import Document
from scorers.catalog.edition import Edition
from scorers.catalog.graph import Catalog
from scorers.catalog.html import seen_piece
from scorers.catalog.origin import at_end_of, origin
from scorers.catalog.overlap import holding, letters_of, long_enough, words_of
from scorers.catalog.uri import page_of, place_of

LagKind = Literal["outdated", "removed", "moved", "missing"]
KINDS: tuple[LagKind, ...] = ("outdated", "removed", "moved", "missing")

FAITHFUL = 0.5
"""Share of the copies of one kind of file that are word for word from which texts that differ are of other versions."""
_ASKED = 8
"""Chunks of a document that are asked where they are from, if its names do not tell."""
_CHUNKS = 10_000
_VIEWS = (words_of, letters_of)
_PAGES = (".html", ".htm", ".xhtml")
_MARKUP = "</"
"""What stands in a page as it is, where a listing has what a reader sees of it."""
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(?:(?!\1).*\n){0,500}\1[ \t]*(?:\r?\n|\Z)")


class LaggingDocument(Record):
    """A document in which an index differs from its source: what of it, and as what the source knows it."""

    id: str
    uri: str | None = None
    kind: LagKind
    detail: str
    source: str | None = None


class IndexLag(Record):
    """What became of comparing an index with its source: documents compared, the same, and those that differ.

    ``uncompared`` have neither date nor version, and texts of their kind that a loader changed; ``elsewhere`` are from
    sources that the listing is not of.
    """

    documents: int = 0
    same: int = 0
    uncompared: int = 0
    elsewhere: int = 0
    lagging: tuple[LaggingDocument, ...] = ()

    def counted(self, kind: LagKind) -> int:
        """Return how many documents differ in this way."""
        return sum(one.kind == kind for one in self.lagging)


def index_lag(
    source: Catalog, index: Iterable[Document], at: datetime, *, roots: Sequence[str] | None = None
) -> IndexLag:
    """Compare what an index serves, an entry a chunk with the chunk's text, with a listing of its source at ``at``.

    A document is found by its id or URI, files of one name by their texts. It is outdated where the source has replaced
    its version, was modified after the copy was, or, if most copies of its kind of file are word for word those of the
    source, where its words are not. It is moved where its text is now at another place, and removed where the source
    once had it, or has other documents at its place and not this one. ``roots`` are the directories that the source is
    all of, as `root_of` has them; by default the one that all of it is in.

    >>> from datetime import UTC
    >>> source = Catalog([Document(id=name, uri=f"/srv/{name}", text=f"This is {name}.") for name in ("a.md", "b.md")])
    >>> copies = [Document(id=f"/srv/{n}", uri=f"/srv/{n}", text=f"This is {n}.") for n in ("a.md", "c.md")]
    >>> found = index_lag(source, copies, datetime(2026, 5, 4, tzinfo=UTC))
    >>> [(one.kind, one.id) for one in found.lagging], found.same
    ([('removed', '/srv/c.md'), ('missing', 'b.md')], 1)
    """
    groups: dict[tuple[str, str, str], list[Passage]] = {}
    for entry in index:
        chunks = groups.setdefault((entry.id, place_of(entry.uri or ""), entry.version or ""), [])
        if len(chunks) < _CHUNKS:
            chunks.append(_passage(entry))
    current = {entry.id: entry for entry in source.documents if _governs(entry, source, at)}
    files: dict[str, dict[str, None]] = {}
    for entry in source.documents:
        files.setdefault(_file(entry.uri or entry.id), {})[entry.id] = None
    copies = _copies([groups[key] for key in sorted(groups)], source, files, at)
    lagging: list[LaggingDocument] = []
    same = uncompared = elsewhere = 0
    if roots is None:
        roots = [root] if (root := root_of(current.values())) is not None else []
    named = frozenset(copy.edition.key.id for copy in copies if copy.edition is not None)
    frame = _Frame(source, at, files, named, _faithful(copies), roots)
    served = {*named, *(name for copy in copies for name in copy.twins)}
    for copy in copies:
        found = _judged(copy, frame)
        if found == "same":
            same += 1
        elif found == "uncompared":
            uncompared += 1
        elif found == "elsewhere":
            elsewhere += 1
        else:
            lagging.append(found)
            if found.source is not None:
                served.add(found.source)
    lagging += [
        LaggingDocument(id=entry.id, uri=entry.uri, kind="missing", detail="in the source, not in the index")
        for name, entry in sorted(current.items())
        if name not in served and (entry.text is None or words_of(entry.text).strip())
    ]
    order = {kind: place for place, kind in enumerate(KINDS)}
    lagging.sort(key=lambda one: (order[one.kind], one.id, one.uri or ""))
    return IndexLag(
        documents=len(copies), same=same, uncompared=uncompared, elsewhere=elsewhere, lagging=tuple(lagging)
    )


class _Copy(NamedTuple):
    """A document as the index has it, the edition of the source that its names lead to, and whether the words agree."""

    chunks: Sequence[Passage]
    edition: Edition | None
    verbatim: bool | None
    """``None`` where there is no text to compare."""
    twins: Sequence[str]
    """Documents of the source that the copy may be of as well: files of one name and one text."""

    @property
    def kind(self) -> str:
        uri = self.chunks[0].uri or self.chunks[0].doc_id or ""
        stem, dot, ending = _file(uri).rpartition(".")
        return ending if stem and dot else ""


class _Frame(NamedTuple):
    """What copies are judged by: the source at a time, its documents by the names of their files, and what has copies.

    ``faithful`` are the kinds of files of which most copies are word for word, ``roots`` where all of the source is.
    """

    source: Catalog
    at: datetime
    files: Mapping[str, Iterable[str]]
    named: frozenset[str]
    faithful: frozenset[str]
    roots: Sequence[str]


def _passage(entry: Document) -> Passage:
    return Passage(
        id=f"{entry.reference}#{entry.section}",
        doc_id=entry.id,
        version=entry.version,
        text=entry.text,
        uri=entry.uri,
        checksum=entry.checksum,
        modified_at=entry.modified_at,
    )


def _governs(entry: Document, source: Catalog, at: datetime) -> bool:
    edition = source.edition(entry.id, entry.version or "")
    return edition is not None and source.governs(edition, at)


def root_of(entries: Iterable[Document]) -> str | None:
    """Return the directory that all documents of a listing are in; ``None`` where none says where it is.

    >>> root_of([Document(id="1", uri="/srv/docs/a.md"), Document(id="2", uri="/srv/docs/hr/b.md")])
    '/srv/docs/'
    """
    root: list[str] | None = None
    for entry in entries:
        if entry.uri is None:
            continue
        parts = place_of(entry.uri).split("/")[:-1]
        root = parts if root is None else [a for a, b in _alike(root, parts) if a == b]
    return None if not root else "/".join(root) + "/"


def _alike(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, str]]:
    for pair in zip(one, other, strict=False):
        if pair[0] != pair[1]:
            return
        yield pair


def _copies(
    groups: Sequence[Sequence[Passage]], source: Catalog, files: Mapping[str, Iterable[str]], at: datetime
) -> list[_Copy]:
    """Return the documents of an index with what they are copies of; first those that are the same word for word."""
    copied = frozenset(_name(chunks[0].uri or chunks[0].doc_id or "") for chunks in groups)
    meant = [_ids(chunks[0], source, files, copied) for chunks in groups]
    found = [_editions(chunks, ids, source) for chunks, ids in zip(groups, meant, strict=True)]
    taken = {edition.key.id for editions in found for edition in editions}
    copies = []
    for chunks, ids, editions in zip(groups, meant, found, strict=True):
        governing = [one for one in editions if source.governs(one, at)]
        joined = governing[0] if governing else editions[-1] if editions else None
        if joined is None:
            joined = _alike_in_text(chunks, [name for name in ids if name not in taken], source, at)
        same = None if joined is None else _verbatim(chunks, joined)
        copies.append(_Copy(chunks, joined, same, [one.key.id for one in governing]))
    return copies


def _file(uri: str) -> str:
    return _name(uri).casefold()


def _name(uri: str) -> str:
    return page_of(uri).partition("?")[0].rpartition("/")[2]


def _ids(first: Passage, source: Catalog, files: Mapping[str, Iterable[str]], copied: frozenset[str]) -> Sequence[str]:
    """Return the documents that the names of a copy lead to: several for the name of a file without its folder.

    ``copied`` are the names of the files of all copies.
    """
    if first.doc_id is not None and source.knows(first.doc_id):
        return (first.doc_id,)
    uri = first.uri or first.doc_id or ""
    found = {entry.id for place in (place_of(uri), page_of(uri)) for entry in source.at(place)}
    if not found:
        found = {entry.id for entry in at_end_of(uri, source)}
    if not found and "/" not in place_of(uri):
        alike = files.get(_file(uri), ())
        exact = {name for name in alike if _name(name) == _name(uri)}
        # A copy "DEBUG.md" is none of a file "Debug.md" of which there is a copy that is spelled like it.
        found = exact or {name for name in alike if _name(name) not in copied}
    return sorted(found)


def _editions(chunks: Sequence[Passage], ids: Sequence[str], source: Catalog) -> Sequence[Edition]:
    """Return the editions that a document of the index may be a copy of: those that are the same, else all of one."""
    editions = [one for name in ids for one in source.editions(name)]
    return [one for one in editions if _verbatim(chunks, one)] or (editions if len(ids) == 1 else [])


def _alike_in_text(chunks: Sequence[Passage], ids: Sequence[str], source: Catalog, at: datetime) -> Edition | None:
    """Return which of the files of one name a changed copy is of: the one that has most of most of its chunks."""
    editions = [one for name in ids for one in source.editions(name) if source.governs(one, at)]
    texts = [[entry.text for entry in islice(one.sections, _CHUNKS) if entry.text] for one in editions]
    votes = Counter[int]()
    for chunk in chunks[:_ASKED]:
        held = holding(chunk.text or "", texts)
        votes.update(held if len(held) == 1 else ())
    return editions[max(votes, key=lambda place: (votes[place], -place))] if votes else None


def _verbatim(chunks: Sequence[Passage], edition: Edition) -> bool | None:
    """Tell whether chunks are what a text says, all of it and nothing else, by words or with those run together.

    ``None`` without texts, and for the markup of a page that cannot be told from what is seen of it.
    """
    texts = [entry.text for entry in islice(edition.sections, _CHUNKS) if entry.text]
    said = [chunk.text for chunk in chunks if chunk.text]
    if len(texts) != 1 or not said:
        return None
    wholes = _read_as(texts[0])
    if any(_covered([view(text).strip() for text in said], view(one).strip()) for view in _VIEWS for one in wholes):
        return True
    if not _file(edition.section(None).uri or "").endswith(_PAGES) or not any(_MARKUP in text for text in said):
        return False
    # Pieces that begin within a script or a style show what no reader sees: what differs is not a change.
    return _covered([letters_of(seen_piece(text)) for text in said], letters_of(texts[0])) or None


def _read_as(text: str) -> Sequence[str]:
    """Return what a loader reads of a text: the whole of it, or what is below its front matter."""
    front = _FRONT_MATTER.match(text)
    return (text,) if front is None else (text, text[front.end() :])


def _covered(said: Sequence[str], whole: str) -> bool:
    covered = bytearray(len(whole))
    for wanted in said:
        start = whole.find(wanted)
        if start < 0:
            return False
        while start >= 0 and wanted:
            end = _repeated_until(whole, wanted, start)
            covered[start:end] = b"\1" * (end - start)
            start = whole.find(wanted, end - len(wanted) + 1)
    return not any(not there and letter != " " for there, letter in zip(covered, whole, strict=True))


def _repeated_until(whole: str, wanted: str, start: int) -> int:
    """Return where the last of the places of a text ends that overlap, each the next: six of ten lines alike have five.

    >>> _repeated_until("la la la la, he sang", "la la", 0)
    11
    """
    end = start + len(wanted)
    again = whole.find(wanted, start + 1, end + len(wanted) - 1)
    if again > start:
        last = wanted[start - again :]
        while whole.startswith(last, end):
            end += len(last)
    return end


def _faithful(copies: Iterable[_Copy]) -> frozenset[str]:
    """Return the kinds of files of which most copies are word for word."""
    all_, same = Counter[str](), Counter[str]()
    for copy in copies:
        if copy.verbatim is not None:
            all_[copy.kind] += 1
            same[copy.kind] += copy.verbatim
    return frozenset(kind for kind, count in all_.items() if same[kind] >= FAITHFUL * count)


def _judged(copy: _Copy, frame: _Frame) -> LaggingDocument | Literal["same", "uncompared", "elsewhere"]:
    source, at = frame.source, frame.at
    first, edition = copy.chunks[0], copy.edition
    name, uri = first.doc_id or first.id, first.uri
    awaited = edition is not None and edition.effective_from is not None and edition.effective_from > at
    if edition is None or not (awaited or source.governs(edition, at)):
        now = None if edition is None else source.replacement(edition, at)
        if now is not None and now.key.id == name:
            detail = f"the index has version {edition.key.version if edition else ''}, the source {now.key.version}"
            return LaggingDocument(id=name, uri=uri, kind="outdated", detail=detail, source=now.key.id)
        moved = now or _elsewhere(copy, frame)
        if moved is not None:
            place = moved.section(None)
            same_id = edition is not None and moved.key.id == edition.key.id
            kind: LagKind = "outdated" if same_id else "moved"
            detail = "the source has a newer version" if same_id else f"now at {place.uri or place.id}"
            return LaggingDocument(id=name, uri=uri, kind=kind, detail=detail, source=moved.key.id)
        if edition is not None or _belongs(uri or name, frame.roots):
            return LaggingDocument(id=name, uri=uri, kind="removed", detail="no longer in the source")
        return "elsewhere"
    if copy.verbatim:
        return "same"
    findings = [copy_of(chunk, edition.section(None), source, at) for chunk in copy.chunks]
    detail = next((found.detail for found in findings if found.state == "outdated"), "")
    if not detail and copy.verbatim is False and copy.kind in frame.faithful:
        detail = "its words are not those of the source"
    if detail:
        return LaggingDocument(id=name, uri=uri, kind="outdated", detail=detail, source=edition.key.id)
    dated = any(found.state == "current" for found in findings) and copy.verbatim is None
    return "same" if dated else "uncompared"


def _elsewhere(copy: _Copy, frame: _Frame) -> Edition | None:
    """Return the edition in force that has the whole text of a document, and whose names lead to no other copy."""
    source = frame.source
    for doc_id in _likely(copy, frame):
        if doc_id in frame.named:
            continue
        for edition in source.editions(doc_id):
            if source.governs(edition, frame.at) and _verbatim(copy.chunks, edition):
                return edition
    return None


def _likely(copy: _Copy, frame: _Frame) -> Iterator[str]:
    """Yield the documents that may be a copy's under another name: first those whose file has the same name."""
    first = copy.chunks[0]
    yield from frame.files.get(_file(first.uri or first.doc_id or ""), ())
    for chunk in copy.chunks[:_ASKED]:
        if chunk.text is not None and long_enough(chunk.text):
            nameless = chunk.model_copy(update={"doc_id": None, "uri": None, "version": None, "checksum": None})
            found = origin(nameless, frame.source)
            yield from () if found.document is None else (found.document.id,)
            yield from (edition.key.id for edition in found.rivals)


def _belongs(uri: str, roots: Sequence[str]) -> bool:
    """Tell whether a document would be in the source: at a place within it, or named without any place."""
    place = place_of(uri)
    return "/" not in place or any(place.startswith(root) for root in roots)
