"""How surely two clauses may be compared at all: only where one says little else is a difference a contradiction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scorers.statements.alignment import ClauseAlignment
from scorers.statements.clauses import Clause, Item
from scorers.statements.words import is_verb, relation

NEARLY_ALL = 0.8
WHOLE, LEAST, HELD = 0.99, 2, 0.78
"""Share of a claim that a source holds, words in common, and how far both may be compared then whatever else it says.
"""


def gate(a: ClauseAlignment, *, reply: bool) -> float:
    """Return how far two clauses may be compared at all: only a near copy lets a difference be a contradiction."""
    if not a.pairs:
        return 0.0
    main = max(_main_used(a), _listed_used(a)) if a.covered > NEARLY_ALL else 0.0
    if reply:
        covered, used = rise(a.core, 0.3, 0.65), 0.6 + 0.4 * rise(a.used, 0.2, 0.6)
    elif normative(a.source) or normative(a.claim):
        covered, used = rise(_core(a), 0.45, 0.8), 0.55 + 0.45 * rise(a.used, 0.2, 0.6)
    else:
        covered, used = rise(_core(a), 0.6, 0.95), 0.3 + 0.7 * rise(max(a.used, main), 0.3, 0.8)
    if a.core >= WHOLE and len(a.pairs) >= LEAST and _plain(a):
        used = max(used, HELD)
    thin = 1.0 if len(a.pairs) + len(a.apart) > 1 or len(a.claim.items) <= 2 else 0.5  # noqa: PLR2004 - one word in common
    return covered * used * thin * _main(a)


def _plain(a: ClauseAlignment) -> bool:
    """Tell whether a claim states something without figure or condition, and the source without exception or list."""
    return (
        len(a.claim.segments) == 1
        and all(word != "," for word, _ in a.source.joins)
        and not any(item.figure for item in a.claim.items)
        and all(segment.op in ("MAIN", "IF", "CAUSE", "ASIDE", "BEFORE", "AFTER") for segment in a.source.segments)
        and not a.claim.scopes
    )


def _core(a: ClauseAlignment) -> float:
    """Return what a source holds of a claim, but for "bring" of "you can bring your dog" where "pets are allowed"."""
    if a.claim.language != "en" or not a.pairs or a.source.state not in ("FORBID", "MAY", "NO"):
        return a.core
    used = {pair.claim for pair in a.pairs}
    forbidden = a.source.state != "MAY" and a.claim.state not in ("FORBID", "NO") and not a.claim.denied
    aside = _for_what(a.claim.items, used) if forbidden else []
    if not any(is_verb(item.shown.lower()) and item.shown.lower() not in _GRANTING for item in a.source.items):
        aside += [item for item in a.claim.items if item.place not in used and item.shown.lower() in _BRINGING]
    if not aside:
        return a.core
    total = sum([item.weight for item in a.claim.items if item not in aside], 0.0)
    held = sum([a.claim.items[pair.claim].weight for pair in a.pairs], 0.0)
    return max(a.core, min(1.0, held / total)) if total else a.core


def _for_what(items: Sequence[Item], used: set[int]) -> list[Item]:
    """Return what is done with what a source forbids: "open it to check ...", "reply to the sender and ask ..."."""
    for at, item in enumerate(items):
        if at and item.lead in ("to", "and") and item.place not in used:
            return [] if any(each.place in used for each in items[at:]) else list(items[at:])
    return []


_BRINGING = frozenset({"bring", "have", "keep", "take", "use", "carry", "get"})
_GRANTING = frozenset({"granted", "given", "issued", "offered", "provided", "admitted", "accepted"})


def _main_used(a: ClauseAlignment) -> float:
    """Return the share of the source's main part that a claim holds, conditions aside."""
    used = {pair.source for pair in a.pairs}
    told = [item for item in a.source.items if item.segment == 0]
    total = sum([item.weight for item in told], 0.0)
    return sum([item.weight for item in told if item.place in used], 0.0) / total if total else 0.0


