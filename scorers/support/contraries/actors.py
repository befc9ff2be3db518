"""Another than the one a rule names: "the safety officer grants access", where the head of infrastructure does.

A claim names an office, a team or a role. Where each statement that says the rest of the claim names another one, and
the claim's own one is named elsewhere in the context, the claim has the wrong one of two that the context tells apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.parallels import is_finite
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    clauses_of,
    hits,
    keys_of_text,
    marks_of,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim is wrong that names another than the statement which says the rest of it."""
ALIKE, OWN = 0.6, 0.45
"""Share of the rest of a claim that such a statement must say, and that none may say which names the claim's one."""
LEAST = 2
"""Words that a claim must have beside whom it names."""
MOST_SENTENCES = 400
"""Sentences of a context that are read for whom they name."""
LONGEST_NAME = 3
"""Words before the last of a name."""

_LAST = word_set(
    "manager managers lead leads leader leaders officer officers head heads director directors supervisor supervisors"
    " desk department departments office offices team teams committee committees board council commission secretariat"
    " coordinator coordinators caretaker janitor concierge registrar registry librarian treasurer secretary"
    " chairperson ombudsman counsellor advisor adviser dean headteacher teacher teachers tutor dealer"
    " contractor courier lab laboratory division authority agency reception helpdesk payroll procurement controlling"
    " treasury accounting facilities purchasing compliance bursar matron nurse doctor physician planner lodge gatehouse"
    " technician technicians workshop steward marshal assembly insurer hotline cashier pharmacy"
    " service services unit"
)
"""The last word of the name of who acts in rules."""
_BARE = frozenset({"HR", "IT", "Finance", "Legal", "Security", "Operations", "Communications", "Payable", "Support"})
"""The same, where it is written so."""
_NO_NAME = word_set(
    "the a an your our their his her its my this that each every any no all both one other another same of to by from"
    " with at in on for and or if is are must may can will not only via through outside inside before after under over"
    " within until during between when while once since without beforehand afterwards again twice online first free"
    " directly early"
)
"""Words that belong to no name."""
_LIGHT = word_set(
    "get gets need needs have has make makes take takes give gives go goes ask asks use uses send sends contact case"
    " person people someone done handle handles handled responsible charge task job one"
)


class _Actor(NamedTuple):
    """Whom a text names: the words, what they are found by, and the last of these."""

    marks: tuple[RuleWord, ...]
    keys: frozenset[WordKey]
    last: frozenset[WordKey]
    shown: str


