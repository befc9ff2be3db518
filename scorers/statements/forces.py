"""What two statements do with the same thing, and how sure it is that they cannot both hold."""

from __future__ import annotations

from collections.abc import Mapping

from scorers.statements.base import DifferenceKind
from scorers.statements.clauses import Force

_LINES = """
    MAY MUST .7 modality
    MAY SHOULD .5 modality
    MAY FORBID .95 polarity
    MAY SHOULDNOT .8 polarity
    MAY NO .85 polarity
    MUST MAY .85 modality
    MUST SHOULD .7 modality
    MUST NOTNEED .95 modality
    MUST FORBID .95 polarity
    MUST SHOULDNOT .9 polarity
    MUST NO .8 polarity
    SHOULD MUST .7 modality
    SHOULD MAY .55 modality
    SHOULD NOTNEED .75 modality
    SHOULD FORBID .95 polarity
    SHOULD SHOULDNOT .95 polarity
    SHOULD NO .8 polarity
    NOTNEED MUST .95 modality
    NOTNEED SHOULD .7 modality
    NOTNEED FORBID .8 modality
    NOTNEED SHOULDNOT .6 modality
    NOTNEED YES .55 modality
    FORBID MAY .95 polarity
    FORBID MUST .95 polarity
    FORBID SHOULD .9 polarity
    FORBID YES .9 polarity
    FORBID NOTNEED .85 modality
    FORBID SHOULDNOT .65 modality
    SHOULDNOT MAY .8 polarity
    SHOULDNOT MUST .95 polarity
    SHOULDNOT SHOULD .95 polarity
    SHOULDNOT YES .7 polarity
    SHOULDNOT FORBID .65 modality
    SHOULDNOT NOTNEED .6 modality
    YES FORBID .9 polarity
    YES SHOULDNOT .75 polarity
    YES NO .9 polarity
    YES NOTNEED .5 modality
    NO MAY .85 polarity
    NO MUST .85 polarity
    NO SHOULD .8 polarity
    NO YES .9 polarity
"""
_TABLE: Mapping[tuple[str, str], tuple[float, DifferenceKind]] = {
    (ours, theirs): (float(strength), kind)  # type: ignore[misc]
    for ours, theirs, strength, kind in (line.split() for line in _LINES.strip().splitlines())
}

_FLIPPED: Mapping[Force, Force] = {
    "MAY": "NOTNEED", "NOTNEED": "MAY", "MUST": "FORBID", "FORBID": "MUST", "SHOULD": "SHOULDNOT",
    "SHOULDNOT": "SHOULD", "YES": "NO", "NO": "YES",
}  # fmt: skip

POSITIVE: frozenset[Force] = frozenset({"MAY", "MUST", "SHOULD", "YES"})


def flipped(state: Force) -> Force:
    """Return what a statement does with the opposite of what it speaks of.

    >>> flipped("MUST")
    'FORBID'
    """
    return _FLIPPED[state]


def sign(state: Force) -> int:
    """Return 1 for what permits, requires or states, -1 for what forbids, frees or denies.

    >>> sign("NOTNEED")
    -1
    """
    return 1 if state in POSITIVE else -1


def clash(ours: Force, theirs: Force) -> tuple[float, DifferenceKind] | None:
    """Return how sure it is that a claim's force contradicts a source's, and in what; ``None`` where it does not.

    >>> clash("MAY", "FORBID")
    (0.95, 'polarity')
    """
    return _TABLE.get((ours, theirs))
