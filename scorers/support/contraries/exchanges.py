"""Two that changed places: "the lead proposes the days, and you approve them", where you propose and the lead approves.

A claim gives each of two an act, and one sentence gives each the act of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.contraries.actors import named_in
from scorers.support.contraries.reading import Ruled, ToldRule, keys_in, marks_of
from scorers.text.normalize import word_set

SURE = 0.8
"""How sure it is that a claim is wrong that has two change places."""
MOST = 6
"""Parts of a sentence that are looked at."""

_READERS = word_set(
    "you employee employees staff user users customer customers member members tenant tenants patient patients student"
    " students passenger passengers guest guests visitor visitors applicant applicants client clients traveller"
    " travellers resident residents pupil pupils parent parents colleague colleagues participant participants"
)
"""Whom a claim calls "you", and whom rules do."""
_PART = re.compile(
    r"[,;:](?=\s)|\b(?:and|but|while|whereas|which|who|after|before|then|once|as soon as|when|until)\b", re.IGNORECASE
)
_YOU: frozenset[WordKey] = frozenset(["~you"])


class _Act(NamedTuple):
    """Who acts in a part of a sentence, and what else its words are found by."""

    who: frozenset[WordKey]
    shown: str
    does: frozenset[WordKey]


def exchanges(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield sentences in which two have the acts that a claim gives to the other of them.

    >>> told = [ToldRule(0, "The days are proposed by the employee and approved by the team lead.", 1.0, 0)]
    >>> [each.difference.told for each in exchanges("Your team lead proposes the days, and you approve them.", told)]
    ['employee']
    """
    mine = _acts(claim[:LONGEST])
    if len(mine) < 2:  # noqa: PLR2004 - two that change places
        return
    for each in told:
        its = _acts(each.words[:LONGEST])
        for one, other in permutations(mine, 2):
            for first, second in permutations(its, 2):
                if _is_of(one, other) or _is_of(first, second) or not (_is_of(one, second) and _is_of(other, first)):
                    continue
                if _does(one, first, second) and _does(other, second, first):
                    yield Ruled(Difference("role", one.shown, first.shown, SURE), each.source, each.words)
                    return


def _is_of(one: _Act, other: _Act) -> bool:
    return one.who <= other.who or other.who <= one.who


def _does(one: _Act, this: _Act, that: _Act) -> bool:
    """Tell whether an act is that of one part and not of another."""
    shared = this.does & that.does
    return not (one.does & this.does) <= shared and (one.does & that.does) <= shared


@cached_by_text(cost=12)
def _acts(text: str) -> tuple[_Act, ...]:
    """Return the acts of a text whose parts name one actor each."""
    found: list[_Act] = []
    for part in [each for each in _PART.split(text) if each.strip()][:MOST]:
        marks = marks_of(part)
        named = named_in(part)
        readers = [mark for mark in marks if mark.text in _READERS]
        who = [(actor.keys, actor.shown, actor.marks) for actor in named]
        who += [(_YOU, mark.text, (mark,)) for mark in readers[:1]]
        if len(who) != 1:
            continue
        keys, shown, own = who[0]
        does = keys_in([mark for mark in marks if mark not in own and mark not in readers])
        if does:
            found.append(_Act(keys, shown, does))
    return tuple(found)
