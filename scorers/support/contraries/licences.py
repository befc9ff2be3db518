"""What a clause of a rule licenses: a claim that says more than the rule, but turns round what the rule says.

"Interns do not accrue vacation" rules out "you accrue one day of vacation a month, and holidays are paid as well",
though the claim has many words of its own: what counts is that the claim has what the rule denies, all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.clauses import FIGURE_WEIGHT, Clause, Force, Item, read_clauses
from scorers.statements.judging import BOUNDING
from scorers.statements.operators import may_deny
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST, WordKey, keys_of
from scorers.statements.words import is_verb
from scorers.support.contraries.reading import Ruled, ToldRule
from scorers.support.seasons import months_in
from scorers.text.glance import glance
from scorers.text.normalize import MONTHS, behind_particle, word_set

SURE = 0.75
"""How sure it is that a claim is wrong that turns round what a rule says."""
CORE = 0.99
"""Share of what a clause of a rule says of its subject that a claim must have."""
WHOLE = 0.75
"""The same of a clause that says all by its force: "an extension is not possible"."""
SPOKEN = 0.5
"""Share of the subject of a rule that a claim or its question must have, where the claim does not speak of "you"."""
OWN = 0.5
"""Share of the clause of a claim that the statement or the question must have."""
CASE = 0.5
"""Share of a condition of the rule that a claim or its question must have for its case to be the same."""
LEAST = 2
"""Words with content of the rule that a claim and its question must have together, one of them the claim itself."""
MOST_CLAUSES = 8
"""Clauses of a claim and of a statement that are read."""

_AFFIRMS: frozenset[Force] = frozenset({"YES", "MAY", "MUST", "SHOULD"})
_DENIES: frozenset[Force] = frozenset({"NO", "FORBID"})
_GRANTS: frozenset[Force] = frozenset({"YES", "MAY", "SHOULD"})
"""What is turned round by what denies alone."""
_FREES: frozenset[Force] = frozenset({"NOTNEED"})
_TURNS: Mapping[Force, frozenset[Force]] = {
    "YES": _DENIES,
    "MAY": _DENIES,
    "SHOULD": _DENIES,
    "MUST": _DENIES | _FREES | {"SHOULD"},
    "NO": _AFFIRMS,
    "FORBID": _AFFIRMS,
    "NOTNEED": frozenset({"MUST"}),
    "SHOULDNOT": frozenset(),
}
"""The forces of a rule that each of a claim turns round."""
_FORCE_LEADS = frozenset({"MAY", "MUST", "NEED", "SHOULD", "NEG", "FORBID", "NOTNEED", "SHOULDNOT"})
_BE = word_set("is are was were be been being am")
_HELPING = word_set("will would have has had get gets give gives take takes make makes does do did")
_LIGHT = word_set(
    "do does make take get go keep have be use way left right back out off up same such full just already yet"
    " please yes no sure new also only even still anything something following instead beyond past"
)
_HEADING = re.compile(r":\W{0,3}$|^(?:how|what|when|where|who|why)\b", re.IGNORECASE)
_CLEFT = re.compile(
    r"\b(?:it is|it's|that is|that's) (?P<who>(?:the|an?|your|our) [\w' -]{3,60}?) (?:that|who|which)\b"
)
"""What only points: "it's the chair who signs"."""
_POINTING = frozenset({"that", "who", "which"})
_UNCOUNTED = _LIGHT | frozenset(MONTHS)
_HEDGED = re.compile(
    r"(?:\bnot|\bnever|n't|\bcannot)\s(?:\w{1,15}\s){0,3}(?:too|very|always|necessarily|directly|only|just|all|every"
    r"|entirely|fully|completely|both|alone)\b"
)
"""Denials of a degree: "does not vary too much" denies no varying."""
_HEDGING = frozenset({"EXC", "UNLESS", "ONLYIF", "EVENIF"})
"""Parts of a clause that turn what it says round for some cases."""
_LOOSE_SEGMENTS = frozenset({"MAIN", "ASIDE", "CAUSE"})
"""Parts of a clause that restrict nothing."""


class _Licence(NamedTuple):
    """A clause: its state, and what its words are found by.

    ``subject`` are those before its verb, ``core`` those from the verb on, ``cases`` those of each restricting part,
    ``lacking`` those of what it speaks of without; ``figures`` are what it counts, ``every`` all keys, ``shown`` its
    words as told to a reader.
    """

    state: Force
    subject: tuple[frozenset[WordKey], ...]
    core: tuple[frozenset[WordKey], ...]
    cases: tuple[tuple[frozenset[WordKey], ...], ...]
    lacking: frozenset[WordKey]
    figures: frozenset[str]
    months: frozenset[int]
    every: frozenset[WordKey]
    exact: bool
    denies: frozenset[str]
    denied: frozenset[WordKey] | None
    shown: str


def licences(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield clauses of a claim that turn round what a clause of a statement says.

    >>> told = [ToldRule(0, "Interns do not accrue vacation, but public holidays are paid.", 1.0, 0)]
    >>> found = list(licences("Interns accrue one day of vacation a month, and public holidays are paid.", None, told))
    >>> [each.difference.kind for each in found]
    ['polarity']
    """
    states = _states(claim)
    if not states:
        return
    known = [each for each in told if not _HEADING.search(each.words)]
    denying = [each for each in known if may_deny(each.words)]
    if not denying and states <= _GRANTS:
        return
    # Most statements turn nothing round by their force alone; only of the others words are looked up.
    turning = {state: _against(state, denying if state in _GRANTS else known) for state in states}
    if not any(turning.values()):
        return
    asked = _asked(question[:LONGEST]) if question else frozenset()
    for mine in _licences(claim):
        found = _turned(mine, asked, turning[mine.state], known)
        if found is not None:
            yield found


