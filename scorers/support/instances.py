"""Cases of a claim whose kind a rule bounds: an age beside "children under 12 need an adult" is no invention.

What a claim says of it must be what the rule asks for inside its bound, or be denied of a case outside.
"""

from __future__ import annotations

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.bounded import BoundedRule, falls_into, rules_of
from scorers.support.contraries.reading import RuleWord, held, hits, keys_in, keys_of_text, marks_of, nouns
from scorers.support.described import is_aged
from scorers.support.parity import compared, named_in, turns
from scorers.text.normalize import behind_particle

MOST_CASES = 4
"""Figures of a claim that are taken for cases."""
HELD = 0.5
"""Share of what a rule asks for behind its bound that a claim must have."""


def instances(a: Alignment) -> tuple[Quantity, ...]:
    """Return the ages of a claim that only tell its case, where a rule bounds ages and the claim keeps to it."""
    words = a.claim.sentence.words[:LONGEST]
    if "old" not in words:
        return ()
    stated = words[behind_particle(words) :]
    cases = [each for each in quantities_in(stated, "en") if each.bound == "=" and is_aged(each, stated)][:MOST_CASES]
    marks = marks_of(stated) if cases else ()
    return tuple(
        case for case in cases if any(_kept(case, rule, _beside(case, marks)) for rule in rules_of(a, case, stated))
    )


def _beside(case: Quantity, marks: tuple[RuleWord, ...]) -> tuple[RuleWord, ...]:
    """Return the words of a claim beside its case."""
    return tuple(mark for mark in marks if not case.start <= mark.start < case.end and mark.text != "old")


def _kept(case: Quantity, rule: BoundedRule, marks: tuple[RuleWord, ...]) -> bool:
    """Tell whether a claim says of its case what a rule asks for inside a bound, or denies it outside."""
    found = compared(marks, rule.beside)
    if not falls_into(case, rule):
        denied = turns(marks) % 2 == 1 and hits(named_in(marks), keys_of_text(rule.words)) > 0
        return denied and (found is None or not found.even)
    asked = nouns(named_in(marks_of(rule.words[rule.bound.end :])))
    if not asked:
        return found is not None and found.even and found.share >= HELD
    return held(asked, keys_in(marks)) >= HELD
