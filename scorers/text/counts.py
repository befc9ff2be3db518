"""How many of a thing there are, in words."""

from __future__ import annotations


def several(count: int, thing: str) -> str:
    """Return a count with the word for what is counted.

    >>> several(1, "passage"), several(3, "passage")
    ('1 passage', '3 passages')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
