"""What comes first: a claim that has after something what a rule has before it, or two steps in the other order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.ties import WordKey
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, held, hits, keys_in, marks_of
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim in the other order is wrong."""
ALIKE, ANCHORED = 0.6, 0.6
"""Shares of what a claim says happens, and of that before or after which it does, that the statement must have."""
_LONGEST_ANCHOR = 6
_ENDS = frozenset(",;:.!?()\u2014") | {"but", "and", "who", "which", "while"}
_ORDER: Mapping[str, int] = {
    "before": -1, "prior": -1, "until": -1, "till": -1, "ahead": -1, "after": 1, "once": 1, "following": 1, "since": 1,
    "from": 1, "upon": 1, "beyond": 1,
}  # fmt: skip
_AS_SOON = ("as", "soon", "as")
_TURNING = word_set("not never n't don't doesn't cannot can't won't isn't aren't no free without waived exempt")
_STARTING = word_set("start started starts starting begin began beginning begins open opening")
_FINISHING = word_set("finish finished finishing end ended ending complete completed completing done over")

_TIMES = word_set("on onwards onward day week month year term semester first second third fourth fifth sixth seventh")
"""Words behind a "from" that begins a time."""


class _Event(NamedTuple):
    """What happens, on which side of what: -1 before it, 1 after it; and the words that say so."""

    main: tuple[RuleWord, ...]
    anchor: tuple[RuleWord, ...]
    side: int
    shown: str


