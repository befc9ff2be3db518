"""What a statement says of another subject: "forklifts go first at crossings", where pedestrians do.

The claim's own subject stands in a statement that says the like of it, with something else in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.lexicon.functions import NUMERALS
from scorers.statements.parallels import is_finite
from scorers.statements.ties import WordKey
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    clauses_of,
    content,
    held,
    hits,
    keys_in,
    marks_of,
    negations,
)
from scorers.text.normalize import word_set

SURE = 0.76
"""How sure it is that a claim is wrong that says of one subject what is said of another."""
LEAST = 3
"""Words and figures that what is said of both must have."""
ALIKE = 0.4
"""Share of what is said that the statement of a claim's own subject must have."""
MOST_WORDS = 3
"""Words of a subject."""

_OPEN = word_set(
    "all every any each both everyone anyone everybody anybody nobody only also too if when unless who which that it"
    " they he she we you i this these those there other others except"
    " without"
)
"""Words by which a clause speaks of more than one, of what another names, or of a case."""


class _Said(NamedTuple):
    """A clause as its subject and what it says of that."""

    who: tuple[RuleWord, ...]
    said: tuple[RuleWord, ...]
    keys: frozenset[WordKey]
    figures: frozenset[str]


def subjects(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statement that says of another subject what a claim says of its own.

    >>> rules = "Lost badges are reported to the desk.", "Thefts are reported to the guards at the north gate."
    >>> told = [ToldRule(0, words, 1.0, at) for at, words in enumerate(rules)]
    >>> found = subjects("Lost badges are reported to the guards at the north gate.", told)
    >>> [each.difference.told for each in found]
    ['thefts']
    """
    clauses = _clauses(claim)
    mine = clauses[0][1] if len(clauses) == 1 else None
    if mine is None or hits(mine.said, mine.keys) + len(mine.figures) < LEAST:
        return
    own = False
    other: Ruled | None = None
    who = keys_in(mine.who)
    for each in told:
        for part, its in _clauses(each.words):
            if its is None:
                if mine.figures <= _figures(part) and held(mine.said, keys_in(part)) >= ALIKE:
                    return  # whoever it is said of
                continue
            if held(mine.who, keys_in(its.who)) == 1:
                same = held(mine.said, its.keys)
                if same == 1 and mine.figures <= its.figures:
                    return
                alike = same >= ALIKE or hits(mine.said[:1], its.keys) > 0
                own = own or (alike and _says_more(part, its, mine))
            elif held(mine.said, its.keys) == 1 and mine.figures <= its.figures and not hits(content(part), who):
                other = other or Ruled(
                    Difference("entity", _shown(mine.who), _shown(its.who), SURE), each.source, each.words
                )
    if own and other is not None:
        yield other


def _says_more(part: Sequence[RuleWord], its: _Said, mine: _Said) -> bool:
    """Tell whether a clause of the claim's own subject says something that the claim does not: of another place."""
    words = content(part)
    return not its.figures <= mine.figures or hits(words, mine.keys | keys_in(mine.who)) < len(words)


def _shown(marks: Sequence[RuleWord]) -> str:
    return " ".join([mark.text for mark in marks])


@cached_by_text(cost=30)
def _clauses(text: str) -> tuple[tuple[tuple[RuleWord, ...], _Said | None], ...]:
    """Return the clauses of a text, each with what it says of whom."""
    return tuple([(part, _read(part)) for part in clauses_of(marks_of(text))])


def _read(part: Sequence[RuleWord]) -> _Said | None:
    """Return a clause parted at its verb; ``None`` where it has none, denies, or does not say of whom it is."""
    texts = [mark.text for mark in part]
    if negations(part) or not _OPEN.isdisjoint(texts):
        return None
    pivot = next((at for at in range(1, len(part)) if is_finite(texts, at)), 0)
    who, said = content(part[:pivot]), content(part[pivot:])
    if not pivot or not 0 < len(who) <= MOST_WORDS or not said:
        return None
    return _Said(who, said, keys_in(said), _figures(part))


def _figures(part: Sequence[RuleWord]) -> frozenset[str]:
    return frozenset([mark.text for mark in part if mark.text[0].isdigit() or mark.text in NUMERALS])
