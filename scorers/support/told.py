"""The statements of a source, by where they stand and by their terms."""

from __future__ import annotations

from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.reading import read_statements
from scorers.text.normalize import terms


class ToldStatements(NamedTuple):
    """The statements of a text by where their own sentence begins, and those put together with their terms."""

    at: dict[int, tuple[str, ...]]
    together: tuple[tuple[str, frozenset[str]], ...]


@cached_by_text(cost=3)
def told_in(text: str) -> ToldStatements:
    r"""Return the statements of ``text``.

    >>> told_in("These cannot be returned:\n- gift cards").together[0][0]
    'These cannot be returned: gift cards'
    """
    at: dict[int, tuple[str, ...]] = {}
    together: list[tuple[str, frozenset[str]]] = []
    for each in read_statements(text):
        at[each.start] = (*at.get(each.start, ()), each.words)
        if len(each.words) > each.end - each.start:
            together.append((each.words, frozenset(terms(each.words).items)))
    return ToldStatements(at, tuple(together))
