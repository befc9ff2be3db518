"""Whether two clauses say the same or the opposite, told by how many of their words turn it round.

"Bikes from an unlocked room are not covered" denies once and has the opposite of a word of "bikes from a locked room
are covered". Two turns undo each other, and one leaves the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from scorers.statements.judging import BOUNDING
from scorers.statements.words import relation, word_of
from scorers.support.contraries.lexicon import CONTRARY
from scorers.support.contraries.reading import (
    NEGATING,
    RuleClause,
    RuleWord,
    clauses_in,
    content,
    keys_in,
    marks_of,
)
from scorers.text.normalize import word_set

TURNING = NEGATING | word_set(
    "unless except forbid forbids declined decline declines ban bans lacks lacking unable too exempt exempted"
    " excused free suspended waived impossible unavailable alone unaccompanied unattended"
)
"""Words that deny, or that turn a condition round: "not unless" is "if"."""
_LIGHT = word_set(
    "get gets got receive receives have has having there away old age aged distance address worth value amount take"
    " takes come comes make makes give gives given go goes way case cases time long much many later earlier need needs"
    " needed must require requires required allowed possible permitted row consecutive off along"
)
"""Words of a claim that a rule need not have: of what is told they say nothing."""


CONDITIONED = re.compile(r"\b(?:even|matter|regardless|whether|unless|except|irrespective)\b", re.IGNORECASE)
"""What a claim waives or turns round: more than a word that denies."""


class ClauseParity(NamedTuple):
    """A clause laid beside a claim.

    ``share`` is that of the claim's words with content which the clause has or has the opposite of, ``common`` their
    number; ``opposed`` are those of which it has the opposite. ``even`` tells that both say the same, as far as what
    turns them round goes.
    """

    clause: RuleClause
    share: float
    common: int
    opposed: tuple[RuleWord, ...]
    even: bool


def turns(marks: Sequence[RuleWord]) -> int:
    """Return how many words of a clause deny it or turn its condition round.

    >>> [turns(clauses_in(text)[0].marks) for text in ("Nobody may enter unless invited.", "Members may enter.")]
    [2, 0]
    """
    return sum([mark.text in TURNING and (mark.text != "too" or _too(marks, at)) for at, mark in enumerate(marks)], 0)


def _too(marks: Sequence[RuleWord], at: int) -> bool:
    """Tell whether "too" is more than "as well": "too late"."""
    return at + 1 < len(marks) and marks[at + 1].text.isalpha()


def named_in(claim: Sequence[RuleWord]) -> list[RuleWord]:
    """Return the words of a claim that a rule must have for both to speak of one thing."""
    turning = TURNING - {"free"}
    return [word for word in content(claim) if word.text not in _LIGHT and word.text not in turning]


def compared(claim: Sequence[RuleWord], text: str) -> ClauseParity | None:
    """Return the clause of a text that has most of the words of a claim, compared with it; ``None`` where none has any.

    >>> from scorers.support.contraries.reading import marks_of
    >>> found = compared(marks_of("Bikes in an unlocked room are not covered."), "Bikes in a locked room are covered.")
    >>> found is not None and found.even, [word.text for word in found.opposed]
    (True, ['unlocked'])
    """
    named = named_in(claim)
    mine = turns(claim)
    best: ClauseParity | None = None
    for clause in _clauses(text) if named else ():
        held, opposed = _held(named, clause)
        if held:
            turned = mine + turns(clause.marks) + len(opposed)
            found = ClauseParity(clause, held / len(named), held, opposed, turned % 2 == 0)
            if best is None or (found.share, found.common) > (best.share, best.common):
                best = found
    return best


def _clauses(text: str) -> tuple[RuleClause, ...]:
    """Return the clauses of a text, and behind them all of it where none of them denies."""
    clauses = clauses_in(text)
    if len(clauses) < 2 or any(turns(clause.marks) for clause in clauses):  # noqa: PLR2004 - one is all of it
        return clauses
    marks = marks_of(text)
    return (*clauses, RuleClause(marks, content(marks), keys_in(marks), 0))


def _held(named: Sequence[RuleWord], clause: RuleClause) -> tuple[int, tuple[RuleWord, ...]]:
    """Return how many words a clause has or has the opposite of, and those of which it has the opposite."""
    held = 0
    opposed: list[RuleWord] = []
    texts = {other.text for other in clause.marks}
    mine = {word.text for word in named}
    others = [other for other in clause.named if other.text not in mine]
    for word in named:
        against = [] if word.text in texts else [other for other in others if _opposite(word, other)]
        if against or not clause.keys.isdisjoint(word.keys):
            held += 1
        if against and TURNING.isdisjoint([word.text, *(other.text for other in against)]):
            opposed.append(word)  # what denies by itself is counted as that
    return held, tuple(opposed)


def _opposite(one: RuleWord, other: RuleWord) -> bool:
    """Tell whether two words are opposites, of which none only bounds a figure or a time."""
    if one.text in BOUNDING or other.text in BOUNDING:
        return False
    return other.text in CONTRARY.get(one.text, ()) or relation(word_of(one.text), word_of(other.text)) == -1
