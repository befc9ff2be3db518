"""Whether a question falls outside an exception, and whether an answer says otherwise than one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.statements.clauses import Item, read_clauses
from scorers.statements.comparison import compare
from scorers.statements.quantities import Quantity, read_quantities
from scorers.statements.reading import read_statements
from scorers.statements.words import excludes

MAX_READ = 20_000
"""Characters of a question or an exception that are read."""

_MOST = 40


def falls_outside(question: str, exception: str) -> bool:
    """Return whether a question names another case than an exception is for.

    Another member of a set that both name and of which they share none, or an amount outside the exception's bounds. A
    question that names no case may be any: the exception belongs to its answer.

    >>> falls_outside("Is air expedite allowed on the east lane?", "Air expedite is allowed on the west lane.")
    True
    >>> falls_outside("Is air expedite allowed?", "Air expedite is allowed on the west lane.")
    False
    >>> falls_outside("Who approves an order of 100 EUR?", "Orders above 500 EUR are approved by the CFO.")
    True
    """
    asked, told = list(_items(question)), list(_items(exception))
    shared = {item.word.root for item in asked} & {item.word.root for item in told}
    groups = {group for item in told if item.word.root in shared for group in item.word.members}
    apart = any(
        excludes(mine.word, its.word)
        for mine in asked
        for its in told
        if groups.isdisjoint(mine.word.members.keys() & its.word.members.keys())
    )
    return apart or _beyond(read_quantities(question[:MAX_READ]), read_quantities(exception[:MAX_READ]))


def _items(text: str) -> Iterator[Item]:
    for clause in read_clauses(text[:MAX_READ])[:_MOST]:
        yield from clause.items[:_MOST]


def _beyond(asked: Sequence[Quantity], told: Sequence[Quantity]) -> bool:
    """Return whether an exact quantity of a question lies outside the only bound that an exception puts on its kind."""
    for mine in asked[:_MOST]:
        bounds = [each for each in told[:_MOST] if each.dimension == mine.dimension and each.bound in _OUTSIDE]
        alike = [each for each in bounds if mine.dimension != "money" or each.unit == mine.unit]
        if mine.bound == "=" and mine.upper is None and len(alike) == 1 and len(bounds) == 1:
            bound = alike[0]
            if _OUTSIDE[bound.bound](mine.value, bound.value):
                return True
    return False


_OUTSIDE = {
    ">": lambda value, bound: value <= bound,
    ">=": lambda value, bound: value < bound,
    "<": lambda value, bound: value >= bound,
    "<=": lambda value, bound: value > bound,
}


def against(claims: Sequence[str], exception: str) -> str:
    """Return the first claim that an exception contradicts, empty where it contradicts none.

    >>> against(["Air expedite is not allowed on the west lane."], "Air expedite is allowed on the west lane.")
    'Air expedite is not allowed on the west lane.'
    """
    told = [statement.words for statement in read_statements(exception[:MAX_READ])]
    return next((claim for claim in claims if compare(claim, told).outcome == "contradicts"), "") if told else ""
