"""What comes first: a claim that has after something what a rule has before it, or two steps in the other order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, held, keys_in, marks_of
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
_TURNING = word_set("not never n't don't doesn't cannot can't won't isn't aren't no")
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
    events = list(_events(claim))
    steps = list(_steps(claim))
    if not events and not steps:
        return
    known = [(each, list(_events(each.words)), list(_steps(each.words))) for each in told]
    for event in events:
        found = _turned(event, known)
        if found is not None:
            yield found
    for first, then in steps:
        for each, _, its in known:
            for one, two in its:
                if _crossed(first, then, one, two):
                    shown = " ".join(mark.text for mark in first[:3])
                    yield Ruled(Difference("order", f"first {shown}", "then", SURE), each.source, each.words)


def _turned(event: _Event, known: Sequence[tuple[ToldRule, list[_Event], object]]) -> Ruled | None:
    against: Ruled | None = None
    for each, its, _ in known:
        for other in its:
            main, anchor = keys_in(other.main), keys_in(other.anchor)
            if held(event.main, main) < ALIKE or held(event.anchor, anchor) < ANCHORED:
                continue
            if other.side == event.side:
                return None
            if against is None:
                against = Ruled(Difference("order", event.shown, other.shown, SURE), each.source, each.words)
    return against


def _events(text: str) -> Iterator[_Event]:
    marks = marks_of(text)
    for at, mark in enumerate(marks):
        side = _ORDER.get(mark.text, 0)
        start = at + 1
        if tuple(m.text for m in marks[at : at + 3]) == _AS_SOON:
            side, start = 1, at + 3
        if not side or (mark.text == "from" and _TIMES.isdisjoint(m.text for m in marks[start : start + 4])):
            continue
        end = start
        while end < len(marks) and marks[end].text not in _ENDS and end - start < _LONGEST_ANCHOR:
            end += 1
        anchor = [m for m in marks[start:end] if m.keys and m.text not in _STARTING and m.text not in _FINISHING]
        first = _begin(marks, at)
        turned = any(m.text in _TURNING for m in marks[first:at])
        if mark.text in ("until", "till", "before") and turned:
            side = 1
        elif turned:
            continue
        main = [m for m in marks[first:at] if m.keys]
        if not main:
            last = next((k for k in range(end + 1, len(marks)) if marks[k].text in _ENDS), len(marks))
            main = [m for m in marks[end:last] if m.keys]
        if anchor and main:
            shown = text[mark.start : marks[end - 1].end]
            yield _Event(tuple(main), tuple(anchor), side, shown)


def _begin(marks: Sequence[RuleWord], at: int) -> int:
    first = at
    while first and marks[first - 1].text not in _ENDS:
        first -= 1
    return first


_THEN = word_set("then afterwards subsequently thereafter later")


def _steps(text: str) -> Iterator[tuple[tuple[RuleWord, ...], tuple[RuleWord, ...]]]:
    """Yield what comes first and what comes then."""
    marks = marks_of(text)
    if not any(mark.text == "first" for mark in marks):
        return
    for at, mark in enumerate(marks):
        if mark.text in _THEN and 1 < at < len(marks) - 1:
            first = tuple(m for m in marks[max(0, at - 12) : at] if m.keys)
            then = tuple(m for m in marks[at + 1 : at + 13] if m.keys)
            if first and then:
                yield first, then


def _crossed(
    first: Sequence[RuleWord], then: Sequence[RuleWord], one: Sequence[RuleWord], two: Sequence[RuleWord]
) -> bool:
    """Tell whether what comes first is what comes then, and the other way round, by words of one side alone."""
    mine, its = keys_in(first) & keys_in(then), keys_in(one) & keys_in(two)
    ahead = [m for m in first if mine.isdisjoint(m.keys)]
    behind = [m for m in then if mine.isdisjoint(m.keys)]
    early, late = keys_in(one) - its, keys_in(two) - its
    crossed = any(not late.isdisjoint(m.keys) for m in ahead) and any(not early.isdisjoint(m.keys) for m in behind)
    straight = any(not early.isdisjoint(m.keys) for m in ahead) or any(not late.isdisjoint(m.keys) for m in behind)
    return crossed and not straight
