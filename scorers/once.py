"""What several scorers of one panel ask of the same answer, worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar

from adapters.schema import Answer

T = TypeVar("T")

KEPT = 4
"""Answers that are remembered: the one that is scored, and what a scorer makes of it."""


class Once(Generic[T]):
    """A pure function of an answer that remembers what it returned for the last ones.

    Answers are frozen and told by identity, so that asking again costs no look at their texts.

    >>> words = Once(lambda answer: answer.answer.split())
    >>> answer = Answer(id="a", answer="Leave is paid.")
    >>> words(answer) is words(answer), words(answer) is words(answer.model_copy())
    (True, False)
    """

    def __init__(self, work: Callable[[Answer], T]) -> None:
        update_wrapper(self, work)
        self._work = work
        self._known: tuple[tuple[Answer, T], ...] = ()

    def __call__(self, answer: Answer) -> T:
        """Return what the function returns for ``answer``."""
        for known, value in self._known:
            if known is answer:
                return value
        value = self._work(answer)
        # Replaced whole: a thread beside this one sees what was known before or what is known now.
        self._known = ((answer, value), *self._known[: KEPT - 1])
        return value

    def cache_clear(self) -> None:
        """Forget all answers."""
        self._known = ()
