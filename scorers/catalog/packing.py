"""Entries to a packed catalog: one pass over what may be hundreds of thousands, none of which is kept as an object."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import numpy as np
import orjson

from scorers.catalog.check import Findings, Repeated, Shared, check
from scorers.catalog.document import Document
from scorers.catalog.edition import EditionKey, section_order
from scorers.catalog.listing import MAX_SHARING
from scorers.catalog.outline import Outline
from scorers.catalog.packed import NO_END, NO_START, Packed, number_of, table
from scorers.catalog.place import EntryPlace
from scorers.catalog.search.index import MAX_ENTRIES, IndexDraft
from scorers.catalog.uri import listed_at, named_of, place_of
from scorers.models.arrays import Array

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Packer:
    """Takes entries one by one. `findings` and `packed` are asked for once all were added."""

    def __init__(self) -> None:
        self._outline = Outline()
        self._rows = bytearray()
        self._ends = array("Q", [0])
        self._contents = array("Q")
        self._names = array("Q")
        self._checksums = (array("Q"), array("Q"))
        self._places = (array("Q"), array("Q"))
        self._sections: dict[str | None, int] = {}
        self._section_of = array("Q")
        self._draft = IndexDraft()

    def __len__(self) -> int:
        return len(self._contents)

    def add(self, document: Document, at: EntryPlace) -> None:
        """Add an entry. Raises ``ValueError`` beyond `MAX_ENTRIES`."""
        row = len(self._contents)
        if row == MAX_ENTRIES:
            raise ValueError(f"a catalog holds at most {MAX_ENTRIES:,} entries")
        key = self._outline.add(document, at)
        written = document.model_dump_json(exclude_defaults=True).encode()
        self._rows += written
        self._ends.append(len(self._rows))
        self._contents.append(int.from_bytes(sha256(written).digest()[:8], "little"))
        self._names.append(row_number(key, document.section))
        self._section_of.append(self._sections.setdefault(document.section, len(self._sections)))
        if document.checksum is not None:
            self._checksums[0].append(number_of(document.checksum))
            self._checksums[1].append(row)
        for place in listed_at(document.uri):
            self._places[0].append(number_of(place))
            self._places[1].append(row)
        self._draft.add(document)

    def findings(self) -> Findings:
        """Return what is wrong and what is odd between the entries."""
        return check(self._outline, self._repeated(), self._shared())

    def _repeated(self) -> Iterator[Repeated]:
        names = np.array(self._names, np.uint64)
        order = np.argsort(names, kind="stable")
        same = np.flatnonzero(names[order][1:] == names[order][:-1])
        first: dict[int, int] = {}
        for earlier, later in sorted((int(order[place]), int(order[place + 1])) for place in same):
            first[later] = first.get(earlier, earlier)
            one, other = self._row(first[later]), self._row(later)
            if (one.reference, one.section) == (other.reference, other.section):
                yield Repeated(later, first[later], one.section)

    def _shared(self) -> Iterator[Shared]:
        """Yield the places at which entries of several editions lie."""
        numbers, rows = np.array(self._places[0], np.uint64), np.array(self._places[1], np.int64)
        editions = np.array(self._outline.edition_of, np.int64)[rows]
        order = np.lexsort((rows, editions, numbers))
        # The first row of each edition at each place, the places that have one such row alone left out.
        first = order[np.flatnonzero(_starts(numbers[order]) | _starts(editions[order]))]
        starts = np.append(np.flatnonzero(_starts(numbers[first])), len(first))
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            if end - start > 1:
                documents = {row: self._row(row) for row in sorted(rows[first[start:end]][:MAX_SHARING].tolist())}
                at = {place_of(document.uri or "") for document in documents.values()}
                named = {named_of(document.uri or "") for document in documents.values()}
                silent = not all(document.text for document in documents.values())
                # Entries of one place also lie on one page and under one name: told once, at their own place.
                here = len(at) == 1 and int(numbers[first[start]]) == number_of(*at)
                if here or (len(at) == len(documents) and None not in named and len(named) == 1 and silent):
                    yield Shared(tuple(documents), tuple(documents.values()), end - start)

    def _row(self, row: int) -> Document:
        return Document.model_validate_json(bytes(self._rows[self._ends[row] : self._ends[row + 1]]))

    def _section_ranks(self) -> Array:
        """Return for each row the rank of its section's name."""
        ranks = np.empty(len(self._sections), np.int64)
        ranks[[self._sections[name] for name in sorted(self._sections, key=section_order)]] = np.arange(len(ranks))
        return ranks[np.array(self._section_of, np.int64)]

    def packed(self, *, warnings: Iterable[str] = ()) -> Packed:
        """Return the finished catalog; no more can be added then."""
        # First, since it is what takes the most memory while it is made.
        index = self._draft.arrays()
        outline = self._outline
        order = [node for nodes in outline.by_id.values() for node in nodes]  # versions of a document side by side
        place_of = np.empty(len(order), np.int64)
        place_of[order] = np.arange(len(order))
        keys = [outline.keys[node] for node in order]
        contents = np.array(self._contents, np.uint64)
        arrays: dict[str, Array] = {
            "rows": np.frombuffer(self._rows, np.uint8),
            "row_ends": np.array(self._ends, np.int64),
            "contents": contents,
            "document_ends": np.cumsum([0, *map(len, outline.by_id.values())], dtype=np.int64),
            "edition_from": np.array([_ordinal(outline.starts[node], NO_START) for node in order], np.int64),
            "edition_to": np.array([_ordinal(outline.ends[node], NO_END) for node in order], np.int64),
            "row_edition": place_of[np.array(outline.edition_of, np.int64)].astype(np.uint32),
        }
        by_edition = np.lexsort((self._section_ranks(), arrays["row_edition"]))
        arrays["edition_rows"] = by_edition.astype(np.uint32)
        sizes = np.bincount(arrays["row_edition"], minlength=len(order))
        arrays["edition_ends"] = np.append(0, np.cumsum(sizes)).astype(np.int64)
        arrays |= _references([outline.supersedes[node] for node in order])
        arrays |= _links(outline, order, place_of)
        arrays |= _named("ids", [number_of(doc_id) for doc_id in outline.by_id])
        arrays |= _named("editions", [number_of(*key) for key in keys])
        arrays |= _named("sections", self._names)
        standing = np.empty(len(by_edition), np.int64)
        standing[by_edition] = np.arange(len(by_edition))
        arrays |= _named("checksums", *_side_by_side(self._checksums, standing))
        arrays |= _named("places", *_side_by_side(self._places, standing))
        arrays |= {f"index_{name}": array for name, array in index.items()}
        facts = {"warnings": list(warnings), "digest": digest(contents)}
        return Packed(arrays, facts)


