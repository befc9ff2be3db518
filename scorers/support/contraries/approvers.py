"""Whose approval it takes: "the line manager approves it", where the head of division does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, content, held, keys_in, keys_of_text, marks_of
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim is wrong that names another than the one whose approval a rule demands."""
ALIKE = 0.6
"""Share of what else a claim says that the statement must have."""

_LEAVE = r"(?:approval|consent|permission|authori[sz]ation|signature|agreement|clearance)"
_THE = r"(?:(?:the|your|our|their|an?|his|her)\s)?"
_FURTHER = r"\s(?!is|are|must|may|can|and|or|if|for|to|on|in|who)[\w'-]{2,20}"
_WHO = rf"{_THE}(?P<who>[a-z][\w'-]{{1,20}}(?:{_FURTHER}){{0,2}})"
_NAME = r"(?P<who>[a-z][\w-]{1,20}(?:\s[\w-]{2,20})?)"
_OF = rf"\b{_LEAVE} (?:of|from|by) {_WHO}"
_BY = rf"\b(?:approved|authori[sz]ed|signed|granted|decided) by {_WHO}"
_WHOSE = rf"\b(?:the|your|our|needs?|requires?) {_NAME}'s? (?:prior |written |express ){{0,3}}{_LEAVE}\b"
_DOES = (
    rf"(?:^|[,;:] |and ){_THE}{_NAME} (?:must |has to |have to |needs to )?(?:approves?|authori[sz]es?|signs|decides)\b"
)
_SHAPES = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (_OF, _BY, _WHOSE, _DOES))
_APPROVING = word_set(
    "approval consent permission authorization authorisation signature agreement clearance approved authorized"
    " authorised signed granted decided approve approves authorize authorise authorizes authorises signs decides decide"
)
_LIGHT = _APPROVING | word_set("need needs needed require requires required must written prior express take takes")


def approvers(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield statements that demand the approval of another than a claim names.

    >>> rule = "Business class is allowed for long flights with the approval of the division head."
    >>> found = approvers("The line manager approves business class.", [ToldRule(0, rule, 1.0, 0)])
    >>> [(each.difference.claimed, each.difference.told) for each in found]
    [('line manager', 'division head')]
    """
    mine = _approver(claim[:LONGEST])
    if mine is None:
        return
    who, named = mine
    beside = [mark for mark in content(marks_of(claim)) if mark not in named and mark.text not in _LIGHT]
    against: Ruled | None = None
    for each in told if beside else ():
        its = _approver(each.words[:LONGEST])
        there = keys_of_text(each.words)
        if held(beside, there) < ALIKE:
            continue
        if all(not there.isdisjoint(mark.keys) for mark in named) and (its is None or _same(named, its[1])):
            return  # the rule names both
        if its is None:
            continue
        other, words = its
        if not _same(named, words):
            against = against or Ruled(Difference("role", who, other, SURE), each.source, each.words)
    if against is not None:
        yield against


def _same(ours: Sequence[RuleWord], theirs: Sequence[RuleWord]) -> bool:
    """Tell whether two names are of one: a manager is the line manager, and no line manager the head of division."""
    if set(ours[-1].keys).isdisjoint(theirs[-1].keys) and keys_in(ours).isdisjoint(keys_in(theirs)):
        return False
    further = keys_in(ours[:-1]), keys_in(theirs[:-1])
    return not (all(further) and further[0].isdisjoint(further[1]))


def _approver(text: str) -> tuple[str, list[RuleWord]] | None:
    """Return who approves in a text, and the words of the name; ``None`` where nobody does, or several do."""
    if _APPROVING.isdisjoint(glance(text)):
        return None
    found = [match for shape in _SHAPES for match in shape.finditer(text)]
    if len(found) != 1:
        return None
    who = found[0]
    named = [mark for mark in marks_of(text) if who.start("who") <= mark.start < who.end("who") and mark.keys]
    return (who["who"], named) if named else None
