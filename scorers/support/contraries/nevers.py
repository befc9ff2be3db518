"""What a statement goes on to deny of one time or place: "music may be played in the garden, but not after 10 pm"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.support.contraries.reading import (
    RuleClause,
    Ruled,
    RuleWord,
    ToldRule,
    clauses_in,
    content,
    held,
    keys_in,
    keys_of_text,
    marks_of,
    negations,
)
from scorers.text.normalize import behind_particle, word_set

SURE = 0.8
"""How sure it is that a claim is wrong that states of such a time or place what is denied of it."""
THERE, BESIDE = 0.75, 0.6
"""Shares of the time or place, and of what else a claim says, that both must have."""
LONGEST = 400

_NEVER = re.compile(
    r"\b(?:but|and|yet|though),? (?:never|not) "
    r"(?P<there>(?P<at>during|in|on|at|while|when|before|after|for|to|within|from|with|without)\b[^,;.]{2,100})",
    re.IGNORECASE,
)
_OPENING = word_set("unless except only until even whether if")
_POINTS = word_set("before after within from without for to with")
"""Words that tell on which side of a point, or for whom: a claim must have the same one."""


class Denied(NamedTuple):
    """What a statement denies of a time or place: where, by which word, and what it says in front of that."""

    there: str
    at: str
    before: str


def denied_there(text: str) -> Denied | None:
    """Return what a statement goes on to deny; ``None`` of none.

    >>> denied_there("Rents may rise, but never in May.")
    Denied(there='in May', at='in', before='Rents may rise, ')
    """
    found = _NEVER.search(text[:LONGEST])
    return None if found is None else Denied(found["there"], found["at"].lower(), text[: found.start()])


def clause_of(denied: Denied, claim: str) -> RuleClause | None:
    """Return the clause of a claim that speaks of the time or place of which something is denied."""
    place = content(marks_of(denied.there))
    figures = quantities_in(denied.there, "en")
    if not place and not figures:
        return None
    own = quantities_in(claim, "en")
    if not all(any(same_kind(one, two) and same_value(one, two) for two in own) for one in figures):
        return None
    for clause in clauses_in(claim):
        texts = [mark.text for mark in clause.marks]
        if (not place or held(place, clause.keys) >= THERE) and (denied.at not in _POINTS or denied.at in texts):
            return clause if _OPENING.isdisjoint(texts) else None
    return None


def beside(denied: Denied, clause: RuleClause) -> Sequence[RuleWord]:
    """Return what else a clause says than the time or place."""
    place = keys_in(marks_of(denied.there))
    return [word for word in clause.named if place.isdisjoint(word.keys)]


def nevers(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statements that deny of a time or place what a claim says of it.

    >>> told = [ToldRule(0, "Members may swap classes twice a month, but never on the day itself.", 1.0, 0)]
    >>> [each.difference.told for each in nevers("Members may swap classes on the day itself.", told)]
    ['on the day itself']
    """
    stated = claim[behind_particle(claim) :][:LONGEST]
    for each in told:
        denied = denied_there(each.words)
        clause = None if denied is None else clause_of(denied, stated)
        if denied is None or clause is None or negations(clause.marks) or negations(marks_of(denied.before)):
            continue
        if held(beside(denied, clause), keys_of_text(denied.before)) >= BESIDE:
            shown = stated[clause.marks[0].start : clause.marks[-1].end]
            yield Ruled(Difference("polarity", shown, denied.there, SURE), each.source, each.words)
