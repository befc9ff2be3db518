"""The catalog: documents by id, version and section, and which version superseded which."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime

from adapters.caching import cached_by_text
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import Edition, EditionKey, key_of
from scorers.catalog.links import resolve
from scorers.catalog.listing import MAX_SHARING, Listed, Listing, grouped
from scorers.catalog.search.index import SearchIndex
from scorers.catalog.search.weights import SearchWeights
from scorers.models.arrays import Array

ALIKE = 16
"""Entries that are compared with a passage of which nothing else tells where it comes from."""

_SAMPLED = 400
"""Entries that are asked for the dates of files written at once."""
_AT_ONCE, _MANY, _SHARE = 60.0, 10, 0.25
"""Seconds before and after within which files were written at once, how many at least, and which share of all dated."""

_EVER = datetime.min.replace(tzinfo=UTC)


class Catalog:
    """An immutable set of documents with a graph of supersession over their editions.

    An edition supersedes those it names in ``supersedes``, and, within one document, every version with an earlier
    ``effective_from`` unless the two are linked the other way. Version strings are never compared: which of "9" and
    "10" is newer is said by dates and links alone.

    >>> catalog = Catalog([Document(id="T", version="2"), Document(id="T", version="3", supersedes=("T@2",))])
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> catalog.current("T", now).reference
    'T@3'
    >>> [d.reference for d in catalog.supersession("T", "2")]
    ['T@3']
    """

    __slots__ = ("_dates", "_index", "_like", "_listing", "digest", "vectors", "warnings", "weights")

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self._listing: Listing = Listed.of(documents)
        self._index: SearchIndex | None = None
        self._like: Callable[[str], Sequence[Document]] | None = None
        self._dates: Sequence[float] | None = None
        self.warnings: tuple[str, ...] = ()
        """What was found odd, yet not wrong."""
        self.vectors: Array | None = None
        """The embedding of every entry, if there is one: unit vectors, a row each."""
        self.weights = SearchWeights()
        """What its entries are searched with."""
        self.digest: str | None = None
        """What names these contents: the same entries in any order have the same one. ``None`` if not worked out."""

    @classmethod
    def of(
        cls,
        listing: Listing,
        *,
        index: SearchIndex | None = None,
        vectors: Array | None = None,
        warnings: Iterable[str] = (),
        digest: str | None = None,
    ) -> Catalog:
        """Return the catalog over a listing; ``index`` finds its entries by what they say."""
        catalog = cls()
        catalog._listing = listing
        catalog._index = index
        catalog.vectors = vectors
        catalog.warnings = tuple(warnings)
        catalog.digest = digest
        return catalog

    @property
    def documents(self) -> Sequence[Document]:
        """All entries, in the order in which they were listed."""
        return self._listing.documents

    @property
    def n_documents(self) -> int:
        """How many distinct document ids there are."""
        return self._listing.n_documents

    @property
    def index(self) -> SearchIndex:
        """What finds entries by what they say; made when it is first asked for, unless it came with the listing."""
        if self._index is None:
            self._index = SearchIndex.of(self.documents)
        return self._index

    def __len__(self) -> int:
        return len(self._listing.documents)

    def __repr__(self) -> str:
        return f"Catalog({len(self)} entries of {self.n_documents} documents)"

    @property
    def timed(self) -> bool:
        """Whether any edition has a window or a link: without any, nothing can be told to be replaced."""
        return self._listing.timed

    def knows(self, doc_id: str) -> bool:
        """Return whether any version of ``doc_id`` is listed."""
        return bool(self._listing.keys(doc_id))

    def edition(self, doc_id: str, version: str | None) -> Edition | None:
        """Return one version; without ``version`` the only one there is. ``None`` if unknown or ambiguous."""
        if version is None:
            keys = self._listing.keys(doc_id)
            if len(keys) == 1:
                return self._listing.edition(keys[0])
        return self._listing.edition(EditionKey(doc_id, version or ""))

    def editions(self, doc_id: str) -> tuple[Edition, ...]:
        """Return all versions of a document, by start of their windows; those without a start come first."""
        return tuple(sorted(map(self._known, self._listing.keys(doc_id)), key=_by_start))

    def named(self, name: str, version: str | None = None) -> Edition | None:
        """Return the edition that a name means: a document id with ``version``, or ``id@version``, or its only one."""
        found = self.edition(name, version)
        return self.edition(*split_reference(name)) if found is None and version is None else found

    def with_checksum(self, checksum: str) -> Sequence[Document]:
        """Return the entries with this checksum, those of an edition side by side; bounded as a listing is."""
        return self._listing.with_checksum(checksum)

    def at(self, place: str) -> Sequence[Document]:
        """Return the entries at a place, as `scorers.catalog.uri.listed_at` has it; bounded as a listing is."""
        return self._listing.at(place)

    def like(self, text: str) -> Sequence[Document]:
        """Return the entries with a text that share most of the rarest words of ``text``, some `ALIKE` at most.

        Whatever holds a long text is among them. None where too many do: nobody could say which is meant.
        """
        if not len(self):
            return ()
        if self._like is None:
            self._like = cached_by_text(cost=1)(self._find_like)
        return self._like(text)

    def _find_like(self, text: str) -> Sequence[Document]:
        rows = self.index.sharing(text, ALIKE)
        found = [document for row in rows if (document := self.documents[row]).text]
        return found if len(rows) <= MAX_SHARING else ()

    def unpacked(self, modified: datetime) -> bool:
        """Tell whether ``modified`` is when many files were written at once: by a checkout, an image, an upload.

        Such a date says when a copy of the source was made, not when a document was changed. A sample of the entries
        tells.
        """
        if self._dates is None:
            step = max(1, len(self.documents) // _SAMPLED)
            sampled = (self.documents[place].modified_at for place in range(0, len(self.documents), step))
            self._dates = sorted(date.timestamp() for date in sampled if date is not None)
        at = modified.timestamp()
        beside = bisect_right(self._dates, at + _AT_ONCE) - bisect_left(self._dates, at - _AT_ONCE)
        return beside >= max(_MANY, len(self._dates) * _SHARE)

    def supersession(self, doc_id: str, version: str | None) -> tuple[Document, ...]:
        """Return what superseded an edition, and what superseded that: nearest first, one entry an edition."""
        start = self.edition(doc_id, version)
        return () if start is None else tuple(e.section(None) for e in self._successors(start.key))

    def current(self, doc_id: str, at: datetime, *, section: str | None = None) -> Document | None:
        """Return the entry that governs at ``at`` in place of any version of ``doc_id``; ``None`` if none does.

        The version in force that no other edition in force supersedes, the latest where windows overlap. Where the
        document was replaced by another one that is in force, that one. ``None`` too where nothing tells which of two
        versions is.
        """
        editions = self.editions(doc_id)
        tops = self._tops([edition for edition in editions if edition.in_force(at)], at)
        if len(tops) > 1 and tops[-1].effective_from == tops[-2].effective_from:
            return None
        if tops:
            return tops[-1].section(section)
        dead: set[EditionKey] = set()
        for edition in reversed(editions):
            successors = list(self._successors(edition.key, dead))
            others = self._tops([e for e in successors if e.in_force(at)], at)
            if others:
                return others[-1].section(section)
            if not any(e.in_force(at) for e in successors):
                # What leads to nothing in force is not followed again: a chain of thousands may have expired.
                dead.update(e.key for e in successors)
        return None

    def replacement(self, edition: Edition, at: datetime) -> Edition | None:
        """Return the edition that governs at ``at`` in place of ``edition``; ``None`` if there is none.

        The end of the chain that is in force at ``at``: successors that are not in force yet replace nothing, and one
        that has expired is stepped over. An expired edition without successors is replaced by the version of the same
        document that is in force.
        """
        successors = [e for e in self._successors(edition.key) if e.in_force(at)]
        if not successors and edition.effective_to is not None and edition.effective_to <= at:
            successors = [e for e in self.editions(edition.key.id) if e.key != edition.key and e.in_force(at)]
        tops = self._tops(successors, at)
        return tops[-1] if tops else None

    def moved(self, document: Document, at: datetime) -> Document:
        """Return the entry of the same contents at the place that a document had been moved to by ``at``, else itself.

        To move a document ends the entry of its old place; the document is what it was.

        >>> may = datetime(2026, 5, 4, tzinfo=UTC)
        >>> old = Document(id="a.md", checksum="c", effective_to=may)
        >>> new = Document(id="hr/a.md", checksum="c", effective_from=may, supersedes=("a.md",))
        >>> [Catalog([old, new]).moved(old, datetime(2026, month, 1, tzinfo=UTC)).id for month in (5, 6)]
        ['a.md', 'hr/a.md']
        """
        seen = {key_of(document)}
        while document.checksum is not None:
            successors = (key for key in self._listing.successors(key_of(document)) if key not in seen)
            entries = (self._known(key).section(document.section) for key in successors if key.id != document.id)
            now = next((one for one in entries if one.checksum == document.checksum and _began(one, at)), None)
            if now is None:
                break
            seen.add(key_of(now))
            document = now
        return document

    def governs(self, edition: Edition, at: datetime) -> bool:
        """Return whether an edition is in force at ``at`` and no other one that is in force supersedes it."""
        return edition.in_force(at) and not any(e.in_force(at) for e in self._successors(edition.key))

    def linked(self, edition: Edition) -> bool:
        """Return whether the graph says anything of an edition: it supersedes, or is superseded."""
        return self._listing.linked(edition.key)

    def extended(self, documents: Iterable[Document]) -> Catalog:
        """Return a small catalog for these documents: their families as listed here, and the rest as given.

        A family is a document with all versions and whatever superseded them. What is listed here wins over
        ``documents``.
        """
        editions: dict[EditionKey, Edition] = {}
        added: list[Document] = []
        for document in documents:
            added.append(document)
            for key in self._listing.keys(document.id):
                if key not in editions:
                    editions[key] = self._known(key)
                    editions.update((successor.key, successor) for successor in self._successors(key))
        fresh = [document for document in added if self._listing.edition(key_of(document)) is None]
        editions.update((edition.key, edition) for edition in grouped(fresh))
        return Catalog.of(Listed(editions.values()))

    def resolve(self, doc_id: str, reference: str) -> tuple[EditionKey, ...]:
        """Return the editions that a ``supersedes`` reference of ``doc_id`` names; empty if it dangles.

        ``id@version``; else a version of the same document; else every version of the document with that id.
        """
        names = {doc_id, reference, split_reference(reference)[0]}
        by_id = {name: self._listing.keys(name) for name in names}
        by_key = {key: key for keys in by_id.values() for key in keys}
        return tuple(resolve(doc_id, reference, by_key, by_id))

    def _known(self, key: EditionKey) -> Edition:
        edition = self._listing.edition(key)
        assert edition is not None
        return edition

    def _successors(self, key: EditionKey, but: AbstractSet[EditionKey] = frozenset()) -> Iterator[Edition]:
        """Yield what superseded ``key``, breadth first and each once, which ends a cycle too; ``but`` is left out."""
        seen = {key}
        queue = [key]
        for current in queue:
            for successor in self._listing.successors(current):
                if successor not in seen and successor not in but:
                    seen.add(successor)
                    queue.append(successor)
                    yield self._known(successor)

    def _tops(self, editions: list[Edition], at: datetime) -> list[Edition]:
        """Return those that no edition in force supersedes, the one with the latest start last."""
        free = [e for e in editions if not any(s.in_force(at) for s in self._successors(e.key))]
        return sorted(free, key=_by_start)


def _began(document: Document, at: datetime) -> bool:
    return document.effective_from is None or document.effective_from <= at


def _by_start(edition: Edition) -> tuple[datetime, EditionKey]:
    return (edition.effective_from or _EVER, edition.key)
