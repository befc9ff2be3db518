"""What an answer tells someone to do, clause by clause, and whether an action that a label names is among it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from adapters.caching import cached
from adapters.schema import Answer
from scorers.memory import Memory, once
from scorers.support.claims import statements_of
from scorers.support.points import Point, Words, point_of
from scorers.text.normalize import Terms, terms, word_set
from scorers.text.phrases import Phrases, words
from scorers.text.sentences import Sentence

MAX_CLAUSES = 200
"""Clauses of an answer that are looked at."""
MATCHED, SURELY = 0.75, 0.9
"""An action stands in a clause that has this share of its words, the first one included, or this share of any."""

_CLAUSES = re.compile(r"[,;:]\s|\s[-\u2013\u2014]\s|\b(?:but|and then|then)\s", re.IGNORECASE)
_AVOIDS = Phrases(
    {
        "avoids": (
            "do|does|must|should|can|may|will|would|need|shall|did not",
            "never|avoid|avoids|avoiding|without|refrain*|prohibited|forbidden|unnecessary",
            "instead|rather of|than",
            "not ~2 allowed|permitted|recommended|necessary|required",
            "no need|longer",
        )
    }
)
_TRIED = Phrases(
    {
        "tried": (
            "you|they|he|she|customer|user|team|we ~2 tried|attempted|did|performed|done|completed",
            "already|previously",
            "not ~2 help|helped|work|worked|resolve|resolved|fix|fixed",
        )
    }
)
_DIRECTS = Phrases({"directs": ("you|please|should|must|try|recommend|suggest|advise",)})
_LEADING = word_set("first then next finally now also please and simply just again afterwards second third")


class AnswerClause:
    """A clause of an answer: the sentence it stands in, and its words; what it does is read when it is asked for."""

    def __init__(self, sentence: Sentence, text: str) -> None:
        """Read the terms of ``text``, a clause of ``sentence``."""
        self.sentence = sentence
        self.read: Terms = terms(text)
        self._text = text

    @cached_property
    def held(self) -> Words:
        """Its terms, to be held against others."""
        return Words(self.read.items)

    @cached_property
    def avoids(self) -> bool:
        """Whether it says not to do something."""
        return bool(_AVOIDS.find(self._spoken))

    @cached_property
    def tried(self) -> bool:
        """Whether it says that something was done."""
        return bool(_TRIED.find(self._spoken))

    @cached_property
    def directs(self) -> bool:
        """Whether it says what one should or may do."""
        return bool(_DIRECTS.find(self._spoken))

    @cached_property
    def opens(self) -> str | None:
        """The term it begins with, if it begins with one."""
        return next(iter(terms(" ".join(self._spoken[:1])).items), None)

    @cached_property
    def _spoken(self) -> list[str]:
        spoken = words(self._text)
        while spoken and (spoken[0] in _LEADING or spoken[0].isdigit()):
            spoken = spoken[1:]
        return spoken

    def has(self, action: Point) -> bool:
        """Return whether the clause names an action, whatever it says of it."""
        return _names(action, self)


def clauses_of(answer: Answer, memory: Memory) -> tuple[AnswerClause, ...]:
    """Return the clauses of an answer in order, worked out once for all scorers of a panel.

    >>> found = clauses_of(Answer(id="a", answer="Do not stop the server, restart it."), Memory())
    >>> [(clause.read.items, clause.avoids) for clause in found]
    [(('stop', 'server'), True), (('restart',), False)]
    """
    return _clauses(answer, memory)


@once
def _clauses(answer: Answer, memory: Memory) -> tuple[AnswerClause, ...]:
    found: list[AnswerClause] = []
    for sentence in statements_of(answer, memory):
        if sentence.kind != "question":
            found += (AnswerClause(sentence, part) for part in _parts(sentence.words))
        if len(found) >= MAX_CLAUSES:
            break
    return tuple(clause for clause in found[:MAX_CLAUSES] if clause.read.items)


def told(action: Point, clauses: tuple[AnswerClause, ...]) -> Iterator[AnswerClause]:
    """Yield the clauses that tell someone to do ``action``, or that it is done."""
    return (clause for clause in clauses if clause.has(action) and not clause.avoids)


@cached(maxsize=256, longest=2_000)
def action_of(text: str) -> Point | None:
    """Return an action by its words; ``None`` where it has none.

    >>> action_of("Reboot the router").terms
    ('reboot', 'router')
    """
    return point_of(text)


def _parts(text: str) -> Iterator[str]:
    start = 0
    for match in _CLAUSES.finditer(text):
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]


def _names(action: Point, clause: AnswerClause) -> bool:
    figures = [term for term in action.terms if term[0] == "#"]
    if not all(term in clause.read.items for term in figures):
        return False
    share = action.covered_by(clause.held)
    return share >= SURELY or (share >= MATCHED and clause.held.covers(action.terms[0]))
