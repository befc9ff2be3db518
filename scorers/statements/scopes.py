"""Of how many, how often, and of whom alone a statement holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorers.statements.alignment import ClauseAlignment
from scorers.statements.base import Difference
from scorers.statements.clauses import Clause
from scorers.text.normalize import word_set

_TABLE: Mapping[tuple[str, str], float] = {
    ("ALL", "SOME"): 0.8, ("ALL", "MOST"): 0.75, ("ALL", "ONLY"): 0.85, ("SOME", "ALL"): 0.7, ("MOST", "ALL"): 0.65,
    ("ONLY", "ALL"): 0.85, ("SOME", "MOST"): 0.5, ("MOST", "SOME"): 0.6, ("ALWAYS", "SOMETIMES"): 0.7,
    ("ALWAYS", "RARELY"): 0.9, ("SOMETIMES", "ALWAYS"): 0.65, ("RARELY", "ALWAYS"): 0.9, ("SOMETIMES", "RARELY"): 0.7,
    ("RARELY", "SOMETIMES"): 0.7, ("RARELY", "ALL"): 0.8, ("ALL", "RARELY"): 0.8,
}  # fmt: skip
ADDED_ONLY = 0.45
ADDED_ALL = 0.6
JOINED = 0.65
OF_SOME = 0.8
OF_ONLY_SOME = 0.9
_EVERY = frozenset({"all", "every", "each"})
WHOLE = frozenset({"full", "whole", "entire", "complete", "total"})
"""What is all of something: "100 % refund" is "full refund"."""
ANY = frozenset({"any", "anything", "anyone", "anybody"})
RESTRICTING = word_set("above over below under beyond past from worth exceeding aged older younger BOUND")
"""Words before a figure that say for which of them something holds."""
EVERYBODY = frozenset({"everyone", "everybody", "anyone", "anybody"})


def differences(a: ClauseAlignment) -> Iterator[Difference]:
    """Yield the words of how many that differ, what "only" shuts out, and "or" for "and" among requirements."""
    answered = {pair.claim: pair.source for pair in a.pairs}
    # "It will not cost you anything" is of nothing, and "both" counts what it stands beside.
    denied = a.claim.state in ("NO", "NOTNEED")
    ours = {op: shown for op, _, shown in a.claim.scopes if not (denied and shown.lower() in ANY)}
    theirs = {op: shown for op, _, shown in a.source.scopes}
    found = (_apart(a, ours, theirs) if ours and theirs else None, _of_one(a, answered))
    strongest = max((_weighed(each) for each in found if each is not None), default=None)
    if strongest is not None and _any_one(a, strongest[1], strongest[2]):
        return
    if strongest is not None and not _of_two(a, strongest[1], strongest[2]):
        yield Difference("scope", strongest[1], strongest[2], strongest[0])
        return
    if "ONLY" in ours and "ONLY" not in theirs and not any(s.op in ("ONLYIF", "EXC") for s in a.source.segments):
        yield Difference("scope", ours["ONLY"], "", ADDED_ONLY)
    if "ALL" in ours and "ALL" not in theirs and ours["ALL"].lower() != "both":
        at = next(at for op, at, _ in a.claim.scopes if op == "ALL")
        source = answered.get(at)
        if source is not None and source > 0:
            lead = a.source.items[source - 1]
            here = a.source.items[source]
            # "May be used by guests" says nothing of which guests.
            first = source - 1 not in answered.values() and lead.segment == here.segment and here.lead != "BY"
            whole = lead.shown.lower() in WHOLE
            if first and not lead.figure and not whole and (source == 1 or a.source.items[source - 1].lead):
                yield Difference("scope", ours["ALL"], lead.shown, ADDED_ALL)
        if source is not None and (strength := _bounded(a, at, source)):
            yield Difference("scope", ours["ALL"], a.source.items[source].shown, strength)
    if ours.get("ALL", "").lower() in EVERYBODY and "ALL" not in theirs:
        used = set(answered.values())
        only = [i for i in a.source.items if i.lead in ("for", "to") and i.place not in used and not i.figure]
        if only and only[0].segment == 0:
            yield Difference("scope", ours["ALL"], only[0].shown, OF_SOME)
    yield from _joins(a, answered)


def _weighed(found: tuple[float, str, str]) -> tuple[float, str, str]:
    """Return a difference as sure as its words make it: "only some" is surely not all, as "some" may be."""
    strength, ours, theirs = found
    only_some = ours.lower().startswith("only ") and theirs.lower() in _EVERY
    return OF_ONLY_SOME if only_some else strength, ours, theirs


def _apart(a: ClauseAlignment, ours: Mapping[str, str], theirs: Mapping[str, str]) -> tuple[float, str, str] | None:
    """Return in what the words of how many differ most surely that both have somewhere."""
    found = (
        (strength, ours[one], theirs[other])
        for (one, other), strength in _TABLE.items()
        if one in ours
        and other in theirs
        and one not in theirs
        and other not in ours
        and not _in_other_parts(a, one, other)
    )
    return max(found, default=None)


def _in_other_parts(a: ClauseAlignment, one: str, other: str) -> bool:
    """Tell whether two words stand in parts of unlike kinds: "while all nodes run" beside "the only way back is"."""
    return (
        a.claim.language == "en"
        and {one, other} == {"ALL", "ONLY"}
        and not _mains(a.claim, one) & _mains(a.source, other)
    )


def _mains(clause: Clause, op: str) -> set[bool]:
    """Return whether the words behind an operator stand in the main part; both where nothing stands behind it."""
    found: set[bool] = set()
    for each, at, _ in clause.scopes:
        if each == op:
            found |= {clause.items[at].segment == 0} if at < len(clause.items) else {True, False}
    return found


def _any_one(a: ClauseAlignment, one: str, other: str) -> bool:
    """Tell whether two words leave open which one: "in one of our shops" and "in any of our shops"."""
    words = {one.lower(), other.lower()}
    stated = {a.claim.state, a.source.state} <= {"MAY", "YES"}
    return stated and bool(words & ANY) and bool(words & {"one of", "one"})


def _of_two(a: ClauseAlignment, one: str, other: str) -> bool:
    """Tell whether two words are of the same two: "either side may end it" and "it ends for both sides"."""
    joins = {word for clause in (a.claim, a.source) for word, _ in clause.joins}
    return {one.lower(), other.lower()} == {"either", "both"} and "or" not in joins


def _of_one(a: ClauseAlignment, answered: Mapping[int, int]) -> tuple[float, str, str] | None:
    """Return in what the words of how many differ that stand before one and the same word.

    "Any student may keep it for the whole year" and "only students with aid may keep it for the whole year".
    """
    ours = {(op, answered[at]) for op, at, _ in a.claim.scopes if at in answered}
    theirs = {(op, at) for op, at, _ in a.source.scopes}
    found = (
        (_TABLE.get((one, other), 0.0), shown, its)
        for one, at, shown in a.claim.scopes
        if at in answered and (one, answered[at]) not in theirs
        for other, place, its in a.source.scopes
        if place == answered[at] and (other, place) not in ours
    )
    return max((each for each in found if each[0]), default=None)


def _bounded(a: ClauseAlignment, at: int, source: int) -> float:
    """Return how surely the source restricts what the claim says of all.

    It does by a figure, as in "for orders above 50 EUR", or by what it is with: "for guests with a badge".
    """
    behind = a.source.items[source + 1 : source + 3]
    used = {pair.source for pair in a.pairs}
    if behind and behind[0].lead == "with" and used.isdisjoint(i.place for i in behind) and not a.source.scopes:
        return OF_SOME  # "members in your domains" are "members with an address in a domain"
    if not any(i.figure for i in behind) or any(i.figure for i in a.claim.items[at:]):
        return 0.0
    return OF_SOME if behind[0].shown.lower() in RESTRICTING or behind[0].lead in RESTRICTING else ADDED_ALL


def _joins(a: ClauseAlignment, answered: Mapping[int, int]) -> Iterator[Difference]:
    told = {at: word for word, at in a.source.joins if word != ","}
    both = {at for word, at in a.source.joins if word == "and"} & {at for word, at in a.source.joins if word == "or"}
    for word, at in a.claim.joins:
        if word == "," or at not in answered or at - 1 not in answered:
            continue
        there = answered[at]
        if answered[at - 1] >= there or there not in told or told[there] == word or there in both:
            continue
        segment = a.source.items[there].segment
        lead = a.source.items[there - 1].lead if there else ""
        required = (
            lead in ("with", "by", "both", "either", "ALL")
            or a.source.segments[segment].op in ("IF", "ONLYIF", "WITH", "UNLESS")
            or (a.source.state == "MUST" and at > 1)
        )
        if required:
            yield Difference("condition", word, told[there], JOINED)
