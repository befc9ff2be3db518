"""Attributes that are worked out when somebody asks, and then kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - used as a decorator, like `property`
    """`functools.cached_property` without the lock that Python 3.11 takes around it: spans are read by one thread.

    >>> class Circle:
    ...     @lazy
    ...     def area(self) -> float:
    ...         return 3.14
    >>> Circle().area
    3.14
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> lazy[T] | T:
        """Work the value out, and put it where the next look finds it without asking again."""
        if instance is None:
            return self
        value = self._work(instance)
        instance.__dict__[self._name] = value
        return value
