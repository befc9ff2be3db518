"""What a claim spares somebody that a rule asks of them: "without a signature" where "minors need the signature"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.support.contraries.reading import (
    RuleClause,
    Ruled,
    RuleWord,
    ToldRule,
    clauses_in,
    content,
    held,
    hits,
    marks_of,
    nouns,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim is wrong that does without what a rule asks for."""
ALIKE = 0.6
"""Share of what a claim says elsewhere that the statement must have, where it does not name the same people."""

_ASKING = word_set(
    "presentation production showing need needs must require requires required mandatory necessary obligatory"
    " compulsory"
)
_ASKED = re.compile(
    r"\b(?:(?:also |always |still )?(?:needs? |must (?:have|show|bring|present|carry|provide|submit|sign)\b)|requires? "
    r"|(?:is|are) (?:also |always )?(?:required|mandatory|necessary|obligatory|compulsory)\b"
    r"|on (?:presentation|production|showing) of\b)"
)
_ASKS = frozenset({"asking", "anyone", "anybody"})
_LEAVE = content(marks_of("permission"))
_OPENING = word_set("if when unless except only where provided")
"""Words of a claim that tell of a case of its own, in which a rule may not ask for it."""


def spared(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield what a claim does without and a statement asks for, of the same people or for the same thing.

    >>> told = [ToldRule(0, "Minors also need the signature of a parent.", 1.0, 0)]
    >>> found = spared("Minors can open an account without a parent's signature.", told)
    >>> [each.difference.claimed for each in found]
    ["without a parent's signature"]
    """
    said = glance(claim)
    if "without" not in said or not _OPENING.isdisjoint(said):
        return
    asking = [each for each in told if not _ASKING.isdisjoint(glance(each.words))]
    for clause in clauses_in(claim) if asking else ():
        at = next((place for place, mark in enumerate(clause.marks) if mark.text == "without"), None)
        if at is None or clause.denials != 1:
            continue
        thing = content(clause.marks[at + 1 :])
        if any(mark.text in _ASKS for mark in clause.marks[at + 1 : at + 3]):
            thing = _LEAVE  # "without asking anyone" is without permission
        beside = content(clause.marks[:at])
        for each in asking if thing and beside else ():
            if any(_asks(its, each.words, thing, beside) for its in clauses_in(each.words)):
                shown = claim[clause.marks[at].start : clause.marks[-1].end]
                yield Ruled(Difference("condition", shown, each.words, SURE), each.source, each.words)
                return


def _asks(clause: RuleClause, text: str, thing: Sequence[RuleWord], beside: Sequence[RuleWord]) -> bool:
    """Tell whether a clause of a rule asks for a thing, of those or for what a claim speaks of."""
    words = text[clause.marks[0].start : clause.marks[-1].end].lower()
    if clause.denials or _ASKED.search(words) is None or held(thing, clause.keys) < 1:
        return False
    subject = nouns(beside)[:1]
    return (bool(subject) and hits(subject, clause.keys) == 1) or held(beside, clause.keys) >= ALIKE
