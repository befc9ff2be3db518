"""Statements of a sentence that says several things of one subject: "the lease runs for a year and ends by itself"."""

from __future__ import annotations

import re

from adapters.caching import cached_by_text
from scorers.statements.lexicon.verbs import FINITE
from scorers.statements.words import is_participle, is_verb
from scorers.text.normalize import word_set

LONGEST = 600
"""Characters of a sentence that are read."""
MOST_SUBJECT = 14
"""Words of a subject."""
LEAST = 2
"""Words that a predicate has."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_JOINED = re.compile(
    r",?\s{1,3}(?:and|but)\s{1,3}(?:(?P<how>then|also|not|never|only)\s{1,3})?(?=(?P<word>[a-z]{2,20})\b)"
)
_CLOSED = re.compile(r"[;:!?(]|\.(?!\d)")
_OPENS = word_set(
    "if unless when whenever while although though because since before after once until who which that as"
)
"""Words of a clause in whose subject, or before whose joint, another clause stands."""
_BE = word_set("is are was were be been")
_MODAL = word_set("may must can cannot shall will should could would")
_FINITE = FINITE | _MODAL | word_set("is are was were has have does do costs weighs earns pays charges")


@cached_by_text(cost=24)
def told_apart(text: str) -> tuple[str, ...]:
    """Return what a sentence says of its subject one by one; none where it says one thing, or it cannot be told.

    >>> told_apart("The contract runs for 24 months and is extended by 12 months.")
    ('The contract runs for 24 months.', 'The contract is extended by 12 months.')
    >>> told_apart("Backups are kept for 35 days and replicated to a second zone.")
    ('Backups are kept for 35 days.', 'Backups are replicated to a second zone.')
    >>> told_apart("Credits are paid within 30 days and never refunded.")
    ('Credits are paid within 30 days.', 'Credits are never refunded.')
    >>> told_apart("Dogs and cats are welcome.")
    ()
    """
    text = text[:LONGEST].rstrip(" .")
    if _CLOSED.search(text):
        return ()
    words = list(_WORD.finditer(text))
    lower = [each.group().lower() for each in words]
    verb = next((at for at, word in enumerate(lower) if at and _begins(word)), 0)
    if not verb or verb > MOST_SUBJECT or not _OPENS.isdisjoint(lower[:verb]):
        return ()
    subject = text[: words[verb].start()]
    helped = f"{lower[verb]} " if lower[verb] in _BE or lower[verb] in _MODAL else ""
    parts: list[tuple[str, bool]] = []
    finite = True
    start = words[verb].start()
    for joint in _JOINED.finditer(text, words[verb].end()):
        word = joint["word"]
        own = word in _FINITE or (word.endswith("s") and is_verb(word))
        shared = helped and (is_participle(word) if lower[verb] in _BE else word in _SHARED)
        if own or shared:
            parts.append((text[start : joint.start()], finite))
            start, finite = joint.start("how" if joint["how"] in _TURNING else "word"), _begins(word) or not helped
    parts.append((text[start:], finite))
    if len(parts) < LEAST or any(len(part.split()) < LEAST for part, _ in parts):
        return ()
    return tuple(f"{subject}{part if own else f'{helped}{part}'}." for part, own in parts)


_TURNING = frozenset({"not", "never", "only"})
"""What stands before a verb and turns or bounds what it says."""


_SHARED = frozenset({"be"})
"""Behind a modal nothing is surely a verb but this: "must be cleaned and be returned"."""


def _begins(word: str) -> bool:
    return word in _FINITE or (word.endswith("s") and is_verb(word))
