"""The value of another part of one sentence: "administrators need 12 characters", where users do and they need 16.

"Passwords of users have 12 characters, those of administrators 16" gives each part a value. A claim that has all that
tells one part from the other, and the value of the other, says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.lexicon.functions import MEASURES, NUMERALS
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb
from scorers.support.contraries.limits import SPELLED
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    held,
    hits,
    keys_in,
    keys_of_text,
    marks_of,
    negations,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim is wrong that has the value of another part."""
ALIKE = 0.4
"""Share of a claim, weighted by rarity, that a sentence must hold to be looked at."""
MOST = 4
"""Parts of a sentence that is looked at: longer lists have patterns of their own."""

_EDGES = frozenset({",", ";", "and", "or", "but", "while", "whereas", "whilst"})
_ASIDE = word_set("after beyond besides except than other others further additional both each")
"""Words by which a claim names one part to speak of another: "for each dog after the first"."""


class _Part(NamedTuple):
    """A part of a sentence: its figures, and the words that are surely no verb and no measure."""

    figures: tuple[str, ...]
    unit: str
    words: tuple[RuleWord, ...]
    keys: frozenset[WordKey]


def parts(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield sentences of which a claim has what tells one part from the others, and the value of another.

    >>> rule = "Passwords of users have 12 characters, those of administrators 16."
    >>> found = parts("Passwords of administrators have 12 characters.", None, [ToldRule(0, rule, 1.0, 0)])
    >>> [(each.difference.claimed, each.difference.told) for each in found]
    [('12', '16')]
    """
    marks = marks_of(_closed(claim))
    figures = {_figure(mark) for mark in marks if _is_figure(mark)}
    if len(figures) != 1 or negations(marks) or not _ASIDE.isdisjoint(glance(claim)):
        return
    (value,) = figures
    keys = keys_in(marks)
    asked = keys | keys_of_text(question[:LONGEST]) if question else keys
    for each in told:
        if each.row:
            continue
        if each.share < ALIKE:
            return
        found = _parts(_closed(each.words))
        own = [part for part in found if value in part.figures]
        if not 1 < len(found) <= MOST or len(own) != 1:
            continue
        if other := _other(own[0], found, keys, asked):
            shown = _written(value, claim), _written(other, each.words)
            yield Ruled(Difference("entity", *shown, SURE), each.source, each.words)


def _closed(text: str) -> str:
    """Return a text with each figure as one word: 3000 for 3,000, 1500 for 15:00."""
    return _SIGN.sub("", text[:LONGEST])


_SIGN = re.compile(r"(?<=\d)[,.:](?=\d)")
_FIGURE = re.compile(r"\d(?:[\d,.:]{0,14}\d)?")


def _written(figure: str, text: str) -> str:
    """Return a figure as a text writes it."""
    return next((each for each in _FIGURE.findall(text[:LONGEST]) if _SIGN.sub("", each) == figure), figure)


def _other(own: _Part, found: Sequence[_Part], keys: frozenset[WordKey], asked: frozenset[WordKey]) -> str:
    """Return the value of the part that a claim speaks of, where that is another than the one whose value it has.

    ``asked`` are the words of the claim and of its question, which may say what it is about.
    """
    mine = _telling(own, found)
    spoken = hits(mine, asked)
    # The first part has words of all: "the limit is 3,000 for leads and 8,000 for managers"; a later one has its own.
    if spoken == len(mine) or (spoken and own is not found[0]):
        return ""
    for part in found:
        telling = _telling(part, found)
        alike = _of_one_kind(part, own) and own.figures[-1] not in part.figures
        if part is not own and alike and held(telling, keys) == 1:
            return part.figures[-1]
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
            found.append(_Part(figures, _unit(waiting), words, keys_in(waiting)))
            waiting = []
    return found


def _counts(mark: RuleWord) -> bool:
    return bool(mark.keys) and mark.text not in MEASURES and not _is_figure(mark) and not is_verb(mark.text)


def _is_figure(mark: RuleWord) -> bool:
    return mark.text[0].isdigit() or (mark.text in NUMERALS and mark.text != "one")  # "one of whom" counts nothing


def _unit(marks: Sequence[RuleWord]) -> str:
    """Return the measure behind the last figure of a part, empty where there is none."""
    at = max(place for place, mark in enumerate(marks) if _is_figure(mark))
    behind = marks[at + 1].text if at + 1 < len(marks) else ""
    return behind.rstrip("s") if behind in MEASURES else ""


def _of_one_kind(one: _Part, other: _Part) -> bool:
    """Tell whether the figures of two parts may be values of one kind: 50p and 15 are not, nor are kg and m."""
    shapes = {part.figures[-1].strip("0123456789") for part in (one, other)}
    return len(shapes) == 1 and (not one.unit or not other.unit or one.unit == other.unit)


def _figure(mark: RuleWord) -> str:
    return SPELLED.get(mark.text, mark.text)
