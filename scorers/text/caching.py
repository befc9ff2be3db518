"""A cache for what is made of texts: the same passages are retrieved, and the same answer is read, again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from adapters.caching import cached

T = TypeVar("T")


def cached_by_text(
    maxsize: int, *, longest: int, beyond: int = 0
) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Have a pure function of a text keep what it returned for the last ``maxsize`` texts.

    Of texts of more than ``longest`` characters only the last ``beyond`` are kept, so that the cache stays small: as
    many as one answer has that several readers ask for.

    >>> @cached_by_text(maxsize=8, longest=20)
    ... def words(text: str) -> list[str]:
    ...     return text.split()
    >>> [words(text) is words(text) for text in ("Leave is paid.", "Leave is paid for 20 weeks.")]
    [True, False]
    """

    def remembering(function: Callable[[str], T]) -> Callable[[str], T]:
        known, long = cached(maxsize)(function), cached(beyond)(function) if beyond else function

        @wraps(function)
        def remembered(text: str) -> T:
            return known(text) if len(text) <= longest else long(text)

        return remembered

    return remembering