def _against(state: Force, told: Sequence[ToldRule]) -> list[ToldRule]:
    """Return the statements a clause of which turns round what a clause of some force says."""
    return [each for each in told if not _TURNS[state].isdisjoint(_states(each.words))]


def _turned(
    mine: _Licence, asked: frozenset[WordKey], against: Sequence[ToldRule], known: Sequence[ToldRule]
) -> Ruled | None:
    """Return what one of the statements ``against`` says otherwise, unless one of those ``known`` says it too."""
    for each in against:
        clauses = _licences(each.words)
        for its in clauses:
            kind = _clash(mine, its)
            if kind is None or not _speaks_of(mine, its, asked):
                continue
            if _OF_OTHERS.match(its.shown) and not _OTHERS.search(mine.shown):
                continue
            every = frozenset([key for clause in clauses for key in clause.every])
            if (
                (_own(mine, every | asked) or _named(mine, its, known))
                and _same_case(mine, its, asked)
                and not _on_both_sides(mine.shown, its.shown)
                and not _told_so(mine, its, asked, known)
            ):
                return Ruled(Difference(kind, mine.shown, its.shown, SURE), each.source, each.words)
    return None


def _on_both_sides(claim: str, told: str) -> bool:
    """Tell whether one speaks of what is within a bound, the other of what is beyond it."""
    theirs = quantities_in(told, "en")
    return any(
        (one.bound, other.bound) in _BEYOND and same_kind(one, other) and same_value(one, other)
        for one in quantities_in(claim, "en")
        for other in theirs
    )


_BEYOND = {(">", "<="), ("<=", ">"), ("<", ">="), (">=", "<")}


_OF_OTHERS = re.compile(r"(?:all |any |every )?others?\b", re.IGNORECASE)
_OTHERS = re.compile(r"\bothers?\b", re.IGNORECASE)


def _named(mine: _Licence, its: _Licence, known: Sequence[ToldRule]) -> bool:
    """Tell whether a claim names the whole subject of a rule, and the other words of the claim stand in other rules."""
    if len(its.subject) < LEAST or not its.core or not all(not mine.every.isdisjoint(keys) for keys in its.subject):
        return False
    every = frozenset([key for each in known for clause in _licences(each.words) for key in clause.every])
    return _own(mine, every)


