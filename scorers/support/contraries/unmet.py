"""A condition that the asker says is not met: "I have no receipt. Can I return it?" "Yes, you can return it".

Rules say under which condition they hold. Where the question says that it is not so, or that the case is the one which
the rule excepts, a claim that states the rule without its condition decides the case wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.clauses import Clause, read_clauses
from scorers.statements.forces import sign
from scorers.statements.ties import LONGEST, WordKey, keys_of
from scorers.statements.words import is_verb
from scorers.support.contraries.conditionals import ConditionalRule, conditionals_in, item_keys, share_of
from scorers.support.contraries.reading import Ruled, ToldRule, keys_of_text
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.8
"""How sure it is that a claim is wrong that states what holds under a condition which the asker does not meet."""
SAID = 0.5
"""Share of a condition that the question must speak of."""
MAIN = 0.5
"""Share of what holds under it that a claim must state."""
MOST = 8
"""Clauses of a question that are read."""

_SENTENCE = re.compile(r"[^.?!;\n]{2,400}[.?!;\n]?")
_HEDGES = word_set("if unless provided providing only once when whenever assuming except until without otherwise")
"""Words with which a claim says itself that it depends."""
_FACT = re.compile(r"\b(?:i|we|my|our|mine|he|she|his|her|they|their|it|the|a|an|no|nobody|there)\b", re.IGNORECASE)
_SUPPOSED = re.compile(r"\W{0,4}(?:if|what if|suppose|supposing|unless|when|in case)\b", re.IGNORECASE)


class _Fact(NamedTuple):
    """What a question says is so, or is not: what its words are found by."""

    keys: frozenset[WordKey]
    denied: bool
    shown: str


def unmet(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the conditions of statements that the question denies and a claim leaves out.

    >>> told = [ToldRule(0, "Theft is covered only if it was reported to the police.", 1.0, 0)]
    >>> asked = "I never reported it to the police. Is the theft covered?"
    >>> [each.difference.told for each in unmet("Yes, theft is covered.", asked, told)]
    ['only if it was reported to the police']
    """
    if question is None or not told or not _HEDGES.isdisjoint(glance(claim.lower())):
        return
    facts = _facts(question)
    if not facts:
        return
    stated = read_clauses(claim[behind_particle(claim) : LONGEST])[:MOST]
    for each in told:
        for rule in conditionals_in(each.words):
            fact = next((fact for fact in facts if _against(fact, rule)), None)
            if fact is None or not any(_states(clause, rule, each) for clause in stated):
                continue
            if not _told_of_the_case(rule, each, told):
                yield Ruled(Difference("condition", fact.shown, rule.shown, SURE), each.source, each.words)


def unmet_so(claim: str, question: str | None, told: str) -> bool:
    """Tell whether a claim denies of a case what a rule says under a condition that it does not meet.

    The case is the asker's, or what the claim says itself before it concludes: "as yours is faulty, postage is free".

    >>> told = "Theft is covered only if it was reported to the police."
    >>> unmet_so("No, the theft is not covered.", "I never reported it to the police. Is the theft covered?", told)
    True
    """
    facts = [] if question is None else _facts(question)
    concludes = _CONCLUDES.search(claim[:LONGEST])
    if concludes is not None:
        facts += _facts(claim[behind_particle(claim) : concludes.start()])
    stated = read_clauses(claim[behind_particle(claim) : LONGEST])[:MOST] if facts else ()
    return any(
        any(_against(fact, one) for fact in facts for one in _alternatives(rule))
        and any(
            sign(clause.state) == -rule.side and share_of(rule.main, item_keys(clause.items)) >= MAIN
            for clause in stated
        )
        for rule in (conditionals_in(told) if facts else ())
    )


def _facts(question: str) -> list[_Fact]:
    """Return what a question says of its case before it asks."""
    found: list[_Fact] = []
    for sentence in _SENTENCE.findall(question[:LONGEST]):
        if sentence.endswith("?") or _SUPPOSED.match(sentence) or _FACT.search(sentence) is None:
            continue
        found += [
            _Fact(item_keys(clause.items), sign(clause.state) < 0, clause.segments[0].shown)
            for clause in read_clauses(sentence)[:MOST]
            if clause.items
        ]
    return found[:MOST]


def _against(fact: _Fact, rule: ConditionalRule) -> bool:
    """Tell whether a case is not the one for which a rule holds."""
    excepts = rule.op in ("UNLESS", "EXC")
    if rule.op not in ("IF", "ONLYIF", "WITH") and not excepts:
        return False
    if (fact.denied != rule.denied) == excepts:
        return False
    told = [item for item in rule.case if not fact.keys.isdisjoint(keys_of(item.word))]
    # A noun of the condition at least: "did not go" says nothing of what "went" would be a condition of.
    return len(told) >= SAID * len(rule.case) and any(not is_verb(item.shown.lower()) for item in told)


_CONCLUDES = re.compile(r"\b(?:so|therefore|hence|which means|meaning|in that case|in this case)\b", re.IGNORECASE)
"""What stands between what a claim says of a case and what follows for it."""


def _alternatives(rule: ConditionalRule) -> list[ConditionalRule]:
    """Return a rule once for each condition of which one is enough: "unless it is faulty or we sent the wrong one"."""
    cases = (
        tuple(item for item in rule.case if item.shown.lower() in glance(part))
        for part in rule.shown.lower().split(" or ")
    )
    return [rule, *(rule._replace(case=case) for case in cases if case)]


def _states(clause: Clause, rule: ConditionalRule, told: ToldRule) -> bool:
    """Tell whether a clause states what holds under a condition, and nothing of the condition."""
    keys = item_keys(clause.items)
    if sign(clause.state) != rule.side or len(clause.segments) > 1:
        return False
    roots = {item.word.root for item in clause.items}
    named = sum([item.word.root in roots for item in rule.case], 0)
    if named >= SAID * len(rule.case) or share_of(rule.main, keys) < MAIN:
        return False
    figures = [item.shown.lower() for item in clause.items if item.figure]
    return all(figure in told.words.lower() for figure in figures)


def _told_of_the_case(rule: ConditionalRule, own: ToldRule, told: Sequence[ToldRule]) -> bool:
    """Tell whether another statement says the same of the case that a rule leaves out."""
    main = item_keys(rule.main)
    return any(
        each.words != own.words
        and share_of(rule.case, keys_of_text(each.words)) >= SAID
        and not main.isdisjoint(keys_of_text(each.words))
        for each in told
    )