def sequences(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield what a claim has on the other side of something than a statement.

    >>> told = [ToldRule(0, "Users sign the log before starting a run.", 1.0, 0)]
    >>> [each.difference.told for each in sequences("Users sign the log after starting a run.", told)]
    ['before starting a run']
    """
    if _ORDERING.isdisjoint(glance(claim)):
        return
    events = list(_events(claim))
    steps = list(_steps(claim))
    if not events and not steps:
        return
    ordering = [each for each in _joined(told) if not _ORDERING.isdisjoint(glance(each.words))]
    known = [(each, list(_events(each.words)), list(_steps(each.words))) for each in ordering]
    turned = [found for found in (_turned(event, known) for event in events) if found is not None]
    yield from turned
    if turned:
        return  # the order of its steps is said already
    for first, then in steps:
        pairs = [(each, _crossing(first, then, one, two)) for each, _, its in known for one, two in its]
        if not any(crossing < 0 for _, crossing in pairs):
            shown = " ".join(mark.text for mark in first[:3])
            for each, crossing in pairs:
                if crossing > 0:
                    yield Ruled(Difference("order", f"first {shown}", "then", SURE), each.source, each.words)


def _joined(told: Sequence[ToldRule]) -> Iterator[ToldRule]:
    """Yield statements, and two that follow one another of which the second tells what comes then."""
    yield from told
    for one in told:
        for other in told:
            if other.source == one.source and other.at == one.at + 1 and _goes_on(other.words):
                yield ToldRule(one.source, f"{one.words.rstrip(' .')}; {other.words}", one.share, one.at)


def _goes_on(words: str) -> bool:
    if _ORDERING.isdisjoint(glance(words)):
        return False
    marks = marks_of(words)[:_OPENING]
    return any(
        mark.text in _THEN or (mark.text in _LATER and at + 1 < len(marks) and marks[at + 1].text in _AFTER_THAT)
        for at, mark in enumerate(marks)
    )


_OPENING = 8
"""Marks at the beginning of a statement in which it tells that it comes after the one before."""


def _turned(event: _Event, known: Sequence[tuple[ToldRule, list[_Event], object]]) -> Ruled | None:
    against: Ruled | None = None
    for each, its, _ in known:
        for other in its:
            main, anchor = keys_in(other.main), keys_in(other.anchor)
            if held(event.anchor, anchor) < ANCHORED:
                continue
            light = _LIGHT.issuperset(m.text for m in event.main)
            if held(event.main, main) < ALIKE and not (light and _one(event, other)):
                continue
            if other.side == event.side:
                return None
            if against is None:
                against = Ruled(Difference("order", event.shown, other.shown, SURE), each.source, each.words)
    return against


def _one(event: _Event, other: _Event) -> bool:
    """Tell whether two things happen before or after one and the same: of two words or more, or of the one there is."""
    told = keys_in(other.anchor)
    return hits(event.anchor, told) > 1 or held(event.anchor, told) == 1 == held(other.anchor, keys_in(event.anchor))


_LIGHT = word_set("get gets take takes go goes come comes start starts begin begins enter happen happens do does use")
"""Words that say of what happens no more than that it does: "you get in before ..."."""


def _events(text: str) -> Iterator[_Event]:
    marks = marks_of(text)
    for at, mark in enumerate(marks):
        side = _ORDER.get(mark.text, 0)
        start = at + 1
        if mark.text == "as" and tuple([m.text for m in marks[at : at + 3]]) == _AS_SOON:
            side, start = 1, at + 3
        if _orders_nothing(marks, at, text):
            continue
        if not side or (mark.text == "from" and _TIMES.isdisjoint(m.text for m in marks[start : start + 4])):
            continue
        end = start
        while end < len(marks) and marks[end].text not in _ENDS and end - start < _LONGEST_ANCHOR:
            end += 1
        anchor = [m for m in marks[start:end] if m.keys and m.text not in _STARTING and m.text not in _FINISHING]
        first = _begin(marks, at)
        turned = _denies(marks[_begin(marks, at, _WHERE) : at])
        if mark.text in ("until", "till", "before") and turned:
            side = 1
        elif turned:
            continue
        main = _main(marks, first, at, end)
        # "You get in before ...": what happens has no words of its own.
        if anchor and (main or first < at):
            shown = text[mark.start : marks[end - 1].end]
            yield _Event(tuple(main), tuple(anchor), side, shown)


def _main(marks: Sequence[RuleWord], first: int, at: int, end: int) -> list[RuleWord]:
    """Return what happens: what stands before the order, before its comma, or behind what it is counted from."""
    main = [m for m in marks[first:at] if m.keys]
    if not main and first and marks[first - 1].text == ",":
        main = [m for m in marks[_begin(marks, first - 1) : first - 1] if m.keys]
    if not main:
        last = next((k for k in range(end + 1, len(marks)) if marks[k].text in _ENDS), len(marks))
        main = [m for m in marks[end:last] if m.keys]
    return main


_WHOM = word_set("them him her us you me it")


def _orders_nothing(marks: Sequence[RuleWord], at: int, text: str) -> bool:
    """Tell whether a word is of no order: "needs the prior consent", "order from them", "the Retry-After header"."""
    start, end = marks[at].start, marks[at].end
    if "-" in (text[start - 1 : start], text[end : end + 1]):
        return True
    behind = marks[at + 1].text if at + 1 < len(marks) else ""
    return (marks[at].text == "prior" and behind != "to") or (marks[at].text == "from" and behind in _WHOM)


def _denies(marks: Sequence[RuleWord]) -> bool:
    """Tell whether words deny: "no later than" only bounds."""
    nexts = [*(mark.text for mark in marks[1:]), ""]
    return any(mark.text in _TURNING and then not in _COMPARED for mark, then in zip(marks, nexts, strict=False))


_COMPARED = word_set("later earlier less more fewer longer shorter sooner")


def _begin(marks: Sequence[RuleWord], at: int, ends: frozenset[str] = _ENDS) -> int:
    first = at
    while first and marks[first - 1].text not in ends:
        first -= 1
    return first


_WHERE = _ENDS | {"where", "if", "when", "unless", "that"}
"""What a denial before it does not reach beyond: nothing is paid where it "was announced before the purchase"."""


_Words = tuple[RuleWord, ...]
_THEN = word_set("then afterwards afterward subsequently thereafter later next")
_AFTER_THAT = word_set("that this which it doing")
_LATER, _EARLIER = word_set("after once following upon"), word_set("before prior preceding")
_FOLLOWS, _PRECEDES = word_set("follow follows followed"), word_set("precede precedes preceded")
_ORDERING = frozenset({*_ORDER, "soon", *_THEN, *_LATER, *_EARLIER, *_FOLLOWS, *_PRECEDES})
"""Words without one of which nothing is told to come before or after anything."""
_TURNED = word_set("not never no n't don't doesn't cannot can't won't isn't aren't without unless or")
_LONGEST_STEP = 14


def _steps(text: str) -> Iterator[tuple[_Words, _Words]]:
    """Yield what comes first and what comes then: of "before" and "after", "first", "then" and "afterwards"."""
    marks = marks_of(text)
    for at, mark in enumerate(marks):
        behind = marks[at + 1].text if at + 1 < len(marks) else ""
        if _orders_nothing(marks, at, text) or behind[:1].isdigit():
            continue  # "after 60 days" names no step
        if mark.text in _LATER and behind in _AFTER_THAT and not _clauses_after(marks, at + 2):
            yield from _ordered(marks[:at], marks[at + 2 :])
        elif mark.text in _THEN and at and not _names_time(marks, at):
            # "Refunds are sent later" has no second step, but "is sent; the parcel is checked later" has.
            end = next((k for k in range(at + 1, len(marks)) if marks[k].text in _SIGNS), len(marks))
            rest = marks[at + 1 : end] if mark.text in _PUT_AHEAD else ()
            cut = next((k for k in range(at - 1, 0, -1) if marks[k].text in _CUTS), 0)
            if cut:
                yield from _ordered(marks[:cut], (*marks[cut:at], *rest))
        elif mark.text in _LATER or mark.text in _EARLIER or mark.text in _FOLLOWS or mark.text in _PRECEDES:
            one, other = _around(marks, at)
            late = mark.text in _LATER or mark.text in _FOLLOWS
            yield from _ordered(other, one) if late else _ordered(one, other)


_PUT_AHEAD = word_set("then afterwards afterward subsequently thereafter next")
_SIGNS = frozenset(";.:")
_CUTS = _SIGNS | {","} | {"and", "those", "only"}


def _names_time(marks: Sequence[RuleWord], at: int) -> bool:
    """Tell whether "then" or "next" is a time and no step: "until then", "the next window"."""
    return marks[at - 1].text in (_UP_TO if marks[at].text == "then" else _WHICH)


_UP_TO, _WHICH = word_set("until till by since before from"), word_set("the a your its their our each every this")


def _clauses_after(marks: Sequence[RuleWord], start: int) -> bool:
    """Tell whether "after this" has a noun behind it: "after this date"."""
    return start < len(marks) and bool(marks[start].keys) and marks[start - 1].text != "which"


def _around(marks: Sequence[RuleWord], at: int) -> tuple[Sequence[RuleWord], Sequence[RuleWord]]:
    """Return what is said beside "before" or the like, and what stands behind it."""
    end = next((k for k in range(at + 1, len(marks)) if marks[k].text in _CUTS and marks[k].text != "and"), len(marks))
    first = next((k + 1 for k in range(at - 1, -1, -1) if marks[k].text in _ENDS and marks[k].text != ","), 0)
    main = marks[first:at]
    return main if any(mark.keys for mark in main) else marks[end:], marks[at + 1 : end]


def _ordered(first: Sequence[RuleWord], then: Sequence[RuleWord]) -> Iterator[tuple[_Words, _Words]]:
    first, then = first[-_LONGEST_STEP:], then[:_LONGEST_STEP]
    one = tuple(mark for mark in first if mark.keys)
    other = tuple(mark for mark in then if mark.keys)
    if one and other and not any(mark.text in _TURNED for mark in (*first, *then)):
        yield one, other


def _crossing(first: _Words, then: _Words, one: _Words, two: _Words) -> int:
    """Return 1 where what comes first is what comes then and the other way round, -1 where the order is the same.

    Words count that stand on one side alone, and the subject of both may stand on either.
    """
    mine, its = keys_in(first) & keys_in(then), keys_in(one) & keys_in(two)
    ahead = [m for m in first if mine.isdisjoint(m.keys)]
    behind = [m for m in then if mine.isdisjoint(m.keys)]
    early, late = keys_in(one) - its, keys_in(two) - its
    to_late, to_early = _hits(ahead, late), _hits(behind, early)
    subject = len(ahead) > 1 and not set(ahead[0].keys).isdisjoint(one[0].keys)
    kept, stays = _hits(ahead[subject:], early), _hits(behind, late)
    clearly = to_late + to_early > CLEARLY * (kept + stays)
    # A step all of whose words stand in the other step as well is in no place of its own.
    if (
        clearly
        and to_late
        and to_early
        and to_late >= THIRD * (len(ahead) - subject)
        and to_early >= THIRD * len(behind)
    ):
        return 1
    return -1 if kept and stays and kept + stays > to_late + to_early else 0


THIRD = 1 / 3
"""Share of the words of either step of a claim that must stand on the other side."""
CLEARLY = 1.5
"""How many times as many words of a claim must stand on the other side as on the same one: its subject stays there."""


def _hits(words: Sequence[RuleWord], there: frozenset[WordKey]) -> int:
    return sum([not there.isdisjoint(mark.keys) for mark in words], 0)
