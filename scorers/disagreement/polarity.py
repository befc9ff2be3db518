"""How a text answers yes or no, and how sure a rule without training may be."""

from __future__ import annotations

from scorers.text.plain import plain

SUREST = 0.9
"""The most that a rule without training claims."""


def yes_and_no(one: str, other: str) -> bool:
    """Tell whether one text opens with yes and the other with no.

    >>> yes_and_no("Yes, after the trial period.", "No. It is never possible.")
    True
    """
    return {opening(one), opening(other)} == {"yes", "no"}


def opening(text: str) -> str:
    """Return the first word of a text, in lower case."""
    word = plain(text[:40]).strip().split(" ", 1)[0]
    return word.strip(",.;:!").lower()
