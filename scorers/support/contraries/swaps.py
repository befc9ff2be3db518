"""Two names that changed places in a copy: "each supplier rates the buyer", where the buyer rates each supplier.

A claim that follows a sentence word for word once two of its names are exchanged, and does not as it stands, has them
the wrong way round. Whatever turns a sentence round without changing it, such as "by" or "borrows" for "lends", is a
word that the sentence does not have, and nothing is said then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from adapters.caching import cached, cached_by_text
from scorers.statements.base import Difference
from scorers.statements.lexicon.functions import FUNCTION
from scorers.statements.lexicon.verbs import MUTUAL
from scorers.statements.ties import LONGEST
from scorers.statements.words import root_of
from scorers.support.contraries.reading import WORD, Ruled, ToldRule
from scorers.text.normalize import word_set

SURE = 0.8
"""How sure it is that a claim is wrong that has two change places."""
LEAST, MOST = 3, 40
"""Words of a claim that is looked at."""
NAMES = 12
"""Names of a claim that are tried in each other's places."""

_DROPPED = word_set(
    "a an the this that these those each every any all also then will shall please just yes so and but while"
)
_FORMS = {
    **dict.fromkeys(("we", "us"), "we"),
    **dict.fromkeys(("they", "them"), "they"),
    **dict.fromkeys(("he", "him"), "he"),
    **dict.fromkeys(("she", "her"), "she"),
    **dict.fromkeys(("has", "have", "had"), "have"),
    **dict.fromkeys(("is", "are", "was", "were", "be", "been"), "be"),
    **dict.fromkeys(("does", "do", "did"), "do"),
}
"""Words by which one and the same is called as who acts and as whom it is done to, and forms of small verbs."""
_PEOPLE = frozenset({"we", "they", "he", "she", "you"})
_ALIKE = word_set("same equal equals equally identical like as with versus between both either neither or nor")
"""Words that stand between two of which neither is first."""


class _Token(NamedTuple):
    key: str
    shown: str
    named: bool


