"""The yes or no before a statement, and what it says of the question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from scorers.statements.clauses import Clause, Force, read_clauses
from scorers.text.normalize import behind_particle, is_particle, word_set

_DENIES = re.compile(r"\b(?:no|nope|nein|nee|nej|non|n\u00e3o)\b", re.IGNORECASE)
_POLAR = re.compile(
    r"\W{0,8}+(?:(?:hi|hello|hey|so|and|but|please|also)\b\W{0,4}+){0,3}(?:is|are|am|was|were|can|could|may|must|should|shall|will|would|do|does|did|has|have"
    r"|kann|k\u00f6nnen|darf|d\u00fcrfen|muss|m\u00fcssen|soll|sollen|ist|sind|gibt|werden|wird|hat|habe|haben)\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|cannot|never|no|non(?!-)|n\u00e3o|nicht|kein|keine|pas|jamais|aucun|aucune|nunca|mai|niet|geen)\b|n't\b",
    re.IGNORECASE,
)
MAX_QUESTION = 400
_DENIED: dict[Force, Force] = {
    "MAY": "FORBID", "MUST": "NOTNEED", "SHOULD": "NOTNEED", "YES": "NO", "NOTNEED": "MUST", "FORBID": "MAY",
    "SHOULDNOT": "SHOULD", "NO": "YES",
}  # fmt: skip


_ASKING = word_set(
    "wer was wann wo wie warum wieso welche welcher welches wieviel wohin woher wozu womit bis ab seit qui"
    " que quoi quand o\u00f9 comment pourquoi combien quel quelle quels quelles \u00e0 de qui\u00e9n qu\u00e9"
    " cu\u00e1ndo d\u00f3nde c\u00f3mo cu\u00e1l cu\u00e1les cu\u00e1nto cu\u00e1nta cu\u00e1ntos cu\u00e1ntas"
    " por con chi cosa che quando dove come perch\u00e9 quale quali quanto quanta quanti quante quem qual"
    " quais onde quantos quantas o wie wat wanneer waar hoe waarom welke welk hoeveel"
)
"""What opens a question in other languages that yes and no do not answer."""


def _is_polar(question: str, language: str) -> bool:
    """Tell whether yes or no answers a question."""
    if language == "en" or _POLAR.match(question):
        return _POLAR.match(question) is not None
    first = _FIRST.search(question)
    return first is not None and first.group().lower() not in _ASKING


_FIRST = re.compile(r"[^\W\d_]+")


_WHOLE = frozenset({"ALL", "MOST", "ONLY", "ALWAYS"})


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
    if question is None or len(question) > MAX_QUESTION or not _is_polar(question, language):
        return None
    if _NEGATIVE.search(question):
        return None
    clauses = read_clauses(question, language)
    if len(clauses) != 1 or any(word == "or" for word, _ in clauses[0].joins):
        return None
    asked = clauses[0]
    if not _DENIES.search(particle):
        return asked
    if any(op in _WHOLE for op, _, _ in asked.scopes):
        return None  # "Do all cities?" "No": some may
    main = asked.segments[0]
    return replace(asked, segments=(main._replace(state=_DENIED[main.state]), *asked.segments[1:]))
