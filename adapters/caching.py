"""Caches of pure functions: bounded, and in one list, so that a test can show that no result depends on them.

They save time alone. What is worked out for one answer is no matter for them: that is kept in `scorers.memory.Memory`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, TypeVarTuple, cast
from weakref import WeakSet

P = ParamSpec("P")
T = TypeVar("T")
_Inputs = TypeVarTuple("_Inputs")

BUDGET = 56 * 2**20
"""Bytes that all caches over texts of a process hold together, as reckoned by what each says that it costs."""
GENERATIONS = 8
"""Parts of the budget. When caches have taken in one of them, they turn, and what was used longest ago goes."""
MOST_GENERATIONS = 16
"""Generations of what was met again; what is not used for so many of them goes, though nothing else is met again."""
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


class Generations:
    """Results of one cache: ``recent`` since the last turn, and ``former`` before that, the latest first."""

    __slots__ = ("former", "recent")

    def __init__(self) -> None:
        self.recent: dict[Any, Any] = {}
        self.former: list[dict[Any, Any]] = []

    def turn(self) -> None:
        """Begin another generation."""
        self.former.insert(0, self.recent)
        self.recent = {}


class TextCache:
    """What one function made of texts: of those met ``once``, and of those that were met ``again`` in a later turn.

    The claims of an answer are asked for many times, and never again; passages come again with other answers.
    """

    __slots__ = ("__weakref__", "again", "cost", "former", "function", "once")

    def __init__(self, function: Callable[..., Any], cost: int) -> None:
        self.function, self.cost = function, cost
        self.cache_clear()

    def cache_clear(self) -> None:
        """Empty it."""
        self.once, self.again = Generations(), Generations()
        self.former: tuple[dict[Any, Any], ...] = ()

    def let_go(self, once: int, again: int) -> None:
        """Keep so many former generations of each kind. Most texts are new: ``former`` are those to look into."""
        del self.once.former[once:]
        del self.again.former[again:]
        self.former = tuple(filter(None, (*self.once.former, *self.again.former)))

    def entries(self) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """Yield the inputs and results that are kept."""
        for kept in (self.once, self.again):
            for generation in (kept.recent, *kept.former):
                yield from tuple(generation.items())

    def size(self, inputs: tuple[Any, ...]) -> int:
        """Return about how many bytes it takes to keep what was made of ``inputs``."""
        size = ENTRY
        for each in inputs:
            if isinstance(each, str):
                size += self.cost * len(each)
        return size

    def found_before(self, inputs: tuple[Any, ...]) -> Any:
        """Return what was made of ``inputs`` before the last turn, which is then met again; `_NOTHING` if none is kept.

        Threads need no lock: where two meet, one result is worked out twice.
        """
        for kept, sizes in ((self.once, _BUDGET.once), (self.again, _BUDGET.again)):
            for age, generation in enumerate(kept.former):
                if generation and (value := generation.pop(inputs, _NOTHING)) is not _NOTHING:
                    size = self.size(inputs)
                    sizes.taken(age, size)
                    _BUDGET.charge(_BUDGET.again, size)
                    self.again.recent[inputs] = value
                    return value
        return _NOTHING


class _Sizes:
    """Bytes of the generations of all caches, of what was met once or of what was met again."""

    def __init__(self) -> None:
        self.recent = 0
        self.former: list[int] = []

    @property
    def total(self) -> int:
        return self.recent + sum(self.former)

    def turn(self) -> None:
        self.former.insert(0, self.recent)
        self.recent = 0

    def taken(self, age: int, size: int) -> None:
        if age < len(self.former):  # a thread beside this one may have turned
            self.former[age] -= size


class _Budget:
    """Turns all caches over texts when what came in since the last turn costs a part of the budget.

    What was used last goes last, whichever cache it is in, and a hit costs no more than a look into a dictionary. Of
    texts met once only the latest stay where others are met again: no number of new claims turns passages out.
    """

    def __init__(self) -> None:
        self.generation = BUDGET // GENERATIONS
        self.clear()

    def clear(self) -> None:
        self.once, self.again = _Sizes(), _Sizes()
        self._turns = 0

    def charge(self, sizes: _Sizes, size: int) -> None:
        if sizes.recent + size > self.generation:
            once = sizes is self.once
            self._turns += once
            # What was met again grows old with what is met once, too: an application may get other documents.
            again = not once or self._turns % GENERATIONS == 0
            if once:
                self.once.turn()
            if again:
                self.again.turn()
            caches = text_caches()
            for cache in caches:
                if once:
                    cache.once.turn()
                if again:
                    cache.again.turn()
            self._let_go(caches)
        sizes.recent += size

    def _let_go(self, caches: Iterable[TextCache]) -> None:
        """Let go of what was used longest ago, until two generations more have room."""
        most = (GENERATIONS - 2) * self.generation
        once, again = self.once.former, self.again.former
        del again[MOST_GENERATIONS:]
        while self.once.total + self.again.total > most and (once or again):
            (once if len(once) > 1 or not again else again).pop()
        for cache in caches:
            cache.let_go(len(once), len(again))


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
            value: T = texts.once.recent.get(inputs, _NOTHING)
            if value is not _NOTHING:
                return value
            value = texts.again.recent.get(inputs, _NOTHING)
            if value is not _NOTHING:
                return value
            # An index over all of them would take longer to keep than these few looks.
            for generation in texts.former:
                if inputs in generation and (value := texts.found_before(inputs)) is not _NOTHING:
                    return value
            value = function(*inputs)
            if (size := texts.size(inputs)) <= _BUDGET.generation:
                _BUDGET.charge(_BUDGET.once, size)
                texts.once.recent[inputs] = value
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
    _BUDGET.clear()
