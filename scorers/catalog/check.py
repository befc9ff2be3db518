"""What must hold between the entries of a catalog, and what is merely odd."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from scorers.catalog.document import Document
from scorers.catalog.graph import Catalog, Key, key_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A document and where in the file it stands (``catalog.yaml: documents[3]``)."""

    where: str
    document: Document


@dataclass(frozen=True, slots=True)
class Findings:
    """``problems`` make a catalog unusable, ``warnings`` are told and lived with."""

    problems: tuple[str, ...]
    warnings: tuple[str, ...]


def check(entries: Sequence[Entry], catalog: Catalog) -> Findings:
    """Find entries that stand twice, dangling references, cycles, and versions whose order is unknown."""
    first: dict[Key, Entry] = {}
    for entry in entries:
        first.setdefault(key_of(entry.document), entry)
    return Findings(
        (*_duplicates(entries), *_dangling(entries, catalog), *_cycles(entries, catalog)),
        (*_overlaps(catalog, first), *_unordered(catalog, first)),
    )


def _duplicates(entries: Sequence[Entry]) -> Iterable[str]:
    seen: dict[tuple[Key, str | None], Entry] = {}
    for entry in entries:
        key = (key_of(entry.document), entry.document.section)
        if key in seen:
            section = "" if entry.document.section is None else f" section {entry.document.section}"
            other = seen[key].where.rpartition(": ")[2]
            yield f"{entry.where}.id: {entry.document.reference}{section} stands already at {other}"
        else:
            seen[key] = entry


def _dangling(entries: Sequence[Entry], catalog: Catalog) -> Iterable[str]:
    for entry in entries:
        for reference in entry.document.supersedes:
            targets = catalog.resolve(entry.document.id, reference)
            if not targets:
                yield f"{entry.where}.supersedes: {reference} is not in the catalog"
            elif targets == (key_of(entry.document),):
                yield f"{entry.where}.supersedes: {reference} is the document itself"


def _cycles(entries: Sequence[Entry], catalog: Catalog) -> Iterable[str]:
    """Report each cycle of explicit references once, at the first entry that is on it.

    A depth-first walk with an explicit stack, each edition entered once.
    """
    targets: dict[Key, list[Key]] = {}
    where: dict[Key, str] = {}
    for entry in entries:
        key = key_of(entry.document)
        where.setdefault(key, entry.where)
        for reference in entry.document.supersedes:
            found = catalog.resolve(entry.document.id, reference)
            targets.setdefault(key, []).extend(target for target in found if target != key)
    done: set[Key] = set()
    for start, first in targets.items():
        if start in done:
            continue
        path: dict[Key, int] = {start: 0}
        stack = [(start, iter(first))]
        while stack:
            node, following = stack[-1]
            target = next(following, None)
            if target is None:
                stack.pop()
                path.pop(node)
                done.add(node)
            elif target in path:
                cycle = [*list(path)[path[target] :], target]
                names = " supersedes ".join(_name(key) for key in cycle)
                yield f"{where[target]}.supersedes: cycle: {names}"
            elif target not in done:
                path[target] = len(path)
                stack.append((target, iter(targets.get(target, ()))))


def _overlaps(catalog: Catalog, first: dict[Key, Entry]) -> Iterable[str]:
    """Warn of two versions in force at once, unless the link between them says which one yields."""
    for doc_id in {key.id: None for key in first}:
        editions = catalog.editions(doc_id)
        for older, newer in pairwise(editions):
            if older.effective_to is None or newer.effective_from is None:
                continue  # an open end is how a version that will be superseded is written
            if newer.effective_from < older.effective_to:
                until = min(older.effective_to, newer.effective_to or older.effective_to)
                yield (
                    f"{first[newer.key].where}.effective_from: {_name(newer.key)} and {_name(older.key)} are both"
                    f" in force from {_day(newer.effective_from)} to {_day(until)}; the later start governs"
                )


def _unordered(catalog: Catalog, first: dict[Key, Entry]) -> Iterable[str]:
    """Warn of versions of one document that neither dates nor links put in an order."""
    for doc_id in {key.id: None for key in first}:
        editions = catalog.editions(doc_id)
        loose = [e for e in editions if e.effective_from is None and e.effective_to is None and not catalog.linked(e)]
        if len(editions) > 1 and loose:
            names = ", ".join(_name(edition.key) for edition in loose)
            yield (
                f"{first[loose[0].key].where}: {names}: neither effective dates nor supersedes say which version of"
                f" {doc_id} is current"
            )


def _name(key: Key) -> str:
    return f"{key.id}@{key.version}" if key.version else key.id


def _day(moment: datetime) -> str:
    return moment.astimezone(UTC).date().isoformat()
