"""Which edition supersedes which: what references say, and within one document what the dates say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TypeVar

from scorers.catalog.document import split_reference
from scorers.catalog.edition import EditionKey

Node = TypeVar("Node")
Moment = TypeVar("Moment")


def resolve(
    doc_id: str, reference: str, by_key: Mapping[EditionKey, Node], by_id: Mapping[str, Sequence[Node]]
) -> Sequence[Node]:
    """Return the editions that a ``supersedes`` reference of ``doc_id`` names; empty if it dangles.

    ``id@version``; else a version of the same document; else every version of the document with that id.
    """
    name, version = split_reference(reference)
    for key in (EditionKey(name, version) if version is not None else None, EditionKey(doc_id, reference)):
        if key is not None and key in by_key:
            return (by_key[key],)
    return by_id.get(reference, ())


def stated_links(
    keys: Sequence[EditionKey],
    supersedes: Sequence[Sequence[str]],
    by_key: Mapping[EditionKey, int],
    by_id: Mapping[str, Sequence[int]],
) -> dict[int, dict[int, None]]:
    """Return for each edition those that say they supersede it. Editions are numbers: their places in ``keys``."""
    links: dict[int, dict[int, None]] = {}
    for node, references in enumerate(supersedes):
        for reference in references:
            for target in resolve(keys[node].id, reference, by_key, by_id):
                if target != node:
                    links.setdefault(target, {})[node] = None
    return links


def dated_links(
    keys: Sequence[EditionKey],
    starts: Sequence[Moment | None],
    by_id: Mapping[str, Sequence[int]],
    stated: Mapping[int, Mapping[int, None]],
) -> dict[int, dict[int, None]]:
    """Return ``stated`` and what the dates add: the next start supersedes the one before, unless stated otherwise."""
    links = {node: dict(successors) for node, successors in stated.items()}
    for nodes in by_id.values():
        if len(nodes) == 1:
            continue
        dated = [(start, keys[node], node) for node in nodes if (start := starts[node]) is not None]
        dated.sort()
        groups = [[node for _, _, node in group] for _, group in groupby(dated, key=itemgetter(0))]
        for earlier, later in pairwise(groups):
            for old in earlier:
                if old not in links.get(later[0], {}):
                    links.setdefault(old, {})[later[0]] = None
    return links


def circles(edges: Mapping[Node, Iterable[Node]]) -> Iterator[list[Node]]:
    """Yield circles, each in the direction of its edges; without the edge that closes each of them there is none.

    A depth-first walk with an explicit stack, each node entered once: every circle shares a node with one that is
    yielded, and each is yielded from the first node of ``edges`` that it is entered by.
    """
    done: set[Node] = set()
    for start in edges:
        if start in done:
            continue
        path: dict[Node, int] = {start: 0}
        stack = [(start, iter(edges[start]))]
        while stack:
            node, following = stack[-1]
            target = next(following, None)
            if target is None:
                stack.pop()
                path.pop(node)
                done.add(node)
            elif target in path:
                yield list(path)[path[target] :]
            elif target not in done:
                path[target] = len(path)
                stack.append((target, iter(edges.get(target, ()))))
