"""What several scorers of one panel ask of the same answer, worked out once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

from adapters.schema import Answer

T = TypeVar("T")
Inputs = TypeVarTuple("Inputs")

KEPT = 4
"""Answers that are remembered: the one that is scored, and what a scorer makes of it."""


_NOTHING = object()


class Memory:
    """What was worked out for the last `KEPT` answers.

    Answers are frozen and told by identity, so that asking again costs no look at their texts.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: tuple[tuple[Answer, dict[Hashable, Any]], ...] = ()

    def of(self, answer: Answer) -> dict[Hashable, Any]:
        """Return what is known of ``answer``, to be added to."""
        for known, results in self._known:
            if known is answer:
                return results
        fresh: dict[Hashable, Any] = {}
        # Replaced whole: a thread beside this one sees what was known before or what is known now.
        self._known = ((answer, fresh), *self._known[: KEPT - 1])
        return fresh

    def clear(self) -> None:
        """Forget all of them, for whoever will not ask again.

        What was worked out may lead back to this memory. It would then stay until garbage is looked for.
        """
        self._known = ()


def once(work: Callable[[Answer, Memory, *Inputs], T]) -> Callable[[Answer, Memory, *Inputs], T]:
    """Have a pure function of an answer, and of hashable inputs beside it, work once for all that share a memory.

    The function is given the memory too, for what it asks of the answer in its turn.

    >>> @once
    ... def words(answer: Answer, _memory: Memory) -> list[str]:
    ...     return (answer.answer or "").split()
    >>> answer, memory = Answer(id="a", answer="Leave is paid."), Memory()
    >>> words(answer, memory) is words(answer, memory), words(answer, memory) is words(answer, Memory())
    (True, False)
    """

    @wraps(work)
    def remembered(answer: Answer, memory: Memory, *inputs: *Inputs) -> T:
        results, key = memory.of(answer), (work, *inputs)
        if (result := results.get(key, _NOTHING)) is _NOTHING:
            result = results[key] = work(answer, memory, *inputs)
        known: T = result
        return known

    return remembered
