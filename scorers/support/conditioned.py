"""A case told from the other side: no fee if the carrier is late, where one is due unless it is.

A rule and a claim that turn one condition round an even number of times say the same of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.contraries.nevers import beside, clause_of, denied_there
from scorers.support.contraries.reading import NEGATING, RuleWord, content, held, hits, keys_in, keys_of_text, marks_of
from scorers.support.parity import compared, named_in, turns
from scorers.text.normalize import behind_particle, word_set

ALIKE, MOSTLY = 0.75, 0.5
"""Shares of a condition, and of what is said under it, that the other statement must have."""
LONGEST_PART = 300
"""Characters of a condition."""

_CONDITION = re.compile(r"\b(?:if|when|where|once|as long as|provided(?: that)?|in case)\b", re.IGNORECASE)
_TURNING = re.compile(
    r"\b(?:unless|except (?:if|when|where|in case)"
    r"|(?:only|solely|exclusively|just) (?:if|when|where|once|as long as|provided(?: that)?|in case))\b",
    re.IGNORECASE,
)
_WAIVED = re.compile(r"\b(?:even|matter|regardless|whether|unless|except|irrespective|only)\b", re.IGNORECASE)


def told_from_behind(claim: str, told: str) -> bool:
    """Tell whether a claim says in another form what is told: of its other case, or of its exception."""
    return same_case(claim, told) or only_there(claim, told) or never_there(claim, told)


def waived_case(claimed: str, claim: str, told: str) -> bool:
    """Tell whether what differs is a case that a claim names with "even", where a rule holds whatever the case.

    >>> rule = "Delivery costs 9 euros, regardless of the order value."
    >>> waived_case("200 euros", "Delivery isn't free even for an order of 200 euros.", rule)
    True
    """
    case = _EVEN.search(claim)
    if case is None or _WHATEVER.search(told[:LONGEST]) is None or claimed not in case["case"]:
        return False
    its = quantities_in(told[:LONGEST], "en")
    rest = quantities_in(claim[: case.start("case")], "en") + quantities_in(claim[case.end() :], "en")
    return all(any(same_kind(one, two) and same_value(one, two) for two in its) for one in rest)


_EVEN = re.compile(r"\beven (?:for|if|with|on|at|when|though|in|to) (?P<case>[^,;.]{2,80})", re.IGNORECASE)
_WHATEVER = re.compile(
    r"\b(?:regardless|irrespective|independent(?:ly)?|whatever|however|whether|no matter|any|every|all|always)\b",
    re.IGNORECASE,
)


def of_another(claimed: str, claim: str, told: str, every: Iterable[str]) -> bool:
    """Tell whether "you can exchange them" differs from what is told of something that the claim does not name at all.

    >>> told, own = "Gift cards can't be exchanged.", "Sale items can be exchanged but not refunded."
    >>> of_another("you can exchange them", "Sale items aren't refunded, but you can exchange them.", told, [told, own])
    True
    """
    if _REFERRING.isdisjoint(mark.text for mark in marks_of(claimed)):
        return False
    its = marks_of(told[:LONGEST])
    ends = next((at for at, mark in enumerate(its) if mark.text in NEGATING or mark.text in _FINITE), 0)
    heads, here = content(its[:ends]), marks_of(claim)
    if not heads or hits(heads, keys_in(here)):
        return False
    named = named_in(here)
    most = hits(named, keys_in(its))
    return any(words != told and hits(named, keys_of_text(words)) > most for words in every)


_REFERRING = word_set("it them they these those")
_FINITE = word_set("can may must is are will should do does")


def same_case(claim: str, told: str) -> bool:
    """Tell whether a claim says of the case of a rule with "unless" or "only if" what follows from it.

    >>> rule = "A late fee is charged unless the carrier caused the delay."
    >>> said = "no late fee is charged", "a late fee is charged"
    >>> [same_case(f"If the carrier caused the delay, {each}.", rule) for each in said]
    [True, False]
    """
    stated = claim[behind_particle(claim) :]
    bound = _TURNING.search(told[:LONGEST])
    parts = None if bound is None or _WAIVED.search(stated) else _parted(stated)
    if bound is None or parts is None:
        return False
    case, said = (marks_of(part) for part in parts)
    rule, theirs = marks_of(told[: bound.start()]), marks_of(told[bound.end() : LONGEST])
    if not bound.start():  # "Unless it is cold, the door is open"
        condition, _, rest = told[bound.end() : LONGEST].partition(",")
        rule, theirs = marks_of(rest), marks_of(condition)
    return _alike(case, theirs, marks_of(told[:LONGEST]), marks_of(stated)) and _said(said, rule, stated, told)


def _alike(
    case: Sequence[RuleWord], theirs: Sequence[RuleWord], told: Sequence[RuleWord], stated: Sequence[RuleWord]
) -> bool:
    """Tell whether two conditions are of one thing."""
    named = named_in(case)
    there = keys_in(theirs)
    if not named or not hits(named, there):
        return False
    return held(named, keys_in(told)) >= ALIKE and held(named_in(theirs), keys_in(stated)) >= MOSTLY


def _said(said: Sequence[RuleWord], rule: Sequence[RuleWord], stated: str, told: str) -> bool:
    """Tell whether what is said under a condition is that of a rule, turned as often as its condition."""
    named = [word for word in named_in(said) if word.text not in _FREE]
    if held(named, keys_of_text(told)) < MOSTLY or (turns(said) > 1 and turns(rule)):
        return False
    found = compared(marks_of(stated), told)
    values, its = quantities_in(stated, "en"), quantities_in(told[:LONGEST], "en")
    known = all(any(same_kind(one, two) and same_value(one, two) for two in its) for one in values)
    return found is not None and found.even and known and bool(turns(marks_of(stated)))


_FREE = word_set("free charge cost costs")


def _parted(stated: str) -> tuple[str, str] | None:
    """Return the condition of a claim and what it says under it; ``None`` where that is not told apart."""
    found = _CONDITION.search(stated)
    if found is None:
        return None
    if not found.start():
        case, comma, said = stated[found.end() :].rpartition(", ")
        return (case, said) if comma else None
    return stated[found.end() : found.end() + LONGEST_PART], stated[: found.start()]


def only_there(claim: str, told: str) -> bool:
    """Tell whether a claim denies that something holds everywhere and keeps it to what a rule keeps it to.

    >>> rule = "Helmets are required only in the yard."
    >>> [only_there(f"Helmets aren't required everywhere, just {where}.", rule) for where in ("in the yard", "indoors")]
    [True, False]
    """
    stated = claim[behind_particle(claim) :]
    mine, its = _JUST.search(stated), _ONLY.search(told[:LONGEST])
    if mine is None or its is None:
        return False
    before, kept = marks_of(stated[: mine.start()]), content(marks_of(stated[mine.end() :]))
    if turns(before) != 1 or _WIDE.isdisjoint(mark.text for mark in before):
        return False
    theirs = content(marks_of(told[its.end() : LONGEST]))
    named = [word for word in content(before) if word.text not in _WIDE and word.text not in _DENIED]
    if not kept or held(kept, keys_in(theirs)) < 1 or held(theirs, keys_in(kept)) < ALIKE:
        return False
    return bool(named) and hits(named, keys_of_text(told[: its.start()])) >= max(1.0, len(named) * MOSTLY)


_JUST = re.compile(r",? (?:but )?(?:only|just|merely|solely) ", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|just) ", re.IGNORECASE)
_WIDE = word_set("everywhere always everyone everybody all every each any anyone anywhere throughout whole entire day")
_DENIED = word_set("not isn't aren't don't doesn't can't cannot never no")


def never_there(claim: str, told: str) -> bool:
    """Tell whether a claim denies something of a time or place of which a rule goes on to deny it.

    >>> rule = "Rents may rise once a year, but never in the first twelve months."
    >>> said = "In the first twelve months the rent can't rise.", "The rent can't rise."
    >>> [never_there(each, rule) for each in said]
    [True, False]
    """
    stated = claim[behind_particle(claim) :][:LONGEST]
    denied = denied_there(told)
    clause = None if denied is None else clause_of(denied, stated)
    if denied is None or clause is None or turns(clause.marks) % 2 == 0:
        return False
    return hits(beside(denied, clause), keys_of_text(denied.before)) > 0