def _told_so(
    mine: _Licence,
    against: _Licence,
    asked: frozenset[WordKey],
    known: Sequence[ToldRule],
) -> bool:
    """Tell whether another clause says what a claim says, of as much as the one that speaks against it."""
    needed = [keys for keys in (against.core or against.subject) if not mine.every.isdisjoint(keys)]
    for each in known:
        for its in _licences(each.words):
            if _side(its.state) != _side(mine.state) or its.state == "SHOULD" != mine.state:
                continue
            if mine.figures and mine.figures <= its.figures and all(not its.every.isdisjoint(keys) for keys in needed):
                return True
            whole = all(not mine.every.isdisjoint(keys) for keys in against.subject)
            if whole and not all(not (mine.every | asked).isdisjoint(keys) for keys in its.subject):
                continue  # what is told of flexible tickets is not told of a saver ticket
            if all(not its.every.isdisjoint(keys) for keys in needed) and _speaks_of(mine, its, asked):
                return True
    return False


def _side(state: Force) -> int:
    return 1 if state in _AFFIRMS else -1 if state in _DENIES else 0


def _clash(mine: _Licence, its: _Licence) -> DifferenceKind | None:
    """Return in what two clauses differ that speak of one thing; ``None`` where both may hold."""
    one, other = mine.state, its.state
    if other not in _TURNS[one] or not mine.exact or not its.exact or mine.denies != its.denies:
        return None
    if mine.denied is not None and (its.every.isdisjoint(mine.denied) or _in_case(its, mine.denied)):
        return None
    if its.denied is not None and (mine.every.isdisjoint(its.denied) or _in_case(mine, its.denied)):
        return None
    if _HEDGED.search(mine.shown) or _HEDGED.search(its.shown):
        return None
    polar = (one in _AFFIRMS and other in _DENIES) or (one in _DENIES and other in _AFFIRMS)
    return "polarity" if polar else "modality"


def _in_case(clause: _Licence, denied: frozenset[WordKey]) -> bool:
    """Tell whether a word that another clause denies stands in a condition of this one: "without a fine"."""
    return any(not keys.isdisjoint(denied) for case in clause.cases for keys in case)


def _speaks_of(mine: _Licence, its: _Licence, asked: frozenset[WordKey]) -> bool:
    """Tell whether a clause of a claim has what a clause of a rule says of its subject, and of whom."""
    here = mine.every | asked
    held = [not mine.every.isdisjoint(keys) for keys in its.core]
    if its.core:
        if not any(held) or sum(held) < CORE * len(held):
            return False
        subject = [not here.isdisjoint(keys) for keys in its.subject]
        if its.subject and sum(subject) < SPOKEN * len(subject):
            return False
        return sum(held) + sum(subject) >= LEAST
    words = [not here.isdisjoint(keys) for keys in its.subject]
    own = [not mine.every.isdisjoint(keys) for keys in its.subject]
    shared = bool(its.figures) and its.figures <= mine.figures
    return len(words) + shared >= LEAST and any(own) and sum(words) >= WHOLE * len(words)


def _own(mine: _Licence, there: frozenset[WordKey]) -> bool:
    """Tell whether a rule and the question have enough of a clause of a claim for both to speak of one thing."""
    words = [*mine.subject, *mine.core]
    held = sum([not there.isdisjoint(keys) for keys in words], 0)
    return held >= OWN * len(words)


