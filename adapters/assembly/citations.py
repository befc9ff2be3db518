"""Citation markers in an answer: ``[2]``, ``[1, 3]``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.schema import Citation

# Three digits at most: [2024] is a year. The list is bounded so that matching stays linear.
_GROUP = re.compile(r"\[(\d{1,3}(?: ?, ?\d{1,3}){0,19})\]")
_NUMBER = re.compile(r"\d+")


def find_citations(answer: str, context: Sequence[str] | None) -> tuple[Citation, ...]:
    """Return the markers of ``answer``, each with the passage of ``context`` it counts to, from 1; ``None`` if beyond.

    >>> find_citations("Yes [2], no [9].", ["a", "b"])[0]
    Citation(start=4, end=7, marker='[2]', passage_id='b')
    >>> [c.passage_id for c in find_citations("Yes [1, 2], no [9].", ["a", "b"])]
    ['a', 'b', None]
    """
    found = []
    for group in _GROUP.finditer(answer):
        numbers = list(_NUMBER.finditer(answer, group.start(), group.end()))
        for number in numbers:
            start, end = group.span() if len(numbers) == 1 else number.span()
            position = int(number.group())
            passage = context[position - 1] if context and 1 <= position <= len(context) else None
            found.append(Citation(start=start, end=end, marker=answer[start:end], passage_id=passage))
    return tuple(found)
