"""What a claim waives that its context demands, in other languages than English: "you need no consent for it"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.clauses import Clause, Item, read_clauses
from scorers.statements.forces import sign
from scorers.statements.ties import LONGEST
from scorers.statements.words import relation
from scorers.support.alignment import Alignment
from scorers.support.binding import UNBOUND, Bound
from scorers.text.language import LanguageCode
from scorers.text.normalize import behind_particle

WAIVED = 0.75
"""How sure it is that a claim is wrong that waives what the context demands for it."""

HALF = 0.5
"""Share of the words of what is waived, or of what is demanded, that the other must have."""

MAX_SENTENCES = 200
"""Sentences of a context that are looked through."""


class _Requisite(NamedTuple):
    """What is demanded or waived, as it is shown, and what else its clause tells."""

    items: tuple[Item, ...]
    shown: str
    beside: tuple[Item, ...]


def bind_waived(a: Alignment, question: str | None, language: LanguageCode) -> Bound:
    """Return that a claim does without what its context demands, where both speak of the same thing.

    What is demanded stands in a rule ("must be accompanied") or in its condition ("only with the consent of"); it is of
    the same thing if the rest of the clauses, or of the question, has a word in common.
    """
    claim = a.claim.sentence.words[:LONGEST]
    waived = [each for clause in read_clauses(claim[behind_particle(claim) :], language) for each in _waived(clause)]
    if not waived:
        return UNBOUND
    asked = [item for clause in read_clauses(question or "", language) for item in clause.items if _tells(item)]
    for index, source in enumerate(a.context.sources):
        for sentence in source.sentences[:MAX_SENTENCES]:
            for clause in read_clauses(sentence.words[:LONGEST], language):
                for demanded in _demanded(clause):
                    for each in waived:
                        if _same(each, demanded, asked):
                            told = Difference("condition", each.shown, demanded.shown, WAIVED)
                            return UNBOUND._replace(difference=told, source=index, words=sentence.words)
    return UNBOUND


def _waived(clause: Clause) -> Iterator[_Requisite]:
    if clause.state == "NOTNEED":
        yield from _part(clause, 0)
    if clause.state in ("MAY", "YES"):
        for at, segment in enumerate(clause.segments):
            if segment.op == "WITHOUT":
                yield from _part(clause, at)


def _demanded(clause: Clause) -> Iterator[_Requisite]:
    if clause.state == "MUST":
        yield from _part(clause, 0)
    for at, segment in enumerate(clause.segments):
        if segment.op == "ONLYIF" or (segment.op in ("UNLESS", "EXC") and sign(clause.state) < 0):
            yield from _part(clause, at)
    places = [place for op, place, _ in clause.scopes if op == "ONLY"]
    if sign(clause.state) > 0 and places:
        yield from _only_with(clause, places[0])


def _only_with(clause: Clause, place: int) -> Iterator[_Requisite]:
    """Yield what a permission is bound to whose "only" and "with" stand apart: "solo está permitido con permiso"."""
    main = [item for item in clause.items if not item.segment and _tells(item)]
    behind = tuple(item for item in main if item.place >= place)
    if 0 < len(behind) < len(main):
        yield _Requisite(behind, clause.segments[0].shown, tuple(item for item in main if item.place < place))


def _part(clause: Clause, at: int) -> Iterator[_Requisite]:
    items = tuple(item for item in clause.items if item.segment == at and _tells(item))
    if items:
        beside = tuple(item for item in clause.items if item.segment != at and _tells(item))
        yield _Requisite(items, clause.segments[at].shown, beside)


def _tells(item: Item) -> bool:
    return item.weight == 1 and not item.figure


def _same(waived: _Requisite, demanded: _Requisite, asked: Sequence[Item]) -> bool:
    """Tell whether what is waived is what is demanded, for the thing that the claim or its question speaks of."""
    common = [(one, other) for one in waived.items for other in demanded.items if relation(one.word, other.word) == 1]
    mine, its = {one.place for one, _ in common}, {other.place for _, other in common}
    if not any(one.word.root == other.word.root for one, other in common):
        return False
    if min(len(mine), len(its)) < HALF * min(len(waived.items), len(demanded.items)):
        return False
    rest = [item for item in (*waived.items, *waived.beside) if item.place not in mine]
    there = [item for item in (*demanded.items, *demanded.beside) if item.place not in its]
    topics = (*rest, *asked)
    return not topics or any(relation(one.word, other.word) == 1 for one in topics for other in there)
