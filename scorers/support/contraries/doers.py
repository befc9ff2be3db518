"""Who has to do it: "you must lock the device", where the service desk locks it; "we pay", where customers pay alone.

Rules name those who act for the reader: a desk, a department, the company. A claim that has the reader do what one of
them does says otherwise, and so does one that takes over what people do themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.agents import agent
from scorers.statements.base import Difference
from scorers.statements.clauses import read_clauses
from scorers.statements.ties import LONGEST
from scorers.statements.words import is_verb, relation, word_of
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    clauses_of,
    content,
    excepted,
    held,
    keys_in,
    keys_of_text,
    marks_of,
    nouns,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim is wrong that has another do what a rule says who does."""
ALIKE = 0.6
"""Share of what else a claim says that the statement must have."""
HALF = 0.5
"""Share of what a rule excepts that a claim must have to be of that case."""
MOST_CLAUSES = 6
"""Clauses of a statement that are read."""

_READER = re.compile(
    r"\byou (?:yourself )?(?:must|have to|need to|should|will have to|will need to"
    r"|are (?:required|obliged|expected) to) (?:yourself )?(?P<does>[a-z]{2,20})\b",
    re.IGNORECASE,
)
_ORGANS = word_set(
    "desk department team office hr management administration board company provider bank insurer employer supplier"
    " payroll finance accounting security support registry committee council authority agency system software portal"
    " manufacturer helpdesk it service services seller vendor carrier airline hotel shop store landlord university"
    " library clinic pharmacy secretariat"
)
"""Who acts for the reader in rules, by the last word of the name."""
_THEMSELVES = re.compile(
    r"\b(?:themselves|himself|herself|yourself|yourselves"
    r"|(?:on|at|for) (?:their|your|his|her) own(?: expense| cost)?)\b",
    re.IGNORECASE,
)
_WE = re.compile(
    r"^\W{0,3}(?P<who>we|(?:the|your|our) (?:\w{2,20} )?(?P<organ>\w{2,20}))(?: will| would| always| also)? "
    r"(?P<does>[a-z]{2,20})\b",
    re.IGNORECASE,
)
_ALONE = word_set("themselves himself herself yourself yourselves own")


def doers(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield statements that say that another does what a claim has the reader, or us, do.

    >>> told = [ToldRule(0, "The service desk locks the device remotely.", 1.0, 0)]
    >>> [each.difference.told for each in doers("You must lock the device remotely.", told)]
    ['service desk']
    >>> told = [ToldRule(0, "Customers bear customs duties themselves.", 1.0, 0)]
    >>> [each.difference.kind for each in doers("We pay the customs duties.", told)]
    ['role']
    """
    claim = claim[:LONGEST]
    for clause in clauses_of(marks_of(claim)):
        yield from _by_reader(claim[clause[0].start : clause[-1].end], told)
    yield from _by_us(claim, told)


def _by_reader(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield who does what a claim has the reader do."""
    marks = marks_of(claim)
    does = _asked_of_reader(claim, marks)
    if not does:
        return
    things = nouns([mark for mark in content(marks) if mark.text != does and mark.text not in _ALONE])
    if not things:
        return
    verb = word_of(does)
    ruled: Ruled | None = None
    for each in told:
        if held(things, keys_of_text(each.words)) < ALIKE:
            continue
        for clause in read_clauses(each.words)[:MOST_CLAUSES]:
            if not any(relation(verb, item.word) > 0 for item in clause.items):
                continue
            acting = agent(clause)
            who = "" if acting is None else " ".join(item.shown for item in acting[0])
            if acting is None or relation(verb, acting[1].word) <= 0 or who.lower().split()[-1] not in _ORGANS:
                return  # somebody else does it, or who is not told
            ruled = ruled or Ruled(Difference("role", "you", who, SURE), each.source, each.words)
    if ruled is not None:
        yield ruled


def _asked_of_reader(claim: str, marks: Sequence[RuleWord]) -> str:
    """Return the verb of what a claim has the reader do: "you must lock it", "lock it"; empty where it has none."""
    found = _READER.search(claim)
    if found is not None:
        return found["does"].lower()
    return marks[0].text if marks and is_verb(marks[0].text) else ""


def _by_us(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield what people do themselves and a claim has us do for them."""
    found = _WE.match(claim)
    if found is None or _THEMSELVES.search(claim):
        return
    if found["organ"] and found["organ"].lower() not in _ORGANS:
        return
    beside = [mark for mark in content(marks_of(claim)) if mark.start >= found.end()]
    if any(_WE.match(each.words) and held(beside, keys_of_text(each.words)) == 1 for each in told):
        return  # we do it for some, and others do it themselves
    for each in told if beside else ():
        alone = _THEMSELVES.search(each.words)
        if held(excepted(each.words), keys_in(beside)) >= HALF:
            continue
        if alone is not None and "not" not in glance(each.words) and held(beside, keys_of_text(each.words)) >= ALIKE:
            yield Ruled(Difference("role", found["who"], alone.group(), SURE), each.source, each.words)
