"""Another way of doing something than the rule has: "claims are sent by post", where they go into the portal.

The ways are a closed set (`ways`), so that one of them tells that the others are none, unless a rule names it as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, content, held, keys_in, keys_of_text, nouns
from scorers.support.contraries.ways import PARTING, Way, WayClause, compatible, ways_of
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim is wrong that names another way than a rule has for the same."""
ALIKE = 0.6
"""Share of what else a clause of a claim says that the statement must have."""
BACK = 0.4
"""Share of what a clause of a statement says that the claim must have, where the way of the claim is not denied."""

_LIGHT = word_set(
    "send sends sent sending submit submits submitted submitting make makes made making do does done go goes going"
    " get gets contact contacts contacting use uses used using want wants wish wishes like accept accepts accepted"
    " possible allowed permitted need needs must have has may can could should be is are was were enough okay ok fine"
    " done handed hand via need required require requires form forms writing hours days simply either visit come reach"
)
"""Words that tell by no means what it is that is done."""
_TO_WHOM = re.compile(
    r"\b(?:to|with|at|from|by|calling|call|phone|phoning|ring) (?:(?:the|our|your) )?(?:[a-z-]{2,15} ){0,2}"
    r"(?:desk|department|team|office|reception|helpdesk|centre|center|hotline|branch)\b"
)
"""To whom it is sent, which another rule tells."""


def channels(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield statements that have another way of doing something than a claim.

    >>> told = [ToldRule(0, "Complaints are filed in writing; we do not take them by phone.", 1.0, 0)]
    >>> [(each.difference.claimed, each.difference.told) for each in channels("Complaints are filed by phone.", told)]
    [('by phone', 'by phone')]
    """
    ours = ways_of(claim)
    known = [(each, ways_of(each.words)) for each in told] if ours else []
    if not any(clauses for _, clauses in known):
        return
    for clause in ours:
        beside = _beside(clause, claim)
        spoken = [(each, its) for each, its in known if its and _speaks_of(beside, each)]
        for way in clause.ways:
            found = _ruled(way, clause, spoken)
            if found is not None:
                yield found


def _beside(clause: WayClause, claim: str) -> list[RuleWord]:
    """Return the words of a clause that tell what is done, without those of the way and of whom it is sent to."""
    lower = claim[:LONGEST].lower()
    spans = [(way.start, way.end) for way in clause.ways]
    spans += [found.span() for found in _TO_WHOM.finditer(lower)]
    return [
        mark
        for mark in content(clause.marks)
        if mark.text not in _LIGHT and not any(start <= mark.start < end for start, end in spans)
    ]


def _around(way: Way, clause: WayClause, told: str) -> list[RuleWord]:
    """Return the words of a clause of a statement that stand in one part of it with a way."""
    start = max((mark.end for mark in clause.marks if mark.text in PARTING and mark.end <= way.start), default=0)
    end = min((mark.start for mark in clause.marks if mark.text in PARTING and mark.start >= way.end), default=LONGEST)
    return [mark for mark in _beside(clause, told) if start <= mark.start < end]


def _speaks_of(beside: Sequence[RuleWord], told: ToldRule) -> bool:
    keys = keys_of_text(told.words)
    things = nouns(beside)
    return bool(beside) and held(beside, keys) >= ALIKE and (not things or held(things[:1], keys) == 1)


def _ruled(way: Way, clause: WayClause, spoken: Sequence[tuple[ToldRule, tuple[WayClause, ...]]]) -> Ruled | None:
    """Return the statement that rules out one way, unless one of all has it too."""
    known = [(each, its, one) for each, clauses in spoken for its in clauses for one in its.ways]
    if any(one.name == way.name and one.denied == way.denied for _, _, one in known):
        return None
    for each, _, one in known:
        if one.name == way.name:
            return Ruled(Difference("entity", way.shown, one.shown, SURE), each.source, each.words)
    if way.denied or any(compatible(one.name, way.name) and not one.denied for _, _, one in known):
        return None
    several = any(each is not way and not each.denied for each in clause.ways)
    here = keys_in(clause.marks)
    for each, its, one in known:
        if not one.denied and (its.bound or not several) and held(_around(one, its, each.words), here) >= BACK:
            return Ruled(Difference("entity", way.shown, one.shown, SURE), each.source, each.words)
    return None
