"""What a claim spares somebody that a rule asks of them: "without a signature" where "minors need the signature"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.support.contraries.reading import (
    NEGATING,
    RuleClause,
    Ruled,
    RuleWord,
    ToldRule,
    clauses_in,
    content,
    held,
    hits,
    keys_in,
    keys_of_text,
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
    " compulsory after once first has have"
)
_ASKED = re.compile(
    r"\b(?:(?:also |always |still )?(?:needs? |must (?:have|show|bring|present|carry|provide|submit|sign)\b)|requires? "
    r"|(?:is|are) (?:also |always )?(?:required|mandatory|necessary|obligatory|compulsory)\b"
    r"|on (?:presentation|production|showing) of\b|ha(?:s|ve) to\b)"
)
_ASKS = frozenset({"asking", "anyone", "anybody"})
_LEAVE = content(marks_of("permission"))
_AFTER = re.compile(r"\b(?:after|once|not (?:be )?(?:\w{2,15} )?until|unless)\b")
"""What comes before it: "after sending a reminder" asks for the reminder."""
_TOLD_WHY = word_set("why because reason reasons explain explains explanation justify justifies justified grounds")
_REASON = word_set("reason reasons explanation justification grounds why explaining saying")
_DOING = word_set(
    "any first prior previous even having giving give given sending send getting get obtaining asking doing making"
    " showing telling special previously beforehand further"
)
"""What tells of no thing behind "without": "without sending any reminder first"."""
_CHARGES = word_set("charge charges cost costs fee fees payment")
_DENYING = NEGATING - word_set("refuse refuses refused")
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
        if at is None or any(mark.text in _DENYING for mark in (*clause.marks[:at], *clause.marks[at + 1 :])):
            continue
        end = next((place for place in range(at + 1, len(clause.marks)) if clause.marks[place].text == ","), None)
        thing = _thing(clause.marks[at + 1 : end])
        if end is not None and any(mark.text in _CHARGES for mark in thing):
            continue  # "after 18 hours without charge, the tenant pays"
        if any(mark.text in _ASKS for mark in clause.marks[at + 1 : at + 3]):
            thing = _LEAVE  # "without asking anyone" is without permission
        beside = content(clause.marks[:at])
        if any(_does_without(each.words, thing, beside) for each in told):
            return
        for each in asking if thing and beside else ():
            if _comes_first(each, told, thing, beside) or any(
                _asks(its, each.words, thing, beside) for its in clauses_in(each.words)
            ):
                shown = claim[clause.marks[at].start : clause.marks[:end][-1].end]
                yield Ruled(Difference("condition", shown, each.words, SURE), each.source, each.words)
                return


def _thing(marks: Sequence[RuleWord]) -> tuple[RuleWord, ...]:
    """Return the words of what is done without: the reminder of "without sending any reminder first"."""
    named = content(marks)
    return tuple([mark for mark in named if mark.text not in _DOING]) or named


def _does_without(words: str, thing: Sequence[RuleWord], beside: Sequence[RuleWord]) -> bool:
    """Tell whether a statement does without a thing as well: of what is needed for others only."""
    if "without" not in glance(words):
        return False
    marks = marks_of(words)
    at = next((place for place, mark in enumerate(marks) if mark.text == "without"), len(marks))
    behind = keys_in(marks[at : at + _BEHIND])
    return held(thing, behind) == 1 and held(beside, keys_in(marks)) >= ALIKE


_BEHIND = 6
"""Words behind a "without" among which stands what it is done without."""


def _asks(clause: RuleClause, text: str, thing: Sequence[RuleWord], beside: Sequence[RuleWord]) -> bool:
    """Tell whether a clause of a rule asks for a thing, of those or for what a claim speaks of."""
    words = text[clause.marks[0].start : clause.marks[-1].end].lower()
    if (_comes_after(clause, words, thing) or _gives_reason(clause, words, thing)) and (
        held(beside, clause.keys) >= ALIKE
    ):
        return True
    if clause.denials or _ASKED.search(words) is None or held(thing, clause.keys) < 1:
        return False
    subject = nouns(beside)[:1]
    return (bool(subject) and hits(subject, clause.keys) == 1) or held(beside, clause.keys) >= ALIKE


def _comes_after(clause: RuleClause, words: str, thing: Sequence[RuleWord]) -> bool:
    """Tell whether a clause has something only after a thing: "we may close it after giving two warnings"."""
    found = _AFTER.search(words)
    if found is None:
        return False
    start = clause.marks[0].start + found.end()
    return held(thing, keys_in([mark for mark in clause.marks if mark.start >= start])) == 1


def _gives_reason(clause: RuleClause, words: str, thing: Sequence[RuleWord]) -> bool:
    """Tell whether a thing is a reason, and a clause has one told: "must explain why"."""
    if not thing or any(mark.text not in _REASON for mark in thing):
        return False
    return _DUTY.search(words) is not None and any(mark.text in _TOLD_WHY for mark in clause.marks)


def _comes_first(
    one: ToldRule, told: Sequence[ToldRule], thing: Sequence[RuleWord], beside: Sequence[RuleWord]
) -> bool:
    """Tell whether a statement has a thing come first, and it or the one beside it what a claim does without it."""
    if "first" not in glance(one.words):
        return False
    keys = keys_of_text(one.words)
    if held(thing, keys) < 1:
        return False
    near = [keys_of_text(each.words) for each in told if each.source == one.source and abs(each.at - one.at) == 1]
    named = [mark for mark in beside if mark.text not in _GOING]
    return bool(named) and any(held(named, keys | each) >= ALIKE for each in (keys, *near))


_GOING = word_set("go turn contact straight directly straightaway immediately right take appeal reach come")
_DUTY = re.compile(r"\b(?:must|ha(?:s|ve) to|needs? to|will|required to|obliged to)\b")
