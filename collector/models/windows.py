"""Long passages cut into windows that a model can read, and the windows that a claim is worth comparing with."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Offsets = Sequence[tuple[int, int]]
OVERLAP = 4
"""The share of a window that the next one repeats, 1 in so many: a sentence at a border stands whole in one of them."""
_WORD = re.compile(r"\w+")


def windows(text: str, size: int, tokenize: Callable[[str], Offsets]) -> tuple[str, ...]:
    """Return ``text`` in windows of at most ``size`` tokens; one where it is short, none where it has no token.

    >>> [*windows("a b c d e f g", 4, lambda text: [(at, at + 1) for at in range(0, len(text), 2)])]
    ['a b c d', 'd e f g']
    """
    offsets = tokenize(text)
    step = max(1, size - size // OVERLAP)
    found = []
    for first in range(0, len(offsets), step):
        part = offsets[first : first + size]
        found.append(text[part[0][0] : part[-1][1]])
        if first + size >= len(offsets):
            break
    return tuple(found)


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as they are compared.

    >>> sorted(words("Leave: 20 weeks, leave!"))
    ['20', 'leave', 'weeks']
    """
    return frozenset(_WORD.findall(text.casefold()))


def nearest(claim: str, given: Sequence[frozenset[str]], most: int) -> tuple[int, ...]:
    """Return the places of the ``most`` windows that share most words with ``claim``, in the order of the text.

    >>> nearest("Leave is 20 weeks", [words("Hotels cost"), words("Leave lasts 20 weeks"), words("Leave")], 2)
    (1, 2)
    """
    if len(given) <= most:
        return tuple(range(len(given)))
    own = words(claim)
    order = sorted(range(len(given)), key=lambda at: (-len(own & given[at]), at))
    return tuple(sorted(order[:most]))
