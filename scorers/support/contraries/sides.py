"""On which side of an event a span of time lies: "60 days after they apply", where it takes 60 days' notice.

The same span on the other side of what happens is another rule, told by the figure and what is done, in whatever words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, content, held, keys_in, marks_of
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim is wrong that has a span on the other side of what happens."""
ALIKE = 0.5
"""Share of what a claim says happens that the statement must say happens, too."""

_BEFORE = re.compile(
    r"(?:'|\u2019)?\s(?:(?:of )?(?:prior |written |advance ){0,2}notice\b|in advance\b|beforehand\b|ahead\b|earlier\b"
    r"|before\b|prior to\b)"
)
_AFTER = re.compile(
    r"\s(?:later\b|afterwards\b|after\b|following\b|(?:from|of) (?=receipt|receiving|the date|[a-z]{2,15}ing\b))"
)
_HINTS = word_set("notice advance beforehand ahead earlier before prior later afterwards after following within from")
_ENDS = frozenset(",;:.!?()\u2014") | {"and", "but", "which", "while", "if", "unless"}
_ANNOUNCED = word_set(
    "notice notify notified notifying announced announcement announcing informed inform informing told tell telling"
    " given giving give cancel cancelled cancelling cancellation request requested requesting terminate terminated"
)
"""What a notice is: "it ends 14 days after you cancel" says that it takes 14 days' notice."""
_TIMED = frozenset({"time", "working time"})


class SpanSide(NamedTuple):
    """A span of time: -1 before something and 1 after it, what happens then, what it is counted from, its words."""

    side: int
    span: Quantity
    main: tuple[RuleWord, ...]
    anchor: tuple[RuleWord, ...]
    shown: str


def sides(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield statements that have a span of a claim on the other side of what happens.

    >>> told = [ToldRule(0, "We may raise prices with 60 days' notice.", 1.0, 0)]
    >>> [each.difference.told for each in sides("Raised prices are announced 60 days after they apply.", told)]
    ["60 days' notice"]
    """
    ours = sides_of(claim)
    known = [(each, its) for each in told for its in sides_of(each.words)] if ours else []
    for mine in ours:
        alike = [(each, its) for each, its in known if _of_one(mine, its)]
        if any(its.side == mine.side for _, its in alike):
            continue
        for each, its in alike:
            yield Ruled(Difference("order", mine.shown, its.shown, SURE), each.source, each.words)
            break


def _of_one(mine: SpanSide, its: SpanSide) -> bool:
    """Tell whether two spans are of one length, and what happens is the same."""
    if not same_kind(mine.span, its.span) or not same_value(mine.span, its.span):
        return False
    if mine.side != its.side and not _ANNOUNCED.isdisjoint(m.text for m in (*mine.anchor, *its.anchor)):
        return False
    main, anchor = keys_in(its.main), keys_in(its.anchor)
    share = held(mine.main, main)
    return share >= ALIKE and share > held(mine.main, anchor)


@cached_by_text(cost=10)
def sides_of(text: str) -> tuple[SpanSide, ...]:
    """Return the spans of time of a text that lie before or after something."""
    if _HINTS.isdisjoint(glance(text)):
        return ()
    return tuple(_sides(text[:LONGEST]))


def _sides(text: str) -> Iterator[SpanSide]:
    lower = text.lower()
    for span in quantities_in(text, "en"):
        if span.dimension not in _TIMED:
            continue
        before, after = _BEFORE.match(lower, span.end), _AFTER.match(lower, span.end)
        found = before or after
        if found is None:
            continue
        marks = marks_of(text)
        main = [mark for mark in marks if mark.end <= span.start]
        cut = next((at for at in range(len(main) - 1, -1, -1) if main[at].text in _ENDS), -1)
        behind = [mark for mark in marks if mark.start >= found.end()]
        end = next((at for at, mark in enumerate(behind) if mark.text in _ENDS), len(behind))
        shown = text[span.start : found.end()].strip()
        yield SpanSide(-1 if before else 1, span, content(main[cut + 1 :]), content(behind[:end]), shown)
