"""Caches of pure functions: bounded, and in one list, so that a test can show that no result depends on them.

They save time alone. What is worked out for one answer is no matter for them: that is kept in `scorers.memory.Memory`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakSet

P = ParamSpec("P")
T = TypeVar("T")

_CACHES: WeakSet[Any] = WeakSet()
"""Every cache there is; one that belongs to an object goes with it."""


def cached(maxsize: int, *, longest: int | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Have a pure function of hashable arguments keep what it returned for the last ``maxsize`` of them.

    With ``longest``, what it returned for a first argument of more characters is not kept: the cache stays small
    whatever texts it is asked for.

    >>> @cached(maxsize=8)
    ... def words(text: str) -> tuple[str, ...]:
    ...     return tuple(text.split())
    >>> words("Leave is paid.") is words("Leave is paid.")
    True
    """

    def remembering(function: Callable[P, T]) -> Callable[P, T]:
        cache = lru_cache(maxsize)(function)
        _CACHES.add(cache)
        known = cast("Callable[P, T]", cache)
        if longest is None:
            return known

        @wraps(function)
        def remembered(*args: P.args, **kwargs: P.kwargs) -> T:
            short = len(cast("str", args[0])) <= longest
            return known(*args, **kwargs) if short else function(*args, **kwargs)

        return remembered

    return remembering


def forget() -> None:
    """Empty every cache."""
    for cache in tuple(_CACHES):
        cache.cache_clear()
