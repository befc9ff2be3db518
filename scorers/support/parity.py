"""Whether two clauses say the same or the opposite, told by how many of their words turn it round.

"Bikes from an unlocked room are not covered" denies once and has the opposite of a word of "bikes from a locked room
are covered". Two turns undo each other, and one leaves the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from scorers.statements.clauses import read_clauses
from scorers.statements.forces import sign
from scorers.statements.judging import BOUNDING
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import relation, word_of
from scorers.support.contraries.lexicon import CONTRARY
from scorers.support.contraries.reading import (
    NEGATING,
    RuleClause,
    RuleWord,
    clauses_in,
    content,
    hits,
    keys_in,
    keys_of_text,
    marks_of,
)
from scorers.text.normalize import behind_particle, word_set

TURNING = NEGATING | word_set(
    "unless except forbid forbids declined decline declines ban bans lacks lacking unable too exempt exempted"
    " excused free suspended waived impossible unavailable alone unaccompanied unattended"
)
"""Words that deny, or that turn a condition round: "not unless" is "if"."""
_LIGHT = word_set(
    "get gets got receive receives have has having there away old age aged distance address worth value amount take"
    " takes come comes make makes give gives given go goes way case cases time long much many later earlier need needs"
    " needed must require requires required allowed accepted possible permitted row consecutive off along"
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
    too = {behind.start for mark, behind in pairwise(claim) if mark.text == "too"}  # "too late", of what is out of time
    named = (word for word in content(claim) if word.text not in _LIGHT and word.start not in too)
    return [word for word in named if word.text not in turning]


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


def turned_twice(claim: str, told: str, *, of_force: bool) -> bool:
    """Tell whether two turns undo each other: no cover for an unlocked room, where a locked one is covered.

    ``of_force``: what differs is what is required and what permitted, of which a claim that permits or forbids may
    say the same, and one that requires does not.
    """
    stated = claim[behind_particle(claim) :]
    marks = marks_of(stated)
    if len({sign(clause.state) for clause in read_clauses(stated)}) > 1:
        return False  # it affirms of one and denies of another: "cats are allowed, but dogs aren't"
    if (
        CONDITIONED.search(stated)
        or _IF.search(stated)
        or (_SET_AGAINST.search(stated) and _SET_AGAINST.search(told))
        or _BUT_NOT.search(stated)
        or (of_force and (DUTY.search(stated) or DUTY.search(told)))
    ):
        return False
    found = compared(marks, _but_lacking(told[behind_particle(told) : LONGEST], keys_in(marks)))
    if found is None or not found.even or not found.common > 1:
        return False
    its = found.clause.marks
    excepted = next((at for at, mark in enumerate(its) if mark.text in _EXCEPTING), len(its))
    if any(mark.text == "free" for mark in (*marks, *its)):
        return False  # what it frees of is told elsewhere
    ended = len(its)
    if excepted < len(its) and its[excepted].text == "except":
        ended = next((at for at, mark in enumerate(its) if at > excepted and mark.text in _FINITE), len(its))
    if excepted < len(its) and not hits(named_in(marks), keys_in(its[excepted:ended])):
        return False  # "never" leaves out the exception
    return found.share >= ALIKE and bool(turns(marks)) and (bool(found.opposed) or found.share == 1)


def _but_lacking(told: str, named: frozenset[WordKey]) -> str:
    """Return a text without what it says is lacking and a claim says nothing of: "closed without a reply"."""
    return _LACKING.sub(lambda found: found.group() if not named.isdisjoint(keys_of_text(found["what"])) else " ", told)


_LACKING = re.compile(r"\bwithout (?:an? |any )?(?P<what>[a-z]{2,20})\b", re.IGNORECASE)
_EXCEPTING = frozenset({"unless", "except"})
_FINITE = word_set("can may must is are will should cannot has have does do")
"""Words behind which an exception that stands in front of a verb has ended."""
_BUT_NOT = re.compile(r"\bbut (?:not|never|cannot) (?:be )?[a-z]{2,15}(?:ed|en|t)\b")
"""What denies one thing that is done beside another: "passed on but not copied"."""
_SET_AGAINST = re.compile(r",\s(?:not|never)\s")
_IF = re.compile(r"\bif\b", re.IGNORECASE)
DUTY = re.compile(
    r"\b(?:must|have to|has to|need to|needs to|required|mandatory|compulsory|obligatory|obliged|necessary)\b",
    re.IGNORECASE,
)
ALIKE = 0.75
"""Share of what a claim says that a clause must have to be its other form."""