def _same_case(mine: _Licence, its: _Licence, asked: frozenset[WordKey]) -> bool:
    """Tell whether what a rule says goes for the case of a claim: its conditions are the claim's, its figures too."""
    here = mine.every | asked
    if any(not its.lacking.isdisjoint(keys) for keys in (*mine.subject, *mine.core)):
        return False  # "takes approval" is no case of "without approval"
    for case in its.cases:
        if sum([not here.isdisjoint(keys) for keys in case], 0) < CASE * len(case):
            return False
    if its.cases and any(its.every.isdisjoint(keys) for case in mine.cases for keys in case):
        return False  # "if the company misses its targets" is the other case of "if it has reached them"
    if its.months and not mine.months <= its.months:
        return False
    if not its.figures <= mine.figures:
        return False
    # A condition that a claim adds frees nothing that a rule denies altogether.
    return not mine.cases or len(mine.cases) <= len(its.cases) or its.state in _DENIES


@cached_by_text(cost=2)
def _states(text: str) -> frozenset[Force]:
    """Return the forces of the clauses of a text."""
    return frozenset([clause.state for clause in _clauses(text)])


def _clauses(text: str) -> tuple[Clause, ...]:
    pointing = not _POINTING.isdisjoint(glance(text))
    text = text[behind_particle(text) : LONGEST]
    clauses = read_clauses(_CLEFT.sub(r"\g<who> ", text) if pointing else text)
    return tuple([clause for clause in clauses[:MOST_CLAUSES] if clause.items])


@cached_by_text(cost=66)
def _licences(text: str) -> tuple[_Licence, ...]:
    found = map(_licence, _clauses(text))
    # "The fee is not" leaves out what it denies.
    return tuple(each for each in found if each.core or each.state not in ("YES", "NO"))


@cached_by_text(cost=20)
def _asked(question: str) -> frozenset[WordKey]:
    return frozenset([key for one in read_clauses(question) for item in one.items for key in keys_of(item.word)])


def _licence(clause: Clause) -> _Licence:
    clause_text = " ".join(f"{item.lead} {item.shown}" for item in clause.items)
    main = [item for item in clause.items if item.segment == 0 and _counts(item)]
    pivot = _pivot(main)
    cases = []
    for number, segment in enumerate(clause.segments):
        if number and segment.op not in _LOOSE_SEGMENTS:
            case = tuple(frozenset(keys_of(i.word)) for i in clause.items if i.segment == number and _counts(i))
            if case:
                cases.append(case)
    scopes = {op for op, _, _ in clause.scopes}
    denied = next((clause.items[at] for at in clause.denied if at < len(clause.items)), None)
    bounded = any(item.shown.lower() in BOUNDING for item in main)
    hedged = bounded or any(segment.op in _HEDGING for segment in clause.segments)
    return _Licence(
        clause.state,
        tuple(frozenset(keys_of(item.word)) for item in main[:pivot]),
        tuple(frozenset(keys_of(item.word)) for item in main[pivot:]),
        tuple(cases),
        frozenset(key for item in clause.items if _without(clause, item) for key in keys_of(item.word)),
        frozenset(item.shown for item in clause.items if item.figure),
        months_in(clause_text),
        frozenset([key for item in clause.items for key in keys_of(item.word)]),
        scopes.isdisjoint({"ONLY", "SOME", "MOST", "SOMETIMES", "RARELY"}) and not hedged,
        frozenset(item.word.root for item in main if _denies(item)),
        None if denied is None else frozenset(keys_of(denied.word)),
        clause.segments[0].shown,
    )


def _without(clause: Clause, item: Item) -> bool:
    return _counts(item) and clause.segments[item.segment].op == "WITHOUT"


def _denies(item: Item) -> bool:
    """Tell whether a word denies; "refunded free of charge" denies no refund."""
    return item.sign < 0 or (item.word.denies and not item.shown.lower().startswith("free"))


def _counts(item: Item) -> bool:
    return not item.figure and item.weight > FIGURE_WEIGHT and item.shown.lower() not in _UNCOUNTED


def _pivot(items: Sequence[Item]) -> int:
    """Return where what is said of a subject begins; the number of words where a force says all of it."""
    for at, item in enumerate(items):
        if item.lead in _FORCE_LEADS or item.lead in _BE or item.lead in _HELPING:
            return at
    for at, item in enumerate(items):
        if at and is_verb(item.shown.lower()):
            return at
    return len(items)
