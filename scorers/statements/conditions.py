"""What a statement says where its condition holds and where it does not: "not unless" is "only if"."""

from __future__ import annotations

from scorers.statements.base import DifferenceKind

ORDER = frozenset({"BEFORE", "AFTER", "UNTIL"})
EXCEPTIONS = frozenset({"EXC", "UNLESS"})


def holds(op: str, main: int) -> tuple[int, int]:
    """Return what holds under a condition and what without it: 1 yes, -1 no, 0 not said.

    ``main`` is 1 for a statement that permits, requires or states, -1 for one that forbids or denies.

    >>> holds("UNLESS", -1) == holds("ONLYIF", 1)
    True
    """
    if op in ("ONLYIF", "AFTER"):
        return main, -main
    if op in ("UNLESS", "EXC", "INSTEAD", "BEFORE", "UNTIL"):
        return -main, main
    if op == "WITHOUT":
        return (main, main) if main > 0 else (-main, main)
    if op == "EVENIF":
        return main, main
    return main, 0


def collide(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether two statements disagree on the same case.

    >>> collide(holds("IF", 1), holds("UNLESS", 1)), collide(holds("IF", 1), holds("UNLESS", -1))
    (True, False)
    """
    return any(a * b < 0 for a, b in zip(one, other, strict=True))


def kind_of(*ops: str) -> DifferenceKind:
    """Return the kind of a difference between conditions under these operators.

    >>> kind_of("BEFORE", "AFTER"), kind_of("IF", "UNLESS")
    ('order', 'exception')
    """
    if any(op in ORDER for op in ops):
        return "order"
    return "exception" if any(op in EXCEPTIONS for op in ops) else "condition"
