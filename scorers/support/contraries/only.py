"""What a rule keeps for one alone: "only staff may enter" rules out that visitors may, or that anyone may.

The words that "only" stands before or behind are what it keeps something for; the rest of the clause is what is kept.
A claim that has the rest, and something else that its context or its question names in their place, says otherwise.
So does one that keeps for some alone what a rule says of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.clauses import FIGURE_WEIGHT, Clause, Force, Item, read_clauses
from scorers.statements.operators import may_keep
from scorers.statements.ties import LONGEST, WordKey, keys_of
from scorers.statements.words import excludes, is_verb, relation
from scorers.support.contraries.reading import Ruled, ToldRule, marks_of
from scorers.text.normalize import behind_particle, word_set

SURE = 0.75
"""How sure it is that a claim is wrong that gives another what a rule keeps for one alone."""
REST = 0.75
"""Share of what a rule keeps that a claim must say."""
LEAST = 2
"""Words with content that a rule must have, those it is kept for with them."""
MOST_CLAUSES, LONGEST_PHRASE = 6, 5
"""Clauses that are read, and words that "only" is taken to stand with."""

_AFFIRMS: frozenset[Force] = frozenset({"YES", "MAY", "MUST", "SHOULD"})
_VERBAL = frozenset({"MAY", "MUST", "NEED", "SHOULD", "NEG", "FORBID", "NOTNEED"}) | word_set("is are was were be")
_PARTS = word_set("in on at from by to for with within during through under of") | {"BY", "IF", "WHO"}
_ACTS = word_set(
    "wear wears wore worn carry carries hold holds drive drives use uses enter enters attend attends visit visits park"
    " parks stay stays ride rides bring brings get gets need needs pay pays see sees eat eats take takes leave leaves"
)
"""Verbs, beside those that the tables know, that end what "only" stands with."""
_LIGHT = word_set(
    "applied applies people person persons one ones those anyone get take go make have give use alone only"
)
_ALL = frozenset({"ALL", "ALWAYS"})


class _Kept(NamedTuple):
    """A clause: what it does, its words, and where "only" or "all" stands: the words that go with it, and the rest."""

    state: Force
    words: tuple[Item, ...]
    only: tuple[Item, ...]
    rest: tuple[Item, ...]
    all: bool
    also: bool
    shown: str


def only(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield clauses of a claim that give another what a statement keeps for one alone, or keep what it says of all.

    >>> told = [ToldRule(0, "Only the string band is paid. The brass band plays outside.", 1.0, 0)]
    >>> [each.difference.kind for each in only("The brass band is paid.", None, told)]
    ['scope']
    """
    keeping = [each.words for each in told if may_keep(each.words)]
    if not keeping and not may_keep(claim):
        return
    kept = [one for words in keeping for one in _clauses(words) if one.only]
    if not kept and not may_keep(claim):
        return
    ours = _clauses(claim)
    if not any(mine.only or _may_be_given(mine, kept) for mine in ours):
        return  # all that is told is read only where that may be so
    known = [(each, _clauses(each.words)) for each in told]
    elsewhere = _keys([item for _, clauses in known for one in clauses for item in one.words])
    if question:
        elsewhere |= _keys([item for one in _clauses(question) for item in one.words])
    for mine in ours:
        found = _given_away(mine, ours, elsewhere, known) if not mine.only else _kept_from_all(mine, known)
        if found is not None:
            yield found


_Known = Sequence[tuple[ToldRule, Sequence[_Kept]]]


def _may_be_given(mine: _Kept, kept: Sequence[_Kept]) -> bool:
    """Tell whether a clause says the rest of one of those that keep something for one alone."""
    here = _keys(mine.words) if kept else _NONE
    return any(its.rest and _holds(its.rest, here) for its in kept)


_NONE: frozenset[WordKey] = frozenset()


def _given_away(mine: _Kept, ours: Sequence[_Kept], elsewhere: frozenset[WordKey], known: _Known) -> Ruled | None:
    """Return the rule that keeps for one alone what a clause gives to another."""
    here = _keys(mine.words)
    against: Ruled | None = None
    for each, clauses in known:
        for its in clauses:
            if not its.rest or mine.state not in _AFFIRMS or its.state not in _AFFIRMS:
                continue
            if not _holds(its.rest, here) or _done_by_it(its, mine, ours):
                continue
            if _does_else(mine, its):
                continue
            if len(its.rest) == 1 and _OF_IT.search(its.shown):
                continue  # "only reviewers can edit it" says of what is told before
            if not its.only:
                # "Members may enter as well" says of them, too, what is kept for staff by another sentence.
                if _holds(mine.words, _keys(its.words)) and len(mine.words) >= LEAST:
                    return None
                continue
            if against is None and len(its.only) + len(its.rest) >= LEAST and _other(mine, its, elsewhere):
                against = Ruled(Difference("scope", mine.shown, its.shown, SURE), each.source, each.words)
    return against


