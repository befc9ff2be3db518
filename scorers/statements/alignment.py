"""The alignment of a clause of a claim with a clause of a source: which words correspond, and which are replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from scorers.statements.clauses import FIGURE_WEIGHT, Clause, Item
from scorers.statements.words import Word, excludes, relation


class WordPair(NamedTuple):
    """The places of two words that correspond: ``sign`` -1 where they are opposites, ``exact`` one root."""

    claim: int
    source: int
    sign: int
    exact: bool


class Slot(NamedTuple):
    """Words of a claim where the source has others, each a few; either side may be empty."""

    claim: tuple[Item, ...]
    source: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class ClauseAlignment:
    """Which words of two clauses correspond.

    ``covered`` and ``used`` are the shares of the claim's and of the source's words that are aligned, members of a
    list that the claim does not speak of aside; ``apart`` the pairs that are different members of a set.
    """

    claim: Clause
    source: Clause
    pairs: tuple[WordPair, ...]
    apart: tuple[tuple[Item, Item], ...]
    slots: tuple[Slot, ...]
    covered: float
    used: float
    core: float
    """``core`` is ``covered`` but for conditions of the claim of which the source has no word."""

    @property
    def near(self) -> float:
        """How nearly the claim is a copy of the source, 0 to 1."""
        return self.covered * (0.55 + 0.45 * self.used)


def align(claim: Clause, source: Clause) -> ClauseAlignment:
    """Align a clause of a claim with one of a source."""
    ours, theirs = claim.items, source.items
    taken: dict[int, WordPair] = {}
    free = set(range(len(theirs)))
    places: Mapping[int, Sequence[int]] = _alike(ours, theirs)
    for sign in (SAME, 1, -1):
        expected = 0
        for item in ours:
            known = taken.get(item.place)
            if known is not None:
                expected = known.source + 1
                continue
            open_places = [at for at in places.get(item.place, ()) if at in free]
            if sign != SAME:
                open_places = [at for at in open_places if relation(item.word, theirs[at].word) == sign]
            if open_places:
                found = open_places[0]
                if len(open_places) > 1:
                    found = min(open_places[:MOST_PLACES], key=lambda at: _distance(item, theirs[at], expected))
                turned = item.sign * theirs[found].sign * (sign or 1)
                taken[item.place] = WordPair(item.place, found, turned, sign == SAME)
                free.discard(found)
                expected = found + 1
        if sign == SAME:
            places = _kindred([item for item in ours if item.place not in taken], [theirs[at] for at in sorted(free)])
        if not places:
            break
    pairs = tuple(taken[place] for place in sorted(taken))
    apart = _apart(ours, theirs, taken, free)
    slots = _slots(ours, theirs, pairs)
    lost = {item.place for item, _ in apart}
    total = sum([item.weight for item in ours], 0.0)
    held = sum([item.weight for item in ours if item.place in taken or item.place in lost], 0.0)
    answered = {item.segment for item in ours if item.place in taken or item.place in lost} | {0}
    core = sum([item.weight for item in ours if item.segment in answered], 0.0)
    return ClauseAlignment(
        claim,
        source,
        pairs,
        apart,
        slots,
        held / total if total else 0.0,
        _used(source, free, {o.place for _, o in apart}),
        held / core if core else 0.0,
    )


def reach(claim: Clause, sources: Sequence[Clause]) -> float:
    """Return the most that can be covered of a clause: its share of words of which the sources have a kindred one.

    >>> from scorers.statements.clauses import read_clauses
    >>> reach(read_clauses("Pets may enter on Monday.")[0], read_clauses("No pets on Friday."))
    0.6666666666666666
    """
    words = [item.word for source in sources for item in source.items]
    roots = {root for word in words for root in (word.root, word.bare) if root}
    concepts = {concept for word in words for concept in word.concepts}
    sets = {group for word in words for group in word.members}
    held = total = 0.0
    for item in claim.items:
        word = item.word
        total += item.weight
        kindred = word.root in roots or word.bare in roots or not concepts.isdisjoint(word.concepts)
        if kindred or not sets.isdisjoint(word.members):
            held += item.weight
    return held / total if total else 0.0


MOST_PLACES = 16
"""Places of a word that are looked at, the first free ones: no sentence for people repeats a word as often."""

_OTHER_PART = 20
"""How far away a word counts that stands in a condition where the claim's stands in the main part."""


