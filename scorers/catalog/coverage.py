"""How much of what answers retrieve the catalog lists, what leads there, and which metadata would lead there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple, get_args

from adapters.schema import Answer, Passage, Record
from scorers.catalog.copies import unlisted_version
from scorers.catalog.graph import Catalog
from scorers.catalog.lag import root_of
from scorers.catalog.origin import Join, origin
from scorers.catalog.uri import page_of, place_of
from scorers.text.excerpt import excerpt

JOINS: tuple[Join, ...] = get_args(Join)
KeyField = Literal["doc_id", "uri", "checksum"]

TOP = 20
KEYS_TOLD = 6
"""Documents and keys that are named."""
MAX_NAMES = 10_000
"""Documents, and keys, that are counted apart; what comes after so many is not named."""
SAMPLED = 400
"""Entries that are asked where all of them lie."""
MAX_KEYS = 64
"""Keys of one passage that are tried."""
MAX_DEPTH = 4
MAX_VALUE = 500
"""Characters of a name; what is longer is content."""


class UnmatchedDocument(Record):
    """A document that passages name and the catalog does not list; ``uri`` is where it lies, as they say."""

    id: str
    uri: str | None = None
    passages: int


class UnmatchedKey(Record):
    """A key of the metadata of passages that match nothing: of how many, and a value.

    ``field`` is what the values of ``would_match`` of them are in the catalog, so that `traces.passages` can say so.
    """

    key: str
    example: str
    passages: int
    field: KeyField | None = None
    would_match: int = 0


class CatalogCoverage(Record):
    """How many passages the catalog lists, by what led there; of those that it does not, the most frequent.

    ``share`` is that of passages that are matched, ``None`` without any. ``unclear`` may come from several versions.
    ``unlisted_versions`` are unmatched and name a version that is not listed of a document that is; they are in
    ``unlisted_version_answers`` answers. ``advice`` says what to do, a line each, those first.
    """

    answers: int = 0
    passages: int = 0
    matched: int = 0
    share: float | None = None
    joins: Mapping[Join, int] = {}
    unclear: int = 0
    unmatched: int = 0
    unlisted_versions: int = 0
    unlisted_version_answers: int = 0
    documents: tuple[UnmatchedDocument, ...] = ()
    keys: tuple[UnmatchedKey, ...] = ()
    advice: tuple[str, ...] = ()


class CoverageCount:
    """Counts over answers, in any order, what of their passages ``catalog`` lists.

    >>> from scorers.catalog.document import Document
    >>> count = CoverageCount(Catalog([Document(id="a.md", uri="/srv/a.md"), Document(id="b.md", uri="/srv/b.md")]))
    >>> passages = (Passage(id="1", uri="/srv/a.md"), Passage(id="2", uri="x", metadata={"Ablage": "/srv/b.md"}))
    >>> count.add(Answer(id="a", passages=passages))
    >>> found = count.result()
    >>> found.share, found.joins["uri"], found.documents[0].uri
    (0.5, 1, 'x')
    >>> found.advice[0]
    'map traces.passages.uri to Ablage: its values are in the catalog for 1 of 1 unmatched passages'
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._answers = self._passages = self._unclear = self._unmatched = 0
        self._unlisted = self._answers_unlisted = self._gone = 0
        self._removed: str | None = None
        documents = catalog.documents
        sampled = islice(documents, 0, None, max(1, len(documents) // SAMPLED))
        self._root = _folder(root_of(sampled)) if len(documents) > 1 else None
        self._joins: Counter[Join] = Counter()
        self._documents: dict[str, _Named] = {}
        self._keys: dict[str, _Key] = {}
        self._versions: Counter[str] = Counter()
        self._known: dict[tuple[Any, ...], tuple[Join | None, bool]] = {}
        self._fields: dict[str, KeyField | None] = {}

    def add(self, answer: Answer) -> None:
        """Count the passages of an answer."""
        self._answers += 1
        before = self._unlisted
        for passage in answer.passages or ():
            self._passages += 1
            join, unclear = self._origin(passage)
            if unclear:
                self._unclear += 1
            elif join is not None:
                self._joins[join] += 1
            else:
                self._unmatched += 1
                self._note(passage)
        self._answers_unlisted += self._unlisted > before

    def result(self) -> CatalogCoverage:
        """Return what was counted, what is most frequent first."""
        documents = sorted(self._documents.items(), key=lambda item: (-item[1].passages, item[0]))
        keys = [
            UnmatchedKey(
                key=key,
                example=found.example,
                passages=found.passages,
                field=None if not found.fields else _first(found.fields),
                would_match=found.fields[_first(found.fields)] if found.fields else 0,
            )
            for key, found in self._keys.items()
        ]
        keys.sort(key=lambda one: (-one.would_match, -one.passages, one.key))
        matched = sum(self._joins.values())
        return CatalogCoverage(
            answers=self._answers,
            passages=self._passages,
            matched=matched,
            share=matched / self._passages if self._passages else None,
            joins={join: self._joins[join] for join in JOINS},
            unclear=self._unclear,
            unmatched=self._unmatched,
            unlisted_versions=self._unlisted,
            unlisted_version_answers=self._answers_unlisted,
            documents=tuple(
                UnmatchedDocument(id=name, uri=found.uri, passages=found.passages) for name, found in documents[:TOP]
            ),
            keys=tuple(keys[:TOP]),
            advice=tuple(self._advice(keys)),
        )

    def _origin(self, passage: Passage) -> tuple[Join | None, bool]:
        asked = (
            passage.doc_id or passage.id,
            passage.version,
            passage.uri,
            passage.checksum,
            passage.text,
            passage.effective_from,
            passage.effective_to,
        )
        known = self._known.get(asked)
        if known is None:
            found = origin(passage, self._catalog)
            known = found.join, found.document is None and bool(found.unclear)
            if len(self._known) < MAX_NAMES:
                self._known[asked] = known
        return known

    def _note(self, passage: Passage) -> None:
        name = passage.doc_id or passage.uri or passage.id
        if len(name) <= MAX_VALUE and (name in self._documents or len(self._documents) < MAX_NAMES):
            before = self._documents.get(name)
            uri = passage.uri if passage.uri is not None and len(passage.uri) <= MAX_VALUE else None
            told = [one for one in (before.uri if before is not None else None, uri) if one is not None]
            self._documents[name] = _Named(min(told, default=None), 1 + (0 if before is None else before.passages))
        version = unlisted_version(passage, self._catalog)
        if version is not None:
            self._unlisted += 1
            reference = version.reference
            if len(reference) <= MAX_VALUE and (reference in self._versions or len(self._versions) < MAX_NAMES):
                self._versions[reference] += 1
        elif self._root is not None and place_of(passage.uri or name).startswith(self._root):
            self._gone += 1
            if len(name) <= MAX_VALUE:
                self._removed = min(self._removed or name, name)
        read: dict[KeyField, str | None] = {
            "doc_id": passage.doc_id,
            "uri": passage.uri,
            "checksum": passage.checksum,
        }
        for key, value in _texts(passage.metadata or {}):
            found = self._keys.get(key)
            if found is None:
                if len(self._keys) == MAX_NAMES:
                    continue
                found = self._keys[key] = _Key(value)
            found.passages += 1
            found.example = min(value, found.example)
            field = self._field(value)
            if field is not None and read[field] != value:
                found.fields[field] += 1

    def _field(self, value: str) -> KeyField | None:
        """Return what of an entry a value is."""
        if value not in self._fields:
            if len(self._fields) == MAX_NAMES:
                return None
            catalog = self._catalog
            found: KeyField | None = None
            if catalog.named(value) is not None or catalog.knows(value):
                found = "doc_id"
            elif catalog.at(place_of(value)) or catalog.at(page_of(value)):
                found = "uri"
            elif catalog.with_checksum(value):
                found = "checksum"
            self._fields[value] = found
        return self._fields[value]

    def _advice(self, keys: list[UnmatchedKey]) -> Iterator[str]:
        other = self._unlisted
        if other:
            least = min(self._versions, key=lambda name: (-self._versions[name], name), default=None)
            yield (
                f"{other:,} of {self._unmatched:,} unmatched passages, in {self._answers_unlisted:,} of"
                f" {self._answers:,} answers, are of documents that the catalog lists, and of versions that it does"
                f" not{_such_as(least)}: list these with their effective_to, or remove"
                " them from the index"
            )
        gone = self._gone
        if gone and self._root is not None:
            yield (
                f"{gone:,} of {self._unmatched:,} unmatched passages are of documents below {excerpt(self._root)},"
                f" where the catalog has others and not these{_such_as(self._removed)}: remove them from the index if"
                " they were removed from the source, or have the listing include them"
            )
        fields: set[KeyField] = set()
        for one in keys:
            if one.field is not None and one.field not in fields:
                fields.add(one.field)
                yield (
                    f"map traces.passages.{one.field} to {one.key}: its values are in the catalog for"
                    f" {one.would_match:,} of {self._unmatched:,} unmatched passages"
                )
        if self._unmatched and not fields and not self._catalog.documents:
            yield (
                f"the catalog is empty: nothing is known of the documents of {self._unmatched:,} passages. It learns"
                " from passages that name their document: map traces.passages.doc_id to the key that holds its id"
                f"{_seen(keys)}"
            )
        elif (left := self._unmatched - other - gone) > 0 and not fields:
            yield (
                f"no key of the metadata of {left:,} unmatched passages leads to the catalog: list their source under"
                " catalog.sources, or give `--base` or `base` the address that the index knows it by"
            )
        if self._unclear:
            yield (
                f"{self._unclear:,} of {self._passages:,} passages may come from several versions or documents: map"
                " traces.passages.version or checksum, or give the entries a text"
            )


def _folder(root: str | None) -> str | None:
    """Return where all documents lie if that is a folder within something, not a whole host, bucket or machine."""
    return root if root is not None and "/" in root.rpartition("://")[2].strip("/") else None


def _such_as(name: str | None) -> str:
    return "" if name is None else f", such as {name}"


def _seen(keys: Sequence[UnmatchedKey]) -> str:
    """Return the keys of metadata that there are, the most frequent first."""
    names = ", ".join(one.key for one in keys[:KEYS_TOLD])
    return f" (there are {names})" if names else "; they have no metadata"


class _Named(NamedTuple):
    uri: str | None
    passages: int


class _Key:
    """A key: how often it was there, the least of its values, and what they are in the catalog."""

    __slots__ = ("example", "fields", "passages")

    def __init__(self, example: str) -> None:
        self.passages = 0
        self.example = example
        self.fields: Counter[KeyField] = Counter()


def _first(fields: Counter[KeyField]) -> KeyField:
    return min(fields, key=lambda field: (-fields[field], get_args(KeyField).index(field)))


def _texts(metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the keys of metadata that hold a text or a whole number, those within objects with dots."""
    left: list[tuple[str, Any, int]] = [(key, value, 1) for key, value in sorted(metadata.items(), reverse=True)]
    given = 0
    while left and given < MAX_KEYS:
        key, value, depth = left.pop()
        if isinstance(value, Mapping):
            if depth < MAX_DEPTH:
                left += [(f"{key}.{name}", held, depth + 1) for name, held in sorted(value.items(), reverse=True)]
            continue
        if isinstance(value, bool) or not isinstance(value, str | int):
            continue
        text = str(value)
        if 0 < len(text) <= MAX_VALUE and len(key) <= MAX_VALUE:
            given += 1
            yield key, text
