"""A yes or no that what follows it denies: "Can I sublet?" "Yes, subletting is not allowed".

What follows may be told in so many words, so that no statement of the context differs from it; what is wrong is the
answer. It is read off the question alone, and only where all that was asked stands in what follows: "no" before what
holds for others, elsewhere or at other times says no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorers.statements.alignment import ClauseAlignment, align
from scorers.statements.base import Difference
from scorers.statements.clauses import Clause, read_clauses
from scorers.statements.forces import sign
from scorers.statements.questions import MAX_QUESTION, answered
from scorers.statements.ties import LONGEST
from scorers.statements.words import is_verb
from scorers.support.contraries.reading import NEGATING, words_read
from scorers.text.normalize import behind_particle, word_set

SURE = 0.9
"""How sure it is that an answer is wrong whose yes or no its own words deny."""
WHOLE = 0.99
"""Share of what was asked from which on a clause has all of it: sums of weights are rounded."""
MOST_CLAUSES = 3
"""Clauses behind a particle that are read: what comes later says more than whether."""

_ASKED = re.compile(r"[^.?!\n]{1,400}\?")
_DENIES = re.compile(r"\W{0,4}(?:no|nope)\b", re.IGNORECASE)
_TURNING = NEGATING | word_set(
    "only unless until except exception exceptions exempt other others otherwise instead but however although though"
    " too already longer stop stops fail fails late lose loses avoid"
)
"""Words with which what follows a "no" may deny after all, and with which a question asks for what is denied."""
_SAYING = word_set("allowed permitted possible available provided required needed necessary obliged")
"""What a clause says of an act, which the question says with "can" or "must"."""
_ANY = re.compile(r"\b(?:anyone|anybody|anything|anywhere)\b", re.IGNORECASE)
_TOWARDS = frozenset({"to", "with", "for"})


def against_itself(claim: str, question: str | None) -> Difference | None:
    """Return that a yes or no says the opposite of what follows it; ``None`` where it does not.

    >>> asked = "Can I sublet my flat?"
    >>> (found := against_itself("Yes, subletting is not allowed.", asked)) and (found.claimed, found.told)
    ('Yes', 'subletting is not allowed')
    >>> against_itself("No, subletting is not allowed.", asked) is None
    True
    """
    at = behind_particle(claim[:LONGEST])
    if not at or question is None:
        return None
    asked = _asked(question)
    body = claim[at:LONGEST].strip()
    reply = answered(f"{claim[:at]} ", asked).reply if asked and body else None
    if reply is None or _TURNING.intersection(word for word, _ in words_read(asked)):
        return None
    clauses = read_clauses(body)[:MOST_CLAUSES]
    if _DENIES.match(claim):
        if _TURNING.isdisjoint(word for word, _ in words_read(body)) and not any(item.figure for item in reply.items):
            found = _unsaid(reply, clauses)
        else:
            found = None
    else:
        found = _denied(reply, clauses, anyone=_ANY.search(asked) is not None) if clauses else None
    told = found.segments[0].shown if found is not None else _forbidden(claim, body, asked)
    return None if told is None else Difference("polarity", claim[:at].strip(" ,.;:-"), told, SURE)


def _forbidden(claim: str, body: str, asked: str) -> str | None:
    """Return that what a "yes" permits is not allowed, whatever is not allowed with it: "prams and dogs are not"."""
    found = _FORBIDDEN.match(body) if not _DENIES.match(claim) and _PERMITTED.match(asked) else None
    if found is None or not _TURNING.isdisjoint(
        word for part in (found["what"], body[found.end() :]) for word, _ in words_read(part)
    ):
        return None
    named = {key for _, keys in words_read(found["what"]) for key in keys if isinstance(key, str)}
    return found.group() if named.intersection(key for _, keys in words_read(asked) for key in keys) else None


_PERMITTED = re.compile(
    r"(?:(?:so|and|ok|hi|hello),? )?(?:can|may|could) (?:i|we|my|our)\b"
    r"(?!.{0,80}\b(?:forbid|ban|prohibit|refuse|reject|deny|object|complain|report|skip)\b)|(?:am i|are we) allowed\b",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"(?P<what>(?:[\w'\u2019-]{1,24}[ ]){1,5}?)(?:(?:is|are) (?:not|never) (?:allowed|permitted|admitted|accepted)"
    r"|(?:is|are) (?:strictly )?(?:forbidden|prohibited|banned))\b",
    re.IGNORECASE,
)
"""What one may do who asks for leave, and what is said of something that nobody may."""


def _asked(question: str) -> str:
    """Return the last question of what was written."""
    found = _ASKED.findall(question[-2 * MAX_QUESTION :])
    return found[-1].strip() if found else ""


def _unsaid(reply: Clause, clauses: Sequence[Clause]) -> Clause | None:
    """Return the clause that states all of what a "no" denies, and no more."""
    for clause in clauses:
        a = align(reply, clause)
        same = all(pair.sign > 0 for pair in a.pairs)
        if sign(reply.state) < 0 < sign(clause.state) and same and _covers(a) and _adds_nothing(a, anyone=False):
            return clause
    return None


def _denied(reply: Clause, clauses: Sequence[Clause], *, anyone: bool) -> Clause | None:
    """Return the one clause that denies what a "yes" states: all of it, or nothing else."""
    a = align(reply, clauses[0])
    turned = sum([pair.sign < 0 for pair in a.pairs], 0)
    denied = sign(clauses[0].state) < 0 if not turned else turned == 1 and sign(clauses[0].state) > 0
    whole = _covers(a) or _says_verb(a)
    found = denied and sign(reply.state) > 0 and len(clauses) == 1 and whole and _adds_nothing(a, anyone=anyone)
    return clauses[0] if found else None


def _covers(a: ClauseAlignment) -> bool:
    """Tell whether a clause has every word of what was asked, or its opposite."""
    return a.covered >= WHOLE and not a.apart


def _says_verb(a: ClauseAlignment) -> bool:
    """Tell whether a clause has every verb of what was asked, and something of it."""
    asked = {pair.claim for pair in a.pairs}
    return bool(asked) and all(item.place in asked for item in a.claim.items if is_verb(item.shown.lower()))


def _adds_nothing(a: ClauseAlignment, *, anyone: bool) -> bool:
    """Tell whether a clause says nothing but what was asked, and whether it is allowed.

    "Is parking free?" "No, parking is free on weekdays" denies it of other days. Where it was asked of ``anyone``, what
    is said of somebody is said of one of them.
    """
    used = {pair.source for pair in a.pairs}
    rest = [item for item in a.source.items if item.place not in used and item.shown.lower() not in _SAYING]
    return not a.apart and (not rest or (anyone and all(item.lead in _TOWARDS for item in rest[:1])))
