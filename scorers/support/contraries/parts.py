"""The value of another part of one sentence: "administrators need 12 characters", where users do and they need 16.

"Passwords of users have 12 characters, those of administrators 16" gives each part a value. A claim that has all that
tells one part from the other, and the value of the other, says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.lexicon.functions import MEASURES, NUMERALS
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb
from scorers.support.contraries.limits import SPELLED
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, keys_in, keys_of_text, marks_of, negations

SURE = 0.75
"""How sure it is that a claim is wrong that has the value of another part."""
ALIKE = 0.4
"""Share of a claim, weighted by rarity, that a sentence must hold to be looked at."""
MOST = 4
"""Parts of a sentence that is looked at: longer lists have patterns of their own."""

_EDGES = frozenset({",", ";", "and", "or", "but", "while", "whereas", "whilst"})


class _Part(NamedTuple):
    """A part of a sentence: its figures, and the words that are surely no verb and no measure."""

    figures: tuple[str, ...]
    words: tuple[RuleWord, ...]
    keys: frozenset[WordKey]
    shown: str


def parts(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield sentences of which a claim has what tells one part from the others, and the value of another.

    >>> rule = "Passwords of users have 12 characters, those of administrators 16."
    >>> found = parts("Passwords of administrators have 12 characters.", None, [ToldRule(0, rule, 1.0, 0)])
    >>> [(each.difference.claimed, each.difference.told) for each in found]
    [('12', '16')]
    """
    marks = marks_of(claim[:LONGEST])
    figures = {_figure(mark) for mark in marks if _is_figure(mark)}
    if len(figures) != 1 or negations(marks):
        return
    (value,) = figures
    keys = keys_in(marks)
    asked = keys | keys_of_text(question[:LONGEST]) if question else keys
    for each in told:
        if each.share < ALIKE:
            return
        found = _parts(each.words[:LONGEST])
        own = [part for part in found if value in part.figures]
        if not 1 < len(found) <= MOST or len(own) != 1 or len(own[0].figures) != 1:
            continue
        if other := _other(own[0], found, keys, asked):
            yield Ruled(Difference("entity", value, other, SURE), each.source, each.words)


def _other(own: _Part, found: Sequence[_Part], keys: frozenset[WordKey], asked: frozenset[WordKey]) -> str:
    """Return the value of the part that a claim speaks of, where that is another than the one whose value it has.

    ``asked`` are the words of the claim and of its question, which may say what it is about.
    """
    if all(not asked.isdisjoint(word.keys) for word in _telling(own, found)):
        return ""
    for part in found:
        telling = _telling(part, found)
        alike = len(part.figures) == 1 and _shape(part.figures[0]) == _shape(own.figures[0])
        if part is not own and alike and telling and all(not keys.isdisjoint(word.keys) for word in telling):
            return part.figures[0]
    return ""


def _telling(part: _Part, found: Sequence[_Part]) -> list[RuleWord]:
    """Return the words that tell a part from the others."""
    others = frozenset().union(*[each.keys for each in found if each is not part])
    return [word for word in part.words if others.isdisjoint(word.keys)]


def _parts(text: str) -> list[_Part]:
    """Return the parts of a sentence that have a value each; what has none belongs to the next that has."""
    found: list[_Part] = []
    waiting: list[RuleWord] = []
    for mark in (*marks_of(text), None):
        if mark is not None and mark.text not in _EDGES:
            waiting.append(mark)
            continue
        figures = tuple(dict.fromkeys(_figure(each) for each in waiting if _is_figure(each)))
        if figures:
            words = tuple([each for each in waiting if _counts(each)])
            found.append(_Part(figures, words, keys_in(waiting), text[waiting[0].start : waiting[-1].end]))
            waiting = []
    return found


def _counts(mark: RuleWord) -> bool:
    return bool(mark.keys) and mark.text not in MEASURES and not _is_figure(mark) and not is_verb(mark.text)


def _is_figure(mark: RuleWord) -> bool:
    return mark.text[0].isdigit() or mark.text in NUMERALS


def _shape(figure: str) -> str:
    """Return a figure without its digits: "50p" is no other value of what 15 is one of."""
    return figure.strip("0123456789.")


def _figure(mark: RuleWord) -> str:
    return SPELLED.get(mark.text, mark.text)
