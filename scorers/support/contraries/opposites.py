"""A word of a claim where the statement that says the rest of it has the opposite: "closed" for "open"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.ties import WordKey
from scorers.statements.words import relation, word_of
from scorers.support.contraries.lexicon import CONTRARY
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    clauses_of,
    content,
    held,
    keys_in,
    marks_of,
    negations,
    nouns,
)
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim with the opposite is wrong."""
ALIKE = 0.65
"""Share of what else the clause of a claim says that the clause with the opposite must have."""
NEARLY = 0.8
"""The same from where on a clause is a near copy."""
LEAST = 2
"""Words with content that both must have in common."""
_LOOSE = word_set(
    "after before above below over under more less most least first last up down in out from to get give take go come"
    " open opens opening close closes start starts begin begins end ends keep make long short high low new old early"
    " late same other work works right rights damage damages send receive own use used day night"
)
"""Words whose opposites stand beside each other in one rule, or are bounds."""


_Known = tuple[ToldRule, tuple[RuleWord, ...], frozenset[WordKey]]
"""A clause of a statement, with the statement and what its words are found by."""


def opposites(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield words of a claim of which a statement that says the rest has the opposite.

    >>> told = [ToldRule(0, "Other loans are renewed automatically.", 1.0, 0)]
    >>> [each.difference.told for each in opposites("Other loans are renewed manually.", told)]
    ['automatically']
    """
    known = [(each, clause, keys_in(clause)) for each in told for clause in clauses_of(marks_of(each.words))]
    for clause in clauses_of(marks_of(claim)):
        words = content(clause)
        for mark in words:
            if mark.text not in _LOOSE:
                found = _opposed(mark, [each for each in words if each is not mark], negations(clause), known)
                if found is not None:
                    yield found


def _opposed(mark: RuleWord, beside: Sequence[RuleWord], denials: int, known: Sequence[_Known]) -> Ruled | None:
    if len(beside) < LEAST:
        return None
    against: Ruled | None = None
    mine, subject = set(mark.keys), nouns(beside)
    for each, clause, there in known:
        if held(beside, there) < ALIKE or sum([not there.isdisjoint(m.keys) for m in beside], 0) < LEAST:
            continue
        if not mine.isdisjoint(there):
            return None
        if subject and held(subject, there) < ALIKE:
            continue
        near = held(beside, there) >= NEARLY
        other = next((m for m in content(clause) if m.text not in _LOOSE and _contrary(mark, m, near=near)), None)
        if against is None and other is not None and negations(clause) == denials:
            against = Ruled(Difference("opposite", mark.text, other.text, SURE), each.source, each.words)
    return against


def _contrary(one: RuleWord, other: RuleWord, *, near: bool) -> bool:
    """Tell whether two words rule one another out; in a near copy also what is an opposite in one sense alone."""
    sides = CONTRARY.get(one.text)
    if sides is not None and other.text in sides:
        return True
    return near and relation(word_of(one.text), word_of(other.text)) == -1