def _does_else(mine: _Kept, its: _Kept) -> bool:
    """Tell whether a clause has a verb of its own, and none of what a rule keeps: restarts are announced."""
    verbs = [item for item in mine.words if _acts(item) or item.lead in _BEING]
    kept = _keys(its.rest)
    return bool(verbs) and all(kept.isdisjoint(keys_of(item.word)) for item in verbs)


_BEING = word_set("is are was were be been")
_OF_IT = re.compile(r"\b(?:it|them|this|these|those)$", re.IGNORECASE)


def _done_by_it(its: _Kept, mine: _Kept, ours: Sequence[_Kept]) -> bool:
    """Tell whether another clause of a claim says of whom something is kept for what is kept, and the one does not.

    "A memo holds the invoices; the manager alone releases them" says who releases what is "held and released by the
    manager only".
    """
    if not its.only:
        return False
    here = _keys(mine.words)
    kept = [item for item in its.rest if here.isdisjoint(keys_of(item.word))]
    others = [_keys(each.words) for each in ours if each is not mine]
    return any(
        all(not there.isdisjoint(keys_of(item.word)) for item in its.only)
        and any(not there.isdisjoint(keys_of(item.word)) for item in kept)
        for there in others
    )


def _other(mine: _Kept, its: _Kept, elsewhere: frozenset[WordKey]) -> bool:
    """Tell whether a clause names another, or all, for whom a rule keeps nothing."""
    here, kept, rest = _keys(mine.words), _keys(its.only), _keys(its.rest)
    lacking = [item for item in its.only if here.isdisjoint(keys_of(item.word))]
    if mine.all:
        return bool(lacking)
    if mine.state == "MUST" and len(lacking) < len(its.only):
        return False  # "a witness must be present" is of what is only done before one
    others = [
        item
        for item in mine.words
        if kept.isdisjoint(keys_of(item.word))
        and rest.isdisjoint(keys_of(item.word))
        and (not elsewhere.isdisjoint(keys_of(item.word)) or any(excludes(item.word, each.word) for each in its.only))
        and not any(relation(item.word, each.word) for each in its.only)
    ]
    if not others:
        return False
    if not lacking:
        return mine.also
    # What it is kept for is told by all its words: the chamber choir is no oratorio choir.
    if len(lacking) == len(its.only) or any(item.capital for item in (*lacking, *others)):
        return True
    heads = _keys(_next_to(lacking, its.only))
    return any(not heads.isdisjoint(keys_of(item.word)) for item in _next_to(others, mine.words))


def _next_to(these: Sequence[Item], words: Sequence[Item]) -> list[Item]:
    """Return the words right behind some: the band of a brass band."""
    places = {item.place + 1 for item in these}
    return [item for item in words if item.place in places]


def _kept_from_all(mine: _Kept, known: _Known) -> Ruled | None:
    """Return the rule that says of all what a clause keeps for some alone."""
    if not mine.rest or mine.state not in _AFFIRMS:
        return None
    if any(its.only and _holds(mine.words, _keys(its.words)) for _, clauses in known for its in clauses):
        return None  # "annual ones can be cancelled only in May", whenever others can
    for each, clauses in known:
        for its in clauses:
            shared = _shared(mine, each.words)
            if its.state not in _AFFIRMS or not (shared or (its.all and not its.only)):
                continue
            there = _keys(its.words)
            core = [item for item in its.words if _acts(item) or item.lead in _VERBAL]
            if _holds(mine.rest, there) and (shared or _holds(core, _keys(mine.words))):
                return Ruled(Difference("scope", mine.shown, its.shown, SURE), each.source, each.words)
    return None


def _shared(mine: _Kept, words: str) -> bool:
    """Tell whether a rule gives to another as well what a clause keeps for one: "staff and their spouses"."""
    here, kept = _keys(mine.words), _keys(mine.only[-1:])
    marks = marks_of(words)
    for at, mark in enumerate(marks[:-1]):
        if kept.isdisjoint(mark.keys) or marks[at + 1].text not in _JOINS:
            continue
        other = next((each for each in marks[at + 2 : at + 2 + _NEXT] if each.keys), None)
        if other is not None and here.isdisjoint(other.keys) and not is_verb(other.text):
            return True
    return False


_JOINS = frozenset({"and", "or"})
_NEXT = 2
"""Marks behind an "and" among which stands what is joined: "and their spouses"."""


def _holds(words: Sequence[Item], there: frozenset[WordKey]) -> bool:
    held = sum([not there.isdisjoint(keys_of(item.word)) for item in words], 0)
    return held > 0 and held >= REST * len(words)