def actors(claim: str, a: Alignment, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statement that names another than a claim does, and says what else the claim says."""
    claim = claim[:LONGEST]
    if not named_in(claim):
        return
    for clause in clauses_of(marks_of(claim)):
        yield from _of_clause(claim[clause[0].start : clause[-1].end], a, told)


def _of_clause(claim: str, a: Alignment, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    mine = named_in(claim)
    if len(mine) != 1:
        return
    (one,) = mine
    rest = [
        m
        for m in marks_of(claim)
        if m.keys and m.text not in _LIGHT and not (one.marks[0].start <= m.start < one.marks[-1].end)
    ]
    if len(rest) < LEAST:
        return
    against: Ruled | None = None
    for each in told:
        parts = _parts(each.words)
        there = keys_of_text(each.words)
        if any(_is_of(one, other) for its, _ in parts for other in its):
            if hits(rest, there) < OWN * len(rest):
                continue
            found = _in_another_part(one, rest, parts)
            if found is None:
                return
        else:
            its = [other for named, _ in parts for other in named]
            if hits(rest, there) < ALIKE * len(rest) or not its:
                continue
            found = its[0]
        against = against or Ruled(Difference("entity", one.shown, found.shown, SURE), each.source, each.words)
    # All of a context is read only where a statement names another.
    if against is not None and one.keys in a.context.once(_known):
        yield against


def _in_another_part(
    one: _Actor, rest: Sequence[RuleWord], parts: Sequence[tuple[tuple[_Actor, ...], frozenset[WordKey]]]
) -> _Actor | None:
    """Return who does it in a sentence that names the claim's one in a part of its own."""
    shared = frozenset.intersection(*[keys for _, keys in parts])
    own = [m for m in rest if shared.isdisjoint(m.keys)]
    said = [(hits(own, keys), named) for named, keys in parts]
    if any(count and any(_is_of(one, other) for other in named) for count, named in said):
        return None
    most, named = max(said, key=lambda each: each[0])
    return named[0] if most >= max(LEAST, ALIKE * len(own)) and len(named) == 1 else None


def _is_of(one: _Actor, other: _Actor) -> bool:
    """Tell whether two names may be of one: a manager is the line manager."""
    return not one.last.isdisjoint(other.last) and (one.keys <= other.keys or other.keys <= one.keys)


@cached_by_text(cost=12)
def _parts(words: str) -> tuple[tuple[tuple[_Actor, ...], frozenset[WordKey]], ...]:
    """Return the parts of a statement: whom each names, and what its words are found by."""
    return tuple([(named_in(part), keys_of_text(part)) for part in _PART.split(words) if part.strip()])


_PART = re.compile(r"[,;:](?=\s)|\b(?:and|but|while|whereas)\b")


def _known(context: Context) -> frozenset[frozenset[WordKey]]:
    """Return whom the sentences of a context name."""
    return frozenset(
        named.keys
        for source in context.sources
        if source.record is None
        for sentence in islice(source.sentences, MOST_SENTENCES)
        for named in named_in(sentence.words)
    )


@cached_by_text(cost=16)
def named_in(text: str) -> tuple[_Actor, ...]:
    """Return whom a text names."""
    said = glance(text)
    if _LAST.isdisjoint(said) and not _BARE_LOW.intersection(said):
        return ()
    marks = marks_of(text)
    found: list[_Actor] = []
    for at, mark in enumerate(marks):
        if not _ends_name(mark, text) or _goes_on(marks, at, text):
            continue
        first = at
        while first and at - first < LONGEST_NAME and _belongs(marks, first, text, capital=text[mark.start].isupper()):
            first -= 1
        name = marks[first : at + 1]
        if any(each.text in _NO_OFFICE for each in name):
            continue
        keys = frozenset([_key(each) for each in name])
        found.append(_Actor(tuple(name), keys, frozenset([_key(mark)]), text[name[0].start : mark.end]))
    return tuple(found)


def _ends_name(mark: RuleWord, text: str) -> bool:
    return mark.text.removesuffix("'s") in _LAST or text[mark.start : mark.end].removesuffix("'s") in _BARE


def _goes_on(marks: Sequence[RuleWord], at: int, text: str) -> bool:
    """Tell whether a name goes on, or is a part of another noun: "Finance Director", "IT counter", "office hours"."""
    if at + 1 == len(marks) or marks[at + 1].start - marks[at].end > 1 or marks[at].text.endswith("'s"):
        return False
    behind = marks[at + 1]
    if _ends_name(behind, text):
        return True
    if not behind.text.isalpha() or behind.text in _NO_NAME or behind.text.endswith("ly"):
        return False
    return behind.text == "hours" or (bool(behind.keys) and not _is_done(marks, at + 1))


def _is_done(marks: Sequence[RuleWord], at: int) -> bool:
    """Tell whether a word behind a name is what its bearer does: "Treasury sets the rates"."""
    word, behind = marks[at].text, marks[at + 1].text if at + 1 < len(marks) else ""
    if is_verb(word) or is_finite([each.text for each in marks], at):
        return True
    # "The team empties lockers", and not "team members must".
    thing = at + 1 < len(marks) and bool(marks[at + 1].keys) and not is_verb(behind)
    return word.endswith("s") and (thing or behind in _PARTICLES)


_PARTICLES = word_set("out up off back down in")


def _belongs(marks: Sequence[RuleWord], at: int, text: str, *, capital: bool) -> bool:
    """Tell whether the word before another belongs to the same name: "Fleet Office", "line manager"."""
    before, mark = marks[at - 1], marks[at]
    if before.text in _NO_NAME or not before.keys or mark.start - before.end != 1:
        return False
    upper = text[before.start].isupper() and before.start > 0
    return upper if capital else upper or not is_verb(before.text)


_NO_OFFICE = word_set("home post box ticket")
"""What makes a place or a thing of an office or a service."""


def _key(mark: RuleWord) -> WordKey:
    key = mark.keys[0] if mark.keys else f"~{mark.text}"
    return key.removesuffix("'s") if isinstance(key, str) else key


_BARE_LOW = frozenset(each.lower() for each in _BARE)
