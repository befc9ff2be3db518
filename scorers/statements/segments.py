"""Conditions and exceptions of two clauses: what each says where they hold and where they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod

from scorers.statements.alignment import ClauseAlignment, WordPair
from scorers.statements.base import Difference
from scorers.statements.clauses import Clause, Segment
from scorers.statements.conditions import EXCEPTIONS, ORDER, collide, holds, kind_of
from scorers.statements.forces import sign
from scorers.statements.words import root_of

ConditionFinding = tuple[Difference | None, int]
"""A difference, if any, and what it settles: 0 nothing more, 1 whether the main parts deny, 2 their force too."""


def conditions(
    a: ClauseAlignment, relative: int, elsewhere: frozenset[str] = frozenset()
) -> Iterator[ConditionFinding]:
    """Yield what is different under each condition of the source, and whether that settles the main parts too.

    ``elsewhere`` are roots of the words of other sources, which may tell of an exception that this one does not.
    """
    ours, theirs = a.claim, a.source
    if len(ours.segments) == len(theirs.segments) == 1:
        return
    by_segment: dict[tuple[int, int], list[WordPair]] = {}
    for pair in a.pairs:
        key = (ours.items[pair.claim].segment, theirs.items[pair.source].segment)
        by_segment.setdefault(key, []).append(pair)
    if (turned := _order_turned(a, by_segment)) is not None:
        yield turned, 2
    else:
        yield from _by_condition(a, relative, by_segment, elsewhere)


def _by_condition(
    a: ClauseAlignment,
    relative: int,
    by_segment: Mapping[tuple[int, int], Sequence[WordPair]],
    elsewhere: frozenset[str],
) -> Iterator[ConditionFinding]:
    ours, theirs = a.claim, a.source
    mine, its = sign(ours.state) * relative, sign(theirs.state)
    if _denied_aside(a):
        mine = -mine
    partnered = set()
    for j, segment in enumerate(theirs.segments[1:], start=1):
        size = sum(item.segment == j for item in theirs.items)
        partner = max(
            (i for i in range(1, len(ours.segments)) if (i, j) in by_segment),
            key=lambda i: len(by_segment[i, j]),
            default=None,
        )
        if segment.op in SIDE and (partner is None or ours.segments[partner].op != segment.op):
            continue
        if partner is not None:
            partnered.add(partner)
            yield from _pair_of_conditions(a, partner, j, by_segment[partner, j], (mine, its))
            continue
        named = by_segment.get((0, j), [])
        told = sum(item.segment == j and not item.figure for item in theirs.items)
        if named and len(named) * 2 >= min(told, MOST_NAMED) and segment.op in _TURNING:
            yield from _named(a, j, named, (mine, its))
            continue
        if named and segment.op in ("IF", "ONLYIF", "WITH", "AFTER") and ours.state == "MUST":
            yield None, 2
        if size and not named and segment.op not in ("WHO", "INSTEAD"):
            yield from _dropped(a, j)
    for i in range(1, len(ours.segments)):
        if i not in partnered:
            yield from _added(a, i, by_segment.get((i, 0), []), (mine, its), elsewhere)


def _denied_aside(a: ClauseAlignment) -> bool:
    """Tell whether a claim denies what it speaks of behind a "which": "it costs 5 EUR, which is waived if"."""
    if a.claim.language != "en":
        return False
    answered = {pair.claim for pair in a.pairs}
    return any(
        item.word.denies and a.claim.segments[item.segment].op == "WHO" and item.place not in answered
        for item in a.claim.items
    )


MOST_NAMED = 3
"""Words of a condition of which half must be named: of "the rare books room" more than a room."""


def _order_turned(a: ClauseAlignment, by_segment: Mapping[tuple[int, int], Sequence[WordPair]]) -> Difference | None:
    """Return that two events changed places around a "before", or that a bare "after that" became "before"."""
    for j, its in enumerate(a.source.segments[1:], start=1):
        for i, mine in enumerate(a.claim.segments[1:], start=1):
            if its.op not in ORDER or mine.op not in ORDER:
                continue
            bare = not any(item.segment == j for item in a.source.items)
            plain = all(item.figure or item.weight < 1 for item in a.claim.items if item.segment == i)
            if bare and plain and (mine.op == "AFTER") != (its.op == "AFTER"):
                return Difference("order", mine.shown, its.shown, TURNED)
            crossed = by_segment.get((0, j), ()), by_segment.get((i, 0), ())
            straight = by_segment.get((0, 0), ()), by_segment.get((i, j), ())
            if mine.op == its.op and all(crossed) and not any(straight) and a.covered > NEARLY_ALL:
                return Difference("order", mine.shown, its.shown, CROSSED)
    return None


TURNED, CROSSED = 0.75, 0.85

SIDE = ("CAUSE", "ASIDE")
"""Parts that bind nothing."""

_TURNING = ("EXC", "UNLESS", "ONLYIF", "WITHOUT", "INSTEAD")
_FREEING = (*EXCEPTIONS, "ONLYIF", "WITHOUT")


def _named(a: ClauseAlignment, j: int, named: Sequence[WordPair], signs: tuple[int, int]) -> Iterator[ConditionFinding]:
    """Yield what a claim says of a case that a condition of the source names."""
    segment, items = a.source.segments[j], a.claim.items
    words = " ".join(items[pair.claim].shown for pair in named)
    if segment.op == "EXC" and any(item.word.root in EXEMPTED and not item.segment for item in items):
        yield None, 2  # "flights of partners are an exception"
        return
    turned = prod(pair.sign for pair in named) * sign(segment.state)
    if _comes_without(a):
        signs = -signs[0], signs[1]
    if segment.op == "WITHOUT" and signs[0] == signs[1] and any(items[pair.claim].lead == "with" for pair in named):
        yield Difference("condition", f"with {words}", segment.shown, 0.7), 2
        return
    if segment.op == "WITHOUT" and turned > 0 and _needs(a, signs):
        # What may be done without it needs none: a claim that frees of it says the same, one that requires it does not.
        freed = a.claim.state == "NOTNEED"
        yield (None if freed else Difference("condition", words, segment.shown, NEEDED)), 2
        return
    told = holds(segment.op, signs[1])
    case = told[0] if turned > 0 else told[1]
    if case * signs[0] < 0:
        yield Difference(kind_of(segment.op), words, segment.shown, 0.85), 2
    elif case:
        yield None, 2


NEEDED = 0.8
"""How sure it is that what may be done without something does not require it."""


def _needs(a: ClauseAlignment, signs: tuple[int, int]) -> bool:
    """Tell whether a claim says of what a source permits that it needs something, or that it needs none."""
    return a.claim.language == "en" and signs[1] > 0 and a.claim.state in ("MUST", "NOTNEED")


def _comes_without(a: ClauseAlignment) -> bool:
    """Tell whether a claim denies what a source states by a "without": "the Light fare comes without baggage"."""
    lacking = {number for number, segment in enumerate(a.claim.segments) if segment.op == "WITHOUT"}
    return _COMES.search(a.claim.segments[0].shown.lower()) is not None and any(
        a.claim.items[pair.claim].segment in lacking for pair in a.pairs
    )


def _pair_of_conditions(
    a: ClauseAlignment, i: int, j: int, pairs: Sequence[WordPair], signs: tuple[int, int]
) -> Iterator[ConditionFinding]:
    mine, its = a.claim.segments[i], a.source.segments[j]
    turned = prod(pair.sign for pair in pairs) * sign(mine.state) * sign(its.state)
    if mine.op == its.op and turned > 0:
        return
    if (settles := _alike(a, mine, its)) is not None:
        yield None, settles
        return
    if _regardless(mine.op, signs) and its.op in ("IF", "ONLYIF", "WITH", "AFTER", "UNLESS", "EXC"):
        yield Difference("condition", mine.shown, its.shown, 0.8), 2
        return
    if mine.op == its.op and turned < 0 and mine.op not in SIDE:
        if signs[0] == signs[1]:
            yield Difference("opposite", mine.shown, its.shown, 0.75), 2
        else:
            yield None, 1
        return
    claimed = holds(mine.op, signs[0])
    told = holds(its.op, signs[1])
    if turned < 0:
        claimed = claimed[::-1]
    if collide(claimed, told):
        yield Difference(kind_of(mine.op, its.op), mine.shown, its.shown, 0.85), 2
    elif any(x * y > 0 for x, y in zip(claimed, told, strict=True)):
        yield None, 1


def _alike(a: ClauseAlignment, mine: Segment, its: Segment) -> int | None:
    """Return what two conditions settle that say the same under other operators; ``None`` where they do not."""
    if its.shown.endswith(" or") and len(a.claim.segments) > LEAST_BOUND and mine.op == "WITHOUT":
        return 2  # "without consent, only where the law requires it" is told of "only with consent or where ..."
    if mine.op == "BEFORE" and its.op in ("IF", "WITH") and _NOTICE.search(its.shown.lower()):
        return 1  # "with a month's notice to its end" is a month before it ends
    if {mine.op, its.op} == {"IF", "BEFORE"}:
        return 1  # "if you open it, first switch it off" is "switch it off before you open it"
    if mine.op == "WHO" and its.op in BINDING and a.claim.state == "MUST":
        return 2  # "requires that the customer has agreed"
    return None


LEAST_BOUND = 2
"""Segments of a claim that has no second condition beside its own."""
_NOTICE = re.compile(r"\bnotice\b")


def _regardless(op: str, signs: tuple[int, int]) -> bool:
    """Tell whether a claim holds with and without its condition."""
    return signs[0] > 0 and (op == "EVENIF" or (op == "WITHOUT" and signs[1] > 0))


def _dropped(a: ClauseAlignment, j: int) -> Iterator[ConditionFinding]:
    """Yield that a claim leaves out a condition: it tells where more is claimed than what is told."""
    segment = a.source.segments[j]
    if segment.op in EXCEPTIONS and sign(a.source.state) < 0 and a.claim.state in ("FORBID", "NO") and _never(a.claim):
        yield Difference("exception", a.claim.segments[0].shown, segment.shown, 0.85), 0
    if sign(a.claim.state) < 0 or segment.op == "EVENIF" or a.claim.state == "NOTNEED":
        return
    if segment.op == "WITHOUT" and sign(a.source.state) > 0:
        return  # "may be left without giving reasons" sets no condition
    if (segment.op in EXCEPTIONS and _IN_GENERAL.search(a.claim.segments[0].shown.lower())) or (
        segment.op == "IF" and _TOLD_BEFORE.search(segment.shown.lower())
    ):
        return
    scopes = {op for op, _, _ in a.claim.scopes}
    # "Each of you can take 14 weeks" leaves open until when.
    wide = "ALWAYS" in scopes or ("ALL" in scopes and segment.op not in ORDER)
    base = 0.85 if wide else {"ONLYIF": 0.65, "UNLESS": 0.6, "EXC": 0.6, "IF": 0.55, "WITH": 0.55}.get(segment.op, 0.35)
    if a.claim.state != "MAY" and not wide:
        base *= 0.8
    if any(s.op == segment.op for s in a.claim.segments[1:]):
        return
    yield (
        Difference(kind_of(segment.op), a.claim.segments[0].shown, segment.shown, base),
        False,
    )


_IN_GENERAL = re.compile(r"\b(?:by default|normally|usually|generally|in general|as a rule|in principle|typically)\b")
"""Words by which a claim leaves room for exceptions."""
_TOLD_BEFORE = re.compile(r"^\w{1,12} (?:\w{1,12} )?(?:this|that|so|it|they)\b(?:\W|$)(?!\w+ly\b)")
"""Words by which a condition means what was told before it."""


def _never(clause: Clause) -> bool:
    """Tell whether a clause denies for every case: "never", "under no circumstances"."""
    return _IN_NO_CASE.search(clause.segments[0].shown.lower()) is not None


_IN_NO_CASE = re.compile(
    r"\bnever\b|\bunder no (?:circumstances?|conditions?)\b|\bin no (?:case|event)\b|\bat no time\b"
)


def _added(
    a: ClauseAlignment, i: int, pairs: Sequence[WordPair], signs: tuple[int, int], elsewhere: frozenset[str]
) -> Iterator[ConditionFinding]:
    """Yield what a condition of the claim means where the source has it in its main part, or not at all."""
    segment, told = a.claim.segments[i], a.source.segments[0].shown
    own = [item for item in a.claim.items if item.segment == i]
    told_of = segment.op in EXCEPTIONS or segment.op == "WITHOUT"
    if not pairs and told_of and own and all(item.word.root in elsewhere for item in own):
        return  # "in the canteen, but not at the desk": another source tells of desks
    if pairs:
        yield from _required(a, segment, signs)
    elif segment.op in _FREEING and segment.shown:
        yield Difference(kind_of(segment.op), segment.shown, told, 0.6), 0
    elif segment.op == "IF" and a.used > NEARLY_ALL and len(a.source.segments) == 1:
        yield Difference("condition", segment.shown, told, 0.6), 0
    elif segment.op == "EVENIF":
        bound = next((each for each in a.source.segments[1:] if each.op in BINDING), None)
        if bound is not None:
            yield Difference("condition", segment.shown, bound.shown, 0.75), 0


def _required(a: ClauseAlignment, segment: Segment, signs: tuple[int, int]) -> Iterator[ConditionFinding]:
    """Yield what a condition means beside a source that requires, or frees of, what it names."""
    theirs, told = a.source.state, a.source.segments[0].shown
    if segment.op == "WITHOUT" and theirs in ("MUST", "NOTNEED"):
        if (signs[0] < 0) == (theirs == "MUST"):
            yield None, 2
        else:
            yield Difference("condition", segment.shown, told, 0.85), 2
    elif segment.op in ("ONLYIF", "IF", "AFTER", "WITH") and theirs == "MUST":
        yield None, 2
    elif segment.op in EXCEPTIONS and not _kept_apart(a, segment):
        yield (Difference(kind_of(segment.op), segment.shown, told, 0.7) if signs[0] == signs[1] else None), 2


def _kept_apart(a: ClauseAlignment, segment: Segment) -> bool:
    """Tell whether "apart from" is where something is: "stored separately from vegetables"."""
    return segment.shown.lower().startswith("apart") and any(i.word.root in APART for i in a.source.items)


EXEMPTED = frozenset(map(root_of, ("exception", "exceptions", "exempt", "excluded", "exclude")))
_COMES = re.compile(r"\b(?:comes?|coming)$")
APART = frozenset(map(root_of, ("separate", "separately", "apart", "away")))
BINDING = frozenset({"IF", "ONLYIF", "WITH", "UNLESS"})
NEARLY_ALL = 0.8
