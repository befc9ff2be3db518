"""Who bears it: "employees buy their helmets", where the company supplies them; "the guest pays", where we do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.ties import WordKey
from scorers.support.contraries.parties import GENERIC, Borne, borne_in
from scorers.support.contraries.reading import (
    Ruled,
    ToldRule,
    excepted,
    held,
    keys_in,
    keys_of_text,
    marks_of,
)

SURE = 0.75
"""How sure it is that a claim is wrong that has another pay or provide than a rule."""
WHOLE = 0.75
"""Share of what a rule says is paid or given that the claim must have."""
HALF = 0.5
"""Share of what a claim says is paid or given that the statement must have."""

NEARER = 0.15
"""How much more of a claim a statement must hold than one that has the same pay, to be of the case of the claim."""


def payers(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield statements that have another pay or provide than a claim does.

    >>> told = [ToldRule(0, "The company supplies vests and helmets.", 1.0, 0)]
    >>> [each.difference.told for each in payers("Employees have to buy their own helmets.", told)]
    ['company supplies vests and helmets']
    """
    ours = borne_in(claim)
    if not ours:
        return
    known = [(each, its) for each in told for its in borne_in(each.words)]
    here = keys_in(marks_of(claim))
    for mine in ours:
        alike = [(each, its) for each, its in known if its.kind == mine.kind and _of_one_thing(mine, its)]
        agreed = [each.share for each, its in alike if its.side == mine.side and not _another(mine, its)]
        least = max(agreed) + NEARER if agreed else 0.0
        for each, its in alike:
            other = its.side != mine.side or _another(mine, its)
            if other and each.share >= least and _rules_out(mine, its, each, here):
                shown, there = claim[mine.start : mine.end], each.words[its.start : its.end]
                yield Ruled(Difference("role", shown, there, SURE), each.source, each.words)
                break


def _rules_out(mine: Borne, its: Borne, told: ToldRule, here: frozenset[WordKey]) -> bool:
    """Tell whether a statement is of what a claim speaks of, and not but for its case: "unless it is faulty"."""
    if not any(held(thing, here) >= WHOLE for thing in its.things) or held(mine.words, keys_of_text(told.words)) < HALF:
        return False
    return held(excepted(told.words), here) < HALF


def _of_one_thing(mine: Borne, its: Borne) -> bool:
    """Tell whether two have a thing in common."""
    return held(mine.words, keys_in(its.words)) > 0


def _another(mine: Borne, its: Borne) -> bool:
    """Tell whether both are of the house and two of it: the organiser and an employer."""
    if mine.side < 0 or mine.denied or its.denied or not GENERIC.isdisjoint((mine.who, its.who)):
        return False
    return keys_in(marks_of(mine.who)).isdisjoint(keys_in(marks_of(its.who)))
