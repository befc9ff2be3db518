"""The words of a text as sets: what a reader asks before it reads the text at all."""

from __future__ import annotations

from sys import intern

from adapters.caching import cached_by_text
from scorers.text.plain import runs_of


@cached_by_text(cost=12)
def glance(text: str) -> frozenset[str]:
    """Return the runs of letters and digits of a text in lower case; "isn't" has two, "isn" and "t".

    A text that shares none with the words that a pattern needs cannot match it, and need not be searched.

    >>> sorted(glance("It isn't free, is it?"))
    ['free', 'is', 'isn', 'it', 't']
    """
    return frozenset(map(intern, runs_of(text.lower())))
