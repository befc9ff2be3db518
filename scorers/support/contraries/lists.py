"""A member of one list that a claim puts into another: "hot showers are charged separately", where they are included.

Lists of a context stand under stems: "Included in the price:" and "Charged separately:". A claim that names a member
of one with what the stem of another says, and nothing of its own stem, mixes them up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.contraries.forces import force_of
from scorers.support.contraries.reading import Ruled, RuleWord, clauses_of, content, held, keys_in, marks_of

SURE = 0.78
"""How sure it is that a claim with a member of another list is wrong."""
NAMED = 0.99
"""Share of the words of a member that a claim must have."""
SAID = 0.5
"""Share of what a stem says, beside what both say, that a claim must have to say that of a member."""
LEAST_MEMBERS = 2
"""Members that make a list: one alone is a label with its value."""
MOST_LISTS, MOST_MEMBERS, MOST_WORDS = 8, 40, 6
"""Lists of a source, members of one, and words of a member that are read."""


class _Listed(NamedTuple):
    """A list: the words of its stem, and of its members each with the statement that has both."""

    stem: tuple[RuleWord, ...]
    shown: str
    side: int
    members: tuple[tuple[tuple[RuleWord, ...], str], ...]


def lists(a: Alignment) -> Iterator[Ruled]:
    """Yield what lists of the context rule out of a claim: a member that stands in another one."""
    claim = a.claim.sentence.words[:LONGEST]
    for source, read in enumerate(a.context.sources):
        if read.record is not None or ":" not in read.text:
            continue
        found = _lists(a.context.told(source).at)
        if len(found) > 1:
            yield from _misplaced(claim, source, found)


def _misplaced(claim: str, source: int, every: Sequence[_Listed]) -> Iterator[Ruled]:
    for clause in clauses_of(marks_of(claim)):
        here = keys_in(clause)
        side = force_of(claim[clause[0].start : clause[-1].end].lower())
        for own in every:
            for member, words in own.members:
                if held(member, here) < NAMED:
                    continue
                for other in every:
                    if other is not own and _says(other, own, member, here, side):
                        shown = " ".join(mark.text for mark in member)
                        yield Ruled(Difference("entity", f"{shown}: {other.shown}", own.shown, SURE), source, words)


def _says(other: _Listed, own: _Listed, member: Sequence[RuleWord], here: frozenset[WordKey], side: int) -> bool:
    """Tell whether a clause says of a member of a list what the stem of another one says."""
    named = keys_in(member)
    if any(held(member, keys_in(one)) >= NAMED for one, _ in other.members) or side * other.side < 0:
        return False
    ours, theirs = keys_in(own.stem), keys_in(other.stem)
    apart = [mark for mark in other.stem if ours.isdisjoint(mark.keys) and named.isdisjoint(mark.keys)]
    kept = [mark for mark in own.stem if theirs.isdisjoint(mark.keys) and named.isdisjoint(mark.keys)]
    if any(not here.isdisjoint(mark.keys) for mark in kept):
        return False
    if own.side * other.side < 0:
        shared = [mark for mark in own.stem if named.isdisjoint(mark.keys)]
        return bool(shared) and held(shared, here) >= SAID
    return held(apart, here) >= SAID


def _lists(statements: Mapping[int, Sequence[str]]) -> tuple[_Listed, ...]:
    return _read("\n".join(words for each in statements.values() for words in each if ": " in words))


@cached_by_text(cost=30)
def _read(text: str) -> tuple[_Listed, ...]:
    """Return the lists of a text that has a member a line, each behind its stem."""
    members: dict[str, list[tuple[tuple[RuleWord, ...], str]]] = {}
    for line in text.splitlines():
        stem, _, member = line[:LONGEST].partition(": ")
        words = content(marks_of(member))
        if 0 < len(words) <= MOST_WORDS and (stem in members or len(members) < MOST_LISTS):
            members.setdefault(stem, []).append((words, line))
    return tuple(
        _Listed(content(marks_of(stem)), stem, force_of(stem.lower()), tuple(those[:MOST_MEMBERS]))
        for stem, those in members.items()
        if len(those) >= LEAST_MEMBERS
    )
