"""The yes or no before a statement, and what it says of the question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from scorers.statements.clauses import Clause, Force, read_clauses
from scorers.text.normalize import behind_particle, is_particle

_DENIES = re.compile(r"\b(?:no|nope|nein|nee|nej|non|n\u00e3o)\b", re.IGNORECASE)
_POLAR = re.compile(
    r"\W{0,8}(?:(?:hi|hello|hey|so|and|but|please|also)\b\W{0,4}){0,3}(?:is|are|am|was|were|can|could|may|must|should|shall|will|would|do|does|did|has|have"
    r"|kann|k\u00f6nnen|darf|d\u00fcrfen|muss|m\u00fcssen|soll|sollen|ist|sind|gibt|werden|wird|hat|habe|haben)\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"\b(?:not|cannot|never|no|nicht|kein|keine)\b|n't\b", re.IGNORECASE)
MAX_QUESTION = 400
_DENIED: dict[Force, Force] = {
    "MAY": "FORBID", "MUST": "NOTNEED", "SHOULD": "NOTNEED", "YES": "NO", "NOTNEED": "MUST", "FORBID": "MAY",
    "SHOULDNOT": "SHOULD", "NO": "YES",
}  # fmt: skip


class Answered(NamedTuple):
    """A claim without its particle; ``reply`` is what the particle makes of a question of yes or no."""

    words: str
    reply: Clause | None


def answered(claim: str, question: str | None, language: str = "en") -> Answered:
    """Return a claim without the yes or no before it, and what that says.

    >>> answered("No.", "Can gift cards be returned?").reply.state
    'FORBID'
    """
    if is_particle(claim):
        return Answered("", _reply(claim, question, language))
    at = behind_particle(claim)
    return Answered(claim[at:].strip(), _reply(claim[:at], question, language) if at else None)


def _reply(particle: str, question: str | None, language: str) -> Clause | None:
    if question is None or len(question) > MAX_QUESTION or not _POLAR.match(question) or _NEGATIVE.search(question):
        return None
    clauses = read_clauses(question, language)
    if len(clauses) != 1 or any(word == "or" for word, _ in clauses[0].joins):
        return None
    asked = clauses[0]
    if not _DENIES.search(particle):
        return asked
    main = asked.segments[0]
    return replace(asked, segments=(main._replace(state=_DENIED[main.state]), *asked.segments[1:]))