def _listed_used(a: ClauseAlignment) -> float:
    """Return the share of a source that a claim holds, where it names one thing of those behind a "such as"."""
    used = {pair.source for pair in a.pairs}
    told = a.source.items
    at = next((item.place for item in told if item.shown.lower() in _SUCH), len(told))
    if not any(place > at for place in used):
        return 0.0
    start = at
    while start and told[start - 1].place not in used and not is_verb(told[start - 1].shown.lower()):
        start -= 1
    total = sum([item.weight for item in told if item.place < start or item.place in used], 0.0)
    return sum([item.weight for item in told if item.place in used], 0.0) / total if total else 0.0


_SUCH = frozenset({"such as", "including", "like", "for example", "e.g"})


ELSEWHERE = 0.55
"""What a difference counts where the sources speak of something else in their main part."""


def _main(a: ClauseAlignment) -> float:
    mine = [item.place for item in a.claim.items if item.segment == 0 and item.weight == 1]
    known = {pair.claim for pair in a.pairs} | {one.place for one, _ in a.apart}
    if not mine or len(a.claim.segments) == 1 or any(at in known for at in mine):
        return 1.0
    return ELSEWHERE


def opposed(a: ClauseAlignment) -> float:
    """Return how surely two clauses say one thing but for opposites, whatever the source says before and behind it."""
    words = ((a.claim.items[pair.claim].word, a.source.items[pair.source].word) for pair in a.pairs if pair.sign < 0)
    if a.claim.language != "en" or all(relation(one, other) >= 0 for one, other in words):
        return 0.0
    return rise(a.core, 0.6, 0.95) * rise(spanned(a), 0.3, 0.8)


def denied_member(a: ClauseAlignment) -> float:
    """Return how surely a claim states of one member of a list what a source denies of all: "neither A, B nor C"."""
    edges = [0, *sorted({at for _, at in a.source.joins}), len(a.source.items)]
    if a.claim.language != "en" or len(edges) <= 2 or not a.source.denied:  # noqa: PLR2004 - no list
        return 0.0
    taken = {pair.source for pair in a.pairs} | {other.place for _, other in a.apart}
    parts = [[item for item in a.source.items[start:end] if not item.figure] for start, end in pairwise(edges)]
    first = parts[0]
    if any(item.place in taken for part in parts[1:] for item in part):
        while len(first) > 1 and first[-1].place not in taken:
            first.pop()
    kept = [part for part in parts if any(item.place in taken for item in part)]
    total = sum([item.weight for part in kept for item in part], 0.0)
    used = sum([item.weight for part in kept for item in part if item.place in taken], 0.0)
    if not total or not all(at in taken and at < edges[1] for at in a.source.denied if at < len(a.source.items)):
        return 0.0
    return rise(a.core, 0.6, 0.95) * rise(used / total, 0.3, 0.8)


def spanned(a: ClauseAlignment) -> float:
    """Return the share of a source that a claim takes, from the first to the last word that it has of each part."""
    taken = {pair.source for pair in a.pairs if not a.source.items[pair.source].figure}
    if not taken:
        return 0.0
    edges = [0, *sorted({at for _, at in a.source.joins}), len(a.source.items)]
    told = held = 0.0
    for start, end in pairwise(edges):
        inside = [at for at in taken if start <= at < end]
        if not inside:
            continue
        # Of the last of a list what stands behind it may be all that is taken: "A, B and C are excluded".
        span = [item for item in a.source.items[min(inside) : max(inside) + 1] if not item.figure]
        told += sum([item.weight for item in span], 0.0)
        held += sum([item.weight for item in span if item.place in taken], 0.0)
    return held / told if told else 0.0


def rise(value: float, low: float, high: float) -> float:
    """Return how far a value is from ``low`` to ``high``, 0 to 1.

    >>> rise(0.5, 0.25, 0.75)
    0.5
    """
    return min(1.0, max(0.0, (value - low) / (high - low)))


def normative(clause: Clause) -> bool:
    """Tell whether a clause sets a rule: by a force, an exception or an "only"."""
    return (
        clause.state not in ("YES", "NO")
        or any(segment.op in ("ONLYIF", "UNLESS", "EXC") for segment in clause.segments)
        or any(op == "ONLY" for op, _, _ in clause.scopes)
    )