def _starts(values: Array) -> Array:
    """Tell of each value whether it is another one than that before it."""
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _side_by_side(names: tuple[Sequence[int], Sequence[int]], standing: Array) -> tuple[Array, Array]:
    """Return numbers and rows with the rows of an edition side by side, in the order of its sections."""
    numbers, rows = np.array(names[0], np.uint64), np.array(names[1], np.int64)
    order = np.argsort(standing[rows], kind="stable")
    return numbers[order], rows[order]


def digest(contents: Array) -> str:
    """Return what names a set of entries, in whatever order they were listed."""
    return sha256(np.sort(contents).astype("<u8").tobytes()).hexdigest()[:16]


def row_number(key: EditionKey, section: str | None) -> int:
    """Return the number under which an entry is found."""
    return number_of(*key) if section is None else number_of(*key, section)


def _named(name: str, numbers: Sequence[int] | Array, values: Sequence[int] | Array | None = None) -> dict[str, Array]:
    at = np.arange(len(numbers)) if values is None else np.array(values)
    found = table(np.array(numbers, np.uint64), at.astype(np.uint32))
    return {f"{name}{part}": array for part, array in found.items()}


def _references(supersedes: Sequence[Sequence[str]]) -> dict[str, Array]:
    written = [orjson.dumps(references) if references else b"" for references in supersedes]
    return {
        "references": np.frombuffer(b"".join(written), np.uint8),
        "reference_ends": np.cumsum([0, *map(len, written)], dtype=np.int64),
    }


def _links(outline: Outline, order: Sequence[int], place_of: Array) -> dict[str, Array]:
    links = outline.links()
    successors = [links.get(node, {}) for node in order]
    flat = place_of[np.array([new for found in successors for new in found], np.int64)]
    ends = np.cumsum([0, *map(len, successors)], dtype=np.int64)
    linked = np.diff(ends) > 0
    linked[flat] = True
    return {"successors": flat.astype(np.uint32), "successor_ends": ends, "linked": linked}


def _ordinal(moment: datetime | None, otherwise: int) -> int:
    return otherwise if moment is None else (moment - EPOCH) // _MICROSECOND