def swaps(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield sentences that a claim follows word for word but for two names that changed places.

    >>> told = [ToldRule(0, "The buyer rates each supplier once a year.", 1.0, 0)]
    >>> [each.difference.claimed for each in swaps("Each supplier rates the buyer once a year.", told)]
    ['supplier']
    >>> list(swaps("Once a year the buyer rates each supplier.", told))
    []
    """
    mine = _tokens(claim[:LONGEST])
    if not LEAST <= len(mine) <= MOST:
        return
    for each in told:
        found = None if each.row else _swapped(mine, [token.key for token in _tokens(each.words[:LONGEST])])
        if found is not None:
            yield Ruled(Difference("role", found[0], found[1], SURE), each.source, each.words)
            return


def changed_places(claim: str, told: str) -> bool:
    """Tell whether two names of a sentence have changed places in a claim.

    >>> changed_places("Each supplier rates the buyer.", "The buyer rates each supplier.")
    True
    """
    return next(swaps(claim, [ToldRule(0, told, 1.0, 0)]), None) is not None


@cached_by_text(cost=16)
def _tokens(text: str) -> tuple[_Token, ...]:
    found: list[_Token] = []
    for word in WORD.findall(text.lower()):
        plain = word.replace("\u2019", "'").removesuffix("'s")
        if plain not in _DROPPED:
            key = _FORMS.get(plain) or (plain if plain in FUNCTION else root_of(plain))
            found.append(_Token(key, plain, key in _PEOPLE or (plain not in FUNCTION and not plain[0].isdigit())))
    return tuple(found)


def _swapped(mine: Sequence[_Token], theirs: Sequence[str]) -> tuple[str, str] | None:
    """Return the two names of a claim that changed places."""
    known = frozenset(theirs)
    lead = next((at for at, token in enumerate(mine) if token.key in known), len(mine))
    ours = [token.key for token in mine[lead:]]
    if len(ours) < LEAST or not known.issuperset(ours) or _follows(ours, theirs):
        return None
    names = list({token.key: token for token in mine[lead:] if token.named}.values())[:NAMES]
    for one, other in combinations(names, 2):
        if theirs.index(one.key) < theirs.index(other.key) and theirs.count(one.key) == 1:
            continue  # they stand there in this order
        changed = [other.key if key == one.key else one.key if key == other.key else key for key in ours]
        if _follows(changed, theirs, turned=True) and _apart(mine[lead:], one.key, other.key):
            return one.shown, other.shown
    return None


def reordered(claim: str, told: str) -> bool:
    """Tell whether each clause of a claim stands so in a sentence, in another order, or says what goes both ways.

    >>> reordered("Shops open at 9 and wards at 8 open.", "Wards open at 8 and shops open at 9.")
    False
    >>> reordered("Shops open at 9 and wards open at 8.", "Wards open at 8 and shops open at 9.")
    True
    >>> reordered("HR sends the form to payroll.", "Employees send the form to HR, and HR sends it to payroll.")
    True
    >>> reordered("The client meets the team weekly.", "The team meets the client weekly.")
    True
    """
    theirs = [[token.key for token in _tokens(part)] for part in _CLAUSES.split(told[:LONGEST])]
    parts = [part for part in map(_tokens, _CLAUSES.split(claim[:LONGEST])) if part]
    known = frozenset(token.key for token in _tokens(told[:LONGEST]))
    return bool(parts) and all(
        len(part) >= LEAST
        and known.issuperset(token.key for token in part)
        and any(_stands(part, clause) or _goes_both_ways(part, clause) for clause in theirs)
        for part in parts
    )


_CLAUSES = re.compile(r"[,;]|\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_REFERRING = frozenset({"it", "they"})


def _stands(ours: Sequence[_Token], theirs: Sequence[str]) -> bool:
    """Tell whether a clause of a claim is one of a sentence, in which a pronoun may stand for a name."""
    pairs = zip(ours, theirs, strict=False)
    return len(ours) <= len(theirs) and all(
        token.key == key or (token.named and key in _REFERRING) for token, key in pairs
    )


def _goes_both_ways(ours: Sequence[_Token], theirs: Sequence[str]) -> bool:
    """Tell whether a clause tells what two do with each other from the other one's side: who meets whom."""
    at = next((at for at, token in enumerate(ours) if token.key in _mutual()), 0)
    if not at or ours[at].key not in theirs:
        return False
    there = theirs.index(ours[at].key)
    before, behind = [token.key for token in ours[:at]], [token.key for token in ours[at + 1 :]]
    first, last = theirs[:there], theirs[there + 1 :]
    return behind[: len(first)] == first and last[: len(before)] == before


def _follows(ours: Sequence[str], theirs: Sequence[str], *, turned: bool = False) -> bool:
    """Tell whether words stand in a sentence in this order; if ``turned``, without words between that turn it round."""
    at = -1
    for key in ours:
        found = next((place for place in range(at + 1, len(theirs)) if theirs[place] == key), -1)
        if found < 0 or (turned and at >= 0 and not _TURNING.isdisjoint(theirs[at + 1 : found])):
            return False
        at = found
    return True


_TURNING = frozenset({"be", "by"})
"""What makes "HR approves requests" of "requests are approved by HR"."""


def _apart(ours: Sequence[_Token], one: str, other: str) -> bool:
    """Tell whether between two names something is said of them: "cats and dogs" are "dogs and cats"."""
    keys = [token.key for token in ours]
    first, last = sorted((keys.index(one), keys.index(other)))
    between = ours[first + 1 : last]
    if not any(token.named and token.key not in _PEOPLE for token in between):
        return False
    led = ours[max(first - 1, 0) : first]  # "between the dealer and the driver"
    return not any(token.key in _ALIKE for token in (*led, *between)) and not any(
        token.key in _mutual() for token in between
    )


@cached(maxsize=1)
def _mutual() -> frozenset[str]:
    return frozenset(map(root_of, MUTUAL))
