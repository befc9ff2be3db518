"""What an answer tells someone to do, clause by clause, and whether an action that a label names is among it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class AnswerClause:
    """A clause of an answer: the sentence it stands in, its words, and whether it says not to do, or that it was done.

    ``opens`` is the term it begins with, if it begins with one; ``directs`` whether it says what one should or may do.
    """

    sentence: Sentence
    read: Terms
    avoids: bool
    tried: bool
    directs: bool
    opens: str | None

    def has(self, action: Point) -> bool:
        """Return whether the clause names an action, whatever it says of it."""
        return _names(action, self.read)


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
            found += (_clause(sentence, part) for part in _parts(sentence.words))
        if len(found) >= MAX_CLAUSES:
            break
    return tuple(clause for clause in found[:MAX_CLAUSES] if clause.read.items)


def told(action: Point, clauses: tuple[AnswerClause, ...]) -> Iterator[AnswerClause]:
    """Yield the clauses that tell someone to do ``action``, or that it is done."""
    return (clause for clause in clauses if not clause.avoids and clause.has(action))


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


def _clause(sentence: Sentence, text: str) -> AnswerClause:
    read, spoken = terms(text), words(text)
    while spoken and (spoken[0] in _LEADING or spoken[0].isdigit()):
        spoken = spoken[1:]
    opens = terms(" ".join(spoken[:1])).items[:1]
    return AnswerClause(
        sentence,
        read,
        avoids=bool(_AVOIDS.find(spoken)),
        tried=bool(_TRIED.find(spoken)),
        directs=bool(_DIRECTS.find(spoken)),
        opens=opens[0] if opens else None,
    )


def _names(action: Point, read: Terms) -> bool:
    held = Words(read.items)
    figures = [term for term in action.terms if term[0] == "#"]
    if not all(term in read.items for term in figures):
        return False
    share = action.covered_by(held)
    return share >= SURELY or (share >= MATCHED and held.covers(action.terms[0]))
