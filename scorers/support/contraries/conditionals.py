"""Conditions that a claim turns round or waives: "even if there is damage", where a rule says "unless there is damage".

What counts is the condition that both speak of; what else a claim says may be more, or stand in its question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.clauses import FIGURE_WEIGHT, Clause, Item, read_clauses
from scorers.statements.conditions import collide, holds, kind_of
from scorers.statements.forces import sign
from scorers.statements.ties import LONGEST, WordKey, keys_of
from scorers.support.contraries.reading import Ruled, ToldRule
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.75
"""How sure it is that a claim is wrong that turns a condition round."""
CASE = 0.5
"""Share of the condition of a claim that that of the rule must have, or the other way round where that is shorter."""
MAIN = 0.5
"""Share of what a rule says under its condition that a claim or its question must have."""
MOST_CLAUSES = 6

_SETTING = frozenset({"IF", "ONLYIF", "UNLESS", "EXC", "EVENIF", "WITH"})
"""Operators that set a condition."""
_NO_MATTER = re.compile(
    r"(?:^|[,;.]\s|\band\s|\bbut\s)(?P<what>[\w' -]{3,60}?)\s(?:makes? no difference"
    r"|(?:does not|doesn't|do not|don't) matter|(?:is|are) (?:irrelevant|immaterial)|plays? no (?:role|part))\b",
    re.IGNORECASE,
)
_MATTERING = word_set("difference matter irrelevant immaterial role part")
"""Words without one of which that waives nothing."""


class ConditionalRule(NamedTuple):
    """A condition: its operator, its words and whether it denies them, and what is said under it: words and sign."""

    op: str
    case: tuple[Item, ...]
    denied: bool
    main: tuple[Item, ...]
    side: int
    shown: str
    figures: frozenset[str] = frozenset()


def conditionals(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield conditions of statements that a claim turns round or waives.

    >>> told = [ToldRule(0, "Taxis are paid only if no bus is running late at night.", 1.0, 0)]
    >>> [each.difference.kind for each in conditionals("A taxi is paid whether or not a bus is running.", None, told)]
    ['condition']
    """
    ours = conditionals_in(claim)
    if not ours:
        return
    known = [(each, conditionals_in(each.words)) for each in told]
    if not any(clauses for _, clauses in known):
        return
    asked = (
        item_keys([item for one in read_clauses(question[:LONGEST]) for item in one.items]) if question else frozenset()
    )
    here = item_keys([item for one in read_clauses(claim[:LONGEST])[:MOST_CLAUSES] for item in one.items]) | asked
    for mine in ours:
        same = any(_one_rule(mine, its) and mine.denied == its.denied for _, clauses in known for its in clauses)
        for each, clauses in known:
            for its in clauses:
                if not same and _one_rule(mine, its) and mine.denied != its.denied and share_of(its.main, here) >= MAIN:
                    yield Ruled(Difference("condition", mine.shown, its.shown, SURE), each.source, each.words)
                elif (
                    _turned(mine, its)
                    and _one_case(mine, its)
                    and not _of_two_outcomes(mine, its)
                    and share_of(its.main, here) >= MAIN
                    and not (mine.op == "IF" and any(_same(other, its) for other in ours))
                ):
                    kind = kind_of(mine.op, its.op)
                    yield Ruled(Difference(kind, mine.shown, its.shown, SURE), each.source, each.words)


def _one_rule(mine: ConditionalRule, its: ConditionalRule) -> bool:
    """Tell whether two conditions say the same but for a "not": "if the flat is clean", "if the flat is not clean"."""
    if mine.op != its.op or mine.op not in ("IF", "ONLYIF") or mine.side != its.side:
        return False
    return share_of(mine.case, item_keys(its.case)) == share_of(its.case, item_keys(mine.case)) == 1


def _same(mine: ConditionalRule, its: ConditionalRule) -> bool:
    """Tell whether a claim has a condition, in words of its own."""
    return (
        mine.op == its.op
        and mine.side == its.side
        and mine.denied == its.denied
        and share_of(mine.case, item_keys(its.case)) > 0
    )


def _turned(mine: ConditionalRule, its: ConditionalRule) -> bool:
    """Tell whether two conditions cannot both hold."""
    waived = mine.op == "EVENIF"
    told = "ONLYIF" if waived and its.op in ("IF", "WITH") and its.side > 0 else its.op
    if its.op in ("EVENIF", mine.op) or (not waived and mine.denied != its.denied):
        return False
    if mine.shown.lower().startswith("even"):
        # "Even if it is raining" waives "if it is not raining", and goes with "if it is raining".
        excepted = its.op in ("UNLESS", "EXC")
        if (mine.denied == its.denied) != excepted:
            return False
    return collide(holds(mine.op, mine.side), holds(told, its.side))


def _of_two_outcomes(mine: ConditionalRule, its: ConditionalRule) -> bool:
    """Tell whether each has a value of its own: deleted after six months unless you agree, kept for two years if so."""
    return bool(mine.figures) and bool(its.figures) and mine.figures.isdisjoint(its.figures)


def _one_case(mine: ConditionalRule, its: ConditionalRule) -> bool:
    """Tell whether two conditions speak of one thing."""
    small, large = sorted((mine.case, its.case), key=len)
    held = share_of(small, item_keys(large))
    if len(small) == 1:
        return held == 1 and len(large) <= ALONE
    return held >= (CASE if mine.op == "EVENIF" else NEARLY)


ALONE, NEARLY = 3, 0.75
"""Words of a condition that one word of another may stand for; the share that any other must have."""


def share_of(words: Sequence[Item], there: frozenset[WordKey]) -> float:
    """Return the share of words that a text has, or a word for each; 0 of none."""
    return sum([not there.isdisjoint(keys_of(item.word)) for item in words], 0) / len(words) if words else 0.0


def item_keys(items: Sequence[Item]) -> frozenset[WordKey]:
    """Return what words are found by."""
    return frozenset([key for item in items for key in keys_of(item.word)])


@cached_by_text(cost=25)
def conditionals_in(text: str) -> tuple[ConditionalRule, ...]:
    """Return the conditions that a text sets, each with what it says under it."""
    text = text[behind_particle(text) : LONGEST]
    found = [each for clause in read_clauses(text)[:MOST_CLAUSES] for each in _read(clause)]
    for waived in _NO_MATTER.finditer(text) if not _MATTERING.isdisjoint(glance(text)) else ():
        words = [item for clause in read_clauses(waived["what"]) for item in clause.items]
        case = tuple(item for item in words if _counts(item))
        if case:
            found.append(
                ConditionalRule("EVENIF", case, denied=False, main=(), side=1, shown=waived.group().strip(" ,;."))
            )
    return tuple(found)


def _read(clause: Clause) -> Iterator[ConditionalRule]:
    main = tuple(item for item in clause.items if not item.segment and _counts(item))
    figures = frozenset(item.shown.lower() for item in clause.items if item.figure and not item.segment)
    for number, segment in enumerate(clause.segments):
        if number and segment.op in _SETTING:
            case = tuple(item for item in clause.items if item.segment == number and _counts(item))
            if case:
                denied = sign(segment.state) < 0
                yield ConditionalRule(segment.op, case, denied, main, sign(clause.state), segment.shown, figures)


def _counts(item: Item) -> bool:
    return not item.figure and item.weight > FIGURE_WEIGHT
