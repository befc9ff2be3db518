"""What a statement sets against something else: "paid in time off, not in money" and not the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, content, held, keys_in, marks_of
from scorers.text.normalize import behind_particle

SURE = 0.85
"""How sure it is that a claim is wrong that states what is denied, and denies what is stated."""
LONGEST = 400
LAST = 4
"""Words with content before a "not" among which what it is set against stands."""

_AGAINST = re.compile(
    r"(?:,|\band)\s(?:not|never)\s(?:(?:to|by|in|from|with|at|on|for|as|through|via)\s)?(?P<denied>[^,;:.]{2,60}?)(?=[.,;:]|$)",
    re.IGNORECASE,
)


class _Contrast(NamedTuple):
    """What is stated in front of a "not", what is denied behind it, and both as they are written."""

    stated: tuple[RuleWord, ...]
    denied: tuple[RuleWord, ...]
    shown: str


def contrasts(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statements that set the other way round what a claim sets against each other.

    >>> told = [ToldRule(0, "Trainees report to the head, not to the HR team.", 1.0, 0)]
    >>> [each.difference.claimed for each in contrasts("Trainees report to the HR team, not to the head.", told)]
    [', not to the head']
    """
    yield from _ranks(claim, told)
    mine = _contrast(claim[behind_particle(claim) :])
    if mine is None:
        return
    for each in told:
        its = _contrast(each.words)
        if its is None:
            continue
        stated, denied = keys_in(its.stated), keys_in(its.denied)
        crossed = held(mine.denied, stated) == 1 == held(its.denied, keys_in(mine.stated))
        if crossed and held(mine.denied, denied) < 1:
            yield Ruled(Difference("role", mine.shown, its.shown, SURE), each.source, each.words)


_RANKS = re.compile(
    r"(?P<first>[^,;:.]{2,60}?)\s(?:ha(?:s|ve)|takes?|gets?|receives?|(?:is|are) given) (?:a )?"
    r"(?:priority|precedence|preference) over (?P<last>[^,;:.]{2,60})",
    re.IGNORECASE,
)


_OVER = re.compile(r"\bover\b", re.IGNORECASE)


def _ranks(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statements that put first what a claim puts last: groups over single users."""
    # Looked for at every letter, the whole takes twenty times as long as its one fixed word.
    mine = _RANKS.search(claim[:LONGEST]) if _OVER.search(claim, 0, LONGEST) is not None else None
    if mine is None:
        return
    first, last = content(marks_of(mine["first"])), content(marks_of(mine["last"]))
    for each in told:
        its = _RANKS.search(each.words[:LONGEST])
        if its is None or not first or not last:
            continue
        ahead, behind = keys_in(marks_of(its["first"])), keys_in(marks_of(its["last"]))
        if held(first, behind) == 1 == held(last, ahead) and (held(first, ahead) < 1 or held(last, behind) < 1):
            yield Ruled(Difference("role", mine["first"].strip(), its["first"].strip(), SURE), each.source, each.words)


def _contrast(text: str) -> _Contrast | None:
    found = _AGAINST.search(text[:LONGEST])
    if found is None:
        return None
    stated, denied = (content(marks_of(part)) for part in (text[: found.start()], found["denied"]))
    return _Contrast(tuple(stated[-LAST:]), tuple(denied), found.group()) if stated and denied else None
