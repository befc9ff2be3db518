"""Caches of pure functions: bounded, and in one list, so that a test can show that no result depends on them.

They save time alone. What is worked out for one answer is no matter for them: that is kept in `scorers.memory.Memory`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, TypeVarTuple, cast
from weakref import WeakSet

P = ParamSpec("P")
T = TypeVar("T")
_Inputs = TypeVarTuple("_Inputs")

BUDGET = 56 * 2**20
"""Bytes that all caches over texts of a process hold together, as reckoned by what each says that it costs."""
GENERATIONS = 8
"""Parts of the budget. After each of them caches turn: what was not used for so many turns goes."""
ENTRY = 256
"""Bytes that keeping one result takes, beside it."""

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


class TextCache:
    """What one function made of texts: ``recent`` since the last turn of the `_Budget`, and ``former`` before that."""

    __slots__ = ("__weakref__", "cost", "former", "function", "recent")

    def __init__(self, function: Callable[..., Any], cost: int) -> None:
        self.function, self.cost = function, cost
        self.cache_clear()

    def cache_clear(self) -> None:
        """Empty it."""
        self.recent: dict[Any, Any] = {}
        self.former: tuple[dict[Any, Any], ...] = ()

    def turn(self) -> None:
        """Let go of what was not used for so many turns."""
        self.former = (self.recent, *self.former[: GENERATIONS - 2])
        self.recent = {}

    def entries(self) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """Yield the inputs and results that are kept."""
        for generation in (self.recent, *self.former):
            yield from tuple(generation.items())

    def size(self, inputs: tuple[Any, ...]) -> int:
        """Return about how many bytes it takes to keep what was made of ``inputs``."""
        size = ENTRY
        for each in inputs:
            if isinstance(each, str):
                size += self.cost * len(each)
        return size


class _Budget:
    """Turns all caches over texts when what was added to them or used of them since the last turn costs their part.

    What was used last goes last, whichever cache it is in, and a hit costs no more than a look into a dictionary.
    Threads need no lock: where two meet, one result is worked out twice, or a turn comes a little late.
    """

    def __init__(self) -> None:
        self._used = 0
        self.generation = BUDGET // GENERATIONS

    def charge(self, size: int) -> None:
        if self._used + size > self.generation:
            self._used = 0
            for cache in text_caches():
                cache.turn()
        self._used += size


_NOTHING = object()
_BUDGET = _Budget()


def cached_by_text(cost: int) -> Callable[[Callable[[*_Inputs], T]], Callable[[*_Inputs], T]]:
    """Have a pure function of texts, and of other hashable arguments beside them, keep what it returned.

    All functions share one `BUDGET`. ``cost`` is about how many bytes what is returned takes for each character of the
    texts; where that is more than a generation may hold, it is not kept.

    >>> @cached_by_text(cost=10)
    ... def words(text: str) -> list[str]:
    ...     return text.split()
    >>> words("Leave is paid.") is words("Leave is paid.")
    True
    """

    def remembering(function: Callable[[*_Inputs], T]) -> Callable[[*_Inputs], T]:
        texts = TextCache(function, cost)
        _CACHES.add(texts)

        # An answer comes here hundreds of times: this calls nothing that it can do itself.
        @wraps(function)
        def remembered(*inputs: *_Inputs) -> T:
            value: T = texts.recent.get(inputs, _NOTHING)
            if value is not _NOTHING:
                return value
            for generation in texts.former:
                if inputs in generation and (value := generation.pop(inputs, _NOTHING)) is not _NOTHING:
                    break
            else:
                value = function(*inputs)
            if (size := texts.size(inputs)) <= _BUDGET.generation:
                _BUDGET.charge(size)
                texts.recent[inputs] = value
            return value

        return remembered

    return remembering


def keep_at_most(size: int) -> None:
    """Have all caches over texts of this process hold so many bytes together, in place of `BUDGET`."""
    _BUDGET.generation = size // GENERATIONS


def text_caches() -> list[TextCache]:
    """Return every cache over texts."""
    return [cache for cache in tuple(_CACHES) if isinstance(cache, TextCache)]


def forget() -> None:
    """Empty every cache."""
    for cache in tuple(_CACHES):
        cache.cache_clear()