SAME = 0
"""How words that have one root are laid beside each other, before those that say the same (1) or the opposite (-1)."""


def _alike(ours: Sequence[Item], theirs: Sequence[Item]) -> dict[int, list[int]]:
    """Return for each word of a claim the places of those of the source that have its root."""
    index: dict[str, list[int]] = {}
    for item in theirs:
        index.setdefault(item.word.root, []).append(item.place)
    return {item.place: index[item.word.root] for item in ours if item.word.root in index}


def _kindred(ours: Sequence[Item], theirs: Sequence[Item]) -> dict[int, list[int]]:
    """Return for words of a claim the places of those of the source that may say the same or the opposite."""
    index: dict[str | int, list[int]] = {}
    for item in theirs:
        for key in _keys(item.word):
            index.setdefault(key, []).append(item.place)
    found: dict[int, list[int]] = {}
    for item in ours:
        near = {at for key in _keys(item.word) for at in index.get(key, ())}
        if near and not item.figure:
            found[item.place] = sorted(near)
    return found


def _keys(word: Word) -> tuple[str | int, ...]:
    """Return what a word shares with one that may say the same or the opposite."""
    return (*word.concepts, word.root, word.bare) if word.bare else (*word.concepts, word.root)


def _distance(item: Item, other: Item, expected: int) -> int:
    apart = (item.segment == 0) != (other.segment == 0)
    return abs(other.place - expected) * 2 + (other.place < expected) + _OTHER_PART * apart


def _apart(
    ours: Sequence[Item], theirs: Sequence[Item], taken: dict[int, WordPair], free: set[int]
) -> tuple[tuple[Item, Item], ...]:
    """Return the free words of both that are different members of a set, neither of which the other has."""
    found = []
    roots = {item.word.root for item in theirs}
    left = [theirs[at] for at in sorted(free) if theirs[at].word.members and theirs[at].weight > FIGURE_WEIGHT]
    for item in ours:
        if not left or not item.word.members or item.place in taken or item.weight == FIGURE_WEIGHT:
            continue
        if item.word.root in roots:
            continue  # the source names it, too
        other = next((each for each in left if excludes(item.word, each.word)), None)
        if other is not None:
            found.append((item, other))
            left.remove(other)
    return tuple(found)


def _slots(ours: Sequence[Item], theirs: Sequence[Item], pairs: Sequence[WordPair]) -> tuple[Slot, ...]:
    """Return what stands between neighbouring pairs that run in the same order, where only one or both have words."""
    found = []
    matched = {pair.source for pair in pairs}
    before = (-1, -1)
    for pair in (*pairs, None):
        here = (len(ours), len(theirs)) if pair is None else (pair.claim, pair.source)
        if here == (before[0] + 1, before[1] + 1):
            before = here
            continue
        if here[1] > before[1]:
            mine = tuple(ours[before[0] + 1 : here[0]])
            its = tuple(item for item in theirs[before[1] + 1 : here[1]] if item.place not in matched)
            if mine or its:
                found.append(Slot(mine, its))
        elif here[0] > before[0] + 1:
            found.append(Slot(tuple(ours[before[0] + 1 : here[0]]), ()))
        before = here
    return tuple(found)


def _used(source: Clause, free: set[int], apart: set[int]) -> float:
    """Return the share of the source's words that the claim has, members of a list with none of them aside."""
    edges = sorted({0, len(source.items), *(at for _, at in source.joins)})
    total = held = 0.0
    for start, end in pairwise(edges):
        part = source.items[start:end]
        inside = [item.weight for item in part if item.place not in free or item.place in apart]
        if not inside and len(edges) > 2 and len(part) <= 3:  # noqa: PLR2004 - a member of a list
            continue
        total += sum([item.weight for item in part], 0.0)
        held += sum(inside, 0.0)
    return held / total if total else 0.0
