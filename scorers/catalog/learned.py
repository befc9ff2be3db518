"""What passages say of the documents they are from, put together over many answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from adapters.schema import Answer, Passage
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import EditionKey, key_of
from scorers.catalog.links import circles, resolve

Name = tuple[str, str, str | None]
"""Document id, version (empty for none) and section."""

MAX_NAME = 500
"""Characters of an id, version or section; a longer one is content that was put where a name belongs."""
MAX_REFERENCES = 20
_TAKEN = ("effective_from", "effective_to", "authority", "role", "supersedes", "checksum", "permitted", "uri")
_TELLING = frozenset({"effective_from", "effective_to", "supersedes", "checksum", "authority", "role"})
"""Without one of these, or a version, a passage says nothing of its document."""


class Lore:
    """What was learned, bounded: beyond ``limit`` entries what was longest not heard of goes.

    The last to say something of an entry is believed; what it leaves out stays as it was said before. Where a document
    has no versions, another checksum with a later date of modification is a newer state of it, and what says an
    earlier one is from an older copy, whichever is heard last. Texts are not kept.

    >>> lore = Lore(limit=10)
    >>> lore.learn(Answer(id="a", passages=(Passage(id="p", doc_id="T", version="2", text="..."), Passage(id="q"))))
    1
    >>> [document.reference for document in lore.documents()]
    ['T@2']
    """

    def __init__(self, *, limit: int, documents: Iterable[Document] = ()) -> None:
        self._limit = limit
        self._known: dict[Name, Document] = {}
        for document in documents:
            self._keep(document)

    def __len__(self) -> int:
        return len(self._known)

    def documents(self) -> tuple[Document, ...]:
        """Return what is known, longest not heard of first."""
        return tuple(self._known.values())

    def learn(self, answer: Answer) -> int:
        """Take in what the passages of an answer say; return how many entries are new or other than they were."""
        changed = 0
        for passage in answer.passages or ():
            said = _said(passage)
            if said is not None:
                changed += self._take(said)
        return changed

    def _take(self, said: Document) -> bool:
        before = self._known.get(_name(said))
        new = said
        if before is not None:
            if _older(said, before):
                self._keep(before)
                return False
            values = {name: value for name in _TAKEN if (value := getattr(said, name)) not in (None, ())}
            dates = [one.modified_at for one in (before, said) if one.modified_at is not None]
            values["modified_at"] = max(dates, default=None)
            new = before.model_copy(update=values)
        if _never(new.effective_from, new.effective_to):
            # Halves of two windows; the newer half is what was said last.
            new = new.model_copy(update={"effective_from": said.effective_from, "effective_to": said.effective_to})
        self._keep(new)
        return new != before

    def _keep(self, document: Document) -> None:
        name = _name(document)
        self._known.pop(name, None)
        self._known[name] = document
        while len(self._known) > self._limit:
            self._known.pop(next(iter(self._known)))


def consistent(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents without what cannot hold: references to nothing known, to themselves, or round in a circle.

    Of what was heard here and there nothing may be refused: the reference goes, the document stays.
    """
    known = list(documents)
    by_key: dict[EditionKey, EditionKey] = {key_of(document): key_of(document) for document in known}
    by_id: dict[str, list[EditionKey]] = {}
    for key in by_key:
        by_id.setdefault(key.id, []).append(key)
    targets = [
        [(name, set(resolve(document.id, name, by_key, by_id)) - {key_of(document)}) for name in document.supersedes]
        for document in known
    ]
    edges: dict[EditionKey, dict[EditionKey, None]] = {}
    for document, found in zip(known, targets, strict=True):
        for _, keys in found:
            edges.setdefault(key_of(document), {}).update(dict.fromkeys(sorted(keys)))
    closing = {(circle[-1], circle[0]) for circle in circles(edges)}
    for document, found in zip(known, targets, strict=True):
        key = key_of(document)
        kept = tuple(name for name, keys in found if keys and not any((key, other) in closing for other in keys))
        yield document if kept == document.supersedes else document.model_copy(update={"supersedes": kept})


def _older(said: Document, before: Document) -> bool:
    """Return whether a passage is from a copy that is older than what is known, or of which nobody knows how old."""
    if before.modified_at is None or said.checksum is None or said.checksum == before.checksum:
        return False
    return said.modified_at is None or said.modified_at < before.modified_at


def _said(passage: Passage) -> Document | None:
    """Return what a passage says of its document; ``None`` where it names none, or says nothing of it."""
    doc_id, version = passage.doc_id, passage.version
    if doc_id is None:
        doc_id, version = split_reference(passage.id)
        if version is None or passage.version not in (None, version):
            return None
    values: dict[str, Any] = {name: value for name in _TAKEN if (value := getattr(passage, name)) is not None}
    if not doc_id or (version is None and _TELLING.isdisjoint(values)):
        return None
    if any(len(name) > MAX_NAME for name in (doc_id, version or "", passage.section or "")):
        return None
    if passage.checksum is not None and passage.modified_at is not None:
        # Alone it may be when a chunk was stored; with the checksum of the document it says which state is newer.
        values["modified_at"] = passage.modified_at
    values["supersedes"] = tuple(r for r in values.get("supersedes", ())[:MAX_REFERENCES] if 0 < len(r) <= MAX_NAME)
    if _never(passage.effective_from, passage.effective_to):
        values.pop("effective_from")
        values.pop("effective_to")
    for name in ("role", "checksum", "uri"):
        if len(values.get(name, "")) > MAX_NAME:
            del values[name]
    if len(values.get("permitted", ())) > MAX_REFERENCES or any(len(g) > MAX_NAME for g in values.get("permitted", ())):
        del values["permitted"]
    return Document(id=doc_id, version=version or None, section=passage.section, **values)


def _never(start: datetime | None, end: datetime | None) -> bool:
    return start is not None and end is not None and start >= end


def _name(document: Document) -> Name:
    return (*key_of(document), document.section)