def _keys(items: Sequence[Item]) -> frozenset[WordKey]:
    return frozenset([key for item in items for key in keys_of(item.word)])


@cached_by_text(cost=42)
def _clauses(text: str) -> tuple[_Kept, ...]:
    text = _SOLE.sub("the ", text[behind_particle(text) : LONGEST])
    found = []
    for part in _AND.split(text):
        also = _ALSO.search(part) is not None
        found += [_read(clause, also=also) for clause in read_clauses(part)[:MOST_CLAUSES] if clause.items]
    return tuple(found)


_AND = re.compile(r",?\sand\s(?=(?:can|may|must|cannot|is|are|has to|have to|needs? to)\b)")
"""Where a clause goes on with another verb: "it is free and can be used by members only"."""
_SOLE = re.compile(r"\b(?:the|an|its|their|our|your) only\s", re.IGNORECASE)
"""Here "only" counts what there is: "the only exception"."""
_SAID = re.compile(r"\b(?:is|are|was|were|be|been)\sonly\b", re.IGNORECASE)
"""Here it stands with what is told behind: "it is only open to members"."""
_ALSO = re.compile(r"\b(?:and|or|also|too|both|as well)\b", re.IGNORECASE)


def _read(clause: Clause, *, also: bool) -> _Kept:
    words = tuple(item for item in clause.items if _counts(item))
    place = next((at for op, at, _ in clause.scopes if op == "ONLY"), None)
    chosen: tuple[Item, ...] = ()
    if place is not None:
        if not _stands(clause.items, place) or _SAID.search(clause.segments[0].shown):
            end = place if place == _last(clause.items) and clause.items[place].lead == "be" else None
            place = next((i.place for i in clause.items[place + 1 :] if i.lead in _PARTS and not i.segment), end)
        # "Only from 7.10", "only three tickets" set a bound.
        bounds = place is not None and place < len(clause.items) and clause.items[place].figure
        chosen = _phrase(clause.items, place) if place is not None and not bounds else ()
    elif any(segment.op == "ONLYIF" for segment in clause.segments):
        number = next(at for at, segment in enumerate(clause.segments) if segment.op == "ONLYIF")
        chosen = tuple(item for item in clause.items if item.segment == number and _counts(item))
    taken = {item.place for item in chosen}
    shown = clause.segments[0].shown
    return _Kept(
        clause.state,
        words,
        chosen,
        tuple(item for item in words if item.place not in taken),
        any(op in _ALL and word.lower() != "both" for op, _, word in clause.scopes),
        also,
        shown,
    )


def _last(items: Sequence[Item]) -> int:
    """Return the place of the last word of the main part: "can only be exchanged" keeps for all else that it is not."""
    return max((item.place for item in items if not item.segment), default=-1)


def _stands(items: Sequence[Item], place: int) -> bool:
    """Tell whether "only" stands with a thing of the main part: "only passing through" keeps nothing for one."""
    if place == len(items):
        return bool(items) and not items[-1].segment
    return not items[place].segment and items[place].lead not in _VERBAL and not _acts(items[place])


def _phrase(items: Sequence[Item], place: int) -> tuple[Item, ...]:
    """Return the words that "only" stands with: those behind it up to a verb or another part; before it at an end."""
    chosen: list[Item] = []
    for item, behind in zip_longest(items[place : place + LONGEST_PHRASE], items[place + 1 : place + LONGEST_PHRASE]):
        if chosen and (item.lead in _VERBAL or (place and item.lead in _PARTS) or _acts(item)):
            break
        # "Only the commander communicates with customers": no table knows every verb.
        if (
            chosen
            and not place
            and item.shown.endswith("s")
            and not chosen[-1].shown.endswith("s")
            and _goes_on(behind)
        ):
            break
        if _counts(item):
            chosen.append(item)
    if chosen:
        return tuple(chosen)
    for item in reversed(items[:place]):
        if chosen and is_verb(item.shown.lower()):
            break  # "accepts | JSON only"
        if _counts(item):
            chosen.append(item)
        if item.lead in _PARTS or item.lead.isupper() or len(chosen) >= LONGEST_PHRASE:
            break
    return tuple(reversed(chosen))


def _goes_on(behind: Item | None) -> bool:
    """Tell whether a word stands behind a preposition, as what is done stands behind a verb."""
    return behind is not None and behind.lead in _PARTS and behind.lead != "of"


def _acts(item: Item) -> bool:
    low = item.shown.lower()
    return low in _ACTS or is_verb(low)


def _counts(item: Item) -> bool:
    return not item.figure and item.weight > FIGURE_WEIGHT and item.shown.lower() not in _LIGHT
