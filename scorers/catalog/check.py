"""What must hold between the entries of a catalog, and what is merely odd."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, islice
from typing import NamedTuple

from scorers.catalog.document import Document
from scorers.catalog.links import circles, resolve
from scorers.catalog.outline import Outline
from scorers.catalog.uri import NAMED, named_of, place_of

SHOWN_OF_CYCLE = 4
"""Editions of a cycle that are named; one of a hundred thousand is a long line otherwise."""
SHOWN_OF_SHARED = 10
"""Shared URIs that are named; a site that overwrites its pages has as many as pages."""


class Repeated(NamedTuple):
    """An entry that names what an earlier one names."""

    row: int
    first: int
    section: str | None


class Shared(NamedTuple):
    """Entries of ``editions`` editions at one place: a row of each, and what stands there, as far as they are shown."""

    rows: tuple[int, ...]
    documents: tuple[Document, ...]
    editions: int


@dataclass(frozen=True, slots=True)
class Findings:
    """``problems`` make a catalog unusable, ``warnings`` are told and lived with; each is made as it is asked for."""

    problems: Iterable[str]
    warnings: Iterable[str]


def check(outline: Outline, repeated: Iterable[Repeated] = (), shared: Iterable[Shared] = ()) -> Findings:
    """Find entries that stand twice, dangling references, cycles, gaps and overlaps, versions in no order, shared URIs.

    ``repeated`` are the entries that stand twice and ``shared`` those at one place, from whoever has them at hand.
    """
    return Findings(_problems(outline, repeated), chain(_warnings(outline), _sharing(outline, shared)))


def _problems(outline: Outline, repeated: Iterable[Repeated]) -> Iterator[str]:
    yield from _duplicates(outline, repeated)
    yield from _dangling(outline)
    for cycle in cycles(outline.stated_links()):
        place = outline.place(outline.first[cycle[0]])
        yield f"{place}.supersedes: cycle: {_told(outline, cycle)}"


def _warnings(outline: Outline) -> Iterator[str]:
    links = outline.links()
    for cycle in cycles(links):
        place = outline.place(outline.first[cycle[0]])
        yield (
            f"{place}.effective_from: cycle: {_told(outline, cycle)}, once dates and references are combined; none"
            " of these versions governs"
        )
    linked = frozenset(links).union(*links.values())
    for nodes in outline.by_id.values():
        if len(nodes) > 1:
            yield from _windows(outline, nodes)
            yield from _unordered(outline, nodes, linked)


def _duplicates(outline: Outline, repeated: Iterable[Repeated]) -> Iterator[str]:
    for row, other, section in repeated:
        name = outline.keys[outline.edition_of[row]].reference
        named = "" if section is None else f" section {section}"
        place, first = outline.place(row), outline.place(other)
        at = first.within if first.file == place.file else str(first)
        yield f"{place}.id: duplicate entry {name}{named}, first listed at {at}"


def _dangling(outline: Outline) -> Iterator[str]:
    for row, references in outline.stated.items():
        node = outline.edition_of[row]
        key, at = outline.keys[node], f"{outline.place(row)}.supersedes"
        for reference in references:
            targets = resolve(key.id, reference, outline.by_key, outline.by_id)
            if not targets:
                yield f"{at}: {key.reference} supersedes {reference}, which is not in the catalog"
            elif tuple(targets) == (node,):
                yield f"{at}: {reference} cannot supersede itself"


def cycles(links: Mapping[int, Mapping[int, None]]) -> Iterator[list[int]]:
    """Yield cycles in which the first edition supersedes the second, and so on; each from its first listed edition."""
    before: dict[int, list[int]] = {}
    for old, successors in links.items():
        for new in successors:
            before.setdefault(new, []).append(old)
    return circles(dict(sorted(before.items())))


def _windows(outline: Outline, nodes: list[int]) -> Iterator[str]:
    """Warn of two versions in force at once, and of a time between two in which none is."""
    dated = sorted((start, outline.keys[node], node) for node in nodes if (start := outline.starts[node]) is not None)
    early = sorted(
        (end, outline.keys[node]) for node in nodes if outline.starts[node] is None and (end := outline.ends[node])
    )
    # One without an end lasts until the next one starts, which is how a version that will be superseded is written,
    # and takes over again when that one expires: after it nothing is a gap.
    endless = any(outline.starts[node] is None and outline.ends[node] is None for node in nodes)
    until, older = early[-1] if early else (None, None)
    for start, key, node in dated:
        end = outline.ends[node]
        place = outline.place(outline.first[node])
        if until is not None and older is not None and start < until:
            both = min(until, end or until)
            yield (
                f"{place}.effective_from: {key.reference} and {older.reference} are both in force from {_day(start)} to"
                f" {_day(both)}; the one that starts later governs"
            )
        elif until is not None and older is not None and start > until and not endless:
            yield (
                f"{place}.effective_from: gap: no version of {key.id} is in force from {_day(until)} to {_day(start)},"
                f" between {older.reference} and {key.reference}"
            )
        if end is None:
            endless, until, older = True, None, None
        elif until is None or end > until:
            until, older = end, key


def _unordered(outline: Outline, nodes: list[int], linked: frozenset[int]) -> Iterator[str]:
    """Warn of versions of one document that neither dates nor links put in an order."""
    loose = [
        node for node in nodes if outline.starts[node] is None and outline.ends[node] is None and node not in linked
    ]
    if loose:
        names = ", ".join(outline.keys[node].reference for node in loose[:SHOWN_OF_CYCLE])
        more = f" and {len(loose) - SHOWN_OF_CYCLE} more" if len(loose) > SHOWN_OF_CYCLE else ""
        yield (
            f"{outline.place(outline.first[loose[0]])}: {names}{more} without effective dates or supersedes: cannot"
            f" tell which version of {outline.keys[loose[0]].id} is current"
        )


def _sharing(outline: Outline, shared: Iterable[Shared]) -> Iterator[str]:
    """Warn of editions at one URI, and say what in a passage tells which of them it is from."""
    found = iter(shared)
    for one in islice(found, SHOWN_OF_SHARED):
        names = ", ".join(document.reference for document in one.documents[:SHOWN_OF_CYCLE])
        more = f" and {one.editions - SHOWN_OF_CYCLE} more" if one.editions > SHOWN_OF_CYCLE else ""
        marks = [document.checksum for document in one.documents]
        ways = ["checksum"] if None not in marks and len(set(marks)) == len(marks) else []
        ways += ["text"] if all(document.text for document in one.documents) else []
        ways += ["version", "effective dates"]
        if len({place_of(document.uri or "") for document in one.documents}) > 1:
            name = (named_of(one.documents[0].uri or "") or "").removeprefix(NAMED)
            yield (
                f"{outline.place(one.rows[1])}.uri: {names}{more} are files called {name}, and not all have a text; a"
                f" passage of a file of that name in another folder cannot be matched to a document"
            )
            continue
        yield (
            f"{outline.place(one.rows[1])}.uri: {names}{more} share the URI {one.documents[0].uri}; a passage with it"
            f" and no document id is matched by {', '.join(ways[:-1])} or {ways[-1]}; otherwise its document is unknown"
        )
    if next(found, None) is not None:
        yield f"more than {SHOWN_OF_SHARED} URIs are shared by several versions or documents; the others are not listed"


def _told(outline: Outline, cycle: list[int]) -> str:
    names = [outline.keys[node].reference for node in cycle]
    if len(names) > SHOWN_OF_CYCLE:
        names[SHOWN_OF_CYCLE - 1 : -1] = [f"... ({len(names) - SHOWN_OF_CYCLE} more) ..."]
    return " supersedes ".join([*names, names[0]])


def _day(moment: datetime) -> str:
    return moment.astimezone(UTC).date().isoformat()
