"""What is one group's and what another's: "the north car park for the day shift and the yard for the night shift".

A claim that has the group of one part, and what the other part gives to the other group, says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.contraries.reading import (
    NEGATING,
    Ruled,
    RuleWord,
    ToldRule,
    content,
    held,
    hits,
    keys_in,
    keys_of_text,
    marks_of,
    near,
)
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.8
"""How sure it is that a claim is wrong that gives to one group what is another's."""
ALIKE = 0.4
"""Share of a claim that a statement must hold."""
LONGEST_PART = 6
"""Words of what a group has, and of the name of a group."""

_OF = word_set("for in on at from to by")
_JOINS = word_set("and , ; while whereas but")
_ENDS = frozenset(";:.!?()\u2014") | word_set("is are was were be has have may must can which who if unless of")
_BOTH = word_set("both either each all any same also respectively than not instead other")


class _Part(NamedTuple):
    """What a group has and which group that is: the words with content or figures of both."""

    thing: tuple[RuleWord, ...]
    group: tuple[RuleWord, ...]
    shown: str


def apportioned(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield statements that give to a group of a claim something else than the claim does, and that to another.

    >>> told = [ToldRule(0, "The fee is 180 for seniors and 60 for the sixth form.", 1.0, 0)]
    >>> [each.difference.told for each in apportioned("The fee for seniors is 60.", told)]
    ['180']
    """
    for each, one, other, claimed in _compared(claim, told):
        for own, foreign in permutations((one, other)):
            crossed = claimed.has(own.group, foreign.group) and claimed.has(foreign.thing, own.thing)
            if crossed and claimed.lacks(own.thing, foreign.thing) and claimed.lacks(foreign.group, own.group):
                yield Ruled(Difference("entity", foreign.shown, own.shown, SURE), each.source, each.words)


def told_apart(a: Alignment) -> bool:
    """Tell whether a claim gives to one group what a statement gives to it, and nothing to the other."""
    words = a.claim.sentence.words
    return any(
        claimed.has(own.group, foreign.group)
        and claimed.has(own.thing, foreign.thing)
        and claimed.lacks(foreign.thing, own.thing)
        and claimed.lacks(foreign.group, own.group)
        and claimed.told_by(each.words)
        for each, one, other, claimed in _compared(words[behind_particle(words) :], near(a))
        for own, foreign in permutations((one, other))
    )


class _Claimed(NamedTuple):
    """The words of a claim: as written, by their roots, and what else they are found by."""

    texts: frozenset[str]
    roots: frozenset[tuple[WordKey, ...]]
    keys: frozenset[WordKey]
    marks: tuple[RuleWord, ...]

    def has(self, words: Sequence[RuleWord], others: Sequence[RuleWord]) -> bool:
        """Tell whether the claim has all that tells words from others, or a word for it."""
        apart = _apart(words, others)
        return bool(apart) and all(mark.text in self.texts or hits((mark,), self.keys) for mark in apart)

    def lacks(self, words: Sequence[RuleWord], others: Sequence[RuleWord]) -> bool:
        """Tell whether it has nothing of that itself: "day" is no word for "night", whatever both are of."""
        apart = _apart(words, others)
        return bool(apart) and not any(mark.text in self.texts or mark.keys[:1] in self.roots for mark in apart)

    def told_by(self, words: str) -> bool:
        """Tell whether a statement has every word of it."""
        return held(content(self.marks), keys_of_text(words)) == 1


def _compared(claim: str, told: Sequence[ToldRule]) -> Iterator[tuple[ToldRule, _Part, _Part, _Claimed]]:
    """Yield the parts of statements that hold something of a claim of one thing."""
    seen = glance(claim.lower())
    parted = [each for each in told if each.share >= ALIKE and _may_part(each.words)]
    if not parted or not _BOTH.isdisjoint(seen) or not NEGATING.isdisjoint(seen):
        return
    marks = marks_of(claim[:LONGEST])
    roots = frozenset([mark.keys[:1] for mark in marks if mark.keys])
    claimed = _Claimed(frozenset([mark.text for mark in marks]), roots, keys_in(marks), marks)
    for each in parted:
        for one, other in _parts(each.words[:LONGEST]):
            yield each, one, other, claimed


def _may_part(words: str) -> bool:
    """Tell whether a statement has a preposition, and a word or sign that joins."""
    seen = glance(words)
    return not _OF.isdisjoint(seen) and (not _JOINS.isdisjoint(seen) or "," in words or ";" in words)


def _apart(words: Sequence[RuleWord], others: Sequence[RuleWord]) -> tuple[RuleWord, ...]:
    """Return the words that the others do not have."""
    texts, roots = {mark.text for mark in others}, {mark.keys[:1] for mark in others if mark.keys}
    return tuple([mark for mark in words if mark.text not in texts and mark.keys[:1] not in roots])


@cached_by_text(cost=12)
def _parts(text: str) -> tuple[tuple[_Part, _Part], ...]:
    """Return the parts of a text with one preposition, two that stand side by side."""
    marks = marks_of(text)
    found: list[tuple[_Part, _Part]] = []
    for at, mark in enumerate(marks):
        if mark.text not in _JOINS or not 1 < at < len(marks) - 1:
            continue
        first, second = _part(text, marks, at, back=True), _part(text, marks, at, back=False)
        if first is not None and second is not None and first[0] == second[0]:
            found.append((first[1], second[1]))
    return tuple(found)


def _part(text: str, marks: Sequence[RuleWord], at: int, *, back: bool) -> tuple[str, _Part] | None:
    """Return the preposition and the part before a join, or behind it."""
    step = -1 if back else 1
    end = at + step
    while 0 <= end < len(marks) and marks[end].text not in _ENDS and marks[end].text not in _JOINS:
        end += step
    inside = list(marks[end + 1 : at] if back else marks[at + 1 : end])
    places = [place for place, mark in enumerate(inside) if mark.text in _OF]
    if len(places) != 1 or not 0 < places[0] < len(inside) - 1:
        return None
    place = places[0]
    thing, group = inside[:place], inside[place + 1 :]
    if max(len(thing), len(group)) > LONGEST_PART:
        return None
    named = tuple(tuple([mark for mark in words if mark.keys or mark.text[0].isdigit()]) for words in (thing, group))
    if not all(named):
        return None
    return inside[place].text, _Part(named[0], named[1], text[thing[0].start : thing[-1].end])
